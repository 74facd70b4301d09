// SPDX-License-Identifier: GPL-2.0-only
/*
 * Switched registers: see switch.h. Which they are says the register table.
 *
 * What a vGPU has in such a register counts once it is not the value after reset; until
 * then, and in the bits that a guest does not decide about, it is the host's.
 *
 * What the chip has is known as long as only gvirt writes it. There are registers that
 * any batch writes, which nobody looks at: those of the render and the video engine
 * are loaded whenever the engine changes hands. NOPID is one as well, on all engines; it
 * has no effect and no content but what batches put there, so it alone is not worth
 * to wait for an idle engine.
 */
#include <linux/bits.h>
#include <linux/err.h>
#include <linux/slab.h>
#include <gvirt/gen9_engine.h>
#include "hw/gpu.h"
#include "lib/reg.h"
#include "lib/reg_handler.h"
#include "mmio.h"
#include "switch.h"

/**
 * struct engine_state - Switched registers of an engine
 * @count: how many
 * @host: what the host has there
 * @chip: what was loaded
 * @known: @chip holds
 */
struct engine_state {
	unsigned int count;
	u32 *host;
	u32 *chip;
	bool known;
};

/**
 * struct gvirt_switch - Those of all engines
 * @gpu: the chip
 * @engine: by number
 */
struct gvirt_switch {
	struct gvirt_gpu *gpu;
	struct engine_state engine[GVIRT_ENGINES];
};

/**
 * struct cursor - A walk over the switched registers of an engine
 * @engine: which
 * @global: walks over the registers outside of the engine's window
 * @row: of the register
 * @offset: its offset, absolute
 * @n: its number
 */
struct cursor {
	enum gvirt_engine_id engine;
	bool global;
	const struct gvirt_reg *row;
	u32 offset;
	unsigned int n;
};

static const struct gvirt_reg_rows *rows_of(const struct cursor *at)
{
	return at->global ? gvirt_regs_gen9.global : gvirt_regs_gen9.engine;
}

static u32 base_of(const struct cursor *at)
{
	return at->global ? 0 : gvirt_regs_gen9.base[at->engine];
}

static bool is_switched(const struct cursor *at)
{
	const struct gvirt_reg *row = at->row;

	return row->engines & BIT(at->engine) &&
	       (row->flags & GVIRT_REG_SWITCH ||
		row->handler == GVIRT_HANDLER_FORCE_TO_NONPRIV);
}

/* To the first register of the first switched row from @at->row on. */
static bool find_row(struct cursor *at)
{
	for (;;) {
		const struct gvirt_reg_rows *rows = rows_of(at);

		for (; at->row < rows->row + rows->count; at->row++) {
			if (!is_switched(at))
				continue;
			at->offset = base_of(at) + at->row->first;
			return true;
		}
		if (at->global)
			return false;
		at->global = true;
		at->row = rows_of(at)->row;
	}
}

static bool first_reg(struct cursor *at, enum gvirt_engine_id engine)
{
	*at = (struct cursor) { .engine = engine, .row = gvirt_regs_gen9.engine->row };
	return find_row(at);
}

static bool next_reg(struct cursor *at)
{
	at->n++;
	at->offset += sizeof(u32);
	if (at->offset <= base_of(at) + at->row->last)
		return true;
	at->row++;
	return find_row(at);
}

/* Batches write it without anybody knowing. */
static bool is_open(const struct cursor *at)
{
	return at->row->class == GVIRT_REG_DENY ||
	       at->row->flags & (GVIRT_REG_CMD_WRITE | GVIRT_REG_CMD_READ);
}

static u32 wanted(const struct engine_state *state, const struct cursor *at,
		  const struct gvirt_vmmio *vmmio)
{
	const struct gvirt_reg *row = at->row;
	u32 host = state->host[at->n], value;

	if (row->class == GVIRT_REG_DENY)
		return row->reset;
	value = gvirt_vmmio_get(vmmio, at->offset);
	if (value == row->reset)
		return host;
	return (host & row->ro) | (value & ~row->ro);
}

static void write_reg(struct gvirt_switch *sw, const struct cursor *at, u32 value)
{
	u32 bits = ~at->row->ro & 0xffff;

	if (at->row->flags & GVIRT_REG_MASKED)
		value = bits << 16 | (value & bits);
	gvirt_mmio_write(&sw->gpu->mmio, at->offset, value);
}

void gvirt_switch_forget(struct gvirt_switch *sw, enum gvirt_engine_id engine)
{
	sw->engine[engine].known = false;
}

bool gvirt_switch_differs(const struct gvirt_switch *sw, enum gvirt_engine_id engine,
			  const struct gvirt_vmmio *vmmio)
{
	const struct engine_state *state = &sw->engine[engine];
	struct cursor at;
	bool more;

	if (!state->known || engine == GVIRT_RCS || engine == GVIRT_VCS)
		return true;
	for (more = first_reg(&at, engine); more; more = next_reg(&at))
		if (!is_open(&at) && wanted(state, &at, vmmio) != state->chip[at.n])
			return true;
	return false;
}

void gvirt_switch_load(struct gvirt_switch *sw, enum gvirt_engine_id engine,
		       const struct gvirt_vmmio *vmmio)
{
	struct engine_state *state = &sw->engine[engine];
	struct cursor at;
	bool more;
	u32 value;

	for (more = first_reg(&at, engine); more; more = next_reg(&at)) {
		value = wanted(state, &at, vmmio);
		if (state->known && !is_open(&at) && value == state->chip[at.n])
			continue;
		write_reg(sw, &at, value);
		state->chip[at.n] = value;
	}
	state->known = true;
}

static int note_host(struct gvirt_switch *sw, enum gvirt_engine_id engine)
{
	struct engine_state *state = &sw->engine[engine];
	struct cursor at;
	bool more;

	for (more = first_reg(&at, engine); more; more = next_reg(&at))
		state->count++;
	state->host = kcalloc(2 * state->count, sizeof(u32), GFP_KERNEL);
	if (!state->host)
		return -ENOMEM;
	state->chip = state->host + state->count;
	for (more = first_reg(&at, engine); more; more = next_reg(&at))
		state->host[at.n] = gvirt_mmio_read(&sw->gpu->mmio, at.offset);
	return 0;
}

struct gvirt_switch *gvirt_switch_create(struct gvirt_gpu *gpu)
{
	struct gvirt_switch *sw = kzalloc(sizeof(*sw), GFP_KERNEL);
	unsigned int i;
	int err = 0;

	if (!sw)
		return ERR_PTR(-ENOMEM);
	sw->gpu = gpu;
	for (i = 0; i < GVIRT_ENGINES && !err; i++)
		if (gpu->engine[i])
			err = note_host(sw, i);
	if (!err)
		return sw;
	gvirt_switch_destroy(sw);
	return ERR_PTR(err);
}

void gvirt_switch_destroy(struct gvirt_switch *sw)
{
	unsigned int i;

	for (i = 0; i < GVIRT_ENGINES; i++)
		kfree(sw->engine[i].host);
	kfree(sw);
}
