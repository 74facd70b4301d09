# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# What the lab's tests share. Sourced only.

TEST_TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
TEST_DIR=$(mktemp -d "${TMPDIR:-/tmp}/gvirt-lab-test.XXXXXX")
TEST_FAILED=0
trap 'rm -rf "$TEST_DIR"' EXIT

# result NAME CONDITION...: reports whether the condition, a command, holds; says what was seen if not.
result()
{
	local name=$1
	shift
	if "$@"; then
		echo "ok $name"
		return
	fi
	TEST_FAILED=1
	echo "not ok $name"
	echo "# $* is not so; status ${STATUS-}, output:"
	head -n 40 "$TEST_DIR/output" 2>/dev/null | sed 's/^/# /'
}

# capture COMMAND...: keeps what it prints in TEST_DIR/output, and its exit status in STATUS.
capture()
{
	STATUS=0
	"$@" >"$TEST_DIR/output" 2>&1 </dev/null || STATUS=$?
}

# status_is N
status_is()
{
	[[ $STATUS == "$1" ]]
}

# says TEXT: the captured output has it.
says()
{
	grep -qF -- "$1" "$TEST_DIR/output"
}

# says_not TEXT
says_not()
{
	! says "$1"
}

# finish: the test program's exit status.
finish()
{
	exit $TEST_FAILED
}
