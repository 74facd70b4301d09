/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What must hold of every audit, whatever the buffer: for the unit tests and the
 * fuzzer. Buffers and patch lists are exactly as long as they claim to be, so that
 * the sanitizers see each access beyond them.
 */
#ifndef GVIRT_SELFTESTS_AUDIT_CHECK_H
#define GVIRT_SELFTESTS_AUDIT_CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/array_size.h>
#include <linux/bits.h>
#include <linux/types.h>
#include "audit.h"
#include "audit_patch.h"
#include "audit_regs.h"
#include "cmd.h"
#include "must.h"

/* Where patched commands may go: addresses and status pages. */
#define WINDOW		0x80000000u
#define WINDOW_SIZE	0x10100u
#define STATUS		0x90000000u
#define GENERATED_MAX	2048u

static void *audit_copy(const void *from, size_t bytes)
{
	void *copy = malloc(bytes ? bytes : 1);

	MUST(copy);
	if (bytes)
		memcpy(copy, from, bytes);
	return copy;
}

static bool audit_has_address(const struct gvirt_patch *patch)
{
	return patch->kind == GVIRT_PATCH_READ || patch->kind == GVIRT_PATCH_WRITE ||
	       patch->kind == GVIRT_PATCH_READ_WRITE ||
	       (patch->kind == GVIRT_PATCH_BATCH && !(patch->flags & GVIRT_PATCH_PPGTT));
}

static void audit_check_patch(const struct gvirt_audit_request *request,
			      const struct gvirt_patch *patch)
{
	u32 end = patch->command + patch->length;

	MUST(patch->length && patch->command < request->count);
	MUST(patch->length <= request->count - patch->command);
	MUST(patch->dword >= patch->command && patch->dword < end);
	MUST(patch->engine == request->engine);
	if (audit_has_address(patch)) {
		MUST(patch->dword + 1 < end);
		MUST(patch->size && !patch->high);
		MUST((u64)patch->low + patch->size <= BIT_ULL(32));
	}
	if (patch->kind == GVIRT_PATCH_STATUS)
		MUST(patch->size && patch->low + patch->size <= 4096);
	if (patch->flags & GVIRT_PATCH_VALUE)
		MUST(patch->value_dword > patch->dword && patch->value_dword < end);
}

static void audit_check_result(const struct gvirt_audit_request *request,
			       const struct gvirt_audit_result *result)
{
	u32 i;

	MUST(result->reason < GVIRT_AUDIT_REASONS);
	MUST(gvirt_audit_reason_name(result->reason));
	MUST(result->end <= request->count && result->end <= request->max_dwords);
	MUST(result->commands <= request->max_commands);
	MUST(result->patch_count <= request->max_patches);
	if (!result->reason && (request->kind == GVIRT_AUDIT_RING ||
				request->kind == GVIRT_AUDIT_INDIRECT_CTX))
		MUST(result->end == request->count);
	for (i = 0; i < result->patch_count; i++)
		audit_check_patch(request, &request->patches[i]);
}

/* What a caller does with a patch, with addresses that can be told apart. */
static void audit_apply(u32 *dwords, const struct gvirt_patch *patch)
{
	switch (patch->kind) {
	case GVIRT_PATCH_STATUS:
		gvirt_patch_status(dwords, patch, STATUS);
		break;
	case GVIRT_PATCH_REG_WRITE:
		if (patch->flags & GVIRT_PATCH_VALUE)
			gvirt_patch_value(dwords, patch, patch->low);
		break;
	case GVIRT_PATCH_REG_VALUE:
		gvirt_patch_reg_value(dwords, patch, 0x600df00d);
		break;
	case GVIRT_PATCH_FLIP:
	case GVIRT_PATCH_NOOP:
		gvirt_patch_noop(dwords, patch);
		break;
	default:
		if (audit_has_address(patch))
			gvirt_patch_address(dwords, patch, WINDOW | (patch->low & 0xffff));
	}
}

/* After patching, nothing is left that would have to be patched. */
static void audit_check_harmless(const u32 *dwords, const struct gvirt_patch *patch)
{
	MUST(patch->kind != GVIRT_PATCH_REG_VALUE);
	MUST(patch->kind != GVIRT_PATCH_FLIP && patch->kind != GVIRT_PATCH_NOOP);
	if (audit_has_address(patch))
		MUST((patch->low >= WINDOW && patch->low + patch->size <= WINDOW + WINDOW_SIZE) ||
		     (patch->low >= STATUS && patch->low + patch->size <= STATUS + 4096));
	if (patch->kind == GVIRT_PATCH_STATUS)
		MUST(dwords[patch->command] >> 23 == 0x21);
	if (patch->flags & GVIRT_PATCH_VALUE)
		MUST(dwords[patch->value_dword] == patch->low);
}

static void audit_check_patched(const struct gvirt_audit_request *request,
				const struct gvirt_audit_result *result)
{
	struct gvirt_audit_request again = *request;
	u32 *copy = audit_copy(request->dwords, result->end * sizeof(u32));
	struct gvirt_audit_result patched;
	u32 i;

	for (i = 0; i < result->patch_count; i++)
		audit_apply(copy, &request->patches[i]);
	again.dwords = copy;
	again.count = result->end;
	again.max_commands = ~0u;
	again.patches = audit_copy(request->patches, request->max_patches * sizeof(*again.patches));
	patched = gvirt_audit(&again);
	MUST(patched.reason == GVIRT_AUDIT_OK);
	MUST(patched.end == result->end);
	for (i = 0; i < patched.patch_count; i++)
		audit_check_harmless(copy, &again.patches[i]);
	free(again.patches);
	free(copy);
}

static void audit_check_same(const struct gvirt_patch *a, const struct gvirt_patch *b)
{
	MUST(a->command == b->command && a->dword == b->dword && a->reg == b->reg);
	MUST(a->low == b->low && a->high == b->high && a->size == b->size);
	MUST(a->value_dword == b->value_dword && a->length == b->length);
	MUST(a->kind == b->kind && a->flags == b->flags && a->engine == b->engine);
}

/*
 * Audit a copy of the request's buffer, twice, with a fresh list of patches each time,
 * which the caller gets as @patches and has to free.
 */
static inline struct gvirt_audit_result
audit_checked(const struct gvirt_audit_request *request, struct gvirt_patch **patches)
{
	struct gvirt_audit_request one = *request, two = *request;
	struct gvirt_audit_result result, second;
	size_t bytes = request->max_patches * sizeof(**patches);
	u32 *dwords = audit_copy(request->dwords, request->count * sizeof(u32));
	u32 i;

	one.dwords = dwords;
	two.dwords = dwords;
	one.patches = calloc(1, bytes ? bytes : 1);
	two.patches = calloc(1, bytes ? bytes : 1);
	MUST(one.patches && two.patches);
	result = gvirt_audit(&one);
	second = gvirt_audit(&two);
	MUST(!memcmp(&result, &second, sizeof(result)));
	for (i = 0; i < result.patch_count; i++)
		audit_check_same(&one.patches[i], &two.patches[i]);
	MUST(!request->count || !memcmp(dwords, request->dwords, request->count * sizeof(u32)));
	audit_check_result(&one, &result);
	if (!result.reason)
		audit_check_patched(&one, &result);
	free(two.patches);
	free(dwords);
	*patches = one.patches;
	return result;
}

/*
 * A program of bytes that writes commands, most of them well-formed:
 *
 *	row (2 bytes), shape (1 byte: bit 0: a length that fits the row, bits 7:1: which),
 *	free bits of the header (3 bytes), then one byte for each dword: below 64: zero;
 *	below 128: a register; below 192: an address; else: the next four bytes
 */
struct audit_program {
	const u8 *data;
	size_t left;
};

static u32 audit_take(struct audit_program *program, unsigned int bytes)
{
	u32 value = 0;

	for (; bytes && program->left; bytes--, program->left--)
		value = value << 8 | *program->data++;
	return value;
}

static const struct gvirt_cmd *audit_pick(u32 number)
{
	static const struct gvirt_cmd_set *const sets[] = {
		&gvirt_cmds_gen9_mi, &gvirt_cmds_gen9_blt, &gvirt_cmds_gen9_gfx,
	};
	/* Half of all are MI commands: there is most to judge. */
	const struct gvirt_cmd_set *set = sets[number & 1 ? 0 : (number >> 1) % ARRAY_SIZE(sets)];

	return &set->rows[(number >> 3) % set->count];
}

static u32 audit_header(struct audit_program *program)
{
	const struct gvirt_cmd *row = audit_pick(audit_take(program, 2));
	u32 shape = audit_take(program, 1);
	u32 header = row->value | (audit_take(program, 3) & ~row->mask);
	u32 longer = row->max - row->min < 12 ? row->max - row->min : 12;

	if (!(shape & 1) || !row->length_mask)
		return header;
	return (header & ~row->length_mask) | (row->min - 2 + (shape >> 1) % (longer + 1));
}

static u32 audit_operand(struct audit_program *program)
{
	static const u32 regs[] = {
		R_CONTEXT, R_SWITCHED, R_DENIED, R_CHIP, R_OWN, R_GGTT, R_NONE,
		0x2000 + R_GPR, 0x2000 + R_TIMESTAMP, 0x2000 + R_HANDLED, 0x2000 + R_HWS,
		0x22000 + R_GPR, 0x22000 + R_SWCTRL, 0x12000 + R_GPR, 0x12000 + R_HANDLED,
		0x1a000 + R_GPR,
	};
	u32 what = audit_take(program, 1);

	if (what < 64)
		return 0;
	if (what < 128)
		return regs[what % ARRAY_SIZE(regs)];
	if (what < 192)
		return what << 24 | (what & 7);
	return audit_take(program, 4);
}

/* Returns how many dwords were written; @dwords has room for GENERATED_MAX. */
static inline u32 audit_generate(const u8 *data, size_t size, unsigned int engine, u32 *dwords)
{
	struct audit_program program = { data, size };
	u32 count = 0;

	while (program.left && count < GENERATED_MAX) {
		u32 header = audit_header(&program);
		const struct gvirt_cmd *row = gvirt_cmd_find(&gvirt_cmds_gen9, engine, header);
		u32 length = row ? gvirt_cmd_length(row, header) : 1;

		dwords[count++] = header;
		while (length-- > 1 && program.left && count < GENERATED_MAX)
			dwords[count++] = audit_operand(&program);
	}
	return count;
}

#endif
