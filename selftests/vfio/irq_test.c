// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interrupts. What causes one without work on an engine is a DisplayPort side channel
 * on which nobody answers: it ends with a timeout and says so.
 */
#include <gvirt/gen9_display.h>
#include <gvirt/gen9_gt.h>

#include "groups.h"
#include "vgpu.h"

#define NONE_TRIGGER	(VFIO_IRQ_SET_DATA_NONE | VFIO_IRQ_SET_ACTION_TRIGGER)
#define NONE_UNMASK	(VFIO_IRQ_SET_DATA_NONE | VFIO_IRQ_SET_ACTION_UNMASK)
#define NONE_MASK	(VFIO_IRQ_SET_DATA_NONE | VFIO_IRQ_SET_ACTION_MASK)
#define IIR		(GEN9_DE_PORT_IRQ + GEN9_IRQ_IIR)
#define IMR		(GEN9_DE_PORT_IRQ + GEN9_IRQ_IMR)
#define IER		(GEN9_DE_PORT_IRQ + GEN9_IRQ_IER)

static void cause(const struct vgpu *vgpu)
{
	vgpu_write(vgpu, GEN9_AUX_CTL(0), GEN9_AUX_SEND_BUSY | GEN9_AUX_INTERRUPT |
		   GEN9_AUX_DONE | GEN9_AUX_TIMEOUT);
}

static void enable(const struct vgpu *vgpu)
{
	vgpu_write(vgpu, IMR, ~GEN9_PORT_IRQ_AUX_A);
	vgpu_write(vgpu, IER, GEN9_PORT_IRQ_AUX_A);
	vgpu_write(vgpu, GEN9_MASTER_IRQ, GEN9_MASTER_IRQ_ENABLE);
}

static void start(struct vgpu *vgpu)
{
	vgpu_start(vgpu);
	enable(vgpu);
}

/* From the register to the eventfd, and back to silence. */
static void message(void)
{
	struct vgpu vgpu;
	int fd;

	start(&vgpu);
	fd = vgpu_arm(&vgpu, VFIO_PCI_MSI_IRQ_INDEX);
	EXPECT_EQ(vgpu_heard(fd), 0);
	cause(&vgpu);
	EXPECT_EQ(vgpu_heard(fd), 1);
	EXPECT_EQ(vgpu_read(&vgpu, GEN9_AUX_CTL(0)) & (GEN9_AUX_SEND_BUSY | GEN9_AUX_TIMEOUT),
		  GEN9_AUX_TIMEOUT);
	EXPECT_EQ(vgpu_read(&vgpu, GEN9_MASTER_IRQ), GEN9_MASTER_IRQ_ENABLE | GEN9_MASTER_DE_PORT);
	EXPECT_EQ(vgpu_read(&vgpu, IIR), GEN9_PORT_IRQ_AUX_A);
	/* Still pending: no second message. */
	cause(&vgpu);
	EXPECT_EQ(vgpu_heard(fd), 0);
	vgpu_write(&vgpu, IIR, GEN9_PORT_IRQ_AUX_A);
	EXPECT_EQ(vgpu_read(&vgpu, GEN9_MASTER_IRQ), GEN9_MASTER_IRQ_ENABLE);
	cause(&vgpu);
	EXPECT_EQ(vgpu_heard(fd), 1);
	vgpu_stop(&vgpu);
}

/* As a driver's handler does it: off, look, acknowledge, on. */
static void master(void)
{
	struct vgpu vgpu;
	int fd;

	start(&vgpu);
	fd = vgpu_arm(&vgpu, VFIO_PCI_MSI_IRQ_INDEX);
	vgpu_write(&vgpu, GEN9_MASTER_IRQ, 0);
	cause(&vgpu);
	EXPECT_EQ(vgpu_heard(fd), 0);
	EXPECT_EQ(vgpu_read(&vgpu, GEN9_MASTER_IRQ), GEN9_MASTER_DE_PORT);
	vgpu_write(&vgpu, GEN9_MASTER_IRQ, GEN9_MASTER_IRQ_ENABLE);
	EXPECT_EQ(vgpu_heard(fd), 1);
	vgpu_stop(&vgpu);
}

/* IMR loses events, IER only keeps them quiet. */
static void masks(void)
{
	struct vgpu vgpu;
	int fd;

	start(&vgpu);
	fd = vgpu_arm(&vgpu, VFIO_PCI_MSI_IRQ_INDEX);
	vgpu_write(&vgpu, IMR, ~0u);
	cause(&vgpu);
	EXPECT_EQ(vgpu_read(&vgpu, IIR), 0);
	vgpu_write(&vgpu, IMR, 0);
	vgpu_write(&vgpu, IER, 0);
	cause(&vgpu);
	EXPECT_EQ(vgpu_read(&vgpu, IIR), GEN9_PORT_IRQ_AUX_A);
	EXPECT_EQ(vgpu_heard(fd), 0);
	vgpu_write(&vgpu, IER, GEN9_PORT_IRQ_AUX_A);
	EXPECT_EQ(vgpu_heard(fd), 1);
	vgpu_stop(&vgpu);
}

/* A guest cannot make events up. */
static void no_forgery(void)
{
	struct vgpu vgpu;
	int fd;

	start(&vgpu);
	fd = vgpu_arm(&vgpu, VFIO_PCI_MSI_IRQ_INDEX);
	vgpu_write(&vgpu, IIR, ~0u);
	vgpu_write(&vgpu, GEN9_DE_PORT_IRQ + GEN9_IRQ_ISR, ~0u);
	vgpu_write(&vgpu, GEN9_MASTER_IRQ, ~0u);
	EXPECT_EQ(vgpu_read(&vgpu, IIR), 0);
	EXPECT_EQ(vgpu_read(&vgpu, GEN9_MASTER_IRQ), GEN9_MASTER_IRQ_ENABLE);
	EXPECT_EQ(vgpu_heard(fd), 0);
	vgpu_stop(&vgpu);
}

/* A level: signals, masks itself, signals again when unmasked while still high. */
static void intx(void)
{
	const u32 index = VFIO_PCI_INTX_IRQ_INDEX;
	struct vgpu vgpu;
	int fd;

	start(&vgpu);
	fd = vgpu_arm(&vgpu, index);
	cause(&vgpu);
	EXPECT_EQ(vgpu_heard(fd), 1);
	EXPECT_EQ(vgpu_set_irq(&vgpu, index, NONE_UNMASK, 1, 0), 0);
	EXPECT_EQ(vgpu_heard(fd), 1);
	vgpu_write(&vgpu, IIR, ~0u);
	EXPECT_EQ(vgpu_set_irq(&vgpu, index, NONE_UNMASK, 1, 0), 0);
	EXPECT_EQ(vgpu_heard(fd), 0);
	EXPECT_EQ(vgpu_set_irq(&vgpu, index, NONE_MASK, 1, 0), 0);
	cause(&vgpu);
	EXPECT_EQ(vgpu_heard(fd), 0);
	EXPECT_EQ(vgpu_set_irq(&vgpu, index,
			       VFIO_IRQ_SET_DATA_BOOL | VFIO_IRQ_SET_ACTION_UNMASK, 1, 1), 0);
	EXPECT_EQ(vgpu_heard(fd), 1);
	vgpu_stop(&vgpu);
}

/* A user can try what hears it, change it, and let it go. */
static void arming(void)
{
	const u32 index = VFIO_PCI_MSI_IRQ_INDEX;
	struct vgpu vgpu;
	int fd, other;

	start(&vgpu);
	fd = vgpu_arm(&vgpu, index);
	EXPECT_EQ(vgpu_set_irq(&vgpu, index, NONE_TRIGGER, 1, 0), 0);
	EXPECT_EQ(vgpu_heard(fd), 1);
	other = vgpu_arm(&vgpu, index);
	cause(&vgpu);
	EXPECT_EQ(vgpu_heard(fd), 0);
	EXPECT_EQ(vgpu_heard(other), 1);
	vgpu_write(&vgpu, IIR, ~0u);
	EXPECT_EQ(vgpu_set_irq(&vgpu, index, NONE_TRIGGER, 0, 0), 0);
	cause(&vgpu);
	EXPECT_EQ(vgpu_heard(other), 0);
	vgpu_write(&vgpu, IIR, ~0u);
	/* A reset of the device leaves its user's eventfds. */
	fd = vgpu_arm(&vgpu, index);
	EXPECT_EQ(vgpu_ioctl(&vgpu, VFIO_DEVICE_RESET, NULL), 0);
	enable(&vgpu);
	cause(&vgpu);
	EXPECT_EQ(vgpu_heard(fd), 1);
	vgpu_stop(&vgpu);
}

static const struct testcase tests[] = {
	{ "irq-message", message },
	{ "irq-master", master },
	{ "irq-masks", masks },
	{ "irq-no-forgery", no_forgery },
	{ "irq-intx", intx },
	{ "irq-arming", arming },
};

const struct testgroup irq_tests = { tests, ARRAY_SIZE(tests) };
