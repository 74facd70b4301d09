# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# The initramfs images: the host VM's, which only reaches the 9p root, and the guests', which is all
# that a guest has: busybox and i915 with what it depends on.

# initrd_layout DIR INIT: the part that both have: busybox, /init, and the functions it uses.
initrd_layout()
{
	local dir=$1 init=$2
	mkdir -p "$dir"/{bin,dev,proc,sys,run,tmp,etc,root,newroot,ro,rw}
	cp "$LAB_TREE/usr/bin/busybox" "$dir/bin/busybox"
	ln -s busybox "$dir/bin/sh"
	mkdir "$dir/lab"
	cp "$LAB_DIR"/vm/{ports,settle}.sh "$dir/lab/"
	cp "$LAB_DIR/vm/$init" "$dir/init"
	chmod 755 "$dir/init"
}

# initrd_modules DIR VERSION MODULE...: the closure of the modules, uncompressed, with their index.
initrd_modules()
{
	local dir=$1
	shift
	in_tree --bind "$dir" /out -- /bin/bash -euc '
		version=$1; shift
		base=/lib/modules/$version
		mkdir -p "/out$base"
		cp "$base"/modules.{order,builtin,builtin.modinfo} "/out$base/"
		for module; do
			modprobe -S "$version" --show-depends "$module"
		done | sed -n "s/^insmod \([^ ]*\).*/\1/p" | sort -u |
		while read -r file; do
			mkdir -p "/out$(dirname "$file")"
			cp "$file" "/out$file"
			[[ $file != *.xz ]] || xz -d "/out$file"
		done
		depmod -b /out "$version"
	' modules "$@"
}

# initrd_pack DIR FILE: DIR as a cpio archive, everything owned by root. Not compressed: unpacking
# costs more under TCG than reading.
initrd_pack()
{
	in_tree --ro-bind "$1" /out -- /bin/sh -euc \
		'cd /out && find . | sort | busybox cpio -o -H newc 2>/dev/null' >"$2"
}

# initrd_make WORK SERIES NAME INIT MODULE...: WORK/boot/NAME-SERIES.cpio.
initrd_make()
{
	local work=$1 series=$2 name=$3 init=$4 dir
	shift 4
	dir=$(mktemp -d "$work/initrd.XXXXXX")
	initrd_layout "$dir" "$init"
	initrd_modules "$dir" "$(tree_kernel "$series")" "$@"
	initrd_pack "$dir" "$work/boot/$name-$series.cpio"
	rm -rf "$dir"
}

# initrd_kernel WORK SERIES: the kernel image beside its archives.
initrd_kernel()
{
	cp "$LAB_TREE/boot/vmlinuz-$(tree_kernel "$2")" "$1/boot/vmlinuz-$2"
}
