# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# Before i915 is shut down, suspended or unloaded. Sourced by host-main and the guests' /init, which call it before
# they power off, and by tests (plain sh).

# lab_settle: waits until i915 has given back what it holds for a moment after its last use. Requests are retired
# once a second; the GT goes idle when the last is, and a power reference of its interrupt's is kept for 100 ms more
# (intel_display_power_put_async). Where the display is fused off neither i915's suspend nor its shutdown waits for
# that: they warn. A machine that is emulated or shared may take many times as long. 30 s at most.
lab_settle()
{
	lab_tries=0
	while [ $lab_tries -lt 60 ]; do
		grep -qs '^GPU idle: no' /sys/kernel/debug/dri/*/i915_runtime_pm_status || break
		lab_tries=$((lab_tries + 1))
		sleep 0.5
	done
	[ ! -e /sys/module/i915 ] || sleep 1
}
