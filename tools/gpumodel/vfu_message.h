/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * vfio-user messages: what came in is checked here, and replies are laid out.
 *
 * Pure functions over buffers: no I/O and no state. A parser copies a message
 * out of the receive buffer and believes no length in it; what it returns is
 * consistent in itself. Whether the device has the range, region or interrupt
 * that is meant is the caller's question, unless said otherwise.
 */
#ifndef GM_VFU_MESSAGE_H
#define GM_VFU_MESSAGE_H

#include "vfu_protocol.h"

struct gm_vfu_region;

/* File descriptors that one message may carry. */
#define GM_VFU_MAX_FDS 8
/* Bytes that one read or write of a region may have. */
#define GM_VFU_MAX_XFER VFU_DEFAULT_DATA_XFER_SIZE
/* Bytes after the header of the longest message that is taken or sent. */
#define GM_VFU_MAX_PAYLOAD (sizeof(struct vfu_region_access) + GM_VFU_MAX_XFER)

/**
 * struct gm_vfu_request - A message as it came in
 * @header: its header
 * @payload: what follows it
 * @len: bytes of that, at most GM_VFU_MAX_PAYLOAD
 * @fds: file descriptors that came along; one that was taken over is -1
 * @nfds: how many came along
 * @fds_lost: there were more than GM_VFU_MAX_FDS
 */
struct gm_vfu_request {
	struct vfu_header header;
	u8 *payload;
	size_t len;
	int fds[GM_VFU_MAX_FDS];
	unsigned int nfds;
	bool fds_lost;
};

/**
 * struct gm_vfu_reply - The answer to a request
 * @header: its header
 * @payload: room for GM_VFU_MAX_PAYLOAD bytes
 * @len: bytes of @payload to be sent
 * @fd: file descriptor to be sent along and kept, -1: none
 */
struct gm_vfu_reply {
	struct vfu_header header;
	u8 *payload;
	size_t len;
	int fd;
};

/**
 * struct gm_vfu_version - A client's VERSION message
 * @version: what it proposes
 * @max_msg_fds: file descriptors that it takes with one message
 * @max_xfer: bytes of data that it takes with one message
 */
struct gm_vfu_version {
	struct vfu_version version;
	u32 max_msg_fds;
	u32 max_xfer;
};

/**
 * struct gm_vfu_irq_set - A DEVICE_SET_IRQS message, checked
 * @set: its fixed part
 * @bools: with DATA_BOOL: @set.count bytes in the request's payload, else NULL
 */
struct gm_vfu_irq_set {
	struct vfu_irq_set set;
	const u8 *bools;
};

/**
 * gm_vfu_header_payload() - How many bytes follow a header
 * @header: the header
 *
 * Return: bytes, or -EPROTO when the size cannot be right or is longer than any
 * message: then it is unknown where the next message starts.
 */
int gm_vfu_header_payload(const struct vfu_header *header);

/**
 * gm_vfu_parse_version() - VERSION
 * @request: the message
 * @out: what it says
 *
 * Return: 0, -EINVAL when malformed, -ENOTSUP when the major version is not ours.
 */
int gm_vfu_parse_version(const struct gm_vfu_request *request, struct gm_vfu_version *out);

/**
 * gm_vfu_parse_dma_map() - DMA_MAP
 * @request: the message
 * @out: what it says
 *
 * Return: 0, or -EINVAL when malformed; addresses are not checked here.
 */
int gm_vfu_parse_dma_map(const struct gm_vfu_request *request, struct vfu_dma_map *out);

/**
 * gm_vfu_parse_dma_unmap() - DMA_UNMAP
 * @request: the message
 * @out: what it says
 *
 * Return: 0, -EINVAL when malformed, -ENOTSUP when it asks for the dirty bitmap.
 */
int gm_vfu_parse_dma_unmap(const struct gm_vfu_request *request, struct vfu_dma_unmap *out);

/**
 * gm_vfu_parse_device_info() - DEVICE_GET_INFO
 * @request: the message
 * @out: what it says
 *
 * Return: 0, or -EINVAL when malformed.
 */
int gm_vfu_parse_device_info(const struct gm_vfu_request *request, struct vfu_device_info *out);

/**
 * gm_vfu_parse_region_info() - DEVICE_GET_REGION_INFO
 * @request: the message
 * @out: what it says
 *
 * Return: 0, or -EINVAL when malformed or the index is none.
 */
int gm_vfu_parse_region_info(const struct gm_vfu_request *request, struct vfu_region_info *out);

/**
 * gm_vfu_parse_irq_info() - DEVICE_GET_IRQ_INFO
 * @request: the message
 * @out: what it says
 *
 * Return: 0, or -EINVAL when malformed, or the index is none or ERR.
 */
int gm_vfu_parse_irq_info(const struct gm_vfu_request *request, struct vfu_irq_info *out);

/**
 * gm_vfu_parse_irq_set() - DEVICE_SET_IRQS
 * @request: the message
 * @out: what it says
 *
 * Checked as well: the index, the range against gm_vfu_irq_info_fill(), the number
 * of file descriptors, and that the kind of interrupt knows the action.
 *
 * Return: 0, -EINVAL, or -ENOTSUP for an event on masking.
 */
int gm_vfu_parse_irq_set(const struct gm_vfu_request *request, struct gm_vfu_irq_set *out);

/**
 * gm_vfu_parse_region_access() - REGION_READ or REGION_WRITE
 * @request: the message
 * @out: its fixed part; with a write, @out->count bytes of data follow it
 *	in the payload
 *
 * Return: 0, or -EINVAL also when more than GM_VFU_MAX_XFER bytes are wanted.
 */
int gm_vfu_parse_region_access(const struct gm_vfu_request *request,
			       struct vfu_region_access *out);

/* An empty reply to @request that says that all went well. */
void gm_vfu_reply_init(struct gm_vfu_reply *reply, const struct gm_vfu_request *request);

/**
 * gm_vfu_reply_put() - Append to the payload
 * @reply: the reply
 * @data: what to append
 * @len: bytes
 *
 * Return: false, and nothing done, when there is no room for it.
 */
bool gm_vfu_reply_put(struct gm_vfu_reply *reply, const void *data, size_t len);

/**
 * gm_vfu_reply_finish() - Complete the header
 * @reply: the reply
 * @error: 0, or a negative errno: what it held is dropped, and it reports that
 */
void gm_vfu_reply_finish(struct gm_vfu_reply *reply, int error);

/* The answer to VERSION: what this side speaks and can. */
void gm_vfu_reply_version(struct gm_vfu_reply *reply);

/**
 * gm_vfu_reply_region_info() - The answer to DEVICE_GET_REGION_INFO
 * @reply: where it goes
 * @region: the region
 * @asked: the request
 * @may_map: whether the client can take a file descriptor
 *
 * A client that leaves too little room gets the fixed part, and the size to ask
 * with again; the file descriptor goes with the full answer only.
 */
void gm_vfu_reply_region_info(struct gm_vfu_reply *reply, const struct gm_vfu_region *region,
			      const struct vfu_region_info *asked, bool may_map);

/* Flags and count of a kind of interrupt, by @info->index, which is valid. */
void gm_vfu_irq_info_fill(struct vfu_irq_info *info);

#endif
