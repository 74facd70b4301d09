// SPDX-License-Identifier: GPL-2.0-only
/*
 * The parts of a guest's driver, put together.
 *
 * Source: Linux i915, intel_uncore.c (forcewake).
 */
#include <string.h>
#include <gvirt/gen9_gt.h>

#include "../ktap.h"
#include "guest.h"

#define PAGE		4096u
#define WAKE_MS		1000

void guest_wake(struct vdev *dev)
{
	static const struct {
		u32 request, ack;
	} wells[] = {
		{ GEN9_FORCEWAKE_RENDER, GEN9_FORCEWAKE_ACK_RENDER },
		{ GEN9_FORCEWAKE_GT, GEN9_FORCEWAKE_ACK_GT },
		{ GEN9_FORCEWAKE_MEDIA, GEN9_FORCEWAKE_ACK_MEDIA },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(wells); i++) {
		vdev_write(dev, wells[i].request, vdev_set_bits(GEN9_FORCEWAKE_KERNEL));
		if (!vdev_wait(dev, wells[i].ack, GEN9_FORCEWAKE_KERNEL, GEN9_FORCEWAKE_KERNEL,
			       WAKE_MS))
			test_fail("%s: a well does not wake", dev->name);
	}
}

void guest_start(struct guest *guest)
{
	unsigned int i;

	memset(guest->ram.used, 0, sizeof(guest->ram.used));
	guest_wake(&guest->dev);
	ggtt_init(&guest->ggtt, &guest->ram);
	irq_init(&guest->irq, &guest->dev);
	for (i = 0; i < ENGINES; i++)
		engine_init(&guest->engine[i], i, &guest->ggtt, &guest->irq);
	engine_reset_all(guest->engine);
}

void guest_begin(struct guest *guest)
{
	ram_init(&guest->ram, &guest->dev);
	guest_start(guest);
}

void guest_open(struct guest *guest, const char *name)
{
	vdev_open(&guest->dev, name);
	guest_begin(guest);
}

void guest_close(struct guest *guest)
{
	/* Nobody stops the chip itself, whose memory goes. A vGPU is stopped by its host. */
	if (!guest->dev.virtual)
		engine_reset_all(guest->engine);
	irq_fini(&guest->irq);
	vdev_close(&guest->dev);
	ram_fini(&guest->ram);
}

struct page guest_page(struct guest *guest, struct ppgtt *pp, u64 va)
{
	struct page page = { .gpa = ram_page(&guest->ram), .va = va };

	page.ggtt = ggtt_bind(&guest->ggtt, page.gpa, 1);
	if (pp)
		ppgtt_map(pp, va, page.gpa, GEN9_PAGE_SHIFT_4K);
	return page;
}

struct page guest_batch(struct guest *guest, struct ppgtt *pp, u64 va, struct cmds *cmds)
{
	struct page page = guest_page(guest, pp, va);

	emit_end(cmds);
	memcpy(ram_cpu(&guest->ram, page.gpa), cmds->dw, cmds->count * sizeof(u32));
	return page;
}

void guest_expect(struct guest *guest, u64 gpa, u32 value, const char *what)
{
	u32 seen = ram_read(&guest->ram, gpa);

	if (seen != value)
		test_fail("%s is %#x, expected %#x", what, seen, value);
}
