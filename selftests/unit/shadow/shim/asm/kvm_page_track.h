/* SPDX-License-Identifier: GPL-2.0-only */
/* KVM is not there. */
struct kvm_page_track_notifier_node {
	int unused;
};
