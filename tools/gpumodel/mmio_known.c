// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registers of Gen9 GT2 that hold what is written to them, by hardware block.
 *
 * The engines' windows, the fences and all registers with a behaviour of their
 * own have hooks elsewhere; a hooked register may stand here as well, for
 * its reset value. A block's row may cover a few dwords that the chip has
 * not: the rows are about which unit answers an access.
 *
 * Sources: Linux i915: gt/intel_gt_regs.h,
 * i915_reg.h, the display's *_regs.h, and the set of registers that
 * intel_gvt_mmio_table.c knows for Skylake.
 */
#include <linux/array_size.h>
#include <gvirt/gen9_display.h>
#include <gvirt/gen9_gt.h>
#include "mmio.h"

#define M GM_KNOWN_MASKED
#define RO GM_KNOWN_RO

/*
 * Reset values that are this personality's choice: a GT2 with one slice of
 * three subslices of eight EUs, 350 to 1150 MHz, two channels of 8 GiB DDR4.
 */
#define FUSE2_GT2	(GEN9_FUSE2_SLICE_ENABLE(0) | GEN9_FUSE2_SUBSLICE_DISABLE(3))
#define PGCTL_GT2	(GEN9_PGCTL_SLICE_ACK | GEN9_PGCTL_SUBSLICE_ACK(0) | \
			 GEN9_PGCTL_SUBSLICE_ACK(1) | GEN9_PGCTL_SUBSLICE_ACK(2))
#define FREQUENCIES	0x00070717	/* RPn, RP1, RP0 in 50 MHz */
#define DIMM_8GB_X8	0x00000008	/* size in GiB, width 0: x8, one rank */
#define DRAM_2133	0x00000008	/* in 266 MHz */

const struct gm_mmio_known gm_mmio_known[] = {
	/* GT: what stands before the engines. */
	{ 0x00860, 0x00860, 0, 0, "GT scratch" },
	{ 0x00d00, 0x00d00, RO, GEN9_RPM_CONFIG0_24MHZ, "RPM configuration" },
	{ 0x00d04, 0x00d08, 0, 0, "RPM configuration" },
	{ 0x00d40, 0x00d40, RO, GEN9_RC6_CTX_IN_DRAM, "RC6 location" },
	{ 0x00d48, 0x00d4c, RO, 0, "RC6 context base" },
	{ 0x00d84, 0x00d88, RO, 0, "forcewake acknowledge" },
	{ 0x00fd8, 0x00fe0, 0, 0, "multicast selectors" },

	/* GT: address translation and arbitration. */
	{ 0x04000, 0x0402c, 0, 0, "GAM" },
	{ 0x04030, 0x04030, M, 0, "arbiter mode" },
	{ 0x04034, 0x040fc, 0, 0, "GAM, fault, private PAT" },
	{ 0x04180, 0x041fc, 0, 0, "GAM" },
	{ 0x04200, 0x042fc, 0, 0, "GAM, TLB invalidation" },
	{ 0x04380, 0x043fc, 0, 0, "GAM" },
	{ 0x04a00, 0x04bfc, 0, 0, "GAM ECO, fault TLB data" },
	{ 0x04dd0, 0x04dfc, 0, 0, "memory compression control" },

	/* Render: fixed functions, caches, chicken bits. */
	{ 0x05200, 0x0529c, 0, 0, "stream output" },
	{ 0x05580, 0x05584, 0, 0, "windower" },
	{ 0x05588, 0x05588, M, 0, "windower chicken 3" },
	{ 0x06200, 0x06210, 0, 0, "setup" },
	{ 0x07000, 0x07018, M, 0, "cache modes, GT mode, slice chicken" },
	{ 0x0701c, 0x0707c, 0, 0, "L3 control" },
	{ 0x07100, 0x071fc, 0, 0, "slice state" },
	{ 0x07300, 0x0731c, M, 0, "HDC and slice chicken" },
	{ 0x07400, 0x0740c, 0, 0, "slice state" },
	{ 0x07c00, 0x07c00, 0, 0, "slice state" },

	/* GT: power gating, fuses, clock gating. */
	{ 0x0804c, 0x0804c, RO, PGCTL_GT2, "slice power gate" },
	{ 0x08050, 0x08058, RO, 0, "slice power gate" },
	{ 0x0805c, 0x0805c, RO, 0x5555, "EU power gate" },
	{ 0x08060, 0x08060, RO, 0x0055, "EU power gate" },
	{ 0x08064, 0x08070, RO, 0, "EU power gate" },
	{ 0x083a4, 0x083a4, M, 0, "vertex fetch guard band" },
	{ 0x08500, 0x08500, 0, 0, "RC6 context" },
	{ 0x08504, 0x08504, RO, 1, "RC6 context" },
	{ 0x08508, 0x0850c, 0, 0, "RC6 context" },
	{ 0x09000, 0x0910c, 0, 0, "GT configuration" },
	{ 0x09110, 0x0911c, RO, 0, "fuses" },
	{ 0x09120, 0x09120, RO, FUSE2_GT2, "fuses" },
	{ 0x09124, 0x0914c, RO, 0, "fuses" },
	{ 0x09400, 0x094fc, 0, 0, "clock gating, resets" },
	{ 0x09800, 0x098fc, 0, 0, "GDT" },

	/* GT: frequency and power states. */
	{ 0x0a000, 0x0a0fc, 0, 0, "RPS, RC6" },
	{ 0x0a100, 0x0a184, 0, 0, "PM interrupt mask" },
	{ 0x0a188, 0x0a18c, M, 0, "forcewake" },
	{ 0x0a190, 0x0a268, 0, 0, "power gating, push bus" },
	{ 0x0a26c, 0x0a26c, RO, 2 << GEN9_CTC_SHIFT_SHIFT, "timestamp clock" },
	{ 0x0a270, 0x0a270, M, 0, "forcewake" },
	{ 0x0a278, 0x0a278, M, 0, "forcewake" },
	{ 0x0a2a0, 0x0a2a0, RO, 0, "power gate status" },

	/* Render: L3. */
	{ 0x0b000, 0x0b01c, 0, 0, "L3 configuration" },
	{ 0x0b020, 0x0b09c, 0, 0, "L3 MOCS" },
	{ 0x0b0a0, 0x0b1fc, 0, 0, "L3 super queue, errors" },

	/* GuC; it stays in reset. */
	{ 0x0c000, 0x0c000, RO, GEN9_GUC_MIA_IN_RESET, "GuC status" },
	{ 0x0c004, 0x0c3fc, 0, 0, "GuC" },
	{ 0x0c400, 0x0c7fc, 0, 0, "GuC" },

	/* GT: memory object control. */
	{ 0x0c800, 0x0cff4, 0, 0, "MOCS" },

	/* Render: subslices. */
	{ 0x0e100, 0x0e100, M, 0, "half slice chicken 1" },
	{ 0x0e104, 0x0e17c, 0, 0, "subslice state" },
	{ 0x0e180, 0x0e194, M, 0, "half slice chicken" },
	{ 0x0e198, 0x0e2fc, 0, 0, "subslice state" },
	{ 0x0e400, 0x0e488, 0, 0, "EU" },
	{ 0x0e48c, 0x0e48c, M, 0, "row chicken 4" },
	{ 0x0e490, 0x0e4ec, 0, 0, "EU" },
	{ 0x0e4f0, 0x0e4f4, M, 0, "row chicken" },
	{ 0x0e500, 0x0e7fc, 0, 0, "EU" },
	{ 0x111b8, 0x111b8, 0, 0, "MCHBAR" },
	{ 0x14090, 0x14090, 0, 0, "media" },
	{ 0x24000, 0x24000, 0, 0, "blitter" },
	{ 0x320f0, 0x320f0, 0, 0, "media" },

	/* Display: VGA, clocks of the display's core. */
	{ 0x41000, 0x41000, 0, GEN9_VGA_DISABLE, "VGA control" },
	{ 0x42000, 0x42000, RO, 0, "fuse status" },
	{ 0x42004, 0x42020, 0, 0, "arbiter chicken" },
	{ 0x42080, 0x42090, 0, 0, "chicken" },
	{ 0x420b0, 0x420cc, 0, 0, "chicken per pipe" },
	{ 0x42300, 0x42300, 0, 0, "unclaimed access" },
	{ 0x43200, 0x43228, 0, 0, "FBC" },
	{ 0x43408, 0x43408, 0, 0, "IPS" },
	{ 0x44030, 0x4404c, 0, 0, "display power, debug" },
	{ 0x44050, 0x44050, 0, ~0u, "events for the command streamers" },
	{ 0x44054, 0x44070, 0, 0, "display power, debug" },
	{ 0x44074, 0x44074, RO, 0x17, "microsecond clock" },
	{ 0x44080, 0x4408c, 0, 0, "display power, debug" },
	{ 0x44484, 0x4448c, 0, 0, "HPD" },
	{ 0x44500, 0x4452c, 0, 0, "error interrupt" },
	{ 0x45000, 0x4500c, 0, 0, "DBUF, arbiter" },
	{ 0x45010, 0x4510c, 0, 0, "watermarks" },
	{ 0x45110, 0x45128, 0, 0, "watermark latency" },
	{ 0x45200, 0x45200, 0, 0, "watermarks" },
	{ 0x45270, 0x45278, 0, 0, "line time" },
	{ 0x45280, 0x45284, 0, 0, "NDE RSTWRN" },
	{ 0x45400, 0x4540c, 0, 0, "power wells" },
	{ 0x45410, 0x45410, 0, 0, "power wells" },
	{ 0x45500, 0x45520, 0, 0, "display C states" },
	{ 0x46000, 0x46000, 0, 0, "CDCLK" },
	{ 0x46010, 0x46014, 0, 0, "LCPLL" },
	{ 0x46020, 0x46060, 0, 0, "PLL" },
	{ 0x46070, 0x46080, 0, 0, "PLL" },
	{ 0x46100, 0x4614c, 0, 0, "port clock select" },
	{ 0x46408, 0x46430, 0, 0, "clock gating" },
	{ 0x46508, 0x4653c, 0, 0, "clock gating" },
	{ 0x48250, 0x48268, 0, 0, "backlight" },
	{ 0x48350, 0x48360, 0, 0, "backlight" },
	{ 0x48400, 0x48408, 0, 0, "utility pin" },
	{ 0x48800, 0x48800, 0, 0, "blanking" },
	{ 0x49010, 0x492fc, 0, 0, "colour conversion" },
	{ 0x4a000, 0x4b4fc, 0, 0, "palette, gamma" },
	{ 0x4c000, 0x4c4fc, 0, 0, "palette, gamma" },
	{ 0x4d000, 0x4d4fc, 0, 0, "palette, gamma" },
	{ 0x4f000, 0x4f08c, 0, 0, "DSI, panel" },
	{ 0x50080, 0x5009c, 0, 0, "SWF scratch" },
	{ 0x50380, 0x50380, 0, 0, "FBC render state" },
	{ 0x51000, 0x5100c, RO, 0, "display fuses and straps" },
	{ 0x5f000, 0x5f0fc, 0, 0, "SWF" },

	/* Display: transcoders and ports. */
	{ 0x60000, 0x600fc, 0, 0, "transcoder A" },
	{ 0x60100, 0x604fc, 0, 0, "transcoder A video DIP, DDI function" },
	{ 0x60800, 0x608fc, 0, 0, "transcoder A PSR" },
	{ 0x61000, 0x614fc, 0, 0, "transcoder B" },
	{ 0x61800, 0x618fc, 0, 0, "transcoder B PSR" },
	{ 0x62000, 0x624fc, 0, 0, "transcoder C" },
	{ 0x62800, 0x628fc, 0, 0, "transcoder C PSR" },
	{ 0x64000, 0x64144, 0, 0, "DDI and AUX A, B" },
	{ 0x64200, 0x64344, 0, 0, "DDI and AUX C, D" },
	{ 0x64400, 0x64444, 0, 0, "DDI E" },
	{ 0x64800, 0x648fc, 0, 0, "PSR" },
	{ 0x64e00, 0x64fcc, 0, 0, "DDI buffer translation" },
	{ 0x65000, 0x653fc, 0, 0, "audio" },
	{ 0x65900, 0x65ffc, 0, 0, "audio" },
	{ 0x66000, 0x66dfc, 0, 0, "HDCP" },
	{ 0x67000, 0x670fc, 0, 0, "audio" },
	{ 0x68000, 0x680fc, 0, 0, "scalers A" },
	{ 0x68100, 0x681fc, 0, 0, "scalers A" },
	{ 0x68200, 0x682fc, 0, 0, "scalers A" },
	{ 0x68800, 0x68afc, 0, 0, "scalers B" },
	{ 0x69000, 0x692fc, 0, 0, "scalers C" },
	{ 0x6c000, 0x6c060, 0, 0, "DPLL" },
	{ 0x6e500, 0x6e5fc, 0, 0, "transcoder EDP data island" },
	{ 0x6f000, 0x6f4fc, 0, 0, "transcoder EDP" },
	{ 0x6f800, 0x6f8fc, 0, 0, "transcoder EDP PSR" },

	/* Display: pipes and planes. */
	{ 0x70000, 0x7002c, 0, 0, "pipe A" },
	{ 0x70030, 0x707fc, 0, 0, "pipe A planes" },
	{ 0x71000, 0x7102c, 0, 0, "pipe B" },
	{ 0x71030, 0x717fc, 0, 0, "pipe B planes" },
	{ 0x72000, 0x7202c, 0, 0, "pipe C" },
	{ 0x72030, 0x727fc, 0, 0, "pipe C planes" },
	{ 0x7f000, 0x7f0fc, 0, 0, "pipe of transcoder EDP" },

	/* Display: microcontroller. */
	{ 0x80000, 0x82ffc, 0, 0, "DMC program" },
	{ 0x8f000, 0x8f0fc, 0, 0, "DMC" },

	/* South display (in the PCH). */
	{ 0xc0000, 0xc004c, 0, 0, "south audio, fuses" },
	{ 0xc0200, 0xc0200, 0, 0, "south audio" },
	{ 0xc1000, 0xc1200, 0, 0, "south audio" },
	{ 0xc2000, 0xc2018, 0, 0, "south chicken" },
	{ 0xc201c, 0xc204c, 0, 0, "south clock gating" },
	{ 0xc2200, 0xc2200, 0, 0, "south chicken" },
	{ 0xc4010, 0xc4020, 0, 0, "south reset" },
	{ 0xc4030, 0xc4044, 0, 0, "hotplug" },
	{ 0xc5010, 0xc5024, 0, 0, "GPIO" },
	{ 0xc5100, 0xc5120, 0, 0, "GMBUS" },
	{ 0xc6000, 0xc604c, 0, 0, "side band interface" },
	{ 0xc6200, 0xc6214, 0, 0, "raw clock" },
	{ 0xc7200, 0xc7210, 0, 0, "panel power" },
	{ 0xc8250, 0xc8258, 0, 0, "south backlight" },
	{ 0xe0000, 0xe12fc, 0, 0, "south transcoders" },
	{ 0xe4f00, 0xe4f24, 0, 0, "south audio" },
	{ 0xe5000, 0xe5ffc, 0, 0, "south audio" },
	{ 0xe6500, 0xe6e1c, 0, 0, "south audio" },

	/* GT again: memory interface, power, mailbox, mirror of MCHBAR. */
	{ 0x100000, 0x1000fc, 0, 0, "fences" },
	{ 0x100100, 0x100104, 0, 0, "FBC fence" },
	{ 0x101000, 0x10100c, 0, 0, "GFX flush" },
	{ 0x104080, 0x1040fc, 0, 0, "display KVM" },
	{ 0x108000, 0x1082fc, RO, 0, "mirror of the host bridge" },
	{ 0x110000, 0x110000, 0, 0, "memory interface" },
	{ 0x120000, 0x12000c, 0, 0, "memory interface" },
	{ 0x120010, 0x120010, RO, 0, "eDRAM capability" },
	{ 0x130040, 0x130044, RO, 0, "forcewake acknowledge" },
	{ 0x130090, 0x130090, RO, 0, "forcewake acknowledge" },
	{ 0x138050, 0x13806c, RO, 0, "GT status" },
	{ 0x138100, 0x138110, RO, 0, "RC6 residency" },
	{ 0x138124, 0x13812c, 0, 0, "pcode mailbox" },
	{ 0x138140, 0x138140, 0, 0, "GT power configuration" },
	{ 0x13816c, 0x13816c, 0, 0, "GT power configuration" },
	{ 0x1381a8, 0x1381a8, RO, 0, "frequency limit reasons" },
	{ 0x140000, 0x144ffc, RO, 0, "MCHBAR" },
	{ 0x145000, 0x145008, RO, 0, "MCHBAR: memory channels" },
	{ 0x14500c, 0x145010, RO, DIMM_8GB_X8, "MCHBAR: DIMMs" },
	{ 0x145014, 0x145990, RO, 0, "MCHBAR" },
	{ 0x145994, 0x145994, RO, 0xff, "MCHBAR: frequency limit" },
	{ 0x145998, 0x145998, RO, FREQUENCIES, "MCHBAR: frequencies" },
	{ 0x14599c, 0x145e00, RO, 0, "MCHBAR" },
	{ 0x145e04, 0x145e04, RO, DRAM_2133, "MCHBAR: memory clock" },
	{ 0x145e08, 0x147ffc, RO, 0, "MCHBAR" },
};

const size_t gm_mmio_known_count = ARRAY_SIZE(gm_mmio_known);
