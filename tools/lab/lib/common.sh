# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Messages, exit codes, paths and the cache's layout; sourced by every program of the lab.

LAB_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
LAB_CHECKOUT=$(cd "$LAB_DIR/../.." && pwd -P)
LAB_CACHE=${GVIRT_LAB_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/gvirt-lab}
LAB_T0=$SECONDS

# Exit codes of the lab's own failures; everything else is the command's (Documentation/lab.rst).
readonly EX_USAGE=64 EX_MISSING=69 EX_CONSOLE=70 EX_MISUSE=71 EX_MODEL=72 EX_VM=74 EX_TIMEOUT=75

# say TEXT...: a line for the person who waits, on stderr.
say()
{
	printf 'lab: %s\n' "$*" >&2
}

# step TEXT...: the same, with the time since the program started.
step()
{
	printf 'lab: [%3d s] %s\n' $((SECONDS - LAB_T0)) "$*" >&2
}

# die CODE TEXT...: says what is missing and what to do, and ends the program.
die()
{
	local code=$1
	shift
	printf 'lab: error: %s\n' "$*" >&2
	exit "$code"
}

# lab_hash: a short hash of stdin.
lab_hash()
{
	sha256sum | cut -c1-16
}

# lab_tree_home: where the tree of the present recipe is, whether built or not. The name carries a hash
# of what the tree is made of and of the code that makes it.
lab_tree_home()
{
	{
		declare -p "${LAB_TREE_RECIPE[@]}"
		cat "$LAB_DIR/lib/tree.sh"
	} | lab_hash | sed "s|^|$LAB_CACHE/tree-|"
}

# lab_images_home: the same for the kernels and initramfs images, which depend on the tree.
lab_images_home()
{
	{
		lab_tree_home
		declare -p "${LAB_IMAGES_RECIPE[@]}"
		cat "$LAB_DIR"/lib/initrd.sh "$LAB_DIR"/vm/{host-init,guest-init,ports.sh,settle.sh}
	} | lab_hash | sed "s|^|$LAB_CACHE/images-|"
}

# lab_debug_home: the same for the debug kernel.
lab_debug_home()
{
	{
		cat "$LAB_TREE/boot/lab-kernel-${LAB_KERNELS[0]}" "$LAB_DIR/debug.config" \
			"$LAB_DIR/build-debug" "$LAB_DIR/vm/host-init"
	} | lab_hash | sed "s|^|$LAB_CACHE/debug-|"
}

# in_tree [BWRAP OPTION]... -- COMMAND...: runs COMMAND in the lab's tree, which is read-only there.
# As an ordinary user one is uid 0 inside, so that the tree's files look as they do to root. With
# LAB_EXEC=exec the shell becomes COMMAND.
in_tree()
{
	local options=() chdir=(--chdir /)
	while [[ $1 != -- ]]; do
		[[ $1 != --chdir ]] || chdir=()
		options+=("$1")
		shift
	done
	shift
	((EUID == 0)) || options=(--unshare-user --uid 0 --gid 0 "${options[@]}")
	${LAB_EXEC-} bwrap --die-with-parent \
		--ro-bind "$LAB_TREE" / --dev /dev --proc /proc --tmpfs /tmp --tmpfs /run \
		--setenv PATH /usr/sbin:/usr/bin:/sbin:/bin --setenv HOME /root --setenv LC_ALL C.UTF-8 \
		"${chdir[@]}" "${options[@]}" -- "$@"
}

# need_lab: sets LAB_TREE and LAB_IMAGES, or ends with what to do.
need_lab()
{
	LAB_TREE=$(lab_tree_home)/tree
	LAB_IMAGES=$(lab_images_home)
	[[ -e $LAB_IMAGES/complete && -e ${LAB_TREE%/*}/complete ]] ||
		die $EX_MISSING "the lab is not built for this checkout's recipe; run 'make lab' first"
	command -v bwrap >/dev/null ||
		die $EX_MISSING "bubblewrap is missing; run 'apt-get install bubblewrap' as root"
}

# need_debug_kernel: sets LAB_DEBUG_HOME and keeps it from being removed, or ends with what to do.
need_debug_kernel()
{
	LAB_DEBUG_HOME=$(lab_debug_home)
	[[ -e $LAB_DEBUG_HOME/complete ]] ||
		die $EX_MISSING "the debug kernel is not built; run 'make lab-debug' first"
	exec 6<"$LAB_DEBUG_HOME/complete"
	flock --shared 6
}

# need_headers SERIES: for building modules in the tree. Sets LAB_KERNEL_VERSION, LAB_KERNEL_BUILD (its
# build directory there) and LAB_KERNEL_BINDS (what in_tree needs to have it), or ends with what to do.
need_headers()
{
	need_lab
	LAB_KERNEL_BINDS=()
	if [[ $1 == debug ]]; then
		need_debug_kernel
		LAB_KERNEL_VERSION=$(basename "$LAB_DEBUG_HOME"/lib/modules/*)
		LAB_KERNEL_BUILD=/lab-debug/linux
		LAB_KERNEL_BINDS=(--ro-bind "$LAB_DEBUG_HOME" /lab-debug)
	elif [[ -e $LAB_TREE/boot/lab-kernel-$1 ]]; then
		LAB_KERNEL_VERSION=$(<"$LAB_TREE/boot/lab-kernel-$1")
		LAB_KERNEL_BUILD=/lib/modules/$LAB_KERNEL_VERSION/build
	else
		die $EX_USAGE "the lab has no kernel '$1': ${LAB_KERNELS[*]} or debug"
	fi
}
