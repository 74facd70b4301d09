// SPDX-License-Identifier: GPL-2.0-only
/*
 * Faults of an engine that the control socket arms.
 *
 * A hang can be armed for a phase of the work, and for a marked context only: the one that
 * executes MI_NOOP with an identification number, which the chip stores in NOPID. So a test
 * says which of several contexts is to hang, and where, without knowing anything of the
 * driver between. As long as a mark is waited for, commands are executed one by one.
 *
 * A hang that is injected is no error of a command: nothing is reported.
 */
#include "engine_internal.h"
#include "stats.h"

static u64 identity(u64 desc)
{
	return desc & (0xffffffff00000000ull | GEN9_CTX_DESC_LRCA_MASK);
}

bool gm_engine_hangs_locked(struct gm_engine *engine, enum gm_engine_phase phase, u64 desc)
{
	struct gm_engine_inject *inject = &engine->inject;

	if (!inject->hang || (inject->phase != GM_PHASE_ANY && inject->phase != phase))
		return false;
	if (inject->mark && inject->marked != identity(desc))
		return false;
	inject->hang = false;
	inject->mark = 0;
	engine->hung = true;
	gm_count_engine(engine->config.stats, engine->config.engine, GM_ENGINE_HANGS, 1);
	return true;
}

bool gm_engine_marking(const struct gm_engine *engine)
{
	return engine->inject.mark;
}

void gm_engine_mark_locked(struct gm_engine *engine)
{
	struct gm_engine_inject *inject = &engine->inject;

	/* The register keeps its value over the next contexts. */
	if (inject->mark && !inject->marked &&
	    gm_cs_reg(&engine->cs, GEN9_RING_NOPID) == inject->mark)
		inject->marked = identity(gm_execlist_running(&engine->execlist));
}

enum gm_engine_phase gm_engine_command_phase(const struct gm_engine *engine)
{
	u32 batches = gm_cs_reg(&engine->cs, GEN9_RING_BB_ADDR) |
		      gm_cs_reg(&engine->cs, GEN9_RING_SBB_ADDR);

	return batches & GEN9_BB_ADDR_VALID ? GM_PHASE_BATCH : GM_PHASE_RING;
}

bool gm_engine_distort_locked(struct gm_engine *engine, struct gm_csb_event *event)
{
	struct gm_engine_inject *inject = &engine->inject;
	u64 until = gm_engine_now() + inject->csb_delay_us * 1000ull;
	bool corrupt = inject->csb_corrupt;

	inject->csb_corrupt = false;
	if (corrupt && inject->csb_how == GM_CSB_WRONG_ID)
		event->context_id = ~event->context_id;
	if (corrupt && inject->csb_how == GM_CSB_NO_STATUS)
		event->status = 0;
	if (inject->csb_delay_us) {
		inject->csb_delay_us = 0;
		while (!engine->quit && !engine->holders && !engine->reset_requested)
			if (!gm_engine_wait_locked(engine, &engine->wake, until))
				break;
	}
	return !corrupt || inject->csb_how != GM_CSB_LOST;
}

void gm_engine_inject_hang(struct gm_engine *engine, enum gm_engine_phase phase, u32 mark)
{
	pthread_mutex_lock(&engine->lock);
	engine->inject.hang = true;
	engine->inject.phase = phase;
	engine->inject.mark = mark;
	engine->inject.marked = 0;
	/* Only one that is executed from now on counts. */
	if (mark)
		gm_cs_set(&engine->cs, GEN9_RING_NOPID, 0);
	gm_engine_wake_locked(engine);
	pthread_mutex_unlock(&engine->lock);
}

void gm_engine_inject(struct gm_engine *engine, enum gm_engine_injection what, u32 value)
{
	struct gm_engine_inject *inject = &engine->inject;

	pthread_mutex_lock(&engine->lock);
	switch (what) {
	case GM_INJECT_NONE:
		*inject = (struct gm_engine_inject) { };
		break;
	case GM_INJECT_CSB_CORRUPT:
		inject->csb_corrupt = true;
		inject->csb_how = value;
		break;
	case GM_INJECT_CSB_DELAY:
		inject->csb_delay_us = value;
		break;
	case GM_INJECT_REFUSE_RESET:
		inject->refuse_reset = value ? value : UINT32_MAX;
		break;
	}
	pthread_mutex_unlock(&engine->lock);
}
