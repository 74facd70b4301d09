# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# What the tests of gvirtctl stand on: a tree that looks like sysfs and /proc. Sourced only.

GPU=0000:00:02.0
OTHER_GPU=0001:03:00.0
TYPE=gvirt-headless-256
FIRST=5f2b1a52-0a1f-4d5e-9a5c-000000000001
SECOND=5f2b1a52-0a1f-4d5e-9a5c-000000000002
TREE=$(mktemp -d)
DEVICES=$TREE/sys/devices/pci0000:00
export GVIRTCTL_ROOT=$TREE

# put PATH LINE...: a file with these lines.
put()
{
	local path=$1
	shift
	[[ -d ${path%/*} ]] || mkdir -p "${path%/*}"
	printf '%s\n' "$@" >"$path"
}

# add_gpu ADDRESS AVAILABLE
add_gpu()
{
	local dir=$DEVICES/$1 type
	type=$dir/mdev_supported_types/$TYPE
	put "$type/name" 'Skylake GT2, 256 MiB aperture, no display'
	put "$type/description" 'gpu: Skylake GT2' 'engines: rcs0 bcs0 vcs0 vecs0' 'aperture: 256' 'ggtt: 4096' \
		'fences: 32' 'display: none'
	put "$type/available_instances" "$2"
	put "$type/device_api" vfio-pci
	put "$type/create" ''
	put "$dir/gvirt/policy" '[weighted] round-robin fixed'
	put "$dir/gvirt/slice_us" 20000
	put "$dir/gvirt/busy_ns" 'rcs0 0' 'bcs0 0' 'vcs0 0' 'vecs0 0'
	chmod 444 "$dir/gvirt/busy_ns"
	mkdir -p "$TREE/sys/bus/pci/drivers/gvirt"
	ln -s "../../../../devices/pci0000:00/$1" "$TREE/sys/bus/pci/drivers/gvirt/$1"
}

# add_vgpu UUID GPU GROUP
add_vgpu()
{
	local dir=$DEVICES/$2/$1 counter
	mkdir -p "$dir" "$TREE/sys/bus/mdev/devices" "$TREE/sys/kernel/iommu_groups/$3"
	ln -s "../mdev_supported_types/$TYPE" "$dir/mdev_type"
	ln -s "../../../../kernel/iommu_groups/$3" "$dir/iommu_group"
	ln -s "../../../devices/pci0000:00/$2/$1" "$TREE/sys/bus/mdev/devices/$1"
	put "$dir/remove" ''
	put "$dir/gvirt/weight" 100
	put "$dir/gvirt/cap" 0
	put "$dir/gvirt/busy_ns" 'rcs0 0' 'bcs0 0' 'vcs0 0' 'vecs0 0'
	for counter in submissions contexts refused_requests lost_contexts pinned_pages host_memory; do
		put "$dir/gvirt/$counter" 0
	done
	chmod 444 "$dir"/gvirt/*
	chmod 644 "$dir"/gvirt/{weight,cap}
}

# add_user PID COMMAND FILE: a process with a file open.
add_user()
{
	put "$TREE/proc/$1/comm" "$2"
	mkdir -p "$TREE/proc/$1/fd"
	ln -s "$3" "$TREE/proc/$1/fd/9"
}

# make_tree: two GPUs; on the first a vGPU that is in use, on the second one that is not.
make_tree()
{
	rm -rf "$TREE"
	mkdir -p "$TREE/sys/module/gvirt" "$TREE/proc"
	add_gpu "$GPU" 62
	add_gpu "$OTHER_GPU" 63
	touch "$TREE/sys/bus/pci/drivers/gvirt"/{bind,unbind}
	add_vgpu "$FIRST" "$GPU" 7
	add_vgpu "$SECOND" "$OTHER_GPU" 8
	add_user 4711 qemu-system-x86 /dev/vfio/7
	add_user 4712 bash /dev/pts/0
	put "$DEVICES/$GPU/$FIRST/gvirt/pinned_pages" 512
	put "$DEVICES/$GPU/$FIRST/gvirt/host_memory" $((3 << 19))
	put "$DEVICES/$GPU/$FIRST/gvirt/submissions" 41
}

# add_debugfs: what the module has of the first vGPU and its GPU. MI_STORE_DATA_IMM, MI_USER_INTERRUPT, then
# what is no command.
add_debugfs()
{
	local dir=$TREE/sys/kernel/debug/gvirt
	put "$dir/$FIRST/state" 'busy: no' 'rcs0.element: 1' 'rcs0.started: yes' 'rcs0.force: 00012000' \
		'context0.lrca: 00012000' 'contexts: 1'
	put "$dir/$FIRST/refused" 'reasons.bad descriptor: 0' 'reasons.bad command: 3' 'command.time: 1700000000' \
		'command.engine: rcs0' 'command.reason: bad command' 'command.detail: 1' 'command.value: ffffffff' \
		'command.at: 00000038' 'command.verdict: unknown command' 'command.bad: 5' \
		'command.dwords: 10400002 00001000 00000000 00000001 01000000 ffffffff 00000000 00000000'
	put "$dir/$FIRST/lost"
	put "$dir/$GPU/state" 'given_up: no' 'rcs0.active: 1 2'
}

# gone FILE...: files that an older module does not have.
gone()
{
	rm -r "$@"
}

# run STATUS ARGUMENT...: gvirtctl, which has to end with that status; leaves OUT and ERR.
run()
{
	local expected=$1 status=0
	shift
	OUT=$("$GVIRTCTL" "$@" 2>"$TREE.err") || status=$?
	ERR=$(<"$TREE.err")
	((status == expected)) || fail "gvirtctl $*: exit status $status instead of $expected: $ERR"
}

# refusing FILE ERRNO STATUS ARGUMENT...: likewise, with a kernel that refuses what is written to FILE.
refusing()
{
	local file=$1 error=$2
	shift 2
	FAIL_FILE=/$file FAIL_ERRNO=$error ASAN_OPTIONS=verify_asan_link_order=0 \
		LD_PRELOAD=$FAIL_WRITE run "$@"
}

# has TEXT STRING
has()
{
	[[ $1 == *"$2"* ]] || fail "no '$2' in: $1"
}

# json EXPRESSION: OUT is JSON, and this holds for it (in Python, as j).
json()
{
	python3 -c 'import json, sys
j = json.loads(sys.argv[1])
assert eval(sys.argv[2]), sys.argv[2]' "$OUT" "$1" 2>"$TREE.err" || fail "$(tail -n 1 "$TREE.err"): $OUT"
}

fail()
{
	echo "# $*"
	return 1
}
