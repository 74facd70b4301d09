// SPDX-License-Identifier: GPL-2.0-only
/*
 * How a guest's page tables are followed when KVM can watch them: what each mode costs, that
 * all of them are right, and what happens to pages that are no tables any more. For a
 * vGPU with a VM ("kvm:PATH").
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/kvm.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lib/memlock.h"
#include "lib/program.h"
#include "lib/vcpu.h"
#include "lib/work.h"

#define PAGE		4096ull
#define ENTRIES		512u
#define VA		0x0000004567000000ull
#define SIZE_2M		BIT_ULL(GEN9_PAGE_SHIFT_2M)
/* Submissions after which what does not change is protected, with a lot to spare. */
#define SETTLE		16u

static const char *const modes[] = { "strict", "async", "adaptive" };

/* The vGPU's files. */

static void attribute_path(char *path, size_t size, const char *name)
{
	if (strncmp(target(0), "kvm:", 4))
		test_skip("this takes a vGPU with a VM");
	snprintf(path, size, "%.400s/gvirt/%.64s", target(0) + 4, name);
}

static void read_attribute(const char *name, char *text, int size)
{
	char path[512];
	FILE *file;

	attribute_path(path, sizeof(path), name);
	file = fopen(path, "r");
	if (!file || !fgets(text, size, file))
		test_fail("%s: %s", path, strerror(errno));
	fclose(file);
	text[strcspn(text, "\n")] = '\0';
}

static u64 counter(const char *name)
{
	char text[32];

	read_attribute(name, text, sizeof(text));
	return strtoull(text, NULL, 10);
}

static int write_mode(const char *mode)
{
	char path[512];
	ssize_t len;
	int fd, err;

	attribute_path(path, sizeof(path), "shadow_mode");
	fd = open(path, O_WRONLY | O_CLOEXEC);
	EXPECT(fd >= 0);
	len = write(fd, mode, strlen(mode));
	err = len < 0 ? -errno : 0;
	close(fd);
	return err;
}

static void set_mode(const char *mode)
{
	EXPECT_EQ(write_mode(mode), 0);
}

/* What KVM counts of the CPU. */

static u64 cpu_stat(struct vcpu *vcpu, const char *name)
{
	struct kvm_stats_header header;
	char buf[sizeof(struct kvm_stats_desc) + 64];
	struct kvm_stats_desc *desc = (void *)buf;
	int fd = ioctl(vcpu->cpu, KVM_GET_STATS_FD, NULL);
	u64 value = 0;
	size_t size;
	u32 i;

	EXPECT(fd >= 0);
	EXPECT_EQ(pread(fd, &header, sizeof(header), 0), sizeof(header));
	size = sizeof(*desc) + header.name_size;
	EXPECT(size <= sizeof(buf));
	for (i = 0; i < header.num_desc; i++) {
		EXPECT_EQ(pread(fd, buf, size, header.desc_offset + i * size), size);
		if (strcmp(desc->name, name))
			continue;
		EXPECT_EQ(pread(fd, &value, sizeof(value), header.data_offset + desc->offset),
			  sizeof(value));
		close(fd);
		return value;
	}
	test_skip("this KVM does not count %s", name);
}

/* Work. */

static void start(struct work *work, const char *mode)
{
	set_mode(mode);
	work_start(work, target(0), BCS, 4);
}

static void stop(struct work *work)
{
	EXPECT_EQ(counter("shadow_lost"), 0);
	work_stop(work);
	set_mode("adaptive");
}

static void submit_often(struct work *work)
{
	unsigned int i;

	for (i = 0; i < SETTLE; i++)
		work_prove(work);
}

static u64 new_page(struct work *work)
{
	return ram_page(&work->guest.ram);
}

/* All entries of a table at once, as a driver's loop. */
static void fill_table(struct work *work, u64 va, u64 gpa)
{
	u64 first = ram_gpa(&work->guest.ram, ppgtt_entry(&work->pp, va, GEN9_PAGE_SHIFT_4K));
	struct vdev_store stores[ENTRIES];
	unsigned int i;

	for (i = 0; i < ENTRIES; i++)
		stores[i] = (struct vdev_store) {
			.gpa = first + i * sizeof(u64),
			.value = gpa | GEN9_PTE_PRESENT | GEN9_PTE_RW,
		};
	work->guest.dev.ops->store(&work->guest.dev, stores, ENTRIES);
}

/* Tests. */

static void attribute(void)
{
	static struct work work;
	char text[64];
	unsigned int i;

	start(&work, "adaptive");
	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		set_mode(modes[i]);
		read_attribute("shadow_mode", text, sizeof(text));
		EXPECT(!strcmp(text, modes[i]));
	}
	EXPECT_EQ(write_mode("both"), -EINVAL);
	read_attribute("shadow_mode", text, sizeof(text));
	EXPECT(!strcmp(text, "adaptive"));
	stop(&work);
}

/* A burst of 512 stores: exits, as the vGPU and as KVM counts them. */
static void burst(const char *mode, u64 most)
{
	static struct work work;
	u64 first, second, exits, faults;

	start(&work, mode);
	first = new_page(&work);
	second = new_page(&work);
	fill_table(&work, VA, first);
	work_store(&work, VA, 1);
	submit_often(&work);
	exits = counter("shadow_exits");
	faults = cpu_stat(work.guest.dev.vcpu, "pf_taken");
	fill_table(&work, VA, second);
	faults = cpu_stat(work.guest.dev.vcpu, "pf_taken") - faults;
	exits = counter("shadow_exits") - exits;
	work_store(&work, VA + 511 * PAGE + 8, 2);
	guest_expect(&work.guest, first, 1, "the first page");
	guest_expect(&work.guest, second + 8, 2, "the second page");
	if (exits > most || faults > most)
		test_fail("%s: %lu exits, %lu faults", mode, (unsigned long)exits,
			  (unsigned long)faults);
	EXPECT(strcmp(mode, "strict") || exits == ENTRIES);
	stop(&work);
}

static void burst_strict(void)
{
	burst("strict", ENTRIES);
}

static void burst_adaptive(void)
{
	burst("adaptive", 2);
}

static void burst_async(void)
{
	burst("async", 0);
}

/* 4 GiB in 2048 tables: what does not change costs no comparison, and what does, costs one. */
static void unchanged(const char *mode, bool compared)
{
	static struct work work;
	u64 page, before, after;
	unsigned int i;

	start(&work, mode);
	page = new_page(&work);
	for (i = 0; i < 2048; i++)
		ppgtt_map(&work.pp, VA + i * SIZE_2M, page, GEN9_PAGE_SHIFT_4K);
	submit_often(&work);
	EXPECT(counter("shadow_tables") > 2048);
	before = counter("shadow_compares");
	for (i = 0; i < 10; i++)
		work_prove(&work);
	after = counter("shadow_compares");
	if (compared)
		EXPECT(after - before >= 10 * 2048);
	else
		EXPECT_EQ(after, before);
	page = new_page(&work);
	ppgtt_map(&work.pp, VA + 1234 * SIZE_2M, page, GEN9_PAGE_SHIFT_4K);
	work_store(&work, VA + 1234 * SIZE_2M, 3);
	guest_expect(&work.guest, page, 3, "a page of one table of many");
	if (!compared)
		EXPECT(counter("shadow_compares") - after <= 2);
	stop(&work);
}

static void unchanged_strict(void)
{
	unchanged("strict", false);
}

static void unchanged_adaptive(void)
{
	unchanged("adaptive", false);
}

static void unchanged_async(void)
{
	unchanged("async", true);
}

/* A strict table is mirrored while the engine runs, without a word to the vGPU. */
static void mirrored(void)
{
	static struct work work;
	struct cmds cmds = { };
	u64 first, second;
	u32 seqno;

	start(&work, "strict");
	first = new_page(&work);
	second = new_page(&work);
	ppgtt_map(&work.pp, VA, first, GEN9_PAGE_SHIFT_4K);
	ppgtt_map(&work.pp, VA + PAGE, first, GEN9_PAGE_SHIFT_4K);
	work_store(&work, VA, 1);
	emit_store(&cmds, GGTT, work.target.ggtt + 64, 1);
	emit_wait_equal(&cmds, GGTT, work.target.ggtt, 1);
	emit_store(&cmds, PPGTT, VA + PAGE + 4, 2);
	seqno = ctx_request(&work.ctx, &cmds);
	engine_submit(work.engine, &work.ctx, NULL);
	EXPECT(ram_wait(&work.guest.ram, work_dword(&work, 16), 1, PATIENCE_MS));
	ppgtt_map(&work.pp, VA + PAGE, second, GEN9_PAGE_SHIFT_4K);
	ram_write(&work.guest.ram, work_dword(&work, 0), 1);
	ctx_wait(&work.ctx, seqno);
	EXPECT(engine_drain(work.engine, PATIENCE_MS));
	guest_expect(&work.guest, second + 4, 2, "the page of the entry as it is now");
	stop(&work);
}

static void *flip_modes(void *data)
{
	const bool *end = data;
	unsigned int i;

	for (i = 0; !__atomic_load_n(end, __ATOMIC_ACQUIRE); i++) {
		set_mode(modes[i % ARRAY_SIZE(modes)]);
		usleep(2000);
	}
	return NULL;
}

/* The mode changes all the time, the results do not. */
static void switched(void)
{
	static struct work work;
	u64 page[4], va;
	bool end = false;
	pthread_t thread;
	unsigned int i;

	start(&work, "adaptive");
	for (i = 0; i < ARRAY_SIZE(page); i++)
		page[i] = new_page(&work);
	EXPECT_EQ(pthread_create(&thread, NULL, flip_modes, &end), 0);
	for (i = 0; i < 100; i++) {
		va = VA + i % 3 * SIZE_2M + i % 5 * PAGE;
		ppgtt_map(&work.pp, va, page[i % 4], GEN9_PAGE_SHIFT_4K);
		work_store(&work, va + 4 * i, i);
		guest_expect(&work.guest, page[i % 4] + 4 * i, i, "a page in changing modes");
	}
	__atomic_store_n(&end, true, __ATOMIC_RELEASE);
	EXPECT_EQ(pthread_join(thread, NULL), 0);
	stop(&work);
}

/* Two contexts with a page table in common, in each mode. */
static void shared(void)
{
	static struct work work;
	static struct ctx ctx;
	struct cmds cmds = { };
	struct ppgtt pp;
	u64 page;
	unsigned int i;

	start(&work, "adaptive");
	ppgtt_map(&work.pp, VA, new_page(&work), GEN9_PAGE_SHIFT_4K);
	ppgtt_init(&pp, &work.guest.ram, 4, PPGTT_SPARSE);
	ppgtt_set(&pp, ppgtt_entry(&pp, VA, GEN9_PAGE_SHIFT_2M),
		  *ppgtt_entry(&work.pp, VA, GEN9_PAGE_SHIFT_2M));
	ctx_init(&ctx, work.engine, &pp);
	emit_flush_tlb(&cmds, work.target.ggtt + 4088);
	emit_store(&cmds, PPGTT, VA, 1);
	for (i = 0; i < 3 * ARRAY_SIZE(modes); i++) {
		set_mode(modes[i / 3]);
		page = new_page(&work);
		ppgtt_map(&work.pp, VA, page, GEN9_PAGE_SHIFT_4K);
		ctx_run(&ctx, &cmds);
		guest_expect(&work.guest, page, 1, "a page of the other's table");
		work_store(&work, VA, 2);
		guest_expect(&work.guest, page, 2, "a page of a table in common");
	}
	stop(&work);
}

/* A page table that becomes data of its guest's, and a page table once more. */
static void ends_as_table(const char *mode)
{
	static struct work work;
	u64 *entry, *content, table, page, exits;
	unsigned int i;

	start(&work, mode);
	page = new_page(&work);
	ppgtt_map(&work.pp, VA, page, GEN9_PAGE_SHIFT_4K);
	work_store(&work, VA, 1);
	entry = ppgtt_entry(&work.pp, VA, GEN9_PAGE_SHIFT_2M);
	table = *entry;
	content = ppgtt_entry(&work.pp, VA, GEN9_PAGE_SHIFT_4K);
	submit_often(&work);
	/* The guest may write what it wants before it says that this is no table. */
	for (i = 0; i < 8; i++)
		ram_store(&work.guest.ram, content + i, 0xdead0000beef0003ull + i);
	ppgtt_set(&work.pp, entry, 0);
	work_prove(&work);
	exits = counter("shadow_exits");
	for (i = 0; i < ENTRIES; i++)
		ram_store(&work.guest.ram, content + i, ~0ull - i);
	EXPECT_EQ(counter("shadow_exits"), exits);
	for (i = 0; i < ENTRIES; i++)
		ram_store(&work.guest.ram, content + i, 0);
	ram_store(&work.guest.ram, content + 3, page | GEN9_PTE_PRESENT | GEN9_PTE_RW);
	ppgtt_set(&work.pp, entry, table);
	work_store(&work, VA + 3 * PAGE + 4, 2);
	guest_expect(&work.guest, page + 4, 2, "a page of a table that is one again");
	stop(&work);
}

static void data_strict(void)
{
	ends_as_table("strict");
}

static void data_adaptive(void)
{
	ends_as_table("adaptive");
}

/* KVM's memory slots go and come back, and the guest writes before and after. */
static void move_slots(const char *mode)
{
	static struct work work;
	struct ram *ram = &work.guest.ram;
	unsigned int i;
	u64 page;

	start(&work, mode);
	for (i = 0; i < 3; i++) {
		page = new_page(&work);
		ppgtt_map(&work.pp, VA, page, GEN9_PAGE_SHIFT_4K);
		work_store(&work, VA, i);
		guest_expect(&work.guest, page, i, "a page before the slots go");
		submit_often(&work);
		vcpu_unplug(work.guest.dev.vcpu, RAM_HIGH_GPA);
		vcpu_unplug(work.guest.dev.vcpu, RAM_LOW_GPA);
		/* The hole: this is lost, and KVM remembers that there is no memory. */
		ram_store(ram, ppgtt_entry(&work.pp, VA, GEN9_PAGE_SHIFT_4K), 0);
		work_prove(&work);
		vcpu_plug(work.guest.dev.vcpu, RAM_LOW_GPA, ram->cpu[RAM_LOW], RAM_LOW_SIZE);
		vcpu_plug(work.guest.dev.vcpu, RAM_HIGH_GPA, ram->cpu[RAM_HIGH], RAM_HIGH_SIZE);
		submit_often(&work);
		page = new_page(&work);
		ppgtt_map(&work.pp, VA, page, GEN9_PAGE_SHIFT_4K);
		work_store(&work, VA, 0x100 + i);
		guest_expect(&work.guest, page, 0x100 + i, "a page after the slots came back");
	}
	stop(&work);
}

static void slots_strict(void)
{
	move_slots("strict");
}

static void slots_adaptive(void)
{
	move_slots("adaptive");
}

/* What nobody tells of, as a store of the VMM's: found all the same, and never again. */
static void lose_store(void)
{
	static struct work work;
	u64 first, second, *entry, end;

	start(&work, "adaptive");
	first = new_page(&work);
	second = new_page(&work);
	ppgtt_map(&work.pp, VA, first, GEN9_PAGE_SHIFT_4K);
	work_store(&work, VA, 1);
	submit_often(&work);
	entry = ppgtt_entry(&work.pp, VA, GEN9_PAGE_SHIFT_4K);
	*(volatile u64 *)entry = second | GEN9_PTE_PRESENT | GEN9_PTE_RW;
	for (end = vdev_now_ms() + 30000; !counter("shadow_lost"); usleep(10000))
		if (vdev_now_ms() > end)
			test_fail("a lost store is not found");
	EXPECT_EQ(counter("shadow_lost"), 1);
	work_store(&work, VA, 2);
	guest_expect(&work.guest, first, 1, "the first page");
	guest_expect(&work.guest, second, 2, "the second page");
	submit_often(&work);
	*(volatile u64 *)entry = first | GEN9_PTE_PRESENT | GEN9_PTE_RW;
	work_store(&work, VA, 3);
	guest_expect(&work.guest, first, 3, "the first page again");
	EXPECT_EQ(counter("shadow_lost"), 1);
	work_stop(&work);
}

/* Memory in a row is pinned in a few calls, by a table of pages and by large ones. */
static void batches(void)
{
	static struct work work;
	u64 memory, pins, calls;
	unsigned int i;

	start(&work, "adaptive");
	memory = ram_alloc(&work.guest.ram, RAM_LOW, SIZE_2M, PAGE);
	work_prove(&work);
	pins = counter("pins");
	calls = counter("pin_calls");
	for (i = 0; i < ENTRIES; i++)
		ppgtt_map(&work.pp, VA + i * PAGE, memory + i * PAGE, GEN9_PAGE_SHIFT_4K);
	work_store(&work, VA + 511 * PAGE, 2);
	guest_expect(&work.guest, memory + 511 * PAGE, 2, "the last page of many");
	EXPECT(counter("pins") - pins >= ENTRIES);
	/* The table itself is one more, and what the work of the submission pins. */
	EXPECT(counter("pin_calls") - calls <= 8);
	stop(&work);
}

/* At the limit of locked memory a request is refused; nothing else is harmed. */
static void memory_limit(void)
{
	static struct work work;
	struct cmds cmds = { };
	u64 memory, before, end;
	unsigned int i;

	memlock_ignore(false);
	memlock_limit(RLIM_INFINITY);
	start(&work, "adaptive");
	memory = ram_alloc(&work.guest.ram, RAM_LOW, SIZE_2M, PAGE);
	work_prove(&work);
	before = counter("refused_requests");
	memlock_limit(memlock_used() + 128 * PAGE);
	for (i = 0; i < ENTRIES; i++)
		ppgtt_map(&work.pp, VA + i * PAGE, memory + i * PAGE, GEN9_PAGE_SHIFT_4K);
	emit_store(&cmds, PPGTT, VA, 1);
	ctx_request(&work.ctx, &cmds);
	engine_submit(work.engine, &work.ctx, NULL);
	end = vdev_now_ms() + PATIENCE_MS;
	for (; counter("refused_requests") == before; usleep(10000))
		if (vdev_now_ms() > end)
			test_fail("a request that needs more memory than the limit is not refused");
	engine_drain(work.engine, 100);
	guest_expect(&work.guest, memory, 0, "memory of a request that was refused");
	memlock_limit(RLIM_INFINITY);
	/* For so long nobody asks VFIO again. */
	sleep(6);
	engine_reset(work.engine);
	ctx_init(&work.ctx, work.engine, &work.pp);
	work_store(&work, VA + 511 * PAGE, 2);
	guest_expect(&work.guest, memory + 511 * PAGE, 2, "the last page, when there is no limit");
	stop(&work);
	memlock_ignore(true);
}

/* The last one counts a store as lost. */
static const struct testcase tests[] = {
	{ "shadow-attribute", attribute },
	{ "shadow-burst-strict", burst_strict },
	{ "shadow-burst-adaptive", burst_adaptive },
	{ "shadow-burst-async", burst_async },
	{ "shadow-unchanged-strict", unchanged_strict },
	{ "shadow-unchanged-adaptive", unchanged_adaptive },
	{ "shadow-unchanged-async", unchanged_async },
	{ "shadow-mirrored", mirrored },
	{ "shadow-switched", switched },
	{ "shadow-shared", shared },
	{ "shadow-data-strict", data_strict },
	{ "shadow-data-adaptive", data_adaptive },
	{ "shadow-slots-strict", slots_strict },
	{ "shadow-slots-adaptive", slots_adaptive },
	{ "shadow-batches", batches },
	{ "shadow-memory-limit", memory_limit },
	{ "shadow-lost", lose_store },
};

int main(int argc, char **argv)
{
	return program_main(argc, argv, tests, ARRAY_SIZE(tests));
}
