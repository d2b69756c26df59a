/* SPDX-License-Identifier: MIT */
/* message.c - execution of send: memory accesses, barriers, end of thread.
 *
 * A payload is consecutive registers: offsets or addresses of the channels, then their data, a register
 * (two for 16 channels) for each dword.
 */
#include <inttypes.h>

#include "backend/gen9/sim/sim.h"
#include "util/bytes.h"

/* Who is asked. */
enum { UNIT_GATEWAY = 3, UNIT_SPAWNER = 7, UNIT_DATA0 = 10, UNIT_DATA1 = 12 };

typedef struct message {
   gen9_sim *s;
   gen9_thread *t;
   uint32_t desc, channels;
   unsigned first, num; /* channels of the payload; the first one's number in the thread */
   unsigned surface;
   unsigned address, data;           /* bytes of the register file where these begin; */
   unsigned address_size, data_size; /* and how many there are */
   unsigned result, result_size;
} message;

static bool
get(message *m, unsigned from, unsigned size_there, unsigned at, unsigned size, uint64_t *value)
{
   *value = 0;
   if (at + size > size_there || from + at + size > sizeof(m->t->grf))
      return hd_gen9_sim_fail(m->s, "the message reads byte %u of its payload, which has %u",
                              at + size - 1, size_there);
   *value = get_number(&m->t->grf[from + at], size);
   return true;
}

static bool
put(message *m, unsigned at, unsigned size, uint64_t value)
{
   if (at + size > m->result_size || m->result + at + size > sizeof(m->t->grf))
      return hd_gen9_sim_fail(m->s, "the response has byte %u, but the message says %u bytes",
                              at + size - 1, m->result_size);
   put_number(&m->t->grf[m->result + at], size, value);
   return true;
}

/* The offset or address of channel n. */
static bool
address_of(message *m, bool wide, unsigned n, uint64_t *address)
{
   const unsigned size = wide ? 8 : 4;

   return get(m, m->address, m->address_size, n * size, size, address);
}

/* Dword k of the data of channel n. */
static unsigned
place_in_data(const message *m, unsigned n, unsigned k)
{
   return (k * m->num + n) * 4;
}

static bool
load(message *m, bool wide, uint64_t address, unsigned size, uint64_t *value)
{
   return wide ? hd_gen9_sim_load_address(m->s, address, size, value)
               : hd_gen9_sim_load_surface(m->s, m->surface, (uint32_t)address, size, value);
}

static bool
store(message *m, bool wide, uint64_t address, unsigned size, uint64_t value)
{
   return wide ? hd_gen9_sim_store_address(m->s, address, size, value)
               : hd_gen9_sim_store_surface(m->s, m->surface, (uint32_t)address, size, value);
}

static bool
is_on(const message *m, unsigned n)
{
   m->s->channel = (int)(m->first + n);
   return m->channels >> (m->first + n) & 1;
}

/* Up to four dwords side by side; those that `left_out` has a bit for are not in the payload. */
static bool
untyped(message *m, bool wide, bool writes, unsigned left_out)
{
   uint64_t address, value;

   for (unsigned n = 0; n < m->num; n++) {
      if (!is_on(m, n))
         continue;
      if (!address_of(m, wide, n, &address))
         return false;
      for (unsigned c = 0, k = 0; c < 4; c++) {
         if (left_out >> c & 1)
            continue;
         const unsigned at = place_in_data(m, n, k++);
         if (writes ? !get(m, m->data, m->data_size, at, 4, &value) ||
                          !store(m, wide, address + 4 * c, 4, value)
                    : !load(m, wide, address + 4 * c, 4, &value) || !put(m, at, 4, value))
            return false;
      }
   }
   return true;
}

/* A unit of 1, 2 or 4 bytes for each channel, in a dword. */
static bool
scattered(message *m, bool writes, unsigned size)
{
   uint64_t address, value;

   for (unsigned n = 0; n < m->num; n++) {
      const unsigned at = place_in_data(m, n, 0);
      if (!is_on(m, n))
         continue;
      if (!address_of(m, false, n, &address))
         return false;
      if (writes ? !get(m, m->data, m->data_size, at, size, &value) ||
                       !store(m, false, address, size, value)
                 : !load(m, false, address, size, &value) || !put(m, at, 4, value))
         return false;
   }
   return true;
}

/* Blocks of bytes, dwords or quadwords side by side, by 64-bit addresses. */
static bool
scattered_wide(message *m, bool writes, unsigned size, unsigned blocks)
{
   uint64_t address, value;

   for (unsigned n = 0; n < m->num; n++) {
      if (!is_on(m, n))
         continue;
      if (!address_of(m, true, n, &address))
         return false;
      for (unsigned k = 0; k < blocks; k++) {
         const unsigned dwords = size == 8 ? 2 : 1;
         const unsigned at = dwords == 2
                                 ? (k * m->num + n) * 8
                                 : place_in_data(m, n, size == 1 ? 0 : k) + (size == 1 ? k : 0);
         if (writes ? !get(m, m->data, m->data_size, at, size, &value) ||
                          !store(m, true, address + (uint64_t)size * k, size, value)
                    : !load(m, true, address + (uint64_t)size * k, size, &value) ||
                          !put(m, at, size == 1 ? 1 : size, value))
            return false;
      }
   }
   return true;
}

/* What memory has afterwards. */
static uint64_t
atomic_result(unsigned op, unsigned size, uint64_t old, uint64_t a, uint64_t b)
{
   const uint64_t mask = size == 8 ? UINT64_MAX : UINT32_MAX;
   const int64_t x = size == 8 ? (int64_t)old : (int32_t)(uint32_t)old,
                 y = size == 8 ? (int64_t)a : (int32_t)(uint32_t)a;

   switch (op) {
   case 1:
      return old & a;
   case 2:
      return old | a;
   case 3:
      return old ^ a;
   case 4:
      return a;
   case 5:
      return (old + 1) & mask;
   case 6:
   case 15:
      return (old - 1) & mask;
   case 7:
      return (old + a) & mask;
   case 8:
      return (old - a) & mask;
   case 9:
      return (a - old) & mask;
   case 10:
      return x > y ? old : a;
   case 11:
      return x < y ? old : a;
   case 12:
      return old > a ? old : a;
   case 13:
      return old < a ? old : a;
   default: /* 14: the second operand where the first one is there */
      return old == a ? b : old;
   }
}

static bool
atomic(message *m, bool wide, unsigned op, unsigned size, bool answers)
{
   const unsigned operands = op == 5 || op == 6 || op == 15 ? 0 : op == 14 ? 2 : 1;
   const unsigned dwords = size / 4;
   uint64_t address, old, v[2] = { 0, 0 };

   if (!op)
      return hd_gen9_sim_fail(m->s, "the simulator does not run atomic operation %u of %u bytes",
                              op, size);
   for (unsigned n = 0; n < m->num; n++) {
      if (!is_on(m, n))
         continue;
      if (!address_of(m, wide, n, &address))
         return false;
      for (unsigned k = 0; k < operands; k++) {
         const unsigned at = (k * m->num + n) * size;
         if (!get(m, m->data, m->data_size, at, size, &v[k]))
            return false;
      }
      if (!load(m, wide, address, size, &old) ||
          !store(m, wide, address, size, atomic_result(op, size, old, v[0], v[1])))
         return false;
      if (answers && !put(m, n * dwords * 4, size, op == 15 ? old - 1 : old))
         return false;
   }
   return true;
}

/* 16 bytes or more at an address that the header has, for the thread. */
static bool
block_wide(message *m, bool writes)
{
   static const uint8_t sizes[8] = { 16, 16, 32, 64, 128 };
   const unsigned num = sizes[m->desc >> 8 & 7];
   uint64_t address, value;

   if (!num || !(m->desc >> 19 & 1))
      return hd_gen9_sim_fail(m->s, "invalid block: size %u, aligned to dwords %u", num,
                              m->desc >> 19 & 1);
   if (!get(m, m->address - HD_GEN9_GRF_BYTES, HD_GEN9_GRF_BYTES, 0, 8, &address))
      return false;
   for (unsigned n = 0; n < num; n += 4) {
      if (writes ? !get(m, m->data, m->data_size, n, 4, &value) ||
                       !store(m, true, address + n, 4, value)
                 : !load(m, true, address + n, 4, &value) || !put(m, n, 4, value))
         return false;
   }
   return true;
}

/* Registers to or from the scratch memory of the thread. */
static bool
scratch_block(message *m)
{
   static const uint8_t sizes[] = { 1, 2, 4, 8 };
   const unsigned num = sizes[m->desc >> 12 & 3] * HD_GEN9_GRF_BYTES;
   const uint64_t from = m->t->scratch + (uint64_t)(m->desc & 0xfff) * HD_GEN9_GRF_BYTES;
   const bool writes = m->desc >> 17 & 1;
   const gen9_memory *memory = &m->s->scratch;
   uint64_t value;

   if (from + num > memory->size)
      return hd_gen9_sim_fail(m->s,
                              "%u bytes at 0x%" PRIx64 " of scratch memory, which has 0x%" PRIx64,
                              num, from, (uint64_t)memory->size);
   for (unsigned n = 0; n < num; n += 4) {
      if (!(m->channels >> (n / 4 % 8) & 1))
         continue;
      if (writes) {
         if (!get(m, m->data, m->data_size, n, 4, &value))
            return false;
         hd_gen9_sim_store(m->s, memory, "scratch memory", from + n, 4, value);
      } else if (!put(m, n, 4, get_number(memory->data + from + n, 4))) {
         return false;
      }
   }
   return true;
}

static bool
data0(message *m)
{
   const unsigned type = m->desc >> 14 & 15;
   static const uint8_t sizes[] = { 1, 2, 4, 0 };
   const unsigned size = sizes[m->desc >> 10 & 3];

   if (m->desc >> 18 & 1)
      return scratch_block(m);
   m->num = m->desc >> 8 & 1 ? 16 : 8;
   switch (type) {
   case 4:
   case 12:
      return size ? scattered(m, type == 12, size)
                  : hd_gen9_sim_fail(m->s, "there is no such size of units");
   case 7: /* a fence: all accesses are done in their order */
      return true;
   default:
      return hd_gen9_sim_fail(m->s, "the simulator does not run message %u of data cache 0", type);
   }
}

static bool
data1(message *m)
{
   const unsigned type = m->desc >> 14 & 31, op = m->desc >> 8 & 15;
   static const uint8_t sizes[] = { 1, 4, 8, 0 };
   static const uint8_t modes[] = { 0, 16, 8, 0 };
   const unsigned mode = modes[m->desc >> 12 & 3];

   switch (type) {
   case 0x01: /* untyped */
   case 0x09:
   case 0x11: /* the same by 64-bit addresses */
   case 0x19:
      m->num = mode;
      if (!mode)
         return hd_gen9_sim_fail(m->s,
                                 "untyped message %u: expected 8 or 16 channels, found mode %u",
                                 type, m->desc >> 12 & 3);
      return untyped(m, type >= 0x10, (type & 8) != 0, op);
   case 0x02: /* atomics */
      m->num = m->desc >> 12 & 1 ? 8 : 16;
      return atomic(m, false, op, 4, m->desc >> 13 & 1);
   case 0x12:
      m->num = 8;
      return atomic(m, true, op, m->desc >> 12 & 1 ? 8 : 4, m->desc >> 13 & 1);
   case 0x10:
   case 0x1a:
      m->num = m->desc >> 12 & 1 ? 16 : 8;
      if (!sizes[m->desc >> 8 & 3])
         return hd_gen9_sim_fail(m->s, "there is no such size of units");
      return scattered_wide(m, type == 0x1a, sizes[m->desc >> 8 & 3], 1u << (m->desc >> 10 & 3));
   case 0x14: /* blocks */
   case 0x15:
      return block_wide(m, type == 0x15);
   default:
      return hd_gen9_sim_fail(m->s, "the simulator does not run message %u of data cache 1", type);
   }
}

static bool
gateway(message *m)
{
   if ((m->desc & 7) != 4)
      return hd_gen9_sim_fail(
          m->s, "the simulator runs barrier messages (4) of the gateway, found %u", m->desc & 7);
   m->t->came = true;
   return true;
}

bool
hd_gen9_sim_send(gen9_sim *s, gen9_thread *t, const hd_gen9_word *w, uint32_t channels)
{
   const bool split = hd_gen9_info_of(w)->shape == HD_GEN9_CLASS_SENDS;
   const uint32_t desc = w->desc_reg ? (uint32_t)get_number(t->address, 4) : w->desc;
   const unsigned header = desc >> 19 & 1, length = desc >> 25 & 15;
   message m = { .s = s,
                 .t = t,
                 .desc = desc,
                 .channels = channels,
                 .first = 4u * w->chan,
                 .surface = desc & 255,
                 .address = w->src[0].reg * HD_GEN9_GRF_BYTES,
                 .address_size = length * HD_GEN9_GRF_BYTES,
                 .data = w->src[1].reg * HD_GEN9_GRF_BYTES,
                 .data_size = (w->ex_desc >> 6 & 15) * HD_GEN9_GRF_BYTES,
                 .result = w->dst.reg * HD_GEN9_GRF_BYTES,
                 .result_size =
                     w->dst.file == HD_GEN9_GRF ? (desc >> 20 & 31) * HD_GEN9_GRF_BYTES : 0 };
   bool good;

   if (w->ex_desc_reg)
      return hd_gen9_sim_fail(
          s, "the simulator does not support an extended descriptor in a register");
   if (header) {
      m.address += HD_GEN9_GRF_BYTES;
      m.address_size -= length ? HD_GEN9_GRF_BYTES : 0;
   }
   switch (w->ex_desc & 15) {
   case UNIT_GATEWAY:
      good = gateway(&m);
      break;
   case UNIT_SPAWNER:
      good = (w->ex_desc & 0x20) != 0 ||
             hd_gen9_sim_fail(
                 s, "expected a message with EOT to the thread spawner, found one without");
      break;
   case UNIT_DATA0:
   case UNIT_DATA1: {
      const bool is0 = (w->ex_desc & 15) == UNIT_DATA0;
      if (!split) { /* the data stands after the addresses */
         const bool wide = !is0 && (desc >> 14 & 31) >= 0x10;
         const bool sixteen = is0 ? desc >> 8 & 1 : (desc >> 12 & 3) == 1;
         const unsigned addresses =
             is0 && desc >> 18 & 1 ? 0 : (sixteen ? 2u : 1u) * (wide ? 2u : 1u) * HD_GEN9_GRF_BYTES;
         m.data = m.address + addresses;
         m.data_size = m.address_size > addresses ? m.address_size - addresses : 0;
      }
      good = is0 ? data0(&m) : data1(&m);
      break;
   }
   default:
      return hd_gen9_sim_fail(s, "the simulator does not run messages to shared function %" PRIu32,
                              w->ex_desc & 15);
   }
   s->channel = -1;
   if (good && w->ex_desc & 0x20)
      t->done = true;
   return good;
}
