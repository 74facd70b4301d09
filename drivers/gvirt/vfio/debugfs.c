// SPDX-License-Identifier: GPL-2.0-only
/*
 * State in debugfs: see debugfs.h and Documentation/observing.rst.
 *
 * Lines of "key: value", with a point between the parts of a key. All of it is bounded:
 * by the number of engines, of reasons, of shadow contexts and of dwords in an excerpt.
 *
 * Who looks must not wait for a guest or its VMM, who may hold up guest memory for as
 * long as they like: the mutex around work is tried, for a bounded time. Without it,
 * what it covers is left out.
 */
#include <linux/cleanup.h>
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/seq_file.h>
#include "lib/audit.h"
#include "lib/excerpt.h"
#include "model/sched.h"
#include "debugfs.h"

#define TRIES		25
#define TRY_MS		20

static struct dentry *root;

static const char *yes_no(bool yes)
{
	return yes ? "yes" : "no";
}

/* Excerpts. */

static void show_excerpt(struct seq_file *file, const char *prefix,
			 const struct gvirt_excerpt *excerpt)
{
	u32 n;

	if (!excerpt->count)
		return;
	seq_printf(file, "%s.bad: %u\n%s.dwords:", prefix, excerpt->bad, prefix);
	for (n = 0; n < excerpt->count; n++)
		seq_printf(file, " %08x", excerpt->dword[n]);
	seq_putc(file, '\n');
}

static const char *engine_name(const struct gvirt_vgpu *vgpu, enum gvirt_engine_id id)
{
	return vgpu->gpu->engine[id] ? vgpu->gpu->engine[id]->name : "?";
}

/* refused: reasons, the last one, and the last one with commands. */

static void show_refused(struct seq_file *file, const struct gvirt_vgpu *vgpu, const char *prefix,
			 const struct gvirt_fault_refused *one)
{
	const struct gvirt_refusal *refusal = &one->refusal;

	if (!one->time)
		return;
	seq_printf(file, "%s.time: %lld\n%s.engine: %s\n%s.reason: %s\n", prefix, one->time,
		   prefix, engine_name(vgpu, one->engine), prefix,
		   gvirt_refused_name(refusal->why));
	seq_printf(file, "%s.detail: %u\n%s.value: %08x\n%s.at: %08x\n", prefix, refusal->detail,
		   prefix, refusal->value, prefix, refusal->at);
}

static void show_command(struct seq_file *file, const struct gvirt_vgpu *vgpu,
			 const struct gvirt_fault_refused *command)
{
	if (!command->time)
		return;
	show_refused(file, vgpu, "command", command);
	seq_printf(file, "command.verdict: %s\n",
		   gvirt_audit_reason_name(command->refusal.detail));
	show_excerpt(file, "command", &command->excerpt);
}

static int refused_show(struct seq_file *file, void *unused)
{
	struct gvirt_vgpu *vgpu = file->private;
	struct gvirt_submit *submit = &vgpu->submit;
	struct gvirt_fault_refused last, command;
	unsigned int i;

	scoped_guard(mutex, &vgpu->lock) {
		for (i = GVIRT_REFUSED_NOT + 1; i < GVIRT_REFUSED_REASONS; i++)
			seq_printf(file, "reasons.%s: %llu\n", gvirt_refused_name(i),
				   submit->refusals[i]);
		last = submit->faults.refused;
		command = submit->faults.command;
	}
	show_refused(file, vgpu, "last", &last);
	show_command(file, vgpu, &command);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(refused);

/* lost: the last context that a reset took. */

static void show_stood(struct seq_file *file, const struct gvirt_engine_dump *state)
{
	seq_printf(file, "last.acthd: %016llx\nlast.head: %08x\nlast.tail: %08x\n", state->acthd,
		   state->head, state->tail);
	seq_printf(file, "last.ipehr: %08x\nlast.ipeir: %08x\nlast.instdone: %08x\nlast.eir: %08x\n",
		   state->ipehr, state->ipeir, state->instdone, state->eir);
}

static int lost_show(struct seq_file *file, void *unused)
{
	struct gvirt_vgpu *vgpu = file->private;
	struct gvirt_fault_lost last;

	scoped_guard(mutex, &vgpu->lock)
		last = vgpu->submit.faults.lost;
	if (!last.time)
		return 0;
	seq_printf(file, "last.time: %lld\nlast.engine: %s\nlast.context: %08x\n", last.time,
		   engine_name(vgpu, last.engine), last.lrca);
	if (last.known)
		show_stood(file, &last.state);
	show_excerpt(file, "last", &last.excerpt);
	if (last.batch.count)
		seq_printf(file, "batch.engine: %s\nbatch.at: %016llx\n",
			   engine_name(vgpu, last.engine), last.batch_at);
	show_excerpt(file, "batch", &last.batch);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(lost);

/* state: ports and contexts. */

static bool try_exec(struct gvirt_vgpu *vgpu)
{
	unsigned int i;

	for (i = 0; i < TRIES; i++) {
		if (mutex_trylock(&vgpu->exec))
			return true;
		msleep(TRY_MS);
	}
	return false;
}

static void show_port_locked(struct seq_file *file, const struct gvirt_port *port,
			     const char *name)
{
	const struct gvirt_csb *csb = &port->csb;
	const struct gvirt_port_stats *stats = &port->stats;

	lockdep_assert_held(port->submit->parts.lock);
	seq_printf(file, "%s.element: %u\n%s.started: %s\n%s.waiting: %s\n", name, csb->element,
		   name, yes_no(csb->started), name, yes_no(csb->waiting));
	seq_printf(file, "%s.csb_write: %u\n%s.csb_read: %u\n", name, csb->write, name, csb->read);
	seq_printf(file, "%s.submissions: %llu\n%s.overruns: %llu\n", name, stats->submissions,
		   name, stats->overruns);
	seq_printf(file, "%s.contexts: %llu\n%s.switches: %llu\n", name, stats->contexts, name,
		   stats->switches);
	seq_printf(file, "%s.lost: %llu\n%s.resets: %llu\n%s.oddities: %llu\n", name, stats->lost,
		   name, stats->resets, name, stats->oddities);
}

static void show_list(struct seq_file *file, const char *name, const char *what,
		      const struct gvirt_port_list *list)
{
	unsigned int n;

	seq_printf(file, "%s.%s:", name, what);
	for (n = 0; n < GVIRT_ELSP_ELEMENTS; n++)
		if (list->context[n])
			seq_printf(file, " %08x", list->context[n]->lrca);
	seq_putc(file, '\n');
}

static void show_work(struct seq_file *file, const struct gvirt_port *port, const char *name)
{
	lockdep_assert_held(port->submit->parts.exec);
	seq_printf(file, "%s.added: %s\n%s.hung: %s\n%s.submitted: %s\n", name,
		   yes_no(port->added), name, yes_no(port->hung), name, yes_no(port->submitted));
	show_list(file, name, "force", &port->force);
	show_list(file, name, "next", &port->next);
}

static void show_contexts(struct seq_file *file, const struct gvirt_vgpu *vgpu)
{
	const struct gvirt_vcontexts *contexts = &vgpu->submit.contexts;
	const struct gvirt_vcontext *context;
	unsigned int n = 0;

	lockdep_assert_held(&vgpu->exec);
	list_for_each_entry(context, &contexts->list, link) {
		seq_printf(file, "context%u.engine: %s\ncontext%u.lrca: %08x\n", n,
			   engine_name(vgpu, context->hw.engine), n, context->lrca);
		seq_printf(file, "context%u.lists: %u\ncontext%u.saved: %s\n", n, context->lists,
			   n, yes_no(context->saved));
		seq_printf(file, "context%u.ring: %08x\ncontext%u.tail: %05x\n", n,
			   context->ring_start, n, context->hw.tail);
		n++;
	}
	seq_printf(file, "contexts: %u\nstashes: %u\ncontext_pages: %u\n", n,
		   contexts->stash_count, contexts->pages);
}

static void show_copies(struct seq_file *file, const struct gvirt_vgpu *vgpu)
{
	const struct gvirt_scan_pool *pool = &vgpu->submit.scan.pool;
	const struct gvirt_scan_copy *copy;
	unsigned int n = 0;

	lockdep_assert_held(&vgpu->exec);
	list_for_each_entry(copy, &pool->list, link)
		n++;
	seq_printf(file, "copies: %u\ncopies_idle: %u\ncopy_pages: %u\n", n, pool->idle,
		   pool->pages);
}

static int state_show(struct seq_file *file, void *unused)
{
	struct gvirt_vgpu *vgpu = file->private;
	struct gvirt_submit *submit = &vgpu->submit;
	bool exec = try_exec(vgpu);
	unsigned int i;

	seq_printf(file, "busy: %s\n", yes_no(!exec));
	for (i = 0; i < GVIRT_ENGINES; i++) {
		if (!vgpu->gpu->engine[i])
			continue;
		scoped_guard(mutex, &vgpu->lock)
			show_port_locked(file, &submit->port[i], engine_name(vgpu, i));
		if (exec)
			show_work(file, &submit->port[i], engine_name(vgpu, i));
	}
	if (exec) {
		show_contexts(file, vgpu);
		show_copies(file, vgpu);
		mutex_unlock(&vgpu->exec);
	}
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(state);

/* GPUs. */

static void show_contexts_of(struct seq_file *file, const char *name, const char *what,
			     const u32 *ids)
{
	unsigned int n;

	seq_printf(file, "%s.%s:", name, what);
	for (n = 0; n < GVIRT_ENGINE_ELEMENTS; n++)
		if (ids[n])
			seq_printf(file, " %x", ids[n]);
	seq_putc(file, '\n');
}

static void get_ids(const struct gvirt_engine_list *list, u32 *ids)
{
	unsigned int n;

	for (n = 0; n < GVIRT_ENGINE_ELEMENTS; n++)
		ids[n] = list->context[n] ? gvirt_context_id(list->context[n]) : 0;
}

static void show_engine(struct seq_file *file, struct gvirt_engine *engine)
{
	u32 active[GVIRT_ENGINE_ELEMENTS], pending[GVIRT_ENGINE_ELEMENTS];
	struct gvirt_engine_stats *stats = &engine->stats;
	const char *name = engine->name;

	scoped_guard(spinlock_irqsave, &engine->lock) {
		get_ids(&engine->active, active);
		get_ids(&engine->pending, pending);
	}
	show_contexts_of(file, name, "active", active);
	show_contexts_of(file, name, "pending", pending);
	seq_printf(file, "%s.running: %s\n%s.awake: %s\n", name,
		   yes_no(READ_ONCE(engine->running)), name, yes_no(READ_ONCE(engine->awake)));
	seq_printf(file, "%s.submissions: %lld\n%s.events: %lld\n", name,
		   atomic64_read(&stats->submissions), name, atomic64_read(&stats->events));
	seq_printf(file, "%s.bad_events: %lld\n%s.errors: %lld\n%s.resets: %lld\n", name,
		   atomic64_read(&stats->bad_events), name, atomic64_read(&stats->errors), name,
		   atomic64_read(&stats->resets));
}

static int gpu_show(struct seq_file *file, void *unused)
{
	const struct gvirt_vgpu_host *host = file->private;
	unsigned int i;

	seq_printf(file, "given_up: %s\n", yes_no(gvirt_scheds_wedged(host->scheds)));
	seq_printf(file, "ggtt_pages: %u\nfences: %u\n", gvirt_ggtt_used(&host->gpu->ggtt),
		   gvirt_fences_held(&host->gpu->fences));
	for (i = 0; i < GVIRT_ENGINES; i++)
		if (host->gpu->engine[i])
			show_engine(file, host->gpu->engine[i]);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(gpu);

/* Directories. */

struct dentry *gvirt_debugfs_add_gpu(const struct gvirt_vgpu_host *host)
{
	struct dentry *dir = debugfs_create_dir(dev_name(&host->gpu->pci.pdev->dev), root);

	debugfs_create_file("state", 0400, dir, (void *)host, &gpu_fops);
	return dir;
}

struct dentry *gvirt_debugfs_add_vgpu(struct gvirt_vgpu *vgpu)
{
	struct dentry *dir = debugfs_create_dir(dev_name(vgpu->dev), root);

	debugfs_create_file("state", 0400, dir, vgpu, &state_fops);
	debugfs_create_file("refused", 0400, dir, vgpu, &refused_fops);
	debugfs_create_file("lost", 0400, dir, vgpu, &lost_fops);
	return dir;
}

void gvirt_debugfs_remove(struct dentry *dir)
{
	debugfs_remove(dir);
}

void gvirt_debugfs_init(void)
{
	root = debugfs_create_dir("gvirt", NULL);
}

void gvirt_debugfs_exit(void)
{
	debugfs_remove(root);
}
