/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The container that devices are opened in: of VFIO's type 1, or of iommufd, which serves the
 * same calls.
 */
#ifndef VFIO_LIB_CONTAINER_H
#define VFIO_LIB_CONTAINER_H

/* The file to open in the place of /dev/vfio/vfio: /dev/iommu. */
#define CONTAINER_VARIABLE	"GVIRT_VFIO_CONTAINER"

/**
 * container_open() - Open a container
 *
 * Return: the file; the running test fails when there is none.
 */
int container_open(void);

#endif
