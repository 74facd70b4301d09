/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * As much of the kernel as the scheduler needs, for one thread: locks check that
 * they are not taken twice, timers and work items are entries in a list that the
 * test works off, and whoever waits lets the time of the test go by.
 */
#ifndef GVIRT_SHIM_KERNEL_H
#define GVIRT_SHIM_KERNEL_H

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <linux/bits.h>
#include <linux/types.h>

#define PAGE_SHIFT		12
#define PAGE_SIZE		4096u
#define NSEC_PER_USEC		1000l
#define NSEC_PER_MSEC		1000000l
#define GFP_KERNEL		0
#define __iomem

#define dma_addr_t		u64
#define phys_addr_t		u64
#define resource_size_t		u64
#define ktime_t			u64

struct shim_atomic {
	s64 counter;
};

#define atomic_t		struct shim_atomic
#define atomic64_t		struct shim_atomic

#define READ_ONCE(x)		(*(const volatile typeof(x) *)&(x))
#define WRITE_ONCE(x, value)	(*(volatile typeof(x) *)&(x) = (value))
#define min(a, b)		shim_min(a, b)
#define container_of(ptr, type, member) \
	((type *)((char *)(ptr) - offsetof(type, member)))

static inline u64 shim_min(u64 a, u64 b)
{
	return a < b ? a : b;
}

/* A bug of the scheduler ends the test. */
void shim_bug(const char *what, const char *file, int line);

#define SHIM_FAULT_IF(condition) \
	((condition) ? shim_bug(#condition, __FILE__, __LINE__) : (void)0)
#define WARN_ON_ONCE(condition)		SHIM_FAULT_IF(condition)
#define lockdep_assert_held(lock)	SHIM_FAULT_IF(!(lock)->held)

#define atomic64_inc(counter_ptr)	((void)(counter_ptr)->counter++)

#define IS_ERR(ptr)		((unsigned long)(ptr) > -4096ul)
#define ERR_PTR(error)		((void *)(long)(error))

/* Locks. */

struct mutex {
	bool held;
};

#define spinlock_t		struct mutex

#define spin_lock_init(lock)	((lock)->held = false)
#define mutex_init(lock)	((lock)->held = false)
#define mutex_destroy(lock)	SHIM_FAULT_IF((lock)->held)

static inline struct mutex *shim_lock(struct mutex *lock)
{
	SHIM_FAULT_IF(lock->held);
	lock->held = true;
	return lock;
}

static inline void shim_unlock(struct mutex **lock)
{
	(*lock)->held = false;
}

#define SHIM_GUARD(name) \
	struct mutex *(name) __attribute__((cleanup(shim_unlock), unused)) = shim_lock
#define SHIM_GUARD_LINE(line)		SHIM_GUARD(guard_##line)
#define SHIM_GUARD_AT(line)		SHIM_GUARD_LINE(line)
#define SHIM_GUARD_mutex		SHIM_GUARD_AT(__LINE__)
#define SHIM_GUARD_spinlock_irqsave	SHIM_GUARD_AT(__LINE__)
#define guard(kind)			SHIM_GUARD_##kind

#define SHIM_SCOPE_spinlock_irqsave(lock) \
	for (struct mutex *scope __attribute__((cleanup(shim_unlock))) = shim_lock(lock), \
	     *once = scope; once; once = NULL)
#define scoped_guard(kind, lock)	SHIM_SCOPE_##kind(lock)

/* Time, timers, work. */

enum hrtimer_restart {
	HRTIMER_NORESTART,
};

enum hrtimer_mode {
	HRTIMER_MODE_ABS,
};

struct hrtimer {
	enum hrtimer_restart (*function)(struct hrtimer *timer);
	u64 at;
};

struct work_struct {
	void (*function)(struct work_struct *work);
	bool queued;
};

struct workqueue_struct {
	int unused;
};

struct timer_list {
	int unused;
};

u64 ktime_get_ns(void);

#define ns_to_ktime(ns)			(ns)
#define msecs_to_jiffies(ms)		(ms)
#define nsecs_to_jiffies(ns)		((ns) / NSEC_PER_MSEC)
#define INIT_WORK(work, fn)		shim_work(work, fn)

static inline void shim_work(struct work_struct *work, void (*function)(struct work_struct *work))
{
	*work = (struct work_struct) { .function = function };
}

static inline void queue_work(struct workqueue_struct *queue, struct work_struct *work)
{
	(void)queue;
	work->queued = true;
}

static inline void cancel_work_sync(struct work_struct *work)
{
	work->queued = false;
}

static inline void hrtimer_start(struct hrtimer *timer, ktime_t at, enum hrtimer_mode mode)
{
	(void)mode;
	timer->at = at;
}

static inline void hrtimer_cancel(struct hrtimer *timer)
{
	timer->at = 0;
}

static inline void hrtimer_try_to_cancel(struct hrtimer *timer)
{
	timer->at = 0;
}

/* Waits: the test goes on until then. */

struct wait_queue_head {
	int unused;
};

#define wait_queue_head_t	struct wait_queue_head

struct completion {
	int unused;
};

#define init_waitqueue_head(wait)	((wait)->unused = 0)
#define wake_up_all(wait)		((void)(wait))

/* Lets at most that much time go by; false when it has. */
bool shim_step(u64 end_ns);

#define wait_event_timeout(wait, condition, ms)					\
({										\
	u64 until_ns = ktime_get_ns() + (u64)(ms) * NSEC_PER_MSEC;		\
	bool met;								\
										\
	(void)(wait);								\
	while (!(met = (condition)) && shim_step(until_ns))			\
		;								\
	met;									\
})

/* The rest. */

struct device {
	int unused;
};

struct pci_dev {
	struct device dev;
};

struct pci_device_id {
	unsigned long driver_data;
};

/* There are no registers. */
static inline u32 readl(const void *address)
{
	SHIM_FAULT_IF(address);
	return 0;
}

static inline void writel(u32 value, void *address)
{
	SHIM_FAULT_IF(address || value);
}

static inline void *kvzalloc(size_t size, int flags)
{
	(void)flags;
	return calloc(1, size);
}

#define kvfree(memory)			free(memory)
#define dev_warn_ratelimited(dev, ...)	((void)(dev))
#define dev_notice_ratelimited(dev, ...)	((void)(dev))

#endif
