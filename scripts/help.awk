# SPDX-License-Identifier: GPL-2.0-only
#
# make help: prints targets with what stands behind "##" in their lines, by groups, which begin with a line
# "##@ TITLE". A group may have parts in several files.

BEGIN {
	FS = ":"
}

/^##@ / {
	group = substr($0, 5)
	if (!(group in lines))
		order[++count] = group
	lines[group] = lines[group] ""
}

/^[a-z_-]+:.*## / {
	text = $0
	sub(/^.*## /, "", text)
	lines[group] = lines[group] sprintf("  %-17s %s\n", $1, text)
}

END {
	print "usage: make TARGET... [VARIABLE=VALUE]..."
	for (i = 1; i <= count; i++)
		printf "\n%s:\n%s", order[i], lines[order[i]]
	print "\nVariables:"
	print "  KERNEL=VERSION    for which kernel of this machine modules are built (the running one)"
	print "  KDIR=DIR          the same by its build directory"
	print "  PREFIX, DESTDIR, INSTALL_MOD_PATH   where is installed to"
	print "  CHECK_JOBS=N      how many stages of \"make check\" run side by side (2)"
	print "  LAB_OPTIONS=...   more options of tools/lab/lab for tests in the lab, e.g. --iommu"
	print "\nREADME.md tells how to begin; for all of the documentation: make docs"
}
