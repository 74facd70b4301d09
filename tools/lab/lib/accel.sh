# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Whether the machine's KVM is good enough: only if a stock kernel boots under it.

# accel_probe LOG: boots the newest stock kernel under KVM, 30 s at most. Its /init finds no root to
# mount and ends, which the kernel reports: so user space was reached.
accel_probe()
{
	local log=$1
	in_tree --dev-bind /dev/kvm /dev/kvm --ro-bind "$LAB_IMAGES" /lab -- timeout --kill-after=2 30 \
		qemu-system-x86_64 -nodefaults -no-user-config -no-reboot -display none -vga none \
		-machine q35,accel=kvm -cpu host -smp 2 -m 512 -serial stdio \
		-kernel "/lab/boot/vmlinuz-${LAB_KERNELS[0]}" \
		-initrd "/lab/boot/host-${LAB_KERNELS[0]}.cpio" \
		-append 'console=ttyS0 panic=-1' >"$log" 2>&1 </dev/null || true
	grep -q 'Attempted to kill init' "$log"
}

# accel_auto: prints kvm or tcg. The answer is kept until the machine boots again.
accel_auto()
{
	local file
	file=$LAB_CACHE/accel-$(cat /proc/sys/kernel/random/boot_id)-$(basename "$LAB_IMAGES")-$EUID
	if [[ ! -s $file ]]; then
		rm -f "$LAB_CACHE"/accel-*-"$EUID"
		if [[ -r /dev/kvm && -w /dev/kvm ]] && accel_probe "$LAB_CACHE/accel-probe.log"; then
			echo kvm >"$file"
		else
			echo tcg >"$file"
		fi
	fi
	cat "$file"
}
