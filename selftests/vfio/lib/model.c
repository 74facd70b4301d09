// SPDX-License-Identifier: GPL-2.0-only
/*
 * Requests are files request.N, answers answer.N, where N is ours.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "model.h"
#include "program.h"

#define POLL_US		10000

static void put_request(const char *text, unsigned int n)
{
	char new[256], path[256];
	FILE *file;

	snprintf(new, sizeof(new), "%s/new.%u", control(), n);
	snprintf(path, sizeof(path), "%s/request.%u", control(), n);
	file = fopen(new, "w");
	EXPECT(file);
	EXPECT(fprintf(file, "%s\n", text) > 0);
	EXPECT_EQ(fclose(file), 0);
	EXPECT_EQ(rename(new, path), 0);
}

static bool get_answer(char *text, size_t size, unsigned int n)
{
	char path[256];
	size_t got;
	FILE *file;

	snprintf(path, sizeof(path), "%s/answer.%u", control(), n);
	file = fopen(path, "r");
	if (!file)
		return false;
	got = fread(text, 1, size - 1, file);
	text[got] = '\0';
	fclose(file);
	unlink(path);
	return true;
}

void model_inject(const char *format, ...)
{
	static unsigned int count;
	unsigned int n = (unsigned int)getpid() * 1000 + count++;
	u64 end = vdev_now_ms() + PATIENCE_MS;
	char what[200], text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	snprintf(text, sizeof(text), "inject %s", what);
	put_request(text, n);
	while (!get_answer(text, sizeof(text), n)) {
		if (vdev_now_ms() > end)
			test_fail("nobody answers 'inject %s'", what);
		usleep(POLL_US);
	}
	if (!strstr(text, "\"ok\": true") && !strstr(text, "\"ok\":true"))
		test_fail("the model does not inject '%s': %s", what, text);
}
