// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the judgement of the chip's status entries: a chip that runs random lists writes
 * entries, some of which get lost or damaged; whoever reads them must end with the chip's
 * lists, must not have taken anything for complete that was not, and must not have forgotten
 * anybody.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <gvirt/gen9_lrc.h>
#include "events.h"

#define START		0x0001u
#define PREEMPTED	0x0002u
#define REPLACED	0x0012u
#define SWITCHED	0x0014u
#define ENDED		0x0018u
#define A		0x11u
#define B		0x22u
#define C		0x33u
#define D		0x44u
#define NOBODY		0xffffu
#define ACTIVE		0x40000u
#define FULL		0x4u
#define ROUNDS		200000u

static u64 entry_of(u32 status, u32 id)
{
	return (u64)id << 32 | status;
}

static void expect(struct gvirt_event_lists lists, u64 entry, enum gvirt_event_step step, bool odd,
		   bool missed)
{
	struct gvirt_event event = gvirt_event_judge(&lists, entry);

	assert_int_equal(event.step, step);
	assert_int_equal(event.odd, odd);
	assert_int_equal(event.missed, missed);
}

#define LISTS(a, b, c, d) ((struct gvirt_event_lists) { .active = { a, b }, .pending = { c, d } })

static void test_due(void **state)
{
	(void)state;
	expect(LISTS(0, 0, A, B), entry_of(START, 0), GVIRT_EVENT_TAKEN, false, false);
	expect(LISTS(A, B, C, 0), entry_of(PREEMPTED, A), GVIRT_EVENT_PREEMPTED, false, false);
	expect(LISTS(A, 0, C, 0), entry_of(REPLACED, A), GVIRT_EVENT_REPLACED, false, false);
	expect(LISTS(A, B, 0, 0), entry_of(SWITCHED, A), GVIRT_EVENT_SWITCHED, false, false);
	expect(LISTS(A, 0, 0, 0), entry_of(ENDED, A), GVIRT_EVENT_ENDED, false, false);
	/* The port was written in the moment in which the list ended. */
	expect(LISTS(A, 0, A, 0), entry_of(ENDED, A), GVIRT_EVENT_ENDED, false, false);
}

static void test_name_wrong(void **state)
{
	(void)state;
	expect(LISTS(0, 0, A, 0), entry_of(START, NOBODY), GVIRT_EVENT_TAKEN, false, false);
	expect(LISTS(A, B, C, 0), entry_of(PREEMPTED, NOBODY), GVIRT_EVENT_PREEMPTED, true, false);
	expect(LISTS(A, B, 0, 0), entry_of(SWITCHED, NOBODY), GVIRT_EVENT_SWITCHED, true, false);
	expect(LISTS(A, 0, 0, 0), entry_of(ENDED, 0), GVIRT_EVENT_ENDED, true, false);
}

static void test_impossible(void **state)
{
	(void)state;
	expect(LISTS(A, 0, 0, 0), entry_of(START, 0), GVIRT_EVENT_NOTHING, true, false);
	expect(LISTS(A, 0, 0, 0), entry_of(PREEMPTED, A), GVIRT_EVENT_NOTHING, true, false);
	expect(LISTS(0, 0, 0, 0), entry_of(ENDED, A), GVIRT_EVENT_NOTHING, true, false);
	expect(LISTS(0, 0, C, 0), entry_of(ENDED, A), GVIRT_EVENT_NOTHING, true, false);
	expect(LISTS(A, 0, C, 0), entry_of(0, A), GVIRT_EVENT_NOTHING, true, false);
}

static void test_missed(void **state)
{
	(void)state;
	expect(LISTS(A, 0, C, 0), entry_of(START, 0), GVIRT_EVENT_ENDED, true, true);
	expect(LISTS(A, B, 0, 0), entry_of(ENDED, B), GVIRT_EVENT_SWITCHED, true, true);
	expect(LISTS(A, B, C, D), entry_of(SWITCHED, C), GVIRT_EVENT_PREEMPTED, true, true);
	expect(LISTS(A, B, C, D), entry_of(ENDED, D), GVIRT_EVENT_PREEMPTED, true, true);
	expect(LISTS(0, 0, C, 0), entry_of(ENDED, C), GVIRT_EVENT_TAKEN, true, true);
}

static void test_find(void **state)
{
	struct gvirt_event_lists lists = LISTS(A, B, C, D);

	(void)state;
	assert_int_equal(gvirt_event_find(&lists, entry_of(ACTIVE | FULL, A), false, false),
			 GVIRT_EVENT_NOTHING);
	assert_int_equal(gvirt_event_find(&lists, entry_of(ACTIVE | FULL, B), false, false),
			 GVIRT_EVENT_SWITCHED);
	assert_int_equal(gvirt_event_find(&lists, entry_of(ACTIVE, C), false, false),
			 GVIRT_EVENT_PREEMPTED);
	assert_int_equal(gvirt_event_find(&lists, entry_of(ACTIVE, NOBODY), true, true),
			 GVIRT_EVENT_NOTHING);
	assert_int_equal(gvirt_event_find(&lists, 0, true, false), GVIRT_EVENT_ENDED);
	/* It stopped for another reason. */
	assert_int_equal(gvirt_event_find(&lists, 0, false, true), GVIRT_EVENT_NOTHING);
	/* The same context goes on, with the list that waited. */
	lists = LISTS(A, B, A, 0);
	assert_int_equal(gvirt_event_find(&lists, entry_of(ACTIVE | FULL, A), false, false),
			 GVIRT_EVENT_NOTHING);
	assert_int_equal(gvirt_event_find(&lists, entry_of(ACTIVE, A), false, false),
			 GVIRT_EVENT_PREEMPTED);
	lists = LISTS(0, 0, C, 0);
	assert_int_equal(gvirt_event_find(&lists, entry_of(ACTIVE, C), false, false),
			 GVIRT_EVENT_TAKEN);
	assert_int_equal(gvirt_event_find(&lists, 0, false, true), GVIRT_EVENT_TAKEN);
	/* It has not even begun. */
	assert_int_equal(gvirt_event_find(&lists, 0, false, false), GVIRT_EVENT_NOTHING);
}

/* What was found out is told later: by that entry, and by no other one. */
static void test_owed(void **state)
{
	const struct gvirt_event_lists idle = LISTS(0, 0, C, 0), busy = LISTS(A, B, C, 0);
	u64 owed = gvirt_event_owed(&idle, GVIRT_EVENT_TAKEN);

	(void)state;
	assert_true(gvirt_event_pays(entry_of(START, 0), owed));
	assert_true(gvirt_event_pays(entry_of(START, NOBODY), owed));
	assert_false(gvirt_event_pays(entry_of(ENDED, C), owed));
	owed = gvirt_event_owed(&busy, GVIRT_EVENT_PREEMPTED);
	assert_true(gvirt_event_pays(entry_of(PREEMPTED, A), owed));
	assert_true(gvirt_event_pays(entry_of(REPLACED, A), owed));
	assert_false(gvirt_event_pays(entry_of(PREEMPTED, C), owed));
	assert_false(gvirt_event_pays(entry_of(ENDED, A), owed));
	owed = gvirt_event_owed(&busy, GVIRT_EVENT_SWITCHED);
	assert_true(gvirt_event_pays(entry_of(SWITCHED, A), owed));
	assert_false(gvirt_event_pays(entry_of(PREEMPTED, A), owed));
	owed = gvirt_event_owed(&busy, GVIRT_EVENT_ENDED);
	assert_true(gvirt_event_pays(entry_of(ENDED, A), owed));
	assert_false(gvirt_event_pays(entry_of(START, 0), owed));
	assert_false(gvirt_event_pays(entry_of(ENDED, A), 0));
}

/* A chip. */

static u64 random_state = 88172645463325252ull;

static u32 below(u32 limit)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (random_state >> 16) % limit;
}

/**
 * struct world - The chip, and who reads its entries
 * @chip: the lists as they are
 * @known: as they are taken to be
 * @submitted: times that each id was submitted
 * @ended: and was complete, on the chip
 * @told: and was told to be complete
 */
struct world {
	struct gvirt_event_lists chip;
	struct gvirt_event_lists known;
	u32 submitted[8];
	u32 ended[8];
	u32 told[8];
};

static void promote(struct gvirt_event_lists *lists)
{
	memcpy(lists->active, lists->pending, sizeof(lists->active));
	memset(lists->pending, 0, sizeof(lists->pending));
}

static void drop_first(struct gvirt_event_lists *lists, u32 *count)
{
	count[lists->active[0]]++;
	lists->active[0] = lists->active[1];
	lists->active[1] = 0;
}

static void apply(struct gvirt_event_lists *lists, enum gvirt_event_step step, u32 *count)
{
	switch (step) {
	case GVIRT_EVENT_NOTHING:
		break;
	case GVIRT_EVENT_REPLACED:
		count[lists->active[0]]++;
		promote(lists);
		break;
	case GVIRT_EVENT_TAKEN:
	case GVIRT_EVENT_PREEMPTED:
		promote(lists);
		break;
	case GVIRT_EVENT_SWITCHED:
		drop_first(lists, count);
		break;
	case GVIRT_EVENT_ENDED:
		while (lists->active[0])
			drop_first(lists, count);
		break;
	}
}

static void read_entry(struct world *world, u64 entry)
{
	struct gvirt_event event = { .missed = true };
	unsigned int rounds = 0;

	while (event.missed) {
		assert_true(rounds++ < 4);
		event = gvirt_event_judge(&world->known, entry);
		apply(&world->known, event.step, world->told);
	}
}

/* One thing that the chip does; gives the entry for it, 0: it did nothing. */
static u64 advance(struct world *world)
{
	struct gvirt_event_lists *chip = &world->chip;
	u32 first = chip->active[0];

	if (!first && !chip->pending[0])
		return 0;
	if (!first) {
		promote(chip);
		return entry_of(START, 0);
	}
	if (chip->pending[0] && below(2)) {
		promote(chip);
		return entry_of(PREEMPTED, first);
	}
	world->ended[first]++;
	if (chip->pending[0]) {
		promote(chip);
		return entry_of(REPLACED, first);
	}
	chip->active[0] = chip->active[1];
	chip->active[1] = 0;
	return entry_of(chip->active[0] ? SWITCHED : ENDED, first);
}

/* Other contexts than those that are taken to be with the chip, as different slots' are. */
static void submit(struct world *world)
{
	struct gvirt_event_lists *known = &world->known;
	u32 free[4], count = 0, id;

	for (id = 1; id <= 4; id++)
		if (known->active[0] != id && known->active[1] != id)
			free[count++] = id;
	known->pending[0] = free[below(count)];
	known->pending[1] = 0;
	memcpy(world->chip.pending, known->pending, sizeof(known->pending));
	world->submitted[known->pending[0]]++;
}

/* No context is told to be complete more often than it was. */
static void check_told(const struct world *world)
{
	u32 id;

	for (id = 1; id <= 4; id++)
		assert_true(world->told[id] <= world->ended[id]);
}

/* Without damage both sides are the same after each entry. */
static void test_random_good(void **state)
{
	struct world world = { };
	u32 round;
	u64 entry;

	(void)state;
	for (round = 0; round < ROUNDS; round++) {
		if (!world.known.pending[0] && below(2))
			submit(&world);
		entry = advance(&world);
		if (entry)
			read_entry(&world, entry);
		assert_memory_equal(&world.known, &world.chip, sizeof(world.chip));
	}
	assert_memory_equal(world.told, world.ended, sizeof(world.told));
}

static void settle(struct world *world)
{
	const struct gvirt_event_lists *chip = &world->chip;
	enum gvirt_event_step step;
	u64 status = entry_of((chip->active[0] ? ACTIVE : 0) | (chip->pending[0] ? FULL : 0),
			      chip->active[0]);

	while (memcmp(&world->known, chip, sizeof(*chip))) {
		step = gvirt_event_find(&world->known, status, true, true);
		assert_int_not_equal(step, GVIRT_EVENT_NOTHING);
		apply(&world->known, step, world->told);
	}
}

/* One entry of a turn is lost; what it told is found out, by the next one or by a look. */
static void test_random_lost(void **state)
{
	struct world world = { };
	u32 round, i, lost, steps;
	u64 entry;

	(void)state;
	for (round = 0; round < ROUNDS; round++) {
		if (!world.known.pending[0])
			submit(&world);
		steps = 1 + below(3);
		lost = below(steps + 1);
		for (i = 0; i < steps; i++) {
			entry = advance(&world);
			if (entry && i != lost)
				read_entry(&world, entry);
			check_told(&world);
		}
		settle(&world);
		check_told(&world);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_due),
		cmocka_unit_test(test_name_wrong),
		cmocka_unit_test(test_impossible),
		cmocka_unit_test(test_missed),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_owed),
		cmocka_unit_test(test_random_good),
		cmocka_unit_test(test_random_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
