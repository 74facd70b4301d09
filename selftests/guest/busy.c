// SPDX-License-Identifier: GPL-2.0-only
/* One spinner per engine, which all the driver's own work can preempt. */
#include "busy.h"
#include "spin.h"
#include "test.h"

int busy_run(const char *device, unsigned int seconds)
{
	struct spin spin[GPU_MAX_ENGINES];
	struct gpu gpu;
	int err = gpu_open(&gpu, device);

	if (err)
		return err;
	for (unsigned int e = 0; e < gpu.nengines; e++) {
		spin_start(&spin[e], &gpu, 0, gpu.engine[e], SPIN_WAIT);
		spin_wait_running(&spin[e]);
	}
	test_note("%u engines busy for %u s", gpu.nengines, seconds);
	test_sleep_ms(seconds * 1000);
	for (unsigned int e = 0; e < gpu.nengines; e++)
		spin_stop(&spin[e]);
	gpu_close(&gpu);
	return 0;
}
