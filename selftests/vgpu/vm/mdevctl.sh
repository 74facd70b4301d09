# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# gvirt's vGPUs by way of mdevctl, as Debian has it. Sourced only, by vgpu.

MDEVCTL_UUID=6ef1b3c0-5c21-4d0e-9d6c-000000000042

# wants TEXT COMMAND...: the command succeeds and its output has the text.
wants()
{
	local text=$1 out
	shift
	out=$(timeout 30 "$@" 2>&1) || fail "$*: $out" || return
	[[ $out = *"$text"* ]] || fail "$*: expected '$text' in: $out"
}

mdevctl_types()
{
	timeout 30 mdevctl types
	wants "$GPU" mdevctl types || return
	wants "  $TYPE_NAME" mdevctl types || return
	wants "Available instances: $(<"$TYPE/available_instances")" mdevctl types || return
	wants "Device API: vfio-pci" mdevctl types || return
	wants "Name: $(<"$TYPE/name")" mdevctl types
}

# What mdevctl remembers of a device's share is in force when it is started, and what it may not have is refused.
mdevctl_attributes()
{
	local dir=$MDEVS/$MDEVCTL_UUID/gvirt device=(-u "$MDEVCTL_UUID")
	wants '' mdevctl define "${device[@]}" -p "$GPU" -t "$TYPE_NAME" || return
	wants '' mdevctl modify "${device[@]}" --addattr gvirt/weight --value 300 || return
	wants '' mdevctl modify "${device[@]}" --addattr gvirt/cap --value 50 || return
	wants '' mdevctl start "${device[@]}" || return
	[[ $(<"$dir/weight") = 300 && $(<"$dir/cap") = 50 ]] || fail "weight or cap is not what was defined" || return
	wants '' mdevctl stop "${device[@]}" || return
	wants '' mdevctl modify "${device[@]}" --addattr gvirt/cap --value 101 || return
	! timeout 30 mdevctl start "${device[@]}" || fail "it starts with a cap of 101" || return
	expect "cap is a number from 0 to 100, not '101'" || return
	[[ ! -e $MDEVS/$MDEVCTL_UUID ]] || fail "a vGPU stays that could not be started" || return
	wants '' mdevctl undefine "${device[@]}"
}

# A device that is defined, started, stopped and forgotten; and one that was never defined.
mdevctl_devices()
{
	local before device=(-u "$MDEVCTL_UUID")
	before=$(<"$TYPE/available_instances")
	wants '' mdevctl define "${device[@]}" -p "$GPU" -t "$TYPE_NAME" || return
	wants "$MDEVCTL_UUID $GPU $TYPE_NAME manual" mdevctl list -d || return
	wants '' mdevctl start "${device[@]}" || return
	wants "$MDEVCTL_UUID $GPU $TYPE_NAME manual (defined)" mdevctl list || return
	[[ -e $MDEVS/$MDEVCTL_UUID ]] || fail "no vGPU after start" || return
	[[ $(<"$TYPE/available_instances") = $((before - 1)) ]] || fail "available_instances after start" || return
	wants '' mdevctl stop "${device[@]}" || return
	[[ ! -e $MDEVS/$MDEVCTL_UUID ]] || fail "still a vGPU after stop" || return
	wants '' mdevctl undefine "${device[@]}" || return
	[[ -z $(mdevctl list -d) ]] || fail "still defined after undefine" || return
	wants '' mdevctl start "${device[@]}" -p "$GPU" -t "$TYPE_NAME" || return
	wants "$MDEVCTL_UUID $GPU $TYPE_NAME" mdevctl list || return
	wants '' mdevctl stop "${device[@]}" || return
	[[ $(<"$TYPE/available_instances") = "$before" ]] || fail "not all is given back"
}
