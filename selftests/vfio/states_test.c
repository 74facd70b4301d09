// SPDX-License-Identifier: GPL-2.0-only
/*
 * VFIO_DEVICE_RESET, closing and being killed in every state that an engine can be in; memory
 * that is unmapped under it. Everything stops in bounded time, and works at once after it.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_lrc.h>
#include <gvirt/gen9_reset.h>

#include "lib/program.h"
#include "lib/spin.h"
#include "lib/work.h"

/* Bound of a reset, a close or an opening, also on a kernel full of checks. */
#define BOUND_MS	10000
#define RACE_MS		700
#define OTHER_VA	0x0000004567000000ull

static void enter_idle(struct work *work)
{
	work_prove(work);
}

static void enter_wait(struct work *work)
{
	spin_start(work, SPIN_WAIT);
}

static void enter_loop(struct work *work)
{
	spin_start(work, SPIN_LOOP);
}

static void enter_hog(struct work *work)
{
	spin_start(work, SPIN_HOG);
}

/* Both lists are full. */
static void enter_full(struct work *work)
{
	static struct ctx second, third;
	struct cmds cmds = { };

	ctx_init(&second, work->engine, &work->pp);
	ctx_init(&third, work->engine, &work->pp);
	emit_increment(&cmds, PPGTT, work->target_va);
	ctx_request(&second, &cmds);
	ctx_request(&third, &cmds);
	spin_request(work, &work->ctx, SPIN_HOG);
	engine_submit(work->engine, &work->ctx, &second);
	engine_expect(work->engine, GEN9_CSB_IDLE_TO_ACTIVE, NULL);
	engine_submit(work->engine, &third, NULL);
}

/* Submitted this very moment. */
static void enter_fresh(struct work *work)
{
	spin_request(work, &work->ctx, SPIN_LOOP);
	engine_submit(work->engine, &work->ctx, NULL);
}

/* In the middle of a submission. */
static void enter_half(struct work *work)
{
	ctx_publish(&work->ctx);
	engine_write(work->engine, GEN9_RING_ELSP, 0);
	engine_write(work->engine, GEN9_RING_ELSP, 0);
	engine_write(work->engine, GEN9_RING_ELSP, ctx_descriptor(&work->ctx) >> 32);
}

/* In the middle of a reset's handshake. */
static void enter_handshake(struct work *work)
{
	spin_start(work, SPIN_LOOP);
	engine_write(work->engine, GEN9_RING_RESET_CTL, vdev_set_bits(GEN9_RESET_CTL_REQUEST));
}

static void (*const enter[])(struct work *work) = {
	enter_idle, enter_wait, enter_loop, enter_hog, enter_full, enter_fresh, enter_half,
	enter_handshake,
};

static enum engine_id engine_for(unsigned int i)
{
	return i % 2 ? BCS + i / 2 % (ENGINES - BCS) : RCS;
}

/* Each state on the render engine and on one of the others. */
static void on_all_states(void (*test)(struct work *work))
{
	static struct work work;
	unsigned int i;

	for (i = 0; i < 2 * ARRAY_SIZE(enter); i++) {
		work_start(&work, target(0), engine_for(i), 4);
		enter[i / 2](&work);
		test(&work);
		work_stop(&work);
	}
}

static void need_reset(void)
{
	struct vdev dev;
	int err;

	vdev_open(&dev, target(0));
	err = dev.ops->reset(&dev);
	vdev_close(&dev);
	if (err)
		test_skip("the device has no reset of its own (%d)", err);
}

static void check_device_reset(struct work *work)
{
	u64 start = vdev_now_ms();

	vdev_reset(&work->guest.dev);
	EXPECT(vdev_now_ms() - start < BOUND_MS);
	spin_expect_stopped(work);
	work_renew(work);
	work_prove(work);
	work_prove(work);
}

static void device_reset(void)
{
	need_reset();
	on_all_states(check_device_reset);
}

static void need_vgpu(void)
{
	if (!target_virtual())
		test_skip("nobody stops the chip when its user goes");
}

static void check_close(struct work *work)
{
	enum engine_id id = work->engine->id;
	u64 start = vdev_now_ms();

	guest_close(&work->guest);
	work_start(work, target(0), id, 4);
	EXPECT(vdev_now_ms() - start < BOUND_MS);
	work_prove(work);
}

static void close_and_open(void)
{
	need_vgpu();
	on_all_states(check_close);
}

/* The user of the vGPU dies without a word, as QEMU does when it is killed. */
static void kill_user(unsigned int id, unsigned int state)
{
	static struct work work;
	int status;
	pid_t pid = fork();

	if (!pid) {
		work_start(&work, target(0), id, 4);
		enter[state](&work);
		kill(getpid(), SIGKILL);
	}
	EXPECT_EQ(waitpid(pid, &status, 0), pid);
	/* Else it found something wrong, and said so. */
	EXPECT(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static void killed(void)
{
	static struct work work;
	unsigned int i;

	need_vgpu();
	for (i = 0; i < 2 * ARRAY_SIZE(enter); i++) {
		kill_user(engine_for(i), i / 2);
		work_start(&work, target(0), engine_for(i), 4);
		work_prove(&work);
		work_stop(&work);
	}
}

/* The memory goes before the device does. */
static void check_container_first(struct work *work)
{
	struct vdev *dev = &work->guest.dev;
	enum engine_id id = work->engine->id;

	close(dev->container);
	close(dev->group);
	close(dev->fd);
	ram_fini(&work->guest.ram);
	irq_fini(&work->guest.irq);
	work_start(work, target(0), id, 4);
	work_prove(work);
}

static void container_first(void)
{
	need_vgpu();
	on_all_states(check_container_first);
}

/* Memory is unmapped while commands use it: bounded, and nothing reaches it any more. */
static void check_unmap(struct work *work)
{
	struct vdev *dev = &work->guest.dev;
	u64 start = vdev_now_ms();

	EXPECT_EQ(dev->ops->unmap(dev, RAM_HIGH_GPA, RAM_HIGH_SIZE), 0);
	EXPECT_EQ(dev->ops->unmap(dev, RAM_LOW_GPA, RAM_LOW_SIZE), 0);
	EXPECT(vdev_now_ms() - start < BOUND_MS);
	spin_expect_stopped(work);
	EXPECT_EQ(dev->ops->map(dev, RAM_LOW_GPA, RAM_LOW_SIZE, work->guest.ram.cpu[RAM_LOW], -1,
				0), 0);
	EXPECT_EQ(dev->ops->map(dev, RAM_HIGH_GPA, RAM_HIGH_SIZE, work->guest.ram.cpu[RAM_HIGH],
				-1, 0), 0);
	vdev_reset(dev);
	work_renew(work);
	work_prove(work);
}

static void unmap(void)
{
	need_vgpu();
	on_all_states(check_unmap);
}

/* The VMM gives other memory at the same addresses. */
static void check_replaced(struct work *work)
{
	struct vdev *dev = &work->guest.dev;
	u8 *old = work->guest.ram.cpu[RAM_HIGH];
	u64 page = ram_alloc(&work->guest.ram, RAM_HIGH, 4096, 4096);
	u32 ggtt = ggtt_bind(&work->guest.ggtt, page, 1);
	struct cmds cmds = { };
	u8 *new;

	ppgtt_map(&work->pp, OTHER_VA, page, GEN9_PAGE_SHIFT_4K);
	emit_increment(&cmds, PPGTT, OTHER_VA);
	emit_increment(&cmds, GGTT, ggtt + 4);
	ctx_run(&work->ctx, &cmds);
	EXPECT_EQ(dev->ops->unmap(dev, RAM_HIGH_GPA, RAM_HIGH_SIZE), 0);
	new = mmap(NULL, RAM_HIGH_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	EXPECT(new != MAP_FAILED);
	/* Tables and all: only the place is another one. */
	memcpy(new, old, RAM_HIGH_SIZE);
	work->guest.ram.cpu[RAM_HIGH] = new;
	EXPECT_EQ(dev->ops->map(dev, RAM_HIGH_GPA, RAM_HIGH_SIZE, new, -1, 0), 0);
	ctx_run(&work->ctx, &cmds);
	guest_expect(&work->guest, page, 2, "a page of the new memory, by its own address");
	guest_expect(&work->guest, page + 4, 2, "a page of the new memory, by its global address");
	EXPECT_EQ(*(u32 *)(old + (page - RAM_HIGH_GPA)), 1);
	EXPECT_EQ(*(u32 *)(old + (page - RAM_HIGH_GPA) + 4), 1);
	EXPECT_EQ(munmap(old, RAM_HIGH_SIZE), 0);
}

static void replaced(void)
{
	need_vgpu();
	work_on_each_engine(check_replaced);
}

/* What several threads of a VMM may do to a device at the same time. */

static atomic_bool racing;

static void *race_ports(void *arg)
{
	struct work *work = arg;
	u64 descriptor = ctx_descriptor(&work->ctx);

	while (racing)
		engine_submit_raw(work->engine, descriptor, 0);
	return NULL;
}

static void *race_memory(void *arg)
{
	struct work *work = arg;
	struct vdev *dev = &work->guest.dev;

	while (racing) {
		EXPECT_EQ(dev->ops->unmap(dev, RAM_HIGH_GPA, RAM_HIGH_SIZE), 0);
		EXPECT_EQ(dev->ops->map(dev, RAM_HIGH_GPA, RAM_HIGH_SIZE,
					work->guest.ram.cpu[RAM_HIGH], -1, 0), 0);
	}
	return NULL;
}

static void *race_resets(void *arg)
{
	struct work *work = arg;
	unsigned int i;

	for (i = 0; racing; i++)
		vdev_write(&work->guest.dev, GEN9_GDRST, BIT(i % 6));
	return NULL;
}

static void *race_device_resets(void *arg)
{
	struct work *work = arg;

	while (racing)
		vdev_reset(&work->guest.dev);
	return NULL;
}

static void *race_table(void *arg)
{
	struct work *work = arg;
	u32 i;

	for (i = 0; racing; i++)
		ggtt_write(&work->guest.ggtt, i % 1024 * 4096,
			   (RAM_LOW_GPA + i % 512 * 4096) | GEN9_GGTT_PRESENT);
	return NULL;
}

static void check_race(struct work *work)
{
	static void *(*const racers[])(void *arg) = {
		race_ports, race_memory, race_resets, race_device_resets, race_table,
	};
	pthread_t threads[ARRAY_SIZE(racers)];
	unsigned int i;

	spin_request(work, &work->ctx, SPIN_LOOP);
	ctx_publish(&work->ctx);
	racing = true;
	for (i = 0; i < ARRAY_SIZE(racers); i++)
		EXPECT_EQ(pthread_create(&threads[i], NULL, racers[i], work), 0);
	usleep(RACE_MS * 1000);
	racing = false;
	for (i = 0; i < ARRAY_SIZE(racers); i++)
		EXPECT_EQ(pthread_join(threads[i], NULL), 0);
	vdev_reset(&work->guest.dev);
	work_renew(work);
	work_prove(work);
}

static void race(void)
{
	need_vgpu();
	work_on_each_engine(check_race);
}

/* Many times in a row, without a pause. */
static void again_and_again(void)
{
	static struct work work;
	unsigned int i;

	need_vgpu();
	for (i = 0; i < 24; i++) {
		work_start(&work, target(0), i % ENGINES, 4);
		work_prove(&work);
		spin_start(&work, i % SPIN_KINDS);
		work_stop(&work);
	}
}

/* After a reset, and for a new user, nothing of what was is left. */
static void check_scrubbed(struct work *work)
{
	struct engine *engine = work->engine;

	guest_wake(&work->guest.dev);
	EXPECT_EQ(engine_read(engine, GEN9_RING_HWS_PGA), 0);
	EXPECT_EQ(engine_read(engine, GEN9_RING_CONTEXT_STATUS_PTR) & GEN9_CSB_PTR_WRITE_MASK,
		  GEN9_CSB_PTR_RESET);
	EXPECT_EQ(engine_read(engine, GEN9_RING_EXECLIST_STATUS_LO) &
		  (GEN9_EL_STATUS_LIST0_VALID | GEN9_EL_STATUS_LIST1_VALID), 0);
	EXPECT_EQ(engine_read(engine, GEN9_RING_HEAD), 0);
}

static void scrubbed(void)
{
	static struct work work;
	unsigned int id;

	need_vgpu();
	for (id = 0; id < ENGINES; id++) {
		work_start(&work, target(0), id, 4);
		work_prove(&work);
		vdev_reset(&work.guest.dev);
		check_scrubbed(&work);
		work_renew(&work);
		work_prove(&work);
		guest_close(&work.guest);
		vdev_open(&work.guest.dev, target(0));
		check_scrubbed(&work);
		vdev_close(&work.guest.dev);
	}
}

static const struct testcase tests[] = {
	{ "states-device-reset", device_reset },
	{ "states-close", close_and_open },
	{ "states-killed", killed },
	{ "states-container-first", container_first },
	{ "states-unmap", unmap },
	{ "states-memory-replaced", replaced },
	{ "states-race", race },
	{ "states-again-and-again", again_and_again },
	{ "states-scrubbed", scrubbed },
};

int main(int argc, char **argv)
{
	return program_main(argc, argv, tests, ARRAY_SIZE(tests));
}
