// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory of the kernel, from /proc/meminfo.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../ktap.h"
#include "kmem.h"

/* A line of /proc/meminfo, in KiB. */
static long read_meminfo(const char *name)
{
	FILE *file = fopen("/proc/meminfo", "r");
	char line[128];
	long value = -1;

	EXPECT(file);
	while (value < 0 && fgets(line, sizeof(line), file))
		if (!strncmp(line, name, strlen(name)) && line[strlen(name)] == ':')
			value = atol(line + strlen(name) + 1);
	fclose(file);
	EXPECT(value >= 0);
	return value;
}

void kmem_reclaim(void)
{
	FILE *file = fopen("/proc/sys/vm/drop_caches", "w");

	EXPECT(file);
	fputs("3\n", file);
	fclose(file);
	/* Freeing is deferred by grace periods and workers. */
	usleep(300000);
}

long kmem_kb(void)
{
	kmem_reclaim();
	return read_meminfo("SUnreclaim") + read_meminfo("Percpu") +
	       read_meminfo("PageTables") + read_meminfo("KernelStack") +
	       read_meminfo("VmallocUsed");
}

long kmem_all_kb(void)
{
	kmem_reclaim();
	return read_meminfo("MemTotal") - read_meminfo("MemFree") - read_meminfo("AnonPages") -
	       read_meminfo("Cached") - read_meminfo("Buffers") - read_meminfo("SReclaimable");
}
