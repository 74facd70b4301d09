/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Trace events: how a guest's page tables are followed. Of the pages that these map:
 * host/trace.h.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM gvirt

#if !defined(GVIRT_MODEL_SHADOW_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define GVIRT_MODEL_SHADOW_TRACE_H

#include <linux/tracepoint.h>
#include <linux/types.h>
#include "host/guest.h"

#ifndef GVIRT_MODEL_SHADOW_TRACE_STATES
#define GVIRT_MODEL_SHADOW_TRACE_STATES

/**
 * enum gvirt_shadow_state - What a page that is a table is now, or why it is out of sync
 * @GVIRT_SHADOW_PROTECTED: it is protected
 * @GVIRT_SHADOW_WRITTEN: the guest stored there
 * @GVIRT_SHADOW_GONE: its memory slot went
 * @GVIRT_SHADOW_USED: somebody else may store there
 * @GVIRT_SHADOW_MODE: it is not to be protected any more
 * @GVIRT_SHADOW_TAKEN: the VMM takes it away
 * @GVIRT_SHADOW_LOST: a store was not told of
 * @GVIRT_SHADOW_NO_TABLE: it is no table any more
 */
enum gvirt_shadow_state {
	GVIRT_SHADOW_PROTECTED,
	GVIRT_SHADOW_WRITTEN,
	GVIRT_SHADOW_GONE,
	GVIRT_SHADOW_USED,
	GVIRT_SHADOW_MODE,
	GVIRT_SHADOW_TAKEN,
	GVIRT_SHADOW_LOST,
	GVIRT_SHADOW_NO_TABLE,
};

#endif

#define gvirt_trace_state(state)						\
	__print_symbolic(state, { 0, "protected" }, { 1, "written" }, { 2, "slot-gone" },	\
			 { 3, "used-by-others" }, { 4, "mode" }, { 5, "taken-away" },	\
			 { 6, "store-lost" }, { 7, "no-table" })

/* An address space was brought up to date, or not: what that took. */
TRACE_EVENT(gvirt_shadow_sync,
	TP_PROTO(const struct gvirt_guest *guest, u64 root, u64 compared, u64 changed, int err),
	TP_ARGS(guest, root, compared, changed, err),
	TP_STRUCT__entry(
		__string(vgpu, gvirt_guest_name(guest))
		__field(u64, root)
		__field(u64, compared)
		__field(u64, changed)
		__field(int, err)
	),
	TP_fast_assign(
		__assign_str(vgpu);
		__entry->root = root;
		__entry->compared = compared;
		__entry->changed = changed;
		__entry->err = err;
	),
	TP_printk("vgpu=%s root=%llx compared=%llu changed=%llu err=%d", __get_str(vgpu),
		  __entry->root, __entry->compared, __entry->changed, __entry->err)
);

/* A guest's page that is a table is protected from now on, or is not any more. */
TRACE_EVENT(gvirt_shadow_state,
	TP_PROTO(const struct gvirt_guest *guest, u64 gfn, unsigned int state),
	TP_ARGS(guest, gfn, state),
	TP_STRUCT__entry(
		__string(vgpu, gvirt_guest_name(guest))
		__field(u64, gfn)
		__field(unsigned int, state)
	),
	TP_fast_assign(
		__assign_str(vgpu);
		__entry->gfn = gfn;
		__entry->state = state;
	),
	TP_printk("vgpu=%s gfn=%llx state=%s", __get_str(vgpu), __entry->gfn,
		  gvirt_trace_state(__entry->state))
);

/* How the tables are followed from now on. */
TRACE_EVENT(gvirt_shadow_mode,
	TP_PROTO(const struct gvirt_guest *guest, const char *mode),
	TP_ARGS(guest, mode),
	TP_STRUCT__entry(
		__string(vgpu, gvirt_guest_name(guest))
		__string(mode, mode)
	),
	TP_fast_assign(
		__assign_str(vgpu);
		__assign_str(mode);
	),
	TP_printk("vgpu=%s mode=%s", __get_str(vgpu), __get_str(mode))
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH model
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE shadow_trace
#include <trace/define_trace.h>
