/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers of the engines: in masks of engines, table rows, patch lists.
 */
#ifndef GVIRT_LIB_ENGINE_H
#define GVIRT_LIB_ENGINE_H

/**
 * enum gvirt_engine_id - The engines of Gen9
 * @GVIRT_RCS: render: 3D, media, GPGPU
 * @GVIRT_BCS: blitter
 * @GVIRT_VCS: video decode and encode
 * @GVIRT_VECS: video enhancement
 * @GVIRT_ENGINES: how many there are
 */
enum gvirt_engine_id {
	GVIRT_RCS,
	GVIRT_BCS,
	GVIRT_VCS,
	GVIRT_VECS,
	GVIRT_ENGINES,
};

#endif
