/* SPDX-License-Identifier: MIT */
/* smem.c - instruction selection of scalar loads (SMEM): which accesses are eligible; prefetch of arguments.
 *
 * A scalar load reads dwords at a uniform address through a cache that does not see what vector
 * stores write. So an access is one if its address is uniform and a multiple of 4, or if it is within
 * one dword, and if nothing that runs before it can have written what it reads (analysis/unwritten.h).
 * Pointers may lead to memory that ends with any byte; resources do not (gcn.h).
 *
 * Arguments and push constants at constant offsets, up to 16 dwords of each, are loaded at the start,
 * adjacent ones by one instruction: that hides their latency.
 */
#include "backend/gcn/select/smem.h"
#include "heddle/intrinsic_enum.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/known_bits.h"
#include "analysis/unwritten.h"

static int
by_binding(const void *a, const void *b)
{
   const hd_gcn_binding *x = *(const hd_gcn_binding *const *)a,
                        *y = *(const hd_gcn_binding *const *)b;

   if (x->set != y->set)
      return x->set < y->set ? -1 : 1;
   return x->binding < y->binding ? -1 : x->binding > y->binding;
}

/* Of an HSA kernel those of its arguments: `offset` is where the address of the descriptor lies. */
static const hd_gcn_binding *
find_bindings(hd_gcn_selector *s, uint32_t *num)
{
   const hd_gcn_options *options = hd_gcn_of(s->p)->options;

   if (options->abi == HD_GCN_ABI_DRIVER) {
      *num = options->driver->num_bindings;
      return options->driver->bindings;
   }
   hd_gcn_binding *bindings =
       hd_stack_alloc(s->p->stack, (options->num_kernargs + 1u) * sizeof(*bindings));
   *num = 0;
   for (uint32_t n = 0; n < options->num_kernargs; n++) {
      const hd_gcn_kernarg *a = &options->kernargs[n];
      if (a->kind == HD_GCN_KERNARG_IMAGE || a->kind == HD_GCN_KERNARG_SAMPLER)
         bindings[(*num)++] = (hd_gcn_binding){ .binding = a->binding, .offset = a->offset };
   }
   return bindings;
}

static void
sort_bindings(hd_gcn_selector *s, hd_gcn_memory_state *m)
{
   const hd_gcn_binding *bindings = find_bindings(s, &m->num_bindings);

   if (!m->num_bindings)
      return;
   m->bindings = hd_stack_alloc(s->p->stack, m->num_bindings * sizeof(*m->bindings));
   for (uint32_t n = 0; n < m->num_bindings; n++)
      m->bindings[n] = &bindings[n];
   qsort(m->bindings, m->num_bindings, sizeof(*m->bindings), by_binding);
}

void
hd_gcn_find_unwritten(hd_gcn_selector *s)
{
   hd_gcn_memory_state *m = hd_stack_alloc_zero(s->p->stack, sizeof(*m));
   uint32_t num_accesses = 0, capacity = 4;

   s->memory = m;
   m->unwritten = hd_stack_alloc_zero(s->p->stack, s->p->function->num_defs + 1);
   m->written = hd_find_unwritten(s->p->stack, s->p->function, m->unwritten);
   m->loaded = hd_stack_alloc_zero(s->p->stack, s->p->function->num_defs + 1);
   hd_foreach_block(b, s->p->function) {
      hd_foreach_instr(instr, b) {
         const hd_intrinsic *i = hd_instr_as_intrinsic(instr);
         if (!i)
            continue;
         const hd_intrinsic_info *info = hd_instr_intrinsic_info(instr);
         num_accesses += ((info->reads | info->writes) & HD_MEMORY_BUFFER) != 0 ||
                         instr->op == HD_INTRINSIC_BUFFER_SIZE;
         num_accesses += hd_gcn_is_image(i) ? 2 : 0; /* a sampler, too */
      }
   }
   sort_bindings(s, m);
   while (capacity < 2 * num_accesses)
      capacity *= 2;
   m->descriptors = hd_stack_alloc_zero(s->p->stack, capacity * sizeof(*m->descriptors));
   m->descriptor_mask = capacity - 1;
}

/* One instruction */

/* Where an access begins, in scalars: base (or a descriptor), a register, a constant. */
typedef struct scalar_place {
   bool buffer;
   bool may_wrap; /* it is promised that the sum does not, or that it does not matter */
   hd_mach_operand base, position; /* position: size 0 if there is none */
   const hd_def *of_position;
   int64_t offset;
   unsigned memory;
} scalar_place;

static bool
sum_wraps(const scalar_place *p, int64_t offset)
{
   return hd_known_most(hd_known_bits_of(p->of_position), 32) + (uint64_t)offset > UINT32_MAX;
}

/* position + offset, as the register of an instruction: of a buffer it must not wrap without a promise. */
static hd_mach_operand
offset_register(hd_gcn_selector *s, const scalar_place *p, int64_t offset)
{
   if (!offset)
      return p->position;
   const hd_mach_operand by = hd_gcn_imm(s, (uint32_t)offset);
   const hd_mach_operand sum = hd_gcn_new(s, HD_GCN_SGPR, 1);
   hd_gcn_emit2(s, HD_GCN_S_ADD_U32, sum, p->position, by);
   if (!p->buffer || p->may_wrap || !sum_wraps(p, offset))
      return sum;
   const hd_mach_operand outside = hd_gcn_new(s, HD_GCN_SGPR, 1);
   hd_gcn_emit2(s, HD_GCN_S_CSELECT_B32, outside, hd_gcn_imm(s, ~UINT32_C(3)), sum);
   return outside;
}

static hd_mach_operand
load_at(hd_gcn_selector *s, const scalar_place *p, unsigned at, unsigned size)
{
   const int64_t offset = p->offset + at;
   int32_t imm;

   /* Both fit into the instruction, which does not wrap. */
   if (p->position.size && p->buffer && hd_gcn_target_in(s->p)->gen >= HD_GCN_GFX900 &&
       hd_gcn_fits_smem(s, true, offset, &imm) && (p->may_wrap || !sum_wraps(p, offset)))
      return hd_gcn_emit_smem(s, true, p->base, p->position, offset, size, p->memory);
   if (p->position.size)
      return hd_gcn_emit_smem(s, p->buffer, p->base, offset_register(s, p, offset), 0, size,
                              p->memory);
   return hd_gcn_emit_smem(s, p->buffer, p->base, (hd_mach_operand){ 0 }, offset, size, p->memory);
}

/* Which dwords somebody reads, a bit each: one at least. */
static uint32_t
dwords_read(const hd_gcn_selector *s, const hd_mach_ir_access *a)
{
   const hd_def *def = &a->intrinsic->instr.def;
   const bool whole = a->bits != 32 || s->known[def->index].late;
   const uint32_t read = whole ? 0 : hd_gcn_components_read(def);

   return read ? read : UINT32_MAX;
}

/* The dword that an access lies in, from the access on. */
static hd_mach_operand
load_in_dword(hd_gcn_selector *s, scalar_place *p, const hd_mach_ir_access *a)
{
   const int64_t within = p->position.size ? a->align_offset % 4 : p->offset & 3;

   if (!p->position.size || (a->align_mul >= 4 && p->offset % 4 == within)) {
      p->offset -= within;
      return hd_gcn_shift_right(s, load_at(s, p, 0, 1), (unsigned)within * 8);
   }
   const hd_mach_operand at = offset_register(s, p, p->offset);
   const hd_mach_operand start = hd_gcn_new(s, HD_GCN_SGPR, 1);
   const hd_mach_operand by = hd_gcn_new(s, HD_GCN_SGPR, 1);
   const hd_mach_operand value = hd_gcn_new(s, HD_GCN_SGPR, 1);
   hd_gcn_emit2(s, HD_GCN_S_AND_B32, start, at, hd_gcn_imm(s, ~UINT32_C(3)));
   const hd_mach_operand dword = hd_gcn_emit_smem(s, p->buffer, p->base, start, 0, 1, p->memory);
   /* Of the shift the machine takes five bits: eight for each of the bytes before. */
   hd_gcn_emit2(s, HD_GCN_S_LSHL_B32, by, at, hd_gcn_imm(s, 3));
   hd_gcn_emit2(s, HD_GCN_S_LSHR_B32, value, dword, by);
   return value;
}

/* As few dwords as one instruction each can have, of which the first is read, and one of the upper half. The last
 * three of a buffer are loaded as four: its bounds are checked dword by dword.
 */
static unsigned
load_pieces(hd_gcn_selector *s, const scalar_place *p, unsigned bytes, uint32_t read,
            hd_mach_access_piece *pieces, hd_mach_operand *loaded)
{
   unsigned num = 0;

   for (unsigned at = 0; at < bytes; num++, read >>= pieces[num - 1].bytes / 4) {
      unsigned size = 16;
      while (size * 4 > bytes - at || (size > 1 && !(read >> size / 2 & ((1u << size / 2) - 1))))
         size /= 2;
      if (!(read & 1))
         size = 1;
      if (p->buffer && bytes - at == 12 && (read & 5) == 5) {
         hd_gcn_parts(s, load_at(s, p, at, 4), 1, loaded + num);
         for (unsigned n = 0; n < 3; n++)
            pieces[num + n] = (hd_mach_access_piece){ (uint8_t)(at + 4 * n), 4 };
         return num + 3;
      }
      pieces[num] = (hd_mach_access_piece){ (uint8_t)at, (uint8_t)(size * 4) };
      loaded[num] = read & 1 ? load_at(s, p, at, size) : hd_gcn_imm(s, 0);
      at += size * 4;
   }
   return num;
}

/* An access */

static bool
is_aligned(const hd_mach_ir_access *a, uint32_t to)
{
   int64_t address;

   /* What is known of a constant is more than what was promised of it. */
   if (a->memory != HD_MEMORY_GLOBAL && hd_gcn_constant_address(a, &address))
      return address % to == 0;
   return a->align_mul >= to && a->align_offset % to == 0;
}

/* Bytes of an access that is less than a dword and lies within one. */
static bool
is_in_dword(const hd_mach_ir_access *a, unsigned bytes)
{
   int64_t address;

   if (bytes >= 4 || a->memory == HD_MEMORY_GLOBAL)
      return false;
   if (hd_gcn_constant_address(a, &address))
      return (address & 3) + bytes <= 4;
   if (a->align_mul >= 4)
      return a->align_offset % 4 + bytes <= 4;
   return bytes == 1 || (bytes == 2 && a->align_mul == 2 && !a->align_offset);
}

static bool
can_be_smem(const hd_gcn_selector *s, const hd_mach_ir_access *a)
{
   const unsigned bytes = a->components * a->bits / 8;
   int64_t address;
   uint32_t place;

   if (a->memory & (HD_MEMORY_SHARED | HD_MEMORY_SCRATCH) ||
       !s->memory->unwritten[a->intrinsic->instr.def.index] ||
       !hd_def_is_uniform(&a->intrinsic->instr.def))
      return false;
   if (hd_gcn_is_known_argument(s, a, &place))
      return true;
   if (!hd_src_is_uniform(a->address) ||
       (!is_in_dword(a, bytes) && (bytes % 4 || !is_aligned(a, 4))))
      return false;
   if (a->memory == HD_MEMORY_BUFFER) {
      if (a->bits == 64 && !is_aligned(a, 8))
         return false;
      return hd_gcn_constant_address(a, &address) ? address >= 0 && address < INT32_MAX
                                                  : a->offset >= 0;
   }
   if (a->memory == HD_MEMORY_GLOBAL)
      return true;
   return hd_gcn_constant_address(a, &address) ? address >= 0 && address < INT32_MAX
                                               : a->offset >= 0;
}

bool
hd_gcn_intrinsic_is_scalar(const hd_gcn_selector *s, const hd_intrinsic *i)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);

   if (!hd_def_is_uniform(&i->instr.def))
      return false;
   if (hd_gcn_is_image(i))
      return hd_gcn_image_is_scalar(s, i);
   if (!info->reads || i->instr.op == HD_INTRINSIC_BUFFER_SIZE || info->flags & HD_CROSS_LANE ||
       i->instr.op >= HD_INTRINSIC_OWN)
      return true;
   const hd_mach_ir_access a = hd_mach_ir_access_of(i);
   return can_be_smem(s, &a);
}

bool
hd_gcn_is_vector_load(const hd_intrinsic *i)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);

   return info->reads && !info->writes && i->instr.op != HD_INTRINSIC_BUFFER_SIZE &&
          !(info->flags & HD_CROSS_LANE) && i->instr.op < HD_INTRINSIC_OWN && !hd_gcn_is_image(i);
}

hd_mach_operand
hd_gcn_segment(hd_gcn_selector *s, const hd_mach_ir_access *a)
{
   const bool push = a->memory == HD_MEMORY_PUSH;

   if (a->memory == HD_MEMORY_CONSTANT)
      return hd_gcn_abi_constants(s->p);
   const hd_mach_operand base =
       hd_gcn_abi_get(s->p, push ? HD_GCN_START_PUSH : HD_GCN_START_KERNARG);
   if (!base.size)
      hd_mach_refuse(s->p, &a->intrinsic->instr, "the ABI does not provide a pointer to %s",
                     push ? "the push constants" : "the arguments");
   return base;
}

static bool
find_scalar_place(hd_gcn_selector *s, const hd_mach_ir_access *a, scalar_place *p)
{
   *p = (scalar_place){ .offset = a->offset };
   p->memory =
       a->memory & HD_SHARED_WRITABLE && !(a->access & HD_ACCESS_READONLY) && s->memory->written
           ? HD_MACH_MEMORY_GLOBAL
           : HD_MACH_MEMORY_CONSTANT;
   if (a->memory == HD_MEMORY_GLOBAL) {
      int32_t imm;
      p->base = hd_gcn_in_sgprs(s, a->address->def);
      if (p->offset < 0 && !hd_gcn_fits_smem(s, false, p->offset, &imm)) {
         p->base = hd_gcn_add_wide_const(s, HD_GCN_SGPR, p->base, p->offset);
         p->offset = 0;
      }
      return true;
   }
   if (a->memory == HD_MEMORY_BUFFER) {
      p->buffer = true;
      p->may_wrap = a->access & (HD_ACCESS_INBOUNDS | HD_ACCESS_NOWRAP);
      p->base = a->bits == 64 ? hd_gcn_descriptor_of_wholes(s, a) : hd_gcn_descriptor(s, a);
   } else {
      p->base = hd_gcn_segment(s, a);
      if (!p->base.size)
         return false;
   }
   if (!hd_gcn_constant_address(a, &p->offset)) {
      p->of_position = a->address->def;
      p->position = hd_gcn_in_sgprs(s, a->address->def);
   }
   return p->base.size;
}

hd_gcn_answer
hd_gcn_try_smem(hd_gcn_selector *s, const hd_mach_ir_access *a)
{
   hd_mach_access_piece pieces[HD_MAX_COMPONENTS];
   hd_mach_operand loaded[HD_MAX_COMPONENTS + 1];
   scalar_place p;
   uint32_t place;

   if (!can_be_smem(s, a))
      return HD_GCN_NOT_MINE;
   if (s->memory->loaded[a->intrinsic->instr.def.index])
      return HD_GCN_SELECTED;
   if (hd_gcn_is_known_argument(s, a, &place))
      return hd_gcn_load_arguments(s, 1, &a->intrinsic) ? HD_GCN_SELECTED : HD_GCN_REFUSED;
   if (!find_scalar_place(s, a, &p))
      return HD_GCN_REFUSED;
   const unsigned bytes = a->components * a->bits / 8;
   unsigned num = 1;
   if (bytes < 4) {
      loaded[0] = load_in_dword(s, &p, a);
      pieces[0] = (hd_mach_access_piece){ 0, 4 };
   } else {
      num = load_pieces(s, &p, bytes, dwords_read(s, a), pieces, loaded);
   }
   hd_gcn_set_loaded(s, a, num, pieces, loaded);
   return HD_GCN_SELECTED;
}
