/* SPDX-License-Identifier: MIT */
/* memory_access.c - instruction selection of loads and stores: the parts of a loaded value are combined,
 * a stored one is split into them.
 *
 * Components of 8 and 16 bits have a register each, whose upper bits are unspecified: a loaded value
 * need not be zero-extended.
 */
#include "backend/gcn/select/memory_access.h"

#include <assert.h>

uint16_t
hd_gcn_cache_bits(uint32_t access, bool loads)
{
   uint16_t bits = 0;

   if (loads && access & (HD_ACCESS_COHERENT | HD_ACCESS_VOLATILE))
      bits |= HD_GCN_GLC;
   if (access & HD_ACCESS_NONTEMPORAL)
      bits |= HD_GCN_GLC | HD_GCN_SLC;
   return bits;
}

uint16_t
hd_gcn_atomic_bits(uint32_t access, bool returns)
{
   return (returns ? HD_GCN_GLC : 0u) | (access & HD_ACCESS_NONTEMPORAL ? HD_GCN_SLC : 0u);
}

uint8_t
hd_gcn_access_memory(unsigned memory, uint32_t access, bool loads)
{
   if (access & HD_ACCESS_VOLATILE)
      return (uint8_t)(memory | HD_MACH_MEMORY_VOLATILE);
   return (uint8_t)(loads && access & HD_ACCESS_READONLY ? HD_MACH_MEMORY_CONSTANT : memory);
}

/* Taking apart and putting together */

/* low | high << by, of values in one file; `low` has nothing above. */
static hd_mach_operand
put_above(hd_gcn_selector *s, hd_mach_operand low, hd_mach_operand high, unsigned by)
{
   const hd_gcn_file file = hd_gcn_file_of(s, high);
   hd_mach_operand d = hd_gcn_new(s, file, 1);

   if (file == HD_GCN_SGPR) {
      hd_mach_operand up = hd_gcn_new(s, file, 1);
      hd_gcn_emit2(s, HD_GCN_S_LSHL_B32, up, high, hd_gcn_imm(s, by));
      hd_gcn_emit2(s, HD_GCN_S_OR_B32, d, low, up);
      return d;
   }
   if (hd_gcn_target_in(s->p)->gen == HD_GCN_GFX900) {
      hd_gcn_emit3(s, HD_GCN_V_LSHL_OR_B32, d, high, hd_gcn_imm(s, by), low);
      return d;
   }
   hd_mach_operand shifted = hd_gcn_new(s, HD_GCN_VGPR, 1);
   hd_gcn_emit2(s, HD_GCN_V_LSHLREV_B32, shifted, hd_gcn_imm(s, by), high);
   hd_gcn_emit2(s, HD_GCN_V_OR_B32, d, low, shifted);
   return d;
}

/* What was loaded, dword by dword. */
typedef struct loaded {
   hd_gcn_selector *s;
   unsigned num;
   const hd_mach_access_piece *pieces;
   hd_mach_operand dwords[HD_MACH_MAX_PIECES]; /* the first of each piece, then its others */
   uint8_t first[HD_MACH_MAX_PIECES];          /* in `dwords` */
   unsigned last;                              /* the piece that was found last: bytes go upwards */
} loaded;

static void
split_all(loaded *l, const hd_mach_operand *operands)
{
   unsigned num = 0;

   for (unsigned n = 0; n < l->num; n++) {
      l->first[n] = (uint8_t)num;
      hd_gcn_parts(l->s, operands[n], 1, &l->dwords[num]);
      num += operands[n].size;
   }
}

static unsigned
piece_at(loaded *l, unsigned byte)
{
   while (byte >= l->pieces[l->last].at + (unsigned)l->pieces[l->last].bytes)
      l->last++;
   return l->last;
}

/* `size` bytes, 1 to 4. */
static hd_mach_operand
bytes_at(loaded *l, unsigned byte, unsigned size)
{
   unsigned n = piece_at(l, byte), within = byte - l->pieces[n].at;
   hd_mach_operand value =
       hd_gcn_shift_right(l->s, l->dwords[l->first[n] + within / 4], within % 4 * 8);

   for (unsigned have = l->pieces[n].bytes - within; have < size;) {
      n = piece_at(l, byte + have);
      value = put_above(l->s, value, l->dwords[l->first[n]], have * 8);
      have += l->pieces[n].bytes;
   }
   return value;
}

/* The components are the parts of the pieces, as they are. */
static bool
are_whole(const hd_mach_ir_access *a, unsigned num, const hd_mach_access_piece *pieces)
{
   const unsigned component = a->bits / 8;

   for (unsigned n = 0; n < num; n++) {
      if (component < 4 || pieces[n].bytes % component)
         return false;
   }
   return true;
}

/* Is each component of 16 bits at an even place in one dword with the next one? */
static bool
is_packed(const hd_gcn_selector *s, const hd_mach_ir_access *a, unsigned num,
          const hd_mach_access_piece *pieces)
{
   for (unsigned n = 0; n < num; n++) {
      if (pieces[n].bytes % 4 && n + 1 < num)
         return false;
   }
   return a->bits == 16 && pieces[0].bytes >= 4 && !s->known[a->intrinsic->instr.def.index].late;
}

void
hd_gcn_set_loaded(hd_gcn_selector *s, const hd_mach_ir_access *a, unsigned num,
                  const hd_mach_access_piece *pieces, hd_mach_operand *operands)
{
   const hd_def *def = &a->intrinsic->instr.def;
   const unsigned component = a->bits / 8;
   hd_mach_operand parts[HD_MAX_COMPONENTS];
   loaded l = { .s = s, .num = num, .pieces = pieces };

   for (unsigned n = 0; n < num && s->known[def->index].read_back; n++)
      operands[n] = hd_gcn_to_file(s, HD_GCN_SGPR, operands[n]);

   if (num == 1 && (component >= 4 || a->components == 1)) {
      hd_gcn_set_value(s, def, operands[0]);
      return;
   }
   if (are_whole(a, num, pieces)) {
      for (unsigned n = 0, c = 0; n < num; n++) {
         hd_gcn_parts(s, operands[n], component / 4, &parts[c]);
         c += pieces[n].bytes / component;
      }
      hd_gcn_set_parts(s, def, parts);
      return;
   }
   split_all(&l, operands);
   for (unsigned c = 0; c < a->components; c++) {
      const unsigned at = c * component;
      if (component < 8) {
         parts[c] = bytes_at(&l, at, component);
      } else {
         hd_mach_operand halves[2] = { bytes_at(&l, at, 4), { 0 } };
         halves[1] = bytes_at(&l, at + 4, 4);
         parts[c] = hd_gcn_join(s, hd_gcn_file_of(s, halves[0]), 2, halves);
      }
   }
   hd_gcn_set_parts(s, def, parts);
   s->known[def->index].packed = is_packed(s, a, num, pieces);
}

/* Stores */

/* Whether all of these components are known; their bytes side by side. */
static bool
constant_bytes(const hd_def *value, unsigned first, unsigned num, uint32_t *bytes)
{
   const hd_const *c = hd_instr_as_const(hd_def_instr(value));

   *bytes = 0;
   for (unsigned n = 0; c && n < num; n++)
      *bytes |= value->bit_size == 8 ? (uint32_t)c->value[first + n].u8 << (8 * n)
                                     : (uint32_t)c->value[first + n].u16 << (16 * n);
   return c != NULL;
}

/* Up to four bytes of components of 8 or 16 bits, in one register. */
static hd_mach_operand
pack_small(hd_gcn_selector *s, const hd_mach_ir_access *a, unsigned at, unsigned bytes)
{
   const unsigned size = a->bits / 8, first = at / size, num = bytes / size;
   hd_mach_operand parts[4] = { { 0 } };
   uint32_t known;

   if (constant_bytes(a->value, first, num, &known))
      return hd_gcn_constant_in(s, HD_GCN_VGPR, known);
   if (num == 2) {
      const hd_mach_operand dword = hd_gcn_packed_dword(s, a->value, first);
      if (dword.size)
         return hd_gcn_to_file(s, HD_GCN_VGPR, dword);
   }
   for (unsigned n = 0; n < num; n++)
      parts[n] = hd_gcn_component(s, a->value, first + n);
   if (num == 1)
      return hd_gcn_to_file(s, HD_GCN_VGPR, parts[0]);
   if (num == 2)
      return hd_gcn_pack(s, parts[0], parts[1], a->bits);
   const hd_mach_operand low = hd_gcn_pack(s, parts[0], parts[1], 8);
   return hd_gcn_pack(s, low, hd_gcn_pack(s, parts[2], parts[3], 8), 16);
}

/* A dword of components of 32 or 64 bits. */
static hd_mach_operand
dword_of(hd_gcn_selector *s, const hd_mach_ir_access *a, unsigned dword)
{
   hd_mach_operand halves[2];

   if (a->bits == 32)
      return hd_gcn_component(s, a->value, dword);
   hd_gcn_parts(s, hd_gcn_component(s, a->value, dword / 2), 1, halves);
   return halves[dword % 2];
}

/* Is all of the component that begins there stored, and in registers? */
static bool
is_whole(hd_gcn_selector *s, const hd_mach_ir_access *a, unsigned at, hd_mach_access_piece piece)
{
   return at % 8 == 0 && at + 8 <= (unsigned)piece.at + piece.bytes &&
          !hd_gcn_is_constant(hd_gcn_component(s, a->value, at / 8));
}

hd_mach_operand
hd_gcn_piece_to_store(hd_gcn_selector *s, const hd_mach_ir_access *a, hd_mach_access_piece piece)
{
   const unsigned component = a->bits / 8;
   hd_mach_operand parts[4];

   if (piece.bytes < 4) {
      if (component > piece.bytes) {
         hd_mach_operand from = component < 4 ? hd_gcn_component(s, a->value, piece.at / component)
                                              : dword_of(s, a, piece.at / 4u);
         const unsigned by = piece.at % (component < 4 ? component : 4) * 8;
         return hd_gcn_to_file(s, HD_GCN_VGPR,
                               hd_gcn_shift_right(s, hd_gcn_to_file(s, HD_GCN_VGPR, from), by));
      }
      return pack_small(s, a, piece.at, piece.bytes);
   }
   if (component >= 4 && piece.bytes == a->components * component)
      return hd_gcn_in_vgprs(s, a->value);
   unsigned num = 0;
   for (unsigned at = piece.at; at < (unsigned)piece.at + piece.bytes; at += 4) {
      if (component == 8 && is_whole(s, a, at, piece)) {
         parts[num++] = hd_gcn_component(s, a->value, at / 8u);
         at += 4;
      } else {
         parts[num++] = component < 4 ? pack_small(s, a, at, 4) : dword_of(s, a, at / 4u);
      }
   }
   return hd_gcn_join(s, HD_GCN_VGPR, num, parts);
}
