# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Small kernel modules of the judges, built inside the lab's tree with the packaged headers. Sourced
# only, after host.sh.

# silicon_modules: build/silicon/modules/VERSION/pmcycle.ko for each kernel of the lab.
silicon_modules()
{
	local series version out lab=$SILICON_TOP/tools/lab
	# shellcheck source=tools/lab/lib/common.sh
	. "$lab/lib/common.sh"
	# shellcheck source=tools/lab/lib/recipe.sh
	. "$lab/lib/recipe.sh"
	need_lab
	for series in "${LAB_KERNELS[@]}"; do
		version=$(<"$LAB_TREE/boot/lab-kernel-$series")
		out=$SILICON_LOGS/modules/$version
		[[ $out/pmcycle.ko -nt $SILICON_TOP/selftests/silicon/pmcycle/pmcycle.c ]] && continue
		rm -rf "$out"
		mkdir -p "$out"
		cp "$SILICON_TOP"/selftests/silicon/pmcycle/{Kbuild,pmcycle.c} "$out"
		in_tree --bind "$out" /out -- make -s -C "/lib/modules/$version/build" M=/out modules \
			>"$out/log" 2>&1 || {
			tail -n 20 "$out/log" >&2
			echo "cannot build pmcycle for $version, see above" >&2
			exit 1
		}
	done
}
