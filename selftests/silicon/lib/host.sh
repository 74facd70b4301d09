# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# What the judges of the model have in common on the building machine: the program that they run, the
# VMs that they run it in, and the count of results. Sourced only.

SILICON_TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd -P)
SILICON_LOGS=$SILICON_TOP/build/silicon
SILICON_PASSED=0
SILICON_FAILED=0
SILICON_SKIPPED=0

# silicon_prepare: builds i915_test; ends the script when that fails.
silicon_prepare()
{
	mkdir -p "$SILICON_LOGS"
	make -C "$SILICON_TOP/selftests/guest" --no-print-directory -j2 >"$SILICON_LOGS/build.log" 2>&1 || {
		tail -n 20 "$SILICON_LOGS/build.log" >&2
		echo "cannot build selftests/guest, see above" >&2
		exit 1
	}
}

# silicon_builds NAME COMMAND...: what COMMAND says goes to a log; when it fails, that is a failure of NAME, and
# the log's end is shown.
silicon_builds()
{
	local log=$SILICON_LOGS/${1//\//-}.build
	mkdir -p "$SILICON_LOGS"
	! "${@:2}" >"$log" 2>&1 || return 0
	tail -n 30 "$log" | sed 's/^/# /'
	echo "not ok $1: it does not build; all of the log is in $log"
	SILICON_FAILED=$((SILICON_FAILED + 1))
	return 1
}

# count_lines PATTERN FILE
count_lines()
{
	grep -cE "$1" "$2" || true
}

# last_run FILE: what follows the last KTAP header of the outermost level; the lab may have repeated a
# run that died.
last_run()
{
	awk '/^KTAP version/ { n = 0 } { line[n++] = $0 } END { for (i = 0; i < n; i++) print line[i] }' "$1"
}

# silicon_count NAME LOG STATUS: adds the KTAP results in LOG, of all levels. A VM that ended badly, or
# before its last result, is one more failure.
silicon_count()
{
	local name=$1 log=$2.last status=$3 planned seen failed
	last_run "$2" >"$log"
	failed=$(count_lines '^ *not ok [0-9]+' "$log")
	SILICON_SKIPPED=$((SILICON_SKIPPED + $(count_lines '^ *ok [0-9]+.* # SKIP' "$log")))
	SILICON_PASSED=$((SILICON_PASSED + $(count_lines '^ *ok [0-9]+' "$log") -
		$(count_lines '^ *ok [0-9]+.* # SKIP' "$log")))
	SILICON_FAILED=$((SILICON_FAILED + failed))

	planned=$(sed -n 's/^1\.\.\([0-9]\+\)$/\1/p' "$log" | head -n 1)
	seen=$(count_lines '^(not )?ok [0-9]+' "$log")
	if [[ -z $planned || $seen -lt $planned ]]; then
		echo "not ok $name: the VM ended after $seen of ${planned:-unknown} steps (exit status $status)"
		SILICON_FAILED=$((SILICON_FAILED + 1))
	elif ((status != 0 && failed == 0)); then
		echo "not ok $name: all steps passed, but the lab says exit status $status"
		SILICON_FAILED=$((SILICON_FAILED + 1))
	fi
}

# silicon_vm NAME [LAB OPTION]... -- COMMAND...: runs COMMAND in a host VM and counts its results. The
# environment variable LAB_OPTIONS gives the lab more options, e.g. --model PATH.
silicon_vm()
{
	local name=$1 log status=0 start=$SECONDS more
	shift
	read -ra more <<<"${LAB_OPTIONS:-}"
	log=$SILICON_LOGS/${name//\//-}.log
	echo "# $name"
	"$SILICON_TOP/tools/lab/lab" run "${more[@]}" "$@" 2>"$log.err" </dev/null | tee "$log" || status=$?
	[[ $status -eq 0 ]] || tail -n 40 "$log.err" | sed 's/^/# /'
	silicon_count "$name" "$log" "$status"
	echo "# $name took $((SECONDS - start)) s"
}

# silicon_summary: the last line, as scripts/check wants it, and the script's exit status.
silicon_summary()
{
	echo "$SILICON_PASSED passed, $SILICON_FAILED failed, $SILICON_SKIPPED skipped"
	((SILICON_FAILED == 0))
}
