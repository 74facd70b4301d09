// SPDX-License-Identifier: GPL-2.0-only
/*
 * Source: Linux, Documentation/fault-injection/fault-injection.rst.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fail_nth.h"
#include "ktap.h"

#define ATTRIBUTES	"/sys/kernel/debug/"
/* Where x86-64 has its modules when the kernel's addresses are not randomized. */
#define MODULES_FIRST	0xffffffffa0000000ull
#define MODULES_LAST	0xfffffffffeffffffull

static void set(const char *injector, const char *attribute, const char *value)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), ATTRIBUTES "%s/%s", injector, attribute);
	fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, value, strlen(value)) < 0)
		test_fail("cannot write %s to %s: %m", value, path);
	close(fd);
}

static void set_number(const char *injector, const char *attribute, unsigned long long number)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu", number);
	set(injector, attribute, text);
}

/* The stack has to show an address between these. */
static void limit_to(const char *injector, unsigned long long first, unsigned long long last)
{
	set_number(injector, "require-start", first);
	set_number(injector, "require-end", last);
}

/*
 * Whether @name is of ACPICA's, whose parts have a prefix of two letters each; what the
 * compiler moved away from there, to unlikely code, has a dot.
 */
static bool is_acpica(const char *name)
{
	return (!strncmp(name, "acpi_ds_", 8) || !strncmp(name, "acpi_ut_", 8)) &&
	       !strchr(name, '.');
}

/*
 * The stack must not show ACPI's interpreter, which routes interrupts: when it has no
 * memory it frees what it still uses (7.3; KASAN reports it). It is linked in one
 * piece, from dispatcher to utilities.
 */
static void spare_acpica(const char *injector)
{
	unsigned long long address, first = 0, last = 0;
	char line[512], name[256], kind;
	bool in_text = false;
	FILE *file = fopen("/proc/kallsyms", "r");

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%llx %c %255s", &address, &kind, name) != 3)
			continue;
		if (!strcmp(name, "_stext"))
			in_text = true;
		if (!strcmp(name, "_etext"))
			in_text = false;
		if (!in_text || !is_acpica(name))
			continue;
		first = first ? first : address;
		last = address;
	}
	if (file)
		fclose(file);
	if (first >= last)
		test_fail("no ACPICA in /proc/kallsyms");
	set_number(injector, "reject-start", first);
	set_number(injector, "reject-end", last);
}

/* Memory that can be waited for fails as well. */
static void set_up(const char *injector)
{
	limit_to(injector, MODULES_FIRST, MODULES_LAST);
	spare_acpica(injector);
	set(injector, "ignore-gfp-wait", "N");
	set(injector, "verbose", "0");
}

static void check_modules(void)
{
	unsigned long long address = 0;
	char line[512];
	FILE *file = fopen("/proc/modules", "r");
	const char *at;

	if (!file || !fgets(line, sizeof(line), file))
		test_fail("no module is loaded");
	at = strstr(line, " 0x");
	if (at)
		address = strtoull(at, NULL, 16);
	fclose(file);
	if (address < MODULES_FIRST || address > MODULES_LAST)
		test_fail("modules are at %#llx, not where they were expected", address);
}

void fail_setup(void)
{
	check_modules();
	set_up("failslab");
	set_up("fail_page_alloc");
	set("fail_page_alloc", "min-order", "0");
	set("fail_page_alloc", "ignore-gfp-highmem", "N");
	/* It counts for fail-nth, too, and nothing of the kernel lies there. */
	limit_to("fail_usercopy", 1, 2);
}

static int own_file(void)
{
	static int fd = -1;

	if (fd < 0)
		fd = open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);
	if (fd < 0)
		test_fail("no /proc/thread-self/fail-nth: %m");
	return fd;
}

void fail_nth(unsigned int nth)
{
	char text[16];
	int len = snprintf(text, sizeof(text), "%u", nth);

	if (pwrite(own_file(), text, len, 0) != len)
		test_fail("cannot write to fail-nth: %m");
}

unsigned int fail_left(void)
{
	char text[16] = "";

	if (pread(own_file(), text, sizeof(text) - 1, 0) < 1)
		test_fail("cannot read fail-nth: %m");
	fail_nth(0);
	return strtoul(text, NULL, 10);
}

/*
 * The injector counts when its interval is longer than 1, and lets each call fail whose
 * number the interval divides.
 */
void fail_any_nth(struct fail_any *any, unsigned int nth)
{
	set(any->injector, "task-filter", "N");
	set_number(any->injector, "times", 1);
	set_number(any->injector, "interval", any->seen + nth);
	set_number(any->injector, "probability", 100);
	if (any->seen + nth > 1)
		any->seen += nth;
}

bool fail_any_end(struct fail_any *any)
{
	char path[128], text[16] = "";
	FILE *file;

	set_number(any->injector, "probability", 0);
	snprintf(path, sizeof(path), ATTRIBUTES "%s/times", any->injector);
	file = fopen(path, "r");
	if (!file || !fgets(text, sizeof(text), file))
		test_fail("cannot read %s", path);
	fclose(file);
	return !atoi(text);
}
