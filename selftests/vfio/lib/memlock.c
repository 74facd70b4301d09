// SPDX-License-Identifier: GPL-2.0-only
/*
 * The limit of locked memory: see memlock.h.
 */
#include <linux/bits.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../ktap.h"
#include "memlock.h"

void memlock_ignore(bool on)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];

	EXPECT_EQ(syscall(SYS_capget, &header, data), 0);
	data[0].effective &= ~BIT(CAP_IPC_LOCK);
	if (on)
		data[0].effective |= BIT(CAP_IPC_LOCK);
	EXPECT_EQ(syscall(SYS_capset, &header, data), 0);
}

void memlock_limit(rlim_t bytes)
{
	const struct rlimit limit = { .rlim_cur = bytes, .rlim_max = RLIM_INFINITY };

	EXPECT_EQ(setrlimit(RLIMIT_MEMLOCK, &limit), 0);
}

u64 memlock_used(void)
{
	FILE *file = fopen("/proc/self/status", "r");
	char line[128];
	u64 kib = ~0ull;

	EXPECT(file);
	while (fgets(line, sizeof(line), file))
		if (!strncmp(line, "VmLck:", 6))
			kib = strtoull(line + 6, NULL, 10);
	fclose(file);
	EXPECT(kib != ~0ull);
	return kib * 1024;
}
