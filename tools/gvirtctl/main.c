// SPDX-License-Identifier: GPL-2.0-only
/*
 * gvirtctl: gvirt from an operator's side.
 *
 *   gvirtctl list
 *   gvirtctl create --type headless-256
 *   gvirtctl set UUID weight=200 cap=50
 *   gvirtctl top
 *
 * Stands on sysfs (Documentation/sysfs-abi.rst); dump reads debugfs (observing.rst).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/array_size.h>
#include "commands.h"
#include "files.h"
#include "text.h"

static const struct {
	const char *name;
	enum status (*run)(int argc, char **argv);
} commands[] = {
	{ "list", run_list },
	{ "types", run_types },
	{ "create", run_create },
	{ "remove", run_remove },
	{ "top", run_top },
	{ "set", run_set },
	{ "info", run_info },
	{ "dump", run_dump },
};

static const char doc[] =
	"Shows and changes what gvirt does: GPUs, and virtual GPUs (vGPUs) on them.\v"
	"Commands:\n"
	"  list                     vGPUs: who has them, what they did\n"
	"  types                    what can be made, and how many of it\n"
	"  create [UUID]            make a vGPU, and print its UUID\n"
	"  remove UUID...           remove vGPUs\n"
	"  top                      engines and vGPUs at work\n"
	"  set UUID|GPU KEY=VALUE...  change weight, cap, policy ...\n"
	"  info UUID|GPU            all that is known of one\n"
	"  dump UUID|GPU            state inside; commands that were refused or hang, decoded\n"
	"\n"
	"'gvirtctl COMMAND --help' tells more. Exit status: 0 done, 1 the kernel refused, "
	"2 no gvirt, 3 no such thing, 4 not allowed, 64 wrong arguments.";

static const struct argp_option options[] = {
	{ .name = "root", .key = 'R', .arg = "DIR",
	  .doc = "Look for sys and proc in DIR instead of / (also: GVIRTCTL_ROOT)" },
	{ }
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	int *first = state->input;

	switch (key) {
	case 'R':
		files_set_root(arg);
		return 0;
	case ARGP_KEY_ARG:
		*first = state->next - 1;
		state->next = state->argc;
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_usage(state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t parse_common(int key, char *arg, struct argp_state *state)
{
	struct common *common = state->input;

	(void)arg;
	if (key != 'j')
		return ARGP_ERR_UNKNOWN;
	common->json = true;
	return 0;
}

static const struct argp_option common_options[] = {
	{ .name = "json", .key = 'j', .doc = "Print JSON, for programs" },
	{ }
};

const struct argp common_argp = { .options = common_options, .parser = parse_common };

error_t parse_one_device(int key, char *arg, struct argp_state *state)
{
	struct one_device *one = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &one->common;
		return 0;
	case ARGP_KEY_ARG:
		if (one->device)
			argp_error(state, "one at a time");
		one->device = arg;
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "of what? 'gvirtctl list' shows vGPUs, 'gvirtctl types' GPUs");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

void print_json(struct json_object *object)
{
	puts(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PRETTY |
					    JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(object);
}

/* Output that went nowhere is a failure as well. */
static enum status finish(enum status status)
{
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	return say(STATUS_REFUSED, "cannot write the output");
}

static enum status run_command(int argc, char **argv)
{
	char *name = argv[0];
	enum status status;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		if (strcmp(commands[i].name, name))
			continue;
		/* Under which name a command explains itself. */
		argv[0] = text_format("gvirtctl %s", name);
		status = finish(commands[i].run(argc, argv));
		free(argv[0]);
		return status;
	}
	return say(STATUS_USAGE, "there is no command '%s'. 'gvirtctl --help' shows those that there are",
		   name);
}

int main(int argc, char **argv)
{
	const struct argp argp = {
		.options = options,
		.parser = parse_option,
		.args_doc = "COMMAND [ARGUMENT...]",
		.doc = doc,
	};
	const char *root = getenv("GVIRTCTL_ROOT");
	int first = 0;

	if (root)
		files_set_root(root);
	argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &first);
	return run_command(argc - first, argv + first);
}
