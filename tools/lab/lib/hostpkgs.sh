# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# What the building machine itself needs, which is little: the rest runs inside the tree.

# hostpkgs_missing: prints the Debian packages that are wanted and not there.
hostpkgs_missing()
{
	local row
	local rows=(
		mmdebstrap:mmdebstrap bwrap:bubblewrap flock:util-linux tar:tar sha256sum:coreutils
		timeout:coreutils
	)
	((EUID == 0)) || rows+=(newuidmap:uidmap)
	for row in "${rows[@]}"; do
		command -v "${row%%:*}" >/dev/null || printf '%s\n' "${row#*:}"
	done
	[[ -e /usr/share/keyrings/debian-archive-keyring.gpg ]] || printf 'debian-archive-keyring\n'
}

# hostpkgs_ensure: installs them as root; as an ordinary user, names the command that does.
hostpkgs_ensure()
{
	local missing=()
	mapfile -t missing < <(hostpkgs_missing)
	((${#missing[@]})) || return 0
	((EUID == 0)) || die $EX_MISSING "this machine lacks ${missing[*]};" \
		"as root: apt-get install ${missing[*]}"
	step "installing ${missing[*]}"
	if ! { apt-get -qq update && DEBIAN_FRONTEND=noninteractive \
		apt-get -qq -y --no-install-recommends install "${missing[@]}"; } >/dev/null; then
		die $EX_MISSING "apt-get install ${missing[*]} failed, its words are above"
	fi
}

# hostpkgs_check_user: an ordinary user needs a range of subordinate uids and user namespaces.
hostpkgs_check_user()
{
	((EUID != 0)) || return 0
	grep -q "^$(id -un):" /etc/subuid /etc/subgid 2>/dev/null ||
		die $EX_MISSING "user $(id -un) has no subordinate ids; as root:" \
			"usermod --add-subuids 100000-165535 --add-subgids 100000-165535 $(id -un)"
	unshare --user true 2>/dev/null ||
		die $EX_MISSING "user namespaces are switched off; as root:" \
			"sysctl kernel.unprivileged_userns_clone=1 user.max_user_namespaces=10000"
}
