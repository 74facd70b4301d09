// SPDX-License-Identifier: GPL-2.0-only
/*
 * ggtt_dump - writes the global GTT of a GPU, as the hardware has it, to its output
 *
 *	ggtt_dump /sys/bus/pci/devices/ADDRESS/resource0
 *
 * A driver has the GPU, so the kernel has to be booted with iomem=relaxed.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <gvirt/gen9_pci.h>

static int dump(const volatile unsigned long long *table, size_t entries)
{
	unsigned long long entry;
	size_t n;

	for (n = 0; n < entries; n++) {
		entry = table[n];
		if (fwrite(&entry, sizeof(entry), 1, stdout) != 1)
			return -errno;
	}
	return fflush(stdout) ? -errno : 0;
}

int main(int argc, char **argv)
{
	const size_t bytes = GEN9_GTTMMADR_SIZE - GEN9_GTTMMADR_GGTT;
	void *table = MAP_FAILED;
	int fd, err;

	if (argc != 2) {
		fprintf(stderr, "usage: ggtt_dump RESOURCE0\n");
		return 64;
	}
	fd = open(argv[1], O_RDONLY);
	if (fd >= 0)
		table = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, GEN9_GTTMMADR_GGTT);
	if (table == MAP_FAILED) {
		fprintf(stderr, "ggtt_dump: %s: %s; is this BAR0, and the kernel booted with iomem=relaxed?\n",
			argv[1], strerror(errno));
		return 1;
	}
	err = dump(table, bytes / sizeof(unsigned long long));
	if (err)
		fprintf(stderr, "ggtt_dump: cannot write: %s\n", strerror(-err));
	munmap(table, bytes);
	close(fd);
	return err ? 1 : 0;
}
