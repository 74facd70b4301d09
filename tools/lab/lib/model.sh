# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# The silicon models beside a VM: one process per GPU, started before QEMU, judged afterwards.
#
# Uses: RUN_DIR (files of this attempt), RUN_SOCKETS (a short path for sockets), OPT_* of the command
# line. Keeps: MODEL_PIDS.

MODEL_PIDS=()

# model_start N: starts the model of GPU N and waits until it listens (10 s at most).
model_start()
{
	local n=$1 tries
	"$OPT_MODEL" --socket="$RUN_SOCKETS/gpu$n" --control="$RUN_SOCKETS/gpu$n.ctl" \
		--platform="$OPT_PLATFORM" --display="$OPT_DISPLAY" \
		--stats-file="$RUN_DIR/model-$n.json" "${OPT_MODEL_OPTS[@]}" \
		>"$RUN_DIR/model-$n.log" 2>&1 </dev/null &
	MODEL_PIDS+=($!)
	for ((tries = 0; tries < 100; tries++)); do
		[[ ! -S $RUN_SOCKETS/gpu$n ]] || return 0
		kill -0 "${MODEL_PIDS[-1]}" 2>/dev/null || break
		sleep 0.1
	done
	say "the silicon model did not start:"
	tail -n 20 "$RUN_DIR/model-$n.log" >&2
	return 1
}

# model_start_all: one model per GPU.
model_start_all()
{
	local n
	MODEL_PIDS=()
	((OPT_GPUS == 0)) || [[ -x $OPT_MODEL ]] ||
		die $EX_MISSING "there is no silicon model at $OPT_MODEL; run 'make model'," \
			"name another with --model, or run with --no-gpu"
	for ((n = 0; n < OPT_GPUS; n++)); do
		model_start "$n" || return 1
	done
}

# model_stop_all: QEMU is gone, so the models end by themselves; those that do not within ten seconds
# are killed. Fails when one was killed or ended with an error, e.g. a sanitizer's.
model_stop_all()
{
	local n tries status failed=0
	for n in "${!MODEL_PIDS[@]}"; do
		for ((tries = 0; tries < 100; tries++)); do
			kill -0 "${MODEL_PIDS[n]}" 2>/dev/null || break
			sleep 0.1
		done
		if ((tries == 100)); then
			say "model $n did not end when QEMU had gone, killed"
			kill -KILL "${MODEL_PIDS[n]}" 2>/dev/null || true
			failed=1
		fi
		status=0
		wait "${MODEL_PIDS[n]}" 2>/dev/null || status=$?
		if ((status)); then
			say "model $n ended with status $status, its last words:"
			tail -n 40 "$RUN_DIR/model-$n.log" >&2
			failed=1
		fi
	done
	MODEL_PIDS=()
	return $failed
}

# model_kill_all: for an interrupted run.
model_kill_all()
{
	((${#MODEL_PIDS[@]} == 0)) || kill -KILL "${MODEL_PIDS[@]}" 2>/dev/null || true
	MODEL_PIDS=()
}

# model_judge: quotes each misuse that the models counted; fails when there is one, or no statistics.
model_judge()
{
	local n found failed=0
	for ((n = 0; n < OPT_GPUS; n++)); do
		if [[ ! -s $RUN_DIR/model-$n.json ]] || ! found=$(in_tree --ro-bind "$RUN_DIR" /out -- jq -r '
			if (.misuse.total | type) != "number" then error("no .misuse.total") else . end |
			select(.misuse.total > 0) | .misuse | to_entries[] |
			select(.value > 0) | "  \(.key): \(.value)"' "/out/model-$n.json"); then
			say "model $n left no statistics"
			failed=1
		elif [[ -n $found ]]; then
			say "model $n counted misuse, which real silicon would punish:"
			printf '%s\n' "$found" >&2
			grep -m 20 'misuse:' "$RUN_DIR/model-$n.log" >&2 || true
			failed=1
		fi
	done
	return $failed
}
