/* SPDX-License-Identifier: MIT */
/* lower_vars_to_scratch.c - move local variables to scratch memory.
 *
 *    var $x:32x3[5]                     %4 = ishl %i, 4
 *    store_var $x, %1, %i       =>      store_scratch %1, %4 offset=32 align_mul=16
 *
 * Each function has a frame in scratch, after the scratch that the shader has already and after the
 * frames of all functions that can be its callers; so functions that are never active together
 * share memory. The size of an element is rounded up to a power of two, or to a multiple of 16, and
 * is its alignment, up to 16. A boolean takes a byte.
 *
 *    @main   |---- main ----|
 *    @f      (called by main)|-- f --|
 *    @g      (called by main)|---- g ----|
 *    @h      (called by f)           |- h -|
 *
 * Requires:  valid IR, nothing more.
 * Preserves: all that depends on the graph alone.
 * Leaves:    variables that end past 2 GiB. Usually opt_inline, opt_vars_split,
 *            lower_vars_to_selects and opt_vars_to_ssa come before: what is left are large,
 *            dynamically indexed arrays.
 * Tests:     tests/passes/lower_vars_to_scratch.hd, tests/passes/test_run.c
 */
#include "heddle/build_ops.h"
#include "heddle/intrinsic_enum.h"
#include "passes/lower.h"
#include "util/ptr_map.h"

#define MOST_BYTES UINT32_C(0x7fffffff)
#define MOST_ALIGN 16u

/* Where a variable is. */
struct slot {
   uint32_t offset; /* of element 0 */
   uint32_t stride;
   uint32_t align;
   bool there;
};

struct part {
   hd_function *f;
   uint64_t base, end; /* bytes of scratch */
   uint32_t num_calls; /* of it, that are not yet looked at */
   bool changed;
};

static unsigned
bytes_of(const hd_var *var)
{
   return var->num_components * (var->bit_size == 1 ? 1u : var->bit_size / 8u);
}

static uint64_t
align_up(uint64_t n, uint32_t align)
{
   return (n + align - 1) & ~(uint64_t)(align - 1);
}

static uint32_t
align_of(const hd_var *var)
{
   uint32_t align = 1;

   while (align < bytes_of(var) && align < MOST_ALIGN)
      align *= 2;
   return align;
}

/* Slots for the variables of a function, from its base on; where they end. */
static uint64_t
place_vars(const struct part *part, struct slot *slots)
{
   uint64_t at = part->base;

   hd_foreach_var(var, part->f) {
      struct slot *slot = &slots[var->index];
      const uint64_t length = var->array_length ? var->array_length : 1;
      slot->align = align_of(var);
      slot->stride = (uint32_t)align_up(bytes_of(var), slot->align);
      const uint64_t offset = align_up(at, slot->align), end = offset + length * slot->stride;
      slot->there = end <= MOST_BYTES;
      slot->offset = (uint32_t)offset;
      at = slot->there ? end : at;
   }
   return at;
}

/* Callers before those that they call: there is no cycle. */
static void
place_parts(hd_shader *shader, struct part *parts, struct slot **slots)
{
   hd_stack *stack = hd_shader_stack(shader);
   struct part **work = hd_stack_alloc(stack, shader->num_functions * sizeof(*work));
   uint32_t num = 0, num_work = 0;
   hd_ptr_map index;

   hd_ptr_map_init(&index, stack, shader->num_functions);
   hd_foreach_function(f, shader) {
      parts[num].f = f;
      parts[num].base = align_up(shader->scratch_size, MOST_ALIGN);
      hd_ptr_map_set(&index, f, num++);
   }
   hd_foreach_function(f, shader) {
      hd_foreach_block(b, f) {
         pass_step(f, 1);
         hd_foreach_instr(i, b) {
            pass_step(f, 1);
            if (i->kind == HD_INSTR_CALL)
               parts[hd_ptr_map_get(&index, hd_instr_as_call(i)->callee)].num_calls++;
         }
      }
   }
   for (uint32_t n = num; n--;) {
      if (!parts[n].num_calls)
         work[num_work++] = &parts[n];
   }
   while (num_work) {
      struct part *part = work[--num_work];
      slots[part - parts] = hd_stack_alloc_zero(stack, (part->f->num_vars + 1) * sizeof(**slots));
      part->end = place_vars(part, slots[part - parts]);
      hd_foreach_block(b, part->f) {
         hd_foreach_instr(i, b) {
            if (i->kind != HD_INSTR_CALL)
               continue;
            struct part *callee = &parts[hd_ptr_map_get(&index, hd_instr_as_call(i)->callee)];
            const uint64_t base = align_up(part->end, MOST_ALIGN);
            callee->base = callee->base > base ? callee->base : base;
            if (--callee->num_calls == 0)
               work[num_work++] = callee;
         }
      }
   }
}

/* The address without the part that goes into the offset. */
static hd_def *
address_of(hd_builder *b, const struct slot *slot, hd_def *index, uint32_t *offset)
{
   const hd_const *constant = index ? hd_instr_as_const(hd_def_instr(index)) : NULL;
   uint32_t shift = 0;

   *offset = 0;
   if (!index)
      return hd_imm_u32(b, slot->offset);
   if (constant)
      return hd_imm_u32(b, slot->offset + constant->value[0].u32 * slot->stride);
   *offset = slot->offset;
   if (slot->stride == 1)
      return index;
   while (UINT32_C(1) << shift < slot->stride)
      shift++;
   if (UINT32_C(1) << shift == slot->stride)
      return hd_ishl(b, index, hd_imm_u32(b, shift));
   return hd_imul(b, index, hd_imm_u32(b, slot->stride));
}

static void
set_indices(uint32_t *indices, hd_intrinsic_id id, const struct slot *slot, uint32_t offset)
{
   const hd_intrinsic_info *info = hd_intrinsic_get_info(id);

   for (unsigned n = 0; n < info->num_indices; n++)
      indices[n] = hd_index_get_info((hd_index)info->indices[n])->default_value;
   indices[info->slots[HD_INDEX_OFFSET] - 1] = offset;
   indices[info->slots[HD_INDEX_ALIGN_MUL] - 1] = slot->align;
   indices[info->slots[HD_INDEX_ALIGN_OFFSET] - 1] = 0;
}

static hd_def *
lower_load(hd_builder *b, const hd_var_access *access, const struct slot *slot)
{
   const hd_var *var = access->var;
   uint32_t indices[HD_MAX_INDICES], offset;
   hd_def *address = address_of(b, slot, var->array_length ? access->src[0].def : NULL, &offset);

   set_indices(indices, HD_INTRINSIC_LOAD_SCRATCH, slot, offset);
   hd_def *value = hd_build_intrinsic(b, HD_INTRINSIC_LOAD_SCRATCH, var->num_components,
                                      var->bit_size == 1 ? 8 : var->bit_size, 1, &address, indices);
   return var->bit_size == 1 ? hd_ine(b, value, hd_lower_imm_like(b, value, 0)) : value;
}

static void
lower_store(hd_builder *b, const hd_var_access *access, const struct slot *slot)
{
   const hd_var *var = access->var;
   uint32_t indices[HD_MAX_INDICES], offset;
   hd_def *value = access->src[0].def;
   hd_def *address = address_of(b, slot, var->array_length ? access->src[1].def : NULL, &offset);

   if (var->bit_size == 1)
      value = hd_build_alu(b, HD_OP_B2I, 1, &value, 8);
   hd_def *srcs[] = { value, address };
   set_indices(indices, HD_INTRINSIC_STORE_SCRATCH, slot, offset);
   hd_build_intrinsic(b, HD_INTRINSIC_STORE_SCRATCH, 0, 0, 2, srcs, indices);
}

static void
lower_access(struct part *part, const struct slot *slot, hd_var_access *access)
{
   hd_builder b = hd_builder_at(hd_before_instr(&access->instr));
   const uint32_t first_new = part->f->num_defs;

   b.loc = access->instr.loc;
   if (access->instr.kind == HD_INSTR_LOAD_VAR) {
      hd_lower_replace(&access->instr, lower_load(&b, access, slot), first_new);
   } else {
      lower_store(&b, access, slot);
      hd_instr_remove(&access->instr);
   }
   assert(b.result == HD_OK);
}

/* Whether a variable went. */
static bool
lower_vars(struct part *part, const struct slot *slots)
{
   bool progress = false;

   hd_foreach_block(b, part->f) {
      hd_foreach_instr_safe(i, b) {
         hd_var_access *access = hd_instr_as_var_access(i);
         if (access && slots[access->var->index].there)
            lower_access(part, &slots[access->var->index], access);
      }
   }
   for (hd_var *var = part->f->first_var, *next; var; var = next) {
      next = var->next;
      if (!slots[var->index].there)
         continue;
      hd_var_remove(part->f, var);
      progress = true;
   }
   return progress;
}

bool
hd_lower_vars_to_scratch(hd_shader *shader)
{
   hd_stack *stack = hd_shader_stack(shader);
   uint64_t size = shader->scratch_size;
   bool progress = false, any = false;

   hd_foreach_function(f, shader)
      any |= f->first_var != NULL;
   if (!any)
      return false;
   struct part *parts = hd_stack_alloc_zero(stack, shader->num_functions * sizeof(*parts));
   struct slot **slots = hd_stack_alloc(stack, shader->num_functions * sizeof(*slots));
   place_parts(shader, parts, slots);
   for (uint32_t n = 0; n < shader->num_functions; n++) {
      if (parts[n].f->first_var && parts[n].end > size)
         size = parts[n].end;
      progress |=
          hd_progress(parts[n].f, lower_vars(&parts[n], slots[n]), LOWER_VARS_TO_SCRATCH_KEEPS);
   }
   if (progress)
      shader->scratch_size = (uint32_t)size;
   return progress;
}
