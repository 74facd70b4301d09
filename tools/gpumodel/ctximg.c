// SPDX-License-Identifier: GPL-2.0-only
/*
 * The register state of a context in memory: restoring and saving it.
 *
 * Data model: the page behind a context's status page is a list of
 * MI_LOAD_REGISTER_IMM. Its first 0xaa dwords are the chip's own layout, which
 * drivers know and patch:
 *
 *	0x001	ring: context control, head, tail, start, control, batch
 *		addresses, workaround batches
 *	0x021	timestamp and page directory pointers
 *	0x041	render: power clock state; others: register 0x200
 *	0x051	mode registers and general purpose registers
 *
 * The render engine goes on. What the chip keeps there, much of it 3D state
 * that the model has not, fills twenty pages; of it the model keeps registers
 * that commands can see, in the same page and in an order of its own but for the two OA
 * groups, whose places i915 knows:
 *
 *	0x0c0	streamer: chicken bits, predicate, statistics, indirect draws
 *	0x127	OA context control
 *	0x140	slices: chicken bits, L3, tiled resources, stream output
 *	0x3dd	EU counters
 *
 * The pages behind stay as they are.
 *
 * Invariants: a restore loads no register that is not in the layout, so an
 * image cannot reach registers of others.
 *
 * Sources: Linux i915, gt/intel_lrc.c (layout up to 0xaa), i915_perf.c (OA and EU counters),
 * gvt/mmio_context.c (which registers are part of a context) and
 * gt/intel_workarounds.c (which ones drivers rely on).
 */
#include <string.h>
#include <linux/array_size.h>
#include <gvirt/gen9_cmds.h>
#include <gvirt/gen9_engine.h>
#include "ctximg.h"
#include "mmu.h"
#include "stats.h"

#define LRI_FORCE_POSTED	BIT(12)
#define LRI_LENGTH_MASK		GEN9_CMD_LENGTH_8
#define TAIL_VALUE		(GEN9_CTX_RING_TAIL + 1)

/* Registers at first, first + 4, ... */
struct run {
	u32 first;
	unsigned int count;
};

/* Offsets in the engine's window. */
static const struct run ring_regs[] = {
	{ GEN9_RING_CONTEXT_CONTROL, 1 },
	{ GEN9_RING_HEAD, 1 },
	{ GEN9_RING_TAIL, 1 },
	{ GEN9_RING_START, 2 },			/* and RING_CTL */
	{ GEN9_RING_BB_ADDR_UDW, 1 },
	{ GEN9_RING_BB_ADDR, 1 },
	{ GEN9_RING_BB_STATE, 1 },
	{ GEN9_RING_SBB_ADDR_UDW, 1 },
	{ GEN9_RING_SBB_ADDR, 2 },		/* and SBB_STATE */
	{ GEN9_RING_BB_PER_CTX_PTR, 3 },	/* and INDIRECT_CTX, INDIRECT_CTX_OFFSET */
	{ }
};

static const struct run ppgtt_regs[] = {
	{ GEN9_RING_CTX_TIMESTAMP, 1 },
	{ GEN9_RING_PDP_UDW(3), 1 },
	{ GEN9_RING_PDP_LDW(3), 1 },
	{ GEN9_RING_PDP_UDW(2), 1 },
	{ GEN9_RING_PDP_LDW(2), 1 },
	{ GEN9_RING_PDP_UDW(1), 1 },
	{ GEN9_RING_PDP_LDW(1), 1 },
	{ GEN9_RING_PDP_UDW(0), 1 },
	{ GEN9_RING_PDP_LDW(0), 1 },
	{ }
};

static const struct run render_power_regs[] = {
	{ GEN9_RING_R_PWR_CLK_STATE, 1 },
	{ }
};

static const struct run xcs_mode_regs[] = {
	{ 0x200, 1 },
	{ }
};

static const struct run state_regs[] = {
	{ GEN9_RING_EXCC, 1 },
	{ GEN9_RING_MI_MODE, 1 },
	{ GEN9_RING_INSTPM, 1 },
	{ 0x178, 2 },
	{ GEN9_RING_TIMESTAMP, 1 },
	{ 0x170, 1 },
	{ 0x150, 2 },
	{ GEN9_RING_BB_OFFSET, 1 },
	{ GEN9_MI_PREDICATE_RESULT_1, 1 },
	{ GEN9_RING_CS_GPR(0), 2 * GEN9_CS_GPR_COUNT },
	{ GEN9_RING_IPEHR, 1 },
	{ }
};

static const struct run render_cs_regs[] = {
	{ 0x088, 1 },				/* FF_SLICE_CHICKEN */
	{ 0x090, 1 },				/* 3D_CHICKEN3 */
	{ 0x0d8, 1 },
	{ 0x580, 1 },				/* CS_CHICKEN1 */
	{ GEN9_MI_PREDICATE_SRC0, 7 },		/* and SRC1, DATA, RESULT */
	{ 0x300, 22 },				/* pipeline statistics */
	{ 0x420, 1 },				/* 3DPRIM_END_OFFSET */
	{ 0x430, 5 },				/* 3DPRIM_* */
	{ 0x500, 3 },				/* GPGPU_DISPATCHDIM* */
	{ }
};

static const struct run render_oa_regs[] = {
	{ 0x360, 1 },				/* OACTXCONTROL */
	{ }
};

/* Absolute offsets. */
static const struct run render_gt_regs[] = {
	{ 0x7000, 3 },				/* CACHE_MODE_0, CACHE_MODE_1, GT_MODE */
	{ 0x7010, 2 },				/* COMMON_SLICE_CHICKEN1 and 2 */
	{ 0x7034, 1 },				/* L3CNTLREG */
	{ 0x7300, 2 },				/* HDC_CHICKEN0 and 1 */
	{ 0x83a4, 1 },				/* VF_GUARDBAND */
	{ 0xe100, 1 },				/* HALF_SLICE_CHICKEN1 */
	{ 0xe180, 3 },				/* HALF_SLICE_CHICKEN2, 3, 5 */
	{ 0xe194, 1 },				/* HALF_SLICE_CHICKEN7 */
	{ 0xe4f0, 1 },				/* ROW_CHICKEN */
	{ 0x4de0, 6 },				/* tiled resources */
	{ 0x4dfc, 1 },
	{ 0x5200, 8 },				/* SO_NUM_PRIMS_WRITTEN */
	{ 0x5240, 8 },				/* SO_PRIM_STORAGE_NEEDED */
	{ 0x5280, 4 },				/* SO_WRITE_OFFSET */
	{ }
};

static const struct run render_eu_regs[] = {
	{ 0xe458, 1 },				/* EU_PERF_CNTL0 to 6 */
	{ 0xe558, 1 },
	{ 0xe658, 1 },
	{ 0xe758, 1 },
	{ 0xe45c, 1 },
	{ 0xe55c, 1 },
	{ 0xe65c, 1 },
	{ }
};

#define RCS	BIT(0)
#define XCS	BIT(1)

/* One MI_LOAD_REGISTER_IMM each, sorted by the dword of its header. */
static const struct block {
	unsigned int engines;
	unsigned int lri;
	u32 flags;
	bool absolute;
	const struct run *runs;
} blocks[] = {
	{ RCS | XCS, GEN9_CTX_RING_LRI, LRI_FORCE_POSTED, false, ring_regs },
	{ RCS | XCS, GEN9_CTX_PPGTT_LRI, LRI_FORCE_POSTED, false, ppgtt_regs },
	{ RCS, GEN9_CTX_ENGINE_LRI, 0, false, render_power_regs },
	{ XCS, GEN9_CTX_ENGINE_LRI, LRI_FORCE_POSTED, false, xcs_mode_regs },
	{ RCS | XCS, GEN9_CTX_STATE_LRI, LRI_FORCE_POSTED, false, state_regs },
	{ RCS, 0x0c0, LRI_FORCE_POSTED, false, render_cs_regs },
	{ RCS, GEN9_CTX_OACTXCONTROL - 1, 0, false, render_oa_regs },
	{ RCS, 0x140, LRI_FORCE_POSTED, true, render_gt_regs },
	{ RCS, GEN9_CTX_EU_PERF_CNTL0 - 1, 0, true, render_eu_regs },
};

static unsigned int place_block(struct gm_ctximg *img, const struct block *block)
{
	u32 base = block->absolute ? 0 : img->base;
	unsigned int dw = block->lri + 1;
	const struct run *run;
	unsigned int i;

	for (run = block->runs; run->count; run++)
		for (i = 0; i < run->count; i++, dw += 2) {
			img->layout[dw] = base + run->first + 4 * i;
			img->is_reg[dw] = true;
		}
	img->layout[block->lri] = GEN9_MI_LOAD_REGISTER_IMM | block->flags |
				  (dw - block->lri - GEN9_CMD_LENGTH_BIAS);
	return dw;
}

void gm_ctximg_init(struct gm_ctximg *img, u32 base, bool render)
{
	unsigned int end = 0;
	size_t i;

	memset(img->layout, 0, sizeof(img->layout));
	memset(img->is_reg, 0, sizeof(img->is_reg));
	img->base = base;
	for (i = 0; i < ARRAY_SIZE(blocks); i++)
		if (blocks[i].engines & (render ? RCS : XCS))
			end = place_block(img, &blocks[i]);
	img->layout[end] = GEN9_MI_BATCH_BUFFER_END;
	img->dwords = end + 1;
}

static bool is_context_register(const struct gm_ctximg *img, unsigned int dw, u32 reg)
{
	unsigned int i;

	if (img->is_reg[dw] && img->layout[dw] == reg)
		return true;
	for (i = 0; i < img->dwords; i++)
		if (img->is_reg[i] && img->layout[i] == reg)
			return true;
	return false;
}

static void load_one(const struct gm_ctximg *img, unsigned int dw, u32 reg, u32 value)
{
	if (is_context_register(img, dw, reg))
		img->load(img->opaque, reg, value);
	else
		gm_misuse(img->stats, GM_MISUSE_CONTEXT_IMAGE,
			  "image loads register %05x, which is no part of a context", reg);
}

/* Carries out the load at *@dw and moves behind it; false when it is not one that fits. */
static bool load_block(const struct gm_ctximg *img, const u32 *page, unsigned int *dw)
{
	u32 header = page[(*dw)++];
	unsigned int end = *dw + (header & LRI_LENGTH_MASK) + 1;

	if ((header & GEN9_MI_OPCODE_MASK) != GEN9_MI_LOAD_REGISTER_IMM || !(header & 1) ||
	    end > GEN9_CTX_REGS_DWORDS)
		return false;
	for (; *dw < end; *dw += 2)
		load_one(img, *dw, page[*dw], page[*dw + 1]);
	return true;
}

static u64 regs_address(u32 lrca)
{
	return (u64)(lrca & GEN9_CTX_DESC_LRCA_MASK) + GEN9_CTX_REGS_OFFSET;
}

static bool read_regs(const struct gm_ctximg *img, u32 lrca, unsigned int dw, u32 *buf,
		      unsigned int count)
{
	return gm_mmu_read(img->mmu, GM_SPACE_GGTT, regs_address(lrca) + 4 * dw, buf, 4 * count);
}

static bool write_regs(const struct gm_ctximg *img, u32 lrca, unsigned int dw, const u32 *buf,
		       unsigned int count)
{
	return gm_mmu_write(img->mmu, GM_SPACE_GGTT, regs_address(lrca) + 4 * dw, buf, 4 * count);
}

static bool control(const struct gm_ctximg *img, u32 bit)
{
	return img->store(img->opaque, img->base + GEN9_RING_CONTEXT_CONTROL) & bit;
}

static enum gm_ctximg_status malformed(const struct gm_ctximg *img, u32 lrca, unsigned int dw,
				       u32 value)
{
	gm_misuse(img->stats, GM_MISUSE_CONTEXT_IMAGE,
		  "image at %08x: %08x at dword 0x%x is no register load", lrca, value, dw);
	return GM_CTXIMG_MALFORMED;
}

enum gm_ctximg_status gm_ctximg_restore(const struct gm_ctximg *img, u32 lrca)
{
	u32 page[GEN9_CTX_REGS_DWORDS];
	unsigned int dw = 0;

	if (!read_regs(img, lrca, 0, page, GEN9_CTX_REGS_DWORDS))
		return GM_CTXIMG_FAULT;
	/* Without its ring a context cannot run, whatever else the image holds. */
	if ((page[GEN9_CTX_RING_LRI] & GEN9_MI_OPCODE_MASK) != GEN9_MI_LOAD_REGISTER_IMM)
		return malformed(img, lrca, GEN9_CTX_RING_LRI, page[GEN9_CTX_RING_LRI]);

	while (dw < GEN9_CTX_REGS_DWORDS && page[dw] != GEN9_MI_BATCH_BUFFER_END) {
		unsigned int at = dw;

		if (dw >= GEN9_CTX_ENGINE_LRI && control(img, GEN9_CTX_CTRL_RESTORE_INHIBIT))
			break;
		if (page[dw] == GEN9_MI_NOOP)
			dw++;
		else if (!load_block(img, page, &dw))
			return malformed(img, lrca, at, page[at]);
	}
	return GM_CTXIMG_OK;
}

enum gm_ctximg_status gm_ctximg_restore_lite(const struct gm_ctximg *img, u32 lrca, bool pdps)
{
	u32 page[GEN9_CTX_ENGINE_LRI];
	unsigned int dw;

	if (!read_regs(img, lrca, 0, page, GEN9_CTX_ENGINE_LRI))
		return GM_CTXIMG_FAULT;
	img->load(img->opaque, img->base + GEN9_RING_TAIL, page[TAIL_VALUE]);
	if (!pdps)
		return GM_CTXIMG_OK;
	for (dw = GEN9_CTX_PDP_UDW(3); dw <= GEN9_CTX_PDP_LDW(0); dw += 2)
		img->load(img->opaque, img->layout[dw], page[dw + 1]);
	return GM_CTXIMG_OK;
}

static void fill(const struct gm_ctximg *img, u32 *page)
{
	unsigned int dw;

	memcpy(page, img->layout, sizeof(img->layout));
	for (dw = 0; dw < img->dwords; dw++)
		if (img->is_reg[dw])
			page[dw + 1] = img->store(img->opaque, img->layout[dw]);
	/* It holds for one restore only. */
	page[GEN9_CTX_CONTEXT_CONTROL + 1] &= ~GEN9_CTX_CTRL_RESTORE_INHIBIT;
}

enum gm_ctximg_status gm_ctximg_save(const struct gm_ctximg *img, u32 lrca)
{
	unsigned int count = img->dwords;
	u32 page[GEN9_CTX_REGS_DWORDS];

	fill(img, page);
	if (control(img, GEN9_CTX_CTRL_SAVE_INHIBIT))
		count = GEN9_CTX_ENGINE_LRI;
	if (!write_regs(img, lrca, 0, page, TAIL_VALUE) ||
	    !write_regs(img, lrca, TAIL_VALUE + 1, page + TAIL_VALUE + 1, count - TAIL_VALUE - 1))
		return GM_CTXIMG_FAULT;
	return GM_CTXIMG_OK;
}
