/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Trace events: the life of a vGPU's work, from the guest's write to what it is told.
 *
 * A list of contexts goes this way on its engine: submit, queued (it was prepared, and
 * the scheduler has it), taken (it is in force), told (that it started), left (for each
 * context), told (that this is complete). Or refused, or left as lost, and then a reset.
 * Contexts are named by the guest's GGTT address of their images.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM gvirt

#if !defined(GVIRT_MODEL_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define GVIRT_MODEL_TRACE_H

#include <linux/tracepoint.h>
#include <linux/types.h>

#define gvirt_trace_engine(id)							\
	__print_symbolic(id, { 0, "rcs0" }, { 1, "bcs0" }, { 2, "vcs0" }, { 3, "vecs0" })
#define gvirt_trace_left(why)							\
	__print_symbolic(why, { 0, "complete" }, { 1, "preempted" }, { 2, "lost" })

/* The two elements of a list. */
DECLARE_EVENT_CLASS(gvirt_list,
	TP_PROTO(const char *vgpu, unsigned int engine, u64 first, u64 second),
	TP_ARGS(vgpu, engine, first, second),
	TP_STRUCT__entry(
		__string(vgpu, vgpu)
		__field(unsigned int, engine)
		__field(u64, first)
		__field(u64, second)
	),
	TP_fast_assign(
		__assign_str(vgpu);
		__entry->engine = engine;
		__entry->first = first;
		__entry->second = second;
	),
	TP_printk("vgpu=%s engine=%s first=%016llx second=%016llx", __get_str(vgpu),
		  gvirt_trace_engine(__entry->engine), __entry->first, __entry->second)
);

/* The guest wrote it: descriptors, 0: none. */
DEFINE_EVENT(gvirt_list, gvirt_submit,
	TP_PROTO(const char *vgpu, unsigned int engine, u64 first, u64 second),
	TP_ARGS(vgpu, engine, first, second)
);

/* The scheduler has it; @second is 0 where there is none, or where it was refused. */
DEFINE_EVENT(gvirt_list, gvirt_queued,
	TP_PROTO(const char *vgpu, unsigned int engine, u64 first, u64 second),
	TP_ARGS(vgpu, engine, first, second)
);

/* A context is not to run: what struct gvirt_refusal says. */
TRACE_EVENT(gvirt_refused,
	TP_PROTO(const char *vgpu, unsigned int engine, const char *reason, u32 detail, u32 value,
		 u32 at),
	TP_ARGS(vgpu, engine, reason, detail, value, at),
	TP_STRUCT__entry(
		__string(vgpu, vgpu)
		__field(unsigned int, engine)
		__string(reason, reason)
		__field(u32, detail)
		__field(u32, value)
		__field(u32, at)
	),
	TP_fast_assign(
		__assign_str(vgpu);
		__entry->engine = engine;
		__assign_str(reason);
		__entry->detail = detail;
		__entry->value = value;
		__entry->at = at;
	),
	TP_printk("vgpu=%s engine=%s reason=\"%s\" detail=%u value=%08x at=%08x", __get_str(vgpu),
		  gvirt_trace_engine(__entry->engine), __get_str(reason), __entry->detail,
		  __entry->value, __entry->at)
);

/* The list that was queued is in force: on the engine, or next in its turn. */
TRACE_EVENT(gvirt_taken,
	TP_PROTO(const char *vgpu, unsigned int engine),
	TP_ARGS(vgpu, engine),
	TP_STRUCT__entry(
		__string(vgpu, vgpu)
		__field(unsigned int, engine)
	),
	TP_fast_assign(
		__assign_str(vgpu);
		__entry->engine = engine;
	),
	TP_printk("vgpu=%s engine=%s", __get_str(vgpu), gvirt_trace_engine(__entry->engine))
);

/* A context left the engine: enum gvirt_left. */
TRACE_EVENT(gvirt_left,
	TP_PROTO(const char *vgpu, unsigned int engine, u32 context, unsigned int why),
	TP_ARGS(vgpu, engine, context, why),
	TP_STRUCT__entry(
		__string(vgpu, vgpu)
		__field(unsigned int, engine)
		__field(u32, context)
		__field(unsigned int, why)
	),
	TP_fast_assign(
		__assign_str(vgpu);
		__entry->engine = engine;
		__entry->context = context;
		__entry->why = why;
	),
	TP_printk("vgpu=%s engine=%s context=%08x why=%s", __get_str(vgpu),
		  gvirt_trace_engine(__entry->engine), __entry->context,
		  gvirt_trace_left(__entry->why))
);

/* An entry of the guest's context status buffer: 1 idle to active, 0x14 and 0x18 complete. */
TRACE_EVENT(gvirt_told,
	TP_PROTO(const char *vgpu, unsigned int engine, u64 status),
	TP_ARGS(vgpu, engine, status),
	TP_STRUCT__entry(
		__string(vgpu, vgpu)
		__field(unsigned int, engine)
		__field(u64, status)
	),
	TP_fast_assign(
		__assign_str(vgpu);
		__entry->engine = engine;
		__entry->status = status;
	),
	TP_printk("vgpu=%s engine=%s events=%04x id=%08x", __get_str(vgpu),
		  gvirt_trace_engine(__entry->engine), (u32)__entry->status,
		  (u32)(__entry->status >> 32))
);

/* Engines of the vGPU are reset: by its guest or its VMM, or since it is opened or closed. */
TRACE_EVENT(gvirt_vgpu_reset,
	TP_PROTO(const char *vgpu, u32 engines),
	TP_ARGS(vgpu, engines),
	TP_STRUCT__entry(
		__string(vgpu, vgpu)
		__field(u32, engines)
	),
	TP_fast_assign(
		__assign_str(vgpu);
		__entry->engines = engines;
	),
	TP_printk("vgpu=%s engines=%x", __get_str(vgpu), __entry->engines)
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH model
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
