/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where regions stand in the VFIO device's file.
 */
#ifndef GVIRT_VFIO_REGION_H
#define GVIRT_VFIO_REGION_H

#include <linux/bits.h>

/* Regions stand in the file by their number. */
#define GVIRT_REGION_SHIFT	40
#define GVIRT_REGION_MASK	(BIT_ULL(GVIRT_REGION_SHIFT) - 1)
#define GVIRT_REGION_START(index)	((u64)(index) << GVIRT_REGION_SHIFT)

#endif
