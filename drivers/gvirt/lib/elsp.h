/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a guest writes to an engine's submission port: four dwords that make two
 * context descriptors, and what each descriptor must satisfy.
 *
 * The two elements are judged one by one, so that a bad second element does not
 * take the first one with it.
 */
#ifndef GVIRT_LIB_ELSP_H
#define GVIRT_LIB_ELSP_H

#include <linux/types.h>

#define GVIRT_ELSP_DWORDS	4
#define GVIRT_ELSP_ELEMENTS	2

/**
 * enum gvirt_desc_fault - Why a submitted descriptor cannot run
 * @GVIRT_DESC_OK: it can
 * @GVIRT_DESC_ABSENT: its valid bit is clear (which is fine for element 1)
 * @GVIRT_DESC_ADDRESSING: an addressing mode for shared virtual memory, which has
 *	no page tables to shadow
 * @GVIRT_DESC_NO_PPGTT: it would run in the global GTT with full privilege
 * @GVIRT_DESC_RESERVED: a reserved bit is set
 * @GVIRT_DESC_RANGE: the context image is not inside the guest's global GTT
 * @GVIRT_DESC_TWICE: the list's other element has the same context image
 */
enum gvirt_desc_fault {
	GVIRT_DESC_OK,
	GVIRT_DESC_ABSENT,
	GVIRT_DESC_ADDRESSING,
	GVIRT_DESC_NO_PPGTT,
	GVIRT_DESC_RESERVED,
	GVIRT_DESC_RANGE,
	GVIRT_DESC_TWICE,
};

/**
 * struct gvirt_elsp - Writes to the port that are no complete submission yet
 * @dw: dwords in the order of their writes
 * @count: how many there are, 0 to 3
 */
struct gvirt_elsp {
	u32 dw[GVIRT_ELSP_DWORDS];
	u8 count;
};

/**
 * struct gvirt_desc - A context descriptor
 * @lo: lower dword: flags and the address of the context image
 * @hi: upper dword: the id that the guest gave the context
 */
struct gvirt_desc {
	u32 lo;
	u32 hi;
};

/**
 * struct gvirt_desc_list - One submission
 * @element: in the order in which they run; one that is not valid is not used
 */
struct gvirt_desc_list {
	struct gvirt_desc element[GVIRT_ELSP_ELEMENTS];
};

/**
 * gvirt_elsp_write() - Take a dword that was written to the port
 * @elsp: what was written before; empty again after the fourth dword
 * @value: the dword
 * @list: gets the submission after the fourth dword, is left alone before
 *
 * The order of writes is: upper and lower dword of element 1, then of element 0.
 *
 * Return: true if the submission is complete.
 */
bool gvirt_elsp_write(struct gvirt_elsp *elsp, u32 value, struct gvirt_desc_list *list);

/**
 * gvirt_desc_valid() - Does a descriptor say that it holds a context?
 * @desc: descriptor
 *
 * Return: its valid bit.
 */
bool gvirt_desc_valid(const struct gvirt_desc *desc);

/**
 * gvirt_desc_lrca() - Where a context image is
 * @desc: descriptor
 *
 * Return: the guest's GGTT address of the image's first page, a multiple of 4096.
 */
u32 gvirt_desc_lrca(const struct gvirt_desc *desc);

/**
 * gvirt_desc_levels() - Levels of a context's page tables
 * @desc: descriptor
 *
 * Return: 3 or 4; 0 for the addressing modes without page tables of that kind.
 */
unsigned int gvirt_desc_levels(const struct gvirt_desc *desc);

/**
 * gvirt_desc_same_context() - Do two descriptors mean the same context?
 * @a: descriptor
 * @b: descriptor
 *
 * What differs in flags is only how to switch to it.
 *
 * Return: whether image address and id are the same.
 */
bool gvirt_desc_same_context(const struct gvirt_desc *a, const struct gvirt_desc *b);

/**
 * gvirt_desc_check() - Judge one element of a submission
 * @list: the submission
 * @n: element, 0 or 1
 * @image_size: bytes of a context image of this engine
 * @ggtt_size: bytes that the guest's global GTT spans
 *
 * Return: GVIRT_DESC_OK, or a fault that was found.
 */
enum gvirt_desc_fault gvirt_desc_check(const struct gvirt_desc_list *list, unsigned int n,
				       u32 image_size, u64 ggtt_size);

/**
 * gvirt_desc_shadow() - Lower dword of the descriptor that the host submits
 * @guest: the guest's descriptor, which was found good
 * @lrca: host's GGTT address of the shadow image, a multiple of 4096
 * @force_restore: the image in memory is newer than what the engine may still hold
 *
 * Carries over the addressing mode, the coherency bit and the requests to
 * restore; the reaction to page faults is the host's to choose.
 *
 * Return: the lower dword, valid and with a PPGTT.
 */
u32 gvirt_desc_shadow(const struct gvirt_desc *guest, u32 lrca, bool force_restore);

#endif
