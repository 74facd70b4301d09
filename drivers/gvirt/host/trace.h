/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Trace events of guests' memory. Of the tables that it is pinned for: model/shadow_trace.h.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM gvirt

#if !defined(GVIRT_HOST_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define GVIRT_HOST_TRACE_H

#include <linux/tracepoint.h>
#include <linux/types.h>

/* VFIO was called to pin pages in a row: all of them are pinned, or none. */
TRACE_EVENT(gvirt_pinned,
	TP_PROTO(const char *vgpu, u64 gfn, unsigned int pages, int err),
	TP_ARGS(vgpu, gfn, pages, err),
	TP_STRUCT__entry(
		__string(vgpu, vgpu)
		__field(u64, gfn)
		__field(unsigned int, pages)
		__field(int, err)
	),
	TP_fast_assign(
		__assign_str(vgpu);
		__entry->gfn = gfn;
		__entry->pages = pages;
		__entry->err = err;
	),
	TP_printk("vgpu=%s gfn=%llx pages=%u err=%d", __get_str(vgpu), __entry->gfn,
		  __entry->pages, __entry->err)
);

/* Nobody uses a page any more. */
TRACE_EVENT(gvirt_unpinned,
	TP_PROTO(const char *vgpu, u64 gfn),
	TP_ARGS(vgpu, gfn),
	TP_STRUCT__entry(
		__string(vgpu, vgpu)
		__field(u64, gfn)
	),
	TP_fast_assign(
		__assign_str(vgpu);
		__entry->gfn = gfn;
	),
	TP_printk("vgpu=%s gfn=%llx", __get_str(vgpu), __entry->gfn)
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH host
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
