/* SPDX-License-Identifier: MIT */
/* binary_write.c - writer of the binary form (serialisation); see doc/binary.md.
 *
 * One walk over each function in text order. Tables that precede the functions in the file (strings,
 * locations, shapes) are filled during that walk, so each section has a buffer of its own, and the
 * buffers are concatenated at the end.
 */
#include "ir/binary_write.h"

#include "heddle/ops.h"

/* Instructions */

/* How far back the definition is, or 0 for one that comes later: those follow the function. */
static inline void
put_src(struct binary_writer *w, struct binary_section *s, const hd_src *src)
{
   const hd_def *def = src->def;

   if (!def || def->index >= w->f->num_defs)
      hd_binary_refuse(w, "it reads a value that is not in it");
   uint32_t number = w->def_numbers[def->index];
   if (number) {
      put_uint(s, w->num_defs + 1 - number);
      return;
   }
   put_byte(s, 0);
   if (w->num_forward == w->forward_capacity)
      w->forward =
          hd_binary_grow(w, w->forward, sizeof(*w->forward), w->num_forward, &w->forward_capacity);
   w->forward[w->num_forward++] = def;
}

static void
put_narrow_srcs(struct binary_writer *w, struct binary_section *s, const hd_instr *i)
{
   const hd_src *srcs = (const hd_src *)(i + 1);

   for (unsigned n = 0; n < i->num_srcs; n++)
      put_src(w, s, &srcs[n]);
}

/* One component: a small number in a byte, else the bytes between the zeros at both ends. */
static void
put_value(struct binary_section *s, uint64_t value, unsigned bit_size)
{
   unsigned unused = bit_size == 1 ? 0 : 64 - bit_size;
   uint64_t biased = (uint64_t)((int64_t)(value << unused) >> unused) + CONST_BIAS;

   if (biased < CONST_BYTES) {
      put_byte(s, (uint8_t)biased);
      return;
   }
   unsigned shift = 0, num_bytes = 1;
   for (; !(value & 0xff); value >>= 8)
      shift++;
   for (uint64_t rest = value >> 8; rest; rest >>= 8)
      num_bytes++;
   put_byte(s, (uint8_t)(CONST_BYTES | shift << 3 | (num_bytes - 1)));
   for (; num_bytes; num_bytes--, value >>= 8)
      put_byte(s, (uint8_t)value);
}

/* What a block of a tree counts as until the walk gets to it. Of the predecessors of one block at
 * most one does, the latch of a loop before the loop's header, so that their order is known.
 */
#define LATER UINT32_MAX /* 0xff in all bytes */

/* Flat functions name blocks that come later by their numbers. */
static void
number_all_blocks(struct binary_writer *w)
{
   uint32_t number = 0;

   hd_foreach_block(b, w->f) {
      if (b->node.index >= w->f->num_blocks)
         hd_binary_refuse(w, "a block has no index");
      w->block_numbers[b->node.index] = number++;
   }
}

/* For each block with predecessors, their indices in preds in the order of their numbers: the
 * orders of all blocks in one array, found by passing over all edges once.
 */
static void
order_all_preds(struct binary_writer *w)
{
   uint32_t *next = hd_stack_alloc(w->stack, (size_t)w->f->num_blocks * sizeof(*next));
   uint32_t num_edges = 0;

   number_all_blocks(w);
   w->pred_offsets = hd_stack_alloc(w->stack, (size_t)w->f->num_blocks * sizeof(*next));
   hd_foreach_block(b, w->f) {
      uint32_t number = w->block_numbers[b->node.index];
      w->pred_offsets[number] = next[number] = num_edges;
      num_edges += b->num_preds;
   }
   w->pred_orders = hd_stack_alloc(w->stack, ((size_t)num_edges + 1) * sizeof(*next));
   hd_foreach_block(b, w->f) {
      for (uint32_t n = 0; n < b->num_succs; n++) {
         const hd_block *to = b->succs[n].to;
         if (to != &w->f->end)
            w->pred_orders[next[w->block_numbers[to->node.index]]++] = b->succs[n].pred;
      }
   }
}

/* NULL when the predecessors stand in the order of their numbers already. */
static const uint32_t *
pred_order(struct binary_writer *w, const hd_block *b)
{
   static const uint32_t swapped[2] = { 1, 0 };
   bool sorted = true;

   for (uint32_t n = 1; n < b->num_preds && sorted; n++)
      sorted = w->block_numbers[b->preds[n - 1].from->node.index] <
               w->block_numbers[b->preds[n].from->node.index];
   if (sorted)
      return NULL;
   if (b->num_preds == 2)
      return swapped;
   if (!w->pred_orders)
      order_all_preds(w);
   return w->pred_orders + w->pred_offsets[w->block_numbers[b->node.index]];
}

static void
put_phi(struct binary_writer *w, struct binary_section *s, const hd_phi *phi)
{
   const hd_block *b = phi->instr.block;

   if (phi->num_srcs != b->num_preds)
      hd_binary_refuse(w, "a phi has not one source for each predecessor");
   const uint32_t *order = pred_order(w, b);
   hd_heap_step(w->heap, phi->num_srcs);
   for (uint32_t n = 0; n < phi->num_srcs; n++) {
      need(w, s, 10);
      put_src(w, s, &phi->srcs[order ? order[n] : n].src);
   }
}

static void
put_intrinsic(struct binary_writer *w, struct binary_section *s, const hd_intrinsic *i)
{
   unsigned num_indices = hd_instr_intrinsic_info(&i->instr)->num_indices;
   const uint32_t *indices = hd_intrinsic_indices(i);
   uint32_t present = 0;

   put_narrow_srcs(w, s, &i->instr);
   if (!num_indices)
      return;
   for (unsigned n = 0; n < num_indices; n++)
      present |= (uint32_t)(indices[n] != 0) << n;
   put_uint(s, present);
   for (unsigned n = 0; n < num_indices; n++) {
      if (indices[n])
         put_uint(s, indices[n]);
   }
}

static void
put_call(struct binary_writer *w, struct binary_section *s, const hd_call *call)
{
   uint32_t callee = hd_ptr_map_get(&w->functions, call->callee);

   if (callee == HD_PTR_MAP_NONE)
      hd_binary_refuse(w, "it calls a function that is not in the shader");
   put_uint(s, callee);
   hd_heap_step(w->heap, call->num_args);
   for (uint32_t n = 0; n < call->num_args; n++) {
      need(w, s, 10);
      put_src(w, s, &call->args[n].src);
   }
}

static void
put_target(struct binary_writer *w, struct binary_section *s, const hd_jump *jump, uint32_t succ)
{
   const hd_block *b = jump->instr.block;

   if (succ >= b->num_succs || b->succs[succ].to == &w->f->end)
      hd_binary_refuse(w, "a jump has no target");
   put_step(s, w->block, w->block_numbers[b->succs[succ].to->node.index]);
}

static void
put_jump(struct binary_writer *w, struct binary_section *s, const hd_jump *jump)
{
   put_narrow_srcs(w, s, &jump->instr);
   switch ((hd_jump_kind)jump->instr.op) {
   case HD_JUMP_GOTO:
      put_target(w, s, jump, 0);
      break;
   case HD_JUMP_GOTO_IF:
      put_target(w, s, jump, 0);
      put_target(w, s, jump, 1);
      break;
   case HD_JUMP_SWITCH:
      put_target(w, s, jump, 0);
      put_uint(s, jump->num_cases);
      hd_heap_step(w->heap, jump->num_cases);
      for (uint32_t n = 0; n < jump->num_cases; n++) {
         need(w, s, 32);
         put_value(s, jump->cases[n].value, 64);
         put_target(w, s, jump, jump->cases[n].succ);
      }
      break;
   case HD_JUMP_BREAK:
   case HD_JUMP_CONTINUE:
   case HD_JUMP_RETURN:
   case HD_JUMP_HALT:
   case HD_NUM_JUMP_KINDS:
      break;
   }
}

static void
put_var_access(struct binary_writer *w, struct binary_section *s, const hd_var_access *a)
{
   if (!a->var || a->var->index >= w->f->num_vars)
      hd_binary_refuse(w, "it accesses a variable that is not in it");
   put_uint(s, w->var_numbers[a->var->index]);
   put_narrow_srcs(w, s, &a->instr);
}

static void
put_notes(struct binary_writer *w, struct binary_section *s, const hd_instr *i)
{
   uint32_t loc = hd_binary_location_number(w, i->loc);

   if (loc != w->loc) {
      put_uint(s, BINARY_LOC);
      put_step(s, w->loc, loc);
      w->loc = loc;
   }
   if (i->def.flags & HD_DEF_NAMED) {
      put_uint(s, BINARY_DEF_NAME);
      put_uint(s, hd_binary_string_number(w, hd_def_name(w->f, &i->def)));
   }
}

static void
put_instr(struct binary_writer *w, const hd_instr *i)
{
   struct binary_section *s = &w->section[BODIES];

   hd_heap_step(w->heap, 1);
   need(w, s, ITEM_BYTES);
   if (!w->meaning)
      put_notes(w, s, i);
   put_uint(s, BINARY_SHAPES + hd_binary_shape_number(w, i));
   switch ((hd_instr_kind)i->kind) {
   case HD_INSTR_ALU:
      put_narrow_srcs(w, s, i);
      break;
   case HD_INSTR_CONST:
      for (unsigned n = 0; n < i->def.num_components; n++)
         put_value(s, ((const hd_const *)i)->value[n].u64, i->def.bit_size);
      break;
   case HD_INSTR_PHI:
      put_phi(w, s, (const hd_phi *)i);
      break;
   case HD_INSTR_INTRINSIC:
      put_intrinsic(w, s, (const hd_intrinsic *)i);
      break;
   case HD_INSTR_CALL:
      put_call(w, s, (const hd_call *)i);
      break;
   case HD_INSTR_JUMP:
      put_jump(w, s, (const hd_jump *)i);
      break;
   case HD_INSTR_LOAD_VAR:
   case HD_INSTR_STORE_VAR:
      put_var_access(w, s, (const hd_var_access *)i);
      break;
   case HD_INSTR_UNDEF:
   case HD_INSTR_PARAM:
   case HD_NUM_INSTR_KINDS:
      break;
   }
   if (i->def.bit_size) {
      if (i->def.index >= w->f->num_defs)
         hd_binary_refuse(w, "a value has no index");
      w->def_numbers[i->def.index] = ++w->num_defs;
   }
}

/* Control flow */

static void
put_block_step(struct binary_writer *w, unsigned code, const hd_block *to)
{
   struct binary_section *s = &w->section[BODIES];

   if (!to)
      return;
   need(w, s, 16);
   put_uint(s, code);
   put_step(s, w->block, w->block_numbers[to->node.index]);
}

static void
put_block(struct binary_writer *w, const hd_block *b)
{
   struct binary_section *s = &w->section[BODIES];

   hd_heap_step(w->heap, 1);
   if (b->node.index >= w->f->num_blocks)
      hd_binary_refuse(w, "a block has no index");
   assert(w->block_numbers[b->node.index] == LATER ||
          w->block_numbers[b->node.index] == w->num_blocks);
   w->block = w->num_blocks++;
   w->block_numbers[b->node.index] = w->block;
   need(w, s, 32);
   if (b->node.loc && !w->meaning) {
      put_uint(s, BINARY_BLOCK_LOC);
      put_uint(s, hd_binary_location_number(w, b->node.loc));
   }
   if (b->node.named && !w->meaning) {
      put_uint(s, BINARY_BLOCK_NAME);
      put_uint(s, hd_binary_string_number(w, hd_block_name(w->f, b)));
   }
   if (b->unroll) {
      put_uint(s, BINARY_UNROLL);
      put_uint(s, b->unroll);
   }
   if (!w->f->structured) {
      if (b->node.header)
         put_uint(s, BINARY_HEADER);
      put_block_step(w, BINARY_INSIDE, b->loop_header);
      put_block_step(w, BINARY_CONTINUES, b->continues);
   }
   hd_foreach_instr(i, b)
      put_instr(w, i);
}

static void
put_node_loc(struct binary_writer *w, uint32_t raw_loc)
{
   struct binary_section *s = &w->section[BODIES];
   uint32_t loc = w->meaning ? 0 : hd_binary_location_number(w, raw_loc);

   need(w, s, 32);
   if (loc != w->loc) {
      put_uint(s, BINARY_LOC);
      put_step(s, w->loc, loc);
      w->loc = loc;
   }
}

/* What comes before the lists of an if or a loop; the first of them. */
static const hd_cf_list *
put_node(struct binary_writer *w, const hd_cf_node *node)
{
   struct binary_section *s = &w->section[BODIES];

   hd_heap_step(w->heap, 1);
   put_node_loc(w, node->loc);
   if (node->kind == HD_CF_IF) {
      put_uint(s, BINARY_IF);
      put_src(w, s, &hd_node_as_if(node)->cond);
      return &hd_node_as_if(node)->then_list;
   }
   put_uint(s, BINARY_LOOP);
   return &hd_node_as_loop(node)->body;
}

/* Follows the links of the tree up and down, so that a nest may have any depth. */
static void
put_tree(struct binary_writer *w)
{
   struct binary_section *s = &w->section[BODIES];
   const hd_cf_list *list = &w->f->body;
   const hd_cf_node *node = list->first;

   for (;;) {
      if (node->kind != HD_CF_BLOCK) {
         list = put_node(w, node);
         node = list->first;
         continue;
      }
      if (node->next && node->next->kind == HD_CF_BLOCK)
         hd_binary_refuse(w, "two blocks stand side by side in a list");
      put_block(w, hd_node_as_block(node));
      while (!node->next) {
         need(w, s, 1);
         put_byte(s, BINARY_END);
         const hd_if *nif = hd_node_as_if(list->parent);
         const hd_loop *loop = hd_node_as_loop(list->parent);
         if (nif && list == &nif->then_list) {
            list = &nif->else_list;
         } else if (loop && list == &loop->body) {
            list = &loop->continue_list;
         } else if (list->parent) {
            node = list->parent;
            list = node->list;
            continue;
         } else {
            return;
         }
         break;
      }
      node = node->next ? node->next : list->first;
   }
}

static void
put_flat(struct binary_writer *w)
{
   struct binary_section *s = &w->section[BODIES];

   hd_foreach_node_in_list(node, &w->f->body) {
      need(w, s, 1);
      if (node->prev)
         put_byte(s, BINARY_BLOCK);
      put_block(w, hd_node_as_block(node));
   }
   need(w, s, 1);
   put_byte(s, BINARY_END);
}

/* What was not yet defined where it was read, in the order of the reads. */
static void
put_forward(struct binary_writer *w)
{
   struct binary_section *s = &w->section[BODIES];
   uint32_t last = 0;

   for (uint32_t n = 0; n < w->num_forward; n++) {
      uint32_t number = w->def_numbers[w->forward[n]->index];
      if (!number)
         hd_binary_refuse(w, "it reads a value that is not in it");
      need(w, s, 10);
      put_step(s, last, number - 1);
      last = number - 1;
   }
}

static void
put_function_header(struct binary_writer *w)
{
   struct binary_section *s = &w->section[FUNCTIONS];
   const hd_function *f = w->f;
   uint32_t num_vars = 0;

   hd_foreach_var(v, f)
      num_vars++;
   need(w, s, 64);
   if (!w->meaning)
      put_uint(s, hd_binary_string_number(w, f->name));
   put_byte(s, f->structured ? BINARY_STRUCTURED : 0);
   put_byte(s, binary_type(f->result_components, f->result_bits));
   put_uint(s, w->num_blocks);
   put_uint(s, w->num_defs);
   put_uint(s, num_vars);
   hd_foreach_var(v, f) {
      hd_heap_step(w->heap, 1);
      need(w, s, 32);
      if (!w->meaning)
         put_uint(s, hd_binary_string_number(w, v->name));
      put_byte(s, binary_type(v->num_components, v->bit_size));
      put_uint(s, v->array_length);
   }
   s->count++;
}

static void
put_function(struct binary_writer *w, const hd_function *f)
{
   hd_stack *stack = w->stack;

   w->f = f;
   if (f->num_extracted)
      hd_binary_refuse(w, "code is extracted from it");
   w->def_numbers = hd_stack_alloc_zero(stack, f->num_defs * sizeof(uint32_t));
   w->block_numbers = hd_stack_alloc(stack, f->num_blocks * sizeof(uint32_t));
   w->var_numbers = hd_stack_alloc(stack, f->num_vars * sizeof(uint32_t));
   w->num_defs = w->num_blocks = w->num_forward = w->loc = 0;
   w->pred_offsets = w->pred_orders = NULL;

   uint32_t num_vars = 0;
   hd_foreach_var(v, f) {
      if (v->index >= f->num_vars)
         hd_binary_refuse(w, "a variable has no index");
      w->var_numbers[v->index] = num_vars++;
   }
   if (f->structured) {
      memset(w->block_numbers, 0xff, f->num_blocks * sizeof(uint32_t));
      put_tree(w);
   } else {
      number_all_blocks(w);
      put_flat(w);
   }
   put_forward(w);
   put_function_header(w);
}

/* The file */

static void
put_shader(struct binary_writer *w)
{
   struct binary_section *s = &w->section[SHADER];
   const hd_shader *shader = w->shader;

   need(w, s, ITEM_BYTES);
   if (!w->meaning)
      put_uint(s, hd_binary_string_number(w, shader->name));
   put_uint(s, shader->stage);
   for (unsigned n = 0; n < 3; n++)
      put_uint(s, shader->workgroup_size[n]);
   put_uint(s, shader->subgroup_size);
   put_uint(s, shader->float_controls);
   put_uint(s, shader->shared_size);
   put_uint(s, shader->scratch_size);
   put_uint(s, shader->push_size);
   put_uint(s, shader->kernarg_size);
   /* Not part of the meaning: it follows from the code, and says what passes may make of it. */
   if (!w->meaning)
      put_uint(s, shader->lowered);
   put_uint(s, shader->constants_size);
   for (uint32_t at = 0; at < shader->constants_size;) {
      const uint32_t left = shader->constants_size - at;
      const uint32_t size = left < ITEM_BYTES ? left : ITEM_BYTES;
      need(w, s, ITEM_BYTES);
      memcpy(s->next, shader->constants + at, size);
      s->next += size;
      at += size;
   }
   need(w, s, ITEM_BYTES);

   uint32_t number = 0;
   hd_ptr_map_init(&w->functions, w->stack, shader->num_functions);
   hd_foreach_function(f, shader)
      hd_ptr_map_set(&w->functions, f, number++);
   hd_foreach_function(f, shader)
      put_function(w, f);
}

/* Hand the sections over in order, with their counts. */
static void
deliver(struct binary_writer *w, void *user,
        void (*take)(void *user, const void *data, size_t size))
{
   for (unsigned n = 0; n < NUM_SECTIONS; n++) {
      struct binary_section *s = &w->section[n];
      if (n != SHADER && n != BODIES) {
         uint8_t count[10];
         take(user, count, (size_t)(encode_uint(count, s->count) - count));
      }
      if (s->last)
         s->last->used = (size_t)(s->next - s->last->data);
      for (const struct binary_chunk *c = s->first; c; c = c->next)
         take(user, c->data, c->used);
   }
}

static void
take_size(void *user, const void *data, size_t size)
{
   (void)data;
   *(uint64_t *)user += size;
}

static void
take_blob(void *user, const void *data, size_t size)
{
   hd_blob_append(user, data, size);
}

static void
take_digest(void *user, const void *data, size_t size)
{
   hd_digest_add(user, data, size);
}

static void
encode_word(uint8_t *p, uint64_t value, unsigned num_bytes)
{
   for (unsigned n = 0; n < num_bytes; n++)
      p[n] = (uint8_t)(value >> 8 * n);
}

static hd_result
append_file(struct binary_writer *w, hd_blob *out)
{
   size_t old_size = out->size;
   uint8_t header[BINARY_HEADER_SIZE] = BINARY_MAGIC, sum[HD_DIGEST_SIZE];
   uint64_t size = BINARY_HEADER_SIZE;
   hd_digest digest;

   deliver(w, &size, take_size);
   encode_word(header + 4, HD_BINARY_VERSION, 4);
   encode_word(header + 8, size, 8);
   hd_digest_init(&digest, 0, 0);
   hd_digest_add(&digest, header, BINARY_SUMMED);
   deliver(w, &digest, take_digest);
   hd_digest_finish(&digest, sum);
   memcpy(header + BINARY_SUMMED, sum, BINARY_HEADER_SIZE - BINARY_SUMMED);

   hd_blob_append(out, header, sizeof(header));
   deliver(w, out, take_blob);
   if (out->result != HD_OK)
      out->size = old_size;
   return out->result;
}

/* Either the whole file to a blob or what the shader means to a digest. */
static hd_result
write_shader(const hd_shader *shader, hd_blob *out, hd_digest *digest)
{
   hd_heap heap;
   hd_stack stack;
   struct binary_writer w = { .heap = &heap, .stack = &stack, .shader = shader, .meaning = !out };
   hd_unwind u;
   hd_result result = HD_OK;

   hd_heap_init_beside(&heap, hd_shader_heap(shader));
   hd_stack_init(&stack, &heap);
   if (HD_TRY(w.heap, &u))
      put_shader(&w);
   result = hd_heap_leave(w.heap, &u);
   if (result == HD_OK && out)
      result = append_file(&w, out);
   else if (result == HD_OK)
      deliver(&w, digest, take_digest);
   hd_stack_finish(&stack);
   hd_heap_settle(&heap, hd_shader_heap(shader));
   return result;
}

hd_result
hd_write_binary(const hd_shader *shader, hd_blob *out)
{
   return out->result == HD_OK ? write_shader(shader, out, NULL) : out->result;
}

hd_result
hd_binary_digest(const hd_shader *shader, hd_digest *digest)
{
   return write_shader(shader, NULL, digest);
}
