# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# One attempt of a run: models, QEMU, the watch over it, and what is judged afterwards.
#
# An attempt ends with RUN_STATUS (the command's exit status, empty when it never came), RUN_DEATH (why
# it ended without one) and RUN_FAULT (an exit code of the lab when consoles or models tell of a fault).

RUN_QEMU=
RUN_TAIL=
RUN_TERMINAL=

# run_prepare DIR: the attempt's files; what the VM has to do lies in /out/.lab.
run_prepare()
{
	RUN_DIR=$1
	RUN_OUT=${OPT_OUT:-$RUN_DIR/out}
	RUN_STATUS='' RUN_DEATH='' RUN_FAULT='' RUN_BOOT=0
	# Socket paths have 107 bytes at most, and a checkout may lie deep.
	RUN_SOCKETS=$(mktemp -d "${TMPDIR:-/tmp}/gvirt-lab.XXXXXX")
	mkdir -p "$RUN_DIR" "$RUN_OUT"
	# For gpumodel-ctl: sockets/gpu0.ctl and so on, while the run lasts.
	ln -s "$RUN_SOCKETS" "$RUN_DIR/sockets"
	rm -rf "$RUN_OUT/.lab"
	mkdir "$RUN_OUT/.lab"
	printf '%s\n' "${!OPT_SHARES[@]}" | sed -n 's/./share&/p' >"$RUN_OUT/.lab/shares"
	run_command_text >"$RUN_OUT/.lab/command"
	run_kvm_retry
	((!OPT_SHELL)) || run_terminal_size >"$RUN_OUT/.lab/shell"
	: >"$RUN_DIR/command.out"
	: >"$RUN_DIR/ctl"
}

# run_kvm_retry: what guests' QEMU is loaded with, for the host VM's libraries.
run_kvm_retry()
{
	in_tree --ro-bind "$LAB_DIR/vm" /tmp/src --bind "$RUN_OUT/.lab" /tmp/out -- \
		gcc -std=gnu11 -O2 -Wall -Wextra -Werror -shared -fPIC \
		-o /tmp/out/kvm_retry.so /tmp/src/kvm_retry.c
}

# run_command_text: the command as the VM's shell reads it. One argument alone is shell text, as with
# ssh; several are a program and its arguments, whatever characters they have.
run_command_text()
{
	if ((${#OPT_COMMAND[@]} == 1)); then
		printf '%s\n' "${OPT_COMMAND[0]}"
	else
		printf '%q ' "${OPT_COMMAND[@]}"
		printf '\n'
	fi
}

# run_terminal_size: what the shell in the VM must know about the terminal here.
run_terminal_size()
{
	local size
	size=$(stty size 2>/dev/null) || size='24 80'
	printf 'export TERM=%q; stty rows %s cols %s\n' "${TERM:-linux}" "${size% *}" "${size#* }"
}

# run_start: QEMU in the background, with its console port followed to stdout.
run_start()
{
	vm_compose
	printf '%q ' qemu-system-x86_64 "${VM_ARGS[@]}" >"$RUN_DIR/qemu.cmdline"
	if ((OPT_SHELL)); then
		RUN_TERMINAL=$(stty -g <&3 2>/dev/null) || RUN_TERMINAL=''
		say "the host VM boots; leave its shell with 'exit'"
		vm_exec 2>"$RUN_DIR/qemu.log" <&3 &
		RUN_QEMU=$!
	else
		vm_exec >"$RUN_DIR/qemu.log" 2>&1 </dev/null &
		RUN_QEMU=$!
		tail -n +1 -f -s 0.2 --pid="$RUN_QEMU" "$RUN_DIR/command.out" 2>/dev/null &
		RUN_TAIL=$!
	fi
}

# run_ctl WORD: sets CTL to the value of the last control line of that name, empty if there is none.
run_ctl()
{
	local word value
	CTL=''
	while read -r word value; do
		[[ $word != "$1" ]] || CTL=$value
	done <"$RUN_DIR/ctl"
}

# run_progress: notes when the VM came up and when its final line came.
run_progress()
{
	if ((!RUN_UP_AT)); then
		run_ctl up
		[[ -z $CTL ]] || RUN_UP_AT=$SECONDS
	elif ((!RUN_END_AT)); then
		run_ctl exit
		[[ -z $CTL ]] || RUN_END_AT=$SECONDS
	fi
}

# run_overdue START: fails unless one of the three bounds is over: the boot's, the command's, and 60 s
# from the final line to power-off; sets RUN_DEATH then.
run_overdue()
{
	if ((!RUN_UP_AT && SECONDS - $1 > OPT_BOOT_TIMEOUT)); then
		RUN_DEATH="did not boot within $OPT_BOOT_TIMEOUT s"
	elif ((RUN_UP_AT && !RUN_END_AT && SECONDS - RUN_UP_AT > OPT_TIMEOUT)); then
		RUN_DEATH="ran for $OPT_TIMEOUT s without its final line (--timeout)"
		RUN_FAULT=$EX_TIMEOUT
	elif ((RUN_END_AT && SECONDS - RUN_END_AT > 60)); then
		RUN_DEATH="did not power off within 60 s of its final line"
	fi
	[[ -n $RUN_DEATH ]]
}

# run_watch: waits for QEMU, and ends it when it is overdue.
run_watch()
{
	local start=$SECONDS
	RUN_UP_AT=0 RUN_END_AT=0
	while kill -0 "$RUN_QEMU" 2>/dev/null; do
		run_progress
		if run_overdue "$start"; then
			kill -KILL "$RUN_QEMU" 2>/dev/null || true
			break
		fi
		sleep 0.2
	done
	wait "$RUN_QEMU" 2>/dev/null || true
	[[ -z $RUN_TAIL ]] || wait "$RUN_TAIL" 2>/dev/null || true
	RUN_QEMU='' RUN_TAIL=''
	run_progress
	RUN_BOOT=$((RUN_UP_AT ? RUN_UP_AT - start : 0))
	run_ctl exit
	RUN_STATUS=$CTL
}

# run_explain_death: why, and the last words of console and QEMU, as far as there are any.
run_explain_death()
{
	say "the host VM $RUN_DEATH; the end of its console ($RUN_DIR/host.console):"
	{
		tail -n 15 "$RUN_DIR/host.console" | cut -c1-160 | sed 's/^/  | /'
		head -n 5 "$RUN_DIR/qemu.log" | sed 's/^/  qemu: /'
	} >&2 2>/dev/null || true
}

# run_consoles: every console of the attempt, host VM and guests, those that exist.
run_consoles()
{
	local file
	for file in "$RUN_DIR"/host.console "$RUN_OUT"/*.console "$RUN_OUT"/*.dmesg; do
		[[ ! -f $file ]] || printf '%s\0' "$file"
	done
}

# run_judge: sets RUN_FAULT when a console or a model tells of a fault.
run_judge()
{
	local consoles=()
	mapfile -d '' consoles < <(run_consoles)
	if ((${#consoles[@]})) && ! "$LAB_DIR/scan" "${OPT_ALLOW[@]}" "${consoles[@]}" >&2; then
		RUN_FAULT=$EX_CONSOLE
	fi
	if [[ -z $RUN_DEATH ]] && ! model_judge; then
		: "${RUN_FAULT:=$EX_MISUSE}"
	fi
}

# run_attempt DIR: one boot, from the models' start to the verdict.
run_attempt()
{
	run_prepare "$1"
	if ! model_start_all; then
		model_kill_all
		RUN_FAULT=$EX_MODEL
		return
	fi
	run_start
	run_watch
	[[ -n $RUN_STATUS || -n $RUN_DEATH ]] || RUN_DEATH="ended without its final line"
	model_stop_all || RUN_FAULT=$EX_MODEL
	[[ -z $RUN_DEATH ]] || run_explain_death
	run_judge
	rm -rf "$RUN_SOCKETS" "$RUN_DIR/sockets"
}

# run_interrupt: leaves nothing running and no sockets, whenever the program ends.
run_interrupt()
{
	[[ -z $RUN_QEMU ]] || kill -KILL "$RUN_QEMU" 2>/dev/null || true
	[[ -z $RUN_TAIL ]] || kill "$RUN_TAIL" 2>/dev/null || true
	model_kill_all
	[[ -z ${RUN_SOCKETS-} ]] || rm -rf "$RUN_SOCKETS" "$RUN_DIR/sockets"
	# QEMU put the terminal into raw mode, and does not undo that when it is killed.
	[[ -z $RUN_TERMINAL ]] || stty "$RUN_TERMINAL" 2>/dev/null || true
}
