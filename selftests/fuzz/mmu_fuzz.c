// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzzer of the MMU: the input is a program of accesses, and the page tables they meet.
 *
 * Input: 40 bytes of control (struct control), then operations of 16 bytes up
 * to the count that control names, then guest memory, which is repeated
 * until all 64 KiB are full. Guest memory can hold tables, since most entries
 * are folded into it. Checked besides the sanitizers: what a translation may
 * answer, and that the caches change no answer while the tables do not change.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <gvirt/gen9_pte.h>
#include "dma.h"
#include "ggtt.h"
#include "mmu.h"
#include "stats.h"

#define RAM_SIZE	(64u << 10)
#define MAX_OPS		64
#define MAX_LEN		(64u << 10)

struct control {
	u64 pdp[4];
	u8 flags;
	u8 ops;
	u8 fold;
	u8 period;
	u32 ggtt_seed;
};

struct op {
	u64 va;
	u8 kind;
	u8 space;
	u16 len;
	u32 value;
};

enum op_kind {
	OP_TRANSLATE,
	OP_READ,
	OP_WRITE,
	OP_SET_ENTRY,
	OP_SET_PPGTT,
	OP_INVALIDATE,
	OP_KINDS
};

/* Tables were written to since the last gm_mmu_invalidate(): caches may be old. */
static bool dirty;
static struct gm_stats stats;
static struct gm_dma *dma;
static struct gm_ggtt *ggtt;
static u8 *ram;

static void require(bool condition)
{
	if (!condition)
		abort();
}

static void setup(void)
{
	int fd = memfd_create("mmu_fuzz", MFD_CLOEXEC);

	require(fd >= 0 && !ftruncate(fd, RAM_SIZE));
	ram = mmap(NULL, RAM_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	require(ram != MAP_FAILED);
	dma = gm_dma_create(&stats);
	require(dma && !gm_dma_map(dma, 0, RAM_SIZE, fd, 0, GM_DMA_READ | GM_DMA_WRITE));
	close(fd);
	ggtt = gm_ggtt_create(GEN9_GGTT_TABLE_SIZE);
	require(ggtt);
}

/* Every entry of a table but each @every-th is made to point into guest memory. */
static void fill_ram(const u8 *data, size_t size, unsigned int every)
{
	u64 *entry = (u64 *)ram;
	size_t i;

	memset(ram, 0, RAM_SIZE);
	if (size > RAM_SIZE)
		size = RAM_SIZE;
	for (i = 0; size && i + size <= RAM_SIZE; i += size)
		memcpy(ram + i, data, size);
	for (i = 0; every && i < RAM_SIZE / 8; i++)
		if (i % every)
			entry[i] &= (RAM_SIZE - 1) | 1ull << 63;
}

static void fill_ggtt(u32 seed)
{
	u64 i, entry;

	for (i = 0; i < 64; i++) {
		entry = (seed * (i + 1) & (2 * RAM_SIZE - 1)) | (i & 1);
		require(gm_ggtt_access(ggtt, i * 8, &entry, 8, true));
	}
}

static void check_fault(struct gm_mmu *mmu, bool answered)
{
	struct gm_fault fault = gm_mmu_take_fault(mmu);

	require(fault.valid == !answered);
	require(fault.level <= 3);
	require(!gm_mmu_take_fault(mmu).valid);
}

struct answer {
	bool valid;
	u64 iova;
	u64 contig;
};

static struct answer translate_once(struct gm_mmu *mmu, const struct op *op)
{
	struct answer answer = { 0 };

	answer.valid = gm_mmu_translate(mmu, op->space & 1, op->va, op->len & 1, &answer.iova,
					&answer.contig);
	check_fault(mmu, answer.valid);
	if (!answer.valid)
		return (struct answer){ 0 };
	require(answer.contig && answer.contig <= 1ull << GEN9_PAGE_SHIFT_1G);
	require(answer.iova % 4096 == op->va % 4096);
	require(gm_mmu_discards(answer.iova) || answer.iova >> GEN9_PHYS_BITS == 0);
	return answer;
}

static bool same(const struct answer *a, const struct answer *b)
{
	return a->valid == b->valid && a->iova == b->iova && a->contig == b->contig;
}

/* Twice from the caches, once from the tables. */
static void translate(struct gm_mmu *mmu, const struct op *op)
{
	struct answer first = translate_once(mmu, op);
	struct answer second = translate_once(mmu, op);
	struct answer third;

	gm_mmu_invalidate(mmu);
	third = translate_once(mmu, op);
	require(same(&first, &second));
	require(dirty || same(&first, &third));
	dirty = false;
}

static void read_or_write(struct gm_mmu *mmu, const struct op *op)
{
	static u8 buf[MAX_LEN + 1];
	bool all;

	buf[op->len] = 0x5c;
	if (op->kind % OP_KINDS == OP_READ)
		all = gm_mmu_read(mmu, op->space & 1, op->va, buf, op->len);
	else
		all = gm_mmu_write(mmu, op->space & 1, op->va, buf, op->len);
	check_fault(mmu, all);
	dirty = dirty || op->kind % OP_KINDS == OP_WRITE;
	require(buf[op->len] == 0x5c);
}

static void set_entry(const struct op *op)
{
	u64 entry = (u64)op->value << 12 | op->len;

	dirty = true;
	if (op->space & 1)
		memcpy(ram + op->va % (RAM_SIZE / 8) * 8, &entry, 8);
	else
		gm_ggtt_access(ggtt, op->va, &entry, op->len & 1 ? 8 : 4, true);
}

static void run(struct gm_mmu *mmu, const struct control *control, const struct op *op)
{
	switch (op->kind % OP_KINDS) {
	case OP_TRANSLATE:
		translate(mmu, op);
		break;
	case OP_READ:
	case OP_WRITE:
		read_or_write(mmu, op);
		break;
	case OP_SET_ENTRY:
		set_entry(op);
		break;
	case OP_SET_PPGTT:
		gm_mmu_set_ppgtt(mmu, op->len & 1, control->pdp);
		gm_mmu_set_64k(mmu, op->len & 2);
		dirty = true;
		break;
	case OP_INVALIDATE:
		if (op->len & 1)
			gm_mmu_invalidate(mmu);
		else if (op->len & 2)
			gm_mmu_invalidate_ppgtt(mmu);
		else
			gm_mmu_invalidate_ggtt(mmu);
		dirty = dirty && !(op->len & 1);
		break;
	}
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct control control;
	struct gm_mmu *mmu;
	struct op op;
	int i;

	if (!ram)
		setup();
	if (size < sizeof(control))
		return 0;
	memcpy(&control, data, sizeof(control));
	data += sizeof(control);
	size -= sizeof(control);
	for (i = 0; i < 4; i++)
		if (control.fold >> i & 1)
			control.pdp[i] &= RAM_SIZE - 1;
	i = control.ops % MAX_OPS;
	if (size < i * sizeof(op))
		return 0;
	fill_ram(data + i * sizeof(op), size - i * sizeof(op), control.fold >> 4);
	fill_ggtt(control.ggtt_seed);
	mmu = gm_mmu_create(0, dma, ggtt, &stats);
	require(mmu);
	dirty = false;
	gm_mmu_set_ppgtt(mmu, control.flags & 1, control.pdp);
	gm_mmu_set_stale_check(mmu, control.period);
	for (; i; i--, data += sizeof(op)) {
		memcpy(&op, data, sizeof(op));
		run(mmu, &control, &op);
	}
	gm_mmu_destroy(mmu);
	return 0;
}
