/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Trace events of the chip. Of the vGPUs' work: model/trace.h.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM gvirt

#if !defined(GVIRT_HW_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define GVIRT_HW_TRACE_H

#include <linux/device.h>
#include <linux/tracepoint.h>

/* An engine ("all": the whole GT) was reset, or refused it. */
TRACE_EVENT(gvirt_engine_reset,
	TP_PROTO(const struct device *dev, const char *engine, int err),
	TP_ARGS(dev, engine, err),
	TP_STRUCT__entry(
		__string(gpu, dev_name(dev))
		__string(engine, engine)
		__field(int, err)
	),
	TP_fast_assign(
		__assign_str(gpu);
		__assign_str(engine);
		__entry->err = err;
	),
	TP_printk("gpu=%s engine=%s err=%d", __get_str(gpu), __get_str(engine), __entry->err)
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH hw
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
