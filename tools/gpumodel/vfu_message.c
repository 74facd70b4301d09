// SPDX-License-Identifier: GPL-2.0-only
/*
 * vfio-user messages: parsers and replies, see vfu_message.h.
 *
 * Fixed structures must be there in full. A message whose structure ends with
 * what we know of it must also end there; those with an argsz may be longer,
 * as VFIO's own structures may grow.
 */
#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "vfu_message.h"
#include "vfu_server.h"

static_assert(GM_VFU_MAX_REGIONS == VFU_REGION_COUNT, "one entry per region of VFIO");

int gm_vfu_header_payload(const struct vfu_header *header)
{
	if (header->size < sizeof(*header))
		return -EPROTO;
	if (header->size - sizeof(*header) > GM_VFU_MAX_PAYLOAD)
		return -EPROTO;
	return header->size - sizeof(*header);
}

/* Copies the fixed part of a payload; false when it is cut short. */
static bool take_fixed(const struct gm_vfu_request *request, void *out, size_t len)
{
	if (request->len < len)
		return false;
	memcpy(out, request->payload, len);
	return true;
}

/* A number capability: false when it is there but no number within [0, max]. */
static bool take_number(struct json_object *caps, const char *name, u32 max, u32 *out)
{
	struct json_object *value;
	s64 number;

	if (!json_object_object_get_ex(caps, name, &value))
		return true;
	if (!json_object_is_type(value, json_type_int))
		return false;
	number = json_object_get_int64(value);
	if (number < 0)
		return false;
	*out = number > max ? max : number;
	return true;
}

static bool take_capabilities(struct json_object *root, struct gm_vfu_version *out)
{
	struct json_object *caps;

	if (!json_object_is_type(root, json_type_object))
		return false;
	if (!json_object_object_get_ex(root, "capabilities", &caps))
		return true;
	return json_object_is_type(caps, json_type_object) &&
	       take_number(caps, "max_msg_fds", GM_VFU_MAX_FDS, &out->max_msg_fds) &&
	       take_number(caps, "max_data_xfer_size", GM_VFU_MAX_XFER, &out->max_xfer);
}

int gm_vfu_parse_version(const struct gm_vfu_request *request, struct gm_vfu_version *out)
{
	struct json_object *root;
	const char *text;
	size_t len;
	bool good;

	if (request->nfds || !take_fixed(request, &out->version, sizeof(out->version)))
		return -EINVAL;
	if (out->version.major != VFU_VERSION_MAJOR)
		return -ENOTSUP;
	out->max_msg_fds = VFU_DEFAULT_MSG_FDS;
	out->max_xfer = VFU_DEFAULT_DATA_XFER_SIZE;

	text = (const char *)request->payload + sizeof(out->version);
	len = request->len - sizeof(out->version);
	if (!len)
		return 0;
	if (text[len - 1] != '\0')
		return -EINVAL;
	root = json_tokener_parse(text);
	good = take_capabilities(root, out);
	json_object_put(root);
	return good ? 0 : -EINVAL;
}

int gm_vfu_parse_dma_map(const struct gm_vfu_request *request, struct vfu_dma_map *out)
{
	if (request->len != sizeof(*out) || !take_fixed(request, out, sizeof(*out)))
		return -EINVAL;
	if (request->nfds > 1 || out->argsz < sizeof(*out))
		return -EINVAL;
	if (!out->flags || out->flags & ~(VFU_DMA_MAP_READ | VFU_DMA_MAP_WRITE))
		return -EINVAL;
	return 0;
}

int gm_vfu_parse_dma_unmap(const struct gm_vfu_request *request, struct vfu_dma_unmap *out)
{
	const u32 known = VFU_DMA_UNMAP_GET_DIRTY | VFU_DMA_UNMAP_ALL;

	if (request->nfds || !take_fixed(request, out, sizeof(*out)))
		return -EINVAL;
	if (out->argsz < sizeof(*out) || out->flags & ~known)
		return -EINVAL;
	if (out->flags & VFU_DMA_UNMAP_GET_DIRTY)
		return -ENOTSUP;
	if (out->flags & VFU_DMA_UNMAP_ALL && (out->iova || out->size))
		return -EINVAL;
	return 0;
}

int gm_vfu_parse_device_info(const struct gm_vfu_request *request, struct vfu_device_info *out)
{
	if (request->nfds || !take_fixed(request, out, sizeof(*out)))
		return -EINVAL;
	return out->argsz < sizeof(*out) ? -EINVAL : 0;
}

int gm_vfu_parse_region_info(const struct gm_vfu_request *request, struct vfu_region_info *out)
{
	if (request->nfds || !take_fixed(request, out, sizeof(*out)))
		return -EINVAL;
	if (out->argsz < sizeof(*out) || out->index >= VFU_REGION_COUNT)
		return -EINVAL;
	return 0;
}

int gm_vfu_parse_irq_info(const struct gm_vfu_request *request, struct vfu_irq_info *out)
{
	if (request->nfds || !take_fixed(request, out, sizeof(*out)))
		return -EINVAL;
	if (out->argsz < sizeof(*out) || out->index >= VFU_IRQ_COUNT)
		return -EINVAL;
	/*
	 * Linux's vfio-pci says this when a device has no PCI Express capability; an
	 * answer with a count of 0 makes QEMU warn.
	 */
	return out->index == VFU_IRQ_ERR ? -EINVAL : 0;
}

/* Exactly one DATA and one ACTION bit, and nothing else. */
static bool irq_flags_valid(u32 flags)
{
	u32 action = flags & VFU_IRQ_ACTION_TYPE_MASK;
	u32 data = flags & VFU_IRQ_DATA_MASK;

	if (flags & ~(VFU_IRQ_DATA_MASK | VFU_IRQ_ACTION_TYPE_MASK))
		return false;
	return data && !(data & (data - 1)) && action && !(action & (action - 1));
}

static bool irq_range_valid(const struct vfu_irq_set *set, const struct vfu_irq_info *info)
{
	/* Nothing of a kind: "all off", which is harmless for one that is not there either. */
	if (!set->count)
		return !set->start && set->flags == (VFU_IRQ_DATA_NONE | VFU_IRQ_ACTION_TRIGGER);
	return set->start < info->count && set->count <= info->count - set->start;
}

/* File descriptors come with DATA_EVENTFD only: one each, or none to take them away. */
static bool irq_data_valid(const struct gm_vfu_request *request, const struct vfu_irq_set *set)
{
	if (set->flags & VFU_IRQ_DATA_EVENTFD)
		return !request->nfds || request->nfds == set->count;
	if (request->nfds)
		return false;
	if (set->flags & VFU_IRQ_DATA_BOOL)
		return request->len - sizeof(*set) >= set->count;
	return true;
}

int gm_vfu_parse_irq_set(const struct gm_vfu_request *request, struct gm_vfu_irq_set *out)
{
	struct vfu_irq_info info;
	struct vfu_irq_set *set = &out->set;

	if (!take_fixed(request, set, sizeof(*set)) || set->argsz < sizeof(*set))
		return -EINVAL;
	if (set->index >= VFU_IRQ_COUNT || !irq_flags_valid(set->flags))
		return -EINVAL;
	info.index = set->index;
	gm_vfu_irq_info_fill(&info);
	if (!irq_range_valid(set, &info) || !irq_data_valid(request, set))
		return -EINVAL;
	if (!(set->flags & VFU_IRQ_ACTION_TRIGGER) && !(info.flags & VFU_IRQ_INFO_MASKABLE))
		return -EINVAL;
	/* VFIO itself has no event for masking, see vfio_pci_intrs.c of Linux. */
	if (set->flags == (VFU_IRQ_DATA_EVENTFD | VFU_IRQ_ACTION_MASK))
		return -ENOTSUP;
	out->bools = set->flags & VFU_IRQ_DATA_BOOL ? request->payload + sizeof(*set) : NULL;
	return 0;
}

int gm_vfu_parse_region_access(const struct gm_vfu_request *request, struct vfu_region_access *out)
{
	size_t data;

	if (request->nfds || !take_fixed(request, out, sizeof(*out)))
		return -EINVAL;
	if (out->count > GM_VFU_MAX_XFER)
		return -EINVAL;
	data = request->header.command == VFU_REGION_WRITE ? out->count : 0;
	return request->len == sizeof(*out) + data ? 0 : -EINVAL;
}

void gm_vfu_reply_init(struct gm_vfu_reply *reply, const struct gm_vfu_request *request)
{
	reply->header = (struct vfu_header){
		.id = request->header.id,
		.command = request->header.command,
		.flags = VFU_FLAG_TYPE_REPLY,
	};
	reply->len = 0;
	reply->fd = -1;
}

bool gm_vfu_reply_put(struct gm_vfu_reply *reply, const void *data, size_t len)
{
	if (len > GM_VFU_MAX_PAYLOAD - reply->len)
		return false;
	memcpy(reply->payload + reply->len, data, len);
	reply->len += len;
	return true;
}

void gm_vfu_reply_finish(struct gm_vfu_reply *reply, int error)
{
	if (error) {
		reply->header.flags |= VFU_FLAG_ERROR;
		reply->header.error = -error;
		reply->len = 0;
		reply->fd = -1;
	}
	reply->header.size = sizeof(reply->header) + reply->len;
}

void gm_vfu_reply_version(struct gm_vfu_reply *reply)
{
	const struct vfu_version version = { VFU_VERSION_MAJOR, VFU_VERSION_MINOR };
	char text[128];
	int len;

	len = snprintf(text, sizeof(text),
		       "{\"capabilities\":{\"max_msg_fds\":%u,\"max_data_xfer_size\":%u}}",
		       GM_VFU_MAX_FDS, GM_VFU_MAX_XFER);
	gm_vfu_reply_put(reply, &version, sizeof(version));
	gm_vfu_reply_put(reply, text, len + 1);
}

static bool region_is_sparse(const struct gm_vfu_region *region)
{
	return region->mmap_offset || region->mmap_size != region->size;
}

void gm_vfu_reply_region_info(struct gm_vfu_reply *reply, const struct gm_vfu_region *region,
			      const struct vfu_region_info *asked, bool may_map)
{
	struct vfu_region_info info = { .argsz = sizeof(info), .index = asked->index };
	struct vfu_region_sparse sparse = {
		.id = VFU_REGION_CAP_SPARSE_MMAP,
		.version = VFU_REGION_CAP_SPARSE_VERSION,
		.nr_areas = 1,
		.area_offset = region->mmap_offset,
		.area_size = region->mmap_size,
	};
	bool map = may_map && region->mmap_size && region->mmap_fd >= 0;

	info.size = region->size;
	if (region->size)
		info.flags = VFU_REGION_FLAG_READ | VFU_REGION_FLAG_WRITE;
	if (map) {
		info.flags |= VFU_REGION_FLAG_MMAP;
		/* The part is at 0 in its file: modulo 2^64 the sum for mmap() is just that. */
		info.offset = -region->mmap_offset;
	}
	if (map && region_is_sparse(region)) {
		info.flags |= VFU_REGION_FLAG_CAPS;
		info.cap_offset = sizeof(info);
		info.argsz += sizeof(sparse);
	}
	gm_vfu_reply_put(reply, &info, sizeof(info));
	if (asked->argsz < info.argsz)
		return;
	if (info.flags & VFU_REGION_FLAG_CAPS)
		gm_vfu_reply_put(reply, &sparse, sizeof(sparse));
	if (map)
		reply->fd = region->mmap_fd;
}

void gm_vfu_irq_info_fill(struct vfu_irq_info *info)
{
	/* No MSI-X; the device never reports an error and never asks to be given back. */
	static const struct vfu_irq_info table[VFU_IRQ_COUNT] = {
		[VFU_IRQ_INTX] = {
			.flags = VFU_IRQ_INFO_EVENTFD | VFU_IRQ_INFO_MASKABLE |
				 VFU_IRQ_INFO_AUTOMASKED,
			.count = 1,
		},
		[VFU_IRQ_MSI] = {
			.flags = VFU_IRQ_INFO_EVENTFD | VFU_IRQ_INFO_NORESIZE,
			.count = 1,
		},
		[VFU_IRQ_MSIX] = { .flags = VFU_IRQ_INFO_EVENTFD | VFU_IRQ_INFO_NORESIZE },
		[VFU_IRQ_ERR] = { .flags = VFU_IRQ_INFO_EVENTFD | VFU_IRQ_INFO_NORESIZE },
		[VFU_IRQ_REQ] = { .flags = VFU_IRQ_INFO_EVENTFD | VFU_IRQ_INFO_NORESIZE },
	};

	info->argsz = sizeof(*info);
	info->flags = table[info->index].flags;
	info->count = table[info->index].count;
}
