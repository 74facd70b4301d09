# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# What gvirt's tests with guests need in the host VM, on top of what the module's tests have. Sourced only.

# shellcheck source=selftests/module/vm/lib.sh
. /gvirt/selftests/module/vm/lib.sh

MDEVS=/sys/bus/mdev/devices
TYPE_NAME=gvirt-headless-256
LOADED=/tmp/loaded
GGTT_DUMP=/gvirt/build/vgpu/ggtt_dump

# install_gvirt: what "make modules_install" put into its root, into this VM's.
install_gvirt()
{
	local version
	version=$(uname -r)
	cp -r "/gvirt/build/stage/$version/lib/modules/$version/." "/lib/modules/$version/" ||
		fail "gvirt is not installed for $version: scripts/install-lab does that"
}

# held: what gvirt holds of the kernel's resources, a line each: memory it has mapped, pages of guests
# that it has pinned, interrupts.
held()
{
	echo "mappings $(grep -c '\[gvirt\]' /proc/vmallocinfo)"
	awk '/^nr_foll_pin_(acquired|released)/ { n[$1] = $2 }
		END { print "pins", n["nr_foll_pin_acquired"] - n["nr_foll_pin_released"] }' /proc/vmstat
	echo "interrupts $(grep -c gvirt /proc/interrupts)"
	echo "instances $(<"$TYPE/available_instances")"
}

# ggtt_now FILE: the hardware's table.
ggtt_now()
{
	"$GGTT_DUMP" "/sys/bus/pci/devices/$GPU/resource0" >"$1" || fail "cannot read the GGTT"
}

GUEST_MEM=768M
GUEST_TIMEOUT=600
GUEST_CMDLINE=
GUEST_RUN=()

# guest_start NAME UUID KERNEL PLAN [OPTION...]: boots a guest on a vGPU in the background, see guest, with
# GUEST_CMDLINE, by the command GUEST_RUN; sets GUEST.
guest_start()
{
	"${GUEST_RUN[@]}" /gvirt/tools/lab/guest --name "$1" --kernel "$3" --timeout "$GUEST_TIMEOUT" \
		--mem "$GUEST_MEM" --reboots "${@:5}" --device "vfio-pci,sysfsdev=$MDEVS/$2,addr=02.0" \
		--file "$I915_TEST:/bin/i915_test" --file "$SILICON_DIR/allowed-messages:/lab/allowed-messages" \
		--script /gvirt/selftests/vgpu/vm/guest \
		--cmdline "drm_kms_helper.fbdev_emulation=0 vgpu_plan=$4 $GUEST_CMDLINE" >"/tmp/$1.log" 2>&1 &
	GUEST=$!
}

# has_line FILE REGEX: without starting a program, which an emulated CPU takes long to do.
has_line()
{
	local lines line
	[[ -e $1 ]] && mapfile -t lines <"$1"
	for line in "${lines[@]}"; do
		[[ ! $line =~ $2 ]] || return 0
	done
	return 1
}

# What never has a line, for read to wait on.
exec {NOTHING}<> <(:)

# guest_said NAME PID REGEX: waits for a line of a guest's output, as long as the guest is there.
guest_said()
{
	while ! has_line "/tmp/$1.log" "$3"; do
		kill -0 "$2" 2>/dev/null || fail "guest $1 ended before it said '$3'" || return
		read -rt 0.5 -u "$NOTHING" || true
	done
}

# guest_wait NAME PID [STATUS]: until a guest has ended, with that exit status (0).
guest_wait()
{
	local status=0
	wait "$2" || status=$?
	grep '^guest ' "/tmp/$1.log"
	! grep -q 'did not power off' "/tmp/$1.log" || fail "guest $1 hangs when it is switched off" || return
	((status == ${3-0})) || fail "guest $1: exit status $status, expected ${3-0}"
}

# guest_qemu UUID: the process that has a vGPU.
guest_qemu()
{
	pgrep -f "^qemu-system-x86_64 .*$1"
}

# guest_results NAME BOOT: what a guest reported of one of its boots; all that was planned, and no failure.
guest_results()
{
	local out=/tmp/$1.$2 planned seen
	awk -v boot="# boot $2" '/^# boot / { on = $0 == boot } on' "/out/guest-$1.out" >"$out"
	cat "$out"
	planned=$(sed -n 's/^1\.\.\([0-9]\+\)$/\1/p' "$out")
	seen=$(grep -cE '^(not )?ok [0-9]' "$out")
	[[ -n $planned && $seen -eq $planned ]] ||
		fail "boot $2 of guest $1 reported $seen of ${planned:-unknown} results" || return
	! grep -qE '^ *not ok ' "$out"
}
