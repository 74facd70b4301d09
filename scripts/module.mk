# SPDX-License-Identifier: GPL-2.0-only
#
# The kernel module: build, installation, tests. Included by the top Makefile.
#
#   make modules KERNEL=6.12.0-1-amd64		for another kernel than the running one
#   make modules KDIR=/path/to/build		for a kernel that is not installed
#   make modules_install INSTALL_MOD_PATH=/mnt	into another root

KERNEL ?= $(shell uname -r)
KDIR ?= /lib/modules/$(KERNEL)/build

.PHONY: modules modules_install dkms_install modules-lab check-layers check-module check-sparse \
	check-vfio check-map check-vgpu check-dkms check-debug check-debug-module check-debug-vfio \
	check-debug-map check-scale check-scale-guests check-hostile-guest check-guest-lives check-faults \
	check-kexec dkms-install

##@ Build and install

modules: ## build gvirt.ko for KERNEL (the running one), in build/module
	scripts/build-module $(KDIR)

# Distributions' headers have neither the key that modules are signed with nor the System.map without
# which the kernel's own rule does not call depmod (and says so); it is called here.
modules_install: modules ## install gvirt.ko; then: modprobe gvirt
	release=$$($(MAKE) -s -C $(KDIR) kernelrelease) && \
	$(MAKE) -C $(KDIR) M=$(CURDIR)/build/module/$$release modules_install \
		CONFIG_MODULE_SIG_ALL=$(if $(wildcard $(KDIR)/certs/signing_key.pem),y) cmd_depmod=: && \
	depmod $(if $(INSTALL_MOD_PATH),-b $(INSTALL_MOD_PATH)) $$release

dkms_install: ## give gvirt to DKMS, which builds it for KERNEL and for later ones
	scripts/install-dkms $(KERNEL)

dkms-install: dkms_install

##@ Try, without a GPU

modules-lab: ## build gvirt.ko for the lab's kernels
	scripts/build-module --lab 7.3
	scripts/build-module --lab 6.12

##@ Test, as CI does

check-layers: ## the module's layering, and the check of it
	selftests/module/layers_test

check-module: model ## gvirt.ko in the lab, both kernels, without guests
	selftests/module/run

check-vfio: model ## vGPUs through VFIO from userspace, both kernels, without guests
	selftests/vfio/run

check-map: model ## what guests reach without an exit, both kernels, with KVM in the host VM
	selftests/vfio/map

check-vgpu: model ## stock guests on vGPUs of an installed gvirt, both kernels
	selftests/vgpu/run

##@ Test, not in CI

check-sparse: ## the module through sparse
	scripts/build-module --sparse 6.12

check-dkms: ## gvirt by DKMS, both kernels (fetches the package dkms)
	selftests/vgpu/check-dkms

check-faults: model ## a chip that fails under three vGPUs, both kernels (wants an idle machine)
	selftests/vfio/run 7.3/faults 6.12/faults

check-kexec: model ## the host starts another kernel while vGPUs work, both kernels
	selftests/vfio/kexec

check-scale: model ## 64 vGPUs at once, both kernels; SCALE_VGPUS
	selftests/vfio/scale

check-scale-guests: model ## 16 stock guests at once, both host kernels; SCALE_GUESTS
	selftests/vgpu/scale

check-hostile-guest: model ## a guest that wants out of its vGPU, from inside, beside one that computes; both kernels
	selftests/vgpu/hostile

check-guest-lives: model ## a guest that hangs, crashes and uses kexec, beside one that computes; killed QEMUs; LIVES
	selftests/vgpu/lives

check-debug: model ## these on the debug kernel, with allocations that fail (long)
	scripts/check check-debug-module check-debug-vfio check-debug-map

check-debug-module: model
	selftests/module/run debug

check-debug-vfio: model
	selftests/vfio/run debug debug/iommufd

check-debug-map: model
	selftests/vfio/map debug
