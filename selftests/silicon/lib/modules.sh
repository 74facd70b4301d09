# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Small kernel modules of the judges, built inside the lab's tree with the packaged headers. Sourced
# only, after host.sh.

# silicon_modules [SERIES]...: build/silicon/modules/VERSION/pmcycle.ko for kernels of the lab, the stock
# ones if none is named.
silicon_modules()
{
	local series out lab=$SILICON_TOP/tools/lab
	# Once: what they define is read-only.
	if [[ -z ${LAB_CACHE-} ]]; then
		# shellcheck source=tools/lab/lib/common.sh
		. "$lab/lib/common.sh"
		# shellcheck source=tools/lab/lib/recipe.sh
		. "$lab/lib/recipe.sh"
	fi
	(($# > 0)) || set -- "${LAB_KERNELS[@]}"
	for series; do
		need_headers "$series"
		out=$SILICON_LOGS/modules/$LAB_KERNEL_VERSION
		[[ $out/pmcycle.ko -nt $SILICON_TOP/selftests/silicon/pmcycle/pmcycle.c ]] && continue
		rm -rf "$out"
		mkdir -p "$out"
		cp "$SILICON_TOP"/selftests/silicon/pmcycle/{Kbuild,pmcycle.c} "$out"
		in_tree --bind "$out" /out "${LAB_KERNEL_BINDS[@]}" -- \
			make -s -C "$LAB_KERNEL_BUILD" M=/out modules >"$out/log" 2>&1 || {
			tail -n 20 "$out/log" >&2
			echo "cannot build pmcycle for $LAB_KERNEL_VERSION, see above" >&2
			exit 1
		}
	done
}
