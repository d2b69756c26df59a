/* SPDX-License-Identifier: MIT */
/* messages.c - send messages: memory accesses, barriers, end of thread; indirect register addressing.
 */
#include "backend/gen9/layout.h"

/* Messages: who does it, and the bits of descriptors. */
enum { UNIT_GATEWAY = 3, UNIT_SPAWNER = 7, UNIT_DATA0 = 10, UNIT_DATA1 = 12 };
#define END_OF_THREAD    0x20u
#define PAYLOAD(grfs)    ((uint32_t)(grfs) << 25)
#define ANSWER(grfs)     ((uint32_t)(grfs) << 20)
#define MORE_PAYLOAD(n)  ((uint32_t)(n) << 6)
#define LANES_8          (2u << 12) /* of untyped messages */
#define LANES_16         (1u << 12)
#define ONE_DWORD        (0xeu << 8)
#define UNTYPED_READ     (0x01u << 14)
#define UNTYPED_WRITE    (0x09u << 14)
#define ATOMIC           (0x02u << 14)
#define BYTES_READ       (4u << 14) /* of data cache 0 */
#define BYTES_LANES_16   (1u << 8)
#define BYTES_WRITE      (12u << 14)
#define FENCE            (7u << 14 | 1u << 19)
#define WIDE_READ        (0x11u << 14) /* by 64-bit addresses */
#define WIDE_WRITE       (0x19u << 14)
#define WIDE_ATOMIC      (0x12u << 14)
#define WIDE_BYTES_READ  (0x10u << 14)
#define WIDE_BYTES_WRITE (0x1au << 14)
#define ATOMIC_LANES_8   (1u << 12)
#define ATOMIC_ANSWERS   (1u << 13)
#define BARRIER          4u

/* Registers whose numbers are computed */

/* a0 as words: 4 times the numbers in `lanes`, from the beginning of the GRF. */
static hd_gen9_word *
write_lane_addresses(hd_gen9_layout *l, unsigned reg, bool once)
{
   hd_gen9_word *w =
       once ? hd_gen9_append_scalar_word(l, HD_GEN9_SHL) : hd_gen9_append_word(l, HD_GEN9_SHL);

   w->dst = hd_gen9_dst_operand(l->width->temp, HD_GEN9_TYPE_UD);
   w->src[0] = once ? hd_gen9_scalar_operand(l->width->temp, 0, HD_GEN9_TYPE_UD)
                    : hd_gen9_grf_operand(l->width->temp, HD_GEN9_TYPE_UD);
   w->src[1] = hd_gen9_imm_operand(HD_GEN9_TYPE_UD);
   w->imm = 2;
   w = once ? hd_gen9_append_scalar_word(l, HD_GEN9_ADD) : hd_gen9_append_word(l, HD_GEN9_ADD);
   w->dst = hd_gen9_arf_dst_operand(HD_GEN9_ARF_ADDRESS, HD_GEN9_TYPE_UW);
   w->src[0] = once ? hd_gen9_scalar_operand(l->width->temp, 0, HD_GEN9_TYPE_UW)
                    : hd_gen9_low_operand(l->width->temp, HD_GEN9_TYPE_UW);
   w->src[1] = hd_gen9_imm_operand(HD_GEN9_TYPE_UW);
   w->imm = reg * HD_GEN9_GRF_BYTES;
   return w;
}

static void
write_first_lane(hd_gen9_layout *l, unsigned reg)
{
   hd_gen9_word *w = hd_gen9_append_scalar_word(l, HD_GEN9_FBL);

   w->dst = hd_gen9_dst_operand(l->width->temp, HD_GEN9_TYPE_UD);
   w->src[0] = hd_gen9_arf_operand(l->masked ? HD_GEN9_ARF_FLAG + 1 : HD_GEN9_ARF_CHANNEL_ENABLE,
                                   HD_GEN9_TYPE_UD);
   write_lane_addresses(l, reg, true);
}

static hd_gen9_operand
indirect(bool each)
{
   return (hd_gen9_operand){ .file = HD_GEN9_GRF,
                             .type = HD_GEN9_TYPE_UD,
                             .indirect = 1,
                             .vstride = each ? HD_GEN9_STRIDE_INDIRECT : 0 };
}

void
hd_gen9_write_first(hd_gen9_layout *l, const hd_mach_inst *inst)
{
   const hd_mach_operand *def = hd_mach_def(inst, 0);
   const hd_mach_operand *lane = inst->num_srcs > 1 ? hd_mach_src(inst, 1) : NULL;
   const unsigned from = hd_gen9_src_reg(l, inst, 0);
   hd_gen9_word *w;

   if (lane && hd_gen9_is_constant(lane)) {
      const unsigned at = hd_gen9_constant(lane) % l->width->lanes * 4;
      w = hd_gen9_append_result(l, HD_GEN9_MOV, def, HD_GEN9_TYPE_UD);
      w->src[0] = hd_gen9_scalar_operand(from + at / HD_GEN9_GRF_BYTES, at % HD_GEN9_GRF_BYTES,
                                         HD_GEN9_TYPE_UD);
      return;
   }
   if (lane) {
      w = hd_gen9_append_scalar_word(l, HD_GEN9_AND);
      w->dst = hd_gen9_dst_operand(l->width->temp, HD_GEN9_TYPE_UD);
      hd_gen9_put_source(l, w, 0, lane, HD_GEN9_TYPE_UD);
      w->src[1] = hd_gen9_imm_operand(HD_GEN9_TYPE_UD);
      w->imm = l->width->lanes - 1u;
      write_lane_addresses(l, from, true);
   } else {
      write_first_lane(l, from);
   }
   hd_gen9_append_result(l, HD_GEN9_MOV, def, HD_GEN9_TYPE_UD)->src[0] = indirect(false);
}

void
hd_gen9_write_shuffle(hd_gen9_layout *l, const hd_mach_inst *inst)
{
   hd_gen9_word *w = hd_gen9_append_word(l, HD_GEN9_AND);

   w->dst = hd_gen9_dst_operand(l->width->temp, HD_GEN9_TYPE_UD);
   w->src[0] = hd_gen9_grf_operand(hd_gen9_src_reg(l, inst, 1), HD_GEN9_TYPE_UD);
   w->src[1] = hd_gen9_imm_operand(HD_GEN9_TYPE_UD);
   w->imm = l->width->lanes - 1u;
   write_lane_addresses(l, hd_gen9_src_reg(l, inst, 0), false);
   w = hd_gen9_append_word(l, HD_GEN9_MOV);
   w->dst = hd_gen9_dst_operand(hd_gen9_def_reg(l, inst), HD_GEN9_TYPE_UD);
   w->src[0] = indirect(true);
   /* Of two registers the first is written before the second is read. */
   if (l->width->grfs == 1 || hd_gen9_def_reg(l, inst) != hd_gen9_src_reg(l, inst, 0))
      return;
   w->dst.reg = l->width->temp;
   w = hd_gen9_append_word(l, HD_GEN9_MOV);
   w->dst = hd_gen9_dst_operand(hd_gen9_def_reg(l, inst), HD_GEN9_TYPE_UD);
   w->src[0] = hd_gen9_grf_operand(l->width->temp, HD_GEN9_TYPE_UD);
}

/* Messages */

static void
make_single(hd_gen9_word *w)
{
   w->exec = w->chan = 0;
   w->mask_off = 1;
}

/* GRFs of a message for a dword of each lane: of one lane, of a half, of all. */
static unsigned
grfs_of(const hd_gen9_layout *l, bool single)
{
   return single || l->half != HD_GEN9_WHOLE ? 1 : l->width->grfs;
}

static uint32_t
lanes_code(const hd_gen9_layout *l, bool single)
{
   return grfs_of(l, single) == 1 ? LANES_8 : LANES_16;
}

/* Of a load, a store or an atomic: for all lanes of words, or for one. `data` dwords of each from `from` on
 * are sent after the `addresses`, in dwords, too; `to` is where one comes back, or -1.
 */
static hd_gen9_word *
write_message(hd_gen9_layout *l, unsigned unit, uint32_t desc, unsigned address, unsigned addresses,
              unsigned from, unsigned data, int to, bool indexed, bool single)
{
   const unsigned grfs = grfs_of(l, single);
   hd_gen9_word *w = hd_gen9_append_word(l, data ? HD_GEN9_SENDS : HD_GEN9_SEND);

   w->dst = to >= 0 ? hd_gen9_dst_operand((unsigned)to, HD_GEN9_TYPE_UD)
                    : hd_gen9_arf_dst_operand(HD_GEN9_ARF_NULL, HD_GEN9_TYPE_UD);
   w->dst.hstride = 0;
   w->src[0] = hd_gen9_payload_operand(address);
   if (data) {
      w->src[1] = hd_gen9_payload_operand(from);
      w->src[1].type = 0;
   } else {
      w->src[0].type = HD_GEN9_TYPE_UD;
   }
   if (data)
      w->src[0].type = 0;
   w->ex_desc = unit | (data ? MORE_PAYLOAD(grfs * data) : 0);
   w->desc = desc | PAYLOAD(grfs * addresses) | (to >= 0 ? ANSWER(grfs) : 0);
   if (indexed) {
      w->desc_reg = 1;
      w->desc = 0;
   }
   if (single)
      make_single(w);
   return w;
}

/* (x << shift) + base + offset, in 64 bits. */
static void
write_wide(hd_gen9_layout *l, const hd_mach_inst *inst, bool single)
{
   const unsigned type = inst->mods.bytes[1] - 1u, shift = inst->mods.bytes[2];
   const int32_t offset = (int16_t)inst->mods.halves[2];
   const hd_gen9_operand to = hd_gen9_dst_operand(l->width->temp, HD_GEN9_TYPE_Q);
   hd_gen9_operand temp = hd_gen9_grf_operand(l->width->temp, HD_GEN9_TYPE_Q);
   hd_gen9_word *w;

   temp.vstride = 3, temp.width = 2;
   if (single)
      temp = hd_gen9_scalar_operand(l->width->temp, 0, HD_GEN9_TYPE_Q);
   for (unsigned n = !shift; n < 2u + (offset != 0); n++) {
      w = hd_gen9_append_word(l, n ? HD_GEN9_ADD : HD_GEN9_SHL);
      if (single)
         make_single(w);
      w->dst = to;
      w->src[0] = temp;
      if (n == !shift)
         hd_gen9_put_source(l, w, 0, hd_mach_src(inst, 0), type);
      if (n == 1) {
         w->src[1] = hd_gen9_single_operand(hd_mach_src(inst, 1), HD_GEN9_TYPE_Q);
      } else {
         w->src[1] = hd_gen9_imm_operand(HD_GEN9_TYPE_D);
         w->imm = n ? (uint32_t)offset : shift;
      }
   }
}

/* The register of addresses, and how many there are. Of 64 bits, which have one for the low halves and
 * one for the high ones: these are joined in registers of lowering, as the number of a lane is not
 * where its dwords are, and other lanes may have values there.
 */
static unsigned
write_addresses(hd_gen9_layout *l, const hd_mach_inst *inst, bool single, unsigned *num)
{
   *num = inst->imm == HD_GEN9_SURFACE_STATELESS ? 2 : 1;
   if (*num == 1 && !single)
      return hd_gen9_src_reg(l, inst, 0);
   if (inst->mods.bytes[1]) {
      write_wide(l, inst, single);
      return l->width->temp;
   }
   for (unsigned n = 0; n < *num; n++) {
      hd_gen9_word *w = hd_gen9_append_word(l, HD_GEN9_MOV);
      w->dst = hd_gen9_dst_operand(l->width->temp, HD_GEN9_TYPE_UD);
      w->dst.subreg = (uint8_t)(4 * n);
      w->dst.hstride = single ? 1 : 2;
      hd_gen9_put_source(l, w, 0, hd_mach_src(inst, n), HD_GEN9_TYPE_UD);
      if (single)
         make_single(w);
   }
   return l->width->temp;
}

static uint32_t
unit_code(unsigned bytes)
{
   return bytes / 2; /* 1, 2, 4 bytes: 0, 1, 2 */
}

/* The descriptor in a0.0: the lowest active lane's index is added to the number of the surface. */
static void
write_descriptor(hd_gen9_layout *l, const hd_mach_operand *index, uint32_t desc)
{
   const bool single = hd_gen9_is_scalar_reg(index);
   hd_gen9_word *w;

   if (!single) {
      write_first_lane(l, hd_gen9_grf_of(l, index));
      w = hd_gen9_append_scalar_word(l, HD_GEN9_MOV);
      w->dst = hd_gen9_dst_operand(l->width->data, HD_GEN9_TYPE_UD);
      w->src[0] = indirect(false);
   }
   w = hd_gen9_append_scalar_word(l, HD_GEN9_ADD);
   w->dst = hd_gen9_arf_dst_operand(HD_GEN9_ARF_ADDRESS, HD_GEN9_TYPE_UD);
   w->src[0] = single ? hd_gen9_single_operand(index, HD_GEN9_TYPE_UD)
                      : hd_gen9_scalar_operand(l->width->data, 0, HD_GEN9_TYPE_UD);
   w->src[1] = hd_gen9_imm_operand(HD_GEN9_TYPE_UD);
   w->imm = desc;
}

static void
write_access(hd_gen9_layout *l, const hd_mach_inst *inst, bool single)
{
   const bool wide = inst->imm == HD_GEN9_SURFACE_STATELESS, store = inst->op == HD_GEN9_P_STORE;
   const bool dword = inst->bits == 4, indexed = inst->form;
   const unsigned unit = wide || dword ? UNIT_DATA1 : UNIT_DATA0;
   const unsigned grfs = grfs_of(l, single);
   uint32_t desc = dword ? lanes_code(l, single) | ONE_DWORD : 0;
   unsigned addresses;

   if (wide && dword)
      desc |= store ? WIDE_WRITE : WIDE_READ;
   else if (wide)
      desc |= (store ? WIDE_BYTES_WRITE : WIDE_BYTES_READ) | (inst->bits == 2 ? 1u << 10 : 0);
   else if (dword)
      desc |= store ? UNTYPED_WRITE : UNTYPED_READ;
   else
      desc |= (store ? BYTES_WRITE : BYTES_READ) | unit_code(inst->bits) << 10 |
              (grfs == 2 ? BYTES_LANES_16 : 0);
   desc |= (uint32_t)inst->imm & 255;
   const hd_mach_operand *def = store ? NULL : hd_mach_def(inst, 0);
   const int to = store ? -1 : single ? l->width->temp : (int)hd_gen9_grf_of(l, def);
   const unsigned from = write_addresses(l, inst, single, &addresses);
   if (indexed)
      write_descriptor(l, hd_mach_src(inst, inst->num_srcs - 1u),
                       desc | PAYLOAD(grfs) | (store ? 0 : ANSWER(grfs)));
   write_message(l, unit, desc, from, addresses, store ? hd_gen9_src_reg(l, inst, addresses) : 0,
                 store, to, indexed, single);
   if (!single)
      return;
   hd_gen9_append_result(l, HD_GEN9_MOV, def, HD_GEN9_TYPE_UD)->src[0] =
       hd_gen9_scalar_operand(l->width->temp, 0, HD_GEN9_TYPE_UD);
}

/* Messages by 64-bit addresses have 8 lanes at most. */
static void
write_by_halves(hd_gen9_layout *l, const hd_mach_inst *inst,
                void (*write)(hd_gen9_layout *l, const hd_mach_inst *inst, bool single))
{
   const hd_mach_operand *def = inst->num_defs ? hd_mach_def(inst, 0) : NULL;
   const bool single = def && hd_gen9_is_scalar_reg(def);

   if (single || l->width->grfs == 1 || inst->imm != HD_GEN9_SURFACE_STATELESS) {
      write(l, inst, single);
      return;
   }
   for (l->half = 0; l->half < HD_GEN9_WHOLE; l->half++)
      write(l, inst, single);
}

void
hd_gen9_write_access(hd_gen9_layout *l, const hd_mach_inst *inst)
{
   write_by_halves(l, inst, write_access);
}

static void
write_move(hd_gen9_layout *l, unsigned to, const hd_mach_operand *from)
{
   hd_gen9_word *w = hd_gen9_append_word(l, HD_GEN9_MOV);

   w->dst = hd_gen9_dst_operand(to, HD_GEN9_TYPE_UD);
   hd_gen9_put_source(l, w, 0, from, HD_GEN9_TYPE_UD);
}

static void
write_atomic(hd_gen9_layout *l, const hd_mach_inst *inst, bool single)
{
   const unsigned grfs = grfs_of(l, single);
   const bool wide = inst->imm == HD_GEN9_SURFACE_STATELESS, indexed = inst->form;
   unsigned addresses;
   const unsigned from = write_addresses(l, inst, false, &addresses);
   const unsigned data = inst->num_srcs - addresses - indexed;
   const uint32_t desc = (wide        ? WIDE_ATOMIC
                          : grfs == 1 ? ATOMIC | ATOMIC_LANES_8
                                      : ATOMIC) |
                         ATOMIC_ANSWERS | (uint32_t)inst->bits << 8 | ((uint32_t)inst->imm & 255);

   if (indexed)
      write_descriptor(l, hd_mach_src(inst, inst->num_srcs - 1u),
                       desc | PAYLOAD(grfs) | ANSWER(grfs));
   for (unsigned n = 0; data > 1 && n < data; n++)
      write_move(l, l->width->data + grfs * n, hd_mach_src(inst, addresses + n));
   write_message(l, UNIT_DATA1, desc, from, addresses,
                 data > 1 ? l->width->data : hd_gen9_src_reg(l, inst, addresses), data,
                 (int)hd_gen9_def_reg(l, inst), indexed, single);
}

void
hd_gen9_write_atomic(hd_gen9_layout *l, const hd_mach_inst *inst)
{
   write_by_halves(l, inst, write_atomic);
}

/* A scalar: in the thread's scratch memory, after that of its lanes. */
static void
write_scalar_slot(hd_gen9_layout *l, const hd_mach_operand *value, bool store, uint32_t slot)
{
   hd_gen9_word *w = hd_gen9_append_scalar_word(l, HD_GEN9_ADD);

   w->dst = hd_gen9_dst_operand(l->width->temp, HD_GEN9_TYPE_UD);
   w->src[0] = hd_gen9_scalar_operand(HD_GEN9_GRF_THREAD, 4, HD_GEN9_TYPE_UD);
   w->src[1] = hd_gen9_imm_operand(HD_GEN9_TYPE_UD);
   w->imm = l->p->scratch_size * l->width->lanes + 4 * slot;
   if (store) {
      w = hd_gen9_append_scalar_word(l, HD_GEN9_MOV);
      w->dst = hd_gen9_dst_operand(l->width->data, HD_GEN9_TYPE_UD);
      hd_gen9_put_source(l, w, 0, value, HD_GEN9_TYPE_UD);
   }
   write_message(
       l, UNIT_DATA1,
       LANES_8 | ONE_DWORD | (store ? UNTYPED_WRITE : UNTYPED_READ) | HD_GEN9_SURFACE_SCRATCH,
       l->width->temp, 1, l->width->data, store, store ? -1 : (int)l->width->temp, false, true);
   if (!store)
      hd_gen9_append_result(l, HD_GEN9_MOV, value, HD_GEN9_TYPE_UD)->src[0] =
          hd_gen9_scalar_operand(l->width->temp, 0, HD_GEN9_TYPE_UD);
}

void
hd_gen9_write_slot(hd_gen9_layout *l, const hd_mach_inst *inst)
{
   const hd_mach_operand *value = hd_mach_slot_value(inst);
   const bool store = inst->op == HD_MACH_P_SPILL;

   if (hd_gen9_is_scalar_reg(value)) {
      write_scalar_slot(l, value, store, (uint32_t)inst->imm);
      return;
   }
   for (unsigned n = 0; n < value->size; n++) {
      const unsigned reg = hd_gen9_grf_of(l, value) + n * l->width->grfs;
      hd_gen9_word *w = hd_gen9_append_word(l, HD_GEN9_ADD);
      w->dst = hd_gen9_dst_operand(l->width->temp, HD_GEN9_TYPE_UD);
      w->src[0] = hd_gen9_grf_operand(l->width->scratch, HD_GEN9_TYPE_UD);
      w->src[1] = hd_gen9_imm_operand(HD_GEN9_TYPE_UD);
      w->imm = (l->p->spill_offset / 4 + (uint32_t)inst->imm + n) * 4 * l->width->lanes;
      write_message(l, UNIT_DATA1,
                    lanes_code(l, false) | ONE_DWORD | (store ? UNTYPED_WRITE : UNTYPED_READ) |
                        HD_GEN9_SURFACE_SCRATCH,
                    l->width->temp, 1, reg, store, store ? -1 : (int)reg, false, false);
   }
}

void
hd_gen9_write_barrier(hd_gen9_layout *l)
{
   l->half = 0; /* 8 channels */
   hd_gen9_word *w = hd_gen9_append_word(l, HD_GEN9_SEND);

   /* What was written is there before the others go on. */
   w->mask_off = 1;
   w->dst = hd_gen9_dst_operand(l->width->temp, HD_GEN9_TYPE_UD);
   w->dst.hstride = 0;
   w->src[0] = hd_gen9_payload_operand(HD_GEN9_GRF_HEADER);
   w->ex_desc = UNIT_DATA0;
   w->desc = FENCE | PAYLOAD(1) | ANSWER(1) | 1u << 13;
   w = hd_gen9_append_word(l, HD_GEN9_MOV);
   w->mask_off = 1;
   w->dst = hd_gen9_dst_operand(l->width->temp, HD_GEN9_TYPE_UD);
   w->src[0] = hd_gen9_imm_operand(HD_GEN9_TYPE_UD);
   w = hd_gen9_append_scalar_word(l, HD_GEN9_AND);
   w->dst = hd_gen9_dst_operand(l->width->temp, HD_GEN9_TYPE_UD);
   w->dst.subreg = 8;
   w->src[0] = hd_gen9_scalar_operand(HD_GEN9_GRF_HEADER, 8, HD_GEN9_TYPE_UD);
   w->src[1] = hd_gen9_imm_operand(HD_GEN9_TYPE_UD);
   w->imm = 0x8f000000;
   w = hd_gen9_append_word(l, HD_GEN9_SEND);
   w->mask_off = 1;
   w->dst = hd_gen9_arf_dst_operand(HD_GEN9_ARF_NULL, HD_GEN9_TYPE_UD);
   w->dst.hstride = 0;
   w->src[0] = hd_gen9_payload_operand(l->width->temp);
   w->ex_desc = UNIT_GATEWAY;
   w->desc = PAYLOAD(1) | BARRIER;
   l->half = HD_GEN9_WHOLE;
   w = hd_gen9_append_scalar_word(l, HD_GEN9_WAIT);
   w->dst = (hd_gen9_operand){ .reg = HD_GEN9_ARF_NOTIFICATION };
}

void
hd_gen9_write_end(hd_gen9_layout *l)
{
   l->half = 0;
   hd_gen9_word *w = hd_gen9_append_word(l, HD_GEN9_MOV);

   w->mask_off = 1;
   w->dst = hd_gen9_dst_operand(HD_GEN9_GRF_END, HD_GEN9_TYPE_UD);
   w->src[0] = hd_gen9_grf_operand(HD_GEN9_GRF_HEADER, HD_GEN9_TYPE_UD);
   w = hd_gen9_append_word(l, HD_GEN9_SEND);
   w->mask_off = 1;
   w->dst = hd_gen9_arf_dst_operand(HD_GEN9_ARF_NULL, HD_GEN9_TYPE_UD);
   w->dst.hstride = 0;
   w->src[0] = hd_gen9_payload_operand(HD_GEN9_GRF_END);
   w->ex_desc = UNIT_SPAWNER | END_OF_THREAD;
   w->desc = PAYLOAD(1) | 1u << 4;
   l->half = HD_GEN9_WHOLE;
}
