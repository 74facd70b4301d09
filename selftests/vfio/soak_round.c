// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random rounds. Most of what is thrown has the right structure, with a few things changed: what is
 * all random is refused at once, and tests little.
 */
#include <string.h>
#include <unistd.h>
#include <linux/bits.h>
#include <gvirt/gen9_cmds.h>
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_lrc.h>
#include <gvirt/gen9_pte.h>
#include <gvirt/gen9_reset.h>

#include "ktap.h"
#include "lib/cmd.h"
#include "lib/reg.h"
#include "soak.h"

#define PAGE		4096u
#define COMMANDS	12u
/* Only ring and batch commands that are good may take longer. */
#define PAUSE_US	400u
#define FREE_VA		0x0000005500000000ull
#define FREE_GGTT	0x00081000u

static u32 next(struct soak *soak)
{
	soak->random ^= soak->random << 13;
	soak->random ^= soak->random >> 7;
	soak->random ^= soak->random << 17;
	return (u32)(soak->random >> 16);
}

static u32 below(struct soak *soak, u32 limit)
{
	return next(soak) % limit;
}

static bool one_in(struct soak *soak, u32 n)
{
	return !below(soak, n);
}

/* Registers. */

static u32 any_register(struct soak *soak)
{
	const struct gvirt_reg_table *table = &gvirt_regs_gen9;
	const struct gvirt_reg_rows *const parts[] = {
		table->engine, table->engine, table->global, table->display,
	};
	const struct gvirt_reg_rows *rows = parts[below(soak, ARRAY_SIZE(parts))];
	const struct gvirt_reg *row = &rows->row[below(soak, rows->count)];
	u32 offset = row->first + 4 * below(soak, (row->last - row->first) / 4 + 1);

	return rows == table->engine ? offset + table->base[below(soak, table->engines)] : offset;
}

static u32 any_value(struct soak *soak)
{
	switch (below(soak, 6)) {
	case 0:
		return 0;
	case 1:
		return ~0u;
	case 2:
		return BIT(below(soak, 16)) * 0x10001u;
	case 3:
		return soak->work.target.ggtt;
	default:
		return next(soak);
	}
}

static void write_registers(struct soak *soak)
{
	u32 n;

	for (n = 1 + below(soak, 12); n; n--) {
		if (one_in(soak, 4))
			vdev_read(&soak->work.guest.dev, any_register(soak));
		vdev_write(&soak->work.guest.dev, any_register(soak), any_value(soak));
	}
}

/* Memory. */

static u64 any_gpa(struct soak *soak)
{
	switch (below(soak, 5)) {
	case 0:
		return RAM_HOLE_GPA + PAGE * (u64)below(soak, 64);
	case 1:
		return RAM_HIGH_GPA + PAGE * (u64)below(soak, 600);
	case 2:
		return (u64)next(soak) << 12 & GEN9_PTE_ADDR_MASK;
	default:
		return RAM_LOW_GPA + PAGE * (u64)below(soak, 4200);
	}
}

static u32 any_ggtt(struct soak *soak)
{
	switch (below(soak, 4)) {
	case 0:
		return FREE_GGTT + PAGE * below(soak, 64);
	case 1:
		return next(soak);
	default:
		return GGTT_FIRST + PAGE * below(soak, 200) + (next(soak) & 0xffc);
	}
}

static void write_ggtt(struct soak *soak)
{
	u32 n;

	for (n = 1 + below(soak, 8); n; n--)
		ggtt_write(&soak->work.guest.ggtt, any_ggtt(soak) & ~(PAGE - 1),
			   any_gpa(soak) | (next(soak) & 0xfff));
	if (one_in(soak, 2))
		ggtt_flush(&soak->work.guest.ggtt);
}

/* Entries of a table on the way to the target, on any level. */
static void write_tables(struct soak *soak)
{
	u64 *table = soak->table[below(soak, SOAK_LEVELS)];
	u32 n;

	for (n = 1 + below(soak, 16); n; n--) {
		u64 *entry = &table[below(soak, GEN9_TABLE_ENTRIES)];

		if (one_in(soak, 3))
			*entry ^= BIT_ULL(below(soak, 64));
		else
			*entry = any_gpa(soak) | (next(soak) & 0xfff);
	}
}

/* Commands. */

static const struct gvirt_cmd *any_command(struct soak *soak)
{
	const struct gvirt_cmd_set *const sets[] = {
		&gvirt_cmds_gen9_mi, &gvirt_cmds_gen9_mi, &gvirt_cmds_gen9_mi,
		&gvirt_cmds_gen9_blt, &gvirt_cmds_gen9_gfx,
	};
	const struct gvirt_cmd_set *set = sets[below(soak, ARRAY_SIZE(sets))];

	return &set->rows[below(soak, set->count)];
}

static u32 any_operand(struct soak *soak)
{
	switch (below(soak, 6)) {
	case 0:
		return 0;
	case 1:
		return any_register(soak);
	case 2:
		return any_ggtt(soak);
	case 3:
		return (u32)soak->work.target_va;
	case 4:
		return soak->work.target_va >> 32;
	default:
		return next(soak);
	}
}

/* By a row of the table: right length, random operands. */
static void emit_any(struct soak *soak, struct cmds *cmds)
{
	const struct gvirt_cmd *row = any_command(soak);
	u32 length = row->min + (row->max > row->min ? below(soak, 4) : 0);
	u32 header = row->value | (next(soak) & next(soak) & ~row->mask);

	if (length > row->max)
		length = row->max;
	if (row->length_mask)
		header = (header & ~row->length_mask) | (length - GEN9_CMD_LENGTH_BIAS);
	emit_dword(cmds, header);
	while (--length)
		emit_dword(cmds, any_operand(soak));
}

/* What a driver could send. */
static void emit_good(struct soak *soak, struct cmds *cmds, struct engine *engine)
{
	u32 gpr = engine->base + GEN9_RING_CS_GPR(below(soak, 16));
	u32 ggtt = soak->work.target.ggtt + 4 * below(soak, 1024);
	u64 va = soak->work.target_va + 4 * below(soak, 1024);

	switch (below(soak, 8)) {
	case 0:
		emit_store(cmds, GGTT, ggtt, next(soak));
		break;
	case 1:
		emit_store(cmds, PPGTT, va, next(soak));
		break;
	case 2:
		emit_lri(cmds, gpr, next(soak));
		break;
	case 3:
		emit_srm(cmds, GGTT, gpr, ggtt);
		break;
	case 4:
		emit_lrm(cmds, PPGTT, gpr, va);
		break;
	case 5:
		emit_increment(cmds, one_in(soak, 2) ? PPGTT : GGTT,
			       one_in(soak, 2) ? va : ggtt);
		break;
	case 6:
		emit_arb_check(cmds);
		break;
	default:
		emit_add(cmds, below(soak, 16), below(soak, 16), below(soak, 16));
		break;
	}
}

static void emit_some(struct soak *soak, struct cmds *cmds, struct engine *engine, u32 odd)
{
	u32 n;

	for (n = 1 + below(soak, COMMANDS); n; n--) {
		if (one_in(soak, odd))
			emit_any(soak, cmds);
		else
			emit_good(soak, cmds, engine);
	}
	if (one_in(soak, odd))
		cmds->dw[below(soak, cmds->count)] ^= BIT(below(soak, 32));
}

/* A batch in both spaces. */
static struct page make_batch(struct soak *soak, struct engine *engine)
{
	struct page page = soak->page[soak->pages++ % SOAK_PAGES];
	struct cmds cmds = { };

	emit_some(soak, &cmds, engine, 6);
	emit_end(&cmds);
	memcpy(ram_cpu(&soak->work.guest.ram, page.gpa), cmds.dw, cmds.count * sizeof(u32));
	return page;
}

static void mutate_image(struct soak *soak, struct ctx *ctx)
{
	u32 *regs = ram_cpu(&soak->work.guest.ram, ctx->image + GEN9_CTX_REGS_OFFSET);
	u32 n;

	for (n = 1 + below(soak, 3); n; n--) {
		u32 at = one_in(soak, 4) ? below(soak, 1024) : below(soak, GEN9_CTX_PPGTT_LRI + 24);

		regs[at] = one_in(soak, 2) ? any_value(soak) : regs[at] ^ BIT(below(soak, 32));
	}
}

static void set_workaround(struct soak *soak, struct ctx *ctx)
{
	struct page page = make_batch(soak, ctx->engine);
	unsigned int place = one_in(soak, 2) ? GEN9_CTX_BB_PER_CTX_PTR : GEN9_CTX_INDIRECT_CTX;

	ram_write(&soak->work.guest.ram, ctx_reg(ctx, place),
		  page.ggtt | (place == GEN9_CTX_BB_PER_CTX_PTR ? 1 : 1 + below(soak, 8)));
}

static void submit(struct soak *soak, struct ctx *ctx)
{
	u64 first = ctx_descriptor(ctx), second = 0;

	ctx_publish(ctx);
	if (one_in(soak, 5))
		mutate_image(soak, ctx);
	if (one_in(soak, 12))
		first ^= BIT_ULL(below(soak, 64));
	if (one_in(soak, 6))
		second = ctx_descriptor(&soak->ctx[below(soak, ENGINES)]);
	engine_submit_raw(ctx->engine, first, second);
}

/* A request of random commands, perhaps with batches and workaround buffers. */
static void run_commands(struct soak *soak)
{
	struct ctx *ctx = &soak->ctx[below(soak, ENGINES)];
	struct cmds cmds = { };
	struct page page;

	emit_some(soak, &cmds, ctx->engine, 8);
	if (one_in(soak, 2)) {
		page = make_batch(soak, ctx->engine);
		emit_batch(&cmds, PPGTT, page.va);
	}
	if (one_in(soak, 3)) {
		page = make_batch(soak, ctx->engine);
		emit_batch(&cmds, GGTT, page.ggtt);
	}
	if (one_in(soak, 6))
		set_workaround(soak, ctx);
	if (ctx->free < (cmds.count + 64) * 8)
		ctx_reset(ctx);
	ctx_request(ctx, &cmds);
	submit(soak, ctx);
	usleep(below(soak, PAUSE_US));
}

/* As a driver does, but without waiting for anything. */
static void reset_engine(struct soak *soak)
{
	static const u32 resets[ENGINES] = {
		[RCS] = GEN9_GDRST_RENDER, [BCS] = GEN9_GDRST_BLT,
		[VCS] = GEN9_GDRST_MEDIA, [VECS] = GEN9_GDRST_VECS,
	};
	unsigned int id = below(soak, ENGINES);

	vdev_write(&soak->work.guest.dev, GEN9_GDRST,
		   one_in(soak, 4) ? next(soak) : resets[id]);
	engine_start(&soak->work.guest.engine[id]);
	ctx_reset(&soak->ctx[id]);
}

static void write_port(struct soak *soak)
{
	struct engine *engine = &soak->work.guest.engine[below(soak, ENGINES)];
	u32 n;

	for (n = 1 + below(soak, 9); n; n--)
		engine_write(engine, GEN9_RING_ELSP, any_value(soak));
}

void soak_round(struct soak *soak, u64 seed, u32 round)
{
	static void (*const things[])(struct soak *soak) = {
		run_commands, run_commands, run_commands, run_commands, run_commands, run_commands,
		run_commands, run_commands, write_registers, write_ggtt, write_tables, write_tables,
		reset_engine, reset_engine, reset_engine, write_port,
	};

	soak->random = (seed + round + 1) * 0x9e3779b97f4a7c15ull | 1;
	next(soak);
	things[below(soak, ARRAY_SIZE(things))](soak);
}

static void find_tables(struct soak *soak)
{
	static const unsigned int shifts[SOAK_LEVELS] = {
		GEN9_PTE_INDEX_SHIFT, GEN9_PDE_INDEX_SHIFT, GEN9_PDPE_INDEX_SHIFT,
		GEN9_PML4E_INDEX_SHIFT,
	};
	unsigned int i;

	for (i = 0; i < SOAK_LEVELS; i++)
		soak->table[i] = ppgtt_table(&soak->work.pp, soak->work.target_va, shifts[i]);
}

void soak_begin(struct soak *soak)
{
	unsigned int i;

	work_renew(&soak->work);
	for (i = 0; i < ENGINES; i++)
		ctx_init(&soak->ctx[i], &soak->work.guest.engine[i], &soak->work.pp);
	for (i = 0; i < SOAK_PAGES; i++)
		soak->page[i] = guest_page(&soak->work.guest, &soak->work.pp, FREE_VA + i * PAGE);
	soak->pages = 0;
	find_tables(soak);
}
