/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Ids of what a trapped register does. The tables name ids only, so they are
 * plain data; mmio_bind.c is the one place that gives each a function.
 *
 * A handler of the first group acts on writes; what reads give is in the
 * vGPU's register memory, kept current by the part of the model that
 * owns it. One of the second group is needed for reads as well: a page that is
 * mapped into the guest cannot give their values.
 */
#ifndef GVIRT_LIB_REG_HANDLER_H
#define GVIRT_LIB_REG_HANDLER_H

#include <linux/types.h>

/**
 * enum gvirt_reg_handler - What a write, or a read, of a trapped register does
 * @GVIRT_HANDLER_NONE: nothing: not a trapped register
 * @GVIRT_HANDLER_FORCEWAKE: requests are acknowledged at once; the acknowledge
 *	registers have all bits read only
 * @GVIRT_HANDLER_GDRST: resets the vGPU's engines, or all of it; clears itself
 * @GVIRT_HANDLER_RESET_CTL: ready follows the request
 * @GVIRT_HANDLER_ELSP: the fourth write submits
 * @GVIRT_HANDLER_EXECLIST_STATUS: state of the vGPU's own execlists; read only
 * @GVIRT_HANDLER_CSB: the vGPU's context status buffer; read only
 * @GVIRT_HANDLER_CSB_PTR: the guest's read pointer; a driver writes the write pointer
 *	only to where a reset leaves it
 * @GVIRT_HANDLER_HWS_PGA: where the guest's status page is
 * @GVIRT_HANDLER_RING: tail, head, start, control are stored: rings come with
 *	contexts, submission without execlists is not offered
 * @GVIRT_HANDLER_MI_MODE: STOP_RING stops what the vGPU submits to the engine
 * @GVIRT_HANDLER_GFX_MODE: execlists on or off; other modes are the host's
 * @GVIRT_HANDLER_FORCE_TO_NONPRIV: only registers that commands may write are taken
 * @GVIRT_HANDLER_RING_IMR: interrupt mask of an engine
 * @GVIRT_HANDLER_IRQ_MASTER: enables or holds back the interrupt of the vGPU
 * @GVIRT_HANDLER_IRQ_ISR: state of the sources; read only
 * @GVIRT_HANDLER_IRQ_IMR: which sources reach IIR
 * @GVIRT_HANDLER_IRQ_IIR: a one acknowledges
 * @GVIRT_HANDLER_IRQ_IER: which bits of IIR interrupt
 * @GVIRT_HANDLER_FAULT: the vGPU's own first page fault
 * @GVIRT_HANDLER_TLB_INVALIDATE: page tables are synchronised; clears itself
 * @GVIRT_HANDLER_GGTT_FLUSH: the guest's GGTT entries are synchronised
 * @GVIRT_HANDLER_FENCE: a tiled range of the vGPU's aperture
 * @GVIRT_HANDLER_PVINFO: ranges that are told to the guest, its notifications
 * @GVIRT_HANDLER_RPS: a frequency is asked for: noted, granted in appearance
 * @GVIRT_HANDLER_RC6: power states: noted
 * @GVIRT_HANDLER_PCODE: mailbox: a reply, ready clears
 * @GVIRT_HANDLER_POWER_WELL: state follows the request
 * @GVIRT_HANDLER_DBUF: state follows the request
 * @GVIRT_HANDLER_CDCLK: clock of the display's core
 * @GVIRT_HANDLER_DPLL: lock and status follow the enable bit
 * @GVIRT_HANDLER_DDI_BUF: idle follows the enable bit
 * @GVIRT_HANDLER_DP_TP: link training succeeds
 * @GVIRT_HANDLER_AUX: DisplayPort side channel: EDID, DPCD
 * @GVIRT_HANDLER_GMBUS: I2C: EDID
 * @GVIRT_HANDLER_GPIO: pins: nobody answers
 * @GVIRT_HANDLER_HOTPLUG: a one acknowledges; enables detection
 * @GVIRT_HANDLER_PANEL_POWER: state follows the request
 * @GVIRT_HANDLER_PIPE_CONF: state follows the enable bit; vblanks start or stop
 * @GVIRT_HANDLER_PLANE: a flip
 * @GVIRT_HANDLER_READS: first id whose handler is needed for reads as well
 * @GVIRT_HANDLER_ENGINE_STATE: what the engine is doing, while it runs the vGPU's
 *	context; else what it was doing last for this vGPU. Never another's
 * @GVIRT_HANDLER_TIMESTAMP: the chip's clock, moved by the vGPU's offset
 * @GVIRT_HANDLER_RC6_RESIDENCY: time that the vGPU was idle
 * @GVIRT_HANDLER_RPSTAT: the frequency that the vGPU asked for
 * @GVIRT_HANDLER_PIPE_COUNTER: scanline, frame and flip counters
 * @GVIRT_HANDLERS: how many ids there are
 */
enum gvirt_reg_handler {
	GVIRT_HANDLER_NONE,

	GVIRT_HANDLER_FORCEWAKE,
	GVIRT_HANDLER_GDRST,
	GVIRT_HANDLER_RESET_CTL,
	GVIRT_HANDLER_ELSP,
	GVIRT_HANDLER_EXECLIST_STATUS,
	GVIRT_HANDLER_CSB,
	GVIRT_HANDLER_CSB_PTR,
	GVIRT_HANDLER_HWS_PGA,
	GVIRT_HANDLER_RING,
	GVIRT_HANDLER_MI_MODE,
	GVIRT_HANDLER_GFX_MODE,
	GVIRT_HANDLER_FORCE_TO_NONPRIV,
	GVIRT_HANDLER_RING_IMR,
	GVIRT_HANDLER_IRQ_MASTER,
	GVIRT_HANDLER_IRQ_ISR,
	GVIRT_HANDLER_IRQ_IMR,
	GVIRT_HANDLER_IRQ_IIR,
	GVIRT_HANDLER_IRQ_IER,
	GVIRT_HANDLER_FAULT,
	GVIRT_HANDLER_TLB_INVALIDATE,
	GVIRT_HANDLER_GGTT_FLUSH,
	GVIRT_HANDLER_FENCE,
	GVIRT_HANDLER_PVINFO,
	GVIRT_HANDLER_RPS,
	GVIRT_HANDLER_RC6,
	GVIRT_HANDLER_PCODE,
	GVIRT_HANDLER_POWER_WELL,
	GVIRT_HANDLER_DBUF,
	GVIRT_HANDLER_CDCLK,
	GVIRT_HANDLER_DPLL,
	GVIRT_HANDLER_DDI_BUF,
	GVIRT_HANDLER_DP_TP,
	GVIRT_HANDLER_AUX,
	GVIRT_HANDLER_GMBUS,
	GVIRT_HANDLER_GPIO,
	GVIRT_HANDLER_HOTPLUG,
	GVIRT_HANDLER_PANEL_POWER,
	GVIRT_HANDLER_PIPE_CONF,
	GVIRT_HANDLER_PLANE,

	GVIRT_HANDLER_READS,
	GVIRT_HANDLER_ENGINE_STATE = GVIRT_HANDLER_READS,
	GVIRT_HANDLER_TIMESTAMP,
	GVIRT_HANDLER_RC6_RESIDENCY,
	GVIRT_HANDLER_RPSTAT,
	GVIRT_HANDLER_PIPE_COUNTER,

	GVIRT_HANDLERS,
};

/** gvirt_reg_handler_reads() - Whether reads of a register with this handler need it */
static inline bool gvirt_reg_handler_reads(u8 handler)
{
	return handler >= GVIRT_HANDLER_READS;
}

#endif
