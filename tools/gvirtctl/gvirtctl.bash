# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Completion of gvirtctl for bash: commands, options, UUIDs, GPUs, types, keys and their values.

# _gvirtctl_names DIR PATTERN: names in a directory of the tree that gvirtctl looks at.
_gvirtctl_names()
{
	local path
	for path in "${GVIRTCTL_ROOT-}/$1"/$2; do
		[[ ! -e $path ]] || printf '%s\n' "${path##*/}"
	done
}

_gvirtctl_uuids()
{
	_gvirtctl_names sys/bus/mdev/devices '*-*-*-*-*'
}

_gvirtctl_gpus()
{
	_gvirtctl_names sys/bus/pci/drivers/gvirt '*:*:*.*'
}

_gvirtctl_types()
{
	local path
	for path in "${GVIRTCTL_ROOT-}"/sys/bus/pci/drivers/gvirt/*/mdev_supported_types/gvirt-*; do
		[[ ! -e $path ]] || printf '%s\n' "${path##*/}"
	done | sort -u
}

# _gvirtctl_keys DEVICE: what can be set there, with "=".
_gvirtctl_keys()
{
	local path mode
	for path in "${GVIRTCTL_ROOT-}"/sys/bus/{mdev/devices,pci/drivers/gvirt}/"$1"/gvirt/*; do
		[[ -f $path ]] || continue
		mode=$(stat -Lc %A "$path")
		[[ $mode != -rw* ]] || printf '%s=\n' "${path##*/}"
	done
}

_gvirtctl_values()
{
	case $1 in
	policy) printf '%s\n' weighted round-robin fixed ;;
	esac
}

# _gvirtctl_offer WORD CANDIDATES
_gvirtctl_offer()
{
	mapfile -t COMPREPLY < <(compgen -W "$2" -- "$1")
}

# _gvirtctl_command WORD COMMAND [ARGUMENT]...: the words of the command before WORD.
_gvirtctl_command()
{
	local word=$1 command=$2 last=${*: -1}
	shift 2
	case $last in
	--type | -t) _gvirtctl_offer "$word" "$(_gvirtctl_types)" && return ;;
	--gpu | -g) _gvirtctl_offer "$word" "$(_gvirtctl_gpus)" && return ;;
	--delay | -d | --iterations | -n) return ;;
	esac
	if [[ $word == -* ]]; then
		case $command in
		create) _gvirtctl_offer "$word" "--type --gpu --json --help" ;;
		remove) _gvirtctl_offer "$word" "--force --help" ;;
		top) _gvirtctl_offer "$word" "--once --iterations --delay --json --help" ;;
		set) _gvirtctl_offer "$word" "--help" ;;
		*) _gvirtctl_offer "$word" "--json --help" ;;
		esac
		return
	fi
	case $command in
	remove) _gvirtctl_offer "$word" "$(_gvirtctl_uuids)" ;;
	info | dump) _gvirtctl_offer "$word" "$(_gvirtctl_uuids) $(_gvirtctl_gpus)" ;;
	set)
		if (($# == 0)); then
			_gvirtctl_offer "$word" "$(_gvirtctl_uuids) $(_gvirtctl_gpus)"
		else
			_gvirtctl_offer "$word" "$(_gvirtctl_keys "$1")"
			compopt -o nospace 2>/dev/null
		fi
		;;
	esac
}

# Bash takes ":" and "=" for ends of words, unless it is told otherwise: words are put together again here,
# and what bash has already is cut off what is offered.
_gvirtctl()
{
	local line=${COMP_LINE:0:COMP_POINT} words=() word=${COMP_WORDS[COMP_CWORD]} full i
	read -ra words <<<"$line"
	[[ $line != *[[:space:]] ]] || words+=("")
	full=${words[-1]}
	unset 'words[-1]'
	COMPREPLY=()
	if ((${#words[@]} <= 1)); then
		_gvirtctl_offer "$full" "list types create remove top set info dump --root --help"
	elif [[ ${words[1]} == set && $full == *=* ]]; then
		_gvirtctl_offer "${full#*=}" "$(_gvirtctl_values "${full%%=*}")"
		COMPREPLY=("${COMPREPLY[@]/#/${full%%=*}=}")
	else
		_gvirtctl_command "$full" "${words[@]:1}"
	fi
	[[ $word != [:=] ]] || word=
	for i in "${!COMPREPLY[@]}"; do
		COMPREPLY[i]=$word${COMPREPLY[i]#"$full"}
	done
}

complete -F _gvirtctl gvirtctl
