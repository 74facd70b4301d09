/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Trace events, which nobody listens to here.
 */
#ifndef SHIM_TRACEPOINT_H
#define SHIM_TRACEPOINT_H

#define TP_PROTO(...)	__VA_ARGS__
#define TRACE_EVENT(name, proto, ...)						\
	static inline void trace_##name(proto) { }		\
	struct trace_tag_##name

#endif
