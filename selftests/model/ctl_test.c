// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the control protocol and its socket, on a whole device.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>
#include <cmocka.h>
#include <json-c/json.h>
#include <linux/array_size.h>
#include "ctl.h"
#include "device.h"
#include "listen.h"

#define SOCKET_PATH "ctl_test.sock"

static void no_interrupt(void *opaque, bool level)
{
	(void)opaque;
	(void)level;
}

static int setup(void **state)
{
	const struct gm_device_config config = {
		.platform = gm_platform_find("skl-gt2"),
		.interrupt = no_interrupt,
	};

	*state = gm_device_create(&config);
	return *state ? 0 : -1;
}

static int teardown(void **state)
{
	gm_device_destroy(*state);
	return 0;
}

/* The answer to @line; ->ok has been compared with @ok. The caller puts it. */
static struct json_object *ask(struct gm_device *device, const char *line, bool ok)
{
	struct json_object *answer = gm_ctl_execute(device, line);
	struct json_object *value;

	assert_true(json_object_object_get_ex(answer, "ok", &value));
	assert_int_equal(json_object_get_boolean(value), ok);
	assert_int_equal(json_object_object_get_ex(answer, "error", NULL), !ok);
	return answer;
}

static void check(struct gm_device *device, const char *line, bool ok)
{
	json_object_put(ask(device, line, ok));
}

/* A number inside nested objects, by its path. */
static int64_t number_at(struct json_object *object, const char *path)
{
	struct json_object *value;

	assert_int_equal(json_pointer_get(object, path, &value), 0);
	assert_true(json_object_is_type(value, json_type_int));
	return json_object_get_int64(value);
}

static void stats_test(void **state)
{
	struct gm_stats *stats = gm_device_stats(*state);
	struct json_object *answer;

	gm_count(stats, GM_COUNT_BLIT, 3);
	gm_count_engine(stats, GM_VCS, GM_ENGINE_COMMANDS, 5);
	gm_misuse(stats, GM_MISUSE_RING, "on purpose");
	gm_misuse(stats, GM_MISUSE_IRQ, "on purpose");
	answer = ask(*state, "{\"cmd\":\"stats\"}", true);
	assert_int_equal(number_at(answer, "/stats/blit"), 3);
	assert_int_equal(number_at(answer, "/stats/engines/vcs0/commands"), 5);
	assert_int_equal(number_at(answer, "/stats/engines/rcs0/commands"), 0);
	assert_int_equal(number_at(answer, "/stats/misuse/ring"), 1);
	assert_int_equal(number_at(answer, "/stats/misuse/total"), 2);
	json_object_put(answer);

	check(*state, "{\"cmd\":\"clear\"}", true);
	answer = ask(*state, "{\"cmd\":\"stats\"}", true);
	assert_int_equal(number_at(answer, "/stats/blit"), 0);
	assert_int_equal(number_at(answer, "/stats/engines/vcs0/commands"), 0);
	assert_int_equal(number_at(answer, "/stats/misuse/total"), 0);
	json_object_put(answer);
}

/* Every counter has a name of its own: a statistic without one would hide. */
static void names_test(void **state)
{
	struct json_object *answer = ask(*state, "{\"cmd\":\"stats\"}", true);
	struct json_object *stats, *misuse, *engine;

	assert_int_equal(json_pointer_get(answer, "/stats", &stats), 0);
	assert_int_equal(json_pointer_get(answer, "/stats/misuse", &misuse), 0);
	assert_int_equal(json_pointer_get(answer, "/stats/engines/bcs0", &engine), 0);
	assert_int_equal(json_object_object_length(stats), GM_COUNTER_COUNT + 2);
	assert_int_equal(json_object_object_length(misuse), GM_MISUSE_COUNT + 1);
	assert_int_equal(json_object_object_length(engine), GM_ENGINE_COUNTER_COUNT);
	json_object_put(answer);
}

static void peek_test(void **state)
{
	struct json_object *answer;

	/* The fuses say which slices are there, and are never all zero. */
	answer = ask(*state, "{\"cmd\":\"peek\",\"offset\":37152}", true);
	assert_int_not_equal(number_at(answer, "/value"), 0);
	json_object_put(answer);
	answer = ask(*state, "{\"cmd\":\"peek\",\"offset\":4294967292}", true);
	assert_int_equal(number_at(answer, "/value"), 0);
	json_object_put(answer);
	check(*state, "{\"cmd\":\"peek\"}", false);
	check(*state, "{\"cmd\":\"peek\",\"offset\":-4}", false);
	check(*state, "{\"cmd\":\"peek\",\"offset\":\"0\"}", false);
}

static void inject_test(void **state)
{
	static const char *const good[] = {
		"{\"cmd\":\"inject\",\"what\":\"hang\",\"engine\":\"rcs0\"}",
		"{\"cmd\":\"inject\",\"what\":\"hang\",\"engine\":\"rcs0\",\"phase\":\"save\",\"mark\":7}",
		"{\"cmd\":\"inject\",\"what\":\"csb-corrupt\",\"engine\":\"bcs0\"}",
		"{\"cmd\":\"inject\",\"what\":\"gone\"}",
		"{\"cmd\":\"inject\",\"what\":\"gone\",\"value\":0}",
		"{\"cmd\":\"inject\",\"what\":\"csb-delay\",\"engine\":\"vcs0\",\"value\":100}",
		"{\"cmd\":\"inject\",\"what\":\"refuse-reset\",\"engine\":\"vecs0\",\"value\":2}",
		"{\"cmd\":\"inject\",\"what\":\"none\",\"engine\":\"rcs0\"}",
		"{\"cmd\":\"inject\",\"what\":\"lose-interrupt\"}",
		"{\"cmd\":\"inject\",\"what\":\"repeat-interrupt\",\"value\":3}",
		"{\"cmd\":\"speed\",\"engine\":\"rcs0\",\"ns\":1000}",
		"{\"cmd\":\"engines\"}",
		"{\"cmd\":\"unknown\"}",
	};
	static const char *const bad[] = {
		"{\"cmd\":\"inject\"}",
		"{\"cmd\":\"inject\",\"what\":\"hang\"}",
		"{\"cmd\":\"inject\",\"what\":\"hang\",\"engine\":\"rcs9\"}",
		"{\"cmd\":\"inject\",\"what\":\"hang\",\"engine\":\"rcs0\",\"phase\":\"lunch\"}",
		"{\"cmd\":\"inject\",\"what\":\"rain\",\"engine\":\"rcs0\"}",
		"{\"cmd\":\"inject\",\"what\":7}",
		"{\"cmd\":\"speed\",\"ns\":1000}",
		"{\"cmd\":\"sing\"}",
		"{\"cmd\":[]}",
		"{}",
		"[]",
		"\"stats\"",
		"{\"cmd\":",
		"",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(good); i++)
		check(*state, good[i], true);
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		check(*state, bad[i], false);
}

static int connect_client(void)
{
	const struct timeval limit = { .tv_sec = 10 };
	struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = SOCKET_PATH };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	assert_true(fd >= 0);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	return fd;
}

static void send_text(int fd, const char *text)
{
	assert_int_equal(send(fd, text, strlen(text), MSG_NOSIGNAL), strlen(text));
}

/* Read until @lines answers have come, or the server hung up; returns how many came. */
static int read_answers(int fd, int lines)
{
	char c;
	int seen = 0;

	while (seen < lines && recv(fd, &c, 1, 0) == 1)
		seen += c == '\n';
	return seen;
}

/* Requests in pieces, several in one piece, and two clients at once. */
static void socket_test(void **state)
{
	struct gm_ctl *ctl = gm_ctl_create(SOCKET_PATH, *state);
	int a, b;

	assert_non_null(ctl);
	a = connect_client();
	b = connect_client();
	send_text(a, "{\"cmd\":");
	send_text(b, "{\"cmd\":\"engines\"}\n{\"cmd\":\"clear\"}\nnonsense\n");
	assert_int_equal(read_answers(b, 3), 3);
	send_text(a, "\"clear\"}\n");
	assert_int_equal(read_answers(a, 1), 1);
	close(a);
	close(b);
	gm_ctl_destroy(ctl);
	assert_int_equal(access(SOCKET_PATH, F_OK), -1);
}

/* A line longer than the limit ends the connection, and no other. */
static void long_line_test(void **state)
{
	struct gm_ctl *ctl = gm_ctl_create(SOCKET_PATH, *state);
	char text[GM_CTL_MAX_LINE + 1];
	int a, b;

	assert_non_null(ctl);
	memset(text, ' ', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	a = connect_client();
	b = connect_client();
	send_text(a, text);
	assert_int_equal(read_answers(a, 1), 0);
	send_text(b, "{\"cmd\":\"clear\"}\n");
	assert_int_equal(read_answers(b, 1), 1);
	close(a);
	close(b);
	gm_ctl_destroy(ctl);
}

/* One client too many is turned away; a place that got free is given again. */
static void many_clients_test(void **state)
{
	struct gm_ctl *ctl = gm_ctl_create(SOCKET_PATH, *state);
	int fd[GM_CTL_MAX_CLIENTS], extra, i, round;

	assert_non_null(ctl);
	for (round = 0; round < 3; round++) {
		for (i = 0; i < GM_CTL_MAX_CLIENTS; i++) {
			fd[i] = connect_client();
			send_text(fd[i], "{\"cmd\":\"clear\"}\n");
			assert_int_equal(read_answers(fd[i], 1), 1);
		}
		extra = connect_client();
		assert_int_equal(read_answers(extra, 1), 0);
		close(extra);
		for (i = 0; i < GM_CTL_MAX_CLIENTS; i++)
			close(fd[i]);
	}
	gm_ctl_destroy(ctl);
}

static void listen_test(void **state)
{
	char path[sizeof(((struct sockaddr_un *)0)->sun_path) + 1];
	struct sockaddr_un address;
	int first, second;

	(void)state;
	first = gm_listen(SOCKET_PATH, &address);
	assert_true(first >= 0);
	/* Somebody listens there. */
	second = gm_listen(SOCKET_PATH, &address);
	assert_int_equal(second, -1);
	/* Left behind by a process that is gone. */
	close(first);
	second = gm_listen(SOCKET_PATH, &address);
	assert_true(second >= 0);
	close(second);
	unlink(SOCKET_PATH);

	memset(path, 'x', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	assert_int_equal(gm_listen(path, &address), -1);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(stats_test, setup, teardown),
		cmocka_unit_test_setup_teardown(names_test, setup, teardown),
		cmocka_unit_test_setup_teardown(peek_test, setup, teardown),
		cmocka_unit_test_setup_teardown(inject_test, setup, teardown),
		cmocka_unit_test_setup_teardown(socket_test, setup, teardown),
		cmocka_unit_test_setup_teardown(long_line_test, setup, teardown),
		cmocka_unit_test_setup_teardown(many_clients_test, setup, teardown),
		cmocka_unit_test(listen_test),
	};
	char dir[] = "/tmp/ctl_test.XXXXXX";

	if (!mkdtemp(dir) || chdir(dir))
		return EXIT_FAILURE;
	return cmocka_run_group_tests(tests, NULL, NULL) ||
	       chdir("/") || rmdir(dir) ? EXIT_FAILURE : EXIT_SUCCESS;
}
