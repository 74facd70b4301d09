// SPDX-License-Identifier: GPL-2.0-only
/*
 * Entries of the GGTT that change while vCPUs use the aperture behind them.
 */
#include <pthread.h>
#include <gvirt/gen9_pci.h>
#include <gvirt/gen9_pte.h>

#include "map.h"
#include "tinyvm.h"

/* Pages behind an entry that a vCPU changes all the time. */
#define HAMMER_PAGES	(MAP_MEMORY / PAGE / TINYVM_CPUS)
#define HAMMER_STORES	20u
/* What is in a page that the entry does not map any more; no number of a round. */
#define HAMMER_LEFT	0x1ef71ef7u

/**
 * struct hammer - A vCPU that changes an entry of its own and uses the aperture of both
 * @vm: the VM
 * @memory: the guest's, half of its pages for each
 * @cpu: number of the vCPU, and of the entry
 * @astray: stores that did not get to the page that the entry had come to map
 * @late: pages that a store got to after the entry had been changed
 * @thread: runs the vCPU
 */
struct hammer {
	struct tinyvm *vm;
	volatile u32 *memory;
	u32 cpu;
	u32 astray;
	u32 late;
	pthread_t thread;
};

static volatile u32 *hammer_page(const struct hammer *h, u32 n)
{
	return h->memory + (h->cpu * HAMMER_PAGES + n % HAMMER_PAGES) * PAGE / 4;
}

static void hammer_once(struct hammer *h, u32 n)
{
	u32 own = TINYVM_BAR2 + h->cpu * PAGE, others = TINYVM_BAR2 + !h->cpu * PAGE;
	volatile u32 *page = hammer_page(h, n), *left = hammer_page(h, n + HAMMER_PAGES - 1);

	/* Nobody has stored here since the entry left it. */
	h->late += n >= HAMMER_PAGES && page[1] != HAMMER_LEFT;
	tinyvm_do(h->vm, h->cpu, TINYVM_WRITE,
		  TINYVM_BAR0 + GEN9_GTTMMADR_GGTT + h->cpu * GEN9_PTE_SIZE,
		  (MAP_IOVA + 4 * (page - h->memory)) | GEN9_GGTT_PRESENT, 1);
	left[1] = HAMMER_LEFT;
	tinyvm_do(h->vm, h->cpu, TINYVM_WRITE, own, n, 1);
	h->astray += page[0] != n;
	h->astray += tinyvm_do(h->vm, h->cpu, TINYVM_READ, own, 0, 1) != n;
	tinyvm_do(h->vm, h->cpu, TINYVM_WRITES, others + 4, n, HAMMER_STORES);
}

static void *hammer(void *data)
{
	struct hammer *h = data;
	u32 n;

	for (n = 0; n < MAP_HAMMER_ROUNDS; n++)
		hammer_once(h, n);
	return NULL;
}

void map_hammer(struct tinyvm *vm, u8 *memory)
{
	struct hammer hammers[TINYVM_CPUS];
	u32 i;

	for (i = 0; i < TINYVM_CPUS; i++)
		hammers[i] = (struct hammer) { .vm = vm, .memory = (void *)memory, .cpu = i };
	for (i = 0; i < TINYVM_CPUS; i++)
		EXPECT_EQ(pthread_create(&hammers[i].thread, NULL, hammer, &hammers[i]), 0);
	for (i = 0; i < TINYVM_CPUS; i++)
		EXPECT_EQ(pthread_join(hammers[i].thread, NULL), 0);
	for (i = 0; i < TINYVM_CPUS; i++) {
		EXPECT_EQ(hammers[i].astray, 0);
		EXPECT_EQ(hammers[i].late, 0);
	}
}
