/* SPDX-License-Identifier: MIT */
#include "sem_memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "backend/gcn/sim/exec_memory.h"

/* Every byte differs from its neighbours. */
static uint8_t
byte_at(uint64_t place)
{
   return (uint8_t)(place * 37 + (place >> 8) * 11 + 5);
}

void
sem_fill_memory(hd_gcn_wave *wave)
{
   for (unsigned n = 0; n < SEM_MEMORY_SIZE; n++)
      sem_memory()[n] = byte_at(n);
   for (unsigned n = 0; n < wave->lds_size; n++)
      wave->lds[n] = byte_at(n);
}

uint64_t
sem_little_endian(const uint8_t *bytes, unsigned size)
{
   uint64_t x = 0;
   for (unsigned n = 0; n < size; n++)
      x |= (uint64_t)bytes[n] << 8 * n;
   return x;
}

/* Names tell the width. */
static unsigned
bytes_of(const char *name, bool *is_signed)
{
   static const struct {
      const char *word;
      unsigned bytes;
      bool is_signed;
   } rows[] = { { "ubyte", 1, false },     { "sbyte", 1, true },     { "ushort", 2, false },
                { "sshort", 2, true },     { "short", 2, false },    { "byte", 1, false },
                { "dwordx16", 64, false }, { "dwordx8", 32, false }, { "dwordx4", 16, false },
                { "dwordx3", 12, false },  { "dwordx2", 8, false },  { "dword", 4, false },
                { "_u8", 1, false },       { "_i8", 1, true },       { "_u16", 2, false },
                { "_i16", 2, true },       { "_b8", 1, false },      { "_b16", 2, false },
                { "_b128", 16, false },    { "_b96", 12, false },    { "_b64", 8, false },
                { "_b32", 4, false } };

   for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
      if (strstr(name, rows[n].word)) {
         *is_signed = rows[n].is_signed;
         return rows[n].bytes;
      }
   }
   fail_msg("%s: how wide?", name);
   return 0;
}

const char *
sem_name(hd_gcn_op op)
{
   for (int gen = HD_GCN_NUM_GENS - 1; gen >= 0; gen--) {
      if (hd_gcn_op_name(&hd_gcn_op_infos[op], gen))
         return hd_gcn_op_name(&hd_gcn_op_infos[op], gen);
   }
   return "?";
}

uint64_t
sem_place(const sem_way *w, unsigned lane, unsigned byte)
{
   if (!w->interleaved)
      return w->first + (uint64_t)lane * w->stride + byte;
   const uint64_t within = w->first + byte;
   return (within / 4 * HD_GCN_LANES + lane) * 4 + within % 4;
}

/* `size` bytes of a lane. */
static uint64_t
read_bytes(const sem_way *w, unsigned lane, unsigned first, unsigned size)
{
   uint64_t x = 0;
   for (unsigned n = 0; n < size; n++)
      x |= (uint64_t)w->space[sem_place(w, lane, first + n)] << 8 * n;
   return x;
}

static const uint32_t old_value = 0xa1b2c3d4;

/* What a load leaves in the first register. */
static uint32_t
extended(const char *name, uint32_t x, unsigned bytes, bool is_signed, uint32_t old)
{
   if (bytes < 4) {
      const uint32_t mask = (1u << 8 * bytes) - 1;
      x &= mask;
      if (is_signed && x >> (8 * bytes - 1))
         x |= ~mask;
   }
   if (strstr(name, "d16_hi"))
      return (old & 0xffff) | x << 16;
   if (strstr(name, "d16"))
      return (old & 0xffff0000) | (x & 0xffff);
   return x;
}

void
sem_check_load(hd_gcn_wave *wave, const hd_mach_inst *inst, const sem_way *w, uint64_t exec)
{
   const char *name = sem_name((hd_gcn_op)inst->op);
   bool is_signed = false;
   const unsigned bytes = bytes_of(name, &is_signed);

   for (unsigned l = 0; l < HD_GCN_LANES; l++) {
      wave->vgpr[SEM_DEF][l] = old_value;
      wave->vgpr_undef[SEM_DEF][l] = 0;
   }
   w->space_undef[sem_place(w, 1, 0)] = 0x80;
   sem_run(wave, inst);
   w->space_undef[sem_place(w, 1, 0)] = 0;
   for (unsigned l = 0; l < HD_GCN_LANES; l++) {
      if (!(exec >> l & 1)) {
         assert_int_equal(wave->vgpr[SEM_DEF][l], old_value);
         continue;
      }
      for (unsigned d = 0; d < (bytes + 3) / 4; d++) {
         const unsigned size = bytes - 4 * d < 4 ? bytes - 4 * d : 4;
         const uint32_t x = (uint32_t)read_bytes(w, l, 4 * d, size);
         const uint32_t want = bytes < 4 ? extended(name, x, bytes, is_signed, old_value) : x;
         if (wave->vgpr[SEM_DEF + d][l] != want)
            fail_msg("%s by %s, lane %u: 0x%" PRIx32 ", it should be 0x%" PRIx32, name, w->name, l,
                     wave->vgpr[SEM_DEF + d][l], want);
      }
      uint32_t undef = l != 1 ? 0 : extended(name, 0x80, bytes, is_signed, 0);
      assert_int_equal(wave->vgpr_undef[SEM_DEF][l], undef);
   }
}

void
sem_check_store(hd_gcn_wave *wave, const hd_mach_inst *inst, const sem_way *w, uint64_t exec,
                unsigned data)
{
   const char *name = sem_name((hd_gcn_op)inst->op);
   bool is_signed = false;
   const unsigned bytes = bytes_of(name, &is_signed);
   const unsigned shift = strstr(name, "d16_hi") ? 2 : 0;
   static uint8_t before[SEM_MEMORY_SIZE];

   for (unsigned l = 0; l < HD_GCN_LANES; l++) {
      for (unsigned d = 0; d < 4; d++) {
         wave->vgpr[data + d][l] = (l * 4 + d) * 0x01030507u + 0x9badf00du;
         wave->vgpr_undef[data + d][l] = l == 2 ? 0x01020304 : 0;
      }
   }
   memcpy(before, w->space, w->size);
   sem_run(wave, inst);
   for (unsigned l = 0; l < HD_GCN_LANES; l++) {
      for (unsigned n = 0; n < w->stride; n++) {
         const bool stored = exec >> l & 1 && n < bytes;
         const unsigned from = n + shift;
         const uint8_t value = (uint8_t)(wave->vgpr[data + from / 4][l] >> 8 * (from % 4));
         const uint8_t undef = (uint8_t)(wave->vgpr_undef[data + from / 4][l] >> 8 * (from % 4));
         const uint64_t to = sem_place(w, l, n);
         if (w->space[to] != (stored ? value : before[to]))
            fail_msg("%s by %s, lane %u, byte %u", name, w->name, l, n);
         assert_int_equal(w->space_undef[to], stored ? undef : 0);
      }
   }
   memcpy(w->space, before, w->size);
   memset(w->space_undef, 0, w->size);
}

static uint64_t
old_or_new(const char *what, unsigned bits, uint64_t old, uint64_t x, uint64_t y)
{
   const uint64_t all = bits == 64 ? UINT64_MAX : UINT32_MAX, top = UINT64_C(1) << (bits - 1);
   const bool less = (x ^ top) < (old ^ top);

   if (strcmp(what, "swap") == 0 || strcmp(what, "wrxchg") == 0)
      return x;
   if (strcmp(what, "cmpswap") == 0 || strcmp(what, "cmpst") == 0)
      return old == y ? x : old;
   if (strcmp(what, "add") == 0)
      return (old + x) & all;
   if (strcmp(what, "sub") == 0)
      return (old - x) & all;
   if (strcmp(what, "rsub") == 0)
      return (x - old) & all;
   if (strcmp(what, "smin") == 0)
      return less ? x : old;
   if (strcmp(what, "smax") == 0)
      return less ? old : x;
   if (strcmp(what, "umin") == 0)
      return x < old ? x : old;
   if (strcmp(what, "umax") == 0)
      return x < old ? old : x;
   if (strcmp(what, "and") == 0)
      return old & x;
   if (strcmp(what, "or") == 0)
      return old | x;
   if (strcmp(what, "xor") == 0)
      return old ^ x;
   if (strcmp(what, "inc") == 0)
      return old >= x ? 0 : old + 1;
   if (strcmp(what, "dec") == 0)
      return old == 0 || old > x ? x : old - 1;
   if (strcmp(what, "mskor") == 0)
      return (old & ~x) | y;
   if (strcmp(what, "wrap") == 0)
      return (old >= x ? old - x : old + y) & all;
   fail_msg("what is %s?", what);
   return 0;
}

/* The word behind `prefix` of a name; DS names have the type behind it. */
static void
atomic_word(const char *name, const char *prefix, char word[32])
{
   assert_true(strlen(name) > strlen(prefix));
   const char *begin = name + strlen(prefix);
   const size_t length = strcspn(begin, "_");

   memcpy(word, begin, length);
   word[length] = '\0';
   if (strncmp(prefix, "ds_", 3) == 0 && (strcmp(word, "min") == 0 || strcmp(word, "max") == 0)) {
      const char *type = strrchr(name, '_') + 1;
      memmove(word + 1, word, 4);
      word[0] = type[0] == 'i' ? 's' : 'u';
   }
}

void
sem_check_atomic(hd_gcn_wave *wave, const hd_mach_inst *inst, const sem_way *w, const char *prefix,
                 unsigned data, unsigned data2, bool returns, bool swapped)
{
   const char *name = sem_name((hd_gcn_op)inst->op);
   const unsigned bytes = strstr(name, "64") || strstr(name, "_x2") ? 8 : 4;
   uint64_t seed = inst->op, x[HD_GCN_LANES], y[HD_GCN_LANES], old[HD_GCN_LANES];
   char word[32];

   atomic_word(name, prefix, word);
   for (unsigned l = 0; l < HD_GCN_LANES; l++) {
      old[l] = sem_corner(&seed, 8 * bytes);
      x[l] = l % 4 == 1 ? old[l] : sem_corner(&seed, 8 * bytes);
      y[l] = l % 4 ? old[l] : sem_corner(&seed, 8 * bytes);
      for (unsigned n = 0; n < bytes; n++)
         w->space[sem_place(w, l, n)] = (uint8_t)(old[l] >> 8 * n);
      sem_set(wave, data, l, 8 * bytes, swapped ? y[l] : x[l], 0);
      sem_set(wave, data2, l, 8 * bytes, swapped ? x[l] : y[l], 0);
      if (!returns && data != SEM_DEF)
         sem_set(wave, SEM_DEF, l, 64, old_value, 0);
   }
   sem_run(wave, inst);
   for (unsigned l = 0; l < HD_GCN_LANES; l++) {
      const uint64_t got = read_bytes(w, l, 0, bytes);
      const uint64_t want = old_or_new(word, 8 * bytes, old[l], x[l], y[l]);
      if (got != want)
         fail_msg("%s by %s, lane %u of 0x%" PRIx64 " 0x%" PRIx64 " 0x%" PRIx64 ": 0x%" PRIx64
                  ", it should be 0x%" PRIx64,
                  name, w->name, l, old[l], x[l], y[l], got, want);
      if (returns)
         assert_int_equal(sem_get(wave, inst->operands[0].reg - HD_GCN_VGPR0, l, 8 * bytes),
                          old[l]);
      else if (data != SEM_DEF)
         assert_int_equal(sem_get(wave, SEM_DEF, l, 32), old_value);
   }
}
