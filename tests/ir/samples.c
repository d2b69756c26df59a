/* SPDX-License-Identifier: MIT */
#include "samples.h"

#include "heddle/edit.h"
#include "heddle/intrinsic_enum.h"
#include "heddle/op_enum.h"
#include "heddle/ops.h"
#include "ir/private.h"

uint64_t
sample_random(uint64_t *state)
{
   uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);

   x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
   x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
   return x ^ x >> 31;
}

/* All of these need the memory that they ask for: a failed allocation unwinds to who began. */

static hd_def *
put(hd_block *b, void *made)
{
   hd_instr *i = made;

   hd_instr_insert(hd_before_jump(b), i);
   return &i->def;
}

static hd_def *
alu(hd_block *b, hd_op op, hd_def *x, hd_def *y)
{
   const hd_op_info *info = hd_op_get_info(op);
   hd_shape srcs[2] = { { x->num_components, x->bit_size }, { 0, 0 } }, result = { 0, 0 };

   if (y)
      srcs[1] = (hd_shape){ y->num_components, y->bit_size };
   hd_shape_fault fault = hd_op_infer_shape(op, info->num_srcs, srcs, 0, &result, NULL);
   assert(fault == HD_SHAPE_FITS);
   (void)fault;
   hd_alu *a = hd_alu_create(hd_block_function(b)->shader, op, info->num_srcs,
                             result.num_components, result.bit_size);
   hd_instr_set_src(&a->instr, 0, x);
   if (y)
      hd_instr_set_src(&a->instr, 1, y);
   return put(b, a);
}

static hd_def *
constant(hd_block *b, unsigned bit_size, uint64_t value)
{
   hd_const_value v = { .u64 = value };

   return put(b, hd_const_create(hd_block_function(b)->shader, 1, bit_size, &v));
}

static hd_intrinsic *
intrinsic(hd_block *b, hd_intrinsic_id id, unsigned num_components, unsigned bit_size,
          hd_def *const *srcs)
{
   const hd_intrinsic_info *info = hd_intrinsic_get_info(id);
   hd_intrinsic *i = hd_intrinsic_create(hd_block_function(b)->shader, id, info->num_srcs,
                                         info->num_indices, num_components, bit_size);

   for (unsigned n = 0; n < info->num_srcs; n++)
      hd_instr_set_src(&i->instr, n, srcs[n]);
   put(b, i);
   return i;
}

static void
set_index(hd_intrinsic *i, hd_index index, uint32_t value)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);

   assert(info->slots[index]);
   hd_intrinsic_indices(i)[info->slots[index] - 1] = value;
}

/* The features, one function after the other */

static void
set_properties(hd_shader *shader)
{
   shader->workgroup_size[0] = 64;
   shader->workgroup_size[1] = 2;
   shader->workgroup_size[2] = 1;
   shader->subgroup_size = 64;
   shader->float_controls = HD_FLOAT_FLUSH_32 | HD_FLOAT_RTZ_16;
   shader->shared_size = 4096;
   shader->scratch_size = 300;
   shader->push_size = 128;
   shader->kernarg_size = 24;
   hd_shader_add_constants(shader, "\x80\x00\xff", 3, 1);
   hd_shader_add_constants(shader, "some more bytes, so that there are several lines", 48, 4);
   shader->lowered = HD_LOWERED_SUBGROUP_SHIFT;
}

static void
make_constants(hd_block *b)
{
   static const uint64_t values[] = { 0,
                                      1,
                                      63,
                                      127,
                                      128,
                                      255,
                                      0x3f800000,
                                      0xffffffff,
                                      0xffffffc0,
                                      0xffffffbf,
                                      0x80000000,
                                      0x12345678,
                                      UINT64_MAX,
                                      UINT64_C(1) << 63,
                                      UINT64_C(0x3ff0000000000000) };
   static const unsigned sizes[] = { 1, 8, 16, 32, 64 };
   hd_shader *shader = hd_block_function(b)->shader;

   for (unsigned s = 0; s < 5; s++) {
      hd_const_value vector[15];
      for (unsigned n = 0; n < 15; n++)
         vector[n].u64 = values[n];
      put(b, hd_const_create(shader, 15, sizes[s], vector));
      for (unsigned n = 0; n < 2; n++)
         constant(b, sizes[s], values[n + 11]);
   }
   for (unsigned s = 0; s < 5; s++)
      put(b, hd_undef_create(shader, 1 + s, sizes[s]));
}

/* f(a: 32, b: 32 x 3) -> 32, with variables and an early return */
static hd_function *
make_helper(hd_shader *shader)
{
   hd_function *f = hd_function_create(shader, "helper", true);
   hd_def *a = hd_function_add_param(f, 1, 32);
   hd_def *v3 = hd_function_add_param(f, 3, 32);
   hd_block *b = hd_function_start(f);
   hd_var *x = hd_var_create(f, "x", 1, 32, 0);
   hd_var *table = hd_var_create(f, "table", 3, 32, 100000);

   hd_function_set_result(f, 1, 32);
   hd_def_set_name(f, a, "a");
   hd_var_access *store = hd_store_var_create(shader, x);
   hd_instr_set_src(&store->instr, 0, a);
   put(b, store);
   store = hd_store_var_create(shader, table);
   hd_instr_set_src(&store->instr, 0, v3);
   hd_instr_set_src(&store->instr, 1, a);
   put(b, store);
   hd_def *load = put(b, hd_load_var_create(shader, x));
   hd_var_access *element = hd_load_var_create(shader, table);
   hd_instr_set_src(&element->instr, 0, load);
   hd_def *c = constant(b, 32, 2);
   put(b, element);
   hd_def *cond = alu(b, HD_OP_ULT, load, c);
   hd_if *nif = hd_insert_if(hd_after_block(b), cond);
   hd_insert_jump(hd_list_end(&nif->then_list), HD_JUMP_RETURN, a);
   hd_def *sum = alu(hd_node_next_block(&nif->node), HD_OP_IADD, load, a);
   hd_insert_jump(hd_list_end(&f->body), HD_JUMP_RETURN, sum);
   return f;
}

/* A loop that counts, with break, continue, a break in the continue list, and code that cannot be
 * reached and reads what comes later.
 */
static void
make_loop(hd_function *f, hd_block *before, hd_def *limit)
{
   hd_def *zero = constant(before, 32, 0), *one = constant(before, 32, 1);
   hd_loop *loop = hd_insert_loop(hd_after_block(before));
   hd_block *header = hd_loop_header(loop);

   loop->node.loc = hd_shader_location(f->shader, "loop.c", 7, 3) & 0xffffff;
   hd_phi *i = hd_phi_insert(header, 1, 32, NULL);
   hd_def *next = alu(hd_loop_latch(loop), HD_OP_IADD, &i->instr.def, one);
   hd_phi_set_src(i, before, zero);
   hd_phi_set_src(i, hd_loop_latch(loop), next);
   hd_def_set_name(f, &i->instr.def, "i");
   hd_block_set_name(f, header, "loop head");
   hd_block_set_name(f, hd_loop_continue(loop), "");

   hd_if *done = hd_insert_if(hd_after_block(header), alu(header, HD_OP_ULT, limit, &i->instr.def));
   done->node.loc = hd_shader_location(f->shader, "loop.c", 8, 0) & 0xffffff;
   hd_insert_jump(hd_list_end(&done->then_list), HD_JUMP_BREAK, NULL);
   hd_block *b = hd_node_next_block(&done->node);
   hd_def *odd = alu(b, HD_OP_IEQ, &i->instr.def, one);
   hd_if *skip = hd_insert_if(hd_after_block(b), odd);
   hd_insert_jump(hd_list_end(&skip->then_list), HD_JUMP_CONTINUE, NULL);

   hd_if *dead = hd_insert_if(hd_list_end(&skip->else_list), odd);
   hd_insert_jump(hd_list_end(&dead->then_list), HD_JUMP_HALT, NULL);
   hd_insert_jump(hd_list_end(&dead->else_list), HD_JUMP_RETURN, NULL);
   hd_block *unreachable = hd_node_next_block(&dead->node);
   hd_alu *early = hd_alu_create(f->shader, HD_OP_INEG, 1, 1, 32);
   hd_instr_set_src(&early->instr, 0, zero);
   put(unreachable, early);
   hd_def *late = alu(unreachable, HD_OP_INEG, one, NULL);
   hd_src_set_def(&early->src[0], late);

   hd_block *latch = hd_loop_latch(loop);
   hd_phi *at_continue = hd_phi_insert(hd_loop_continue(loop), 1, 32, (hd_def *[]){ zero, one });
   hd_def *again = alu(latch, HD_OP_ULT, &at_continue->instr.def, next);
   hd_if *out = hd_insert_if(hd_after_block(latch), again);
   hd_insert_jump(hd_list_end(&out->else_list), HD_JUMP_BREAK, NULL);
   hd_phi_insert(hd_node_next_block(&loop->node), 1, 32, (hd_def *[]){ zero, next });
}

static void
make_main(hd_shader *shader, hd_function *f, hd_function *helper)
{
   hd_block *b = hd_function_start(f);

   make_constants(b);
   hd_def *id = &intrinsic(b, HD_INTRINSIC_GLOBAL_INVOCATION_INDEX, 1, 32, NULL)->instr.def;
   hd_def *address = constant(b, 64, UINT64_C(0x123456789abc));
   hd_intrinsic *load = intrinsic(b, HD_INTRINSIC_LOAD_GLOBAL, 3, 32, &address);
   set_index(load, HD_INDEX_ALIGN_MUL, 16);
   set_index(load, HD_INDEX_ACCESS, HD_ACCESS_COHERENT);
   hd_intrinsic *sum = intrinsic(b, HD_INTRINSIC_REDUCE, 1, 32, &id);
   set_index(sum, HD_INDEX_REDUCE_OP, 1);
   hd_intrinsic *other = intrinsic(b, HD_INTRINSIC_BROADCAST, 1, 32, (hd_def *[]){ id, id });
   other->instr.flags = HD_ASSUME_UNIFORM;
   hd_intrinsic *barrier = intrinsic(b, HD_INTRINSIC_BARRIER, 0, 0, NULL);
   set_index(barrier, HD_INDEX_EXEC_SCOPE, HD_SCOPE_WORKGROUP);

   hd_alu *vec = hd_alu_create(shader, HD_OP_VEC, 3, 3, 32);
   for (unsigned n = 0; n < 3; n++)
      hd_instr_set_src(&vec->instr, n, id);
   hd_def *v3 = put(b, vec);
   vec->instr.loc = hd_shader_location(shader, "main.c", 1000000, 80) & 0xffffff;
   hd_def *product = alu(b, HD_OP_FMUL, v3, &load->instr.def);
   hd_def_instr(product)->flags = HD_FP_EXACT | HD_FP_NO_SIGNED_ZERO;
   hd_def_instr(product)->loc = hd_shader_location(shader, "main.c", 3, 1) & 0xffffff;
   hd_def_set_name(f, product, "product \"\n\xff");

   hd_call *call = hd_call_create(shader, helper, 2);
   hd_instr_set_src(&call->instr, 0, id);
   hd_instr_set_src(&call->instr, 1, product);
   hd_def *limit = put(b, call);
   hd_block_set_name(f, b, "entry");
   b->node.loc = hd_shader_location(shader, "", 0, 0) & 0xffffff;
   make_loop(f, b, limit);
}

/* A loop with two entries, each kind of jump, and all declarations. */
static void
make_flat(hd_shader *shader)
{
   hd_function *f = hd_function_create(shader, "flat", false);
   hd_def *p = hd_function_add_param(f, 1, 32);
   hd_block *b[8] = { hd_function_start(f) };

   hd_var_create(f, "x", 16, 64, 3);
   for (unsigned n = 1; n < 8; n++)
      b[n] = hd_flat_block_create(f);
   hd_def *zero = constant(b[0], 32, 0);
   hd_def *cond = alu(b[0], HD_OP_ULT, zero, p);
   hd_flat_goto_if(b[0], cond, b[2], b[1]);
   hd_flat_goto(b[1], b[2]);
   uint64_t values[] = { 5, 0xffffffff, 0, 77777 };
   hd_block *targets[] = { b[5], b[3], b[4], b[5] };
   hd_def *late = constant(b[4], 32, 9);
   hd_flat_switch(b[2], p, b[3], 4, values, targets);
   hd_flat_goto(b[3], b[6]);
   hd_flat_goto(b[4], b[2]);
   hd_flat_goto(b[6], b[7]);
   hd_flat_halt(b[5]);
   hd_flat_return(b[7], NULL);
   hd_phi *phi = hd_phi_insert(b[2], 1, 32, NULL);
   hd_phi_set_src(phi, b[0], zero);
   hd_phi_set_src(phi, b[1], p);
   hd_phi_set_src(phi, b[4], late);
   b[2]->node.header = 1;
   b[3]->loop_header = b[2];
   b[4]->continues = b[2];
   hd_block_set_name(f, b[6], "out");
}

static void
make_features(hd_shader *shader)
{
   set_properties(shader);
   hd_function *f = hd_function_create(shader, "main", true);
   hd_function *helper = make_helper(shader);

   make_main(shader, f, helper);
   make_flat(shader);
}

hd_shader *
sample_features(const hd_config *config)
{
   hd_shader *shader = hd_shader_create(config, HD_STAGE_COMPUTE, "all that there is");
   hd_unwind u;

   if (!shader)
      return NULL;
   if (HD_TRY(hd_shader_heap(shader), &u))
      make_features(shader);
   if (hd_heap_leave(hd_shader_heap(shader), &u) != HD_OK) {
      hd_shader_destroy(shader);
      return NULL;
   }
   return shader;
}

/* Random trees */

struct growing {
   hd_shader *shader;
   hd_function *f;
   uint64_t random;
   unsigned left;      /* instructions to make */
   hd_def *values[64]; /* 32-bit values known at the place, the oldest forgotten */
   unsigned num_values;
   hd_loop *loop;
};

static unsigned
below(struct growing *g, unsigned limit)
{
   return (unsigned)(sample_random(&g->random) >> 33) % limit;
}

static hd_def *
any_value(struct growing *g)
{
   unsigned known = g->num_values < 64 ? g->num_values : 64;

   return g->values[below(g, known)];
}

static void
know(struct growing *g, hd_def *def)
{
   g->values[g->num_values++ % 64] = def;
}

static void
decorate(struct growing *g, hd_def *def)
{
   if (!below(g, 40))
      hd_def_set_name(g->f, def, below(g, 2) ? "tmp" : "color");
   if (!below(g, 8))
      hd_def_instr(def)->loc =
          hd_shader_location(g->shader, "a.comp", 1 + below(g, 300), below(g, 3)) & 0xffffff;
}

static void
grow_straight(struct growing *g, hd_block *b)
{
   static const hd_op ops[] = { HD_OP_IADD, HD_OP_IMUL, HD_OP_IAND, HD_OP_FADD, HD_OP_FMUL };

   for (unsigned n = 1 + below(g, 12); n && g->left; n--, g->left--) {
      hd_def *def;
      if (!below(g, 6))
         def = constant(b, 32, sample_random(&g->random) >> below(g, 64));
      else
         def = alu(b, ops[below(g, 5)], any_value(g), any_value(g));
      decorate(g, def);
      know(g, def);
   }
}

static hd_def *
any_condition(struct growing *g, hd_block *b)
{
   g->left -= g->left != 0;
   return alu(b, HD_OP_ULT, any_value(g), any_value(g));
}

static hd_block *grow_list(struct growing *g, hd_block *b, unsigned depth);

/* Values of an arm are forgotten at its end; a phi after the if chooses between one of each. */
static hd_block *
grow_if(struct growing *g, hd_block *b, unsigned depth)
{
   hd_if *nif = hd_insert_if(hd_after_block(b), any_condition(g, b));
   struct growing outer = *g;
   hd_def *chosen[2];

   for (unsigned arm = 0; arm < 2; arm++) {
      hd_cf_list *list = arm ? &nif->else_list : &nif->then_list;
      grow_list(g, hd_list_first_block(list), depth + 1);
      chosen[arm] = any_value(g);
      memcpy(g->values, outer.values, sizeof(outer.values));
      g->num_values = outer.num_values;
      if (g->loop && !below(g, 5)) {
         bool in_latch = !hd_block_jump(hd_list_last_block(list)) && !below(g, 3);
         hd_insert_jump(hd_list_end(list), in_latch ? HD_JUMP_CONTINUE : HD_JUMP_BREAK, NULL);
      }
   }
   hd_block *after = hd_node_next_block(&nif->node);
   if (after->num_preds == 2) {
      know(g, &hd_phi_insert(after, 1, 32, chosen)->instr.def);
      g->left -= g->left != 0;
   }
   return after;
}

/* What breaks and continues carry is a value from before the loop: it is known everywhere. */
static hd_block *
grow_loop(struct growing *g, hd_block *b, unsigned depth)
{
   hd_loop *loop = hd_insert_loop(hd_after_block(b));
   struct growing outer = *g;
   hd_def *initial = any_value(g), *other = any_value(g);

   g->loop = loop;
   hd_phi *phi = hd_phi_insert(hd_loop_header(loop), 1, 32, (hd_def *[]){ initial, initial });
   know(g, &phi->instr.def);
   hd_block *last = grow_list(g, hd_loop_header(loop), depth + 1);
   hd_if *nif = hd_insert_if(hd_after_block(last), any_condition(g, last));
   hd_insert_jump(hd_list_end(&nif->then_list), HD_JUMP_BREAK, NULL);
   hd_def *step = alu(hd_loop_latch(loop), HD_OP_IADD, &phi->instr.def, other);
   hd_phi_set_src(phi, hd_loop_latch(loop), step);
   memcpy(g->values, outer.values, sizeof(outer.values));
   g->num_values = outer.num_values;
   g->loop = outer.loop;

   hd_block *after = hd_node_next_block(&loop->node);
   hd_phi *result = hd_phi_insert(after, 1, 32, NULL);
   for (unsigned n = 0; n < after->num_preds; n++)
      hd_phi_set_src(result, after->preds[n].from, n & 1 ? initial : other);
   know(g, &result->instr.def);
   g->left -= g->left < 4 ? g->left : 4;
   return after;
}

/* Depth is bounded here, so the recursion is. */
static hd_block *
grow_list(struct growing *g, hd_block *b, unsigned depth)
{
   grow_straight(g, b);
   while (g->left && (!depth || below(g, 3))) {
      if (depth > 12)
         break;
      if (below(g, 3))
         b = grow_if(g, b, depth);
      else
         b = grow_loop(g, b, depth);
      grow_straight(g, b);
   }
   return b;
}

hd_shader *
sample_tree(const hd_config *config, uint64_t seed, unsigned size)
{
   hd_shader *shader = hd_shader_create(config, HD_STAGE_COMPUTE, "tree");
   struct growing g = { .shader = shader, .random = seed, .left = size };

   g.f = hd_function_create(shader, "main", true);
   hd_block *start = hd_function_start(g.f);
   for (unsigned n = 0; n < 4; n++)
      know(&g, constant(start, 32, n * 77));
   grow_list(&g, start, 0);
   return shader;
}

/* Random graphs */

hd_shader *
sample_flat(const hd_config *config, uint64_t seed, unsigned num_blocks)
{
   hd_shader *shader = hd_shader_create(config, HD_STAGE_KERNEL, "flat");
   struct growing g = { .shader = shader, .random = seed, .left = UINT32_MAX };
   hd_block **blocks = hd_heap_alloc(hd_shader_heap(shader), num_blocks * sizeof(*blocks));

   g.f = hd_function_create(shader, "main", false);
   hd_block *start = blocks[0] = hd_function_start(g.f);
   know(&g, constant(start, 32, 3));
   hd_def *cond = any_condition(&g, start);
   for (unsigned n = 1; n < num_blocks; n++)
      blocks[n] = hd_flat_block_create(g.f);
   for (unsigned n = 0; n < num_blocks; n++) {
      hd_block *to[4];
      uint64_t values[3];
      for (unsigned t = 0; t < 4; t++)
         to[t] = num_blocks > 1 ? blocks[1 + below(&g, num_blocks - 1)] : NULL;
      for (unsigned t = 0; t < 3; t++)
         values[t] = t + 10 * below(&g, 100);
      hd_def *own = constant(blocks[n], 32, n);
      alu(blocks[n], HD_OP_INEG, own, NULL);
      unsigned kind = to[0] ? below(&g, 5) : 0;
      if (kind == 0)
         hd_flat_return(blocks[n], NULL);
      else if (kind == 1 || to[0] == to[1])
         hd_flat_goto(blocks[n], to[0]);
      else if (kind == 2)
         hd_flat_switch(blocks[n], g.values[0], to[0], 3, values, to + 1);
      else
         hd_flat_goto_if(blocks[n], cond, to[0], to[1]);
   }
   for (unsigned n = 1; n < num_blocks; n++) {
      if (blocks[n]->num_preds < 2)
         continue;
      hd_phi *phi = hd_phi_insert(blocks[n], 1, 32, NULL);
      for (unsigned p = 0; p < blocks[n]->num_preds; p++) {
         /* A value that the predecessor ends with, wherever that stands in the list. */
         hd_block *from = blocks[n]->preds[p].from;
         hd_instr *i = from->last->prev;
         hd_phi_set_src(phi, from, &i->def);
      }
   }
   hd_heap_free(hd_shader_heap(shader), blocks, num_blocks * sizeof(*blocks));
   return shader;
}

/* Extremes */

static void
make_wide(hd_shader *shader, unsigned width)
{
   hd_heap *heap = hd_shader_heap(shader);
   hd_function *f = hd_function_create(shader, "main", true);
   hd_function *many = hd_function_create(shader, "many", true);
   hd_def *one = constant(hd_function_start(f), 32, 1);

   /* Parameters are found one after the other, so from the second on they are put by hand. */
   for (unsigned n = 0; n < width; n++) {
      hd_param *param = hd_param_create(shader, 1, 32, many->num_params++);
      hd_instr_append(hd_function_start(many), &param->instr);
   }
   hd_call *call = hd_call_create(shader, many, width);
   for (unsigned n = 0; n < width; n++)
      hd_instr_set_src(&call->instr, n, one);
   put(hd_function_start(f), call);

   hd_function *flat = hd_function_create(shader, "flat", false);
   hd_block *start = hd_function_start(flat);
   hd_block **blocks = hd_heap_alloc(heap, width * sizeof(*blocks));
   uint64_t *values = hd_heap_alloc(heap, width * sizeof(*values));
   hd_def *selector = constant(start, 32, 5);
   for (unsigned n = 0; n < width; n++) {
      blocks[n] = hd_flat_block_create(flat);
      values[n] = n * 3;
   }
   hd_block *join = hd_flat_block_create(flat);
   hd_flat_switch(start, selector, join, width, values, blocks);
   for (unsigned n = 0; n < width; n++)
      hd_flat_goto(blocks[n], join);
   hd_phi *phi = hd_phi_insert(join, 1, 32, NULL);
   for (uint32_t n = 0; n < join->num_preds; n++)
      hd_src_set_def(&phi->srcs[n].src, selector);
   hd_flat_return(join, NULL);
   hd_heap_free(heap, blocks, width * sizeof(*blocks));
   hd_heap_free(heap, values, width * sizeof(*values));
}

hd_shader *
sample_wide(const hd_config *config, unsigned width)
{
   hd_shader *shader = hd_shader_create(config, HD_STAGE_COMPUTE, "wide");

   make_wide(shader, width);
   return shader;
}

hd_shader *
sample_deep(const hd_config *config, unsigned depth)
{
   hd_shader *shader = hd_shader_create(config, HD_STAGE_COMPUTE, "deep");
   hd_function *f = hd_function_create(shader, "main", true);
   hd_block *b = hd_function_start(f);
   hd_def *cond = put(b, hd_undef_create(shader, 1, 1));

   for (unsigned n = 0; n < depth; n++) {
      if (n & 1) {
         b = hd_loop_header(hd_insert_loop(hd_after_block(b)));
         hd_if *out = hd_insert_if(hd_after_block(b), cond);
         hd_insert_jump_to(hd_list_end(&out->then_list), HD_JUMP_BREAK, NULL,
                           hd_node_next_block(hd_cf_node_parent(&out->node)));
         b = hd_node_next_block(&out->node);
      } else {
         hd_if *nif = hd_insert_if(hd_after_block(b), cond);
         b = hd_list_first_block(n & 2 ? &nif->then_list : &nif->else_list);
      }
   }
   return shader;
}

/* Other histories */

static void
swap_preds(hd_block *b, uint32_t x, uint32_t y)
{
   hd_pred px = b->preds[x], py = b->preds[y];

   px.from->succs[px.succ].pred = y;
   py.from->succs[py.succ].pred = x;
   b->preds[x] = py;
   b->preds[y] = px;
   hd_foreach_phi(phi, b) {
      hd_def *dx = phi->srcs[x].src.def, *dy = phi->srcs[y].src.def;
      hd_src_set_def(&phi->srcs[x].src, dy);
      hd_src_set_def(&phi->srcs[y].src, dx);
   }
}

void
sample_scramble(hd_shader *shader, uint64_t seed)
{
   hd_foreach_function(f, shader) {
      uint32_t num_defs = f->num_defs, num_blocks = f->num_blocks;
      /* Indices are permuted by an exclusive or below a power of two, and so leave gaps. */
      uint32_t mask = 1;
      while (mask < num_defs + 2 || mask < num_blocks + 2)
         mask *= 2;
      uint32_t flip = (uint32_t)sample_random(&seed) & (mask - 1);
      hd_foreach_block(b, f) {
         b->node.index ^= flip;
         hd_foreach_instr(i, b) {
            if (i->def.bit_size)
               i->def.index ^= flip;
         }
         for (uint32_t n = 1; n < b->num_preds; n++)
            swap_preds(b, n, (uint32_t)(sample_random(&seed) >> 40) % (n + 1));
      }
      f->end.node.index = mask;
      f->num_defs = mask;
      f->num_blocks = mask + 1;
      for (uint32_t n = 1; n < f->end.num_preds; n++)
         swap_preds(&f->end, n, (uint32_t)(sample_random(&seed) >> 40) % (n + 1));
   }
}
