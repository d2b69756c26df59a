/* SPDX-License-Identifier: MIT */
/* exec_buffer.c - MUBUF and MTBUF: addresses by a buffer resource, and its bounds; texels of it.
 *
 *    address = base + soffset + [vaddr: offset] + imm + [vaddr: index, lane] * stride
 *
 * where a swizzled buffer interleaves elements of several records. gfx6 can add a 64-bit address of
 * its own instead.
 */
#include "backend/gcn/sim/exec_image.h"

#include <inttypes.h>

typedef struct resource {
   uint64_t base;
   uint64_t stride, records;
   unsigned element, index_stride; /* of swizzled buffers */
   bool swizzled, add_lane;
   uint32_t channels; /* word 3: what each channel is, the formats of numbers and data */
} resource;

static bool
read_resource(hd_gcn_wave *wave, hd_mach_operand operand, resource *r)
{
   const hd_gcn_gen gen = hd_gcn_wave_gen(wave);
   uint32_t word[4], undef[4];

   if (!hd_gcn_read_sgprs(wave, operand, 4, word, undef))
      return false;
   for (unsigned n = 0; n < 4; n++) {
      if (undef[n])
         return hd_gcn_fault(wave, -1,
                             "undefined bits 0x%" PRIx32 " reach word %u of a buffer resource",
                             undef[n], n);
   }
   if (word[3] >> 30)
      return hd_gcn_fault(wave, -1, "a resource of type %" PRIu32 ", which is not a buffer",
                          word[3] >> 30);
   *r = (resource){
      .base = word[0] | (uint64_t)(word[1] & 0xffff) << 32,
      .stride = word[1] >> 16 & 0x3fff,
      .records = word[2],
      /* gfx9 has elements of dwords only. */
      .element = gen == HD_GCN_GFX900 ? 4 : 2u << (word[3] >> 19 & 3),
      .index_stride = 8u << (word[3] >> 21 & 3),
      .swizzled = word[1] >> 31,
      .add_lane = word[3] >> 23 & 1,
      .channels = word[3],
   };
   /* From gfx8 on the format is then the rest of the stride. */
   if (r->add_lane && gen >= HD_GCN_GFX803)
      r->stride |= (uint64_t)(word[3] >> 15 & 15) << 14;
   return true;
}

/* num_records counts records or bytes: that changed with every generation. */
static bool
counts_records(hd_gcn_gen gen, const resource *r, bool indexed)
{
   if (r->stride == 0)
      return false;
   switch (gen) {
   case HD_GCN_GFX600:
      return true;
   case HD_GCN_GFX803:
      return r->swizzled;
   default:
      return indexed;
   }
}

/* What the lanes of an instruction share. */
typedef struct buffer {
   resource r;
   hd_gcn_gen gen;
   uint64_t soffset, imm;
   unsigned vaddr;
   bool offen, idxen, addr64;
} buffer;

typedef struct place {
   uint64_t address;
   uint64_t room; /* bytes from there on that may be touched */
} place;

/* `offset` within the record of number `index`. */
static place
place_of(const buffer *b, uint64_t index, uint64_t offset)
{
   const resource *r = &b->r;
   const bool records = counts_records(b->gen, r, b->idxen);
   uint64_t within = offset + index * r->stride, room;

   if (r->swizzled) {
      const uint64_t group = index / r->index_stride, number = index % r->index_stride;
      const uint64_t element = offset / r->element;
      within = (group * r->stride + element * r->element) * r->index_stride + number * r->element +
               offset % r->element;
   }
   if (records)
      room = index >= r->records                               ? 0
             : r->swizzled && r->stride && offset >= r->stride ? 0
             : r->swizzled                                     ? UINT64_MAX
                                                               : (r->records - index) * r->stride;
   else
      room = within + b->soffset < r->records ? r->records - within - b->soffset : 0;
   if (records && !r->swizzled)
      room = room > offset ? room - offset : 0;
   return (place){ r->base + b->soffset + within, room };
}

static bool
lane_place(hd_gcn_wave *wave, const buffer *b, unsigned lane, unsigned skip, place *out)
{
   uint64_t index = 0, offset = b->imm + skip, address;
   unsigned reg = b->vaddr;

   if (b->addr64) {
      if (!hd_gcn_lane_address(wave, reg, 2, lane, &address))
         return false;
      *out = (place){ b->r.base + address + b->soffset + offset, UINT64_MAX };
      return true;
   }
   if (b->idxen && !hd_gcn_lane_address(wave, reg++, 1, lane, &index))
      return false;
   if (b->offen) {
      if (!hd_gcn_lane_address(wave, reg, 1, lane, &address))
         return false;
      offset += address;
      /* From gfx9 on scratch may be reached from below its beginning: the sum has 32 bits. */
      if (b->gen == HD_GCN_GFX900 && b->r.swizzled)
         offset = (uint32_t)offset;
   }
   if (b->r.add_lane)
      index += lane;
   *out = place_of(b, index, offset);
   return true;
}

/* The bytes of one access, dword by dword: each is inside or outside by itself, and swizzled ones
 * lie apart.
 */

static bool
move_dwords(hd_gcn_wave *wave, const buffer *b, unsigned lane, unsigned bytes, hd_gcn_data *data,
            bool store)
{
   const unsigned step = bytes < 4 ? bytes : 4;

   for (unsigned done = 0; done < bytes; done += step) {
      uint32_t *value = &data->value[done / 4], *undef = &data->undef[done / 4];
      place p;
      if (!lane_place(wave, b, lane, done, &p))
         return false;
      if (b->gen == HD_GCN_GFX600 && !hd_gcn_check_alignment(wave, (int)lane, p.address, step))
         return false;
      if (p.room < step) {
         /* Beyond the buffer: loads give 0, nothing is stored. */
         if (!store)
            *value = *undef = 0;
         continue;
      }
      if (!hd_gcn_move_data(wave, hd_gcn_move_memory, (int)lane, p.address, step, value, undef,
                            store))
         return false;
   }
   return true;
}

/* Texels */

static bool
find_format(hd_gcn_wave *wave, const hd_mach_inst *inst, const buffer *b, hd_texel_format *out)
{
   const bool typed = hd_gcn_op_info_of(inst)->format == HD_GCN_MTBUF;
   const unsigned said = inst->mods.bytes[HD_GCN_MOD_FORMAT];
   hd_gcn_texel_words words = {
      .data = (uint8_t)(typed ? said & 15 : b->r.channels >> 15 & 15),
      .number = (uint8_t)(typed ? said >> 4 : b->r.channels >> 12 & 7),
   };

   if (b->addr64 || b->r.add_lane)
      return hd_gcn_fault(wave, -1, "the simulator has no texels by addr64 or the lane's number");
   for (unsigned n = 0; n < 4; n++)
      words.select[n] = b->r.channels >> 3 * n & 7;
   /* An instruction that says the format reads the channels in their order. */
   if (typed)
      hd_gcn_texel_usual_select(&words);
   *out = hd_gcn_texel_format_of(&words);
   return *out != HD_TEXEL_RAW ||
          hd_gcn_fault(wave, -1,
                       "the simulator does not have texels of format %u, numbers %u, in this order "
                       "of channels",
                       words.data, words.number);
}

/* A texel is inside as a whole, or outside. */
static bool
texel_lane(hd_gcn_wave *wave, const buffer *b, const hd_gcn_texel_registers *r, unsigned lane,
           bool store)
{
   const unsigned bytes = hd_texel_format_size(r->format);
   hd_gcn_texel texel = { { 0 }, { 0 } };
   uint32_t memory[4] = { 0 }, undef[4] = { 0 };
   place p;

   if (!lane_place(wave, b, lane, 0, &p))
      return false;
   const bool inside = p.room >= bytes;
   if (store) {
      texel = hd_gcn_texel_read(wave, r, lane);
      hd_gcn_texel_encode(r->format, &texel, memory, undef);
      return !inside || hd_gcn_move_data(wave, hd_gcn_move_memory, (int)lane, p.address, bytes,
                                         memory, undef, true);
   }
   if (inside) {
      if (!hd_gcn_move_data(wave, hd_gcn_move_memory, (int)lane, p.address, bytes, memory, undef,
                            false))
         return false;
      texel = hd_gcn_texel_decode(r->format, memory, undef);
   }
   hd_gcn_texel_write(wave, r, lane, &texel);
   return true;
}

static bool
access_lane(hd_gcn_wave *wave, const buffer *b, const hd_gcn_access *access, unsigned lane, int dst,
            int src)
{
   const unsigned dwords = access->bytes < 4 ? 1 : access->bytes / 4u;
   hd_gcn_data data;
   place p;

   data.value[0] = data.undef[0] = 0;
   switch (access->kind) {
   case HD_GCN_ACCESS_LOAD:
      if (!move_dwords(wave, b, lane, access->bytes, &data, false))
         return false;
      hd_gcn_data_loaded(access, &data, wave->vgpr[dst][lane], wave->vgpr_undef[dst][lane]);
      hd_gcn_data_to_lane(wave, (unsigned)dst, dwords, lane, &data);
      return true;
   case HD_GCN_ACCESS_STORE:
      hd_gcn_data_from_lane(wave, (unsigned)src, dwords, lane, &data);
      if (access->hi) {
         data.value[0] >>= 16;
         data.undef[0] >>= 16;
      }
      return move_dwords(wave, b, lane, access->bytes, &data, true);
   default:
      if (!lane_place(wave, b, lane, 0, &p))
         return false;
      if (p.room >= access->bytes)
         return hd_gcn_access_lane(wave, access, hd_gcn_move_memory, lane, p.address, dst, src);
      /* Beyond the buffer an atomic returns 0. */
      for (unsigned n = 0; n < dwords; n++)
         data.value[n] = data.undef[n] = 0;
      if (dst >= 0)
         hd_gcn_data_to_lane(wave, (unsigned)dst, dwords, lane, &data);
      return true;
   }
}

bool
hd_gcn_execute_buffer(hd_gcn_wave *wave, const hd_mach_inst *inst)
{
   const hd_gcn_access *access = &hd_gcn_accesses[inst->op];
   const bool loads = access->kind == HD_GCN_ACCESS_LOAD;
   const unsigned first = loads ? 0 : 1;
   hd_gcn_scalar soffset;
   buffer b;

   if (access->kind == HD_GCN_ACCESS_NONE)
      return true;
   if (inst->bits & (HD_GCN_LDS | HD_GCN_TFE))
      return hd_gcn_fault(wave, -1, "the simulator has no buffer access with lds or tfe");
   if (!read_resource(wave, *hd_mach_src(inst, first + 1), &b.r) ||
       !hd_gcn_read_scalar(wave, *hd_mach_src(inst, first + 2), HD_GCN_B32, &soffset) ||
       !hd_mach_need(wave, soffset, "the offset of a buffer"))
      return false;
   b.gen = hd_gcn_wave_gen(wave);
   b.soffset = (uint32_t)soffset.value;
   b.imm = (uint32_t)inst->imm;
   b.offen = inst->bits & HD_GCN_OFFEN;
   b.idxen = inst->bits & HD_GCN_IDXEN;
   b.addr64 = inst->bits & HD_GCN_ADDR64;
   b.vaddr = b.offen || b.idxen || b.addr64 ? hd_gcn_vgpr_of(*hd_mach_src(inst, first)) : 0;

   const bool returns = loads || (access->kind == HD_GCN_ACCESS_ATOMIC && inst->bits & HD_GCN_GLC);
   const int dst = returns ? (int)hd_gcn_vgpr_of(*hd_mach_def(inst, 0)) : -1;
   const int src = loads ? -1 : (int)hd_gcn_vgpr_of(*hd_mach_src(inst, 0));

   hd_gcn_texel_registers texel = { .mask = (1u << access->channels) - 1,
                                    .first = (unsigned)(loads ? dst : src),
                                    .half = access->d16,
                                    .packed = access->d16,
                                    .upper = access->hi };
   if (access->channels && !find_format(wave, inst, &b, &texel.format))
      return false;
   hd_gcn_foreach_lane(l, hd_gcn_exec(wave))
   {
      if (access->channels ? !texel_lane(wave, &b, &texel, (unsigned)l, !loads)
                           : !access_lane(wave, &b, access, (unsigned)l, dst, src))
         return false;
   }
   return true;
}
