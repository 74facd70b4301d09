/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an engine is doing: the registers that a driver dumps when it hangs.
 */
#ifndef GVIRT_HW_STATE_H
#define GVIRT_HW_STATE_H

#include <linux/types.h>
#include "platform.h"

struct gvirt_mmio;

/**
 * struct gvirt_engine_fault - A page fault
 * @reg: GEN9_RING_FAULT; 0: there was none
 * @data: GEN9_FAULT_TLB_DATA0 and 1: address, and of which table
 */
struct gvirt_engine_fault {
	u32 reg;
	u32 data[2];
};

/**
 * struct gvirt_engine_batch - Where the streamer is in a batch buffer
 * @address: of the batch, with the flags of the register below
 * @state: enum of bits GEN9_BB_STATE_*
 */
struct gvirt_engine_batch {
	u64 address;
	u32 state;
};

/**
 * struct gvirt_engine_dump - What an engine is doing
 * @context: id of the context that it runs; 0: none
 * @first: batch that the ring started
 * @second: batch that @first called
 * @first_start: where @first began
 * @acthd: address of the current command
 * @fetch: address that is fetched
 * @head: register RING_HEAD: up to where the ring was fetched
 * @tail: register RING_TAIL
 * @ipeir: flags of the current command
 * @ipehr: its header
 * @instdone: units that are done
 * @instps: parser's state
 * @timestamp: run-time counter of the context
 * @eir: what was reported as an error
 * @steady: it stood at one command while all of this was read
 * @fault: page fault of the engine
 *
 * Addresses are the chip's: those in a GGTT are the host's.
 */
struct gvirt_engine_dump {
	u32 context;
	struct gvirt_engine_batch first;
	struct gvirt_engine_batch second;
	u64 first_start;
	u64 acthd;
	u64 fetch;
	u32 head;
	u32 tail;
	u32 ipeir;
	u32 ipehr;
	u32 instdone;
	u32 instps;
	u32 timestamp;
	u32 eir;
	bool steady;
	struct gvirt_engine_fault fault;
};

/**
 * gvirt_engine_dump_read() - Look at an engine, which may be running
 * @mmio: registers
 * @engine: which
 * @state: gets what it is doing, all zero if its wells do not wake
 *
 * A page fault of the engine is taken out of the chip's register, which has room for one
 * of all engines. Bounded, does not sleep.
 */
void gvirt_engine_dump_read(struct gvirt_mmio *mmio, enum gvirt_engine_id engine,
			    struct gvirt_engine_dump *state);

#endif
