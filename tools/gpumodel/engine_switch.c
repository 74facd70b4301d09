// SPDX-License-Identifier: GPL-2.0-only
/*
 * Context switches of an engine: images, status events and fault registers.
 *
 * All functions are called by the engine's thread while it is in flight,
 * without the lock: they read and write memory and registers of other parts.
 *
 * The order in memory is what software may rely on: an event's entry stands in
 * the status page before the pointer that announces it, and both before the
 * interrupt.
 *
 * Sources: Linux i915, gt/intel_lrc.c, gt/intel_execlists_submission.c (process_csb)
 * and gt/intel_gt.c (fault registers).
 */
#include <gvirt/gen9_fault.h>
#include <gvirt/gen9_gt.h>
#include <gvirt/gen9_pte.h>
#include "engine_internal.h"
#include "irq.h"
#include "mmio.h"
#include "platform.h"
#include "stats.h"

#define ERROR_INSTRUCTION	BIT(0)

static void count(struct gm_engine *engine, enum gm_engine_counter counter, u64 n)
{
	gm_count_engine(engine->config.stats, engine->config.engine, counter, n);
}

/* Faults. */

static u32 fault_engine(unsigned int engine)
{
	static const u32 map[] = {
		[GM_RCS] = GEN9_FAULT_ENGINE_RCS,
		[GM_BCS] = GEN9_FAULT_ENGINE_BCS,
		[GM_VCS] = GEN9_FAULT_ENGINE_VCS,
		[GM_VECS] = GEN9_FAULT_ENGINE_VECS,
	};

	return map[engine];
}

void gm_engine_report_fault(struct gm_engine *engine)
{
	struct gm_fault fault = gm_mmu_take_fault(engine->mmu);
	struct gm_mmio *mmio = engine->config.mmio;
	u32 data1;

	if (!fault.valid || gm_mmio_peek(mmio, GEN9_RING_FAULT) & GEN9_FAULT_VALID)
		return;
	data1 = (fault.va >> GEN9_FAULT_DATA1_VA_SHIFT) & GEN9_FAULT_DATA1_VA_MASK;
	if (fault.space == GM_SPACE_GGTT)
		data1 |= GEN9_FAULT_DATA1_GGTT;
	gm_mmio_poke(mmio, GEN9_FAULT_TLB_DATA0, fault.va >> GEN9_FAULT_DATA0_VA_SHIFT);
	gm_mmio_poke(mmio, GEN9_FAULT_TLB_DATA1, data1);
	gm_mmio_poke(mmio, GEN9_RING_FAULT,
		     fault_engine(engine->config.engine) << GEN9_FAULT_ENGINE_SHIFT |
		     fault.level << GEN9_FAULT_TYPE_SHIFT | GEN9_FAULT_VALID);
}

/* Context status events. */

static u64 status_page(const struct gm_engine *engine)
{
	return gm_cs_reg(&engine->cs, GEN9_RING_HWS_PGA) & ~0xfffu;
}

static bool write_status_page(struct gm_engine *engine, u32 dword, const void *data, size_t len)
{
	/* Zero: no status page has been set up. */
	if (!status_page(engine))
		return false;
	return gm_mmu_write(engine->mmu, GM_SPACE_GGTT, status_page(engine) + 4 * dword, data, len);
}

/*
 * Software is done with an entry when it moved the read pointer behind it or
 * read its register (then it is not unread), or overwrote it in the status page.
 */
static bool consumed(struct gm_engine *engine, unsigned int index, u64 entry)
{
	u64 va = status_page(engine) + 4 * (GEN9_HWSP_CSB_DW + 2 * index);
	u64 now;

	if (!status_page(engine))
		return false;
	return gm_mmu_read(engine->mmu, GM_SPACE_GGTT, va, &now, sizeof(now)) && now != entry;
}

static void check_overrun(struct gm_engine *engine, unsigned int index)
{
	bool unread;
	u64 entry;

	pthread_mutex_lock(&engine->lock);
	unread = engine->csb.unread[index];
	entry = engine->csb.entry[index];
	pthread_mutex_unlock(&engine->lock);
	if (unread && !consumed(engine, index, entry))
		gm_misuse(engine->config.stats, GM_MISUSE_CSB_OVERRUN,
			  "%s: CSB entry %u (%08x) overwritten before it was read",
			  gm_engine_name(engine->config.engine), index, (u32)entry);
}

void gm_engine_post_event(struct gm_engine *engine, struct gm_csb_event event)
{
	unsigned int index;
	bool posted;
	u32 pointer;
	u64 entry;

	pthread_mutex_lock(&engine->lock);
	posted = gm_engine_distort_locked(engine, &event);
	index = gm_csb_next(&engine->csb);
	pthread_mutex_unlock(&engine->lock);
	if (!posted)
		return;

	check_overrun(engine, index);
	pthread_mutex_lock(&engine->lock);
	gm_csb_store(&engine->csb, index, event);
	entry = engine->csb.entry[index];
	pthread_mutex_unlock(&engine->lock);

	/* The entry has to be visible before the pointer that announces it. */
	pointer = index;
	write_status_page(engine, GEN9_HWSP_CSB_DW + 2 * index, &entry, sizeof(entry));
	atomic_thread_fence(memory_order_release);
	write_status_page(engine, GEN9_HWSP_CSB_WRITE_DW, &pointer, sizeof(pointer));

	pthread_mutex_lock(&engine->lock);
	gm_csb_advance(&engine->csb, index);
	pthread_mutex_unlock(&engine->lock);
	gm_irq_raise_gt(engine->config.irq, engine->config.engine, GM_IRQ_CONTEXT_SWITCH,
			gm_cs_reg(&engine->cs, GEN9_RING_IMR));
}

/* Context switches. */

void gm_engine_load_pdps(struct gm_engine *engine)
{
	u32 ips = gm_mmio_peek(engine->config.mmio, GEN9_GAMW_ECO_DEV_RW_IA);
	u64 pdp[4];
	int i;

	for (i = 0; i < 4; i++)
		pdp[i] = (u64)gm_cs_reg(&engine->cs, GEN9_RING_PDP_UDW(i)) << 32 |
			 gm_cs_reg(&engine->cs, GEN9_RING_PDP_LDW(i));
	gm_mmu_set_ppgtt(engine->mmu, engine->four_level, pdp);
	gm_mmu_set_64k(engine->mmu, (ips & GEN9_GAMW_IPS_64K) == GEN9_GAMW_IPS_64K);
}

static enum gm_cs_status run_workarounds(struct gm_engine *engine)
{
	u32 indirect = gm_cs_reg(&engine->cs, GEN9_RING_INDIRECT_CTX);
	u32 per_ctx = gm_cs_reg(&engine->cs, GEN9_RING_BB_PER_CTX_PTR);
	u32 lines = indirect & GEN9_INDIRECT_CTX_LINES_MASK;
	enum gm_cs_status status = GM_CS_RUN;

	if (lines)
		status = gm_cs_run_buffer(&engine->cs, indirect & GEN9_INDIRECT_CTX_ADDR_MASK,
					  lines * 64);
	if (status == GM_CS_RUN && per_ctx & GEN9_BB_PER_CTX_VALID)
		status = gm_cs_run_buffer(&engine->cs, per_ctx & GEN9_BB_PER_CTX_ADDR_MASK, 0);
	return status;
}

/* A restore that fails hangs the engine: the image is parsed as commands are. */
static enum gm_cs_status image_status(struct gm_engine *engine, enum gm_ctximg_status status,
				      u32 lrca)
{
	if (status == GM_CTXIMG_OK)
		return GM_CS_RUN;
	count(engine, GM_ENGINE_HANGS, 1);
	if (status == GM_CTXIMG_MALFORMED) {
		gm_engine_error(engine, ERROR_INSTRUCTION);
		return GM_CS_HANG;
	}
	gm_misuse(engine->config.stats, GM_MISUSE_CONTEXT_IMAGE,
		  "%s: image of context at %08x is not mapped",
		  gm_engine_name(engine->config.engine), lrca);
	return GM_CS_FAULT;
}

enum gm_cs_status gm_engine_load_context(struct gm_engine *engine, u64 desc)
{
	u32 lrca = desc & GEN9_CTX_DESC_LRCA_MASK;
	u32 mode = (desc & GEN9_CTX_DESC_ADDRESSING_MASK) >> GEN9_CTX_DESC_ADDRESSING_SHIFT;
	struct gm_cs *cs = &engine->cs;
	enum gm_cs_status status;

	count(engine, GM_ENGINE_CTX_SWITCHES, 1);
	cs->ppgtt = desc & GEN9_CTX_DESC_PRIVILEGE;
	cs->arbitration = true;
	cs->preempt_point = false;
	/* A wait starts anew, and shows in RING_CTL again, also when this context left it. */
	cs->waiting = false;
	gm_cs_set(cs, GEN9_RING_CCID, lrca | 1);
	status = image_status(engine, gm_ctximg_restore(&engine->image, lrca), lrca);
	if (status != GM_CS_RUN)
		return status;

	engine->four_level = mode == GEN9_CTX_ADDRESSING_48B;
	gm_engine_load_pdps(engine);
	/*
	 * The restore of page directory pointers drops what was cached through the old ones,
	 * and nothing else: see mmu.c.
	 */
	gm_mmu_invalidate_ppgtt(engine->mmu);
	gm_engine_start_timer(engine);
	return run_workarounds(engine);
}

void gm_engine_save_context(struct gm_engine *engine, u64 desc)
{
	u32 lrca = desc & GEN9_CTX_DESC_LRCA_MASK;

	gm_engine_stop_timer(engine);
	if (gm_ctximg_save(&engine->image, lrca) == GM_CTXIMG_OK)
		return;
	gm_misuse(engine->config.stats, GM_MISUSE_CONTEXT_IMAGE,
		  "%s: image of context at %08x is not mapped any more",
		  gm_engine_name(engine->config.engine), lrca);
	gm_engine_report_fault(engine);
}

enum gm_cs_status gm_engine_refresh_context(struct gm_engine *engine, u64 desc)
{
	u32 lrca = desc & GEN9_CTX_DESC_LRCA_MASK;
	bool pdps = desc & GEN9_CTX_DESC_FORCE_PD_RESTORE;
	enum gm_ctximg_status status = gm_ctximg_restore_lite(&engine->image, lrca, pdps);

	count(engine, GM_ENGINE_LITE_RESTORES, 1);
	if (pdps) {
		gm_engine_load_pdps(engine);
		gm_mmu_invalidate_ppgtt(engine->mmu);
	}
	return image_status(engine, status, lrca);
}
