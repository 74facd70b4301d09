# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# How a VM or guest of the lab talks to the outside: two virtio-serial ports, one for the output of
# its command and one for the final line. Sourced by host-main and by the guests' /init (plain sh).

# lab_port NAME: prints the device of a port, which appears a moment after its driver (10 s at most).
lab_port()
{
	lab_tries=0
	while [ $lab_tries -lt 100 ]; do
		for lab_dir in /sys/class/virtio-ports/*; do
			[ -e "$lab_dir/name" ] || continue
			if [ "$(cat "$lab_dir/name")" = "$1" ]; then
				echo "/dev/${lab_dir##*/}"
				return 0
			fi
		done
		lab_tries=$((lab_tries + 1))
		sleep 0.1
	done
	echo "lab: no virtio port $1" >/dev/console
	return 1
}
