/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * As much of the kernel as drivers/gvirt/model needs to compile in userspace, for code
 * that runs in one thread. Headers below linux/ lead here.
 *
 * Memory comes from shadow_alloc(), so that tests can let it fail.
 */
#ifndef SHADOW_KERNEL_H
#define SHADOW_KERNEL_H

#include <errno.h>
#include <linux/bits.h>
#include <linux/types.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef u64 dma_addr_t;

struct device;

/* Tests implement these. */
void *shadow_alloc(size_t bytes);
void *dma_alloc_coherent(struct device *dev, size_t bytes, dma_addr_t *dma, unsigned int gfp);
void dma_free_coherent(struct device *dev, size_t bytes, void *data, dma_addr_t dma);

/* Compiler, numbers. */

#define __iomem

#ifndef __counted_by
#define __counted_by(member)
#endif
#define SZ_4G			0x100000000ull
#define READ_ONCE(x)		(*(const volatile typeof(x) *)&(x))
#define WRITE_ONCE(x, value)	(*(volatile typeof(x) *)&(x) = (value))
#define max(a, b)							\
({									\
	typeof(a) __a = (a);						\
	typeof(b) __b = (b);						\
									\
	__a > __b ? __a : __b;						\
})
#define min(a, b)							\
({									\
	typeof(a) __a = (a);						\
	typeof(b) __b = (b);						\
									\
	__a < __b ? __a : __b;						\
})
#define DIV_ROUND_UP(n, d)	(((n) + (d) - 1) / (d))
#define roundup_pow_of_two(n)	((n) < 2 ? 1ul : 2ul << (63 - __builtin_clzl((n) - 1)))
#define round_up(x, to)		(((x) + (to) - 1) & ~((typeof(x))(to) - 1))
#define round_down(x, to)	((x) & ~((typeof(x))(to) - 1))
#define struct_size(p, member, n)	(sizeof(*(p)) + sizeof(*(p)->member) * (n))
#define container_of(p, type, member)	((type *)((char *)(p) - offsetof(type, member)))
#define cond_resched()		((void)0)
/* A test that gets here has failed. */
#define WARN_ON_ONCE(condition)						\
({									\
	bool __bad = (condition);					\
									\
	if (__bad) {							\
		fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);	\
		abort();						\
	}								\
	__bad;								\
})

/* Errors. */

#define MAX_ERRNO		4095

static inline bool IS_ERR(const void *p)
{
	return (uintptr_t)p >= (uintptr_t)-MAX_ERRNO;
}

static inline void *ERR_PTR(long err)
{
	return (void *)err;
}

static inline long PTR_ERR(const void *p)
{
	return (long)p;
}

/* Memory. */

#define PAGE_SHIFT		12
#define PAGE_SIZE		(1UL << PAGE_SHIFT)
#define GFP_KERNEL		0
#define GFP_KERNEL_ACCOUNT	0
#define __GFP_NOWARN		0

typedef unsigned int gfp_t;

#define kzalloc(bytes, gfp)	shadow_alloc(bytes)
#define kvmalloc(bytes, gfp)	((void)(gfp), shadow_alloc(bytes))
#define kvzalloc(bytes, gfp)	shadow_alloc(bytes)
#define kcalloc(n, bytes, gfp)	shadow_alloc((n) * (bytes))
#define kvmalloc_array(n, bytes, gfp)	((void)(gfp), shadow_alloc((n) * (bytes)))
#define get_zeroed_page(gfp)	((unsigned long)shadow_alloc(PAGE_SIZE))
#define __get_free_page(gfp)	((unsigned long)shadow_alloc(PAGE_SIZE))
#define kfree(p)		free(p)
#define kvfree(p)		free(p)
#define free_page(p)		free((void *)(p))

/* Locks and work, of which only the size counts. */

struct mutex {
	int unused;
};

struct work_struct {
	int unused;
};

struct delayed_work {
	int unused;
};

typedef struct {
	int unused;
} spinlock_t;

typedef struct {
	int unused;
} wait_queue_head_t;

typedef struct {
	long value;
} atomic_long_t;

typedef struct {
	s64 value;
} atomic64_t;

typedef struct {
	int value;
} atomic_t;

static inline int atomic_read(const atomic_t *v)
{
	return v->value;
}

static inline void atomic_inc(atomic_t *v)
{
	v->value++;
}

/* Time, which tests let pass. */

extern unsigned long jiffies;

#define msecs_to_jiffies(ms)	((unsigned long)(ms))
#define time_before(a, b)	((long)((a) - (b)) < 0)

struct pci_device_id {
	int unused;
};

/* Bitmaps, of which only the size counts. */

#define DECLARE_BITMAP(name, bits)	unsigned long name[((bits) + 63) / 64]

/* Lists. */

struct list_head {
	struct list_head *next;
	struct list_head *prev;
};

static inline void INIT_LIST_HEAD(struct list_head *head)
{
	head->next = head;
	head->prev = head;
}

static inline void shadow_list_insert(struct list_head *node, struct list_head *after)
{
	node->prev = after;
	node->next = after->next;
	after->next->prev = node;
	after->next = node;
}

static inline void list_add(struct list_head *node, struct list_head *head)
{
	shadow_list_insert(node, head);
}

static inline void list_add_tail(struct list_head *node, struct list_head *head)
{
	shadow_list_insert(node, head->prev);
}

static inline void list_del(struct list_head *node)
{
	node->prev->next = node->next;
	node->next->prev = node->prev;
}

static inline void list_del_init(struct list_head *node)
{
	list_del(node);
	INIT_LIST_HEAD(node);
}

static inline void list_move(struct list_head *node, struct list_head *head)
{
	list_del(node);
	list_add(node, head);
}

static inline void list_move_tail(struct list_head *node, struct list_head *head)
{
	list_del(node);
	list_add_tail(node, head);
}

static inline bool list_empty(const struct list_head *head)
{
	return head->next == head;
}

static inline void list_splice(struct list_head *list, struct list_head *head)
{
	if (list_empty(list))
		return;
	list->next->prev = head;
	list->prev->next = head->next;
	head->next->prev = list->prev;
	head->next = list->next;
}

static inline void list_splice_init(struct list_head *list, struct list_head *head)
{
	list_splice(list, head);
	INIT_LIST_HEAD(list);
}

#define LIST_HEAD(name)		struct list_head name = { &(name), &(name) }
#define list_entry(p, type, member)	container_of(p, type, member)
#define list_first_entry(head, type, member)	list_entry((head)->next, type, member)
#define list_last_entry(head, type, member)	list_entry((head)->prev, type, member)
#define list_first_entry_or_null(head, type, member)	\
	(list_empty(head) ? NULL : list_entry((head)->next, type, member))
#define list_next(p, member)	list_entry((p)->member.next, typeof(*(p)), member)
#define list_for_each_entry(p, head, member)				\
	for (p = list_entry((head)->next, typeof(*p), member);		\
	     &p->member != (head); p = list_next(p, member))
#define list_for_each_entry_reverse(p, head, member)			\
	for (p = list_entry((head)->prev, typeof(*p), member);		\
	     &p->member != (head); p = list_entry(p->member.prev, typeof(*p), member))
#define list_for_each_entry_safe(p, n, head, member)			\
	for (p = list_entry((head)->next, typeof(*p), member), n = list_next(p, member);	\
	     &p->member != (head); p = n, n = list_next(n, member))

/* Hash tables. */

struct hlist_node {
	struct hlist_node *next;
	struct hlist_node **pprev;
};

struct hlist_head {
	struct hlist_node *first;
};

static inline void INIT_HLIST_HEAD(struct hlist_head *head)
{
	head->first = NULL;
}

static inline void hlist_add_head(struct hlist_node *node, struct hlist_head *head)
{
	node->next = head->first;
	node->pprev = &head->first;
	if (head->first)
		head->first->pprev = &node->next;
	head->first = node;
}

static inline void hash_del(struct hlist_node *node)
{
	*node->pprev = node->next;
	if (node->next)
		node->next->pprev = node->pprev;
}

#define hlist_entry_safe(p, type, member)				\
({									\
	struct hlist_node *__node = (p);				\
									\
	__node ? container_of(__node, type, member) : NULL;		\
})
#define hlist_for_each_entry(p, head, member)				\
	for (p = hlist_entry_safe((head)->first, typeof(*p), member); p;	\
	     p = hlist_entry_safe(p->member.next, typeof(*p), member))
#define hlist_for_each_entry_safe(p, n, head, member)			\
	for (p = hlist_entry_safe((head)->first, typeof(*p), member);	\
	     p && ({ n = p->member.next; true; });			\
	     p = hlist_entry_safe(n, typeof(*p), member))

#define DECLARE_HASHTABLE(name, bits)	struct hlist_head name[1 << (bits)]
#define HASH_SIZE(table)	(sizeof(table) / sizeof((table)[0]))
#define shadow_bucket(table, key)	\
	(&(table)[((key) * 0x9e3779b97f4a7c15ull >> 32) % HASH_SIZE(table)])
#define hash_init(table)	memset(table, 0, sizeof(table))
#define hash_add(table, node, key)	hlist_add_head(node, shadow_bucket(table, key))
#define hash_for_each_possible(table, p, member, key)	\
	hlist_for_each_entry(p, shadow_bucket(table, key), member)
#define hash_for_each(table, bucket, p, member)				\
	for (bucket = 0; bucket < HASH_SIZE(table); bucket++)		\
		hlist_for_each_entry(p, &(table)[bucket], member)

/* XArray: a list of what is in it. */

struct shadow_xa_entry {
	struct shadow_xa_entry *next;
	unsigned long index;
	void *value;
};

struct xarray {
	struct shadow_xa_entry *first;
};

static inline void xa_init(struct xarray *xa)
{
	xa->first = NULL;
}

static inline struct shadow_xa_entry **shadow_xa_find(struct xarray *xa, unsigned long index)
{
	struct shadow_xa_entry **entry = &xa->first;

	while (*entry && (*entry)->index != index)
		entry = &(*entry)->next;
	return entry;
}

static inline void *xa_load(struct xarray *xa, unsigned long index)
{
	struct shadow_xa_entry *entry = *shadow_xa_find(xa, index);

	return entry ? entry->value : NULL;
}

static inline void *xa_store(struct xarray *xa, unsigned long index, void *value, unsigned int gfp)
{
	struct shadow_xa_entry *entry = shadow_alloc(sizeof(*entry));

	(void)gfp;
	if (!entry)
		return ERR_PTR(-ENOMEM);
	entry->next = xa->first;
	entry->index = index;
	entry->value = value;
	xa->first = entry;
	return NULL;
}

static inline int xa_err(void *result)
{
	return IS_ERR(result) ? PTR_ERR(result) : 0;
}

static inline void xa_erase(struct xarray *xa, unsigned long index)
{
	struct shadow_xa_entry **place = shadow_xa_find(xa, index);
	struct shadow_xa_entry *entry = *place;

	if (!entry)
		return;
	*place = entry->next;
	free(entry);
}

/* The first that is not below an index. */
static inline void *shadow_xa_next(struct xarray *xa, unsigned long *index, unsigned long last)
{
	struct shadow_xa_entry *best = NULL;
	struct shadow_xa_entry *entry;

	for (entry = xa->first; entry; entry = entry->next)
		if (entry->index >= *index && entry->index <= last &&
		    (!best || entry->index < best->index))
			best = entry;
	if (best)
		*index = best->index;
	return best ? best->value : NULL;
}

#define xa_for_each_range(xa, i, value, first, last)			\
	for (i = (first); (value = shadow_xa_next(xa, &(i), last)); i++)
#define xa_for_each(xa, i, value)	xa_for_each_range(xa, i, value, 0, ~0ul)

static inline void xa_destroy(struct xarray *xa)
{
	WARN_ON_ONCE(xa->first);
}

#endif
