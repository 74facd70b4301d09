// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory of the kernel, from /proc/meminfo.
 */
#include <glob.h>
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

static void tell_kernel(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	EXPECT(file);
	fputs(text, file);
	fclose(file);
}

/* What the allocator keeps for the next one; with KASAN also what it holds back for a while. */
static void shrink_caches(void)
{
	glob_t found;
	size_t i;

	EXPECT_EQ(glob("/sys/kernel/slab/*/shrink", 0, NULL, &found), 0);
	for (i = 0; i < found.gl_pathc; i++)
		tell_kernel(found.gl_pathv[i], "1\n");
	globfree(&found);
}

void kmem_reclaim(void)
{
	tell_kernel("/proc/sys/vm/drop_caches", "3\n");
	shrink_caches();
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
