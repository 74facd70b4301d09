# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# What the judges have in common inside the host VM: numbered KTAP steps, each of which also fails when
# the kernel logged anything of level warning or worse that is not argued for in allowed-messages.
# Sourced only.

SILICON_DIR=/gvirt/selftests/silicon
I915_TEST=/gvirt/build/guest/i915_test
DEBUGFS=/sys/kernel/debug/dri
STEP=0
STEPS_FAILED=0

# plan COUNT: the first lines of the output.
plan()
{
	echo "KTAP version 1"
	echo "1..$1"
}

# log_mark: what the kernel logged before does not count any more.
log_mark()
{
	echo "<6>silicon: step $STEP" >/dev/kmsg
}

# log_bad: prints lines of level warning or worse since the mark, without the allowed ones.
log_bad()
{
	dmesg --decode | awk -v mark="silicon: step $STEP\$" '
		$0 ~ mark { n = 0; next }
		/^kern *:(emerg|alert|crit|err|warn) *:/ { line[n++] = $0 }
		END { for (i = 0; i < n; i++) print line[i] }
	' | grep -vEf <(grep -vE '^(#|$)' "$SILICON_DIR/allowed-messages")
}

# step NAME FUNCTION [ARGUMENT]...: runs it with its output indented, and reports. Exit status 4 of the
# function is a skip, whose reason is its last line.
step()
{
	local name=$1 out=/tmp/step.out status bad
	shift
	STEP=$((STEP + 1))
	log_mark
	"$@" 2>&1 | tee "$out" | sed -u 's/^/  /'
	status=${PIPESTATUS[0]}
	if bad=$(log_bad); then
		head -n 30 <<<"$bad" | sed 's/^/  # logged: /'
		status=1
	fi
	case $status in
	0) echo "ok $STEP $name" ;;
	4) echo "ok $STEP $name # SKIP $(tail -n 1 "$out")" ;;
	*)
		echo "not ok $STEP $name"
		STEPS_FAILED=$((STEPS_FAILED + 1))
		;;
	esac
}

# bail_out TEXT...: ends the script, as KTAP has it.
bail_out()
{
	echo "Bail out! $*"
	exit 1
}

# finish: the script's exit status; the VM is switched off next.
finish()
{
	((STEPS_FAILED == 0))
}

# fail TEXT...: says why a step fails; to be used as `... || fail ... || return`.
fail()
{
	echo "# $*"
	return 1
}

# gpu_address: the PCI address of the Intel GPU.
gpu_address()
{
	local dir
	for dir in /sys/bus/pci/devices/*; do
		if [[ $(<"$dir/vendor") = 0x8086 && $(<"$dir/class") = 0x03* ]]; then
			basename "$dir"
			return
		fi
	done
	return 1
}

# check_state: not wedged, and all engines are there.
check_state()
{
	local wedged engines
	wedged=$(cat "$DEBUGFS"/*/i915_wedged 2>/dev/null | head -n 1)
	[[ $wedged = 0 ]] || fail "i915_wedged: expected 0, read '$wedged'" || return
	engines=$(find /sys/class/drm/card*/engine/ -mindepth 1 -maxdepth 1 -printf '%f\n' 2>/dev/null |
		sort | tr '\n' ' ')
	[[ $engines = "bcs0 rcs0 vcs0 vecs0 " ]] ||
		fail "engines: expected bcs0 rcs0 vcs0 vecs0, found '$engines'"
}

# bare_test [ARGUMENT]...: i915_test, of which nothing may be skipped on a bare GPU.
bare_test()
{
	local out=/tmp/i915_test.out status
	timeout 150 "$I915_TEST" "$@" | tee "$out"
	status=${PIPESTATUS[0]}
	! grep -q '# SKIP' "$out" || fail "a bare GPU skips nothing" || return
	return "$status"
}
