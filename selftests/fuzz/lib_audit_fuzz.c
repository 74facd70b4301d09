// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoding and audit of hostile buffers, of all kinds and on all engines.
 *
 * Whatever the buffer: the audit reads nothing beyond it and writes nothing beyond
 * its list (the sanitizers see to that), gives the same result for the same input,
 * keeps to its budgets, and reports patches inside the buffer only. And when the
 * verdict is good, then after patching a second audit finds nothing left: no address
 * outside the window that all were moved to, no status page of the host's, no
 * register's value of the chip's, nothing to be made a NOOP.
 *
 * Input: byte 0: kind, byte 1: engine and flags, byte 2: budgets, then a program (see
 * audit_generate()) or, with FLAG_RAW, the dwords themselves.
 */
#include <linux/bits.h>
#include <linux/types.h>
#include "../unit/audit_check.h"

#define FLAG_NO_PPGTT	BIT(2)
#define FLAG_RAW	BIT(3)
#define FLAG_REAL	BIT(4)	/* the real register table, not the tests' */
#define FLAG_END	BIT(5)	/* put an end to it */
#define HEADER		3

static u32 make_buffer(const u8 *data, size_t size, u32 *dwords)
{
	u32 count = size / sizeof(u32) < GENERATED_MAX ? size / sizeof(u32) : GENERATED_MAX;

	if (!(data[1] & FLAG_RAW))
		return audit_generate(data + HEADER, size - HEADER, data[1] & 3, dwords);
	memcpy(dwords, data + HEADER, (count - 1) * sizeof(u32));
	return count - 1;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static u32 dwords[GENERATED_MAX + 1];
	struct gvirt_audit_request request = { .dwords = dwords, .cmds = &gvirt_cmds_gen9 };
	struct gvirt_patch *patches;

	if (size < HEADER + sizeof(u32))
		return 0;
	request.count = make_buffer(data, size, dwords);
	if (data[1] & FLAG_END)
		dwords[request.count++] = 0x05000000;
	request.kind = data[0] % GVIRT_AUDIT_KINDS;
	request.engine = data[1] & 3;
	request.ppgtt = !(data[1] & FLAG_NO_PPGTT);
	request.regs = data[1] & FLAG_REAL ? &gvirt_regs_gen9 : &audit_regs;
	request.max_commands = data[2] & 1 ? data[2] : ~0u;
	request.max_dwords = data[2] & 2 ? data[2] : ~0u;
	request.max_patches = data[2] & 4 ? data[2] >> 3 : GENERATED_MAX;
	audit_checked(&request, &patches);
	free(patches);
	return 0;
}
