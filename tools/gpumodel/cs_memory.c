// SPDX-License-Identifier: GPL-2.0-only
/*
 * Commands that move data between memory, registers and the command itself.
 *
 * Single dwords and qwords are read and written in one piece: drivers poll what
 * these write.
 */
#include "cs_internal.h"
#include "dma.h"

/* Bytes of a report of MI_REPORT_PERF_COUNT (Gen8 and later formats with 64-bit counters). */
#define PERF_REPORT_BYTES 256

enum gm_cs_status gm_cs_load(struct gm_cs_op *op, enum gm_space space, u64 va, u32 *value)
{
	if (!gm_mmu_read(op->cs->mmu, space, va, value, sizeof(*value)))
		return gm_cs_fault(op);
	return GM_CS_RUN;
}

enum gm_cs_status gm_cs_store(struct gm_cs_op *op, enum gm_space space, u64 va, u64 value,
			      unsigned int bytes)
{
	struct gm_cs *cs = op->cs;
	u64 iova, contig;
	void *ptr;

	gm_cs_drop_line(cs);
	if (!gm_mmu_translate(cs->mmu, space, va, true, &iova, &contig))
		return gm_cs_fault(op);
	if (gm_mmu_discards(iova))
		return GM_CS_RUN;
	gm_dma_lock(cs->dma);
	ptr = gm_dma_ptr(cs->dma, iova, bytes, GM_DMA_WRITE);
	if (ptr && bytes == 8)
		__atomic_store_n((u64 *)ptr, value, __ATOMIC_RELEASE);
	else if (ptr)
		__atomic_store_n((u32 *)ptr, (u32)value, __ATOMIC_RELEASE);
	gm_dma_unlock(cs->dma);
	return GM_CS_RUN;
}

enum gm_cs_status gm_cs_store_data_imm(struct gm_cs_op *op)
{
	bool qwords = op->dw[0] & GEN9_MI_STORE_QWORD, ggtt = op->dw[0] & GEN9_MI_STORE_GGTT;
	unsigned int bytes = qwords ? 8 : 4, n, step = bytes / 4;
	enum gm_cs_status status = GM_CS_RUN;
	u64 va = gm_cs_address(op, 1, bytes);

	if (gm_cs_refused(op, ggtt))
		return GM_CS_RUN;
	for (n = 3; n + step <= op->dwords && status == GM_CS_RUN; n += step, va += bytes)
		status = gm_cs_store(op, gm_cs_space(op, ggtt), va,
				     (u64)gm_cs_dw(op, n + 1) << 32 | gm_cs_dw(op, n), bytes);
	return status;
}

enum gm_cs_status gm_cs_store_data_index(struct gm_cs_op *op)
{
	u32 offset = gm_cs_dw(op, 1) & GEN9_MI_STORE_INDEX_MASK;
	bool qword = op->dwords > 3;
	u64 page;

	if (gm_cs_refused(op, true))
		return GM_CS_RUN;
	page = gm_cs_status_page(op->cs, op->dw[0] & GEN9_MI_STORE_INDEX_PPHWSP);
	if (!qword)
		return gm_cs_store(op, GM_SPACE_GGTT, page + offset, gm_cs_dw(op, 2), 4);
	return gm_cs_store(op, GM_SPACE_GGTT, page + (offset & ~7u),
			   (u64)gm_cs_dw(op, 3) << 32 | gm_cs_dw(op, 2), 8);
}

static void write_register(struct gm_cs_op *op, u32 offset, u32 value)
{
	if (gm_cs_may_write(op, offset))
		op->cs->services.reg_write(op->cs->services.opaque, offset, value);
}

static u32 read_register(struct gm_cs_op *op, u32 offset)
{
	return op->cs->services.reg_read(op->cs->services.opaque, offset);
}

/* Bits that the byte-write-disable flags of a LOAD_REGISTER_IMM keep from being written. */
static u32 kept_bits(u32 header)
{
	u32 flags = (header & GEN9_MI_LRI_BYTE_DISABLE_MASK) >> GEN9_MI_LRI_BYTE_DISABLE_SHIFT;
	u32 mask = 0;
	unsigned int i;

	for (i = 0; i < 4; i++)
		if (flags & BIT(i))
			mask |= 0xffu << (8 * i);
	return mask;
}

enum gm_cs_status gm_cs_load_register_imm(struct gm_cs_op *op)
{
	u32 keep = kept_bits(op->dw[0]);
	unsigned int n;

	if (keep == ~0u)
		return GM_CS_RUN;
	for (n = 1; n + 2 <= op->dwords; n += 2) {
		u32 offset = gm_cs_dw(op, n) & GEN9_MI_REGISTER_MASK;
		u32 value = gm_cs_dw(op, n + 1) & ~keep;

		if (keep)
			value |= read_register(op, offset) & keep;
		write_register(op, offset, value);
	}
	return GM_CS_RUN;
}

enum gm_cs_status gm_cs_load_register_mem(struct gm_cs_op *op)
{
	bool ggtt = op->dw[0] & GEN9_MI_LRM_GGTT;
	enum gm_cs_status status;
	u32 value;

	if (gm_cs_refused(op, ggtt))
		return GM_CS_RUN;
	status = gm_cs_load(op, gm_cs_space(op, ggtt), gm_cs_address(op, 2, 4), &value);
	if (status == GM_CS_RUN)
		write_register(op, gm_cs_dw(op, 1) & GEN9_MI_REGISTER_MASK, value);
	return status;
}

enum gm_cs_status gm_cs_load_register_reg(struct gm_cs_op *op)
{
	u32 from = gm_cs_dw(op, 1) & GEN9_MI_REGISTER_MASK;

	write_register(op, gm_cs_dw(op, 2) & GEN9_MI_REGISTER_MASK, read_register(op, from));
	return GM_CS_RUN;
}

enum gm_cs_status gm_cs_store_register_mem(struct gm_cs_op *op)
{
	bool ggtt = op->dw[0] & GEN9_MI_SRM_GGTT;
	u32 value;

	if (op->dw[0] & GEN9_MI_SRM_PREDICATE && op->cs->engine == GM_RCS &&
	    !(gm_cs_reg(op->cs, GEN9_MI_PREDICATE_RESULT) & 1))
		return GM_CS_RUN;
	value = read_register(op, gm_cs_dw(op, 1) & GEN9_MI_REGISTER_MASK);
	if (gm_cs_refused(op, ggtt))
		return GM_CS_RUN;
	return gm_cs_store(op, gm_cs_space(op, ggtt), gm_cs_address(op, 2, 4), value, 4);
}

enum gm_cs_status gm_cs_copy_mem_mem(struct gm_cs_op *op)
{
	bool to_ggtt = op->dw[0] & GEN9_MI_COPY_DST_GGTT;
	bool from_ggtt = op->dw[0] & GEN9_MI_COPY_SRC_GGTT;
	enum gm_cs_status status;
	u32 value;

	if (gm_cs_refused(op, to_ggtt || from_ggtt))
		return GM_CS_RUN;
	status = gm_cs_load(op, gm_cs_space(op, from_ggtt), gm_cs_address(op, 3, 4), &value);
	if (status != GM_CS_RUN)
		return status;
	return gm_cs_store(op, gm_cs_space(op, to_ggtt), gm_cs_address(op, 1, 4), value, 4);
}

enum gm_cs_status gm_cs_update_gtt(struct gm_cs_op *op)
{
	const struct gm_cs_services *services = &op->cs->services;
	u64 index = (gm_cs_dw(op, 1) & GEN9_MI_UPDATE_GTT_ADDR_MASK) >> 12;
	unsigned int n;

	if (gm_cs_refused(op, true) || !services->ggtt_write)
		return GM_CS_RUN;
	for (n = 2; n + 2 <= op->dwords; n += 2, index++)
		services->ggtt_write(services->opaque, index,
				     (u64)gm_cs_dw(op, n + 1) << 32 | gm_cs_dw(op, n));
	return GM_CS_RUN;
}

/*
 * Report id, timestamp, context id, ticks, then counters: of an idle pipeline, all 0
 * (Linux i915, i915_perf.c, on the layout of reports).
 */
enum gm_cs_status gm_cs_report_perf_count(struct gm_cs_op *op)
{
	bool ggtt = gm_cs_dw(op, 1) & GEN9_MI_REPORT_PERF_GGTT;
	u64 va = gm_cs_address(op, 1, 64);
	u32 report[PERF_REPORT_BYTES / 4] = { 0 };
	struct gm_cs *cs = op->cs;
	u64 now;

	if (gm_cs_refused(op, ggtt))
		return GM_CS_RUN;
	now = cs->services.timestamp(cs->services.opaque);
	report[0] = gm_cs_dw(op, 3);
	report[1] = (u32)now;
	report[2] = read_register(op, cs->base + GEN9_RING_EXECLIST_STATUS_HI);
	report[3] = (u32)now;
	gm_cs_drop_line(cs);
	if (!gm_mmu_write(cs->mmu, gm_cs_space(op, ggtt), va, report, sizeof(report)))
		return gm_cs_fault(op);
	return GM_CS_RUN;
}

/* Dword 4 of the status page is the place of the ring's head (i915, gt/intel_engine.h). */
enum gm_cs_status gm_cs_report_head(struct gm_cs_op *op)
{
	return gm_cs_store(op, GM_SPACE_GGTT, gm_cs_status_page(op->cs, true) + 16,
			   gm_cs_reg(op->cs, GEN9_RING_HEAD), 4);
}
