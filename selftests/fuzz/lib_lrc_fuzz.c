// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzzer of register states and of the submission port: a page of any content
 * gives a shadow page that names only the registers of the layout and holds the
 * host's addresses; a port with any history of events stays sane.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "csb.h"
#include "elsp.h"
#include "lrc.h"

#define PAGE_DWORDS	1024

static const u32 bases[] = { 0x2000, 0x22000, 0x12000 };

static void must(bool condition)
{
	if (!condition)
		abort();
}

static bool in_gtt(u64 start, u64 size, u64 gtt)
{
	return start + size <= gtt;
}

static void check_state(const struct gvirt_lrc_state *state, u64 gtt)
{
	must(in_gtt(state->ring_start, state->ring_size, gtt));
	must(state->ring_head < state->ring_size && state->ring_tail < state->ring_size);
	must(gvirt_lrc_ring_bytes(state->ring_head, state->ring_tail, state->ring_size) <
	     state->ring_size);
	must(!state->indirect_size || in_gtt(state->indirect_start, state->indirect_size, gtt));
	must(!state->per_ctx_valid || in_gtt(state->per_ctx_start, 4096, gtt));
}

/* Walks the page as the chip would: each command has to be a load or a NOOP. */
static void check_commands(const u32 *page, u32 base)
{
	unsigned int dw = 0;
	unsigned int i;

	while (page[dw] != 0x05000000) {
		must(dw < 0xaa);
		if (page[dw]) {
			must((page[dw] & 0xffffef00) == 0x11000000);
			for (i = 0; i < ((page[dw] & 0xff) + 1) / 2; i++) {
				must((page[dw + 1 + 2 * i] & ~0xffcu) == base);
				/* FORCE_TO_NONPRIV, the status page, interrupt masks. */
				must((page[dw + 1 + 2 * i] & 0xfc0) != 0x4c0);
				must((page[dw + 1 + 2 * i] & 0xfff) != 0x080);
				must((page[dw + 1 + 2 * i] & 0xfff) != 0x0a8);
			}
			dw += (page[dw] & 0xff) + 1;
		}
		dw++;
	}
	must(dw == 0xaa);
}

static void check_page(const u32 *guest, u8 flags)
{
	struct gvirt_lrc_engine engine = { flags % 3, bases[flags % 3], 1ull << (20 + flags % 13) };
	static u32 shadow[PAGE_DWORDS];
	static u32 back[PAGE_DWORDS];
	struct gvirt_lrc_host host = {
		.ring_start = 0xf0001000,
		.ring_ctl = 0x3001,
		.ring_tail = 0x80,
		.pdp = { 0x1000, 0x2000, 0x3000, 0x4000 },
	};
	struct gvirt_lrc_state state;
	struct gvirt_lrc_runs runs;

	if (!gvirt_lrc_read(&engine, guest, &state))
		check_state(&state, engine.ggtt_size);
	gvirt_lrc_build(&engine, guest, &host, shadow);
	check_commands(shadow, engine.base);
	must(shadow[7] == 0x80 && shadow[9] == 0xf0001000 && shadow[11] == 0x3001);
	must(shadow[0x33] == 0x1000 && !shadow[0x31] && !shadow[0x19] && !shadow[0x1b]);
	must(!(shadow[0x11] & ~0x20u) && (!(shadow[0xf] & 1) || shadow[0x11] == 0x20));
	must(!(shadow[0x17] & ~0x20u) && (!(shadow[0x15] & 1) || shadow[0x17] == 0x20));
	memcpy(back, guest, sizeof(back));
	gvirt_lrc_write_back(&engine, guest, 0x40, back, &runs);
	must(runs.count > 0 && runs.count < GVIRT_LRC_RUNS_MAX);
}

static void play(struct gvirt_csb *csb, struct gvirt_elsp *elsp, const u8 *event)
{
	struct gvirt_desc_list list;
	struct gvirt_csb_out out = {};

	switch (event[0] % 5) {
	case 0:
		out = gvirt_csb_started(csb);
		break;
	case 1:
		out = gvirt_csb_completed(csb);
		break;
	case 2:
		out = gvirt_csb_preempted(csb);
		break;
	case 3:
		gvirt_csb_write_pointer(csb, (u32)event[1] << 24 | event[2] << 16 | event[3]);
		break;
	default:
		if (gvirt_elsp_write(elsp, event[1] << 16 | event[2], &list))
			out = gvirt_csb_submit(csb, &list);
	}
	must(out.count <= GVIRT_CSB_EVENTS_MAX && out.slot[0] < GEN9_CSB_ENTRIES);
	must(gvirt_csb_sane(csb));
	gvirt_csb_status(csb);
}

static void check_port(const u8 *data, size_t size)
{
	struct gvirt_elsp elsp = {};
	struct gvirt_csb csb;
	size_t i;

	gvirt_csb_reset(&csb);
	for (i = 0; i + 4 <= size && i < 4096; i += 4)
		play(&csb, &elsp, data + i);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static u32 guest[PAGE_DWORDS];
	struct gvirt_lrc_engine engine;
	struct gvirt_lrc_host host = {};
	unsigned int i;
	u16 dw;

	if (size < 2)
		return 0;
	/* Either a raw page, or a good one with some dwords changed. */
	memset(guest, 0, sizeof(guest));
	if (data[1] & 1) {
		memcpy(guest, data + 2, size - 2 < sizeof(guest) ? size - 2 : sizeof(guest));
	} else {
		engine = (struct gvirt_lrc_engine){ data[0] % 3, bases[data[0] % 3], 1 << 20 };
		gvirt_lrc_build(&engine, guest, &host, guest);
		guest[0x0b] = 1;
		for (i = 2; i + 6 <= size && i < 400; i += 6) {
			memcpy(&dw, data + i, sizeof(dw));
			memcpy(&guest[dw % PAGE_DWORDS], data + i + 2, sizeof(u32));
		}
	}
	check_page(guest, data[0]);
	check_port(data + 2, size - 2);
	return 0;
}
