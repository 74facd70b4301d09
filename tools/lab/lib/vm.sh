# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# QEMU's command line for the host VM, and the sandbox that QEMU runs in.
#
# QEMU comes from the lab's tree and sees, under /run/lab, only what it exports: tree, checkout, the
# lab's boot files, /out, shares. Devices have explicit slots: GPUs 2.0, 3.0, ...; ours from 0x10 on.

VM_ARGS=()
VM_BINDS=()
VM_SLOT=0

# vm_export TAG PATH MODE: exports PATH over 9p, MODE ro or rw.
vm_export()
{
	local tag=$1 path=$2 mode=$3 readonly=on bind=--ro-bind
	if [[ $mode == rw ]]; then
		readonly=off
		bind=--bind
	fi
	VM_BINDS+=("$bind" "$path" "/run/lab/$tag")
	VM_ARGS+=(
		-fsdev "local,id=$tag,path=/run/lab/$tag,security_model=none,readonly=$readonly,multidevs=remap"
		-device "virtio-9p-pci,fsdev=$tag,mount_tag=$tag,addr=0x$(printf '%x' $((0x11 + VM_SLOT)))"
	)
	VM_SLOT=$((VM_SLOT + 1))
}

# vm_port NAME FILE: a virtio-serial port whose output goes to a file of the attempt.
vm_port()
{
	VM_ARGS+=(-chardev "file,id=$1,path=/run/lab/run/$2" -device "virtserialport,chardev=$1,name=$1")
}

# vm_machine: processor, memory, console.
vm_machine()
{
	local cpu=host
	# Without vgif, for TCG's nested SVM hangs with it when the VM has several vCPUs: see
	# Documentation/lab.rst for the numbers.
	[[ $RUN_ACCEL == kvm ]] || cpu=max,-vgif
	VM_ARGS+=(
		-nodefaults -no-user-config -no-reboot -vga none -display none
		-machine q35,memory-backend=ram
		-object "memory-backend-memfd,id=ram,size=$OPT_MEM,share=on"
		-cpu "${OPT_CPU:-$cpu}" -smp "$OPT_CPUS"
		-chardev file,id=console,path=/run/lab/run/host.console -serial chardev:console
		-device virtio-serial-pci,addr=0x10
	)
	if [[ $RUN_ACCEL == kvm ]]; then
		VM_ARGS+=(-accel kvm)
		VM_BINDS+=(--dev-bind /dev/kvm /dev/kvm)
	else
		VM_ARGS+=(-accel tcg,thread=multi)
	fi
	# Devices whose DMA does not go through QEMU, as vfio-user's, need the IOMMU's caching mode.
	((!OPT_IOMMU)) || VM_ARGS+=(-device intel-iommu,intremap=on,caching-mode=on)
}

# What the debug kernel is told. no5lvl: identify_cpu() clears the feature bits for a moment, and KASAN,
# which asks them for the depth of page tables, takes all memory for wild in an interrupt that comes then
# (7.3). The rest wipes memory that is free: an old pointer in it hides a leak from kmemleak.
VM_DEBUG_CMDLINE='no5lvl page_poison=1 slab_debug=P'

# vm_boot: kernel, initramfs, kernel command line. On a busy machine the kernel's check of the timer interrupt
# finds none in its time, and panics.
vm_boot()
{
	# The TSC's watchdog takes a busy building machine, on which reading a clock can take long, for a
	# broken TSC.
	local cmdline="console=ttyS0 panic=-1 oops=panic loglevel=7 no_timer_check tsc=nowatchdog" boot=lab
	if [[ $OPT_KERNEL == debug ]]; then
		boot=debug
		cmdline+=" $VM_DEBUG_CMDLINE"
	fi
	((!OPT_IOMMU)) || cmdline+=" intel_iommu=on"
	VM_ARGS+=(
		-kernel "/run/lab/$boot/boot/vmlinuz-$OPT_KERNEL"
		-initrd "/run/lab/$boot/boot/host-$OPT_KERNEL.cpio"
		-append "$cmdline $OPT_CMDLINE"
	)
	[[ $OPT_KERNEL != debug ]] || vm_export debug "$LAB_DEBUG_HOME" ro
}

# vm_gpus: one vfio-user device per model.
vm_gpus()
{
	local n
	for ((n = 0; n < OPT_GPUS; n++)); do
		VM_ARGS+=(-device "{\"driver\":\"vfio-user-pci\",\"addr\":\"$((2 + n)).0\",\
\"x-msg-timeout\":30000,\"socket\":{\"type\":\"unix\",\"path\":\"/run/lab/sock/gpu$n\"}}")
	done
}

# vm_terminal: where the command's output goes: the user's terminal (shell), or a port.
vm_terminal()
{
	if ((OPT_SHELL)); then
		VM_ARGS+=(-chardev stdio,id=tty,signal=off -device virtconsole,chardev=tty)
	fi
	vm_port lab.out command.out
	vm_port lab.ctl ctl
}

# vm_compose: fills VM_ARGS and VM_BINDS from the options.
vm_compose()
{
	local n
	VM_ARGS=()
	VM_BINDS=(--bind "$RUN_DIR" /run/lab/run --bind "$RUN_SOCKETS" /run/lab/sock)
	VM_SLOT=0
	vm_machine
	vm_boot
	vm_gpus
	vm_terminal
	vm_export tree "$LAB_TREE" ro
	vm_export gvirt "$LAB_CHECKOUT" ro
	vm_export lab "$LAB_IMAGES" ro
	vm_export out "$RUN_OUT" rw
	for n in "${!OPT_SHARES[@]}"; do
		vm_export "share$n" "${OPT_SHARES[n]}" rw
	done
	VM_ARGS+=("${OPT_QEMU[@]}")
}

# vm_exec: becomes QEMU in its sandbox; to be called in a subshell. So QEMU ends with the lab, even if
# that is killed.
vm_exec()
{
	LAB_EXEC=exec in_tree "${VM_BINDS[@]}" -- qemu-system-x86_64 "${VM_ARGS[@]}"
}
