// SPDX-License-Identifier: GPL-2.0-only
/*
 * gpumodel: a Gen9 GPU as a process, attached to QEMU by vfio-user.
 */
#include <argp.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>
#include <json-c/json.h>
#include "ctl.h"
#include "device.h"
#include "listen.h"
#include "record.h"
#include "thread.h"
#include "vfu_server.h"

enum {
	OPT_PLATFORM = 256,
	OPT_DISPLAY,
	OPT_STATS_FILE,
	OPT_SPEED,
	OPT_KEEP,
	OPT_RECORD,
};

static const struct argp_option options[] = {
	{ "socket", 's', "PATH", 0, "Listen for the VMM on this UNIX socket (needed)", 0 },
	{ "control", 'c', "PATH", 0, "Listen for gpumodel-ctl on this UNIX socket", 0 },
	{ "platform", OPT_PLATFORM, "NAME", 0, "Which chip to be (skl-gt2)", 0 },
	{ "display", OPT_DISPLAY, "on|off", 0, "Display engine present or fused off (off)", 0 },
	{ "stats-file", OPT_STATS_FILE, "PATH", 0,
	  "Write statistics here as one line of JSON at the end", 0 },
	{ "speed", OPT_SPEED, "NS", 0, "Least time a command takes, in ns (0)", 0 },
	{ "record", OPT_RECORD, "PATH", 0, "Write what runs with privilege here, as text", 0 },
	{ "keep", OPT_KEEP, NULL, 0, "Stay for the next VMM when one disconnects", 0 },
	{ 0 }
};

struct arguments {
	const char *socket;
	const char *control;
	const char *stats_file;
	const char *record;
	const struct gm_platform *platform;
	bool display;
	bool keep;
	u32 speed_ns;
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct arguments *arguments = state->input;
	char *end;

	switch (key) {
	case 's':
		arguments->socket = arg;
		return 0;
	case 'c':
		arguments->control = arg;
		return 0;
	case OPT_PLATFORM:
		arguments->platform = gm_platform_find(arg);
		if (!arguments->platform)
			argp_error(state, "unknown platform \"%s\": skl-gt2 is known", arg);
		return 0;
	case OPT_DISPLAY:
		if (strcmp(arg, "on") && strcmp(arg, "off"))
			argp_error(state, "--display takes on or off, not \"%s\"", arg);
		arguments->display = !strcmp(arg, "on");
		return 0;
	case OPT_STATS_FILE:
		arguments->stats_file = arg;
		return 0;
	case OPT_SPEED:
		errno = 0;
		arguments->speed_ns = strtoul(arg, &end, 10);
		if (errno || *end || end == arg)
			argp_error(state, "--speed takes nanoseconds, not \"%s\"", arg);
		return 0;
	case OPT_RECORD:
		arguments->record = arg;
		return 0;
	case OPT_KEEP:
		arguments->keep = true;
		return 0;
	case ARGP_KEY_END:
		if (!arguments->socket)
			argp_error(state, "--socket=PATH is missing: where the VMM connects");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse_option,
	.doc = "A model of an Intel Gen9 GPU for QEMU's vfio-user-pci device.",
};

/**
 * struct model - The running program
 * @arguments: from the command line
 * @record: of what runs with privilege, or NULL
 * @device: the GPU
 * @server: speaks to the VMM
 * @signal_fd: SIGINT and SIGTERM
 */
struct model {
	struct arguments arguments;
	struct gm_record *record;
	struct gm_device *device;
	struct gm_vfu_server *server;
	int signal_fd;
};

static void send_interrupt(void *opaque, bool level)
{
	struct model *model = opaque;

	if (model->server)
		gm_vfu_server_interrupt(model->server, level);
}

static int write_stats(struct model *model)
{
	const char *path = model->arguments.stats_file;
	struct json_object *stats;
	int err = 0;

	if (!path)
		return 0;
	stats = gm_ctl_stats(model->device);
	if (json_object_to_file_ext(path, stats, JSON_C_TO_STRING_PLAIN)) {
		fprintf(stderr, "gpumodel: cannot write statistics to %s: %s\n", path,
			strerror(errno));
		err = -EIO;
	}
	json_object_put(stats);
	return err;
}

/* The next VMM; -1 when a signal asked to end. */
static int accept_vmm(struct model *model, int listen_fd)
{
	struct pollfd fds[] = {
		{ .fd = model->signal_fd, .events = POLLIN },
		{ .fd = listen_fd, .events = POLLIN },
	};

	while (poll(fds, 2, -1) < 0)
		if (errno != EINTR)
			return -1;
	if (fds[0].revents)
		return -1;
	return accept4(listen_fd, NULL, NULL, SOCK_CLOEXEC);
}

static int serve_vmms(struct model *model, int listen_fd)
{
	int fd, err;

	/* A processor of the VM stands still for as long as an access takes. */
	gm_thread_hurry();
	do {
		fd = accept_vmm(model, listen_fd);
		if (fd < 0)
			return 0;
		err = gm_vfu_server_run(model->server, fd);
		close(fd);
		if (err)
			fprintf(stderr, "gpumodel: the VMM's connection ended: %s\n",
				strerror(-err));
	} while (model->arguments.keep);
	return err;
}

/*
 * A signal ends the wait for a VMM by itself, since the signalfd is polled
 * there; a connection is ended by this thread.
 */
static void *watch_signals(void *opaque)
{
	struct model *model = opaque;
	struct pollfd fd = { .fd = model->signal_fd, .events = POLLIN };

	while (poll(&fd, 1, -1) < 0 && errno == EINTR)
		;
	gm_vfu_server_stop(model->server);
	return NULL;
}

/* Before any thread starts, so that all of them inherit the mask. */
static int open_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC);
}

static bool create_device(struct model *model, struct gm_vfu_device *vfu)
{
	const struct gm_device_config config = {
		.platform = model->arguments.platform,
		.display = model->arguments.display,
		.record = model->record,
		.interrupt = send_interrupt,
		.opaque = model,
	};
	unsigned int i;

	model->device = gm_device_create(&config);
	if (!model->device)
		return false;
	for (i = 0; i < GM_ENGINE_COUNT; i++)
		if (gm_device_engine(model->device, i))
			gm_engine_set_speed(gm_device_engine(model->device, i),
					    model->arguments.speed_ns);
	gm_device_describe(model->device, vfu);
	model->server = gm_vfu_server_create(vfu);
	return model->server;
}

static bool open_record(struct model *model)
{
	const char *path = model->arguments.record;

	if (!path)
		return true;
	model->record = gm_record_create(path);
	if (!model->record)
		fprintf(stderr, "gpumodel: cannot record to %s: %s\n", path, strerror(errno));
	return model->record;
}

/* Listen and serve; the sockets' files are gone afterwards. */
static int run(struct model *model)
{
	const struct arguments *arguments = &model->arguments;
	struct sockaddr_un address;
	struct gm_ctl *ctl = NULL;
	pthread_t watcher;
	int listen_fd, err;

	listen_fd = gm_listen(arguments->socket, &address);
	if (listen_fd < 0) {
		err = -errno;
		fprintf(stderr, "gpumodel: cannot listen on %s: %s\n", arguments->socket,
			strerror(-err));
		return err;
	}
	if (arguments->control) {
		ctl = gm_ctl_create(arguments->control, model->device);
		if (!ctl) {
			err = -errno;
			fprintf(stderr, "gpumodel: cannot listen on %s: %s\n", arguments->control,
				strerror(-err));
			goto close_listen;
		}
	}
	err = -pthread_create(&watcher, NULL, watch_signals, model);
	if (err)
		goto destroy_ctl;

	err = serve_vmms(model, listen_fd);

	/* Ends the watcher as a signal from outside would. */
	kill(getpid(), SIGTERM);
	pthread_join(watcher, NULL);
destroy_ctl:
	if (ctl)
		gm_ctl_destroy(ctl);
close_listen:
	close(listen_fd);
	unlink(address.sun_path);
	return err;
}

int main(int argc, char **argv)
{
	struct model model = {
		.arguments.platform = gm_platform_find("skl-gt2"),
		.signal_fd = open_signals(),
	};
	struct gm_vfu_device vfu;
	int err;

	argp_parse(&argp, argc, argv, 0, NULL, &model.arguments);
	if (!open_record(&model))
		return EXIT_FAILURE;
	if (model.signal_fd < 0 || !create_device(&model, &vfu)) {
		fprintf(stderr, "gpumodel: not enough memory or file descriptors for the device\n");
		return EXIT_FAILURE;
	}

	err = run(&model);
	if (write_stats(&model))
		err = -EIO;
	gm_vfu_server_destroy(model.server);
	model.server = NULL;
	gm_device_destroy(model.device);
	gm_record_destroy(model.record);
	close(model.signal_fd);
	return err ? EXIT_FAILURE : EXIT_SUCCESS;
}
