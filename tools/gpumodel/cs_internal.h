/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of the command streamer share; nobody else includes this.
 */
#ifndef GM_CS_INTERNAL_H
#define GM_CS_INTERNAL_H

#include <gvirt/gen9_cmds.h>
#include <gvirt/gen9_engine.h>
#include "cs.h"
#include "platform.h"
#include "stats.h"

/**
 * enum gm_cs_level - Where commands are fetched from
 * @GM_CS_RING: the ring
 * @GM_CS_FIRST: the batch started by it, and what is chained to that
 * @GM_CS_SECOND: a second-level batch
 * @GM_CS_BUFFER: a workaround buffer during a context restore
 */
enum gm_cs_level {
	GM_CS_RING,
	GM_CS_FIRST,
	GM_CS_SECOND,
	GM_CS_BUFFER,
};

/**
 * struct gm_cs_op - One command that is being executed
 * @cs: the streamer
 * @level: where it comes from
 * @space: address space it was fetched from
 * @privileged: it may do everything
 * @at: address of its header
 * @end: nothing is fetched from here on, 0: no bound
 * @ring: address of the ring's first byte, where fetching goes on behind its last
 * @ring_end: address behind the ring's last byte
 * @left: bytes between head and tail of the ring
 * @dw: the command, a private copy; valid for @copied dwords
 * @copied: dwords that were copied: all, or for skipped commands the header only
 * @dwords: its length
 * @jumped: it decided itself where to go on
 */
struct gm_cs_op {
	struct gm_cs *cs;
	enum gm_cs_level level;
	enum gm_space space;
	bool privileged;
	u64 at;
	u64 end;
	u64 ring;
	u64 ring_end;
	u32 left;
	const u32 *dw;
	u32 copied;
	u32 dwords;
	bool jumped;
};

/* Addresses have 48 bits; drivers send them sign-extended. */
#define GM_CS_ADDRESS_MASK ((1ull << 48) - 1)

/* Dword @n of the command, 0 when it is shorter. */
static inline u32 gm_cs_dw(const struct gm_cs_op *op, unsigned int n)
{
	return n < op->copied ? op->dw[n] : 0;
}

/* The address in dwords @n and @n + 1, aligned down to @align, a power of 2. */
static inline u64 gm_cs_address(const struct gm_cs_op *op, unsigned int n, u32 align)
{
	u64 address = (u64)gm_cs_dw(op, n + 1) << 32 | gm_cs_dw(op, n);

	return address & GM_CS_ADDRESS_MASK & ~(u64)(align - 1);
}

/* Where an operand lies whose command has its global-GTT flag at @ggtt. */
static inline enum gm_space gm_cs_space(const struct gm_cs_op *op, bool ggtt)
{
	return ggtt || !op->cs->ppgtt ? GM_SPACE_GGTT : GM_SPACE_PPGTT;
}

/* Fetch the next command from memory. */
static inline void gm_cs_drop_line(struct gm_cs *cs)
{
	cs->line.end = cs->line.first;
}

/* cs.c */

/**
 * gm_cs_hang() - A command cannot be decoded or carried out: the engine stops
 * @op: the command
 * @why: for the log
 *
 * Return: GM_CS_HANG.
 */
enum gm_cs_status gm_cs_hang(struct gm_cs_op *op, const char *why);

/* The command ran into a page fault: the engine stops; returns GM_CS_FAULT. */
enum gm_cs_status gm_cs_fault(struct gm_cs_op *op);
/* Level @level, first or second, goes on at @address. */
void gm_cs_set_batch(struct gm_cs *cs, enum gm_cs_level level, u64 address);
/* Whether the batch of @level is in the PPGTT, and so without privilege. */
void gm_cs_set_batch_space(struct gm_cs *cs, enum gm_cs_level level, bool ppgtt);
/* The batch of @level is not active any more. */
void gm_cs_end_batch(struct gm_cs *cs, enum gm_cs_level level);
/* Clear, then set, bits of a register that other threads write as well. */
void gm_cs_update(struct gm_cs *cs, u32 offset, u32 clear, u32 set);
/* Report GEN9_ERROR_* in ESR, EIR and, when not masked, by interrupt. */
void gm_cs_error(struct gm_cs *cs, u32 error);

/* cs_privilege.c */

/**
 * gm_cs_refused() - A non-privileged batch asks for something that needs privilege
 * @op: the command
 * @asks: it does ask for it, e.g. its global-GTT flag is set
 *
 * Return: true when it must not be done, which is reported as an error then.
 */
bool gm_cs_refused(const struct gm_cs_op *op, bool asks);

/**
 * gm_cs_may_write() - Whether a command may write a register
 * @op: the command
 * @offset: of the register in BAR0
 *
 * Return: false when it must not, which is reported as an error.
 */
bool gm_cs_may_write(const struct gm_cs_op *op, u32 offset);

/* cs_memory.c */

/**
 * gm_cs_load() - Read one dword
 * @op: the command that does it
 * @space: address space of @va
 * @va: where from, a multiple of 4
 * @value: out
 *
 * Return: GM_CS_RUN or GM_CS_FAULT.
 */
enum gm_cs_status gm_cs_load(struct gm_cs_op *op, enum gm_space space, u64 va, u32 *value);

/**
 * gm_cs_store() - Write a dword or qword in one piece, as the CPU sees it
 * @op: the command that does it
 * @space: address space of @va
 * @va: where to, a multiple of @bytes
 * @value: what
 * @bytes: 4 or 8
 *
 * Return: GM_CS_RUN or GM_CS_FAULT.
 */
enum gm_cs_status gm_cs_store(struct gm_cs_op *op, enum gm_space space, u64 va, u64 value,
			      unsigned int bytes);
enum gm_cs_status gm_cs_store_data_imm(struct gm_cs_op *op);
enum gm_cs_status gm_cs_store_data_index(struct gm_cs_op *op);
enum gm_cs_status gm_cs_load_register_imm(struct gm_cs_op *op);
enum gm_cs_status gm_cs_load_register_mem(struct gm_cs_op *op);
enum gm_cs_status gm_cs_load_register_reg(struct gm_cs_op *op);
enum gm_cs_status gm_cs_store_register_mem(struct gm_cs_op *op);
enum gm_cs_status gm_cs_copy_mem_mem(struct gm_cs_op *op);
enum gm_cs_status gm_cs_update_gtt(struct gm_cs_op *op);
enum gm_cs_status gm_cs_report_perf_count(struct gm_cs_op *op);
enum gm_cs_status gm_cs_report_head(struct gm_cs_op *op);

/* cs_atomic.c */

enum gm_cs_status gm_cs_atomic(struct gm_cs_op *op);

/* cs_math.c */

enum gm_cs_status gm_cs_math(struct gm_cs_op *op);
enum gm_cs_status gm_cs_predicate(struct gm_cs_op *op);
enum gm_cs_status gm_cs_set_predicate(struct gm_cs_op *op);
/* Whether MI_SET_PREDICATE's mode @mode turns commands into NOOPs now. */
bool gm_cs_predicated(const struct gm_cs *cs, u32 mode);

/* cs_pipe.c */

/**
 * gm_cs_status_page() - The status page that stores by index go to
 * @cs: the streamer
 * @per_context: the context's own page, if contexts have one
 *
 * Return: its address in the GGTT.
 */
u64 gm_cs_status_page(const struct gm_cs *cs, bool per_context);
enum gm_cs_status gm_cs_pipe_control(struct gm_cs_op *op);
enum gm_cs_status gm_cs_flush_dw(struct gm_cs_op *op);

/* cs_mi.c */

/* Carry out an MI command. */
enum gm_cs_status gm_cs_mi(struct gm_cs_op *op);

#endif
