# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# What tests of the module need in the host VM, on top of the judges' numbered steps. Sourced only.

# shellcheck source=selftests/silicon/lib/vm.sh
. /gvirt/selftests/silicon/lib/vm.sh

MODULE=/gvirt/build/module/$(uname -r)/drivers/gvirt/gvirt.ko
HWTEST=/gvirt/build/module-hwtest/$(uname -r)/drivers/gvirt/gvirt_hwtest.ko
SHARE=/share/0
EXPECTED=/tmp/expected
# On the debug kernel everything takes longer, bounds too; at the end two more steps tell what it found.
DEBUG_STEPS=0
export SLOW=1
if [[ $(uname -r) == *-gvirt-debug ]]; then
	DEBUG_STEPS=2
	SLOW=6
fi
KMEMLEAK=/sys/kernel/debug/kmemleak
# Offset of the GGTT in BAR0, and its entries.
GGTT_OFFSET=$((0x800000))
GGTT_ENTRIES=$((0x100000))

# log_mark: what the kernel logged before does not count any more, and nothing is expected.
log_mark()
{
	: >"$EXPECTED"
	echo "<6>silicon: step $STEP" >/dev/kmsg
}

# step_log: what the kernel logged in this step, without the decoration.
step_log()
{
	dmesg --notime | awk -v mark="silicon: step $STEP\$" '$0 ~ mark { n = 0; next } { line[n++] = $0 }
		END { for (i = 0; i < n; i++) print line[i] }'
}

# log_bad: prints lines of level warning or worse of this step that are neither allowed nor expected.
log_bad()
{
	dmesg --decode | awk -v mark="silicon: step $STEP\$" '
		$0 ~ mark { n = 0; next }
		/^kern *:(emerg|alert|crit|err|warn) *:/ { line[n++] = $0 }
		END { for (i = 0; i < n; i++) print line[i] }
	' | grep -vEf <(grep -vE '^(#|$)' "$SILICON_DIR/allowed-messages") | grep -vEf "$EXPECTED"
}

# expect REGEX: the kernel has logged this in the step, and may have.
expect()
{
	echo "$1" >>"$EXPECTED"
	step_log | grep -qE "$1" || fail "expected in the kernel's log: $1"
}

# may_log REGEX: the kernel may log this in the step.
may_log()
{
	echo "$1" >>"$EXPECTED"
}

# may_suppress: "N callbacks suppressed" is a warning of printk's own, on messages of a lower level.
may_suppress()
{
	may_log ': [0-9]+ callbacks suppressed$'
}

# bounded SECONDS COMMAND...: ends the command when it takes longer than that; exit status 124 then.
bounded()
{
	local seconds=$1
	shift
	timeout $((seconds * SLOW)) "$@"
}

# no_leaks: nothing that was allocated since the boot has been forgotten. An object is reported when it
# is 5 s old, and looks the same in two scans.
no_leaks()
{
	local found
	echo scan >"$KMEMLEAK" || fail "kmemleak has switched itself off" || return
	sleep 6
	echo scan >"$KMEMLEAK"
	found=$(<"$KMEMLEAK")
	[[ -z $found ]] && return
	head -n 60 <<<"$found" | sed 's/^/# /'
	return 1
}

# checkers_on: each of the debug kernel's checkers switches itself off when it has found something, or
# when it runs out of memory.
checkers_on()
{
	grep -qE '^ *debug_locks: +1$' /proc/lockdep_stats || fail "lockdep has switched itself off" || return
	[[ $(</sys/kernel/debug/dma-api/disabled) = N ]] || fail "DMA-API checks have switched themselves off" ||
		return
	[[ $(dmesg) = *KernelAddressSanitizer\ initialized* ]] || fail "no KASAN"
}

# debug_steps: the last steps, DEBUG_STEPS of them.
debug_steps()
{
	((DEBUG_STEPS)) || return 0
	step "no-leaks" no_leaks
	step "checkers-on" checkers_on
}

# ctl COMMAND [KEY=VALUE]...: asks the silicon model, by way of the script that runs this VM. Leaves the
# answer in ANSWER. (Few programs are started here and below: each takes 0.1 s under TCG.)
ctl()
{
	local n=$RANDOM$RANDOM tries
	ANSWER=
	echo "$*" >"$SHARE/new.$n"
	mv "$SHARE/new.$n" "$SHARE/request.$n"
	for ((tries = 0; tries < 100; tries++)); do
		if [[ -e $SHARE/answer.$n ]]; then
			ANSWER=$(<"$SHARE/answer.$n")
			return
		fi
		sleep 0.1
	done
	fail "the model's control socket did not answer '$*' within 10 s"
}

# inject [KEY=VALUE]...: a fault; fails when the model does not take it.
inject()
{
	ctl inject "$@" || return
	[[ $ANSWER =~ \"ok\":\ *true ]] || fail "the model does not inject $*: $ANSWER"
}

# engine_counter ENGINE NAME: of the statistics in ANSWER, e.g. submits; empty when there is none.
engine_counter()
{
	[[ $ANSWER =~ \"$1\":\ *\{[^}]*\"$2\":\ *([0-9]+) ]] || return
	echo "${BASH_REMATCH[1]}"
}

# is_bound: does gvirt have the GPU?
is_bound()
{
	[[ -e /sys/bus/pci/drivers/gvirt/$GPU ]]
}

# no_trace: nothing of the module is left.
no_trace()
{
	[[ ! -e /sys/module/gvirt ]] || fail "the module is still there" || return
	[[ ! -e /sys/bus/pci/devices/$GPU/driver ]] || [[ $1 = refused ]] ||
		fail "the GPU still has a driver" || return
	[[ $(</proc/interrupts) != *gvirt* ]] || fail "its interrupt is still there"
}

# load [PARAMETER=VALUE...]: insmod, in bounded time, and gvirt has the GPU.
load()
{
	bounded 30 insmod "$MODULE" "$@" || fail "insmod failed or took too long" || return
	is_bound || fail "gvirt does not drive $GPU"
}

# refused [PARAMETER=VALUE...]: insmod fails in bounded time, and nothing of the module stays.
refused()
{
	local status=0
	bounded 30 insmod "$MODULE" "$@" 2>/dev/null || status=$?
	((status != 124)) || fail "insmod took too long" || return
	((status != 0)) || fail "insmod works, but was to be refused" || return
	no_trace refused
}

unload()
{
	bounded 30 rmmod gvirt || fail "rmmod failed or took too long" || return
	no_trace unloaded
}

# ggtt_entry INDEX: as the hardware has it.
ggtt_entry()
{
	local bar0
	read -r bar0 _ <"/sys/bus/pci/devices/$GPU/resource"
	busybox devmem $((bar0 + GGTT_OFFSET + 8 * $1)) 64
}
