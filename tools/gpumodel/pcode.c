// SPDX-License-Identifier: GPL-2.0-only
/*
 * The mailbox to the package's power controller. A command is a write of the
 * mailbox with the ready bit set; the answer is there at once: ready clear, a
 * status in the low byte, results in the data registers.
 *
 * Sources: Linux i915, intel_pcode.c (the protocol), gt/intel_llc.c (frequency
 * table), display/intel_cdclk.c (clock changes) and display/skl_watermark.c (memory
 * latencies, SAGV); include/drm/intel/intel_pcode_regs.h.
 */
#include <errno.h>
#include <pthread.h>
#include <linux/array_size.h>
#include <gvirt/gen9_gt.h>
#include "mmio.h"
#include "power.h"

#define RATIOS 256

/* Latency of watermark levels 0 to 7 in us, as on a desktop with DDR4. */
#define LATENCY_0_3 0x18140c02u
#define LATENCY_4_7 0x4038281cu

/* The efficient frequency in bits 15:8, in 50 MHz: 350 MHz. */
#define DUTY_CYCLE 0x00000700u

/**
 * struct pcode - State behind the mailbox
 * @mmio: the register file it stands in
 * @lock: of all that follows and of one command
 * @min_freq: CPU (15:8) and ring (23:16) ratios by GT ratio in 50 MHz
 * @sagv_disabled: GEN9_SAGV_DISABLE was the last request
 */
struct pcode {
	struct gm_mmio *mmio;
	pthread_mutex_t lock;
	u32 min_freq[RATIOS];
	bool sagv_disabled;
};

static u32 pcode_mem_latency(struct pcode *pcode, u32 *data)
{
	(void)pcode;
	if (*data > 1)
		return GEN9_PCODE_ILLEGAL_DATA;
	*data = *data ? LATENCY_4_7 : LATENCY_0_3;
	return GEN9_PCODE_SUCCESS;
}

/* Prepare is granted at once; any other value says which level is wanted. */
static u32 pcode_cdclk(struct pcode *pcode, u32 *data)
{
	(void)pcode;
	if (*data == GEN9_CDCLK_PREPARE)
		*data = GEN9_CDCLK_READY;
	return GEN9_PCODE_SUCCESS;
}

static u32 pcode_write_min_freq(struct pcode *pcode, u32 *data)
{
	pcode->min_freq[*data & 0xff] = *data & 0xffffff00u;
	return GEN9_PCODE_SUCCESS;
}

/* The answer has no GT ratio, so the others stand eight bits lower (i915, gt/selftest_llc.c). */
static u32 pcode_read_min_freq(struct pcode *pcode, u32 *data)
{
	*data = pcode->min_freq[*data & 0xff] >> GEN9_PCODE_IA_RATIO_SHIFT;
	return GEN9_PCODE_SUCCESS;
}

static u32 pcode_duty_cycle(struct pcode *pcode, u32 *data)
{
	(void)pcode;
	*data = DUTY_CYCLE;
	return GEN9_PCODE_SUCCESS;
}

static u32 pcode_sagv(struct pcode *pcode, u32 *data)
{
	if (*data != GEN9_SAGV_DISABLE && *data != GEN9_SAGV_ENABLE)
		return GEN9_PCODE_ILLEGAL_DATA;
	pcode->sagv_disabled = *data == GEN9_SAGV_DISABLE;
	*data = pcode->sagv_disabled ? GEN9_SAGV_IS_DISABLED : 0;
	return GEN9_PCODE_SUCCESS;
}

/* Commands whose only effect is on parts that the model has not. */
static u32 pcode_accept(struct pcode *pcode, u32 *data)
{
	(void)pcode;
	(void)data;
	return GEN9_PCODE_SUCCESS;
}

static const struct {
	u32 command;
	u32 (*run)(struct pcode *pcode, u32 *data);
} commands[] = {
	{ GEN9_PCODE_LOAD_HDCP_KEYS, pcode_accept },
	{ GEN9_PCODE_READ_MEM_LATENCY, pcode_mem_latency },
	{ GEN9_PCODE_CDCLK_CONTROL, pcode_cdclk },
	{ GEN9_PCODE_WRITE_MIN_FREQ, pcode_write_min_freq },
	{ GEN9_PCODE_READ_MIN_FREQ, pcode_read_min_freq },
	{ GEN9_PCODE_DE_FREQ_REQUEST, pcode_accept },
	{ GEN9_PCODE_DISPLAY_FREQ, pcode_accept },
	{ GEN9_PCODE_DUTY_CYCLE, pcode_duty_cycle },
	{ GEN9_PCODE_SAGV_CONTROL, pcode_sagv },
};

static u32 pcode_run(struct pcode *pcode, u32 command)
{
	u32 data = gm_mmio_peek(pcode->mmio, GEN9_PCODE_DATA0);
	u32 status = GEN9_PCODE_ILLEGAL_COMMAND;

	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		if (commands[i].command == command)
			status = commands[i].run(pcode, &data);
	if (status == GEN9_PCODE_SUCCESS)
		gm_mmio_poke(pcode->mmio, GEN9_PCODE_DATA0, data);
	return status;
}

static void mailbox_write(void *opaque, u32 offset, u32 value)
{
	struct pcode *pcode = opaque;

	pthread_mutex_lock(&pcode->lock);
	if (value & GEN9_PCODE_READY)
		value = (value & GEN9_PCODE_PARAM_MASK) |
			pcode_run(pcode, value & GEN9_PCODE_COMMAND_MASK);
	gm_mmio_poke(pcode->mmio, offset, value);
	pthread_mutex_unlock(&pcode->lock);
}

/**
 * gm_pcode_add() - Add the mailbox
 * @mmio: the register file
 *
 * Return: 0, -ENOMEM, or what gm_mmio_add() said.
 */
int gm_pcode_add(struct gm_mmio *mmio)
{
	struct pcode *pcode = gm_mmio_alloc(mmio, sizeof(*pcode));
	const struct gm_mmio_range range = {
		.first = GEN9_PCODE_MAILBOX,
		.last = GEN9_PCODE_MAILBOX,
		.write = mailbox_write,
		.opaque = pcode,
	};

	if (!pcode)
		return -ENOMEM;
	pcode->mmio = mmio;
	pthread_mutex_init(&pcode->lock, NULL);
	return gm_mmio_add(mmio, &range);
}
