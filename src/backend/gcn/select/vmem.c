/* SPDX-License-Identifier: MIT */
/* vmem.c - instruction selection of loads and stores of global memory, buffers and scratch (VMEM).
 *
 *              gfx9                          gfx8               gfx6
 *    global    global_*  saddr + v:32 + imm  flat_*  v:64       buffer_*  resource of an SGPR pair,
 *              or v:64 + imm                                    + v:32 or v:64 (addr64) + imm
 *    buffer    buffer_*  descriptor, v:32 + imm, or imm and a uniform soffset
 *    scratch   buffer_*  resource of scratch, v:32 + imm, soffset of the wave
 *
 * The address of global memory is a sum: its uniform terms are the base where the machine adds one,
 * a 32-bit term that is zero-extended is the offset. What is constant goes into the instruction.
 *
 * Buffers: the machine checks each dword on its own, without wrapping, as the shader's components
 * are checked. Components of 64 bits lie in two dwords: see hd_gcn_descriptor_of_wholes.
 */
#include "backend/gcn/select/smem.h"

#include "analysis/known_bits.h"
#include "heddle/op_enum.h"

#define MAX_MUBUF_OFFSET 4095
#define BYTES_OF_ACCESS  128 /* at most */
/* A position past the end of every buffer, with any offset. */
#define OUTSIDE (~UINT32_C(3))

/* The terms of an address */

#define MAX_TERMS  3u
#define MAX_LEVELS 8

typedef struct terms {
   const hd_def *uniform[MAX_TERMS];
   unsigned num_uniform;
   const hd_def *rest;  /* 64 bits, divergent; NULL: none */
   const hd_def *small; /* 32 bits, zero-extended and shifted, in place of the rest; or NULL */
   unsigned shift;
   int64_t offset;
   const hd_def *whole; /* all terms but constants that were added last: the value as it is there */
   int64_t whole_offset;
} terms;

static bool
constant_of(const hd_def *def, uint64_t *value)
{
   const hd_const *c = hd_instr_as_const(hd_def_instr(def));

   if (c)
      *value = def->bit_size == 64 ? c->value[0].u64 : c->value[0].u32;
   return c != NULL;
}

/* What `def` is the zero-extension of, or NULL. */
static const hd_def *
extended(const hd_def *def)
{
   const hd_alu *alu = hd_instr_as_alu(hd_def_instr(def));
   uint64_t high;

   if (!alu)
      return NULL;
   if (alu->instr.op == HD_OP_U2U && alu->src[0].def->bit_size == 32)
      return alu->src[0].def;
   if (alu->instr.op != HD_OP_PACK_64_2X32)
      return NULL;
   const hd_alu *vec = hd_instr_as_alu(hd_def_instr(alu->src[0].def));
   if (!vec || vec->instr.op != HD_OP_VEC || !constant_of(vec->src[1].def, &high) || high)
      return NULL;
   return vec->src[0].def;
}

/* Levels of operands that are looked at to see that: an index of an index, and what a pass has taken apart. */
#define INDEX_DEPTH (HD_KNOWN_DEPTH + 2u)

/* A term of 32 bits, as one: zero-extended, and shifted so far that nothing is lost. */
static bool
take_small(terms *t, const hd_def *def)
{
   const hd_alu *alu = hd_instr_as_alu(hd_def_instr(def));
   uint64_t by = 0;

   if (alu && alu->instr.op == HD_OP_ISHL && constant_of(alu->src[1].def, &by))
      def = alu->src[0].def;
   const hd_def *small = extended(def);
   if (!small || by > 31)
      return false;
   if (by && hd_known_most(hd_known_bits_within(small, INDEX_DEPTH), 32) >> (32 - by))
      return false;
   t->small = small;
   t->shift = (unsigned)by;
   return true;
}

static bool
is_uniform_here(const hd_gcn_selector *s, const hd_def *def)
{
   return hd_def_is_uniform_at(def, s->block->ir) && hd_gcn_is_scalar(s, def);
}

/* `def` = uniform terms + the divergent rest + offset = whole + whole_offset. */
static void
find_terms(const hd_gcn_selector *s, const hd_def *def, terms *t)
{
   t->whole = def;
   for (int level = 0; level < MAX_LEVELS; level++) {
      const hd_alu *alu = hd_instr_as_alu(hd_def_instr(def));
      uint64_t value;
      if (!alu || alu->instr.op != HD_OP_IADD)
         break;
      for (unsigned n = 0; n < 2; n++) {
         const hd_def *term = alu->src[n].def;
         if (constant_of(term, &value) && (int64_t)value == (int32_t)value) {
            t->offset += (int64_t)value;
            if (!t->num_uniform) {
               t->whole = alu->src[!n].def;
               t->whole_offset = t->offset;
            }
         } else if (t->num_uniform < MAX_TERMS && is_uniform_here(s, term)) {
            t->uniform[t->num_uniform++] = term;
         } else {
            continue;
         }
         def = alu->src[!n].def;
         alu = NULL;
         break;
      }
      if (alu)
         break;
   }
   if (t->num_uniform < MAX_TERMS && is_uniform_here(s, def))
      t->uniform[t->num_uniform++] = def;
   else if (!take_small(t, def))
      t->rest = def;
}

/* The sum of the uniform terms in an SGPR pair; size 0 if there are none. */
static hd_mach_operand
uniform_sum(hd_gcn_selector *s, const terms *t)
{
   hd_mach_operand sum = hd_gcn_nothing();

   for (unsigned n = 0; n < t->num_uniform; n++) {
      const hd_mach_operand term = hd_gcn_in_sgprs(s, t->uniform[n]);
      sum = n ? hd_gcn_add_wide(s, HD_GCN_SGPR, sum, term) : term;
   }
   return sum;
}

static hd_mach_operand
small_term(hd_gcn_selector *s, const terms *t)
{
   const hd_mach_operand small = hd_gcn_in_vgprs(s, t->small);

   if (!t->shift)
      return small;
   hd_mach_operand d = hd_gcn_new(s, HD_GCN_VGPR, 1);
   hd_gcn_emit2(s, HD_GCN_V_LSHLREV_B32, d, hd_gcn_imm(s, t->shift), small);
   return d;
}

/* Of 64 bits; only where there is a rest or a small term. */
static hd_mach_operand
wide_rest(hd_gcn_selector *s, const terms *t)
{
   if (t->rest)
      return hd_gcn_in_vgprs(s, t->rest);
   return hd_gcn_join(s, HD_GCN_VGPR, 2, (hd_mach_operand[]){ small_term(s, t), hd_gcn_imm(s, 0) });
}

/* Split an offset that is out of reach: what the instruction can have, and the rest. */
static int64_t
beyond(int64_t offset, int64_t least, int64_t most, int32_t *near)
{
   if (offset >= least && offset + BYTES_OF_ACCESS <= most + 1) {
      *near = (int32_t)offset;
      return 0;
   }
   *near = (int32_t)(offset & 2047);
   return offset - *near;
}

/* Global memory */

/* The kernarg segment, push constants and constant data are read as global memory too. */
static bool
base_of(hd_gcn_selector *s, const hd_mach_ir_access *a, hd_mach_operand *base)
{
   *base = a->memory == HD_MEMORY_GLOBAL ? hd_gcn_nothing() : hd_gcn_segment(s, a);
   return base->size || a->memory == HD_MEMORY_GLOBAL;
}

static void
global_gfx9(hd_gcn_selector *s, const terms *t, hd_mach_operand base, hd_gcn_place *place)
{
   const bool by_parts = base.size && !t->rest;
   int64_t more = beyond(by_parts ? t->offset : t->whole_offset, -4096, 4095, &place->offset);

   place->by = HD_GCN_BY_GLOBAL;
   place->resource = by_parts ? base : hd_gcn_nothing();
   if (!by_parts) {
      /* A base and 64 bits: the machine adds only one of them, so the sum is taken as it is. */
      place->vaddr = hd_gcn_in_vgprs(s, t->whole);
      if (more)
         place->vaddr = hd_gcn_add_wide_const(s, HD_GCN_VGPR, place->vaddr, more);
      return;
   }
   if (!t->small && more >= 0 && more <= UINT32_MAX) {
      place->vaddr = hd_gcn_constant_in(s, HD_GCN_VGPR, (uint32_t)more);
      return;
   }
   if (more)
      place->resource = hd_gcn_add_wide_const(s, HD_GCN_SGPR, base, more);
   place->vaddr = t->small ? small_term(s, t) : hd_gcn_constant_in(s, HD_GCN_VGPR, 0);
}

/* FLAT has no offsets: they are added piece by piece. */
static void
global_gfx8(hd_gcn_selector *s, const terms *t, hd_mach_operand base, hd_gcn_place *place)
{
   place->by = HD_GCN_BY_FLAT;
   if (!t->rest && !t->small) {
      if (t->offset)
         base = hd_gcn_add_wide_const(s, HD_GCN_SGPR, base, t->offset);
      place->vaddr = hd_gcn_to_file(s, HD_GCN_VGPR, base);
      return;
   }
   if (t->whole) {
      place->vaddr = hd_gcn_in_vgprs(s, t->whole);
   } else {
      /* A segment that the ABI points to. */
      place->vaddr = hd_gcn_add_wide(s, HD_GCN_VGPR, base, wide_rest(s, t));
   }
   const int64_t offset = t->whole ? t->whole_offset : t->offset;
   if (offset)
      place->vaddr = hd_gcn_add_wide_const(s, HD_GCN_VGPR, place->vaddr, offset);
}

/* Word 3 of a resource on gfx6: a format of 32 bits, for accesses that don't convert. */
#define RESOURCE_FORMAT 0xf000u

/* A raw buffer that begins at `base`. Without an address of 64 bits the machine checks the offset:
 * all are in, but for the last byte of 4 GiB. Found again in the block.
 */
static hd_mach_operand
resource_at(hd_gcn_selector *s, hd_mach_operand base, bool addr64)
{
   hd_gcn_resource *last = &s->memory->resource[addr64];
   hd_mach_operand words[4] = { hd_gcn_imm(s, 0), hd_gcn_imm(s, 0),
                                hd_gcn_imm(s, addr64 ? 0 : UINT32_MAX),
                                hd_gcn_imm(s, RESOURCE_FORMAT) };

   if (last->tag == s->block->index + 1 && last->base == (base.size ? base.value : 0))
      return last->resource;
   if (base.size)
      hd_gcn_parts(s, base, 1, words);
   *last = (hd_gcn_resource){ s->block->index + 1, base.size ? base.value : 0,
                              hd_gcn_join(s, HD_GCN_SGPR, 4, words) };
   return last->resource;
}

static void
global_gfx6(hd_gcn_selector *s, const terms *t, hd_mach_operand base, unsigned bytes,
            hd_gcn_place *place)
{
   const bool offen = t->small && base.size && bytes > 1;
   const bool addr64 = (t->rest || t->small) && !offen;
   int64_t more = beyond(t->offset, 0, MAX_MUBUF_OFFSET, &place->offset);

   place->by = HD_GCN_BY_MUBUF;
   place->soffset = hd_gcn_imm(s, 0);
   place->vaddr = hd_gcn_nothing();
   if (more > 0 && more <= UINT32_MAX) {
      /* The check of an offset does not count what is added here. */
      place->soffset = hd_gcn_constant_in(s, HD_GCN_SGPR, (uint32_t)more);
   } else if (more) {
      base = base.size ? hd_gcn_add_wide_const(s, HD_GCN_SGPR, base, more) : base;
      if (!base.size) {
         place->vaddr = hd_gcn_add_wide_const(s, HD_GCN_VGPR, wide_rest(s, t), more);
      }
   }
   if (addr64 && !place->vaddr.size)
      place->vaddr = wide_rest(s, t);
   else if (offen)
      place->vaddr = small_term(s, t);
   place->resource = resource_at(s, base, addr64);
   place->bits |= addr64 ? HD_GCN_ADDR64 : offen ? HD_GCN_OFFEN : 0;
}

static bool
find_global(hd_gcn_selector *s, const hd_mach_ir_access *a, hd_gcn_place *place)
{
   const hd_def *address = a->address->def;
   terms t = { .offset = 0 };
   hd_mach_operand base;

   if (!base_of(s, a, &base))
      return false;
   if (a->memory != HD_MEMORY_GLOBAL) {
      t.small = address;
   } else {
      find_terms(s, address, &t);
      base = uniform_sum(s, &t);
   }
   t.offset += a->offset;
   t.whole_offset += a->offset;
   place->memory = a->memory == HD_MEMORY_GLOBAL ? HD_MACH_MEMORY_GLOBAL : HD_MACH_MEMORY_CONSTANT;
   switch (hd_gcn_target_in(s->p)->gen) {
   case HD_GCN_GFX600:
      global_gfx6(s, &t, base, a->bits / 8, place);
      break;
   case HD_GCN_GFX803:
      global_gfx8(s, &t, base, place);
      break;
   default:
      global_gfx9(s, &t, base, place);
      break;
   }
   return true;
}

/* Buffers */

/* position + offset without wrapping: what does not fit in 32 bits is past the end of any buffer.
 */
static hd_mach_operand
sum_that_stays(hd_gcn_selector *s, const hd_def *position, int64_t offset)
{
   hd_mach_operand value = hd_gcn_in_vgprs(s, position), sum = hd_gcn_new(s, HD_GCN_VGPR, 1);
   const hd_known_bits known = hd_known_bits_of(position);

   if (offset >= 0 ? hd_known_most(known, 32) + (uint64_t)offset <= UINT32_MAX
                   : hd_known_least(known) >= (uint64_t)-offset)
      return hd_gcn_add(s, value, hd_gcn_imm(s, (uint32_t)offset));
   const hd_mach_operand wraps = hd_gcn_new_mask(s);
   hd_mach_operand d = hd_gcn_new(s, HD_GCN_VGPR, 1);
   if (offset >= 0)
      hd_gcn_emit_full(s, HD_GCN_V_ADD_CO_U32, 2, (hd_mach_operand[]){ sum, wraps }, 2,
                       (hd_mach_operand[]){ hd_gcn_imm(s, (uint32_t)offset), value }, 0);
   else
      hd_gcn_emit_full(s, HD_GCN_V_SUBREV_CO_U32, 2, (hd_mach_operand[]){ sum, wraps }, 2,
                       (hd_mach_operand[]){ hd_gcn_imm(s, (uint32_t)-offset), value }, 0);
   hd_gcn_emit3(s, HD_GCN_V_CNDMASK_B32, d, sum, hd_gcn_imm(s, OUTSIDE), wraps);
   return d;
}

/* A position that all lanes share needs no VGPR. From gfx8 on the check of the bounds counts it;
 * what is added to it does not wrap.
 */
static bool
can_be_soffset(const hd_gcn_selector *s, const hd_mach_ir_access *a)
{
   const hd_def *position = a->address->def;
   int32_t near;

   return hd_gcn_target_in(s->p)->gen >= HD_GCN_GFX803 &&
          hd_def_instr(position)->kind != HD_INSTR_CONST && s->known[position->index].scalar &&
          hd_def_is_uniform_at(position, s->block->ir) &&
          !beyond(a->offset, 0, MAX_MUBUF_OFFSET, &near) && near == a->offset;
}

static void
find_position(hd_gcn_selector *s, const hd_mach_ir_access *a, hd_gcn_place *place)
{
   uint64_t constant;

   if (can_be_soffset(s, a)) {
      place->soffset = hd_gcn_in_sgprs(s, a->address->def);
      place->offset = a->offset;
      return;
   }
   if (constant_of(a->address->def, &constant)) {
      const int64_t at = (int64_t)constant + a->offset;
      if (at >= 0 && at + BYTES_OF_ACCESS <= MAX_MUBUF_OFFSET + 1) {
         place->offset = (int32_t)at;
         return;
      }
      place->vaddr =
          hd_gcn_constant_in(s, HD_GCN_VGPR, at < 0 || at > UINT32_MAX ? OUTSIDE : (uint32_t)at);
   } else {
      int32_t near;
      int64_t more = beyond(a->offset, 0, MAX_MUBUF_OFFSET, &near);
      /* All of it or nothing: the machine checks what it adds, and that must not have wrapped. */
      place->offset = more ? 0 : near;
      place->vaddr = more ? sum_that_stays(s, a->address->def, a->offset)
                          : hd_gcn_in_vgprs(s, a->address->def);
   }
   place->bits |= HD_GCN_OFFEN;
}

static bool
is_multiple_of_8(const hd_mach_ir_access *a)
{
   return a->align_mul >= 8 && a->align_offset % 8 == 0;
}

static bool
find_buffer(hd_gcn_selector *s, const hd_mach_ir_access *a, hd_gcn_place *place)
{
   place->by = HD_GCN_BY_MUBUF;
   place->resource = a->bits == 64 && is_multiple_of_8(a) ? hd_gcn_descriptor_of_wholes(s, a)
                                                          : hd_gcn_descriptor(s, a);
   if (!place->resource.size)
      return false;
   place->soffset = hd_gcn_imm(s, 0);
   place->vaddr = hd_gcn_nothing();
   place->memory = HD_MACH_MEMORY_GLOBAL;
   find_position(s, a, place);
   return true;
}

/* Scratch: the lanes' dwords lie side by side, by the resource; an access is of one dword. */
static bool
find_scratch(hd_gcn_selector *s, const hd_mach_ir_access *a, hd_gcn_place *place)
{
   uint64_t constant;
   int64_t more;

   if (!hd_gcn_abi_scratch(s->p, &place->resource, &place->soffset))
      return hd_mach_refuse(s->p, &a->intrinsic->instr, "the ABI does not provide scratch memory");
   place->by = HD_GCN_BY_MUBUF;
   place->memory = HD_MACH_MEMORY_SCRATCH;
   place->vaddr = hd_gcn_nothing();
   if (constant_of(a->address->def, &constant)) {
      more = beyond((int64_t)constant + a->offset, 0, MAX_MUBUF_OFFSET, &place->offset);
      if (!more)
         return true;
      place->vaddr = hd_gcn_constant_in(s, HD_GCN_VGPR, (uint32_t)more);
   } else {
      more = beyond(a->offset, 0, MAX_MUBUF_OFFSET, &place->offset);
      place->vaddr = hd_gcn_in_vgprs(s, a->address->def);
      if (more)
         place->vaddr = hd_gcn_add(s, place->vaddr, hd_gcn_imm(s, (uint32_t)more));
   }
   place->bits |= HD_GCN_OFFEN;
   return true;
}

bool
hd_gcn_locate(hd_gcn_selector *s, const hd_mach_ir_access *a, hd_gcn_place *place)
{
   *place = (hd_gcn_place){ .offset = 0 };
   bool found = a->memory == HD_MEMORY_BUFFER    ? find_buffer(s, a, place)
                : a->memory == HD_MEMORY_SCRATCH ? find_scratch(s, a, place)
                                                 : find_global(s, a, place);

   place->memory = hd_gcn_access_memory(place->memory, a->access, !a->value);
   return found;
}

hd_mach_inst *
hd_gcn_emit_at(hd_gcn_selector *s, hd_gcn_op op, hd_mach_operand def, hd_mach_operand data,
               const hd_gcn_place *place, unsigned at)
{
   hd_mach_operand srcs[4], vaddr = place->vaddr;
   unsigned num = 0;

   if (place->by == HD_GCN_BY_FLAT && at)
      vaddr = hd_gcn_add_wide_const(s, HD_GCN_VGPR, vaddr, at);
   if (place->by == HD_GCN_BY_MUBUF && data.size)
      srcs[num++] = data;
   srcs[num++] = vaddr;
   if (place->by != HD_GCN_BY_MUBUF && data.size)
      srcs[num++] = data;
   if (place->by != HD_GCN_BY_FLAT)
      srcs[num++] = place->resource;
   if (place->by == HD_GCN_BY_MUBUF)
      srcs[num++] = place->soffset;
   hd_mach_inst *inst = hd_gcn_emit_full(s, op, def.size ? 1 : 0, &def, num, srcs, place->bits);
   inst->imm = place->by == HD_GCN_BY_FLAT ? 0 : place->offset + (int32_t)at;
   inst->memory = place->memory;
   return inst;
}

/* In a row of hd_gcn_access_ops. */
static unsigned
column(unsigned bytes)
{
   return bytes < 4 ? bytes - 1 : bytes / 4 < 3 ? 1 + bytes / 4 : bytes == 12 ? 4 : 5;
}

/* Components of 64 bits at addresses that are no multiples of 8: each has its own check. */
static bool
is_checked_here(const hd_mach_ir_access *a)
{
   return a->memory == HD_MEMORY_BUFFER && a->bits == 64 && !is_multiple_of_8(a);
}

/* What one instruction moves; in scratch memory a dword at most. */
static const hd_mach_access_size sizes[] = { { 16, 4 }, { 12, 4 }, { 8, 4 },
                                             { 4, 4 },  { 2, 2 },  { 1, 1 } };
static const hd_mach_access_size sizes_gfx6[] = {
   { 16, 4 }, { 8, 4 }, { 4, 4 }, { 2, 2 }, { 1, 1 }
};
/* Addresses need no alignment from gfx8 on, where drivers set SH_MEM_CONFIG so. In a buffer they do: its
 * bounds are checked dword by dword.
 */
static const hd_mach_access_size sizes_unaligned[] = { { 16, 1 }, { 12, 1 }, { 8, 1 },
                                                       { 4, 1 },  { 2, 1 },  { 1, 1 } };

static const hd_mach_access_size *
sizes_of(const hd_gcn_selector *s, const hd_mach_ir_access *a)
{
   if (a->memory == HD_MEMORY_SCRATCH)
      return &sizes[3];
   if (is_checked_here(a))
      return &sizes[2];
   if (hd_gcn_target_in(s->p)->gen == HD_GCN_GFX600)
      return sizes_gfx6;
   return a->memory == HD_MEMORY_GLOBAL ? sizes_unaligned : sizes;
}

/* The place of the component at `at`, or one past the end if not all of it is in the buffer. */
static hd_gcn_place
checked_place(hd_gcn_selector *s, const hd_mach_ir_access *a, const hd_gcn_place *place,
              unsigned at)
{
   hd_mach_operand words[4], most = hd_gcn_new(s, HD_GCN_SGPR, 1),
                             limit = hd_gcn_new(s, HD_GCN_SGPR, 1),
                             address = hd_gcn_new(s, HD_GCN_VGPR, 1);
   const hd_mach_operand inside = hd_gcn_new_mask(s);
   hd_gcn_place here = *place;

   hd_gcn_parts(s, place->resource, 1, words);
   hd_gcn_emit2(s, HD_GCN_S_MAX_U32, most, words[2], hd_gcn_imm(s, 7));
   hd_gcn_emit2(s, HD_GCN_S_SUB_U32, limit, most, hd_gcn_imm(s, 7));
   const hd_mach_operand sum = sum_that_stays(s, a->address->def, (int64_t)a->offset + at);
   hd_gcn_emit2(s, HD_GCN_V_CMP_GT_U32, inside, limit, sum);
   hd_gcn_emit3(s, HD_GCN_V_CNDMASK_B32, address, hd_gcn_imm(s, OUTSIDE), sum, inside);
   here.vaddr = address;
   here.soffset = hd_gcn_imm(s, 0);
   here.bits |= HD_GCN_OFFEN;
   here.offset = -(int32_t)at; /* hd_gcn_emit_at adds it again */
   return here;
}

/* Several pieces of one component of those share its check: `at` is that of the component. */
static hd_gcn_place
place_of_piece(hd_gcn_selector *s, const hd_mach_ir_access *a, const hd_gcn_place *place,
               hd_gcn_place *checked, hd_mach_access_piece piece)
{
   const unsigned component = piece.at & ~7u;

   if (!is_checked_here(a))
      return *place;
   if (piece.at == component)
      *checked = checked_place(s, a, place, component);
   return *checked;
}

/* The pieces of a load: of dwords, what lies before the first and behind the last that is read is not
 * loaded. Each dword of that is a piece with a constant in `loaded`, the others have none.
 */
static unsigned
cut_load(hd_gcn_selector *s, const hd_mach_ir_access *a, hd_mach_access_piece *pieces,
         hd_mach_operand *loaded)
{
   const hd_def *def = &a->intrinsic->instr.def;
   const bool whole = a->bits != 32 || a->components == 1 || s->known[def->index].late ||
                      a->access & HD_ACCESS_VOLATILE;
   const unsigned read = whole ? 0 : hd_gcn_components_read(def);
   hd_mach_ir_access part = *a;
   unsigned first = 0, end = a->components, num = 0;

   while (read && !(read >> first & 1))
      first++;
   while (read && !(read >> (end - 1) & 1))
      end--;
   part.components = end - first;
   part.align_offset = (a->align_offset + 4 * first) & (a->align_mul - 1);
   for (unsigned c = 0; c < first; c++, num++) {
      pieces[num] = (hd_mach_access_piece){ (uint8_t)(4 * c), 4 };
      loaded[num] = hd_gcn_imm(s, 0);
   }
   const unsigned last = num + hd_mach_cut(&part, sizes_of(s, &part), true, pieces + num);
   for (; num < last; num++) {
      pieces[num].at = (uint8_t)(pieces[num].at + 4 * first);
      loaded[num] = (hd_mach_operand){ 0 };
   }
   for (unsigned c = end; c < a->components; c++, num++) {
      pieces[num] = (hd_mach_access_piece){ (uint8_t)(4 * c), 4 };
      loaded[num] = hd_gcn_imm(s, 0);
   }
   return num;
}

bool
hd_gcn_select_vmem(hd_gcn_selector *s, const hd_mach_ir_access *a)
{
   hd_mach_access_piece pieces[HD_MACH_MAX_PIECES];
   hd_mach_operand loaded[HD_MACH_MAX_PIECES];
   hd_gcn_place place, checked = { .offset = 0 };

   if (!hd_gcn_locate(s, a, &place))
      return false;
   place.bits |= hd_gcn_cache_bits(a->access, !a->value);
   const unsigned num =
       a->value ? hd_mach_cut(a, sizes_of(s, a), true, pieces) : cut_load(s, a, pieces, loaded);
   for (unsigned n = 0; n < num; n++) {
      const unsigned bytes = pieces[n].bytes;
      if (!a->value && loaded[n].size)
         continue;
      const hd_gcn_place here = place_of_piece(s, a, &place, &checked, pieces[n]);
      if (a->value) {
         const hd_mach_operand data = hd_gcn_piece_to_store(s, a, pieces[n]);
         hd_gcn_emit_at(s, (hd_gcn_op)hd_gcn_access_ops[1][place.by][column(bytes)],
                        hd_gcn_nothing(), data, &here, pieces[n].at);
      } else {
         loaded[n] = hd_gcn_new(s, HD_GCN_VGPR, (bytes + 3) / 4);
         hd_gcn_emit_at(s, (hd_gcn_op)hd_gcn_access_ops[0][place.by][column(bytes)], loaded[n],
                        hd_gcn_nothing(), &here, pieces[n].at);
      }
   }
   if (!a->value)
      hd_gcn_set_loaded(s, a, num, pieces, loaded);
   return true;
}
