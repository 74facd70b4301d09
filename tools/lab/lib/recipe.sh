# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034
#
# The recipe of the lab: what the tree and the initramfs images are made of. Sourced only.
#
# Everything here is data. The cache is keyed by a hash of what LAB_TREE_RECIPE and LAB_IMAGES_RECIPE
# name, and of the code that builds from it, so a change makes that part of the lab be built anew.

# Debian's suites, first the one that is debootstrapped. The backports are asked by name only.
LAB_SUITE=trixie
LAB_MIRROR=${GVIRT_LAB_MIRROR:-http://deb.debian.org/debian}
LAB_SECURITY_MIRROR=${GVIRT_LAB_SECURITY_MIRROR:-http://deb.debian.org/debian-security}
LAB_SOURCES=(
	"deb $LAB_MIRROR $LAB_SUITE main"
	"deb $LAB_MIRROR $LAB_SUITE-updates main"
	"deb $LAB_SECURITY_MIRROR $LAB_SUITE-security main"
	"deb $LAB_MIRROR $LAB_SUITE-backports main"
)

# The two kernels: of each series the newest that Debian has now ("-amd64", signed).
LAB_KERNELS=(7.3 6.12)

# From backports: QEMU 11 has the vfio-user client that the model speaks to.
LAB_BACKPORTS=(qemu-system-x86)

# What tests and tools need in the tree, by what needs it.
LAB_PACKAGES=(
	# kernels ask for a maker of initramfs images; this one is small, and is never run
	tiny-initramfs
	# our own initramfs images and the shell scripts in the VMs
	busybox-static kmod procps iproute2 jq xz-utils zstd file
	# modules, the small programs of the tests, the debug kernel
	gcc libc6-dev make bc bison flex libelf-dev libssl-dev libdw-dev patch
	# looking at the GPU and driving it
	pciutils intel-gpu-tools mdevctl libdrm-dev libpciaccess-dev strace
	# the same libraries that the project's own userspace uses
	libjson-c-dev libcmocka-dev pkgconf
)

# Not unpacked: nobody reads manuals in the lab.
LAB_DPKG_EXCLUDES=(
	'/usr/share/man/*' '/usr/share/doc/*' '/usr/share/locale/*' '/usr/share/info/*'
	'/usr/share/help/*' '/usr/share/lintian/*'
)

# Directories that exist only in the lab's tree: mount points of bwrap and of the VM.
LAB_MOUNT_POINTS=(gvirt out lab lab-debug share)

# Kernel modules that the host VM's initramfs loads to reach its root.
LAB_HOST_INITRD_MODULES=(virtio_pci virtio_console 9pnet_virtio 9p overlay)

# Modules whose dependency closure is in the guests' initramfs.
LAB_GUEST_INITRD_MODULES=(virtio_pci virtio_console 9pnet_virtio 9p overlay i915)

# Modules that the tree holds uncompressed: TCG takes seconds to unpack i915.ko.xz.
LAB_PLAIN_MODULES=(
	i915 kvmgt kvm-amd kvm-intel vfio-pci vfio_iommu_type1 mdev virtio_pci virtio_console
	9p 9pnet_virtio overlay vgem
)

# What `build` says before it starts; measured, see Documentation/lab.rst.
LAB_NEED_MB=3000
LAB_KEEPS_MB=1150
LAB_TAKES_MINUTES=4

# The same for the debug kernel.
LAB_DEBUG_NEED_MB=6000
LAB_DEBUG_KEEPS_MB=1200
LAB_DEBUG_TAKES_MINUTES=30

# What is hashed.
LAB_TREE_RECIPE=(
	LAB_SOURCES LAB_KERNELS LAB_BACKPORTS LAB_PACKAGES LAB_DPKG_EXCLUDES LAB_MOUNT_POINTS
	LAB_PLAIN_MODULES
)
LAB_IMAGES_RECIPE=(LAB_HOST_INITRD_MODULES LAB_GUEST_INITRD_MODULES)
