/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is behind a vGPU's mailbox to the package's power controller.
 *
 * Nothing of it reaches the chip's: frequencies are the host's business. What a
 * driver stores there it reads again.
 */
#ifndef GVIRT_MODEL_PCODE_H
#define GVIRT_MODEL_PCODE_H

#include <linux/types.h>

#define GVIRT_PCODE_RATIOS	256

/**
 * struct gvirt_vpcode - Power controller of a vGPU
 * @min_freq: by the GT's ratio in 50 MHz: least ratios of the CPU (low byte) and of the
 *	ring (high byte) in 100 MHz, as the guest stored them
 *
 * Has no lock: the vGPU's covers it. All zero after a reset.
 */
struct gvirt_vpcode {
	u16 min_freq[GVIRT_PCODE_RATIOS];
};

/**
 * gvirt_vpcode_run() - Carry out a command
 * @pcode: of which vGPU
 * @command: GEN9_PCODE_*
 * @state_cap: RP_STATE_CAP of the vGPU
 * @data: the first data register: in, and if the command succeeds, out
 *
 * Return: GEN9_PCODE_SUCCESS, or what the mailbox says otherwise.
 */
u32 gvirt_vpcode_run(struct gvirt_vpcode *pcode, u32 command, u32 state_cap, u32 *data);

/**
 * gvirt_vpcode_reset() - Forget what the guest stored
 * @pcode: of which vGPU
 */
void gvirt_vpcode_reset(struct gvirt_vpcode *pcode);

#endif
