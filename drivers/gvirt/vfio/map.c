// SPDX-License-Identifier: GPL-2.0-only
/*
 * What of a vGPU's regions its user can map: pages of registers, the GGTT, and the aperture.
 *
 * Nothing is mapped before it is touched, so what is mapped can be taken away at any
 * time and comes back by a fault. All mappings are shared: a private copy of a register
 * would be no register.
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/vfio.h>
#include <gvirt/gen9_fence.h>
#include <gvirt/gen9_pci.h>
#include <gvirt/gen9_pte.h>
#include <gvirt/gen9_reset.h>
#include "vgpu/vgpu.h"
#include "map.h"
#include "region.h"

/* Number of the page in BAR0 with which the GGTT begins. */
#define GGTT_FIRST	(GEN9_GTTMMADR_GGTT >> PAGE_SHIFT)

/* Where a page of the file is: region, and page in it. */
static u32 region_of(pgoff_t pgoff)
{
	return pgoff >> (GVIRT_REGION_SHIFT - PAGE_SHIFT);
}

static u64 number_of(pgoff_t pgoff)
{
	return pgoff & (GVIRT_REGION_MASK >> PAGE_SHIFT);
}

static vm_fault_t ggtt_fault(struct gvirt_map *map, u64 number, struct vm_fault *vmf)
{
	vm_fault_t ret = gvirt_ggtt_pages_fault(&map->ggtt, number, vmf);

	return ret ? ret : gvirt_aperture_release(&map->aperture, number, vmf);
}

static vm_fault_t map_fault(struct vm_fault *vmf)
{
	struct gvirt_map *map = vmf->vma->vm_private_data;
	u64 number = number_of(vmf->pgoff);

	if (region_of(vmf->pgoff) != VFIO_PCI_BAR0_REGION_INDEX)
		return gvirt_aperture_fault(&map->aperture, number, vmf);
	if (number >= GGTT_FIRST)
		return ggtt_fault(map, number - GGTT_FIRST, vmf);
	return gvirt_regpages_fault(&map->regpages, number, vmf);
}

/* The page may be written to: that pages of registers are asked first is all that matters. */
static vm_fault_t map_mkwrite(struct vm_fault *vmf)
{
	struct gvirt_map *map = vmf->vma->vm_private_data;

	gvirt_regpages_mkwrite(&map->regpages, number_of(vmf->pgoff), vmf);
	return 0;
}

static const struct vm_operations_struct register_ops = {
	.fault = map_fault,
	.pfn_mkwrite = map_mkwrite,
};

static const struct vm_operations_struct memory_ops = {
	.fault = map_fault,
};

static bool has_registers(const struct gvirt_map *map, u64 first, u64 pages)
{
	u64 i;

	for (i = 0; i < pages; i++)
		if (!gvirt_regpages_has(&map->regpages, first + i))
			return false;
	return true;
}

static bool has_aperture(const struct gvirt_map *map, u64 first, u64 pages)
{
	return map->aperture.scratch && first + pages <= GVIRT_VGPU_APERTURE_SIZE >> PAGE_SHIFT;
}

static const struct vm_operations_struct *ops_for(const struct gvirt_map *map, u32 region,
						  u64 first, u64 pages)
{
	switch (region) {
	case VFIO_PCI_BAR0_REGION_INDEX:
		if (first >= GGTT_FIRST &&
		    gvirt_ggtt_pages_has(&map->ggtt, first - GGTT_FIRST, pages))
			return &memory_ops;
		return has_registers(map, first, pages) ? &register_ops : NULL;
	case VFIO_PCI_BAR2_REGION_INDEX:
		return has_aperture(map, first, pages) ? &memory_ops : NULL;
	default:
		return NULL;
	}
}

int gvirt_map_mmap(struct gvirt_map *map, struct vm_area_struct *vma)
{
	const struct vm_operations_struct *ops;

	if (!(vma->vm_flags & VM_SHARED))
		return -EINVAL;
	ops = ops_for(map, region_of(vma->vm_pgoff), number_of(vma->vm_pgoff), vma_pages(vma));
	if (!ops)
		return -EINVAL;
	vm_flags_set(vma, VM_PFNMAP | VM_DONTEXPAND | VM_DONTDUMP);
	vma->vm_private_data = map;
	vma->vm_ops = ops;
	return 0;
}

/* Information. */

static unsigned int register_areas(const struct gvirt_map *map)
{
	return map->regpages.active ? map->regpages.count : 0;
}

static int add_areas(const struct gvirt_map *map, struct vfio_info_cap *caps)
{
	const struct gvirt_regpages *pages = &map->regpages;
	struct vfio_region_info_cap_sparse_mmap *sparse;
	unsigned int count = register_areas(map);
	size_t size = struct_size(sparse, areas, count + map->ggtt.active);
	unsigned int i;
	int err;

	sparse = kzalloc(size, GFP_KERNEL);
	if (!sparse)
		return -ENOMEM;
	sparse->header.id = VFIO_REGION_INFO_CAP_SPARSE_MMAP;
	sparse->header.version = 1;
	sparse->nr_areas = count + map->ggtt.active;
	for (i = 0; i < count; i++) {
		sparse->areas[i].offset = (u64)pages->page[i].number << PAGE_SHIFT;
		sparse->areas[i].size = PAGE_SIZE;
	}
	if (map->ggtt.active) {
		sparse->areas[count].offset = GEN9_GTTMMADR_GGTT;
		sparse->areas[count].size = GEN9_GGTT_TABLE_SIZE;
	}
	err = vfio_info_add_capability(caps, &sparse->header, size);
	kfree(sparse);
	return err;
}

int gvirt_map_info(const struct gvirt_map *map, struct vfio_region_info *info,
		   struct vfio_info_cap *caps)
{
	if (info->index == VFIO_PCI_BAR2_REGION_INDEX && map->aperture.scratch) {
		info->flags |= VFIO_REGION_INFO_FLAG_MMAP;
	} else if (info->index == VFIO_PCI_BAR0_REGION_INDEX &&
		   (register_areas(map) || map->ggtt.active)) {
		info->flags |= VFIO_REGION_INFO_FLAG_MMAP;
		return add_areas(map, caps);
	}
	return 0;
}

/* Calls. */

/* A full reset clears them. */
static bool changes_fences(u64 offset, u32 bytes)
{
	return (offset >= GEN9_FENCE_LO(0) && offset < GEN9_FENCE_LO(GEN9_FENCE_COUNT)) ||
	       (offset < GEN9_GDRST + sizeof(u32) && offset + bytes > GEN9_GDRST);
}

void gvirt_map_written(struct gvirt_map *map, u64 offset, u32 bytes)
{
	atomic64_inc(&map->trapped_writes);
	if (offset >= GEN9_GTTMMADR_GGTT) {
		offset -= GEN9_GTTMMADR_GGTT;
		gvirt_aperture_changed(&map->aperture, offset / GEN9_PTE_SIZE,
				       (offset + bytes - 1) / GEN9_PTE_SIZE);
	} else {
		gvirt_regpages_written(&map->regpages, offset >> PAGE_SHIFT);
		if (changes_fences(offset, bytes))
			gvirt_aperture_fences(&map->aperture);
	}
}

/* Life. */

void gvirt_map_init(struct gvirt_map *map, struct vfio_device *vdev, struct gvirt_vgpu *vgpu)
{
	gvirt_regpages_init(&map->regpages, vdev, vgpu);
	gvirt_ggtt_pages_init(&map->ggtt, vdev, vgpu);
	gvirt_aperture_init(&map->aperture, vdev, vgpu, &map->ggtt);
}

void gvirt_map_open(struct gvirt_map *map)
{
	gvirt_regpages_open(&map->regpages);
	gvirt_ggtt_pages_open(&map->ggtt);
	gvirt_aperture_open(&map->aperture);
}

void gvirt_map_close(struct gvirt_map *map)
{
	gvirt_regpages_close(&map->regpages);
	gvirt_aperture_close(&map->aperture);
	gvirt_ggtt_pages_close(&map->ggtt);
}

void gvirt_map_reset(struct gvirt_map *map)
{
	gvirt_aperture_reset(&map->aperture);
}

void gvirt_map_revoke(struct gvirt_map *map, u64 first_gfn, u64 last_gfn)
{
	gvirt_aperture_revoke(&map->aperture, first_gfn, last_gfn);
}
