# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Steps for a host VM with KVM: page tables of a guest whose CPU stores to them. Sourced only, after
# selftests/module/vm/lib.sh.

SHADOW_STEPS=3
SHADOW_UUID=6ef1b3c0-5c21-4d0e-9d6c-0000000000c0
SHADOW_TRACING=/sys/kernel/tracing
SHADOW_MDEV=/sys/bus/mdev/devices/$SHADOW_UUID

# shadow_program NAME: runs a program on a vGPU of a VM.
shadow_program()
{
	may_suppress
	may_log 'vfio_pin_page_external: Task vfio_shadow_tes.* RLIMIT_MEMLOCK .* exceeded$'
	bounded 250 "/gvirt/build/vfio/vfio_$1_test" --device "kvm:$SHADOW_MDEV"
}

# shadow_mode MODE: what a driver may do with page tables, in one mode.
shadow_mode()
{
	local found
	echo "$1" >"$SHADOW_MDEV/gvirt/shadow_mode" || fail "shadow_mode" || return
	shadow_program ppgtt || return
	found=$(<"$SHADOW_MDEV/gvirt/shadow_mode")
	[[ $found = "$1"* ]] || fail "shadow_mode is $found now" || return
	found=$(<"$SHADOW_MDEV/gvirt/shadow_exits")
	[[ $1 != strict || $found != 0 ]] || fail "nothing was protected"
}

shadow_module()
{
	local type=/sys/bus/pci/devices/$GPU/mdev_supported_types/gvirt-headless-256
	bounded 30 insmod "$MODULE" max_vgpus=4 || fail "insmod" || return
	is_bound || fail "gvirt does not drive $GPU" || return
	bounded 30 sh -c "echo $SHADOW_UUID >$type/create" || fail "create"
}

# shadow_trace ON: events of shadow tables and of memory, on (1) or off (0).
shadow_trace()
{
	local event
	[[ -e $SHADOW_TRACING/trace ]] || mount -t tracefs tracefs "$SHADOW_TRACING" || fail "no tracefs" || return
	echo 4096 >"$SHADOW_TRACING/buffer_size_kb"
	for event in shadow_sync shadow_state shadow_mode pinned unpinned; do
		echo "$1" >"$SHADOW_TRACING/events/gvirt/gvirt_$event/enable" || fail "no event $event" || return
	done
}

# shadow_traced: each of the events has happened.
shadow_traced()
{
	local what
	for what in 'shadow_sync: .* compared=[1-9][0-9]* changed=[1-9][0-9]* err=0' 'shadow_state: .*=protected' \
		'shadow_state: .*=written' 'shadow_state: .*=mode' 'shadow_mode: .*=strict' 'pinned: .* pages=51[0-2] err=0' \
		'unpinned: gfn='; do
		grep -qE "gvirt_${what/: /: vgpu=$SHADOW_UUID }" "$SHADOW_TRACING/trace" || fail "no event $what" || return
	done
}

# shadow_costs: what it costs, and what becomes of tables that are none any more; then the module goes.
shadow_costs()
{
	shadow_trace 1 || return
	shadow_program shadow || return
	expect "request of the guest refused: no room for it in the host, or the VMM's locked memory" || return
	shadow_trace 0 || return
	shadow_traced || return
	bounded 30 sh -c "echo 1 >$SHADOW_MDEV/remove" || fail "remove" || return
	bounded 30 rmmod gvirt || fail "rmmod"
}

# shadow_steps: SHADOW_STEPS steps; the module is not loaded before or after. To save time, a driver's tests
# run in one mode on each kernel.
shadow_steps()
{
	step "shadow-module" shadow_module
	case $(uname -r) in
	6.12.*) step "shadow-adaptive" shadow_mode adaptive ;;
	*) step "shadow-strict" shadow_mode strict ;;
	esac
	step "shadow-costs" shadow_costs
}
