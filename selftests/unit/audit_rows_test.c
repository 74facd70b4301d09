// SPDX-License-Identifier: GPL-2.0-only
/*
 * The audit, command by command: tests that are made of the tables' rows. Each row is a
 * good command at first; then its length, its engine, and each of its operands is wrong in
 * each way that it can be.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "audit_rows.h"

#define PAGE	4096u

typedef void (*row_test)(struct made *made);

static void each_row(row_test test)
{
	static struct made made;
	unsigned int s, engine;
	u32 i;

	for (s = 0; s < ARRAY_SIZE(row_sets); s++)
		for (i = 0; i < row_sets[s]->count; i++)
			for (engine = 0; engine < GVIRT_ENGINES; engine++) {
				if (!(row_sets[s]->rows[i].engines & BIT(engine)))
					continue;
				row_make(&made, &row_sets[s]->rows[i], engine);
				test(&made);
			}
}

static void expect(const struct made *made, enum gvirt_audit_reason expected)
{
	enum gvirt_audit_reason reason = row_verdict(made);

	if (reason != expected)
		fail_msg("%s, %08x, %u dwords: %s", made->row->name, made->dw[0], made->length,
			 gvirt_audit_reason_name(reason));
}

static void check_plain(struct made *made)
{
	expect(made, made->row->policy == GVIRT_CMD_REJECT ? GVIRT_AUDIT_REJECTED :
							     GVIRT_AUDIT_OK);
}

static void test_plain_commands(void **state)
{
	(void)state;
	each_row(check_plain);
}

static void check_engines(struct made *made)
{
	unsigned int engine;

	for (engine = 0; engine < GVIRT_ENGINES; engine++) {
		made->engine = engine;
		if (!gvirt_cmd_find(&gvirt_cmds_gen9, engine, made->dw[0]))
			expect(made, GVIRT_AUDIT_UNKNOWN);
	}
}

static void test_other_engines(void **state)
{
	(void)state;
	each_row(check_engines);
}

/* Every length that the field can hold, as far as there is room. */
static void check_length(struct made *made)
{
	u32 most = made->row->length_mask + 2, length;
	enum gvirt_audit_reason reason;

	if (!made->row->length_mask || made->row->policy == GVIRT_CMD_REJECT)
		return;
	for (length = 2; length <= most && length < ROW_DWORDS - 1; length++) {
		row_make(made, made->row, made->engine);
		row_set_length(made, length);
		made->count = length;
		if (length < made->row->min || length > made->row->max) {
			expect(made, GVIRT_AUDIT_LENGTH);
			continue;
		}
		/* Those that the row's own rules allow are good, the others have a bad length. */
		row_finish(made);
		reason = row_verdict(made);
		if (made->length == length)
			assert_int_equal(reason, GVIRT_AUDIT_OK);
		row_set_length(made, length);
		made->count = made->length;
		if (made->row->role != GVIRT_ROLE_COND_END)
			assert_true(row_verdict(made) == GVIRT_AUDIT_OK ||
				    row_verdict(made) == GVIRT_AUDIT_LENGTH);
	}
}

static void test_all_lengths(void **state)
{
	(void)state;
	each_row(check_length);
}

/* The buffer is exactly that long, so a sanitizer sees what is read beyond it. */
static void check_truncated(struct made *made)
{
	if (made->row->policy == GVIRT_CMD_REJECT)
		return;
	for (made->count = 1; made->count < made->length; made->count++)
		expect(made, GVIRT_AUDIT_TRUNCATED);
}

static void test_truncated(void **state)
{
	(void)state;
	each_row(check_truncated);
}

/* Whatever the bits beside opcode and length are, the verdict is one that the row can have. */
static void check_bits(struct made *made)
{
	u32 free = ~(made->row->mask | made->row->length_mask);
	struct made flipped;
	unsigned int bit;

	for (bit = 0; bit < 32; bit++) {
		if (!(free & BIT(bit)))
			continue;
		flipped = *made;
		flipped.dw[0] ^= BIT(bit);
		if (made->row->policy == GVIRT_CMD_REJECT)
			expect(&flipped, GVIRT_AUDIT_REJECTED);
		else if (!made->row->operands && !made->row->role)
			expect(&flipped, GVIRT_AUDIT_OK);
		else
			row_verdict(&flipped);
	}
}

static void test_bits_of_the_header(void **state)
{
	(void)state;
	each_row(check_bits);
}

/* Policies. */

static void check_policy(struct made *made)
{
	struct gvirt_audit_request request = row_request(made);
	struct gvirt_patch patch;

	if (made->row->policy != GVIRT_CMD_PATCH)
		return;
	assert_int_equal(row_audit(&request, made->row->operands[0].dword, &patch), GVIRT_AUDIT_OK);
	assert_int_equal(patch.length, made->length);
	request.max_patches = 0;
	assert_int_equal(row_audit(&request, 0, &patch), GVIRT_AUDIT_PATCHES);
}

static void test_what_is_always_reported(void **state)
{
	(void)state;
	each_row(check_policy);
}

static void check_ppgtt(struct made *made)
{
	struct gvirt_audit_request request = row_request(made);
	struct gvirt_patch patch;

	request.ppgtt = false;
	if (made->row->flags & GVIRT_CMD_PPGTT && made->row->policy != GVIRT_CMD_REJECT)
		assert_int_equal(row_audit(&request, 0, &patch), GVIRT_AUDIT_NO_PPGTT);
}

static void test_no_ppgtt(void **state)
{
	(void)state;
	each_row(check_ppgtt);
}

/* A context switch does not wait, and starts nothing. */
static void check_place(struct made *made)
{
	made->kind = GVIRT_AUDIT_INDIRECT_CTX;
	made->count = made->length;
	if (made->row->policy == GVIRT_CMD_REJECT)
		return;
	if (made->row->role >= GVIRT_ROLE_END && made->row->role <= GVIRT_ROLE_START)
		expect(made, GVIRT_AUDIT_MISPLACED);
	if (made->row->role == GVIRT_ROLE_LONG)
		expect(made, GVIRT_AUDIT_MISPLACED);
}

static void test_workaround_buffers(void **state)
{
	(void)state;
	each_row(check_place);
}

/* Operands. */

typedef void (*operand_test)(struct made *made, const struct gvirt_cmd_operand *op);

/* With the operand's own condition, and without those of what must not be. */
static bool make_operand(struct made *made, const struct gvirt_cmd_operand *op)
{
	const struct gvirt_cmd_operand *other;

	row_make(made, made->row, made->engine);
	row_satisfy(made, &op->when);
	row_finish(made);
	for (other = made->row->operands; other->kind; other++)
		if (other->kind == GVIRT_OP_INVALID && gvirt_cmd_when(&other->when, made->dw))
			return other == op;
	return true;
}

static operand_test current;

static void each_operand_of(struct made *made)
{
	const struct gvirt_cmd_operand *op;

	for (op = made->row->operands; op && op->kind; op++)
		if (make_operand(made, op))
			current(made, op);
}

static void each_operand(operand_test test)
{
	current = test;
	each_row(each_operand_of);
}

static enum gvirt_audit_reason audit_at(const struct made *made, u32 dword,
					struct gvirt_patch *patch)
{
	struct gvirt_audit_request request = row_request(made);

	return row_audit(&request, dword, patch);
}

static u32 bytes_of(const struct made *made, const struct gvirt_cmd_operand *op)
{
	return op->size ? op->size : 4 * (made->length - op->dword - 2);
}

static const u8 patch_of[] = {
	[GVIRT_OP_READ] = GVIRT_PATCH_READ,
	[GVIRT_OP_WRITE] = GVIRT_PATCH_WRITE,
	[GVIRT_OP_READ_WRITE] = GVIRT_PATCH_READ_WRITE,
	[GVIRT_OP_BATCH] = GVIRT_PATCH_BATCH,
};

static void check_good_address(struct made *made, const struct gvirt_cmd_operand *op, u32 address)
{
	struct gvirt_patch patch;

	made->dw[op->dword] = (made->dw[op->dword] & ~op->bits) | address;
	made->dw[op->dword + 1] = 0;
	assert_int_equal(audit_at(made, op->dword, &patch), GVIRT_AUDIT_OK);
	assert_int_equal(patch.kind, patch_of[op->kind]);
	assert_int_equal(patch.low, address);
	assert_int_equal(patch.size, bytes_of(made, op));
	assert_int_equal(patch.length, made->length);
}

static void check_bad_addresses(struct made *made, const struct gvirt_cmd_operand *op)
{
	u32 known = op->bits | (op->ggtt.dword == op->dword ? op->ggtt.mask : 0);
	u32 good = made->dw[op->dword], last = op->bits;
	unsigned int bit;

	for (bit = 0; bit < 32; bit++) {
		made->dw[op->dword] = good | BIT(bit);
		if (!(known & BIT(bit)))
			expect(made, GVIRT_AUDIT_ADDRESS);
		made->dw[op->dword] = good;
		made->dw[op->dword + 1] = BIT(bit);
		expect(made, GVIRT_AUDIT_ADDRESS);
		made->dw[op->dword + 1] = 0;
	}
	made->dw[op->dword] = (good & ~op->bits) | last;
	expect(made, (u64)last + bytes_of(made, op) > BIT_ULL(32) ? GVIRT_AUDIT_ADDRESS :
								    GVIRT_AUDIT_OK);
}

static void check_address(struct made *made, const struct gvirt_cmd_operand *op)
{
	struct gvirt_audit_request request = row_request(made);
	struct gvirt_patch patch;

	if (!row_is_address(op))
		return;
	/* In the PPGTT any address will do, if there is one. */
	made->dw[op->dword] |= op->bits;
	made->dw[op->dword + 1] = ~0u;
	assert_int_equal(audit_at(made, op->dword, &patch), GVIRT_AUDIT_OK);
	assert_true(!patch.length || patch.flags & GVIRT_PATCH_PPGTT);
	request.ppgtt = false;
	assert_int_equal(row_audit(&request, 0, &patch), GVIRT_AUDIT_NO_PPGTT);
	row_satisfy(made, &op->ggtt);
	check_good_address(made, op, 0x00345000);
	check_good_address(made, op, 0);
	check_good_address(made, op, (0u - PAGE) & op->bits);
	check_bad_addresses(made, op);
}

static void test_addresses(void **state)
{
	(void)state;
	each_operand(check_address);
}

static void check_status(struct made *made, const struct gvirt_cmd_operand *op)
{
	u32 bytes = op->size ? op->size : 4 * (made->length - op->dword - 1), at;
	struct gvirt_patch patch;

	if (op->kind != GVIRT_OP_STATUS)
		return;
	for (at = 0; at < 2 * PAGE; at += 4) {
		made->dw[op->dword] = at;
		if (at & ~op->bits) {
			if (op->ggtt.dword != op->dword || at & ~(op->bits | op->ggtt.mask))
				expect(made, GVIRT_AUDIT_ADDRESS);
			continue;
		}
		if (at + bytes > PAGE) {
			expect(made, GVIRT_AUDIT_ADDRESS);
			continue;
		}
		assert_int_equal(audit_at(made, op->dword, &patch), GVIRT_AUDIT_OK);
		assert_int_equal(patch.kind, GVIRT_PATCH_STATUS);
		assert_int_equal(patch.low, at);
		assert_int_equal(!!(patch.flags & GVIRT_PATCH_OWN_PAGE),
				 !gvirt_cmd_when(&op->ggtt, made->dw));
	}
}

static void test_status_pages(void **state)
{
	(void)state;
	each_operand(check_status);
}

static void check_invalid(struct made *made, const struct gvirt_cmd_operand *op)
{
	if (op->kind == GVIRT_OP_INVALID)
		expect(made, GVIRT_AUDIT_OPERAND);
}

static void test_what_must_not_be(void **state)
{
	(void)state;
	each_operand(check_invalid);
}

/* At the operand's first place, and at the last one of a long command. */
static void check_register_at(struct made *made, const struct gvirt_cmd_operand *op, u32 dword)
{
	u32 good = made->dw[dword];
	unsigned int bit;

	for (bit = 0; bit < 32; bit++) {
		if (op->bits & BIT(bit))
			continue;
		made->dw[dword] = good | BIT(bit);
		expect(made, GVIRT_AUDIT_OPERAND);
	}
	made->dw[dword] = R_NONE;
	expect(made, GVIRT_AUDIT_REG_UNKNOWN);
	made->dw[dword] = R_DENIED;
	expect(made, op->kind == GVIRT_OP_REG_WRITE ? GVIRT_AUDIT_REG_WRITE :
		     op->aux ? GVIRT_AUDIT_OK : GVIRT_AUDIT_REG_READ);
	made->dw[dword] = audit_bases[!made->engine] + R_GPR;
	expect(made, op->kind == GVIRT_OP_REG_WRITE ? GVIRT_AUDIT_REG_ENGINE :
		     op->aux ? GVIRT_AUDIT_OK : GVIRT_AUDIT_REG_READ);
	made->dw[dword] = audit_bases[made->engine] + R_HANDLED;
	if (op->kind == GVIRT_OP_REG_WRITE)
		expect(made, op->aux ? GVIRT_AUDIT_OK : GVIRT_AUDIT_REG_VALUE);
	made->dw[dword] = good;
}

static void check_register(struct made *made, const struct gvirt_cmd_operand *op)
{
	u32 last;

	if (!row_is_register(op))
		return;
	check_register_at(made, op, op->dword);
	if (!op->step)
		return;
	last = made->row->max - op->step;
	last -= (last - op->dword) % op->step;
	row_set_length(made, last + op->step);
	row_finish(made);
	check_register_at(made, op, last);
}

static void test_registers(void **state)
{
	(void)state;
	each_operand(check_register);
}

static bool is_gpr(u32 operand)
{
	return operand < 16;
}

/* Loads go to the sources, stores to general purpose registers, from results. */
static bool alu_is_good(u32 opcode, u32 first, u32 second)
{
	bool source = first == 0x20 || first == 0x21;

	switch (opcode) {
	case 0x000: case 0x100: case 0x101: case 0x102: case 0x103: case 0x104:
		return true;
	case 0x081: case 0x481:
		return source;
	case 0x080: case 0x480:
		return source && is_gpr(second);
	case 0x180: case 0x580:
		return is_gpr(first) && second >= 0x31 && second <= 0x33;
	default:
		return false;
	}
}

static void check_alu(struct made *made, const struct gvirt_cmd_operand *op)
{
	static const u32 operands[] = { 0, 15, 16, 0x1f, 0x20, 0x21, 0x22, 0x31, 0x32, 0x33, 0x34,
					0x3ff };
	unsigned int a, b;
	u32 opcode;

	if (op->kind != GVIRT_OP_ALU || made->engine != GVIRT_RCS)
		return;
	for (opcode = 0; opcode < BIT(12); opcode++)
		for (a = 0; a < ARRAY_SIZE(operands); a++)
			for (b = 0; b < ARRAY_SIZE(operands); b++) {
				made->dw[op->dword] = opcode << 20 | operands[a] << 10 |
						      operands[b];
				expect(made, alu_is_good(opcode, operands[a], operands[b]) ?
					     GVIRT_AUDIT_OK : GVIRT_AUDIT_MATH);
			}
}

static void test_instructions_of_math(void **state)
{
	(void)state;
	each_operand(check_alu);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain_commands),
		cmocka_unit_test(test_other_engines),
		cmocka_unit_test(test_all_lengths),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_bits_of_the_header),
		cmocka_unit_test(test_what_is_always_reported),
		cmocka_unit_test(test_no_ppgtt),
		cmocka_unit_test(test_workaround_buffers),
		cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_status_pages),
		cmocka_unit_test(test_what_must_not_be),
		cmocka_unit_test(test_registers),
		cmocka_unit_test(test_instructions_of_math),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
