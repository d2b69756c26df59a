/* SPDX-License-Identifier: MIT */
/* driver.c - a synthetic driver interface for a shader: user SGPRs and descriptor sets for what it uses.
 *
 *    user SGPRs   scratch resource (4), pointer of each set (2), of the push constants (2), of the
 *                 kernel's arguments (2), numbers of the launch (3, 3, 3, 1): those that are used;
 *                 of graphics stages the push constants themselves where there is room for what is read
 *    a set        the descriptors of its bindings, lowest binding first, arrays in a row; of what is
 *                 an image and a sampler both, the sampler last
 */
#include <stdlib.h>
#include <string.h>

#include "heddle/gcn_sim.h"
#include "heddle/intrinsic_enum.h"
#include "heddle/ops.h"
#include "util/memory.h"
#include "util/quote.h"

#define DESCRIPTOR_SIZE  16u
#define IMAGE_SIZE       32u
#define UNKNOWN_ELEMENTS 64u /* of an array whose index is computed, where no launch tells more */

/* What the caller gets, with the memory that holds it. */
struct made {
   hd_gcn_driver_abi abi;
   size_t size;
   hd_gcn_binding bindings[HD_TAIL];
};

/* What is in an element of a binding. */
enum { WANTS_BUFFER = 1u << 0, WANTS_IMAGE = 1u << 1, WANTS_SAMPLER = 1u << 2 };

/* A binding and the length of its array. */
struct wanted {
   uint32_t set, binding, elements;
   unsigned what;
};

struct wants {
   struct wanted *bindings;
   uint32_t num, capacity;
   bool workgroups, size, offset, dim;
   bool inputs, vertices, instances, draw, view; /* of graphics stages */
   uint32_t push_first, push_end;                /* dwords of push constants that are read */
   bool push_unknown;                            /* some at a computed offset */
};

static void
want(struct wants *w, hd_stack *stack, uint32_t set, uint32_t binding, uint32_t elements,
     unsigned what)
{
   w->bindings = hd_stack_grow(stack, w->bindings, w->num, &w->capacity, sizeof(*w->bindings));
   w->bindings[w->num++] = (struct wanted){ set, binding, elements, what };
}

/* The descriptor that operand `n` counts. */
static void
want_descriptor(struct wants *w, hd_stack *stack, const hd_intrinsic *i, unsigned n,
                bool has_launch)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);
   const bool sampler = !strcmp(info->src[n].name, "sampler");
   const bool image =
       !strcmp(info->src[n].name, "image") &&
       (!info->slots[HD_INDEX_DIM] || hd_intrinsic_index(i, HD_INDEX_DIM) != HD_DIM_BUFFER);
   const hd_const *c = hd_src_as_const(&i->src[n]);
   uint32_t elements = has_launch ? 1 : UNKNOWN_ELEMENTS;

   if (c)
      elements = c->value[0].u32 < UNKNOWN_ELEMENTS ? c->value[0].u32 + 1 : 1;
   want(w, stack, hd_intrinsic_index(i, sampler ? HD_INDEX_SAMPLER_SET : HD_INDEX_SET),
        hd_intrinsic_index(i, sampler ? HD_INDEX_SAMPLER_BINDING : HD_INDEX_BINDING), elements,
        sampler ? WANTS_SAMPLER
        : image ? WANTS_IMAGE
                : WANTS_BUFFER);
}

static void
want_push(struct wants *w, const hd_intrinsic *i)
{
   const hd_def *def = &i->instr.def;
   const hd_const *c = hd_src_as_const(&i->src[0]);

   if (!c) {
      w->push_unknown = true;
      return;
   }
   const uint32_t address = c->value[0].u32 + hd_intrinsic_index(i, HD_INDEX_OFFSET);
   const uint32_t end = (address + def->num_components * def->bit_size / 8u + 3) / 4;
   if (!w->push_end || address / 4 < w->push_first)
      w->push_first = address / 4;
   if (end > w->push_end)
      w->push_end = end;
}

static void
look_at_intrinsic(struct wants *w, hd_stack *stack, const hd_intrinsic *i, bool has_launch)
{
   switch ((hd_intrinsic_id)i->instr.op) {
   case HD_INTRINSIC_NUM_WORKGROUPS:
   case HD_INTRINSIC_WORKGROUP_INDEX:
      w->workgroups = true;
      return;
   case HD_INTRINSIC_GLOBAL_INVOCATION_INDEX:
      w->workgroups = w->size = true;
      return;
   case HD_INTRINSIC_GLOBAL_INVOCATION_ID:
   case HD_INTRINSIC_LOCAL_INVOCATION_INDEX:
   case HD_INTRINSIC_WORKGROUP_SIZE:
   case HD_INTRINSIC_NUM_SUBGROUPS:
   case HD_INTRINSIC_SUBGROUP_ID:
      w->size = true;
      return;
   case HD_INTRINSIC_GLOBAL_OFFSET:
      w->offset = true;
      return;
   case HD_INTRINSIC_WORK_DIM:
      w->dim = true;
      return;
   case HD_INTRINSIC_LOAD_INPUT:
      w->inputs = w->vertices = true;
      return;
   case HD_INTRINSIC_VERTEX_INDEX:
   case HD_INTRINSIC_BASE_VERTEX:
      w->vertices = true;
      return;
   case HD_INTRINSIC_INSTANCE_INDEX:
   case HD_INTRINSIC_BASE_INSTANCE:
      w->instances = true;
      return;
   case HD_INTRINSIC_DRAW_INDEX:
      w->draw = true;
      return;
   case HD_INTRINSIC_VIEW_INDEX:
      w->view = true;
      return;
   case HD_INTRINSIC_LOAD_PUSH:
      want_push(w, i);
      return;
   default:
      break;
   }
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);
   w->push_unknown |= (info->reads & HD_MEMORY_PUSH) != 0;
   for (unsigned n = 0; n < info->num_srcs && info->slots[HD_INDEX_BINDING]; n++) {
      if (info->src[n].flags & HD_OPERAND_DESCRIPTOR)
         want_descriptor(w, stack, i, n, has_launch);
   }
}

static int
by_binding(const void *a, const void *b)
{
   const struct wanted *x = a, *y = b;

   if (x->set != y->set)
      return x->set < y->set ? -1 : 1;
   if (x->binding != y->binding)
      return x->binding < y->binding ? -1 : 1;
   return x->elements > y->elements ? -1 : x->elements < y->elements;
}

/* Each binding once, with the longest array and all that it is. */
static void
unite(struct wants *w)
{
   uint32_t kept = 0;

   if (w->num)
      qsort(w->bindings, w->num, sizeof(*w->bindings), by_binding);
   for (uint32_t n = 0; n < w->num; n++) {
      struct wanted *last = kept ? &w->bindings[kept - 1] : NULL;
      if (!last || last->set != w->bindings[n].set || last->binding != w->bindings[n].binding)
         w->bindings[kept++] = w->bindings[n];
      else
         last->what |= w->bindings[n].what;
   }
   w->num = kept;
}

static void
look_at_shader(struct wants *w, hd_stack *stack, const hd_shader *shader,
               const hd_wave_launch *launch)
{
   hd_foreach_function(f, shader) {
      hd_foreach_block(b, f) {
         hd_foreach_instr(i, b) {
            const hd_intrinsic *intrinsic = hd_instr_as_intrinsic(i);
            if (intrinsic)
               look_at_intrinsic(w, stack, intrinsic, launch != NULL);
         }
      }
   }
   const uint32_t num_buffers = launch && launch->buffers ? launch->num_buffers : 0;
   for (uint32_t n = 0; n < num_buffers; n++) {
      const hd_wave_buffer *b = &launch->buffers[n];
      if (b->array_index < UINT32_MAX / DESCRIPTOR_SIZE)
         want(w, stack, b->set, b->binding, b->array_index + 1, WANTS_BUFFER);
   }
   const uint32_t num_images = launch && launch->images ? launch->num_images : 0;
   for (uint32_t n = 0; n < num_images; n++) {
      const hd_wave_image *image = &launch->images[n];
      if (image->array_index < UINT32_MAX / (IMAGE_SIZE + DESCRIPTOR_SIZE))
         want(w, stack, image->set, image->binding, image->array_index + 1, 0);
   }
   const uint32_t num_samplers = launch && launch->samplers ? launch->num_samplers : 0;
   for (uint32_t n = 0; n < num_samplers; n++) {
      const hd_wave_sampler *sampler = &launch->samplers[n];
      if (sampler->array_index < UINT32_MAX / (IMAGE_SIZE + DESCRIPTOR_SIZE))
         want(w, stack, sampler->set, sampler->binding, sampler->array_index + 1, WANTS_SAMPLER);
   }
   /* What the shader says itself needs no register. */
   w->size &=
       !shader->workgroup_size[0] || !shader->workgroup_size[1] || !shader->workgroup_size[2];
   unite(w);
}

static void
tell(const hd_shader *shader, const char *format, unsigned number)
{
   const hd_diag_sink *sink = &hd_shader_config(shader)->diag;
   char text[128];

   snprintf(text, sizeof(text), format, number);
   const hd_diag diag = { .severity = HD_ERROR, .message = text };
   hd_diag_send(sink, &diag);
}

static uint8_t
take(hd_gcn_driver_abi *abi, bool wanted, unsigned num)
{
   if (!wanted)
      return HD_GCN_NO_SGPR;
   const uint8_t first = abi->num_user_sgprs;
   abi->num_user_sgprs = (uint8_t)(first + num);
   return first;
}

/* Quadruples and pairs first: they are aligned. */
static void
place_registers(hd_gcn_driver_abi *abi, const struct wants *w, const hd_shader *shader,
                bool scratch, bool push_inline)
{
   const hd_function *entry = shader->first_function;
   uint32_t sets = 0;

   *abi = (hd_gcn_driver_abi){ 0 };
   for (uint32_t n = 0; n < w->num; n++)
      sets |= 1u << w->bindings[n].set;
   abi->scratch_resource = take(abi, scratch, 4);
   for (unsigned n = 0; n < HD_GCN_MAX_SETS; n++)
      abi->set_pointer[n] = take(abi, sets >> n & 1, 2);
   abi->push_pointer = take(abi, shader->push_size != 0 && !push_inline, 2);
   abi->kernarg_pointer = take(abi, shader->kernarg_size || (entry && entry->num_params), 2);
   abi->num_workgroups = take(abi, w->workgroups, 3);
   abi->workgroup_size = take(abi, w->size, 3);
   abi->global_offset = take(abi, w->offset, 3);
   abi->work_dim = take(abi, w->dim, 1);
   abi->vertex_buffers = HD_GCN_NO_SGPR;
   abi->base_vertex = abi->base_instance = abi->draw_index = abi->view_index = HD_GCN_NO_SGPR;
   if (shader->stage == HD_STAGE_VERTEX) {
      abi->num_user_sgprs += abi->num_user_sgprs % 2;
      abi->vertex_buffers = take(abi, w->inputs, 2);
      abi->base_vertex = take(abi, w->vertices, 1);
      abi->base_instance = take(abi, w->instances, 1);
      abi->draw_index = take(abi, w->draw, 1);
   }
   abi->view_index = take(abi, w->view, 1);
   abi->push_inline = take(abi, push_inline, w->push_end - w->push_first);
   abi->push_inline_count = (uint8_t)(push_inline ? w->push_end - w->push_first : 0);
   abi->push_inline_first = (uint8_t)(push_inline ? w->push_first : 0);
   for (unsigned n = 0; n < HD_GCN_MAX_COLORS; n++)
      abi->color_format[n] = HD_GCN_COLOR_32_ABGR;
}

static hd_result
make(hd_heap *heap, hd_stack *stack, const hd_shader *shader, const hd_wave_launch *launch,
     hd_gcn_driver_abi **out)
{
   struct wants w = { 0 };

   look_at_shader(&w, stack, shader, launch);
   for (uint32_t n = 0; n < w.num; n++) {
      if (w.bindings[n].set >= HD_GCN_MAX_SETS) {
         tell(shader, "there is no room for descriptor set %u", w.bindings[n].set);
         return HD_UNSUPPORTED;
      }
   }
   const size_t size = sizeof(struct made) + w.num * sizeof(hd_gcn_binding);
   struct made *made = hd_heap_alloc(heap, size);
   memset(made, 0, size);
   made->size = size;
   const bool graphics = shader->stage == HD_STAGE_VERTEX || shader->stage == HD_STAGE_FRAGMENT;
   const bool push_inline = graphics && w.push_end && w.push_end <= UINT8_MAX && !w.push_unknown &&
                            w.push_end - w.push_first < HD_GCN_MAX_USER_SGPRS;
   place_registers(&made->abi, &w, shader, true, push_inline);
   if (made->abi.num_user_sgprs > HD_GCN_MAX_USER_SGPRS)
      place_registers(&made->abi, &w, shader, true, false);
   /* Many descriptor sets leave no room for scratch, which few shaders spill to. */
   if (made->abi.num_user_sgprs > HD_GCN_MAX_USER_SGPRS && !shader->scratch_size)
      place_registers(&made->abi, &w, shader, false, false);
   if (made->abi.num_user_sgprs > HD_GCN_MAX_USER_SGPRS) {
      tell(shader, "the shader needs %u user SGPRs, more than there are", made->abi.num_user_sgprs);
      hd_heap_free(heap, made, size);
      return HD_UNSUPPORTED;
   }
   for (uint32_t n = 0, at = 0; n < w.num; n++) {
      if (n && w.bindings[n].set != w.bindings[n - 1].set)
         at = 0;
      const unsigned what = w.bindings[n].what;
      const uint32_t sampler = what & WANTS_IMAGE    ? IMAGE_SIZE
                               : what & WANTS_BUFFER ? DESCRIPTOR_SIZE
                                                     : 0;
      const uint32_t stride = sampler + (what & WANTS_SAMPLER ? DESCRIPTOR_SIZE : 0);
      made->bindings[n] =
          (hd_gcn_binding){ w.bindings[n].set, w.bindings[n].binding, at, stride, sampler };
      at += w.bindings[n].elements * stride;
   }
   made->abi.num_samples = (uint8_t)(launch ? launch->num_samples : 0);
   made->abi.bindings = made->bindings;
   made->abi.num_bindings = w.num;
   *out = &made->abi;
   return HD_OK;
}

hd_result
hd_gcn_sim_abi_create(const hd_shader *shader, const hd_wave_launch *launch,
                      hd_gcn_driver_abi **out)
{
   hd_heap heap;
   hd_stack stack;
   hd_unwind u;
   volatile hd_result inside = HD_OK;

   *out = NULL;
   hd_heap_init(&heap, hd_shader_config(shader));
   hd_stack_init(&stack, &heap);
   if (HD_TRY(&heap, &u))
      inside = make(&heap, &stack, shader, launch, out);
   const hd_result result = hd_heap_leave(&heap, &u);
   hd_stack_finish(&stack);
   return result != HD_OK ? result : inside;
}

void
hd_gcn_sim_abi_destroy(const hd_shader *shader, hd_gcn_driver_abi *abi)
{
   struct made *made = (struct made *)abi;
   hd_heap heap;

   if (!made)
      return;
   hd_heap_init(&heap, hd_shader_config(shader));
   heap.reserved = made->size;
   hd_heap_free(&heap, made, made->size);
}
