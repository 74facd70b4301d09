# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# The trixie tree: mmdebstrap makes it as a tar stream, which is unpacked into a directory. So root and
# ordinary users take one path, and the result belongs to whoever builds it.

# tree_install_hook: the script that mmdebstrap runs when the base system is there ($1: its root).
# Kernels are chosen here because only apt inside knows which versions there are today.
tree_install_hook()
{
	cat <<-HOOK
		set -eu
		root=\$1
		export DEBIAN_FRONTEND=noninteractive INITRD=No
		newest() {
			chroot "\$root" apt-cache pkgnames "linux-image-\$1." |
				grep -E "^linux-image-\$1\\.[0-9]+\\+deb[0-9]+(\\.[0-9]+)?-amd64\$" |
				sort -V | tail -n 1 | sed s/^linux-image-//
		}
		kernels=
		for series in ${LAB_KERNELS[*]}; do
			version=\$(newest \$series)
			[ -n "\$version" ] || { echo "no kernel \$series in Debian's suites" >&2; exit 1; }
			echo "lab:         kernel \$series is \$version" >&2
			echo "\$version" >"\$root/boot/lab-kernel-\$series"
			kernels="\$kernels linux-image-\$version linux-headers-\$version"
		done
		mkdir -p $(printf '"$root/%s" ' "${LAB_MOUNT_POINTS[@]}")
		chroot "\$root" apt-get -y -q --no-install-recommends install ${LAB_PACKAGES[*]}
		chroot "\$root" apt-get -y -q --no-install-recommends -t $LAB_SUITE-backports install \\
			\$kernels ${LAB_BACKPORTS[*]}
	HOOK
}

# tree_tar WORK: writes the tree as a tar stream to stdout; mmdebstrap's own words go to WORK/log.
tree_tar()
{
	local work=$1 mode=root excludes=() path
	((EUID == 0)) || mode=unshare
	for path in "${LAB_DPKG_EXCLUDES[@]}"; do
		excludes+=(--dpkgopt="path-exclude=$path")
	done
	tree_install_hook >"$work/hook"
	chmod 755 "$work" "$work/hook"
	mmdebstrap --mode=$mode --variant=apt --format=tar "${excludes[@]}" \
		--aptopt='Acquire::Languages "none"' --aptopt='Acquire::Retries "3"' \
		--aptopt='APT::Install-Recommends "false"' --dpkgopt=force-unsafe-io \
		--customize-hook="$work/hook"' "$1"' \
		"$LAB_SUITE" - "${LAB_SOURCES[@]}" 2>>"$work/log"
}

# tree_make WORK: WORK/tree from Debian's packages. The log is quoted when that fails.
tree_make()
{
	local work=$1 hooks
	# In a place that mmdebstrap's user namespace can reach, which a 0700 home is not.
	hooks=$(mktemp -d "${TMPDIR:-/tmp}/gvirt-lab-build.XXXXXX")
	mkdir "$work/tree"
	if ! tree_tar "$hooks" |
		tar -x -C "$work/tree" --no-same-owner --exclude='./dev/*' --delay-directory-restore; then
		tail -n 30 "$hooks/log" >&2
		rm -rf "$hooks"
		die $EX_MISSING "mmdebstrap failed, its last words are above;" \
			"check the network and the disk space of ${TMPDIR:-/tmp} and $LAB_CACHE, then run it again"
	fi
	mv "$hooks/log" "$work/mmdebstrap.log"
	rm -rf "$hooks"
	chmod u+w "$work/tree"
}

# tree_kernel SERIES: the full version of a kernel in the tree.
tree_kernel()
{
	cat "$LAB_TREE/boot/lab-kernel-$1"
}

# tree_unpack_modules SERIES: the modules that tests load often, uncompressed, and depmod.
tree_unpack_modules()
{
	local version
	version=$(tree_kernel "$1")
	in_tree --bind "$LAB_TREE" / --dev /dev --proc /proc -- /bin/sh -euc '
		version=$1; shift
		for module; do
			modprobe -S "$version" --show-depends "$module" 2>/dev/null || true
		done | sed -n "s/^insmod \([^ ]*\.ko\.xz\).*/\1/p" | sort -u | xargs -r xz -d
		depmod "$version"
	' unpack "$version" "${LAB_PLAIN_MODULES[@]}"
}
