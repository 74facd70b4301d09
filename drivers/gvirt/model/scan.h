/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From a guest's commands to commands that the chip may run with privilege.
 *
 * What a context runs with privilege (its ring, batches in the GGTT, the buffers
 * of its workarounds) is copied out of the guest's memory, audited in the copy,
 * patched, and run from memory of the host's. Nothing is looked at twice: what is
 * audited is what was copied, and what runs is what was audited.
 */
#ifndef GVIRT_MODEL_SCAN_H
#define GVIRT_MODEL_SCAN_H

#include <linux/types.h>
#include "lib/audit.h"
#include "lib/audit_ring.h"
#include "lib/engine.h"
#include "lib/excerpt.h"
#include "scan_copy.h"

struct gvirt_ggtt;
struct gvirt_status_page;
struct gvirt_window;
struct gvirt_window_use;

/* Batches with privilege that one context can have at a time. */
#define GVIRT_SCAN_BATCHES	16
/* Their commands that start others. */
#define GVIRT_SCAN_STARTS	32
/* The longest one, in bytes. */
#define GVIRT_SCAN_BATCH_MAX	(256u << 10)
/* The longest list of patches for one buffer. */
#define GVIRT_SCAN_PATCHES_MAX	8192u

/**
 * enum gvirt_refused - Why a request of a guest does not run
 * @GVIRT_REFUSED_NOT: it does
 * @GVIRT_REFUSED_DESCRIPTOR: its descriptor is bad (enum gvirt_desc_fault)
 * @GVIRT_REFUSED_IMAGE: the register state of its context is (enum gvirt_lrc_fault)
 * @GVIRT_REFUSED_COMMAND: its commands are (enum gvirt_audit_reason)
 * @GVIRT_REFUSED_OPERAND: a GGTT address in its commands reaches no memory
 * @GVIRT_REFUSED_BATCHES: it has too many batches with privilege
 * @GVIRT_REFUSED_PPGTT: its page tables cannot be shadowed
 * @GVIRT_REFUSED_TABLES: there are too many of them
 * @GVIRT_REFUSED_MEMORY: image, ring or batch is not in the guest's memory
 * @GVIRT_REFUSED_HOST: the host has no room for it
 * @GVIRT_REFUSED_ENGINE: the engine takes no work
 * @GVIRT_REFUSED_REASONS: how many there are
 */
enum gvirt_refused {
	GVIRT_REFUSED_NOT,
	GVIRT_REFUSED_DESCRIPTOR,
	GVIRT_REFUSED_IMAGE,
	GVIRT_REFUSED_COMMAND,
	GVIRT_REFUSED_OPERAND,
	GVIRT_REFUSED_BATCHES,
	GVIRT_REFUSED_PPGTT,
	GVIRT_REFUSED_TABLES,
	GVIRT_REFUSED_MEMORY,
	GVIRT_REFUSED_HOST,
	GVIRT_REFUSED_ENGINE,
	GVIRT_REFUSED_REASONS,
};

/**
 * struct gvirt_refusal - What was wrong
 * @why: enum gvirt_refused
 * @detail: of the enum that belongs to @why
 * @value: the command's header, or the address
 * @at: where: a byte offset in the ring, or an address
 */
struct gvirt_refusal {
	enum gvirt_refused why;
	u32 detail;
	u32 value;
	u32 at;
};

/**
 * gvirt_refused_name() - A reason in words
 * @why: the reason
 */
const char *gvirt_refused_name(enum gvirt_refused why);

/**
 * struct gvirt_scan_services - What it needs from the vGPU
 * @read: copy guest memory, by the guest's GGTT: @bytes do not cross a page
 * @reg_read: a register as the vGPU has it
 * @reg_write: the chip will write @value to a register that is not the context's
 */
struct gvirt_scan_services {
	int (*read)(void *data, u32 address, void *to, u32 bytes);
	u32 (*reg_read)(void *data, u32 offset);
	void (*reg_write)(void *data, u32 offset, u32 value);
};

/**
 * struct gvirt_scan_batch - A batch that a ring calls
 * @address: where it is, in the guest's GGTT
 * @kind: enum gvirt_audit_kind
 * @copy: its audited copy; NULL: not yet
 */
struct gvirt_scan_batch {
	u32 address;
	u8 kind;
	struct gvirt_scan_copy *copy;
};

/**
 * struct gvirt_scan_copies - Batches that a context's ring calls
 * @count: how many there are
 * @fresh: first one of the scan that is under way
 * @batch: they
 */
struct gvirt_scan_copies {
	u32 count;
	u32 fresh;
	struct gvirt_scan_batch batch[GVIRT_SCAN_BATCHES];
};

/**
 * struct gvirt_scan_start - A command whose batch's copy has no address yet
 * @dwords: the buffer that it is in
 * @patch: the command
 * @batch: number of the batch
 */
struct gvirt_scan_start {
	u32 *dwords;
	struct gvirt_patch patch;
	u32 batch;
};

/**
 * struct gvirt_scan_space - Memory that grows
 * @dwords: the memory
 * @bytes: how much
 */
struct gvirt_scan_space {
	u32 *dwords;
	u32 bytes;
};

/**
 * struct gvirt_scan_stats - What it did
 * @walks: audits, also of parts
 * @dwords: that they looked at
 * @known: buffers that had not changed, and were not audited again
 * @reused: of those, the ones whose copy ran as it was
 */
struct gvirt_scan_stats {
	u64 walks;
	u64 dwords;
	u64 known;
	u64 reused;
};

/**
 * struct gvirt_scan - Work space of a vGPU
 * @services: what it needs
 * @data: for @services
 * @window: makes the GGTT ranges that commands name reachable
 * @pool: copies of batches and workaround buffers
 * @ring: a part of a ring
 * @batch: a batch
 * @patches: list for the audit
 * @max_patches: its length
 * @start: commands to be patched at the end
 * @starts: how many
 * @interrupts: GVIRT_IRQ_COMMANDS that what was scanned last raises
 * @refusal: what was wrong with what was scanned last
 * @excerpt: commands around what was wrong, if it was a command; whoever has noted it
 *	sets its count to 0
 * @stats: counters
 *
 * Whoever uses it has it alone.
 */
struct gvirt_scan {
	const struct gvirt_scan_services *services;
	void *data;
	struct gvirt_window *window;
	struct gvirt_scan_pool pool;
	struct gvirt_scan_space ring;
	struct gvirt_scan_space batch;
	struct gvirt_patch *patches;
	u32 max_patches;
	struct gvirt_scan_start start[GVIRT_SCAN_STARTS];
	u32 starts;
	u32 interrupts;
	struct gvirt_refusal refusal;
	struct gvirt_excerpt excerpt;
	struct gvirt_scan_stats stats;
};

/**
 * struct gvirt_scan_job - What is common to the buffers of a context
 * @engine: that will run them
 * @status: the guest's GGTT address of the engine's status page
 * @use: keeps the GGTT ranges that the commands name
 * @own: the context's own status page, which gets marks
 * @copies: batches, which get more
 */
struct gvirt_scan_job {
	enum gvirt_engine_id engine;
	u32 status;
	const struct gvirt_window_use *use;
	struct gvirt_status_page *own;
	struct gvirt_scan_copies *copies;
};

/**
 * gvirt_scan_init() - Get work space
 * @scan: to be initialised
 * @ggtt: where copies are mapped
 * @window: makes the GGTT ranges that commands name reachable
 * @services: what it needs
 * @data: for @services
 *
 * Return: 0 or -ENOMEM.
 */
int gvirt_scan_init(struct gvirt_scan *scan, struct gvirt_ggtt *ggtt, struct gvirt_window *window,
		    const struct gvirt_scan_services *services, void *data);

/**
 * gvirt_scan_bytes() - Memory that it takes
 * @scan: of gvirt_scan_init()
 *
 * Return: bytes, with the copies.
 */
size_t gvirt_scan_bytes(const struct gvirt_scan *scan);

/**
 * gvirt_scan_fini() - Free it
 * @scan: of gvirt_scan_init(), or zeroed
 */
void gvirt_scan_fini(struct gvirt_scan *scan);

/**
 * gvirt_scan_ring() - Bring a part of a ring over
 * @scan: work space
 * @job: whose ring
 * @start: the guest's GGTT address of its ring
 * @span: which part
 * @ring: the host's ring, of the same size; gets the same part
 *
 * Sleeps. Takes time in proportion to the part's length, which is 2 MiB at most,
 * and to that of the batches.
 *
 * Return: 0, or -EACCES when it must not run: @scan->refusal says why.
 */
int gvirt_scan_ring(struct gvirt_scan *scan, const struct gvirt_scan_job *job, u32 start,
		    const struct gvirt_ring_span *span, void *ring);

/**
 * gvirt_scan_workaround() - Bring over a buffer that runs when a context is restored
 * @scan: work space
 * @job: whose
 * @kind: GVIRT_AUDIT_INDIRECT_CTX or GVIRT_AUDIT_PER_CTX
 * @address: in the guest's GGTT
 * @bytes: length of the former; the latter ends by a command
 * @copy: gets the copy; what was there is let go of
 *
 * One that is as it was the last time is not audited again.
 *
 * Return: 0 or -EACCES.
 */
int gvirt_scan_workaround(struct gvirt_scan *scan, const struct gvirt_scan_job *job,
			  enum gvirt_audit_kind kind, u32 address, u32 bytes,
			  struct gvirt_scan_copy **copy);

/**
 * gvirt_scan_copies_put() - Let go of a context's batches
 * @scan: work space
 * @copies: those of a context that no engine has
 */
void gvirt_scan_copies_put(struct gvirt_scan *scan, struct gvirt_scan_copies *copies);

#endif
