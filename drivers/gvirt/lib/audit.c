// SPDX-License-Identifier: GPL-2.0-only
/*
 * The audit's walk: from command to command, what each does to the walk, and
 * where a buffer ends. Operands are judged in audit_operand.c and audit_reg.c.
 *
 * Two things outlive a command, and the walk keeps them:
 *
 * - Arbitration. While it is off nothing can preempt the engine. i915 turns it off
 *   between its batches and in its workaround buffers, for some dozen commands, and
 *   that is all it may be good for: when a batch, a wait, work for the pipelines or
 *   the buffer's end comes first, the MI_ARB_ON_OFF that turned it off is reported
 *   to be made a NOOP.
 * - Predication by MI_SET_PREDICATE, which makes the streamer skip what follows. A
 *   buffer must not end, or start another, with it on: what comes next can be the
 *   host's, and an end that is skipped is none.
 */
#include <linux/bits.h>
#include <linux/types.h>
#include <gvirt/gen9_cmds.h>
#include "audit.h"
#include "audit_walk.h"
#include "cmd.h"

enum gvirt_audit_reason gvirt_audit_report(struct gvirt_audit_walk *walk,
					   const struct gvirt_patch *patch)
{
	if (walk->patch_count >= walk->request->max_patches)
		return GVIRT_AUDIT_PATCHES;
	walk->request->patches[walk->patch_count++] = *patch;
	return GVIRT_AUDIT_OK;
}

/* Something comes that can take long: arbitration may not be off. */
static enum gvirt_audit_reason need_arbitration(struct gvirt_audit_walk *walk)
{
	struct gvirt_patch patch = {
		.command = walk->arb_off,
		.dword = walk->arb_off,
		.length = 1,
		.kind = GVIRT_PATCH_NOOP,
		.engine = walk->request->engine,
	};

	if (!walk->arb_is_off)
		return GVIRT_AUDIT_OK;
	walk->arb_is_off = false;
	return gvirt_audit_report(walk, &patch);
}

/* Each further one that turns it off while it is off would have to go as well. */
static enum gvirt_audit_reason take_arbitration(struct gvirt_audit_walk *walk)
{
	enum gvirt_audit_reason reason = GVIRT_AUDIT_OK;
	bool on = walk->dwords[0] & GEN9_MI_ARB_ENABLE;

	if (!on && walk->arb_is_off)
		reason = need_arbitration(walk);
	walk->arb_is_off = !on;
	walk->arb_off = walk->index;
	return reason;
}

static enum gvirt_audit_reason leave(struct gvirt_audit_walk *walk)
{
	return walk->predicated ? GVIRT_AUDIT_PREDICATE : need_arbitration(walk);
}

static bool is_batch(const struct gvirt_audit_walk *walk)
{
	return walk->request->kind == GVIRT_AUDIT_BATCH ||
	       walk->request->kind == GVIRT_AUDIT_BATCH_SECOND;
}

static bool is_workaround(const struct gvirt_audit_walk *walk)
{
	return walk->request->kind == GVIRT_AUDIT_INDIRECT_CTX ||
	       walk->request->kind == GVIRT_AUDIT_PER_CTX;
}

/* Whether MI_BATCH_BUFFER_END ends the buffer, not its last dword. */
static bool ends_by_command(const struct gvirt_audit_walk *walk)
{
	return is_batch(walk) || walk->request->kind == GVIRT_AUDIT_PER_CTX;
}

static enum gvirt_audit_reason take_end(struct gvirt_audit_walk *walk)
{
	if (!ends_by_command(walk))
		return GVIRT_AUDIT_MISPLACED;
	walk->ended = true;
	return leave(walk);
}

/* It may end the buffer, so arbitration has to be on; the walk goes on behind it. */
static enum gvirt_audit_reason take_conditional_end(struct gvirt_audit_walk *walk)
{
	return ends_by_command(walk) ? leave(walk) : GVIRT_AUDIT_MISPLACED;
}

/*
 * A ring calls first-level batches, these call second-level ones; without the
 * second-level bit a batch goes on elsewhere and does not come back, unless the
 * jump is predicated.
 */
static enum gvirt_audit_reason take_start(struct gvirt_audit_walk *walk)
{
	bool second = walk->dwords[0] & GEN9_MI_BBS_SECOND_LEVEL;

	switch (walk->request->kind) {
	case GVIRT_AUDIT_RING:
		if (second)
			return GVIRT_AUDIT_MISPLACED;
		break;
	case GVIRT_AUDIT_BATCH:
		walk->ended = !second && !(walk->dwords[0] & GEN9_MI_BBS_PREDICATE);
		break;
	default:
		return GVIRT_AUDIT_MISPLACED;
	}
	return leave(walk);
}

/* A context switch, which workaround buffers are part of, must not take long. */
static enum gvirt_audit_reason take_long(struct gvirt_audit_walk *walk)
{
	return is_workaround(walk) ? GVIRT_AUDIT_MISPLACED : need_arbitration(walk);
}

static enum gvirt_audit_reason take_role(struct gvirt_audit_walk *walk)
{
	switch (walk->cmd->role) {
	case GVIRT_ROLE_END:
		return take_end(walk);
	case GVIRT_ROLE_COND_END:
		return take_conditional_end(walk);
	case GVIRT_ROLE_START:
		return take_start(walk);
	case GVIRT_ROLE_ARBITRATION:
		return take_arbitration(walk);
	case GVIRT_ROLE_PREDICATE:
		walk->predicated = (walk->dwords[0] & GEN9_MI_SET_PREDICATE_MASK) !=
				   GEN9_MI_PREDICATE_NEVER;
		return GVIRT_AUDIT_OK;
	case GVIRT_ROLE_LONG:
		return take_long(walk);
	default:
		return GVIRT_AUDIT_OK;
	}
}

static enum gvirt_audit_reason take_command(struct gvirt_audit_walk *walk)
{
	const struct gvirt_audit_request *request = walk->request;
	u32 left = request->count - walk->index;
	enum gvirt_audit_reason reason;

	walk->dwords = request->dwords + walk->index;
	walk->cmd = gvirt_cmd_find(request->cmds, request->engine, walk->dwords[0]);
	if (!walk->cmd)
		return GVIRT_AUDIT_UNKNOWN;
	if (walk->cmd->policy == GVIRT_CMD_REJECT)
		return GVIRT_AUDIT_REJECTED;
	walk->length = gvirt_cmd_length(walk->cmd, walk->dwords[0]);
	if (!walk->length)
		return GVIRT_AUDIT_LENGTH;
	if (walk->length > left)
		return GVIRT_AUDIT_TRUNCATED;
	if (walk->length > request->max_dwords - walk->index)
		return GVIRT_AUDIT_BUDGET;
	reason = take_role(walk);
	return reason ? reason : gvirt_audit_operands(walk);
}

/* The dwords are used up. */
static enum gvirt_audit_reason take_last(struct gvirt_audit_walk *walk)
{
	if (walk->ended)
		return GVIRT_AUDIT_OK;
	return ends_by_command(walk) ? GVIRT_AUDIT_UNTERMINATED : leave(walk);
}

struct gvirt_audit_result gvirt_audit(const struct gvirt_audit_request *request)
{
	struct gvirt_audit_walk walk = { .request = request };
	struct gvirt_audit_result result = { .reason = GVIRT_AUDIT_OK };

	while (walk.index < request->count && !walk.ended) {
		result.reason = result.commands < request->max_commands ?
				take_command(&walk) : GVIRT_AUDIT_BUDGET;
		if (result.reason) {
			result.header = request->dwords[walk.index];
			break;
		}
		result.commands++;
		walk.index += walk.length;
	}
	if (!result.reason)
		result.reason = take_last(&walk);
	result.end = walk.index;
	result.patch_count = walk.patch_count;
	return result;
}

const char *gvirt_audit_reason_name(enum gvirt_audit_reason reason)
{
	static const char * const names[GVIRT_AUDIT_REASONS] = {
		[GVIRT_AUDIT_OK] = "good",
		[GVIRT_AUDIT_UNKNOWN] = "unknown command",
		[GVIRT_AUDIT_REJECTED] = "command is never allowed",
		[GVIRT_AUDIT_LENGTH] = "bad length",
		[GVIRT_AUDIT_TRUNCATED] = "command beyond the buffer's end",
		[GVIRT_AUDIT_UNTERMINATED] = "buffer without an end",
		[GVIRT_AUDIT_MISPLACED] = "command not for such a buffer",
		[GVIRT_AUDIT_OPERAND] = "bad operand",
		[GVIRT_AUDIT_ADDRESS] = "bad address",
		[GVIRT_AUDIT_NO_PPGTT] = "context has no PPGTT",
		[GVIRT_AUDIT_REG_UNKNOWN] = "unknown register",
		[GVIRT_AUDIT_REG_READ] = "register not to be read",
		[GVIRT_AUDIT_REG_WRITE] = "register not to be written",
		[GVIRT_AUDIT_REG_ENGINE] = "register of another engine",
		[GVIRT_AUDIT_REG_VALUE] = "register's value not in the command",
		[GVIRT_AUDIT_MATH] = "bad MI_MATH instruction",
		[GVIRT_AUDIT_PREDICATE] = "predication left on",
		[GVIRT_AUDIT_BUDGET] = "too long",
		[GVIRT_AUDIT_PATCHES] = "too much to be patched",
	};

	return reason < GVIRT_AUDIT_REASONS ? names[reason] : "?";
}
