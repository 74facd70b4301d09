/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The silicon model behind the GPU, by way of the script that runs this VM: it carries out
 * commands of gpumodel-ctl that it finds in a directory, see selftests/silicon/lib/serve.sh.
 */
#ifndef VFIO_LIB_MODEL_H
#define VFIO_LIB_MODEL_H

#include "../ktap.h"

/**
 * model_inject() - Have a fault injected; fails the test when the model does not take it
 * @format: arguments of the model's inject command, see Documentation/model.rst
 */
void __printf(1, 2) model_inject(const char *format, ...);

#endif
