// SPDX-License-Identifier: GPL-2.0-only
/*
 * What of a vGPU can be mapped: what is offered, and what is refused. A small VM does the
 * guest's part, here and in the other groups, so every claim about KVM is tested against
 * KVM. The module's parameter register_pages decides what is expected.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_gt.h>
#include <gvirt/gen9_pci.h>
#include <gvirt/gen9_pte.h>
#include <gvirt/gen9_reset.h>

#include "map.h"
#include "tinyvm.h"

bool map_areas(const struct vgpu *vgpu, u32 region, struct areas *areas)
{
	char buf[sizeof(struct vfio_region_info) + 512] = { 0 };
	struct vfio_region_info *info = (void *)buf;
	struct vfio_region_info_cap_sparse_mmap *sparse = (void *)(info + 1);
	u32 i;

	*areas = (struct areas) { };
	info->argsz = sizeof(buf);
	info->index = region;
	EXPECT_EQ(vgpu_ioctl(vgpu, VFIO_DEVICE_GET_REGION_INFO, info), 0);
	if (!(info->flags & VFIO_REGION_INFO_FLAG_CAPS))
		return info->flags & VFIO_REGION_INFO_FLAG_MMAP;
	EXPECT(info->flags & VFIO_REGION_INFO_FLAG_MMAP);
	EXPECT_EQ(info->cap_offset, sizeof(*info));
	EXPECT_EQ(sparse->header.id, VFIO_REGION_INFO_CAP_SPARSE_MMAP);
	EXPECT_EQ(sparse->header.version, 1);
	EXPECT_EQ(sparse->header.next, 0);
	EXPECT(sparse->nr_areas <= MOST_AREAS);
	for (i = 0; i < sparse->nr_areas; i++) {
		if (sparse->areas[i].offset == GEN9_GTTMMADR_GGTT) {
			EXPECT_EQ(sparse->areas[i].size, GEN9_GGTT_TABLE_SIZE);
			areas->ggtt = true;
			continue;
		}
		EXPECT_EQ(sparse->areas[i].size, PAGE);
		areas->offset[areas->count++] = sparse->areas[i].offset;
	}
	return true;
}

static bool has_area(const struct areas *areas, u32 offset)
{
	u32 i;

	for (i = 0; i < areas->count; i++)
		if (areas->offset[i] == (offset & ~(PAGE - 1)))
			return true;
	return false;
}

static void parameter(const char *name, char *text, size_t size)
{
	char path[96];
	FILE *file;

	snprintf(path, sizeof(path), "/sys/module/gvirt/parameters/%s", name);
	file = fopen(path, "r");
	EXPECT(file && fgets(text, size, file));
	fclose(file);
	text[strcspn(text, "\n")] = '\0';
}

static void mode(char *text, size_t size)
{
	parameter("register_pages", text, size);
}

static bool maps_ggtt(void)
{
	char text[16];

	parameter("map_ggtt", text, sizeof(text));
	return text[0] == 'Y';
}

void map_need_pages(void)
{
	char text[16];

	mode(text, sizeof(text));
	if (!strcmp(text, "trap"))
		test_skip("the module was told to trap all registers");
}

void *map_region(const struct vgpu *vgpu, u32 region, u64 offset, size_t bytes)
{
	void *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, vgpu->fd,
			 vgpu->offset[region] + offset);

	return map == MAP_FAILED ? NULL : map;
}

/* What is offered is what the parameter says. */
static void areas_offered(void)
{
	struct tinyvm vm;
	struct areas areas;
	bool engines, all;
	char text[16];

	mode(text, sizeof(text));
	all = !strcmp(text, "all");
	engines = all || !strcmp(text, "engines");
	tinyvm_start(&vm, 0);
	EXPECT_EQ(map_areas(&vm.vgpu, BAR0, &areas), strcmp(text, "trap") || maps_ggtt());
	EXPECT_EQ(areas.ggtt, maps_ggtt());
	EXPECT_EQ(areas.count != 0, strcmp(text, "trap") != 0);
	if (areas.count) {
		EXPECT(has_area(&areas, GEN9_MASTER_IRQ));
		EXPECT(has_area(&areas, GEN9_FORCEWAKE_RENDER));
		EXPECT(has_area(&areas, GEN9_FORCEWAKE_ACK_RENDER));
		EXPECT(has_area(&areas, GEN9_FORCEWAKE_ACK_GT));
		EXPECT(has_area(&areas, GEN9_TLB_RENDER));
		EXPECT(has_area(&areas, GEN9_GFX_FLSH_CNTL));
		EXPECT_EQ(has_area(&areas, GEN9_BCS_BASE), engines);
		EXPECT_EQ(has_area(&areas, GEN9_VCS_BASE), engines);
		EXPECT_EQ(has_area(&areas, GEN9_VECS_BASE), engines);
		EXPECT_EQ(has_area(&areas, GEN9_RCS_BASE), all);
		EXPECT_EQ(areas.count, all ? 10 : engines ? 9 : 6);
	}
	tinyvm_stop(&vm);
}

/* A list that does not fit is announced, so that it is asked for again. */
static void short_info(void)
{
	struct vfio_region_info info = { .argsz = sizeof(info), .index = BAR0 };
	struct tinyvm vm;

	map_need_pages();
	tinyvm_start(&vm, 0);
	EXPECT_EQ(vgpu_ioctl(&vm.vgpu, VFIO_DEVICE_GET_REGION_INFO, &info), 0);
	EXPECT(info.flags & VFIO_REGION_INFO_FLAG_CAPS);
	EXPECT(info.argsz > sizeof(info));
	EXPECT_EQ(info.cap_offset, 0);
	tinyvm_stop(&vm);
}

/* Without KVM nobody would see a store: no page of registers is offered. */
static void without_kvm(void)
{
	struct areas areas;
	struct vgpu vgpu;

	vgpu_start(&vgpu);
	EXPECT_EQ(map_areas(&vgpu, BAR0, &areas), maps_ggtt());
	EXPECT_EQ(areas.count, 0);
	EXPECT(!map_region(&vgpu, BAR0, GEN9_MASTER_IRQ & ~(PAGE - 1), PAGE));
	EXPECT_EQ(errno, EINVAL);
	vgpu_stop(&vgpu);
}

/* Other pages, longer ranges, private mappings, other regions. */
static void bad_mappings(void)
{
	const u32 page = GEN9_FORCEWAKE_RENDER & ~(PAGE - 1);
	struct tinyvm vm;
	void *map;

	map_need_pages();
	tinyvm_start(&vm, 0);
	EXPECT(!map_region(&vm.vgpu, BAR0, 0x9000, PAGE));
	EXPECT(!map_region(&vm.vgpu, BAR0, page, 2 * PAGE));
	EXPECT(!map_region(&vm.vgpu, BAR0, GEN9_GTTMMADR_GGTT - PAGE, 2 * PAGE));
	EXPECT(!map_region(&vm.vgpu, BAR0, GEN9_GTTMMADR_GGTT, GEN9_GGTT_TABLE_SIZE + PAGE));
	EXPECT(!map_region(&vm.vgpu, BAR0, GEN9_GTTMMADR_SIZE, PAGE));
	EXPECT(!map_region(&vm.vgpu, BAR2, APERTURE, PAGE));
	EXPECT(!map_region(&vm.vgpu, BAR2, APERTURE - PAGE, 2 * PAGE));
	EXPECT(!map_region(&vm.vgpu, VFIO_PCI_CONFIG_REGION_INDEX, 0, PAGE));
	EXPECT(!map_region(&vm.vgpu, VFIO_PCI_BAR1_REGION_INDEX, 0, PAGE));
	map = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, vm.vgpu.fd,
		   vm.vgpu.offset[BAR0] + page);
	EXPECT(map == MAP_FAILED);
	tinyvm_stop(&vm);
}

static const struct testcase tests[] = {
	{ "areas", areas_offered },
	{ "short-info", short_info },
	{ "without-kvm", without_kvm },
	{ "bad-mappings", bad_mappings },
};

int main(void)
{
	static const struct testgroup offers = { tests, ARRAY_SIZE(tests) };
	static const struct testgroup *const groups[] = {
		&offers, &map_regs_tests, &map_ggtt_tests, &map_aperture_tests,
		&map_fences_tests,
	};

	return test_run_groups(groups, ARRAY_SIZE(groups)) != 0;
}
