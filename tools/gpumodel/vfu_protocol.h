/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * vfio-user on the wire: commands, flags and message layouts.
 *
 * Everything is in the byte order of the host. Sources: QEMU,
 * docs/interop/vfio-user.rst; Linux, include/uapi/linux/vfio.h for the
 * structures and flags that the protocol takes over from VFIO.
 */
#ifndef GM_VFU_PROTOCOL_H
#define GM_VFU_PROTOCOL_H

#include <assert.h>
#include <linux/bits.h>
#include <linux/types.h>

/* The version that this side speaks; a client proposes a minor at least as high. */
#define VFU_VERSION_MAJOR		0
#define VFU_VERSION_MINOR		0

/* What a side that does not say otherwise is taken to support. */
#define VFU_DEFAULT_MSG_FDS		1
#define VFU_DEFAULT_DATA_XFER_SIZE	0x100000

/**
 * enum vfu_command - What a message asks for
 * @VFU_VERSION: agree on a version; the first message
 * @VFU_DMA_MAP: make a range of guest memory reachable
 * @VFU_DMA_UNMAP: take it away
 * @VFU_DEVICE_GET_INFO: how many regions and interrupts there are
 * @VFU_DEVICE_GET_REGION_INFO: size of a region, and how to map it
 * @VFU_DEVICE_GET_REGION_IO_FDS: file descriptors for parts of a region
 * @VFU_DEVICE_GET_IRQ_INFO: about a kind of interrupt
 * @VFU_DEVICE_SET_IRQS: set up, mask, unmask or trigger interrupts
 * @VFU_REGION_READ: read from a region
 * @VFU_REGION_WRITE: write to a region
 * @VFU_DMA_READ: read guest memory; from the server to the client
 * @VFU_DMA_WRITE: write guest memory; from the server to the client
 * @VFU_DEVICE_RESET: reset the device
 * @VFU_REGION_WRITE_MULTI: several writes; only where both sides offered it
 * @VFU_DEVICE_FEATURE: optional features
 * @VFU_MIG_DATA_READ: migration data
 * @VFU_MIG_DATA_WRITE: migration data
 * @VFU_COMMAND_COUNT: one more than the highest
 */
enum vfu_command {
	VFU_VERSION = 1,
	VFU_DMA_MAP = 2,
	VFU_DMA_UNMAP = 3,
	VFU_DEVICE_GET_INFO = 4,
	VFU_DEVICE_GET_REGION_INFO = 5,
	VFU_DEVICE_GET_REGION_IO_FDS = 6,
	VFU_DEVICE_GET_IRQ_INFO = 7,
	VFU_DEVICE_SET_IRQS = 8,
	VFU_REGION_READ = 9,
	VFU_REGION_WRITE = 10,
	VFU_DMA_READ = 11,
	VFU_DMA_WRITE = 12,
	VFU_DEVICE_RESET = 13,
	VFU_REGION_WRITE_MULTI = 15,
	VFU_DEVICE_FEATURE = 16,
	VFU_MIG_DATA_READ = 17,
	VFU_MIG_DATA_WRITE = 18,
	VFU_COMMAND_COUNT
};

/* Header flags. */
#define VFU_FLAG_TYPE_MASK		GENMASK(3, 0)
#define VFU_FLAG_TYPE_COMMAND		0
#define VFU_FLAG_TYPE_REPLY		1
#define VFU_FLAG_NO_REPLY		BIT(4)
#define VFU_FLAG_ERROR			BIT(5)

/**
 * struct vfu_header - Start of every message
 * @id: chosen by the sender of a command, echoed in its reply; need not be unique
 * @command: enum vfu_command
 * @size: bytes of the whole message, this header included
 * @flags: VFU_FLAG_*
 * @error: errno of a reply with VFU_FLAG_ERROR
 */
struct vfu_header {
	u16 id;
	u16 command;
	u32 size;
	u32 flags;
	u32 error;
};

static_assert(sizeof(struct vfu_header) == 16, "layout on the wire");
static_assert(offsetof(struct vfu_header, flags) == 8, "layout on the wire");

/**
 * struct vfu_version - VERSION; a NUL-terminated JSON text may follow
 * @major: major version
 * @minor: minor version
 */
struct vfu_version {
	u16 major;
	u16 minor;
};

static_assert(sizeof(struct vfu_version) == 4, "layout on the wire");

/* DMA_MAP flags. */
#define VFU_DMA_MAP_READ		BIT(0)
#define VFU_DMA_MAP_WRITE		BIT(1)

/**
 * struct vfu_dma_map - DMA_MAP
 * @argsz: bytes of this structure
 * @flags: VFU_DMA_MAP_*
 * @offset: where in the file that came along the range starts
 * @iova: start of the range
 * @size: bytes of the range
 */
struct vfu_dma_map {
	u32 argsz;
	u32 flags;
	u64 offset;
	u64 iova;
	u64 size;
};

static_assert(sizeof(struct vfu_dma_map) == 32, "layout on the wire");
static_assert(offsetof(struct vfu_dma_map, iova) == 16, "layout on the wire");

/* DMA_UNMAP flags, as in struct vfio_iommu_type1_dma_unmap. */
#define VFU_DMA_UNMAP_GET_DIRTY		BIT(0)
#define VFU_DMA_UNMAP_ALL		BIT(1)

/**
 * struct vfu_dma_unmap - DMA_UNMAP, and its reply
 * @argsz: bytes that the reply's payload may have
 * @flags: VFU_DMA_UNMAP_*
 * @iova: start of the range
 * @size: bytes of the range
 */
struct vfu_dma_unmap {
	u32 argsz;
	u32 flags;
	u64 iova;
	u64 size;
};

static_assert(sizeof(struct vfu_dma_unmap) == 24, "layout on the wire");

/* Device flags. */
#define VFU_DEVICE_FLAG_RESET		BIT(0)
#define VFU_DEVICE_FLAG_PCI		BIT(1)

/**
 * struct vfu_device_info - DEVICE_GET_INFO, and its reply
 * @argsz: bytes that the reply may have; in the reply: bytes that it needs
 * @flags: VFU_DEVICE_FLAG_*
 * @num_regions: how many regions there are
 * @num_irqs: how many kinds of interrupts there are
 */
struct vfu_device_info {
	u32 argsz;
	u32 flags;
	u32 num_regions;
	u32 num_irqs;
};

static_assert(sizeof(struct vfu_device_info) == 16, "layout on the wire");

/* VFIO's fixed regions of a PCI device. */
#define VFU_REGION_CONFIG		7
#define VFU_REGION_COUNT		9

/* Region flags. */
#define VFU_REGION_FLAG_READ		BIT(0)
#define VFU_REGION_FLAG_WRITE		BIT(1)
#define VFU_REGION_FLAG_MMAP		BIT(2)
#define VFU_REGION_FLAG_CAPS		BIT(3)

/**
 * struct vfu_region_info - DEVICE_GET_REGION_INFO, and its reply
 * @argsz: like that of struct vfu_device_info; capabilities count
 * @flags: VFU_REGION_FLAG_*
 * @index: which region
 * @cap_offset: where the first capability stands, from the start of this structure
 * @size: bytes of the region
 * @offset: added to an offset in the region gives the offset for mmap()
 */
struct vfu_region_info {
	u32 argsz;
	u32 flags;
	u32 index;
	u32 cap_offset;
	u64 size;
	u64 offset;
};

static_assert(sizeof(struct vfu_region_info) == 32, "layout on the wire");
static_assert(offsetof(struct vfu_region_info, size) == 16, "layout on the wire");

#define VFU_REGION_CAP_SPARSE_MMAP	1
#define VFU_REGION_CAP_SPARSE_VERSION	1

/**
 * struct vfu_region_sparse - Capability: which part of a region may be mapped
 * @id: VFU_REGION_CAP_SPARSE_MMAP
 * @version: VFU_REGION_CAP_SPARSE_VERSION
 * @next: where the next capability stands; 0: none
 * @nr_areas: how many areas follow; here always 1
 * @reserved: 0
 * @area_offset: where in the region the area starts
 * @area_size: bytes of the area
 */
struct vfu_region_sparse {
	u16 id;
	u16 version;
	u32 next;
	u32 nr_areas;
	u32 reserved;
	u64 area_offset;
	u64 area_size;
};

static_assert(sizeof(struct vfu_region_sparse) == 32, "layout on the wire");
static_assert(offsetof(struct vfu_region_sparse, area_offset) == 16, "layout on the wire");

/**
 * enum vfu_irq_index - VFIO's kinds of interrupts of a PCI device
 * @VFU_IRQ_INTX: the line
 * @VFU_IRQ_MSI: MSI
 * @VFU_IRQ_MSIX: MSI-X
 * @VFU_IRQ_ERR: the device reports an error
 * @VFU_IRQ_REQ: the device asks to be given back
 * @VFU_IRQ_COUNT: how many kinds
 */
enum vfu_irq_index {
	VFU_IRQ_INTX,
	VFU_IRQ_MSI,
	VFU_IRQ_MSIX,
	VFU_IRQ_ERR,
	VFU_IRQ_REQ,
	VFU_IRQ_COUNT
};

/* Flags of a kind of interrupt. */
#define VFU_IRQ_INFO_EVENTFD		BIT(0)
#define VFU_IRQ_INFO_MASKABLE		BIT(1)
#define VFU_IRQ_INFO_AUTOMASKED		BIT(2)
#define VFU_IRQ_INFO_NORESIZE		BIT(3)

/**
 * struct vfu_irq_info - DEVICE_GET_IRQ_INFO, and its reply
 * @argsz: like that of struct vfu_device_info
 * @flags: VFU_IRQ_INFO_*
 * @index: enum vfu_irq_index
 * @count: how many interrupts of that kind there are
 */
struct vfu_irq_info {
	u32 argsz;
	u32 flags;
	u32 index;
	u32 count;
};

static_assert(sizeof(struct vfu_irq_info) == 16, "layout on the wire");

/* DEVICE_SET_IRQS: one of DATA, one of ACTION. */
#define VFU_IRQ_DATA_NONE		BIT(0)
#define VFU_IRQ_DATA_BOOL		BIT(1)
#define VFU_IRQ_DATA_EVENTFD		BIT(2)
#define VFU_IRQ_DATA_MASK		GENMASK(2, 0)
#define VFU_IRQ_ACTION_MASK		BIT(3)
#define VFU_IRQ_ACTION_UNMASK		BIT(4)
#define VFU_IRQ_ACTION_TRIGGER		BIT(5)
#define VFU_IRQ_ACTION_TYPE_MASK	GENMASK(5, 3)

/**
 * struct vfu_irq_set - DEVICE_SET_IRQS; with DATA_BOOL one byte per interrupt follows
 * @argsz: bytes of the payload
 * @flags: VFU_IRQ_DATA_* and VFU_IRQ_ACTION_*
 * @index: enum vfu_irq_index
 * @start: first interrupt
 * @count: how many interrupts
 */
struct vfu_irq_set {
	u32 argsz;
	u32 flags;
	u32 index;
	u32 start;
	u32 count;
};

static_assert(sizeof(struct vfu_irq_set) == 20, "layout on the wire");

/**
 * struct vfu_region_access - REGION_READ and _WRITE, and their replies
 * @offset: where in the region
 * @region: which region
 * @count: bytes; they follow a write, and the reply to a read
 */
struct vfu_region_access {
	u64 offset;
	u32 region;
	u32 count;
};

static_assert(sizeof(struct vfu_region_access) == 16, "layout on the wire");

#endif
