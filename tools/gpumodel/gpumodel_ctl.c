// SPDX-License-Identifier: GPL-2.0-only
/*
 * gpumodel-ctl: asks a running gpumodel over its control socket.
 *
 *   gpumodel-ctl SOCKET stats
 *   gpumodel-ctl SOCKET inject what=hang engine=rcs0
 *
 * Builds {"cmd": COMMAND, KEY: VALUE, ...}, prints the answer, and exits with
 * 0 when the answer says "ok": true.
 */
#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>
#include <json-c/json.h>

/* Longest answer and how long to wait for it. */
#define ANSWER_MAX	65536
#define ANSWER_SECONDS	10

static const char doc[] =
	"Asks a running gpumodel.\v"
	"Commands:\n"
	"  stats                         counters, per-engine counters, misuse\n"
	"  clear                         set all of them to zero\n"
	"  engines                       where each engine stands\n"
	"  peek offset=N                 value of a register\n"
	"  unknown [from=N]              registers accessed that the chip has not\n"
	"  speed engine=E ns=N           least time per command\n"
	"  inject what=W [engine=E] [value=N] [phase=P] [mark=N]\n"
	"      hang, csb-corrupt, csb-delay (value: us), refuse-reset (value: times,\n"
	"      0 for ever), none; lose-interrupt, repeat-interrupt (value: how many)\n";

struct arguments {
	const char *socket;
	struct json_object *request;
};

/* KEY=VALUE, where a VALUE that is a number in C's notation becomes one. */
static int add_pair(struct json_object *request, const char *arg)
{
	const char *equals = strchr(arg, '=');
	struct json_object *value;
	char *key, *end;
	long long number;

	if (!equals || equals == arg)
		return -EINVAL;
	errno = 0;
	number = strtoll(equals + 1, &end, 0);
	if (!errno && end != equals + 1 && !*end)
		value = json_object_new_int64(number);
	else
		value = json_object_new_string(equals + 1);

	key = strndup(arg, equals - arg);
	json_object_object_add(request, key, value);
	free(key);
	return 0;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case ARGP_KEY_ARG:
		if (state->arg_num == 0)
			arguments->socket = arg;
		else if (state->arg_num == 1)
			json_object_object_add(arguments->request, "cmd",
					       json_object_new_string(arg));
		else if (add_pair(arguments->request, arg))
			argp_error(state, "\"%s\" is not KEY=VALUE", arg);
		return 0;
	case ARGP_KEY_END:
		if (state->arg_num < 2)
			argp_usage(state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int connect_model(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const struct timeval limit = { .tv_sec = ANSWER_SECONDS };
	int fd;

	if (strlen(path) >= sizeof(address.sun_path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	strcpy(address.sun_path, path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	if (connect(fd, (struct sockaddr *)&address, sizeof(address))) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Send the request and read one line; NULL with errno set when that fails. */
static struct json_object *ask(int fd, struct json_object *request)
{
	const char *text = json_object_to_json_string_ext(request, JSON_C_TO_STRING_PLAIN);
	static char answer[ANSWER_MAX];
	size_t used = 0;
	ssize_t got;

	if (dprintf(fd, "%s\n", text) < 0)
		return NULL;
	while (!memchr(answer, '\n', used)) {
		got = recv(fd, answer + used, sizeof(answer) - 1 - used, 0);
		if (got <= 0) {
			errno = got ? errno : EPIPE;
			return NULL;
		}
		used += got;
	}
	return json_tokener_parse(answer);
}

int main(int argc, char **argv)
{
	const struct argp argp = {
		.parser = parse_option,
		.args_doc = "SOCKET COMMAND [KEY=VALUE]...",
		.doc = doc,
	};
	struct arguments arguments = { .request = json_object_new_object() };
	struct json_object *answer, *ok;
	int fd;

	argp_parse(&argp, argc, argv, 0, NULL, &arguments);
	fd = connect_model(arguments.socket);
	if (fd < 0) {
		fprintf(stderr, "gpumodel-ctl: cannot reach a gpumodel at %s: %s (was it started with --control=%s?)\n",
			arguments.socket, strerror(errno), arguments.socket);
		return EXIT_FAILURE;
	}
	answer = ask(fd, arguments.request);
	close(fd);
	if (!answer) {
		fprintf(stderr, "gpumodel-ctl: no answer within %d s: %s\n", ANSWER_SECONDS,
			strerror(errno));
		return EXIT_FAILURE;
	}
	puts(json_object_to_json_string_ext(answer, JSON_C_TO_STRING_PRETTY));
	return json_object_object_get_ex(answer, "ok", &ok) && json_object_get_boolean(ok) ?
		EXIT_SUCCESS : EXIT_FAILURE;
}
