// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copy, audit, patch: see scan.h.
 *
 * A batch's copy gets its place only when its length is known, which the audit
 * finds out. So a buffer is finished in this order: its own patches, then the
 * batches that it starts (which may start others), then the addresses in the
 * commands that start them.
 *
 * What bounds the work of one request: the ring's size, the number of batches and
 * of commands that start them, the length of a batch, and the number of patches.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <gvirt/gen9_cmds.h>
#include <gvirt/gen9_pte.h>
#include "hw/irq.h"
#include "lib/audit_patch.h"
#include "lib/cmd.h"
#include "lib/reg.h"
#include "scan.h"
#include "status.h"
#include "window.h"

#define FIRST_PATCHES	256u
#define FIRST_BYTES	4096u

const char *gvirt_refused_name(enum gvirt_refused why)
{
	static const char * const names[GVIRT_REFUSED_REASONS] = {
		[GVIRT_REFUSED_NOT] = "nothing",
		[GVIRT_REFUSED_DESCRIPTOR] = "bad descriptor",
		[GVIRT_REFUSED_IMAGE] = "bad context image",
		[GVIRT_REFUSED_COMMAND] = "bad command",
		[GVIRT_REFUSED_OPERAND] = "operand is not in memory",
		[GVIRT_REFUSED_BATCHES] = "too many privileged batches",
		[GVIRT_REFUSED_PPGTT] = "bad page tables",
		[GVIRT_REFUSED_TABLES] = "too many page tables",
		[GVIRT_REFUSED_MEMORY] = "not in the guest's memory",
		[GVIRT_REFUSED_HOST] = "no room for it in the host, or the VMM's locked memory",
		[GVIRT_REFUSED_ENGINE] = "the engine takes no work",
	};

	return why < GVIRT_REFUSED_REASONS ? names[why] : "?";
}

static int refuse(struct gvirt_scan *scan, enum gvirt_refused why, u32 detail, u32 value, u32 at)
{
	scan->refusal = (struct gvirt_refusal) {
		.why = why,
		.detail = detail,
		.value = value,
		.at = at,
	};
	return -EACCES;
}

/* Work space. */

static int grow(struct gvirt_scan *scan, struct gvirt_scan_space *space, u32 bytes)
{
	u32 *dwords;

	if (bytes <= space->bytes)
		return 0;
	bytes = roundup_pow_of_two(bytes);
	dwords = kvmalloc(bytes, GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!dwords)
		return refuse(scan, GVIRT_REFUSED_HOST, 0, bytes, 0);
	kvfree(space->dwords);
	*space = (struct gvirt_scan_space) { .dwords = dwords, .bytes = bytes };
	return 0;
}

static bool grow_patches(struct gvirt_scan *scan)
{
	u32 count = scan->max_patches * 4;
	struct gvirt_patch *patches;

	if (count > GVIRT_SCAN_PATCHES_MAX)
		return false;
	patches = kvmalloc_array(count, sizeof(*patches), GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!patches)
		return false;
	kvfree(scan->patches);
	scan->patches = patches;
	scan->max_patches = count;
	return true;
}

int gvirt_scan_init(struct gvirt_scan *scan, struct gvirt_ggtt *ggtt, struct gvirt_window *window,
		    const struct gvirt_scan_services *services, void *data)
{
	*scan = (struct gvirt_scan) {
		.services = services,
		.data = data,
		.window = window,
	};
	gvirt_scan_pool_init(&scan->pool, ggtt);
	scan->patches = kvmalloc_array(FIRST_PATCHES, sizeof(*scan->patches), GFP_KERNEL_ACCOUNT);
	if (!scan->patches)
		return -ENOMEM;
	scan->max_patches = FIRST_PATCHES;
	return 0;
}

size_t gvirt_scan_bytes(const struct gvirt_scan *scan)
{
	return (size_t)scan->pool.pages * GEN9_TABLE_SIZE + scan->pool.kept + scan->ring.bytes +
	       scan->batch.bytes + scan->max_patches * sizeof(*scan->patches);
}

void gvirt_scan_fini(struct gvirt_scan *scan)
{
	gvirt_scan_pool_forget(&scan->pool);
	kvfree(scan->ring.dwords);
	kvfree(scan->batch.dwords);
	kvfree(scan->patches);
	*scan = (struct gvirt_scan) { };
}

void gvirt_scan_copies_put(struct gvirt_scan *scan, struct gvirt_scan_copies *copies)
{
	u32 i;

	for (i = 0; i < copies->count; i++)
		gvirt_scan_copy_put(&scan->pool, &copies->batch[i].copy);
	copies->count = 0;
	copies->fresh = 0;
}

/* Copying. */

/* As far as there is memory; returns bytes. */
static u32 read_some(struct gvirt_scan *scan, u32 address, void *to, u32 bytes)
{
	u32 done = 0, part;

	while (done < bytes) {
		part = GEN9_TABLE_SIZE - ((address + done) & (GEN9_TABLE_SIZE - 1));
		part = min(part, bytes - done);
		if ((u64)address + done + part > BIT_ULL(GEN9_GGTT_BITS) ||
		    scan->services->read(scan->data, address + done, to + done, part))
			break;
		done += part;
	}
	return done;
}

static int read_all(struct gvirt_scan *scan, u32 address, void *to, u32 bytes)
{
	u32 done = read_some(scan, address, to, bytes);

	if (done == bytes)
		return 0;
	return refuse(scan, GVIRT_REFUSED_MEMORY, 0, address + done, 0);
}

/* Audit. */

static struct gvirt_audit_result audit(struct gvirt_scan *scan, const struct gvirt_scan_job *job,
				       enum gvirt_audit_kind kind, const u32 *dwords, u32 count)
{
	struct gvirt_audit_result result;

	do {
		const struct gvirt_audit_request request = {
			.dwords = dwords,
			.count = count,
			.kind = kind,
			.engine = job->engine,
			/* gvirt_desc_check() refuses contexts without one. */
			.ppgtt = true,
			.max_commands = count,
			.max_dwords = count,
			.max_patches = scan->max_patches,
			.patches = scan->patches,
			.cmds = &gvirt_cmds_gen9,
			.regs = &gvirt_regs_gen9,
		};

		result = gvirt_audit(&request);
		scan->stats.walks++;
		scan->stats.dwords += result.end;
	} while (result.reason == GVIRT_AUDIT_PATCHES && grow_patches(scan));
	return result;
}

/* The commands around a bad one, which is the first that was not judged good. */
static void quote(struct gvirt_scan *scan, const struct gvirt_scan_job *job,
		  const struct gvirt_scan_space *space, u32 count, u32 bad)
{
	const struct gvirt_excerpt_source source = {
		.engine = job->engine,
		.dwords = space->dwords,
		.size = space->bytes / sizeof(u32),
		.count = count,
		.bad = bad,
	};

	gvirt_excerpt_take(&scan->excerpt, &source);
}

static int refuse_command(struct gvirt_scan *scan, const struct gvirt_audit_result *result, u32 at)
{
	return refuse(scan, GVIRT_REFUSED_COMMAND, result->reason, result->header, at);
}

/* Patches. */

static int map(struct gvirt_scan *scan, const struct gvirt_scan_job *job, u32 address, u32 bytes,
	       u32 *host)
{
	int err = gvirt_window_map(scan->window, job->use, address, bytes, host);

	if (!err)
		return 0;
	return refuse(scan, err == -EINVAL || err == -E2BIG ? GVIRT_REFUSED_OPERAND :
		      GVIRT_REFUSED_HOST, -err, address, 0);
}

static int patch_operand(struct gvirt_scan *scan, const struct gvirt_scan_job *job, u32 *dwords,
			 const struct gvirt_patch *patch)
{
	u32 host;
	int err = map(scan, job, patch->low, patch->size, &host);

	if (!err)
		gvirt_patch_address(dwords, patch, host);
	return err;
}

/* The engine's page is the host's: the write goes to the guest's. The context's is the shadow's. */
static int patch_status(struct gvirt_scan *scan, const struct gvirt_scan_job *job, u32 *dwords,
			const struct gvirt_patch *patch)
{
	u32 host;
	int err;

	if (patch->flags & GVIRT_PATCH_OWN_PAGE) {
		gvirt_status_page_mark(job->own, patch->low, patch->size);
		return 0;
	}
	err = map(scan, job, job->status, GEN9_TABLE_SIZE, &host);
	if (err || gvirt_patch_status(dwords, patch, host))
		return err;
	return refuse(scan, GVIRT_REFUSED_COMMAND, GVIRT_AUDIT_REJECTED, dwords[patch->command],
		      0);
}

static u32 find_batch(const struct gvirt_scan_copies *copies, u32 address, u8 kind)
{
	u32 i;

	for (i = copies->fresh; i < copies->count; i++)
		if (copies->batch[i].address == address && copies->batch[i].kind == kind)
			break;
	return i;
}

/* The batch is copied later, see finish_batches(). */
static int patch_batch(struct gvirt_scan *scan, const struct gvirt_scan_job *job, u32 *dwords,
		       const struct gvirt_patch *patch)
{
	u8 kind = patch->flags & GVIRT_PATCH_SECOND ? GVIRT_AUDIT_BATCH_SECOND : GVIRT_AUDIT_BATCH;
	struct gvirt_scan_copies *copies = job->copies;
	u32 n;

	if (patch->flags & GVIRT_PATCH_PPGTT)
		return 0;
	n = copies ? find_batch(copies, patch->low, kind) : GVIRT_SCAN_BATCHES;
	if (n >= GVIRT_SCAN_BATCHES || scan->starts >= GVIRT_SCAN_STARTS)
		return refuse(scan, GVIRT_REFUSED_BATCHES, 0, patch->low, 0);
	if (n == copies->count)
		copies->batch[copies->count++] = (struct gvirt_scan_batch) {
			.address = patch->low,
			.kind = kind,
		};
	scan->start[scan->starts++] = (struct gvirt_scan_start) {
		.dwords = dwords,
		.patch = *patch,
		.batch = n,
	};
	return 0;
}

/* What the context image has is the context's; of the rest the vGPU has a copy. */
static void patch_reg_write(struct gvirt_scan *scan, u32 *dwords, const struct gvirt_patch *patch)
{
	struct gvirt_reg_ref ref = gvirt_reg_find(&gvirt_regs_gen9, patch->reg);

	if (!(patch->flags & GVIRT_PATCH_VALUE))
		return;
	gvirt_patch_value(dwords, patch, patch->low);
	if (ref.row && !(ref.row->flags & GVIRT_REG_CONTEXT))
		scan->services->reg_write(scan->data, patch->reg, patch->low);
}

static u32 interrupt_of(u32 header)
{
	if ((header & GEN9_MI_OPCODE_MASK) == GEN9_MI_USER_INTERRUPT)
		return GVIRT_IRQ_USER;
	return GVIRT_IRQ_NOTIFY;
}

static int apply(struct gvirt_scan *scan, const struct gvirt_scan_job *job, u32 *dwords,
		 const struct gvirt_patch *patch)
{
	switch (patch->kind) {
	case GVIRT_PATCH_READ:
	case GVIRT_PATCH_WRITE:
	case GVIRT_PATCH_READ_WRITE:
		return patch_operand(scan, job, dwords, patch);
	case GVIRT_PATCH_STATUS:
		return patch_status(scan, job, dwords, patch);
	case GVIRT_PATCH_BATCH:
		return patch_batch(scan, job, dwords, patch);
	case GVIRT_PATCH_REG_WRITE:
		patch_reg_write(scan, dwords, patch);
		return 0;
	case GVIRT_PATCH_REG_VALUE:
		gvirt_patch_reg_value(dwords, patch,
				      scan->services->reg_read(scan->data, patch->reg));
		return 0;
	case GVIRT_PATCH_INTERRUPT:
		scan->interrupts |= interrupt_of(dwords[patch->command]);
		return 0;
	case GVIRT_PATCH_WAIT:
		return 0;
	default:
		gvirt_patch_noop(dwords, patch);
		return 0;
	}
}

static int apply_all(struct gvirt_scan *scan, const struct gvirt_scan_job *job, u32 *dwords,
		     const struct gvirt_patch *patches, u32 count)
{
	int err = 0;
	u32 i;

	for (i = 0; i < count && !err; i++)
		err = apply(scan, job, dwords, &patches[i]);
	return err;
}

/* Buffers that end by a command. */

static bool needs_more(const struct gvirt_audit_result *result)
{
	return result->reason == GVIRT_AUDIT_TRUNCATED ||
	       result->reason == GVIRT_AUDIT_UNTERMINATED;
}

/* Reads and audits more and more of it, until the end is found; it is in @scan->batch then. */
static int find_end(struct gvirt_scan *scan, const struct gvirt_scan_job *job,
		    enum gvirt_audit_kind kind, u32 address, struct gvirt_audit_result *result)
{
	u32 bytes = FIRST_BYTES - (address & (GEN9_TABLE_SIZE - 1)), got;
	int err;

	for (;; bytes = min(4 * bytes, GVIRT_SCAN_BATCH_MAX)) {
		err = grow(scan, &scan->batch, bytes);
		if (err)
			return err;
		got = read_some(scan, address, scan->batch.dwords, bytes);
		*result = audit(scan, job, kind, scan->batch.dwords, got / sizeof(u32));
		if (!result->reason)
			return 0;
		if (needs_more(result) && got < bytes)
			return refuse(scan, GVIRT_REFUSED_MEMORY, 0, address + got, 0);
		if (!needs_more(result) || bytes == GVIRT_SCAN_BATCH_MAX) {
			quote(scan, job, &scan->batch, got / sizeof(u32), result->end);
			return refuse_command(scan, result, address + result->end * sizeof(u32));
		}
	}
}

/* Audited copies. */

static int make_copy(struct gvirt_scan *scan, const struct gvirt_scan_job *job,
		     const struct gvirt_scan_key *key, u32 bytes,
		     const struct gvirt_patch *patches, u32 patch_count,
		     struct gvirt_scan_copy **place)
{
	struct gvirt_scan_copy *copy;

	copy = gvirt_scan_copy_make(&scan->pool, key, scan->batch.dwords, bytes, patches,
				    patch_count);
	if (!copy)
		return refuse(scan, GVIRT_REFUSED_HOST, 0, bytes, 0);
	*place = copy;
	return apply_all(scan, job, copy->buffer.data, patches, patch_count);
}

/* Reads it, once; what is in @scan->batch then is what was audited before, or not. */
static bool is_known(struct gvirt_scan *scan, const struct gvirt_scan_copy *copy)
{
	if (grow(scan, &scan->batch, copy->bytes))
		return false;
	return read_some(scan, copy->key.address, scan->batch.dwords, copy->bytes) == copy->bytes &&
	       !memcmp(scan->batch.dwords, copy->raw, copy->bytes);
}

/* The address of a batch that it calls is put into the buffer itself, later. */
static bool calls_batches(const struct gvirt_scan_copy *copy)
{
	u32 i;

	for (i = 0; i < copy->patch_count; i++)
		if (copy->patches[i].kind == GVIRT_PATCH_BATCH &&
		    !(copy->patches[i].flags & GVIRT_PATCH_PPGTT))
			return true;
	return false;
}

/* Another one, made of the same verdict; @copy must not go to make room for it. */
static int remake_copy(struct gvirt_scan *scan, const struct gvirt_scan_job *job,
		       struct gvirt_scan_copy *copy, struct gvirt_scan_copy **place)
{
	int err;

	gvirt_scan_copy_get(&scan->pool, copy);
	memcpy(scan->batch.dwords, copy->raw, copy->bytes);
	err = make_copy(scan, job, &copy->key, copy->bytes, copy->patches, copy->patch_count,
			place);
	gvirt_scan_copy_put(&scan->pool, &copy);
	return err;
}

/*
 * @scan->batch holds what @copy was made of. The patches are applied to it; where that gives
 * what @copy runs, it can run as it is, and where nobody runs it, it gets that. Otherwise
 * there is another one for the time being, made of the same verdict.
 */
static int renew_copy(struct gvirt_scan *scan, const struct gvirt_scan_job *job,
		      struct gvirt_scan_copy *copy, struct gvirt_scan_copy **place)
{
	u32 *dwords = scan->batch.dwords;
	int err;

	scan->stats.known++;
	if (calls_batches(copy))
		return remake_copy(scan, job, copy, place);
	err = apply_all(scan, job, dwords, copy->patches, copy->patch_count);
	if (err)
		return err;
	if (!memcmp(dwords, copy->buffer.data, copy->bytes))
		scan->stats.reused++;
	else if (!copy->users)
		memcpy(copy->buffer.data, dwords, copy->bytes);
	else
		return remake_copy(scan, job, copy, place);
	gvirt_scan_copy_get(&scan->pool, copy);
	*place = copy;
	return 0;
}

/* One that ends by a command. */
static int take_copy(struct gvirt_scan *scan, const struct gvirt_scan_job *job,
		     const struct gvirt_scan_key *key, struct gvirt_scan_copy **place)
{
	struct gvirt_scan_copy *copy = gvirt_scan_copy_find(&scan->pool, key);
	struct gvirt_audit_result result;
	int err;

	if (copy && is_known(scan, copy))
		return renew_copy(scan, job, copy, place);
	err = find_end(scan, job, key->kind, key->address, &result);
	if (err)
		return err;
	return make_copy(scan, job, key, result.end * sizeof(u32), scan->patches,
			 result.patch_count, place);
}

/* One whose length is known. */
static int take_sized_copy(struct gvirt_scan *scan, const struct gvirt_scan_job *job,
			   const struct gvirt_scan_key *key, u32 bytes,
			   struct gvirt_scan_copy **place)
{
	struct gvirt_scan_copy *copy = gvirt_scan_copy_find(&scan->pool, key);
	struct gvirt_audit_result result;
	int err;

	if (copy && copy->bytes == bytes && is_known(scan, copy))
		return renew_copy(scan, job, copy, place);
	err = grow(scan, &scan->batch, bytes);
	if (!err)
		err = read_all(scan, key->address, scan->batch.dwords, bytes);
	if (err)
		return err;
	result = audit(scan, job, key->kind, scan->batch.dwords, bytes / sizeof(u32));
	if (result.reason) {
		quote(scan, job, &scan->batch, bytes / sizeof(u32), result.end);
		return refuse_command(scan, &result, key->address + result.end * sizeof(u32));
	}
	return make_copy(scan, job, key, bytes, scan->patches, result.patch_count, place);
}

static int finish_batch(struct gvirt_scan *scan, const struct gvirt_scan_job *job, u32 n)
{
	struct gvirt_scan_batch *batch = &job->copies->batch[n];
	const struct gvirt_scan_key key = {
		.engine = job->engine,
		.kind = batch->kind,
		.address = batch->address,
	};

	return take_copy(scan, job, &key, &batch->copy);
}

static int finish_batches(struct gvirt_scan *scan, const struct gvirt_scan_job *job)
{
	const struct gvirt_scan_start *start;
	int err = 0;
	u32 i;

	/* Their number grows while they are looked at. */
	for (i = job->copies->fresh; i < job->copies->count && !err; i++)
		err = finish_batch(scan, job, i);
	for (i = 0; i < scan->starts && !err; i++) {
		start = &scan->start[i];
		gvirt_patch_address(start->dwords, &start->patch,
				    job->copies->batch[start->batch].copy->buffer.address);
	}
	return err;
}

/* Rings. */

static int copy_ring(struct gvirt_scan *scan, u32 start, const struct gvirt_ring_span *span)
{
	void *linear;
	int err = grow(scan, &scan->ring, gvirt_ring_padded(span));

	if (err)
		return err;
	linear = scan->ring.dwords;
	err = read_all(scan, start + span->first, linear, span->first_bytes);
	if (err || !span->second_bytes)
		return err;
	return read_all(scan, start, linear + span->first_bytes, span->second_bytes);
}

static void put_ring(const struct gvirt_scan *scan, const struct gvirt_ring_span *span, void *ring)
{
	const void *linear = scan->ring.dwords;

	memcpy(ring + span->first, linear, span->first_bytes);
	memcpy(ring, linear + span->first_bytes, span->second_bytes);
}

static int audit_ring(struct gvirt_scan *scan, const struct gvirt_scan_job *job,
		      const struct gvirt_ring_span *span)
{
	u32 count = gvirt_ring_bytes(span) / sizeof(u32);
	struct gvirt_audit_result result;
	int err;

	result = audit(scan, job, GVIRT_AUDIT_RING, scan->ring.dwords, count);
	if (result.reason) {
		quote(scan, job, &scan->ring, count, result.end);
		return refuse_command(scan, &result, gvirt_ring_offset(span, result.end));
	}
	err = apply_all(scan, job, scan->ring.dwords, scan->patches, result.patch_count);
	return err ? err : finish_batches(scan, job);
}

int gvirt_scan_ring(struct gvirt_scan *scan, const struct gvirt_scan_job *job, u32 start,
		    const struct gvirt_ring_span *span, void *ring)
{
	int err;

	scan->interrupts = 0;
	if (!gvirt_ring_bytes(span))
		return 0;
	scan->starts = 0;
	job->copies->fresh = job->copies->count;
	err = copy_ring(scan, start, span);
	if (!err)
		err = audit_ring(scan, job, span);
	if (!err)
		put_ring(scan, span, ring);
	return err;
}

int gvirt_scan_workaround(struct gvirt_scan *scan, const struct gvirt_scan_job *job,
			  enum gvirt_audit_kind kind, u32 address, u32 bytes,
			  struct gvirt_scan_copy **copy)
{
	const struct gvirt_scan_key key = {
		.engine = job->engine,
		.kind = kind,
		.address = address,
	};

	gvirt_scan_copy_put(&scan->pool, copy);
	if (kind == GVIRT_AUDIT_PER_CTX)
		return take_copy(scan, job, &key, copy);
	return take_sized_copy(scan, job, &key, bytes, copy);
}
