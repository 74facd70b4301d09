// SPDX-License-Identifier: GPL-2.0-only
/*
 * MI_ATOMIC, which is atomic with the processors that share the memory.
 *
 * Operands stand in the command, interleaved dword by dword, or in GPRs 0 and 1
 * (the first) and 2 and 3 (the second); what memory held goes to GPRs 4 and 5. The
 * command says its size twice, in a field and in the upper half of its opcode,
 * which have to agree; of 16 bytes there is the comparison only.
 *
 * Source: Intel media-driver, agnostic/gen9/hw/mhw_mi_hwcmd_g9_X.h, MI_ATOMIC, and
 * agnostic/common/hw/mhw_mi_generic.h (what can be asked of 16 bytes). Also in PRM
 * Skylake, volume 2a, MI_ATOMIC.
 */
#include "cs_internal.h"
#include "dma.h"

#define OPERATION_MASK	0x0fu		/* GEN9_ATOMIC_* */

static u64 max_signed(u64 a, u64 b, unsigned int bytes)
{
	if (bytes == 4)
		return (s32)a > (s32)b ? a : b;
	return (s64)a > (s64)b ? a : b;
}

/**
 * atomic_result() - What an atomic operation leaves in memory
 * @operation: GEN9_ATOMIC_*
 * @old: what was there
 * @a: first operand
 * @b: second one, of GEN9_ATOMIC_CMPWR
 * @bytes: 4 or 8; all values are below 2^(8 * @bytes)
 *
 * Return: the new value; bits beyond @bytes are to be dropped.
 */
static u64 atomic_result(u32 operation, u64 old, u64 a, u64 b, unsigned int bytes)
{
	switch (operation) {
	case GEN9_ATOMIC_AND:
		return old & a;
	case GEN9_ATOMIC_OR:
		return old | a;
	case GEN9_ATOMIC_XOR:
		return old ^ a;
	case GEN9_ATOMIC_MOVE:
		return a;
	case GEN9_ATOMIC_INC:
		return old + 1;
	case GEN9_ATOMIC_DEC:
		return old - 1;
	case GEN9_ATOMIC_ADD:
		return old + a;
	case GEN9_ATOMIC_SUB:
		return old - a;
	case GEN9_ATOMIC_RSUB:
		return a - old;
	case GEN9_ATOMIC_IMAX:
		return max_signed(old, a, bytes);
	case GEN9_ATOMIC_IMIN:
		return max_signed(old, a, bytes) == old ? a : old;
	case GEN9_ATOMIC_UMAX:
		return old > a ? old : a;
	case GEN9_ATOMIC_UMIN:
		return old < a ? old : a;
	case GEN9_ATOMIC_CMPWR:
		return old == a ? b : old;
	default:
		return old;
	}
}

static u64 modify32(u32 *ptr, u32 operation, u32 a, u32 b)
{
	u32 old = __atomic_load_n(ptr, __ATOMIC_RELAXED);

	while (!__atomic_compare_exchange_n(ptr, &old, (u32)atomic_result(operation, old, a, b, 4),
					    false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
		;
	return old;
}

static u64 modify64(u64 *ptr, u32 operation, u64 a, u64 b)
{
	u64 old = __atomic_load_n(ptr, __ATOMIC_RELAXED);

	while (!__atomic_compare_exchange_n(ptr, &old, atomic_result(operation, old, a, b, 8),
					    false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
		;
	return old;
}

/* GEN9_ATOMIC_CMPWR; @ptr is a multiple of 16. */
static unsigned __int128 compare_and_write128(unsigned __int128 *ptr, unsigned __int128 a,
					      unsigned __int128 b)
{
	return __sync_val_compare_and_swap(ptr, a, b);
}

/* An operand: interleaved in the command, from dword @inline_at on, or in two GPRs from @gpr on. */
static unsigned __int128 operand(const struct gm_cs_op *op, unsigned int inline_at,
				 unsigned int gpr)
{
	bool in_command = op->dw[0] & GEN9_MI_ATOMIC_INLINE;
	unsigned __int128 value = 0;
	unsigned int i;
	u32 dword;

	for (i = 0; i < 4; i++) {
		dword = in_command ? gm_cs_dw(op, inline_at + 2 * i) :
				     gm_cs_reg(op->cs, GEN9_RING_CS_GPR(gpr) + 4 * i);
		value |= (unsigned __int128)dword << (32 * i);
	}
	return value;
}

static unsigned __int128 modify(struct gm_cs_op *op, u64 iova, u32 operation, unsigned int bytes)
{
	unsigned __int128 a = operand(op, 3, 0), b = operand(op, 4, 2), old = 0;
	void *ptr;

	gm_dma_lock(op->cs->dma);
	ptr = gm_dma_ptr(op->cs->dma, iova, bytes, GM_DMA_READ | GM_DMA_WRITE);
	if (ptr && bytes == 16)
		old = compare_and_write128(ptr, a, b);
	else if (ptr && bytes == 8)
		old = modify64(ptr, operation, (u64)a, (u64)b);
	else if (ptr)
		old = modify32(ptr, operation, (u32)a, (u32)b);
	gm_dma_unlock(op->cs->dma);
	return old;
}

static void return_old(struct gm_cs *cs, unsigned __int128 old, unsigned int bytes)
{
	unsigned int i;

	for (i = 0; i < bytes; i += 4)
		gm_cs_set(cs, GEN9_RING_CS_GPR(4) + i, (u32)(old >> (8 * i)));
}

static bool is_defined(u32 opcode, u32 size)
{
	u32 operation = opcode & OPERATION_MASK;

	if ((opcode & ~OPERATION_MASK) != size * GEN9_ATOMIC_SIZE_STEP)
		return false;
	if (size == GEN9_MI_ATOMIC_OCTWORD)
		return operation == GEN9_ATOMIC_CMPWR;
	return size < GEN9_MI_ATOMIC_OCTWORD && operation >= GEN9_ATOMIC_AND &&
	       operation <= GEN9_ATOMIC_CMPWR;
}

enum gm_cs_status gm_cs_atomic(struct gm_cs_op *op)
{
	u32 opcode = (op->dw[0] & GEN9_MI_ATOMIC_OP_MASK) >> GEN9_MI_ATOMIC_OP_SHIFT;
	u32 size = (op->dw[0] & GEN9_MI_ATOMIC_SIZE_MASK) >> GEN9_MI_ATOMIC_SIZE_SHIFT;
	bool ggtt = op->dw[0] & GEN9_MI_ATOMIC_GGTT;
	unsigned int bytes = 4u << size;
	u64 iova, contig;
	unsigned __int128 old = 0;

	if (gm_cs_refused(op, ggtt))
		return GM_CS_RUN;
	if (!is_defined(opcode, size))
		return gm_cs_hang(op, "no such atomic operation of this size");
	gm_cs_drop_line(op->cs);
	if (!gm_mmu_translate(op->cs->mmu, gm_cs_space(op, ggtt), gm_cs_address(op, 1, bytes),
			      true, &iova, &contig))
		return gm_cs_fault(op);
	if (!gm_mmu_discards(iova))
		old = modify(op, iova, opcode & OPERATION_MASK, bytes);
	if (op->dw[0] & GEN9_MI_ATOMIC_RETURN)
		return_old(op->cs, old, bytes);
	return GM_CS_RUN;
}
