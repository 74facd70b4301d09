// SPDX-License-Identifier: GPL-2.0-only
/*
 * Containers: see container.h.
 *
 * Source: Linux, drivers/vfio/group.c: a file of iommufd is a container to
 * VFIO_GROUP_SET_CONTAINER.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "../ktap.h"
#include "container.h"

static const char *container_path(void)
{
	const char *path = getenv(CONTAINER_VARIABLE);

	return path ? path : "/dev/vfio/vfio";
}

int container_open(void)
{
	int fd = open(container_path(), O_RDWR | O_CLOEXEC);

	if (fd < 0)
		test_fail("%s: %s; is vfio_iommu_type1 loaded, or iommufd?", container_path(),
			  strerror(errno));
	return fd;
}
