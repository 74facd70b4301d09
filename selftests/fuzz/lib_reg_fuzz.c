// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzzer of the register tables as a guest and its commands meet them: the input is
 * a list of writes, twelve bytes each (kind and engine, offset, value), to a vGPU's
 * register memory.
 *
 * Checked besides the sanitizers: constants and what is denied never change, bits
 * that are read only never change, a command changes nothing outside its own
 * engine's reach, and a FORCE_TO_NONPRIV slot never opens a register that commands
 * may not write.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <gvirt/gen9_engine.h>
#include "engine.h"
#include "reg.h"

#define BAR_REGISTERS	0x800000u
#define ACCESS_READ	0x10000000u

struct write {
	u8 kind;
	u8 engine;
	u8 pad[2];
	u32 offset;
	u32 value;
};

enum kind {
	KIND_MMIO,
	KIND_COMMAND,
	KIND_NONPRIV,
	KINDS
};

static const struct gvirt_reg_table *table = &gvirt_regs_gen9;
static u32 *memory;

static void require(bool condition)
{
	if (!condition)
		abort();
}

static void check_ref(const struct gvirt_reg_ref *ref, u32 offset)
{
	u32 base = ref->engine < 0 ? 0 : table->base[ref->engine];

	require(ref->engine < (int)table->engines);
	require(base + ref->offset == (offset & ~3u));
	if (ref->row)
		require(ref->offset >= ref->row->first && ref->offset <= ref->row->last);
}

static void store(const struct gvirt_reg_ref *ref, u32 offset, u32 value)
{
	u32 *reg = &memory[offset / 4];
	u32 old = *reg;

	*reg = gvirt_reg_apply(ref->row, old, value);
	require(!((old ^ *reg) & ref->row->ro));
	/* A bit that a one clears is never set by a write. */
	require(!(~old & *reg & ref->row->w1c));
	if (ref->row->class == GVIRT_REG_DENY || ref->row->class == GVIRT_REG_HW_READ)
		require(*reg == old);
	if (ref->row->flags & GVIRT_REG_MASKED)
		require(*reg >> 16 == old >> 16);
}

static void run_command(const struct gvirt_reg_ref *ref, const struct write *write)
{
	unsigned int engine = write->engine % GVIRT_ENGINES;

	if (!gvirt_reg_cmd_allowed(ref, engine, GVIRT_REG_CMD_WRITE))
		return;
	require(ref->row->class == GVIRT_REG_RAM);
	require(ref->row->engines >> engine & 1);
	require(ref->engine < 0 || ref->engine == (int)engine);
	store(ref, write->offset, gvirt_reg_cmd_value(ref->row, write->value));
}

static void run_nonpriv(const struct write *write)
{
	unsigned int engine = write->engine % GVIRT_ENGINES;
	u32 taken = gvirt_reg_nonpriv_value(table, engine, write->value);
	struct gvirt_reg_ref ref = gvirt_reg_find(table, taken & GEN9_FORCE_TO_NONPRIV_MASK);
	bool read = (taken & GEN9_FORCE_TO_NONPRIV_ACCESS_MASK) == ACCESS_READ;

	require(taken == write->value || taken == table->base[engine] + GEN9_RING_NOPID);
	require(gvirt_reg_cmd_allowed(&ref, engine,
				      read ? GVIRT_REG_CMD_READ : GVIRT_REG_CMD_WRITE));
}

static void run_write(const struct write *write)
{
	struct gvirt_reg_ref ref = gvirt_reg_find(table, write->offset);

	check_ref(&ref, write->offset);
	if (write->kind % KINDS == KIND_NONPRIV) {
		run_nonpriv(write);
		return;
	}
	if (!ref.row)
		return;
	require(write->offset < BAR_REGISTERS);
	if (write->kind % KINDS == KIND_COMMAND)
		run_command(&ref, write);
	else
		store(&ref, write->offset, write->value);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct write write;

	if (!memory)
		memory = calloc(BAR_REGISTERS / 4, sizeof(*memory));
	require(memory);
	for (; size >= sizeof(write); data += sizeof(write), size -= sizeof(write)) {
		memcpy(&write, data, sizeof(write));
		run_write(&write);
	}
	return 0;
}
