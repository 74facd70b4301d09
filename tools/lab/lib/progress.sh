# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Signs of life of a long step. Sourced only.

# progress_start PATTERN: shows, every ten seconds until the program ends, the last line of the log that
# matches PATTERN.
progress_start()
{
	local pattern=$1
	(
		trap 'kill "$nap" 2>/dev/null; exit 0' TERM
		while true; do
			sleep 10 &
			nap=$!
			wait "$nap"
			# shellcheck disable=SC2086 # a pattern, for the log appears later
			step "  $(tail -qn 3 $pattern 2>/dev/null | tr '\r' '\n' | grep . | tail -n 1 | cut -c1-70)"
		done
	) &
	PROGRESS=$!
	trap 'kill "$PROGRESS" 2>/dev/null' EXIT
}
