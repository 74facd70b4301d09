# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# A VM's way to the control socket of its silicon model, on the building machine; in the VM it is ctl() of
# selftests/module/vm/lib.sh. Sourced only, after host.sh.

# serve DIR: a file request.N in DIR holds a command line of gpumodel-ctl, answer.N gets what it prints. "@N " before it
# names another GPU than the first one, 0. Runs until it is killed.
serve()
{
	local dir=$1 request socket words gpu
	while sleep 0.1; do
		for request in "$dir"/request.*; do
			[[ -e $request ]] || continue
			gpu=0
			words=$(<"$request")
			if [[ $words =~ ^@([0-9])\ (.*) ]]; then
				gpu=${BASH_REMATCH[1]}
				words=${BASH_REMATCH[2]}
			fi
			socket=$(echo "$dir"/gvirt-lab.*/gpu"$gpu".ctl)
			# Words of the request are arguments.
			# shellcheck disable=SC2086
			"$SILICON_TOP/build/gpumodel/gpumodel-ctl" "$socket" $words \
				>"$dir/answer.tmp" 2>&1 || true
			rm -f "$request"
			mv "$dir/answer.tmp" "$dir/answer.${request##*.}"
		done
	done
}

# served_vm NAME [LAB OPTION]... -- COMMAND...: silicon_vm() with it. The model's control socket lies in a
# directory of this run (TMPDIR), which the VM sees as /share/0. What the VM leaves there goes to the directory
# SERVE_KEEP, if that is set.
served_vm()
{
	local name=$1 dir server
	shift
	dir=$(mktemp -d "/tmp/gvirt-serve.XXXX")
	serve "$dir" &
	server=$!
	TMPDIR=$dir silicon_vm "$name" --share "$dir" "$@"
	kill "$server"
	wait "$server" 2>/dev/null || true
	[[ -z ${SERVE_KEEP-} ]] || find "$dir" -maxdepth 1 -type f ! -name 'answer.*' -exec cp -t "$SERVE_KEEP" {} +
	rm -rf "$dir"
}
