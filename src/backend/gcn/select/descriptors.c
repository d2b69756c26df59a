/* SPDX-License-Identifier: MIT */
/* descriptors.c - instruction selection: load descriptors of buffers, images and samplers from their
 * descriptor set.
 *
 *    s_load_dwordx4 resource, pointer of the set, offset + stride * element
 *
 * An HSA kernel has the address of each descriptor among its arguments, and constant samplers in its code.
 *
 * A loaded descriptor is reused where the block that loaded it dominates. One with a constant index is
 * hoisted out of the loops around the access: nothing writes descriptors.
 */
#include <stdlib.h>

#include "backend/gcn/select/smem.h"

/* Which descriptor. */
typedef struct wanted {
   const hd_gcn_binding *binding;
   const hd_def *index; /* NULL: the element is known */
   uint32_t element;
   hd_gcn_descriptor_kind kind;
} wanted;

static bool
is_hsa(const hd_gcn_selector *s)
{
   return hd_gcn_of(s->p)->options->abi == HD_GCN_ABI_HSA;
}

static const hd_gcn_binding *
find_binding(const hd_gcn_memory_state *m, uint32_t set, uint32_t number)
{
   uint32_t low = 0, high = m->num_bindings;

   while (low < high) {
      const uint32_t mid = low + (high - low) / 2;
      const hd_gcn_binding *b = m->bindings[mid];
      if (b->set == set && b->binding == number)
         return b;
      if (b->set < set || (b->set == set && b->binding < number))
         low = mid + 1;
      else
         high = mid;
   }
   return NULL;
}

static bool
find_wanted(hd_gcn_selector *s, const hd_intrinsic *i, const hd_src *array_index, wanted *w)
{
   const bool sampler = w->kind == HD_GCN_OF_SAMPLER;
   const uint32_t set = hd_intrinsic_index(i, sampler ? HD_INDEX_SAMPLER_SET : HD_INDEX_SET);
   const uint32_t number =
       hd_intrinsic_index(i, sampler ? HD_INDEX_SAMPLER_BINDING : HD_INDEX_BINDING);
   const hd_const *c = hd_src_as_const(array_index);

   w->binding = find_binding(s->memory, set, number);
   w->index = c ? NULL : array_index->def;
   w->element = c ? c->value[0].u32 : 0;
   if (!w->binding || set >= HD_GCN_MAX_SETS)
      return hd_mach_refuse(s->p, &i->instr,
                            "the ABI does not provide the descriptor of set %u, binding %u", set,
                            number);
   if (!c && !hd_src_is_uniform(array_index) && !(i->instr.flags & HD_ASSUME_UNIFORM))
      return hd_mach_refuse(
          s->p, &i->instr,
          "expected a uniform index of a descriptor, found a divergent one: run lower_nonuniform");
   return true;
}

static hd_gcn_known_descriptor *
slot_of(hd_gcn_memory_state *m, const wanted *w)
{
   const uint64_t key = ((uint64_t)w->binding->set << 32 | w->binding->binding) * 31 + w->kind +
                        (w->index ? ~(uint64_t)w->index->index : w->element);
   uint32_t h = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32);

   for (;; h++) {
      hd_gcn_known_descriptor *d = &m->descriptors[h & m->descriptor_mask];
      if (!d->binding || (d->binding == w->binding && d->index == w->index &&
                          d->element == w->element && d->kind == w->kind))
         return d;
   }
}

/* What a block loaded is there in `b`, however lanes reached it. */
static bool
is_good_in(const hd_block *from, const hd_block *b)
{
   const hd_cycle *cycle = hd_block_cycle(from);

   return hd_block_dominates(from, b) && (!cycle || hd_cycle_contains(cycle, b));
}

/* The block before all loops around this one. */
static const hd_block *
before_loops(const hd_block *b)
{
   for (const hd_cycle *c = hd_block_cycle(b); c; c = hd_block_cycle(b)) {
      b = hd_block_idom(c->header);
      /* A declared header can be dominated by blocks of its own cycle. */
      while (hd_cycle_contains(c, b))
         b = hd_block_idom(b);
   }
   return b;
}

static hd_mach_operand
load_descriptor(hd_gcn_selector *s, const hd_gcn_binding *b, hd_mach_operand pointer,
                const wanted *w)
{
   const unsigned words = w->kind == HD_GCN_OF_IMAGE ? 8 : 4;
   const uint32_t first =
       is_hsa(s) ? 0 : b->offset + (w->kind == HD_GCN_OF_SAMPLER ? b->sampler : 0);
   hd_mach_operand resource, place;
   hd_mach_inst *load;

   if (!w->index) {
      const uint64_t offset = first + (uint64_t)b->stride * w->element;
      if (offset <= INT32_MAX)
         return hd_gcn_load_scalar(s, pointer, (uint32_t)offset, words, HD_MACH_MEMORY_CONSTANT);
      pointer = hd_gcn_add_wide_const(s, HD_GCN_SGPR, pointer, (int64_t)offset);
      return hd_gcn_load_scalar(s, pointer, 0, words, HD_MACH_MEMORY_CONSTANT);
   }
   /* A register counts bytes on all generations. */
   const hd_mach_operand element = hd_gcn_in_sgprs(s, w->index);
   place = hd_gcn_new(s, HD_GCN_SGPR, 1);
   if (b->stride && !(b->stride & (b->stride - 1)))
      hd_gcn_emit2(s, HD_GCN_S_LSHL_B32, place, element,
                   hd_gcn_imm(s, (uint32_t)__builtin_ctz(b->stride)));
   else
      hd_gcn_emit2(s, HD_GCN_S_MUL_I32, place, element, hd_gcn_imm(s, b->stride));
   if (first)
      place = hd_gcn_add(s, place, hd_gcn_imm(s, first));
   resource = hd_gcn_new(s, HD_GCN_SGPR, words);
   load = hd_gcn_emit_full(s, words == 8 ? HD_GCN_S_LOAD_DWORDX8 : HD_GCN_S_LOAD_DWORDX4, 1,
                           &resource, 2, (hd_mach_operand[]){ pointer, place }, 0);
   load->memory = HD_MACH_MEMORY_CONSTANT;
   return resource;
}

/* The words of a constant sampler; NULL if it is none. */
static const uint32_t *
constant_sampler(const hd_gcn_selector *s, const hd_intrinsic *i)
{
   const hd_gcn_options *options = hd_gcn_of(s->p)->options;

   for (uint32_t n = 0; is_hsa(s) && n < options->num_samplers; n++) {
      if (!hd_intrinsic_index(i, HD_INDEX_SAMPLER_SET) &&
          hd_intrinsic_index(i, HD_INDEX_SAMPLER_BINDING) == options->samplers[n].binding)
         return options->samplers[n].words;
   }
   return NULL;
}

/* NULL: it was refused. */
static hd_gcn_known_descriptor *
descriptor_of(hd_gcn_selector *s, const hd_intrinsic *i, hd_gcn_descriptor_kind kind,
              const hd_src *array_index)
{
   hd_mach_block *here = s->block;
   wanted w = { .kind = kind };

   if (!find_wanted(s, i, array_index, &w))
      return NULL;
   hd_gcn_known_descriptor *known = slot_of(s->memory, &w);
   if (known->binding && is_good_in(known->block, here->ir))
      return known;
   hd_mach_operand pointer = hd_gcn_abi_get(
       s->p, is_hsa(s) ? HD_GCN_START_KERNARG : (hd_gcn_start)(HD_GCN_START_SET + w.binding->set));
   if (!pointer.size) {
      hd_mach_refuse(s->p, &i->instr, "the ABI does not provide descriptor set %u", w.binding->set);
      return NULL;
   }
   if (!w.index)
      s->block = s->p->by_ir[before_loops(here->ir)->node.index];
   if (is_hsa(s))
      pointer = hd_gcn_load_scalar(s, pointer, w.binding->offset, 2, HD_MACH_MEMORY_CONSTANT);
   *known = (hd_gcn_known_descriptor){ .binding = w.binding,
                                       .index = w.index,
                                       .element = w.element,
                                       .kind = kind,
                                       .block = s->block->ir,
                                       .resource = load_descriptor(s, w.binding, pointer, &w) };
   s->block = here;
   return known;
}

hd_mach_operand
hd_gcn_descriptor(hd_gcn_selector *s, const hd_mach_ir_access *a)
{
   const hd_gcn_known_descriptor *known =
       descriptor_of(s, a->intrinsic, HD_GCN_OF_BUFFER, a->array_index);

   return known ? known->resource : (hd_mach_operand){ .reg = HD_MACH_NO_REG };
}

hd_mach_operand
hd_gcn_image_descriptor(hd_gcn_selector *s, const hd_intrinsic *i, hd_gcn_descriptor_kind kind,
                        const hd_src *index)
{
   const uint32_t *words = kind == HD_GCN_OF_SAMPLER ? constant_sampler(s, i) : NULL;
   hd_mach_operand parts[4];

   if (words) {
      for (unsigned n = 0; n < 4; n++)
         parts[n] = hd_gcn_imm(s, words[n]);
      return hd_gcn_join(s, HD_GCN_SGPR, 4, parts);
   }
   const hd_gcn_known_descriptor *known = descriptor_of(s, i, kind, index);

   return known ? known->resource : (hd_mach_operand){ .reg = HD_MACH_NO_REG };
}

/* Components of 64 bits count only if both of their dwords are in the buffer: the end of the buffer
 * is moved down to where the last whole one ends, once, where the descriptor was loaded. That is
 * known where addresses are multiples of 8.
 */
hd_mach_operand
hd_gcn_descriptor_of_wholes(hd_gcn_selector *s, const hd_mach_ir_access *a)
{
   hd_gcn_known_descriptor *known =
       descriptor_of(s, a->intrinsic, HD_GCN_OF_BUFFER, a->array_index);
   hd_mach_block *here = s->block;
   hd_mach_operand words[4];

   if (!known)
      return (hd_mach_operand){ .reg = HD_MACH_NO_REG };
   if (known->wholes.size)
      return known->wholes;
   s->block = s->p->by_ir[known->block->node.index];
   const hd_mach_operand size = hd_gcn_new(s, HD_GCN_SGPR, 1);
   hd_gcn_parts(s, known->resource, 1, words);
   hd_gcn_emit2(s, HD_GCN_S_AND_B32, size, words[2], hd_gcn_imm(s, ~UINT32_C(7)));
   words[2] = size;
   known->wholes = hd_gcn_join(s, HD_GCN_SGPR, 4, words);
   s->block = here;
   return known->wholes;
}

/* The third word of a resource is the number of bytes. */
bool
hd_gcn_select_buffer_size(hd_gcn_selector *s, const hd_intrinsic *intrinsic)
{
   hd_mach_operand words[4];
   const hd_gcn_known_descriptor *known =
       descriptor_of(s, intrinsic, HD_GCN_OF_BUFFER, &intrinsic->src[0]);

   if (!known)
      return false;
   hd_gcn_parts(s, known->resource, 1, words);
   hd_gcn_set_value(s, &intrinsic->instr.def, words[2]);
   return true;
}
