// SPDX-License-Identifier: GPL-2.0-only
/*
 * What i915's selftests call and Debian's kernel does not export. Linked into
 * the i915 that check-live builds.
 */
#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/fault-inject.h>
#include <linux/fs.h>
#include <linux/math.h>
#include <linux/prime_numbers.h>
#include <linux/sprintf.h>
#include <drm/drm_device.h>
#include <drm/drm_file.h>

bool should_fail(struct fault_attr *attr, ssize_t size)
{
	if (attr->probability < 100 || !atomic_read(&attr->times))
		return false;
	if (attr->interval > 1 && ++attr->calls % attr->interval)
		return false;
	if (atomic_read(&attr->times) > 0)
		atomic_dec(&attr->times);
	return true;
}

bool is_prime_number(unsigned long x)
{
	unsigned long divisor;

	if (x < 4)
		return x > 1;
	if (!(x % 2))
		return false;
	for (divisor = 3; divisor <= int_sqrt(x); divisor += 2)
		if (!(x % divisor))
			return false;
	return true;
}

unsigned long next_prime_number(unsigned long x)
{
	while (x < ULONG_MAX && !is_prime_number(++x))
		;
	return x;
}

/* DRM's own makes an anonymous file; here the node in devtmpfs does as well. */
struct file *mock_drm_getfile(struct drm_minor *minor, unsigned int flags)
{
	char path[32];

	snprintf(path, sizeof(path), "/dev/dri/card%d", minor->index);
	return filp_open(path, flags, 0);
}
