// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interrupts on their way to the VMM, see vfu_irq.h.
 *
 * INTx is a level that masks itself: when it is asserted and not masked, the
 * VMM is told once, and not again before it unmasks; if the line still stands
 * then, it is told again. MSI is an event. That is what Linux's vfio-pci does
 * (drivers/vfio/pci/vfio_pci_intrs.c), which VMMs are written for. The unmask
 * event follows it as well: the VMM signals and the device listens, although
 * vfio-user.rst can be read the other way round.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "vfu_irq.h"
#include "vfu_message.h"

/**
 * struct gm_vfu_irq - The interrupts
 * @lock: protects everything here; held over the write to an eventfd, so that
 *	none is sent to one that has been taken away
 * @intx_fd: INTx, -1: not enabled
 * @msi_fd: MSI, -1: not enabled
 * @unmask_fd: readable when the VMM unmasks INTx, -1: none
 * @level: the line is asserted
 * @masked: INTx is masked
 */
struct gm_vfu_irq {
	pthread_mutex_t lock;
	int intx_fd;
	int msi_fd;
	int unmask_fd;
	bool level;
	bool masked;
};

struct gm_vfu_irq *gm_vfu_irq_create(void)
{
	struct gm_vfu_irq *irq = calloc(1, sizeof(*irq));

	if (!irq)
		return NULL;
	pthread_mutex_init(&irq->lock, NULL);
	irq->intx_fd = -1;
	irq->msi_fd = -1;
	irq->unmask_fd = -1;
	return irq;
}

void gm_vfu_irq_destroy(struct gm_vfu_irq *irq)
{
	if (!irq)
		return;
	gm_vfu_irq_release(irq);
	pthread_mutex_destroy(&irq->lock);
	free(irq);
}

/*
 * Only something like an eventfd is taken: a write to a pipe or socket could
 * kill the process by SIGPIPE. It must not block an engine either.
 */
static bool prepare_fd(int fd)
{
	struct stat st;
	int flags;

	if (fstat(fd, &st) || S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode) ||
	    S_ISREG(st.st_mode) || S_ISDIR(st.st_mode) || S_ISCHR(st.st_mode) ||
	    S_ISBLK(st.st_mode))
		return false;
	flags = fcntl(fd, F_GETFL);
	return flags >= 0 && !fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}

/* A full eventfd already says all that one more event would. */
static void signal_fd(int fd)
{
	const u64 one = 1;
	ssize_t ret;

	if (fd < 0)
		return;
	do {
		ret = write(fd, &one, sizeof(one));
	} while (ret < 0 && errno == EINTR);
}

static void replace_fd(int *slot, int fd)
{
	if (*slot >= 0)
		close(*slot);
	*slot = fd;
}

static void update_intx_locked(struct gm_vfu_irq *irq)
{
	if (irq->intx_fd < 0 || irq->msi_fd >= 0 || !irq->level || irq->masked)
		return;
	irq->masked = true;
	signal_fd(irq->intx_fd);
}

static void unmask_locked(struct gm_vfu_irq *irq)
{
	irq->masked = false;
	update_intx_locked(irq);
}

/* Enabling INTx starts unmasked: a line that stands already is told at once. */
static void set_trigger_locked(struct gm_vfu_irq *irq, u32 index, int fd)
{
	if (index == VFU_IRQ_MSI) {
		replace_fd(&irq->msi_fd, fd);
		update_intx_locked(irq);
		return;
	}
	replace_fd(&irq->intx_fd, fd);
	unmask_locked(irq);
}

static void disable_locked(struct gm_vfu_irq *irq, u32 index)
{
	if (index == VFU_IRQ_INTX)
		replace_fd(&irq->unmask_fd, -1);
	if (index == VFU_IRQ_INTX || index == VFU_IRQ_MSI)
		set_trigger_locked(irq, index, -1);
}

static void act_locked(struct gm_vfu_irq *irq, const struct vfu_irq_set *set)
{
	if (set->flags & VFU_IRQ_ACTION_MASK)
		irq->masked = true;
	else if (set->flags & VFU_IRQ_ACTION_UNMASK)
		unmask_locked(irq);
	else
		signal_fd(set->index == VFU_IRQ_MSI ? irq->msi_fd : irq->intx_fd);
}

static void configure_locked(struct gm_vfu_irq *irq, const struct gm_vfu_irq_set *set, int fd)
{
	u32 flags = set->set.flags;

	if (!set->set.count)
		disable_locked(irq, set->set.index);
	else if (flags & VFU_IRQ_DATA_EVENTFD && flags & VFU_IRQ_ACTION_UNMASK)
		replace_fd(&irq->unmask_fd, fd);
	else if (flags & VFU_IRQ_DATA_EVENTFD)
		set_trigger_locked(irq, set->set.index, fd);
	else if (flags & VFU_IRQ_DATA_NONE || set->bools[0])
		act_locked(irq, &set->set);
}

int gm_vfu_irq_configure(struct gm_vfu_irq *irq, const struct gm_vfu_irq_set *set, int fd)
{
	if (fd >= 0 && !prepare_fd(fd))
		return -EINVAL;
	pthread_mutex_lock(&irq->lock);
	configure_locked(irq, set, fd);
	pthread_mutex_unlock(&irq->lock);
	return 0;
}

void gm_vfu_irq_raise(struct gm_vfu_irq *irq, bool level)
{
	pthread_mutex_lock(&irq->lock);
	irq->level = level;
	if (level)
		signal_fd(irq->msi_fd);
	update_intx_locked(irq);
	pthread_mutex_unlock(&irq->lock);
}

int gm_vfu_irq_unmask_fd(struct gm_vfu_irq *irq)
{
	int fd;

	pthread_mutex_lock(&irq->lock);
	fd = irq->unmask_fd;
	pthread_mutex_unlock(&irq->lock);
	return fd;
}

void gm_vfu_irq_unmask_event(struct gm_vfu_irq *irq)
{
	u64 count;

	pthread_mutex_lock(&irq->lock);
	if (irq->unmask_fd >= 0) {
		if (read(irq->unmask_fd, &count, sizeof(count)) == sizeof(count))
			unmask_locked(irq);
		else if (errno != EAGAIN && errno != EINTR)
			/* It would be readable for ever. */
			replace_fd(&irq->unmask_fd, -1);
	}
	pthread_mutex_unlock(&irq->lock);
}

void gm_vfu_irq_release(struct gm_vfu_irq *irq)
{
	pthread_mutex_lock(&irq->lock);
	replace_fd(&irq->unmask_fd, -1);
	replace_fd(&irq->msi_fd, -1);
	replace_fd(&irq->intx_fd, -1);
	irq->masked = false;
	pthread_mutex_unlock(&irq->lock);
}
