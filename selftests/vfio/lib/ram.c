// SPDX-License-Identifier: GPL-2.0-only
/*
 * Guest memory. The model wants a file, the kernel's VFIO any memory: there the first
 * range is anonymous memory with large pages, so that the host can map large pages, and
 * an IOMMU of the lab needs few entries.
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../ktap.h"
#include "ram.h"

#define PAGE		4096ull
#define LARGE		(2ull << 20)
#define POLL_US		20

static const struct {
	u64 gpa, size;
} ranges[RAM_RANGES] = {
	[RAM_LOW] = { RAM_LOW_GPA, RAM_LOW_SIZE },
	[RAM_HIGH] = { RAM_HIGH_GPA, RAM_HIGH_SIZE },
};

/* Memory that starts at a multiple of 2 MiB: more is reserved, and the file put over it. */
static u8 *get(u64 size, int fd, bool large)
{
	u8 *cpu = mmap(NULL, size + LARGE, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	u64 odd = (unsigned long)cpu % LARGE;

	EXPECT(cpu != MAP_FAILED);
	cpu += odd ? LARGE - odd : 0;
	if (fd >= 0)
		EXPECT(mmap(cpu, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) ==
		       cpu);
	else
		/* Refused by a kernel that has no such pages, where it does not matter. */
		madvise(cpu, size, large ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
	return cpu;
}

static int backing_file(const struct vdev *dev, u64 size)
{
	int fd;

	if (dev->ops != &vdev_model_ops)
		return -1;
	fd = memfd_create("ram", MFD_CLOEXEC);
	EXPECT(fd >= 0);
	EXPECT_EQ(ftruncate(fd, size), 0);
	return fd;
}

void ram_init(struct ram *ram, struct vdev *dev)
{
	unsigned int i;

	*ram = (struct ram) { .dev = dev };
	for (i = 0; i < RAM_RANGES; i++) {
		int fd = backing_file(dev, ranges[i].size);

		ram->cpu[i] = get(ranges[i].size, fd, i == RAM_LOW);
		ram->gpa[i] = ranges[i].gpa;
		if (i == RAM_HIGH && dev->ops == &vdev_bar_ops)
			ram->gpa[i] = RAM_OWN_HIGH_GPA;
		EXPECT_EQ(dev->ops->map(dev, ram->gpa[i], ranges[i].size, ram->cpu[i], fd, 0), 0);
		if (fd >= 0)
			close(fd);
	}
}

void ram_fini(struct ram *ram)
{
	unsigned int i;

	for (i = 0; i < RAM_RANGES; i++)
		EXPECT_EQ(munmap(ram->cpu[i], ranges[i].size), 0);
}

u64 ram_alloc(struct ram *ram, enum ram_range range, u64 size, u64 align)
{
	u64 start = (ram->used[range] + align - 1) & ~(align - 1);

	if (start + size > ranges[range].size)
		test_fail("the guest's memory is used up: a bug of the test");
	ram->used[range] = start + ((size + PAGE - 1) & ~(PAGE - 1));
	memset(ram->cpu[range] + start, 0, size);
	return ram->gpa[range] + start;
}

u64 ram_page(struct ram *ram)
{
	/* From both ranges in turn. */
	enum ram_range range = ram->used[RAM_HIGH] < RAM_HIGH_SIZE &&
			       ram->used[RAM_HIGH] <= ram->used[RAM_LOW] ? RAM_HIGH : RAM_LOW;

	return ram_alloc(ram, range, PAGE, PAGE);
}

void *ram_cpu(struct ram *ram, u64 gpa)
{
	unsigned int i;

	for (i = 0; i < RAM_RANGES; i++)
		if (gpa >= ram->gpa[i] && gpa - ram->gpa[i] < ranges[i].size)
			return ram->cpu[i] + (gpa - ram->gpa[i]);
	test_fail("no memory at %#llx: a bug of the test", (unsigned long long)gpa);
}

u64 ram_gpa(struct ram *ram, const void *cpu)
{
	const u8 *at = cpu;
	unsigned int i;

	for (i = 0; i < RAM_RANGES; i++)
		if (at >= ram->cpu[i] && at < ram->cpu[i] + ranges[i].size)
			return ram->gpa[i] + (at - ram->cpu[i]);
	test_fail("no memory of the guest at %p: a bug of the test", cpu);
}

void ram_store(struct ram *ram, u64 *where, u64 value)
{
	const struct vdev_store store = { .gpa = ram_gpa(ram, where), .value = value };

	if (ram->dev->ops->store)
		ram->dev->ops->store(ram->dev, &store, 1);
	else
		__atomic_store_n(where, value, __ATOMIC_RELEASE);
}

u32 ram_read(struct ram *ram, u64 gpa)
{
	return __atomic_load_n((u32 *)ram_cpu(ram, gpa), __ATOMIC_ACQUIRE);
}

void ram_write(struct ram *ram, u64 gpa, u32 value)
{
	__atomic_store_n((u32 *)ram_cpu(ram, gpa), value, __ATOMIC_RELEASE);
}

bool ram_wait(struct ram *ram, u64 gpa, u32 value, unsigned int ms)
{
	u64 end = vdev_now_ms() + ms;
	bool last;

	do {
		last = vdev_now_ms() > end;
		if (ram_read(ram, gpa) == value)
			return true;
		usleep(POLL_US);
	} while (!last);
	return false;
}
