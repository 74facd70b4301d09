# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Debian's source of the newest kernel of the lab, fetched with the tree's own apt. Sourced only.

# source_fetch DIR: DIR/linux-source.deb.
source_fetch()
{
	local dir=$1 options
	mkdir -p "$dir"/apt/{lists/partial,cache/archives/partial}
	options=(-q -o Dir::State::lists=/out/apt/lists -o Dir::Cache=/out/apt/cache
		-o APT::Sandbox::User=root -o Acquire::Retries=3)
	# shellcheck disable=SC2016 # the inner shell's variables
	in_tree --bind "$dir" /out --ro-bind /etc/resolv.conf /etc/resolv.conf -- /bin/sh -euc '
		package=$1; shift
		cd /out
		apt-get "$@" update
		apt-get "$@" download "$package"
		mv "$package"_*.deb linux-source.deb
	' fetch "linux-source-${LAB_KERNELS[0]}" "${options[@]}" >"$dir/fetch.log" 2>&1 || {
		tail -n 20 "$dir/fetch.log" >&2
		die "$EX_MISSING" "Debian's kernel source could not be fetched, see above; check the network"
	}
	rm -rf "$dir/apt"
}

# source_unpack DIR [PATTERN]...: unpacks the source, or what matches the patterns, into DIR.
source_unpack()
{
	local dir=$1
	shift
	# shellcheck disable=SC2016
	in_tree --bind "$dir" /out -- /bin/bash -euo pipefail -c '
		cd /out
		dpkg-deb --fsys-tarfile linux-source.deb |
			tar -xO --wildcards "./usr/src/linux-source-*.tar.xz" |
			xz -dc -T0 | tar -x --no-same-owner --strip-components=1 --wildcards "$@"
	' unpack "$@"
	rm "$dir/linux-source.deb"
}
