// SPDX-License-Identifier: GPL-2.0-only
/*
 * The command streamer on hostile input: ring, batches and page tables.
 *
 * The input is a program that writes commands and page tables into guest memory
 * and then lets the streamer run; commands overwrite each other and the tables
 * they are fetched through. Whatever happens, every step ends, the streamer stays
 * within guest memory (the sanitizers see to that), and:
 *
 *  - while nothing privileged is executed, no command writes a register that
 *    submits, resets, or holds addresses, and none writes to the global GTT;
 *  - a hung streamer stays hung until it is reset, and executes after that.
 *
 * Input: byte 0: engine, byte 1: flags, then instructions of one byte and operands:
 *
 *   0 to 199	a command: bits 7:0 of its header when it is one dword long (1 byte),
 *		bits 23:8 (2 bytes), then its other dwords, each a byte: below 128: an
 *		address in guest memory; below 192: a register of the engine; else
 *		the next four bytes
 *   200 to 239	go on writing elsewhere: place in units of 1 KiB (1 byte)
 *   240 to 255	raw dwords: count (1 byte), data
 */
#include <linux/array_size.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <gvirt/gen9_cmds.h>
#include <gvirt/gen9_pte.h>
#include "blt.h"
#include "cs.h"
#include "dma.h"
#include "ggtt.h"
#include "platform.h"
#include "stats.h"

#define RAM		BIT(17)
#define STEPS		600
#define RING		0x8000u
#define BATCH		0x10000u

#define FLAG_PPGTT	BIT(0)	/* the context has a PPGTT */
#define FLAG_BATCH	BIT(1)	/* start in a user batch, not in the ring */
#define FLAG_3LEVEL	BIT(2)	/* of three levels */
#define FLAG_BUFFER	BIT(3)	/* run a workaround buffer first */
#define FLAG_USER_ONLY	BIT(4)	/* nothing privileged is executed at all */

/* Commands that a program can have, and how many dwords they get. */
static const struct {
	u32 header;
	u32 dwords;
} commands[] = {
	{ GEN9_MI_NOOP, 1 },
	{ GEN9_MI_SET_PREDICATE, 1 },
	{ GEN9_MI_USER_INTERRUPT, 1 },
	{ GEN9_MI_WAIT_FOR_EVENT, 1 },
	{ GEN9_MI_ARB_CHECK, 1 },
	{ GEN9_MI_REPORT_HEAD, 1 },
	{ GEN9_MI_ARB_ON_OFF, 1 },
	{ GEN9_MI_BATCH_BUFFER_END, 1 },
	{ GEN9_MI_PREDICATE, 1 },
	{ GEN9_MI_DISPLAY_FLIP, 3 },
	{ GEN9_MI_MATH, 5 },
	{ GEN9_MI_SEMAPHORE_SIGNAL, 2 },
	{ GEN9_MI_SEMAPHORE_WAIT, 4 },
	{ GEN9_MI_STORE_DATA_IMM, 4 },
	{ GEN9_MI_STORE_DATA_IMM, 9 },
	{ GEN9_MI_STORE_DATA_INDEX, 4 },
	{ GEN9_MI_LOAD_REGISTER_IMM, 3 },
	{ GEN9_MI_LOAD_REGISTER_IMM, 7 },
	{ GEN9_MI_UPDATE_GTT, 4 },
	{ GEN9_MI_STORE_REGISTER_MEM, 4 },
	{ GEN9_MI_FLUSH_DW, 4 },
	{ GEN9_MI_FLUSH_DW, 5 },
	{ GEN9_MI_REPORT_PERF_COUNT, 4 },
	{ GEN9_MI_LOAD_REGISTER_MEM, 4 },
	{ GEN9_MI_LOAD_REGISTER_REG, 3 },
	{ GEN9_MI_COPY_MEM_MEM, 5 },
	{ GEN9_MI_ATOMIC, 3 },
	{ GEN9_MI_ATOMIC, 11 },
	{ GEN9_MI_BATCH_BUFFER_START, 3 },
	{ GEN9_MI_CONDITIONAL_BATCH_BUFFER_END, 4 },
	{ GEN9_PIPE_CONTROL, 6 },
	{ GEN9_XY_COLOR_BLT, 7 },
	{ GEN9_XY_FAST_COPY_BLT, 10 },
};

/**
 * struct input - What is left of the input
 * @data: next byte
 * @left: bytes left
 * @at: place in guest memory that is written next
 */
struct input {
	const u8 *data;
	size_t left;
	u32 at;
};

/**
 * struct world - What is made once; memory and registers are reset for each input
 * @ram: guest memory, at bus address 0
 * @user_only: nothing privileged is executed
 */
struct world {
	struct gm_stats stats;
	struct gm_dma *dma;
	struct gm_ggtt *ggtt;
	struct gm_mmu *mmu[GM_ENGINE_COUNT];
	struct gm_blt blt;
	struct gm_cs cs;
	u8 *ram;
	u32 registers[0x800000 / 4];
	bool user_only;
};

static struct world *world;

/* A blit may be of gigabytes: it is broken off at its first look at this. */
static const atomic_bool no_drawing = true;

static void check(bool ok)
{
	if (!ok)
		abort();
}

static u32 fuzz_read(void *opaque, u32 offset)
{
	struct world *w = opaque;

	check(offset < 0x800000 && !(offset & 3));
	if (offset - w->cs.base < GEN9_ENGINE_WINDOW_SIZE)
		return gm_cs_reg(&w->cs, offset - w->cs.base);
	return w->registers[offset / 4];
}

/* Registers that hold addresses, or that submit or reset, are privileged on every engine. */
static bool is_dangerous(const struct world *w, u32 offset)
{
	u32 reg = offset - w->cs.base;

	if (reg >= GEN9_ENGINE_WINDOW_SIZE)
		return offset >= 0x8000 && !(offset >= 0x91b8 && offset < 0x91c8) &&
		       offset != 0xe400 && offset != 0xe404;
	return reg < 0x94 || reg == GEN9_RING_MI_MODE || reg == GEN9_RING_RESET_CTL ||
	       (reg >= GEN9_RING_BB_STATE && reg < GEN9_RING_BB_OFFSET) ||
	       (reg >= GEN9_RING_ELSP && reg <= GEN9_RING_CONTEXT_CONTROL) ||
	       (reg >= GEN9_RING_PDP_LDW(0) && reg <= GEN9_RING_GFX_MODE && reg != 0x290 &&
		reg != 0x294) ||
	       (reg >= GEN9_RING_FORCE_TO_NONPRIV(0) && reg < 0x500);
}

static void fuzz_write(void *opaque, u32 offset, u32 value)
{
	struct world *w = opaque;

	check(offset < 0x800000 && !(offset & 3));
	check(!w->user_only || !is_dangerous(w, offset));
	if (offset - w->cs.base < GEN9_ENGINE_WINDOW_SIZE)
		gm_cs_set(&w->cs, offset - w->cs.base, value);
	else
		w->registers[offset / 4] = value;
}

static void fuzz_interrupt(void *opaque, u32 bits)
{
	(void)opaque;
	check(bits);
}

static u64 fuzz_timestamp(void *opaque)
{
	(void)opaque;
	return 0x123456789;
}

static void fuzz_tlb(void *opaque)
{
	struct world *w = opaque;

	gm_mmu_invalidate(w->cs.mmu);
}

static void fuzz_signal(void *opaque, u32 target, u32 context_id)
{
	(void)opaque;
	(void)target;
	(void)context_id;
}

/* Each wait for the display ends when it is looked at for the second time. */
static u32 fuzz_events(void *opaque, u32 wanted, u64 *since)
{
	u32 come = *since ? wanted : 0;

	(void)opaque;
	*since = 1;
	return come;
}

static void fuzz_scan_lines(void *opaque, u32 pipe, u32 window)
{
	(void)opaque;
	(void)window;
	check(pipe < 3);
}

static void fuzz_ggtt(void *opaque, u64 index, u64 entry)
{
	struct world *w = opaque;

	check(!w->user_only);
	/* The others are never reset. */
	if (index < RAM / 4096)
		gm_ggtt_access(w->ggtt, index * 8, &entry, 8, true);
}

static void make_world(void)
{
	int fd = memfd_create("ram", 0);
	unsigned int i;

	world = calloc(1, sizeof(*world));
	check(world && fd >= 0 && !ftruncate(fd, RAM));
	world->ram = mmap(NULL, RAM, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	check(world->ram != MAP_FAILED);
	world->dma = gm_dma_create(&world->stats);
	check(!gm_dma_map(world->dma, 0, RAM, fd, 0, GM_DMA_READ | GM_DMA_WRITE));
	close(fd);
	world->ggtt = gm_ggtt_create(GEN9_GGTT_TABLE_SIZE);
	for (i = 0; i < GM_ENGINE_COUNT; i++)
		world->mmu[i] = gm_mmu_create(i, world->dma, world->ggtt, &world->stats);
}

/* The first pages: tables that map memory onto itself, for inputs that leave them alone. */
static void make_tables(struct world *w)
{
	const u64 rw = GEN9_PTE_PRESENT | GEN9_PTE_RW;
	u64 *table = (u64 *)w->ram;
	u64 entry;
	u32 i;

	table[0] = 0x1000 | rw;
	table[512] = 0x2000 | rw;
	table[1024] = 0x3000 | rw;
	for (i = 0; i < RAM / 4096; i++) {
		entry = (u64)i << 12 | rw;
		table[1536 + i] = entry;
		gm_ggtt_access(w->ggtt, i * 8ul, &entry, 8, true);
	}
}

static u8 next_byte(struct input *in)
{
	if (!in->left)
		return 0;
	in->left--;
	return *in->data++;
}

static u32 next_dword(struct input *in)
{
	u32 low = next_byte(in), second = next_byte(in), third = next_byte(in);

	return low | second << 8 | third << 16 | (u32)next_byte(in) << 24;
}

static void write_dword(struct world *w, struct input *in, u32 value)
{
	memcpy(w->ram + in->at, &value, 4);
	in->at = (in->at + 4) % RAM;
}

static u32 operand(const struct world *w, struct input *in)
{
	u8 kind = next_byte(in);

	if (kind < 128)
		return kind * (RAM / 128);
	if (kind < 192)
		return w->cs.base + (kind - 128u) * 64 + next_byte(in) % 16 * 4;
	return next_dword(in);
}

static void write_command(struct world *w, struct input *in, u8 which)
{
	u32 header = commands[which % ARRAY_SIZE(commands)].header;
	u32 dwords = commands[which % ARRAY_SIZE(commands)].dwords;
	u32 length = dwords > 1 ? dwords - GEN9_CMD_LENGTH_BIAS : next_byte(in);
	u32 flags = next_byte(in) << 8;

	flags |= next_byte(in) << 16;
	write_dword(w, in, header | flags | length);
	for (; dwords > 1; dwords--)
		write_dword(w, in, operand(w, in));
}

static void write_program(struct world *w, struct input *in)
{
	u32 count;
	u8 which;

	while (in->left) {
		which = next_byte(in);
		if (which < 200) {
			write_command(w, in, which);
		} else if (which < 240) {
			in->at = next_byte(in) * 1024u % RAM;
		} else {
			for (count = next_byte(in); count && in->left; count--)
				write_dword(w, in, next_dword(in));
		}
	}
}

static void reset_world(struct world *w, unsigned int engine, u8 flags)
{
	u64 pdp[4] = { 0 };

	memset(w->ram, 0, RAM);
	make_tables(w);
	w->blt = (struct gm_blt){
		.mmu = w->mmu[engine],
		.dma = w->dma,
		.stats = &w->stats,
		.abort = &no_drawing,
	};
	w->cs = (struct gm_cs){
		.engine = engine,
		.base = gm_engine_base(engine),
		.mmu = w->mmu[engine],
		.dma = w->dma,
		.blt = engine == GM_BCS ? &w->blt : NULL,
		.stats = &w->stats,
		.services = { fuzz_read, fuzz_write, fuzz_interrupt, fuzz_timestamp, fuzz_tlb,
			      fuzz_signal, fuzz_ggtt, fuzz_events, fuzz_scan_lines, w },
	};
	gm_cs_init(&w->cs);
	w->cs.ppgtt = flags & FLAG_PPGTT;
	if (flags & FLAG_3LEVEL)
		pdp[0] = 0x2000;
	gm_mmu_set_ppgtt(w->cs.mmu, !(flags & FLAG_3LEVEL), pdp);
	gm_mmu_invalidate(w->cs.mmu);
	w->user_only = flags & FLAG_USER_ONLY;
}

static void start(struct world *w, u8 flags)
{
	struct gm_cs *cs = &w->cs;

	gm_cs_set(cs, GEN9_RING_START, RING);
	gm_cs_set(cs, GEN9_RING_CTL, GEN9_RING_CTL_VALID | 0x3000);
	gm_cs_set(cs, GEN9_RING_TAIL, w->user_only ? 0 : 0x400);
	if (!(flags & (FLAG_BATCH | FLAG_USER_ONLY)))
		return;
	gm_cs_set(cs, GEN9_RING_BB_ADDR, BATCH | GEN9_BB_ADDR_VALID);
	gm_cs_set(cs, GEN9_RING_BB_STATE, GEN9_BB_STATE_PPGTT);
}

static void run(struct world *w)
{
	enum gm_cs_status status = GM_CS_RUN;
	unsigned int i;

	for (i = 0; i < STEPS; i++) {
		status = gm_cs_step(&w->cs);
		check(status <= GM_CS_FAULT);
		check(w->cs.hung == (status == GM_CS_HANG || status == GM_CS_FAULT));
		check(!w->cs.preempt_point || w->cs.arbitration);
		if (status == GM_CS_IDLE || status == GM_CS_WAIT || status == GM_CS_LEAVE ||
		    w->cs.hung)
			break;
	}
	if (w->cs.hung)
		check(gm_cs_step(&w->cs) == GM_CS_HANG);
}

/* Whatever was done to it, a reset streamer executes. */
static void run_after_reset(struct world *w)
{
	gm_cs_reset(&w->cs);
	make_tables(w);
	gm_mmu_invalidate(w->cs.mmu);
	check(gm_cs_step(&w->cs) == GM_CS_IDLE);
	memset(w->ram + RING, 0, 64);
	gm_cs_set(&w->cs, GEN9_RING_START, RING);
	gm_cs_set(&w->cs, GEN9_RING_CTL, GEN9_RING_CTL_VALID);
	gm_cs_set(&w->cs, GEN9_RING_TAIL, 8);
	check(gm_cs_step(&w->cs) == GM_CS_RUN);
	check(gm_cs_step(&w->cs) == GM_CS_RUN);
	check(gm_cs_step(&w->cs) == GM_CS_IDLE);
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	make_world();
	return 0;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct input in = { data + 2, size - 2, 0 };

	if (size < 2)
		return 0;
	in.at = data[1] & (FLAG_BATCH | FLAG_USER_ONLY | FLAG_BUFFER) ? BATCH : RING;
	reset_world(world, data[0] % GM_ENGINE_COUNT, data[1]);
	write_program(world, &in);
	start(world, data[1]);
	if (data[1] & FLAG_BUFFER && !world->user_only)
		gm_cs_run_buffer(&world->cs, BATCH, 0);
	run(world);
	run_after_reset(world);
	return 0;
}
