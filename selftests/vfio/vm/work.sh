# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# The programs of work in the host VM: the same on the chip itself and on vGPUs. Sourced only, after
# selftests/module/vm/lib.sh.

# What runs on the chip, and what takes vGPUs.
WORK_BARE=(work ggtt ppgtt lists notify priv reset dump)
WORK_VGPU=("${WORK_BARE[@]}" states pair share pins scarce hostile)
WORK_STEPS=$((4 + ${#WORK_VGPU[@]}))
GVIRTCTL=/gvirt/build/gvirtctl/gvirtctl
TRACING=/sys/kernel/tracing
WORK_UUIDS=(6ef1b3c0-5c21-4d0e-9d6c-0000000000b0 6ef1b3c0-5c21-4d0e-9d6c-0000000000b1)

# work_program NAME DEVICE...: runs one of them on devices; vfio-pci warns of each reset.
work_program()
{
	local name=$1 args=() device
	shift
	may_log 'vfio-pci [0-9a-f:.]+: reset(ting| done)$'
	for device in "$@"; do
		args+=(--device "$device")
	done
	bounded 200 "/gvirt/build/vfio/vfio_${name}_test" "${args[@]}"
}

# work_misuse [KIND]...: what a hostile guest does to itself reaches the chip as it would without gvirt: its
# entries that are not valid, and what it uses while its VMM takes it away. Nothing else may have been counted
# until here.
work_misuse()
{
	local kind count
	ctl stats || return
	[[ $ANSWER =~ \"misuse\":\ *\{([^}]*)\} ]] || fail "no misuse in the model's answer: $ANSWER" || return
	while IFS=':, ' read -r kind count; do
		[[ $kind != total && $count != 0 && " $* " != *" $kind "* ]] || continue
		fail "misuse: $kind, $count times" || return
	done <<<"$(tr -d '"\n' <<<"${BASH_REMATCH[1]}" | tr ',' '\n')"
	ctl clear
}

work_create()
{
	local uuid
	for uuid in "${WORK_UUIDS[@]}"; do
		bounded 30 sh -c "echo $uuid >$TYPE/create" || fail "create" || return
	done
}

work_remove()
{
	local uuid
	for uuid in "${WORK_UUIDS[@]}"; do
		bounded 30 sh -c "echo 1 >/sys/bus/mdev/devices/$uuid/remove" || fail "remove" || return
	done
}

# trace_on, trace_off: gvirt's trace events, in the order in which they happen.
trace_on()
{
	[[ -e $TRACING/trace ]] || mount -t tracefs tracefs "$TRACING" || fail "no tracefs" || return
	echo mono >"$TRACING/trace_clock"
	echo 1 >"$TRACING/events/gvirt/enable" || fail "gvirt has no trace events"
}

trace_off()
{
	echo 0 >"$TRACING/events/gvirt/enable"
}

# work_traced: the first list of the first vGPU's render engine went its way, event by event.
work_traced()
{
	awk -v vgpu="vgpu=${WORK_UUIDS[0]}" '
		function is(what) { return $0 ~ (": gvirt_" what) }
		!index($0, vgpu) || !/engine=rcs0/ { next }
		seen == 0 && match($0, /gvirt_submit: .*first=[0-9a-f]+/) {
			id = substr($0, RSTART + RLENGTH - 16, 8)
			context = substr($0, RSTART + RLENGTH - 8, 5) "000"
			seen = 1
		}
		seen == 1 && is("queued: .* first=0*" context) { seen = 2 }
		seen == 2 && is("taken: ") { seen = 3 }
		seen == 3 && is("told: .*events=0001 ") { seen = 4 }
		seen == 4 && is("left: .* context=" context " why=complete") { seen = 5 }
		seen == 5 && is("told: .*events=001[48] id=" id) { seen = 6 }
		seen == 6 { print "# " $0; exit }
		END { if (seen != 6) { print "# context " context " with id " id " came as far as step " seen + 0; exit 1 } }
	' "$TRACING/trace" && grep -qE "gvirt_vgpu_reset: vgpu=${WORK_UUIDS[0]} engines=f" "$TRACING/trace" && return
	grep -m 40 gvirt_ "$TRACING/trace" | sed 's/^/# /'
	return 1
}

# work_hung: a spinning batch was what the first vGPU lost last; its commands are shown.
work_hung()
{
	says '== lost' dump "${WORK_UUIDS[0]}" || return
	[[ ${SAID#*== lost} =~ batch:.*commands:.*(MI_ATOMIC|MI_BATCH_BUFFER_START) ]] ||
		fail "nothing decoded of the batch that was lost: ${SAID#*== lost}"
}

# work_vgpu NAME: a program on two vGPUs, then what the model thinks of it.
work_vgpu()
{
	local allowed=()
	may_suppress
	[[ $1 != share ]] || may_log "(weight|cap|slice_us) is a number from [0-9]+ to [0-9]+, not '" || return
	[[ $1 != share ]] || may_log "policy is weighted, round-robin or fixed, not '" || return
	[[ $1 != pins && $1 != scarce ]] || may_log "vfio_pin_page_external: Task vfio_$1.* RLIMIT_MEMLOCK .* exceeded$" || return
	[[ $1 != work ]] || trace_on || return
	work_program "$1" "${WORK_UUIDS[@]/#//sys/bus/mdev/devices/}" || return
	[[ $1 != work ]] || trace_off
	[[ $1 != pair ]] || work_hung || return
	case $1 in
	dump | states | hostile) allowed=(unscratched_pte stale_tlb) ;;
	esac
	work_misuse "${allowed[@]}"
}

# says TEXT ARGUMENT...: what gvirtctl prints has the text; leaves it in SAID.
says()
{
	local text=$1
	shift
	SAID=$(bounded 60 "$GVIRTCTL" "$@" 2>&1) || fail "gvirtctl $*: $SAID" || return
	[[ $SAID == *"$text"* ]] || fail "gvirtctl $*: no '$text' in: $SAID"
}

# documented_counters UUID: what sysfs-abi.rst names of a vGPU is there.
documented_counters()
{
	local name n=0
	while read -r name; do
		[[ -e /sys/bus/mdev/devices/$1/gvirt/$name ]] || fail "there is no $name" || return
		n=$((n + 1))
	done < <(grep -o '^    ``<mdev>/gvirt/[a-z_]*' /gvirt/Documentation/sysfs-abi.rst | sed 's/.*\///')
	((n > 15)) || fail "only $n counters are documented"
}

# work_gvirtctl: the operator's command on real vGPUs, whose guests were reset and refused before.
work_gvirtctl()
{
	local uuid first=${WORK_UUIDS[0]} refused
	documented_counters "$first" || return
	says gvirt-headless-256 types && says "$first" list && says '"state":"idle"' list --json || return
	says '' create --type headless-256 --gpu "$GPU" && uuid=$SAID || return
	says "$uuid" top --once --delay 0.2 --json && says "$first" top --once --delay 0.2 || return
	says '' set "$first" weight=200 && says 'weight               200' info "$first" || return
	says '' set "$GPU" policy=fixed && says '[fixed]' info "$GPU" && says '' set "$GPU" policy=weighted || return
	says "$uuid" info "$GPU" && says '' remove "$uuid" && ! "$GVIRTCTL" info "$uuid" 2>/dev/null || return
	says '== lost' dump "$first" && sed -n '/^== refused/,$p' <<<"$SAID" | sed 's/^/# /' || return
	# A context that spun in a batch was reset; commands were refused for many reasons, all of which are counted.
	[[ ${SAID#*== lost} == *acthd:*MI_BATCH_BUFFER_START* ]] || fail "nothing decoded of what was lost" || return
	[[ ${SAID#*command:} == *'    >'* ]] || fail "nothing decoded of what was refused" || return
	refused=$(awk '/^[a-z]/ { on = 0 } on { sum += $NF } /^reasons:/ { on = 1 } END { print sum + 0 }' <<<"$SAID")
	[[ $refused = $(<"/sys/bus/mdev/devices/$first/gvirt/refused_requests") ]] ||
		fail "reasons add up to $refused"
}

# work_steps: WORK_STEPS steps on two vGPUs of TYPE.
work_steps()
{
	local program
	step "vgpu-create" work_create
	for program in "${WORK_VGPU[@]}"; do
		step "vgpu-$program" work_vgpu "$program"
		[[ $program != work ]] || step "vgpu-traced" work_traced
	done
	step "vgpu-gvirtctl" work_gvirtctl
	step "vgpu-remove" work_remove
}
