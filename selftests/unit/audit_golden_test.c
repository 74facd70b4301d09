// SPDX-License-Identifier: GPL-2.0-only
/*
 * What stock i915 executes with privilege must pass the audit, by the real tables: rings, GGTT
 * batches and workaround buffers, recorded on the model by selftests/silicon/record, and in
 * guests on a vGPU, as they wrote them, by selftests/vgpu/record.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "audit_check.h"
#include "streams.h"

/* What a file has. */
struct tally {
	unsigned int kinds[GVIRT_AUDIT_KINDS];
	unsigned int engines[GVIRT_ENGINES];
	u32 dwords;
	u32 patches;
};

static void check_stream(const struct stream *stream, void *data)
{
	struct tally *tally = data;
	struct gvirt_audit_request request = {
		.dwords = stream->dw, .count = stream->count, .kind = stream->kind,
		.engine = stream->engine, .ppgtt = true, .max_commands = ~0u, .max_dwords = ~0u,
		.max_patches = 4096, .cmds = &gvirt_cmds_gen9, .regs = &gvirt_regs_gen9,
	};
	struct gvirt_audit_result result;
	struct gvirt_patch *patches;

	result = audit_checked(&request, &patches);
	free(patches);
	if (result.reason)
		fail_msg("kind %u of engine %u, %u dwords: %s at dword %u: %08x", stream->kind,
			 stream->engine, stream->count, gvirt_audit_reason_name(result.reason),
			 result.end, result.header);
	assert_int_equal(result.end, stream->count);
	tally->kinds[stream->kind]++;
	tally->engines[stream->engine]++;
	tally->dwords += stream->count;
	tally->patches += result.patch_count;
}

static void check_file(const char *path)
{
	struct tally tally = { 0 };
	unsigned int engine;

	if (stream_each(path, check_stream, &tally) < 0)
		fail_msg("cannot read %s", path);
	/* The file is not an empty one, and has all that a stock driver has. */
	for (engine = 0; engine < GVIRT_ENGINES; engine++)
		assert_true(tally.engines[engine] >= 3);
	assert_true(tally.kinds[GVIRT_AUDIT_RING] > 20);
	assert_true(tally.kinds[GVIRT_AUDIT_BATCH] > 0);
	assert_true(tally.kinds[GVIRT_AUDIT_INDIRECT_CTX] > 0);
	assert_true(tally.dwords > 1000);
	assert_true(tally.patches > 100);
}

static void test_linux_6_12(void **state)
{
	(void)state;
	check_file(GOLDEN_DIR "/i915-streams-6.12.txt");
}

static void test_linux_7_3(void **state)
{
	(void)state;
	check_file(GOLDEN_DIR "/i915-streams-7.3.txt");
}

static void test_guest_of_6_12(void **state)
{
	(void)state;
	check_file(GOLDEN_DIR "/guest-streams-6.12.txt");
}

static void test_guest_of_7_3(void **state)
{
	(void)state;
	check_file(GOLDEN_DIR "/guest-streams-7.3.txt");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_linux_6_12),
		cmocka_unit_test(test_linux_7_3),
		cmocka_unit_test(test_guest_of_6_12),
		cmocka_unit_test(test_guest_of_7_3),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
