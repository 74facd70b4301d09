// SPDX-License-Identifier: GPL-2.0-only
/*
 * The events of trace.h take shape here.
 */
#define CREATE_TRACE_POINTS
#include "trace.h"
