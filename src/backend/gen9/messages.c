/* SPDX-License-Identifier: MIT */
/* messages.c - send messages: memory accesses, barriers, end of thread; indirect register addressing.
 */
#include "backend/gen9/layout.h"

#define END_OF_THREAD   0x20u
#define PAYLOAD(grfs)   ((uint32_t)(grfs) << 25)
#define ANSWER(grfs)    ((uint32_t)(grfs) << 20)
#define MORE_PAYLOAD(n) ((uint32_t)(n) << 6)

static hd_gen9_operand
temp_dst(const hd_gen9_layout *l)
{
   return hd_gen9_dst_operand(l->width->temp, HD_GEN9_TYPE_UD);
}

/* Registers whose numbers are computed */

/* a0 as words: 4 times the numbers in `temp`, from the beginning of the GRF. */
static void
write_lane_addresses(hd_gen9_layout *l, unsigned reg, bool once)
{
   const hd_gen9_channels channels = once ? HD_GEN9_ONE : HD_GEN9_ACTIVE;
   const unsigned temp = l->width->temp;

   hd_gen9_write_imm(l, channels, HD_GEN9_SHL, temp_dst(l),
                     once ? hd_gen9_scalar_operand(temp, 0, HD_GEN9_TYPE_UD)
                          : hd_gen9_grf_operand(temp, HD_GEN9_TYPE_UD),
                     2);
   hd_gen9_write_imm(l, channels, HD_GEN9_ADD,
                     hd_gen9_arf_dst_operand(HD_GEN9_ARF_ADDRESS, HD_GEN9_TYPE_UW),
                     once ? hd_gen9_scalar_operand(temp, 0, HD_GEN9_TYPE_UW)
                          : hd_gen9_low_operand(temp, HD_GEN9_TYPE_UW),
                     reg * HD_GEN9_GRF_BYTES);
}

static void
write_first_lane(hd_gen9_layout *l, unsigned reg)
{
   const unsigned active = l->masked ? HD_GEN9_ARF_FLAG + 1 : HD_GEN9_ARF_CHANNEL_ENABLE;

   hd_gen9_write(l, HD_GEN9_ONE, HD_GEN9_FBL, temp_dst(l),
                 hd_gen9_arf_operand(active, HD_GEN9_TYPE_UD));
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
   const hd_mach_operand *lane = inst->num_srcs > 1 ? hd_mach_src(inst, 1) : NULL;
   const unsigned from = hd_gen9_src_reg(l, inst, 0);
   hd_gen9_operand value = indirect(false);

   if (lane && hd_gen9_is_constant(lane)) {
      const unsigned at = hd_gen9_constant(lane) % l->width->lanes * 4;
      value = hd_gen9_scalar_operand(from + at / HD_GEN9_GRF_BYTES, at % HD_GEN9_GRF_BYTES,
                                     HD_GEN9_TYPE_UD);
   } else if (lane) {
      hd_gen9_write_imm(l, HD_GEN9_ONE, HD_GEN9_AND, temp_dst(l),
                        hd_gen9_single_operand(lane, HD_GEN9_TYPE_UD), l->width->lanes - 1u);
      write_lane_addresses(l, from, true);
   } else {
      write_first_lane(l, from);
   }
   hd_gen9_append_result(l, HD_GEN9_MOV, hd_mach_def(inst, 0), HD_GEN9_TYPE_UD)->src[0] = value;
}

void
hd_gen9_write_shuffle(hd_gen9_layout *l, const hd_mach_inst *inst)
{
   const hd_gen9_operand dst = hd_gen9_dst_operand(hd_gen9_def_reg(l, inst), HD_GEN9_TYPE_UD);
   /* Of two registers the first is written before the second is read. */
   const bool in_place =
       l->width->grfs > 1 && hd_gen9_def_reg(l, inst) == hd_gen9_src_reg(l, inst, 0);

   hd_gen9_write_imm(l, HD_GEN9_ACTIVE, HD_GEN9_AND, temp_dst(l),
                     hd_gen9_grf_operand(hd_gen9_src_reg(l, inst, 1), HD_GEN9_TYPE_UD),
                     l->width->lanes - 1u);
   write_lane_addresses(l, hd_gen9_src_reg(l, inst, 0), false);
   hd_gen9_write(l, HD_GEN9_ACTIVE, HD_GEN9_MOV, in_place ? temp_dst(l) : dst, indirect(true));
   if (in_place)
      hd_gen9_write(l, HD_GEN9_ACTIVE, HD_GEN9_MOV, dst,
                    hd_gen9_grf_operand(l->width->temp, HD_GEN9_TYPE_UD));
}

/* Messages */

/* GRFs of a message for a dword of each lane: of one lane, of a half, of all. */
static unsigned
grfs_of(const hd_gen9_layout *l, bool single)
{
   return single || l->half != HD_GEN9_WHOLE ? 1 : l->width->grfs;
}

/* What a message has besides its descriptor without lengths: `num_data` dwords of each lane from `data` on are
 * sent after `num_addresses` from `address` on; one comes back to `to`, or nothing does (-1).
 */
typedef struct message {
   unsigned address, num_addresses, data, num_data;
   int to;
   bool indexed; /* the descriptor is in a0.0 */
   bool single;  /* for one lane, else for all of words */
   bool wide;    /* what comes back has 64 bits */
} message;

static hd_gen9_word *
write_send(hd_gen9_layout *l, hd_gen9_channels channels, unsigned op, int to, unsigned payload,
           uint32_t ex_desc, uint32_t desc)
{
   hd_gen9_word *w =
       hd_gen9_write(l, channels, op,
                     to >= 0 ? hd_gen9_scalar_operand((unsigned)to, 0, HD_GEN9_TYPE_UD)
                             : hd_gen9_arf_operand(HD_GEN9_ARF_NULL, HD_GEN9_TYPE_UD),
                     hd_gen9_scalar_operand(payload, 0, HD_GEN9_TYPE_UD));

   w->ex_desc = ex_desc;
   w->desc = desc;
   return w;
}

static void
write_message(hd_gen9_layout *l, const hd_gen9_message_info *info, uint32_t desc, message m)
{
   const unsigned grfs = grfs_of(l, m.single);
   hd_gen9_word *w = write_send(l, m.single ? HD_GEN9_ONE : HD_GEN9_ACTIVE,
                                m.num_data ? HD_GEN9_SENDS : HD_GEN9_SEND, m.to, m.address,
                                info->unit | MORE_PAYLOAD(grfs * m.num_data),
                                m.indexed ? 0
                                          : desc | PAYLOAD(grfs * m.num_addresses) |
                                                (m.to >= 0 ? ANSWER(grfs << m.wide) : 0));

   w->desc_reg = m.indexed;
   if (m.num_data)
      w->src[1] = hd_gen9_scalar_operand(m.data, 0, HD_GEN9_TYPE_UD);
}

/* The address in `temp`, of 64 bits, from itself. */
static hd_gen9_word *
append_wide(hd_gen9_layout *l, unsigned op, bool single)
{
   hd_gen9_operand temp = hd_gen9_grf_operand(l->width->temp, HD_GEN9_TYPE_Q);

   temp.vstride = 3, temp.width = 2;
   if (single)
      temp = hd_gen9_scalar_operand(l->width->temp, 0, HD_GEN9_TYPE_Q);
   return hd_gen9_write(l, single ? HD_GEN9_ONE : HD_GEN9_ACTIVE, op,
                        hd_gen9_dst_operand(l->width->temp, HD_GEN9_TYPE_Q), temp);
}

static void
add_offset(hd_gen9_layout *l, const hd_mach_inst *inst, bool single)
{
   const int32_t offset = (int16_t)inst->mods.halves[2];

   if (!offset)
      return;
   hd_gen9_word *w = append_wide(l, HD_GEN9_ADD, single);
   w->src[1] = hd_gen9_imm_operand(HD_GEN9_TYPE_D);
   w->imm = (uint32_t)offset;
}

/* (x << shift) + base, in 64 bits. */
static void
write_wide(hd_gen9_layout *l, const hd_mach_inst *inst, bool single)
{
   const unsigned type = inst->mods.bytes[1] - 1u, shift = inst->mods.bytes[2];

   for (unsigned n = !shift; n < 2; n++) {
      hd_gen9_word *w = append_wide(l, n ? HD_GEN9_ADD : HD_GEN9_SHL, single);
      if (n == !shift)
         hd_gen9_put_source(l, w, 0, hd_mach_src(inst, 0), type);
      if (n == 1) {
         w->src[1] = hd_gen9_single_operand(hd_mach_src(inst, 1), HD_GEN9_TYPE_Q);
      } else {
         w->src[1] = hd_gen9_imm_operand(HD_GEN9_TYPE_D);
         w->imm = shift;
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
      add_offset(l, inst, single);
      return l->width->temp;
   }
   for (unsigned n = 0; n < *num; n++) {
      hd_gen9_word *w = hd_gen9_append_word(l, single ? HD_GEN9_ONE : HD_GEN9_ACTIVE, HD_GEN9_MOV);
      w->dst = temp_dst(l);
      w->dst.subreg = (uint8_t)(4 * n);
      w->dst.hstride = single ? 1 : 2;
      hd_gen9_put_source(l, w, 0, hd_mach_src(inst, n), HD_GEN9_TYPE_UD);
   }
   if (*num == 2)
      add_offset(l, inst, single);
   return l->width->temp;
}

/* The descriptor in a0.0: the lowest active lane's index is added to the number of the surface. */
static void
write_descriptor(hd_gen9_layout *l, const hd_mach_operand *index, uint32_t desc)
{
   hd_gen9_operand number = hd_gen9_scalar_operand(l->width->data, 0, HD_GEN9_TYPE_UD);

   if (hd_gen9_is_scalar_reg(index)) {
      number = hd_gen9_single_operand(index, HD_GEN9_TYPE_UD);
   } else {
      write_first_lane(l, hd_gen9_grf_of(l, index));
      hd_gen9_write(l, HD_GEN9_ONE, HD_GEN9_MOV,
                    hd_gen9_dst_operand(l->width->data, HD_GEN9_TYPE_UD), indirect(false));
   }
   hd_gen9_write_imm(l, HD_GEN9_ONE, HD_GEN9_ADD,
                     hd_gen9_arf_dst_operand(HD_GEN9_ARF_ADDRESS, HD_GEN9_TYPE_UD), number, desc);
}

static const hd_gen9_message_info *
message_of(const hd_mach_inst *inst)
{
   const unsigned store = inst->op == HD_GEN9_P_STORE;
   const unsigned kind = inst->op == HD_GEN9_P_ATOMIC ? HD_GEN9_MESSAGE_ATOMIC
                         : inst->bits == 4            ? HD_GEN9_MESSAGE_READ + store
                                                      : HD_GEN9_MESSAGE_READ_BYTES + store;

   return &hd_gen9_message_infos[kind + (inst->imm == HD_GEN9_SURFACE_STATELESS
                                             ? (unsigned)HD_GEN9_MESSAGE_WIDE_READ
                                             : 0)];
}

/* Of a load, a store or an atomic. */
static void
write_access(hd_gen9_layout *l, const hd_mach_inst *inst, bool single)
{
   const hd_gen9_message_info *info = message_of(inst);
   const bool atomic = inst->op == HD_GEN9_P_ATOMIC;
   const unsigned grfs = grfs_of(l, single);
   message m = { .to = -1, .indexed = inst->form, .single = single, .wide = inst->num_defs == 2 };
   uint32_t desc = info->desc[grfs - 1] | ((uint32_t)inst->imm & 255) | (m.wide ? 1u << 12 : 0);

   if (info->low) /* units of 1 and 2 bytes are 0 and 1 */
      desc |= (atomic ? inst->bits : inst->bits / 2u) << info->low;
   if (inst->num_defs)
      m.to = single || m.wide ? l->width->temp : (int)hd_gen9_def_reg(l, inst);
   m.address = write_addresses(l, inst, single, &m.num_addresses);
   m.num_data = inst->num_srcs - m.num_addresses - m.indexed;
   if (m.indexed)
      write_descriptor(l, hd_mach_src(inst, inst->num_srcs - 1u),
                       desc | PAYLOAD(grfs) | (m.to >= 0 ? ANSWER(grfs) : 0));
   if (m.num_data == 1)
      m.data = hd_gen9_src_reg(l, inst, m.num_addresses);
   else
      m.data = l->width->data;
   for (unsigned n = 0; m.wide && n < m.num_data; n += 2)
      hd_gen9_join(l, m.data + n, hd_mach_src(inst, m.num_addresses + n), HD_GEN9_TYPE_UQ, false,
                   false);
   for (unsigned n = 0; !m.wide && m.num_data > 1 && n < m.num_data; n++)
      hd_gen9_put_source(l,
                         hd_gen9_write(l, HD_GEN9_ACTIVE, HD_GEN9_MOV,
                                       hd_gen9_dst_operand(m.data + grfs * n, HD_GEN9_TYPE_UD),
                                       temp_dst(l)),
                         0, hd_mach_src(inst, m.num_addresses + n), HD_GEN9_TYPE_UD);
   write_message(l, info, desc, m);
   if (m.wide)
      hd_gen9_take_apart(l, inst, HD_GEN9_TYPE_UQ, false);
   else if (single)
      hd_gen9_append_result(l, HD_GEN9_MOV, hd_mach_def(inst, 0), HD_GEN9_TYPE_UD)->src[0] =
          hd_gen9_scalar_operand(l->width->temp, 0, HD_GEN9_TYPE_UD);
}

/* Messages by 64-bit addresses have 8 lanes at most. */
void
hd_gen9_write_access(hd_gen9_layout *l, const hd_mach_inst *inst)
{
   const bool single = inst->num_defs && hd_gen9_is_scalar_reg(hd_mach_def(inst, 0));

   if (single || l->width->grfs == 1 || inst->imm != HD_GEN9_SURFACE_STATELESS) {
      write_access(l, inst, single);
      return;
   }
   for (l->half = 0; l->half < HD_GEN9_WHOLE; l->half++)
      write_access(l, inst, false);
}

/* Spills and reloads */

static void
write_slot_message(hd_gen9_layout *l, bool store, unsigned value, bool single)
{
   const hd_gen9_message_info *info =
       &hd_gen9_message_infos[store ? HD_GEN9_MESSAGE_WRITE : HD_GEN9_MESSAGE_READ];

   write_message(l, info, info->desc[grfs_of(l, single) - 1] | HD_GEN9_SURFACE_SCRATCH,
                 (message){ .address = l->width->temp,
                            .num_addresses = 1,
                            .data = value,
                            .num_data = store,
                            .to = store ? -1 : (int)value,
                            .single = single });
}

/* A scalar: in the thread's scratch memory, after that of its lanes. */
static void
write_scalar_slot(hd_gen9_layout *l, const hd_mach_operand *value, bool store, uint32_t slot)
{
   const hd_gen9_operand data = hd_gen9_dst_operand(l->width->data, HD_GEN9_TYPE_UD);

   hd_gen9_write_imm(l, HD_GEN9_ONE, HD_GEN9_ADD, temp_dst(l),
                     hd_gen9_scalar_operand(HD_GEN9_GRF_THREAD, 4, HD_GEN9_TYPE_UD),
                     l->p->scratch_size * l->width->lanes + 4 * slot);
   if (store)
      hd_gen9_write(l, HD_GEN9_ONE, HD_GEN9_MOV, data,
                    hd_gen9_single_operand(value, HD_GEN9_TYPE_UD));
   write_slot_message(l, store, store ? l->width->data : l->width->temp, true);
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
      const uint32_t slot = l->p->spill_offset / 4 + (uint32_t)inst->imm + n;
      hd_gen9_write_imm(l, HD_GEN9_ACTIVE, HD_GEN9_ADD, temp_dst(l),
                        hd_gen9_grf_operand(l->width->scratch, HD_GEN9_TYPE_UD),
                        slot * 4 * l->width->lanes);
      write_slot_message(l, store, hd_gen9_grf_of(l, value) + n * l->width->grfs, false);
   }
}

/* The whole thread: 8 channels */

static void
write_thread_message(hd_gen9_layout *l, hd_gen9_message kind, int to, unsigned payload,
                     uint32_t ex_desc)
{
   const hd_gen9_message_info *info = &hd_gen9_message_infos[kind];

   write_send(l, HD_GEN9_ALL, HD_GEN9_SEND, to, payload, info->unit | ex_desc,
              info->desc[0] | PAYLOAD(1) | (to >= 0 ? ANSWER(1) : 0));
}

void
hd_gen9_write_barrier(hd_gen9_layout *l)
{
   const unsigned temp = l->width->temp;
   hd_gen9_operand group = temp_dst(l);

   group.subreg = 8;
   l->half = 0;
   /* What was written is there before the others go on. */
   write_thread_message(l, HD_GEN9_MESSAGE_FENCE, (int)temp, HD_GEN9_GRF_HEADER, 0);
   hd_gen9_write_constant(l, HD_GEN9_ALL, temp_dst(l), HD_GEN9_TYPE_UD, 0);
   hd_gen9_write_imm(l, HD_GEN9_ONE, HD_GEN9_AND, group,
                     hd_gen9_scalar_operand(HD_GEN9_GRF_HEADER, 8, HD_GEN9_TYPE_UD), 0x8f000000);
   write_thread_message(l, HD_GEN9_MESSAGE_BARRIER, -1, temp, 0);
   l->half = HD_GEN9_WHOLE;
   hd_gen9_append_word(l, HD_GEN9_ONE, HD_GEN9_WAIT)->dst =
       (hd_gen9_operand){ .reg = HD_GEN9_ARF_NOTIFICATION };
}

void
hd_gen9_write_end(hd_gen9_layout *l)
{
   l->half = 0;
   hd_gen9_write(l, HD_GEN9_ALL, HD_GEN9_MOV, hd_gen9_dst_operand(HD_GEN9_GRF_END, HD_GEN9_TYPE_UD),
                 hd_gen9_grf_operand(HD_GEN9_GRF_HEADER, HD_GEN9_TYPE_UD));
   write_thread_message(l, HD_GEN9_MESSAGE_END, -1, HD_GEN9_GRF_END, END_OF_THREAD);
   l->half = HD_GEN9_WHOLE;
}
