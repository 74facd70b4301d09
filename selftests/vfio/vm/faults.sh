# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Lives of vGPUs, see cycles_test.c, races_test.c and unbind_test.c; and a faulty chip under three of them, see inject_test.c
# and dead_test.c. Sourced only, after work.sh; load_limited() loads gvirt.

FAULT_STEPS=4
LIFE_STEPS=4
FAULT_UUIDS=(6ef1b3c0-5c21-4d0e-9d6c-0000000000c0 6ef1b3c0-5c21-4d0e-9d6c-0000000000c1
	6ef1b3c0-5c21-4d0e-9d6c-0000000000c2)

# The programs make their own vGPUs; there are none before.
life_cycles()
{
	may_suppress
	may_log '(rcs|bcs|vcs|vecs)0 does not let go of its work and is reset'
	bounded 600 /gvirt/build/vfio/vfio_cycles_test
}

life_races()
{
	may_suppress
	may_log '(rcs|bcs|vcs|vecs)0 does not let go of its work and is reset'
	may_log 'to be removed, but in use by a program that does not listen'
	bounded 600 /gvirt/build/vfio/vfio_races_test
}

# Also with the module that this loads again.
life_unbind()
{
	may_suppress
	may_log '(rcs|bcs|vcs|vecs)0 does not let go of its work and is reset'
	may_log 'to be removed, but in use by a program that does not listen'
	bounded 600 /gvirt/build/vfio/vfio_unbind_test "$MODULE" || return
	work_misuse
}

# sleep_once: the PM core takes the GPU through a sleep of the machine, as it would.
sleep_once()
{
	insmod "/gvirt/build/silicon/modules/$(uname -r)/pmcycle.ko" device="$GPU" 2>/dev/null || return
	rmmod pmcycle
}

# With a vGPU open the machine does not sleep; else it does, and vGPUs work afterwards, old ones and new ones.
life_sleep()
{
	((!DEBUG_STEPS)) || { echo "pmcycle is built for the stock kernels"; return 4; }
	may_log 'pmcycle: suspend: -16'
	may_log 'gvirt_suspend.*returns -16'
	hold 5 || return
	! sleep_once || fail "the machine sleeps with a vGPU in use" || return
	let_go
	expect 'does not sleep while vGPUs are in use: 1. Shut their guests down first' || return
	sleep_once && sleep_once || fail "the machine does not sleep without a vGPU in use" || return
	work_program reset "/sys/bus/mdev/devices/6ef1b3c0-5c21-4d0e-9d6c-000000000005" || return
	bounded 10 sh -c "echo 1 >/sys/bus/mdev/devices/6ef1b3c0-5c21-4d0e-9d6c-000000000005/remove" ||
		fail "remove" || return
	work_misuse
}

# life_steps: LIFE_STEPS steps.
life_steps()
{
	step "life-cycles" life_cycles
	step "life-races" life_races
	step "life-unbind" life_unbind
	step "life-sleep" life_sleep
}

faults_begin()
{
	load_limited && work_create
}

# faults_program NAME [ARGUMENT]...
faults_program()
{
	local name=$1 uuid args=()
	shift
	for uuid in "${FAULT_UUIDS[@]}"; do
		args+=(--device "/sys/bus/mdev/devices/$uuid")
	done
	may_suppress
	may_log '(rcs|bcs|vcs|vecs)0 does not let go of its work and is reset'
	may_log '(rcs|bcs|vcs|vecs)0 refuses (to be reset, 3 times|its reset; resetting the whole GPU)'
	may_log '(rcs|bcs|vcs|vecs)0: (status event [0-9a-f]+ of context|a status event does not come)'
	bounded 300 "/gvirt/build/vfio/vfio_${name}_test" "$@" "${args[@]}" --control "$SHARE"
}

# Everything is as it was, for guests that were there all the time.
faults_inject()
{
	local count
	faults_program inject || return
	# Where all handshakes were refused, it took a full reset.
	expect 'rcs0 refuses its reset; resetting the whole GPU' || return
	work_misuse unscratched_pte || return
	count=$(sed -n 's/^rcs0.bad_events: //p' "/sys/kernel/debug/gvirt/$GPU/state")
	((count > 0)) || fail "no event was found to be bad"
}

# It refuses its reset until it is loaded anew.
faults_refused()
{
	faults_program dead refuse || return
	grep -q '^given_up: yes' "/sys/kernel/debug/gvirt/$GPU/state" || fail "the GPU is not given up" || return
	expect 'the GPU cannot be reset and is not used any more. Power cycle the machine' || return
	may_log 'reset \(GDRST 0x[0-9a-f]+\) did not end'
	work_remove && unload || return
	inject what=none engine=rcs0 && faults_begin
}

# It leaves the bus, and is found again as a new one.
faults_gone()
{
	may_log 'the (render|GT|media) power well does not wake'
	may_log 'reset \(GDRST 0x[0-9a-f]+\) did not end'
	faults_program dead gone || return
	expect 'the GPU has gone from the bus, all its registers read as ones' || return
	work_remove || return
	bounded 30 sh -c "echo 1 >/sys/bus/pci/devices/$GPU/remove" || fail "removing the device" || return
	unload || return
	inject what=gone value=0 || return
	echo 1 >/sys/bus/pci/rescan
	faults_begin && work_remove && unload
}

# fault_steps: FAULT_STEPS steps, each in a shell of its own.
fault_steps()
{
	WORK_UUIDS=("${FAULT_UUIDS[@]}")
	step "faults-begin" faults_begin
	step "faults-inject" faults_inject
	step "faults-refused" faults_refused
	step "faults-gone" faults_gone
}
