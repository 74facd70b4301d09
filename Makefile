# SPDX-License-Identifier: GPL-2.0-only
# gvirt: "make help" lists what there is.

MAKEFLAGS += --no-print-directory

.DEFAULT_GOAL := help
include scripts/module.mk

.PHONY: help model lab lab-debug check check-build check-style check-unit check-model check-fuzz \
	check-gvirtctl check-lab check-silicon check-gvtg check-iommu check-live bench-model \
	bench-audit soak-fuzz demo clean gvirtctl gvirtctl_install sched-sim \
	bench bench-shadow bench-sched bench-switch deb docs check-deb check-docs

# A line "##@ TITLE" begins a group of targets, here and in module.mk.
help:
	@awk -f scripts/help.awk scripts/module.mk Makefile

##@ Build and install

gvirtctl: ## build the operator's command: build/gvirtctl/gvirtctl
	$(MAKE) -C tools/gvirtctl all

gvirtctl_install: ## install it with its manual and completion, below PREFIX (/usr/local)
	$(MAKE) -C tools/gvirtctl install

deb: ## build the Debian packages gvirt-dkms and gvirt-tools, in build/deb
	scripts/build-deb

docs: ## build the documentation by Sphinx; begin at build/docs/html/index.html
	sphinx-build -q -n -W --keep-going -b html -d build/docs/trees Documentation build/docs/html

clean: ## remove what was built in the checkout; the lab's cache stays
	rm -rf build


##@ Try, without a GPU

demo: ## from modprobe to a guest that computes on a vGPU, in the lab; DEMO_KERNEL: 7.3 or 6.12
	scripts/demo $(DEMO_KERNEL)

lab: ## build the lab (trixie tree, kernels, guests) from Debian's packages; cached
	tools/lab/build

lab-debug: ## build the debug kernel for the lab; cached
	tools/lab/build-debug

model: ## build the silicon model: build/gpumodel/{gpumodel,gpumodel-ctl}
	$(MAKE) -C tools/gpumodel all

##@ Test, as CI does

CHECK_JOBS ?= 2

check: ## all tests that CI runs, CHECK_JOBS (2) stages at a time
	scripts/check -j $(CHECK_JOBS) check-build -- check-vgpu check-style check-layers check-unit \
		check-gvirtctl check-model check-vfio check-silicon check-gvtg check-module check-fuzz \
		check-map check-lab check-docs check-deb

check-build: ## what the tests run, built without a warning
	scripts/check-build

check-style: ## SPDX, shellcheck, layering, self-contained headers
	scripts/check-style

check-unit: ## unit tests of the module's pure layer, with sanitizers
	$(MAKE) -C selftests/unit check

check-gvirtctl: ## the operator's command on made-up trees, with sanitizers
	selftests/gvirtctl/run

check-model: ## unit tests of the model, with sanitizers
	$(MAKE) -C selftests/model check

check-fuzz: ## fuzz what a guest or a VMM can feed model and module, FUZZ_SECONDS each (60)
	$(MAKE) -C selftests/fuzz check

check-lab: ## tests of the lab itself
	selftests/lab/run

check-silicon: model ## stock i915 on the model: {6.12, 7.3} x {display, no display}
	selftests/silicon/check-silicon

check-gvtg: model ## in-tree GVT-g on the model, with two nested guests
	selftests/silicon/check-gvtg

check-docs: ## documentation without a warning; names and examples in it are right
	scripts/check-docs

check-deb: ## the Debian packages: they build, without a word of lintian
	scripts/check-deb

##@ Test, not in CI

check-iommu: model ## vGPUs through VFIO with an IOMMU between module and chip
	LAB_OPTIONS=--iommu selftests/vfio/run 7.3

check-live: model ## i915's own live selftests on the model (long)
	selftests/silicon/check-live

soak-fuzz: model ## a fuzzing guest beside a well-behaved one: SOAK_KERNEL (debug), SOAK_SECONDS (600), SOAK_SEED
	selftests/vfio/soak $(or $(SOAK_KERNEL),debug) $(or $(SOAK_SECONDS),600) $(SOAK_SEED)

##@ Measure, as ratios

bench: model ## a guest on the GPU passed through, on GVT-g and on gvirt, side by side (half an hour)
	selftests/bench/ways

bench-model: ## how fast the model is
	$(MAKE) -C selftests/bench run

bench-audit: ## what the audit of commands costs, with recorded streams of i915
	$(MAKE) -C selftests/bench audit

bench-shadow: ## what following page tables costs in each mode, as ratios (half an hour)
	selftests/bench/shadow

bench-sched: model ## how engines are shared among 2 to 16 vGPUs
	selftests/vfio/bench sched

bench-switch: model ## what bringing a vGPU's GGTT entries to an engine costs
	selftests/vfio/bench switch

sched-sim: ## build the simulator of the scheduler's policies: build/schedsim/schedsim
	$(MAKE) -C tools/schedsim all
