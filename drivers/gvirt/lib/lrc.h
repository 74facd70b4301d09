/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The register state of a Gen9 context image: what a guest's page says, what of
 * it the host's shadow image may take over, and what goes back afterwards.
 *
 * The chip carries out this page with full privilege, so a shadow page is built
 * from a table: command headers and register offsets are the table's, and each
 * value has a rule (taken, taken in part, the host's). What a guest writes
 * anywhere else in the page is not looked at.
 *
 * The table covers the part that all engines have, up to GEN9_CTX_XCS_END. What
 * follows on the render engine, and the image's further pages, are commands
 * whose take-over is decided by the audit; without it the shadow keeps what the
 * chip itself saved there.
 */
#ifndef GVIRT_LIB_LRC_H
#define GVIRT_LIB_LRC_H

#include <linux/types.h>

#include <gvirt/gen9_lrc.h>
#include <gvirt/gen9_pte.h>

/* More runs than the table's values that are left alone. */
#define GVIRT_LRC_RUNS_MAX	24

/**
 * enum gvirt_lrc_kind - Engines by the layout of their register state
 * @GVIRT_LRC_RENDER: render engine
 * @GVIRT_LRC_BLIT: blitter
 * @GVIRT_LRC_MEDIA: video decode and video enhancement
 */
enum gvirt_lrc_kind {
	GVIRT_LRC_RENDER,
	GVIRT_LRC_BLIT,
	GVIRT_LRC_MEDIA,
};

/**
 * struct gvirt_lrc_engine - Where a register state belongs
 * @kind: layout
 * @base: MMIO base of the engine's registers
 * @ggtt_size: bytes that the guest's global GTT spans
 */
struct gvirt_lrc_engine {
	enum gvirt_lrc_kind kind;
	u32 base;
	u64 ggtt_size;
};

/**
 * enum gvirt_lrc_fault - Why a guest's register state cannot be run
 * @GVIRT_LRC_OK: it can
 * @GVIRT_LRC_LAYOUT: no MI_LOAD_REGISTER_IMM, or another register, where the chip
 *	expects one
 * @GVIRT_LRC_RING_OFF: the ring is not enabled
 * @GVIRT_LRC_RING_RANGE: the ring is misaligned or not inside the global GTT
 * @GVIRT_LRC_RING_HEAD: head or tail is outside the ring
 * @GVIRT_LRC_INDIRECT_RANGE: the indirect context buffer is not inside the GTT
 * @GVIRT_LRC_PER_CTX_RANGE: the per-context batch is not inside the GTT
 */
enum gvirt_lrc_fault {
	GVIRT_LRC_OK,
	GVIRT_LRC_LAYOUT,
	GVIRT_LRC_RING_OFF,
	GVIRT_LRC_RING_RANGE,
	GVIRT_LRC_RING_HEAD,
	GVIRT_LRC_INDIRECT_RANGE,
	GVIRT_LRC_PER_CTX_RANGE,
};

/**
 * struct gvirt_lrc_state - What a guest's register state says
 * @fault: enum gvirt_lrc_fault; unless GVIRT_LRC_OK only @fault_dw holds
 * @fault_dw: dword of the page that the fault is about
 * @ring_start: guest's GGTT address of the ring, a multiple of 4096
 * @ring_size: bytes of the ring, 4096 to 2 MiB
 * @ring_head: byte offset of the next command, a multiple of 4
 * @ring_tail: byte offset of the end of the commands, a multiple of 8
 * @restore_inhibit: the guest asks that the engine's state is not restored
 * @mid_batch: the context was left within a batch
 * @indirect_start: GGTT address of the indirect context buffer, a multiple of 64
 * @indirect_size: its bytes, 0 (none) to 4032
 * @per_ctx_start: GGTT address of the per-context batch, a multiple of 4096
 * @per_ctx_valid: there is one
 * @timestamp: the context's run-time counter
 * @pdp: root pointers; with four levels, [0] is the PML4's address
 */
struct gvirt_lrc_state {
	enum gvirt_lrc_fault fault;
	u16 fault_dw;
	u32 ring_start;
	u32 ring_size;
	u32 ring_head;
	u32 ring_tail;
	bool restore_inhibit;
	bool mid_batch;
	u32 indirect_start;
	u32 indirect_size;
	u32 per_ctx_start;
	bool per_ctx_valid;
	u32 timestamp;
	u64 pdp[GEN9_PPGTT_3LVL_PDPS];
};

/**
 * struct gvirt_lrc_host - What the host puts in the place of a guest's values
 * @ring_start: host's GGTT address of the shadow ring
 * @ring_ctl: RING_CTL of the shadow ring
 * @ring_head: head in the shadow ring
 * @ring_tail: tail in the shadow ring
 * @pdp: root pointers of the shadow page tables (DMA addresses)
 * @indirect_ctx: RING_INDIRECT_CTX of the audited copy, 0: none
 * @bb_per_ctx: RING_BB_PER_CTX_PTR of the audited copy, 0: none
 * @image: page of register state that the chip saved and no guest could write: of
 *	this context, or of a fresh one. May be the page that is built. NULL: there
 *	is none; registers that no guest decides about are then loaded with 0, which
 *	is no good value for each of them (the watchdog's), so a host saves an image
 *	of its own first.
 * @resume: @image was left within a batch and the context goes on from there
 * @restore: a guest that asks for no restore gets the engine state of @image, so
 *	that it cannot find what another vGPU left in the engine
 */
struct gvirt_lrc_host {
	u32 ring_start;
	u32 ring_ctl;
	u32 ring_head;
	u32 ring_tail;
	u64 pdp[GEN9_PPGTT_3LVL_PDPS];
	u32 indirect_ctx;
	u32 bb_per_ctx;
	const u32 *image;
	bool resume;
	bool restore;
};

/**
 * struct gvirt_lrc_run - Dwords of the page that lie together
 * @first: the first one
 * @count: how many
 */
struct gvirt_lrc_run {
	u16 first;
	u16 count;
};

/**
 * struct gvirt_lrc_runs - What is written back to a guest's page
 * @count: runs that hold, 0 to GVIRT_LRC_RUNS_MAX
 * @run: the runs, in rising order; the dwords between them are the guest's own,
 *	which may change them (the tail, above all) at any time
 */
struct gvirt_lrc_runs {
	u16 count;
	struct gvirt_lrc_run run[GVIRT_LRC_RUNS_MAX];
};

/**
 * gvirt_lrc_image_size() - Bytes of a context image
 * @kind: enum gvirt_lrc_kind
 *
 * Return: its size, with the status page; a multiple of 4096.
 */
u32 gvirt_lrc_image_size(enum gvirt_lrc_kind kind);

/**
 * gvirt_lrc_read() - Extract and judge a guest's register state
 * @engine: the engine it was submitted to
 * @regs: copy of the page, GEN9_CTX_REGS_DWORDS dwords
 * @state: gets what it says
 *
 * The engine's own part is judged only if it will be restored.
 *
 * Return: @state->fault.
 */
enum gvirt_lrc_fault gvirt_lrc_read(const struct gvirt_lrc_engine *engine, const u32 *regs,
				    struct gvirt_lrc_state *state);

/**
 * gvirt_lrc_build() - Fill the shadow page
 * @engine: the engine
 * @regs: the copy of the guest's page that gvirt_lrc_read() found good
 * @host: the host's values
 * @shadow: page of the shadow image, GEN9_CTX_REGS_DWORDS dwords
 *
 * Writes all dwords up to GEN9_CTX_XCS_END. There the page is closed, or, if the
 * render engine's state is to be restored from @host->image, goes on with that.
 */
void gvirt_lrc_build(const struct gvirt_lrc_engine *engine, const u32 *regs,
		     const struct gvirt_lrc_host *host, u32 *shadow);

/**
 * gvirt_lrc_write_back() - What a guest finds in its page after a run
 * @engine: the engine
 * @shadow: page of the shadow image as the chip saved it
 * @ring_head: head in the guest's ring, a byte offset
 * @regs: in: copy of the guest's page; out: that page, brought up to date
 * @runs: gets the dwords to be written to the guest's memory
 */
void gvirt_lrc_write_back(const struct gvirt_lrc_engine *engine, const u32 *shadow, u32 ring_head,
			  u32 *regs, struct gvirt_lrc_runs *runs);

/**
 * gvirt_lrc_batch_unchanged() - Does the guest want to go on where it was stopped?
 * @regs: copy of the guest's page
 * @image: page of the shadow image that was written back to it last
 *
 * Return: true if the guest has left the batch state alone, so that @resume of
 * struct gvirt_lrc_host may be set.
 */
bool gvirt_lrc_batch_unchanged(const u32 *regs, const u32 *image);

/**
 * gvirt_lrc_ring_bytes() - Commands between head and tail of a ring
 * @head: byte offset below @size
 * @tail: byte offset below @size
 * @size: bytes of the ring
 *
 * Return: bytes from @head to @tail, round the end of the ring if need be; 0 for
 * an empty ring or offsets that are not below @size.
 */
u32 gvirt_lrc_ring_bytes(u32 head, u32 tail, u32 size);

#endif
