// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of command decoding: the tables themselves, every header there is in
 * the bits that matter, and lengths that were written down from the manual.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <linux/array_size.h>
#include "cmd.h"
#include "cmd_table.h"
#include "platform.h"
#include "stats.h"

#define RCS	1u
#define BCS	2u
#define VCS	4u
#define VECS	8u
#define ALL	15u

static void test_tables_are_sorted(void **state)
{
	unsigned int t, i;

	(void)state;
	for (t = 0; t < GM_CMD_TABLE_COUNT; t++) {
		const struct gm_cmd_table *table = &gm_cmd_tables[t];

		assert_true(table->count > 0);
		for (i = 0; i < table->count; i++) {
			const struct gm_cmd_row *row = &table->rows[i];

			/* Rows are one value of the masked bits each: sorted means no overlap. */
			assert_int_equal(row->header & ~table->mask, 0);
			assert_int_equal(row->header >> 29, table->type);
			if (i)
				assert_true(table->rows[i - 1].header < row->header);
		}
	}
}

/* No two tables claim a type on the same engine. */
static void test_tables_are_disjoint(void **state)
{
	unsigned int a, b;

	(void)state;
	for (a = 0; a < GM_CMD_TABLE_COUNT; a++)
		for (b = 0; b < a; b++)
			if (gm_cmd_tables[a].type == gm_cmd_tables[b].type)
				assert_int_equal(gm_cmd_tables[a].engines &
						 gm_cmd_tables[b].engines, 0);
}

static void test_rows_are_sound(void **state)
{
	unsigned int t, i;

	(void)state;
	for (t = 0; t < GM_CMD_TABLE_COUNT; t++) {
		const struct gm_cmd_table *table = &gm_cmd_tables[t];

		for (i = 0; i < table->count; i++) {
			const struct gm_cmd_row *row = &table->rows[i];

			assert_non_null(row->name);
			assert_true(row->kind < GM_CMD_UNDEFINED);
			assert_true(row->engines & table->engines);
			/* The length field begins at bit 0 and stays clear of the opcode. */
			assert_int_equal(row->length_mask & (row->length_mask + 1), 0);
			assert_int_equal(row->length_mask & table->mask, 0);
			assert_true(row->least >= 1);
			assert_true(row->length_mask ? row->least <= row->length_mask + 2 :
						       row->least == 1);
			assert_true(row->length_mask + 2 <= GM_CMD_MAX_DWORDS);
		}
	}
}

/* All opcodes (the upper 16 bits) with lower bits that span every length field's ends. */
static void test_every_header(void **state)
{
	static const u32 low[] = {
		0, 1, 2, 3, 8, 0x3e, 0x3f, 0x40, 0xff, 0x100, 0x1ff, 0x3ff, 0x7ff, 0xfff, 0x8000,
		0xffff,
	};
	unsigned int engine, i;
	u32 high, defined = 0;

	(void)state;
	for (engine = 0; engine <= GM_ENGINE_COUNT; engine++) {
		for (high = 0; high < 0x10000; high++) {
			for (i = 0; i < ARRAY_SIZE(low); i++) {
				struct gm_cmd cmd = gm_cmd_decode(engine, high << 16 | low[i]);

				assert_non_null(cmd.name);
				if (cmd.kind == GM_CMD_UNDEFINED) {
					assert_int_equal(cmd.dwords, 0);
					continue;
				}
				defined++;
				assert_true(engine < GM_ENGINE_COUNT);
				assert_true(cmd.dwords >= 1 && cmd.dwords <= GM_CMD_MAX_DWORDS);
			}
		}
	}
	assert_true(defined > 0);
}

/**
 * struct sample - A header as it stands in a batch, and what the manual says of it
 * @engines: bit n: engine n knows it, the others do not
 * @header: with its length field and some flags
 * @kind: what is to be done with it
 * @dwords: its length
 */
struct sample {
	u32 engines;
	u32 header;
	enum gm_cmd_kind kind;
	u32 dwords;
};

static const struct sample samples[] = {
	/* MI_NOOP, also with an identification number that looks like a length */
	{ ALL, 0x00000000, GM_CMD_MI, 1 },
	{ ALL, 0x007fffff, GM_CMD_MI, 1 },
	{ ALL, 0x0080000f, GM_CMD_MI, 1 },		/* MI_SET_PREDICATE */
	{ ALL, 0x01000000, GM_CMD_MI, 1 },		/* MI_USER_INTERRUPT */
	{ RCS | BCS, 0x01800008, GM_CMD_MI, 1 },	/* MI_WAIT_FOR_EVENT */
	{ ALL, 0x02000000, GM_CMD_MI, 1 },		/* MI_FLUSH */
	{ ALL, 0x02800000, GM_CMD_MI, 1 },		/* MI_ARB_CHECK */
	{ RCS, 0x03000001, GM_CMD_MI, 1 },		/* MI_RS_CONTROL */
	{ ALL, 0x03800000, GM_CMD_MI, 1 },		/* MI_REPORT_HEAD */
	{ ALL, 0x04000001, GM_CMD_MI, 1 },		/* MI_ARB_ON_OFF */
	{ RCS, 0x048001ff, GM_CMD_MI, 1 },		/* MI_URB_ATOMIC_ALLOC */
	{ ALL, 0x05000000, GM_CMD_MI, 1 },		/* MI_BATCH_BUFFER_END */
	{ ALL, 0x05800001, GM_CMD_MI, 1 },		/* MI_SUSPEND_FLUSH */
	{ RCS, 0x060000c2, GM_CMD_MI, 1 },		/* MI_PREDICATE */
	{ RCS, 0x0680003f, GM_CMD_MI, 1 },		/* MI_TOPOLOGY_FILTER */
	{ ALL, 0x07000005, GM_CMD_MI, 1 },		/* MI_SET_APPID */
	{ RCS, 0x07800001, GM_CMD_MI, 1 },		/* MI_RS_CONTEXT */
	{ RCS | BCS, 0x09000000, GM_CMD_MI, 2 },	/* MI_LOAD_SCAN_LINES_INCL */
	{ RCS | BCS, 0x09a00040, GM_CMD_MI, 2 },	/* ..._EXCL, a flag above 6 bits */
	{ RCS | BCS, 0x0a000001, GM_CMD_MI, 3 },	/* MI_DISPLAY_FLIP */
	{ RCS, 0x0c000000, GM_CMD_MI, 2 },		/* MI_SET_CONTEXT */
	{ ALL, 0x0d000003, GM_CMD_MI, 5 },		/* MI_MATH of four instructions */
	{ ALL, 0x0da18000, GM_CMD_MI, 2 },		/* MI_SEMAPHORE_SIGNAL to VECS */
	{ ALL, 0x0e40c002, GM_CMD_MI, 4 },		/* MI_SEMAPHORE_WAIT, polled, equal */
	{ ALL, 0x0e800000, GM_CMD_MI, 2 },		/* MI_FORCE_WAKEUP */
	{ ALL, 0x10000002, GM_CMD_MI, 4 },		/* MI_STORE_DATA_IMM, dword */
	{ ALL, 0x10600003, GM_CMD_MI, 5 },		/* ..., qword, GGTT */
	{ ALL, 0x100003ff, GM_CMD_MI, 1025 },		/* ..., 10-bit length */
	{ ALL, 0x10a00001, GM_CMD_MI, 3 },		/* MI_STORE_DATA_INDEX */
	{ ALL, 0x11000001, GM_CMD_MI, 3 },		/* MI_LOAD_REGISTER_IMM, one */
	{ ALL, 0x11001005, GM_CMD_MI, 7 },		/* ..., three, forced posted */
	{ ALL, 0x118003ff, GM_CMD_MI, 1025 },		/* MI_UPDATE_GTT */
	{ ALL, 0x12400002, GM_CMD_MI, 4 },		/* MI_STORE_REGISTER_MEM, GGTT */
	{ BCS | VCS | VECS, 0x13244082, GM_CMD_MI, 4 },	/* MI_FLUSH_DW: bit 7 is a flag */
	{ BCS | VCS | VECS, 0x13000003, GM_CMD_MI, 5 },
	{ BCS | VCS | VECS, 0x13000000, GM_CMD_MI, 2 },
	{ RCS, 0x138003ff, GM_CMD_MI, 1025 },		/* MI_CLFLUSH */
	{ RCS, 0x14000042, GM_CMD_MI, 4 },		/* MI_REPORT_PERF_COUNT: 6 bits */
	{ ALL, 0x14800002, GM_CMD_MI, 4 },		/* MI_LOAD_REGISTER_MEM */
	{ ALL, 0x15000001, GM_CMD_MI, 3 },		/* MI_LOAD_REGISTER_REG */
	{ RCS, 0x15800002, GM_CMD_MI, 4 },		/* MI_RS_STORE_DATA_IMM */
	{ RCS, 0x16000002, GM_CMD_MI, 4 },		/* MI_LOAD_URB_MEM */
	{ RCS, 0x16800002, GM_CMD_MI, 4 },		/* MI_STORE_URB_MEM */
	{ ALL, 0x17600003, GM_CMD_MI, 5 },		/* MI_COPY_MEM_MEM */
	{ ALL, 0x17800501, GM_CMD_MI, 3 },		/* MI_ATOMIC, increment */
	{ ALL, 0x17840409, GM_CMD_MI, 11 },		/* ..., inline operands */
	{ ALL, 0x18800101, GM_CMD_MI, 3 },		/* MI_BATCH_BUFFER_START, PPGTT */
	{ ALL, 0x1b200002, GM_CMD_MI, 4 },		/* MI_CONDITIONAL_BATCH_BUFFER_END */

	{ BCS, 0x40400008, GM_CMD_2D, 10 },		/* XY_SETUP_BLT */
	{ BCS, 0x40c00001, GM_CMD_2D, 3 },		/* XY_SETUP_CLIP_BLT */
	{ BCS, 0x44700008, GM_CMD_2D, 10 },		/* XY_SETUP_MONO_PATTERN_SL_BLT */
	{ BCS, 0x49000000, GM_CMD_2D, 2 },		/* XY_PIXEL_BLT */
	{ BCS, 0x49400001, GM_CMD_2D, 3 },		/* XY_SCANLINES_BLT */
	{ BCS, 0x4c410003, GM_CMD_2D, 5 },		/* XY_TEXT_IMMEDIATE_BLT */
	{ BCS, 0x50300004, GM_CMD_2D, 6 },		/* COLOR_BLT */
	{ BCS, 0x50804008, GM_CMD_2D, 10 },		/* XY_FAST_COPY_BLT to Y */
	{ BCS, 0x50c00006, GM_CMD_2D, 8 },		/* SRC_COPY_BLT */
	{ BCS, 0x54300005, GM_CMD_2D, 7 },		/* XY_COLOR_BLT */
	{ BCS, 0x54400006, GM_CMD_2D, 8 },		/* XY_PAT_BLT */
	{ BCS, 0x54f08808, GM_CMD_2D, 10 },		/* XY_SRC_COPY_BLT, tiled */
	{ BCS, 0x5c400046, GM_CMD_2D, 72 },		/* XY_MONO_SRC_COPY_IMMEDIATE_BLT */

	{ RCS, 0x61010011, GM_CMD_SKIP, 19 },		/* STATE_BASE_ADDRESS */
	{ RCS, 0x61020001, GM_CMD_SKIP, 3 },		/* STATE_SIP */
	{ RCS, 0x680b0001, GM_CMD_SKIP, 1 },		/* 3DSTATE_VF_STATISTICS */
	{ RCS, 0x69040302, GM_CMD_SKIP, 1 },		/* PIPELINE_SELECT */
	{ RCS, 0x78100007, GM_CMD_SKIP, 9 },		/* 3DSTATE_VS */
	{ RCS, 0x783907ff, GM_CMD_SKIP, 2049 },		/* 3DSTATE_DX9_CONSTANTF_VS */
	{ RCS, 0x784301ff, GM_CMD_SKIP, 513 },		/* 3DSTATE_BINDING_TABLE_EDIT_VS */
	{ RCS, 0x79070f1f, GM_CMD_SKIP, 33 },		/* 3DSTATE_POLY_STIPPLE_PATTERN */
	{ RCS, 0x791701ff, GM_CMD_SKIP, 513 },		/* 3DSTATE_SO_DECL_LIST */
	{ RCS, 0x7a000004, GM_CMD_PIPE_CONTROL, 6 },
	{ RCS, 0x7b000405, GM_CMD_SKIP, 7 },		/* 3DPRIMITIVE, indirect */

	{ VCS, 0x68000300, GM_CMD_SKIP, 1 },		/* MFX_WAIT */
	{ VCS, 0x700a0000, GM_CMD_UNDEFINED, 0 },	/* a hole between MFX commands */
	{ VCS, 0x70870000, GM_CMD_SKIP, 2 },		/* VDENC_WALKER_STATE */
	{ VCS, 0x7382005d, GM_CMD_SKIP, 95 },		/* HCP_PIPE_BUF_ADDR_STATE */
	{ VCS, 0x77800000, GM_CMD_SKIP, 2 },		/* VD_PIPELINE_FLUSH */
	{ VCS | VECS, 0x75010020, GM_CMD_SKIP, 34 },	/* SFC_STATE */
	{ VECS, 0x7402000e, GM_CMD_SKIP, 16 },		/* VEBOX_STATE */
};

static void test_lengths(void **state)
{
	unsigned int i, engine;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(samples); i++) {
		const struct sample *sample = &samples[i];

		for (engine = 0; engine < GM_ENGINE_COUNT; engine++) {
			struct gm_cmd cmd = gm_cmd_decode(engine, sample->header);
			bool known = sample->engines >> engine & 1 && sample->dwords;

			if (cmd.kind != (known ? sample->kind : GM_CMD_UNDEFINED) ||
			    cmd.dwords != (known ? sample->dwords : 0))
				fail_msg("%08x on engine %u: %s, kind %d, %u dwords",
					 sample->header, engine, cmd.name, cmd.kind, cmd.dwords);
		}
	}
}

/* The same opcode is one command on the render engine and another on a video engine. */
static void test_opcodes_by_engine(void **state)
{
	(void)state;
	assert_string_equal(gm_cmd_decode(GM_RCS, 0x70000007).name, "MEDIA_VFE_STATE");
	assert_int_equal(gm_cmd_decode(GM_RCS, 0x7000ffff).dwords, 65537);
	assert_string_equal(gm_cmd_decode(GM_RCS, 0x71050c0d).name, "GPGPU_WALKER");
	assert_int_equal(gm_cmd_decode(GM_RCS, 0x71050c0d).dwords, 15);
	assert_string_equal(gm_cmd_decode(GM_VCS, 0x70000003).name, "MFX_PIPE_MODE_SELECT");
	assert_int_equal(gm_cmd_decode(GM_VCS, 0x7000ffff).dwords, 4097);
	assert_string_equal(gm_cmd_decode(GM_VCS, 0x74000024).name, "MFX_VP8_PIC_STATE");
	assert_string_equal(gm_cmd_decode(GM_VECS, 0x74000007).name, "VEBOX_SURFACE_STATE");
}

static void test_undefined(void **state)
{
	static const u32 headers[] = {
		0x0b000001,	/* MI_SEMAPHORE_MBOX, gone since Gen8 */
		0x18000001,	/* MI_BATCH_BUFFER, older still */
		0x1f800000, 0x08000000, 0x20000000, 0x80000000, 0xa0000000, 0xdeadbeef, 0xffffffff,
		0x40000000, 0x51000000, 0x5e000000, 0x60000000, 0x7c000000, 0x78ff0000,
	};
	unsigned int i, engine;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(headers); i++)
		for (engine = 0; engine < GM_ENGINE_COUNT; engine++)
			assert_int_equal(gm_cmd_decode(engine, headers[i]).kind, GM_CMD_UNDEFINED);
}

/* Shorter than the operands that the streamer or the 2D engine will read. */
static void test_too_short(void **state)
{
	static const struct sample shorts[] = {
		{ GM_RCS, 0x10000001, GM_CMD_UNDEFINED, 0 },	/* MI_STORE_DATA_IMM of 3 */
		{ GM_RCS, 0x11000000, GM_CMD_UNDEFINED, 0 },	/* MI_LOAD_REGISTER_IMM of 2 */
		{ GM_RCS, 0x18800000, GM_CMD_UNDEFINED, 0 },	/* MI_BATCH_BUFFER_START of 2 */
		{ GM_RCS, 0x7a000003, GM_CMD_UNDEFINED, 0 },	/* PIPE_CONTROL of 5 */
		{ GM_BCS, 0x54c00006, GM_CMD_UNDEFINED, 0 },	/* XY_SRC_COPY_BLT of Gen7 */
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(shorts); i++) {
		struct gm_cmd cmd = gm_cmd_decode(shorts[i].engines, shorts[i].header);

		assert_int_equal(cmd.kind, GM_CMD_UNDEFINED);
		assert_int_equal(cmd.dwords, 0);
		/* Its name is known all the same, for the message. */
		assert_string_not_equal(cmd.name, "undefined");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tables_are_sorted),
		cmocka_unit_test(test_tables_are_disjoint),
		cmocka_unit_test(test_rows_are_sound),
		cmocka_unit_test(test_every_header),
		cmocka_unit_test(test_lengths),
		cmocka_unit_test(test_opcodes_by_engine),
		cmocka_unit_test(test_undefined),
		cmocka_unit_test(test_too_short),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
