/* SPDX-License-Identifier: MIT */
/* exec_image.c - MIMG: texels of images by their coordinates; what the resource says of itself.
 *
 * How many registers the address takes, the type of the resource says: the instruction names the
 * fewest. Those beyond are checked here as those that it names are checked before.
 */
#include "backend/gcn/sim/exec_image.h"

#include <inttypes.h>

#include "backend/gcn/sim/machine.h"
#include "wave/texel.h"

typedef struct texel_place {
   uint64_t address;
   bool inside;
} texel_place;

static bool
read_resource(hd_gcn_wave *wave, hd_mach_operand operand, hd_gcn_image_access *a)
{
   uint32_t undef[8];

   if (!hd_gcn_read_sgprs(wave, operand, 8, a->words, undef))
      return false;
   for (unsigned n = 0; n < 8; n++) {
      if (undef[n])
         return hd_gcn_fault(wave, -1,
                             "undefined bits 0x%" PRIx32 " reach word %u of an image resource",
                             undef[n], n);
   }
   const char *why = hd_gcn_image_read(hd_gcn_wave_gen(wave), a->words, &a->image);
   return !why || hd_gcn_fault(wave, -1, "%s", why);
}

/* Registers of the address that the instruction does not name. */
static bool
check_address(hd_gcn_wave *wave, const hd_gcn_image_access *a)
{
   fetched more = { .flags = 0 };

   if (a->vaddr + a->num_address > wave->num_vgprs)
      return hd_gcn_fault(wave, -1, "an address in v%u to v%u, of which not all are allocated",
                          a->vaddr, a->vaddr + a->num_address - 1);
   for (unsigned n = a->vaddr; n < a->vaddr + a->num_address; n++)
      more.vreads.word[n / 64] |= UINT64_C(1) << n % 64;
   return hd_gcn_flight_check(wave, &more);
}

/* Is the atomic of 64 bits? */
static bool
is_wide(const hd_mach_inst *inst)
{
   return inst->imm == (inst->op == HD_GCN_IMAGE_ATOMIC_CMPSWAP ? 15 : 3);
}

static bool
begin(hd_gcn_wave *wave, const hd_mach_inst *inst, hd_gcn_image_access *a)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);
   const unsigned first = info->mach.flags & HD_MACH_STORES ? 1 : 0;
   const bool array = inst->bits & HD_GCN_DA;

   *a = (hd_gcn_image_access){ .inst = inst, .op = &hd_gcn_image_ops[inst->op] };
   if (inst->bits & (HD_GCN_TFE | HD_GCN_LWE | HD_GCN_R128 | HD_GCN_A16))
      return hd_gcn_fault(wave, -1, "the simulator has no image access with tfe, lwe, r128 or a16");
   if (!read_resource(wave, *hd_mach_src(inst, first + 1), a))
      return false;
   const hd_texel_layout *layout = hd_texel_layout_of(a->image.format);
   if (a->op->kind == HD_GCN_TEXEL_CHANGE && layout->bits[0] != 32)
      return hd_gcn_fault(wave, -1,
                          "expected texels with components of 32 bits for an atomic, found %s",
                          hd_texel_format_name(a->image.format));
   if (a->op->kind == HD_GCN_TEXEL_CHANGE && is_wide(inst) && a->image.bytes != 8)
      return hd_gcn_fault(wave, -1, "expected texels of 64 bits for an atomic, found %s",
                          hd_texel_format_name(a->image.format));
   if (array && !hd_gcn_image_is_array(&a->image))
      return hd_gcn_fault(
          wave, -1, "expected an array or a cube for da (declare array), found another image");
   a->slices = array;
   a->vaddr = hd_gcn_vgpr_of(*hd_mach_src(inst, first));
   const hd_mach_operand data = inst->num_defs ? *hd_mach_def(inst, 0) : *hd_mach_src(inst, 0);
   const bool half = inst->bits & HD_GCN_D16;
   a->registers = (hd_gcn_texel_registers){
      .format = a->image.format,
      .mask = a->op->kind == HD_GCN_TEXEL_GATHER ? 15u
              : inst->imm                        ? (unsigned)inst->imm
                                                 : 1u,
      .first = hd_gcn_vgpr_of(data),
      .half = half,
      .packed = half && hd_gcn_wave_gen(wave) >= HD_GCN_GFX900,
   };
   a->num_address = 1;
   if (a->op->kind >= HD_GCN_TEXEL_SAMPLE)
      a->num_address = hd_gcn_sample_address(a);
   else if (a->op->kind != HD_GCN_TEXEL_RESINFO)
      a->num_address = hd_gcn_image_dims(&a->image) + array +
                       hd_gcn_image_is_multisampled(&a->image) + a->op->mip;
   return check_address(wave, a);
}

/* Where the texel is that the lane's coordinates name. */
static bool
find_texel(hd_gcn_wave *wave, const hd_gcn_image_access *a, unsigned lane, texel_place *out)
{
   const hd_gcn_image *image = &a->image;
   const unsigned dims = hd_gcn_image_dims(image);
   uint64_t at[6] = { 0 };
   uint32_t level = image->first_level, slice = image->first_slice, sample = 0;
   unsigned n = 0;

   for (unsigned k = 0; k < a->num_address; k++) {
      if (!hd_gcn_lane_address(wave, a->vaddr + k, 1, lane, &at[k]))
         return false;
   }
   const uint64_t x = at[n++], y = dims > 1 ? at[n++] : 0, z = dims > 2 ? at[n++] : 0;
   const uint64_t layer = a->slices ? at[n++] : 0;
   const uint64_t of = hd_gcn_image_is_multisampled(image) ? at[n++] : 0;
   const uint64_t lod = a->op->mip ? at[n++] : 0;

   *out = (texel_place){ .inside = false };
   if (lod > image->last_level - image->first_level || of >= image->samples ||
       layer > image->last_slice - image->first_slice)
      return true;
   level += (uint32_t)lod;
   slice += (uint32_t)layer + (uint32_t)z;
   sample = (uint32_t)of;
   if (x >= hd_gcn_image_extent(image->width, level) ||
       y >= hd_gcn_image_extent(image->height, level) ||
       z >= hd_gcn_image_extent(image->depth, level))
      return true;
   out->inside = true;
   out->address =
       image->base + hd_gcn_image_offset(image, level, slice, (uint32_t)x, (uint32_t)y, sample);
   return true;
}

static bool
load(hd_gcn_wave *wave, const hd_gcn_image_access *a, unsigned lane)
{
   hd_gcn_texel t = { { 0 }, { 0 } };
   uint32_t memory[4] = { 0 }, undef[4] = { 0 };
   texel_place p;

   if (!find_texel(wave, a, lane, &p))
      return false;
   if (p.inside) {
      if (!hd_gcn_move_data(wave, hd_gcn_move_memory, (int)lane, p.address, a->image.bytes, memory,
                            undef, false))
         return false;
      t = hd_gcn_texel_decode(a->image.format, memory, undef);
   }
   hd_gcn_texel_write(wave, &a->registers, lane, &t);
   return true;
}

static bool
store(hd_gcn_wave *wave, const hd_gcn_image_access *a, unsigned lane)
{
   uint32_t memory[4], undef[4];
   texel_place p;

   if (!find_texel(wave, a, lane, &p))
      return false;
   if (!p.inside)
      return true;
   const hd_gcn_texel t = hd_gcn_texel_read(wave, &a->registers, lane);
   hd_gcn_texel_encode(a->image.format, &t, memory, undef);
   return hd_gcn_move_data(wave, hd_gcn_move_memory, (int)lane, p.address, a->image.bytes, memory,
                           undef, true);
}

/* On the texel, or the first 32 bits of it. */
static bool
atomic(hd_gcn_wave *wave, const hd_gcn_image_access *a, unsigned lane)
{
   hd_gcn_access memory = hd_gcn_accesses[a->inst->op];
   const bool returns = a->inst->num_defs;
   const unsigned first = a->registers.first;
   texel_place p;

   memory.bytes = is_wide(a->inst) ? 8 : 4;
   if (!find_texel(wave, a, lane, &p))
      return false;
   if (p.inside)
      return hd_gcn_access_lane(wave, &memory, hd_gcn_move_memory, lane, p.address,
                                returns ? (int)first : -1, (int)first);
   for (unsigned n = first; n < first + memory.bytes / 4u && returns; n++)
      wave->vgpr[n][lane] = wave->vgpr_undef[n][lane] = 0;
   return true;
}

/* Width, height, depth or slices, number of levels; a row of slices has them in the second place. */
static bool
resource_info(hd_gcn_wave *wave, const hd_gcn_image_access *a, unsigned lane)
{
   const hd_gcn_image *image = &a->image;
   const uint32_t levels = image->last_level - image->first_level + 1;
   hd_gcn_texel t = { { 0, 0, 0, levels }, { 0 } };
   uint64_t lod;

   if (!hd_gcn_lane_address(wave, a->vaddr, 1, lane, &lod))
      return false;
   if (lod < levels) {
      const uint32_t level = image->first_level + (uint32_t)lod;
      const uint32_t slices = image->last_slice - image->first_slice + 1;
      t.value[0] = hd_gcn_image_extent(image->width, level);
      t.value[1] =
          image->type == HD_GCN_IMAGE_1D_ARRAY ? slices : hd_gcn_image_extent(image->height, level);
      t.value[2] =
          image->type == HD_GCN_IMAGE_3D ? hd_gcn_image_extent(image->depth, level) : slices;
   }
   hd_gcn_texel_write(wave, &a->registers, lane, &t);
   return true;
}

bool
hd_gcn_execute_image(hd_gcn_wave *wave, const hd_mach_inst *inst)
{
   static bool (*const kinds[])(hd_gcn_wave *, const hd_gcn_image_access *, unsigned) = {
      [HD_GCN_TEXEL_READ] = load,
      [HD_GCN_TEXEL_WRITE] = store,
      [HD_GCN_TEXEL_CHANGE] = atomic,
      [HD_GCN_TEXEL_RESINFO] = resource_info,
   };
   hd_gcn_image_access a;

   if (!begin(wave, inst, &a))
      return false;
   if (a.op->kind >= HD_GCN_TEXEL_SAMPLE)
      return hd_gcn_execute_sample(wave, &a);
   hd_gcn_foreach_lane(l, hd_gcn_exec(wave))
   {
      if (!kinds[a.op->kind](wave, &a, (unsigned)l))
         return false;
   }
   return true;
}
