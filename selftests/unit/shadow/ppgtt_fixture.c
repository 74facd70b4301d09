// SPDX-License-Identifier: GPL-2.0-only
/*
 * A guest with an address space: see ppgtt_fixture.h.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <gvirt/gen9_pte.h>
#include <linux/array_size.h>
#include "host/guest.h"
#include "model/ppgtt.h"
#include "model/ppgtt_table.h"
#include "ppgtt_fixture.h"

struct gvirt_vppgtt vppgtt;
struct gvirt_guest guest;
struct gvirt_ppgtt *pp;

static void invalidate(void *data)
{
	assert_ptr_equal(data, &vppgtt);
	fake_forget();
}

static void stored(void *data, u64 gfn, u32 offset, unsigned int bytes)
{
	assert_ptr_equal(data, &vppgtt);
	gvirt_vppgtt_mirror(&vppgtt, gfn, offset, bytes);
	/* A walk of everything is slow. */
	if (!fake_random(32))
		fake_walk_all();
}

static const struct gvirt_shadow_services services = {
	.invalidate = invalidate,
	.stored = stored,
};

u64 *ppgtt_table(u32 gfn)
{
	return fake.memory[gfn];
}

void ppgtt_start(void)
{
	assert_int_equal(gvirt_vppgtt_init(&vppgtt, &guest, &services, &vppgtt), 0);
	fake.scratch = vppgtt.pool.scratch.page_dma;
}

void ppgtt_open(unsigned int levels, const u64 *pdp)
{
	pp = gvirt_ppgtt_get(&vppgtt, levels, pdp);
	assert_false(IS_ERR(pp));
	fake.ppgtt[0] = pp;
}

/* Four levels, of which one path leads to an empty page table. */
int ppgtt_setup(void **state)
{
	const u64 pdp[GEN9_PPGTT_3LVL_PDPS] = { GPA(PML4) };

	(void)state;
	fake_init();
	fake_seed(1);
	ppgtt_start();
	ppgtt_table(PML4)[0] = GPA(PDP) | RW;
	ppgtt_table(PDP)[0] = GPA(PD) | RW;
	ppgtt_table(PD)[0] = GPA(PT) | RW;
	ppgtt_open(4, pdp);
	return 0;
}

void ppgtt_stop(void)
{
	if (pp)
		gvirt_ppgtt_put(pp);
	pp = NULL;
	fake.ppgtt[0] = NULL;
	gvirt_vppgtt_reset(&vppgtt);
	assert_int_equal(fake.pinned, 0);
	assert_int_equal(fake.pinned_ahead, 0);
	gvirt_vppgtt_fini(&vppgtt);
}

int ppgtt_teardown(void **state)
{
	(void)state;
	ppgtt_stop();
	fake_fini();
	return 0;
}

void ppgtt_sync(void)
{
	assert_int_equal(gvirt_ppgtt_sync(pp), 0);
	assert_int_equal(fake.pinned_ahead, 0);
	fake_walk_all();
}

void ppgtt_expect(u64 va, enum fake_kind kind, u32 gfn)
{
	const struct fake_target to = fake_shadow_walk(pp, va);

	assert_int_equal(to.kind, kind);
	if (kind == FAKE_PAGE)
		assert_int_equal(to.gfn, gfn);
}

void ppgtt_take_away(u32 first, u32 last)
{
	u32 i;

	for (i = first; i <= last; i++)
		fake.ram[i] = false;
	gvirt_vppgtt_revoke(&vppgtt, first, last);
	for (i = first; i <= last; i++)
		assert_int_equal(fake.pins[i], 0);
	fake_walk_all();
}

void ppgtt_give_back(u32 first, u32 last)
{
	u32 i;

	for (i = first; i <= last; i++)
		fake.ram[i] = true;
}
