/* SPDX-License-Identifier: MIT */
/* shaders.c - a valid shader with one of everything. */
#include "shaders.h"

#include "heddle/edit.h"
#include "heddle/intrinsic_enum.h"
#include "heddle/op_enum.h"
#include "heddle/ops.h"

hd_def *
make_alu(hd_cursor at, hd_shader *s, hd_op op, unsigned num_srcs, hd_def *const *srcs,
         unsigned bits)
{
   hd_shape shapes[HD_MAX_COMPONENTS] = { 0 }, result;

   for (unsigned n = 0; n < num_srcs; n++)
      shapes[n] = (hd_shape){ srcs[n]->num_components, srcs[n]->bit_size };
   hd_shape_fault fault = hd_op_infer_shape(op, num_srcs, shapes, bits, &result, NULL);
   assert(fault == HD_SHAPE_FITS);
   (void)fault;
   hd_alu *alu = hd_alu_create(s, op, num_srcs, result.num_components, result.bit_size);
   for (unsigned n = 0; n < num_srcs; n++)
      hd_instr_set_src(&alu->instr, n, srcs[n]);
   hd_instr_insert(at, &alu->instr);
   return &alu->instr.def;
}

hd_def *
make_const(hd_cursor at, hd_shader *s, unsigned bits, uint64_t value)
{
   hd_const_value v = { .u64 = value };
   hd_const *k = hd_const_create(s, 1, bits, &v);

   hd_instr_insert(at, &k->instr);
   return &k->instr.def;
}

hd_intrinsic *
make_intrinsic(hd_cursor at, hd_shader *s, hd_intrinsic_id id, unsigned bits, hd_def *const *srcs,
               const uint32_t *indices)
{
   const hd_intrinsic_info *info = hd_intrinsic_get_info(id);
   hd_shape shapes[HD_MAX_INTRINSIC_SRCS] = { 0 }, result;

   for (unsigned n = 0; n < info->num_srcs; n++)
      shapes[n] = (hd_shape){ srcs[n]->num_components, srcs[n]->bit_size };
   hd_shape wanted = { bits ? 1 : 0, (uint8_t)bits };
   hd_shape_fault fault =
       hd_intrinsic_infer_shape(id, info->num_srcs, shapes, wanted, &result, NULL);
   assert(fault == HD_SHAPE_FITS);
   (void)fault;
   hd_intrinsic *i = hd_intrinsic_create(s, id, info->num_srcs, info->num_indices,
                                         result.num_components, result.bit_size);
   for (unsigned n = 0; n < info->num_srcs; n++)
      hd_instr_set_src(&i->instr, n, srcs[n]);
   for (unsigned n = 0; n < info->num_indices; n++)
      hd_intrinsic_indices(i)[n] =
          indices ? indices[n] : hd_index_get_info((hd_index)info->indices[n])->default_value;
   hd_instr_insert(at, &i->instr);
   return i;
}

static hd_def *
result_of(hd_intrinsic *i)
{
   return &i->instr.def;
}

static void
make_helper(sample *s)
{
   hd_function *f = hd_function_create(s->shader, "helper", true);

   s->helper = f;
   s->a = hd_function_add_param(f, 1, 32);
   s->b = hd_function_add_param(f, 1, 32);
   hd_function_set_result(f, 1, 32);
   hd_block *start = hd_function_start(f);
   s->h_sum =
       make_alu(hd_after_block(start), s->shader, HD_OP_IADD, 2, (hd_def *[]){ s->a, s->b }, 0);
   hd_insert_jump(hd_after_block(start), HD_JUMP_RETURN, s->h_sum);
}

static void
make_accesses(sample *s, hd_cursor at)
{
   s->counter = hd_var_create(s->main, "counter", 1, 32, 0);
   s->table = hd_var_create(s->main, "table", 1, 32, 8);
   s->load_counter = hd_load_var_create(s->shader, s->counter);
   hd_instr_insert(at, &s->load_counter->instr);
   s->store_table = hd_store_var_create(s->shader, s->table);
   hd_instr_set_src(&s->store_table->instr, 0, &s->load_counter->instr.def);
   hd_instr_set_src(&s->store_table->instr, 1, s->one);
   hd_instr_insert(at, &s->store_table->instr);
   s->call = hd_call_create(s->shader, s->helper, 2);
   hd_instr_set_src(&s->call->instr, 0, s->index);
   hd_instr_set_src(&s->call->instr, 1, s->one);
   hd_instr_insert(at, &s->call->instr);
}

/* What stands before the first if of @main: something of every kind. */
static void
fill_start(sample *s)
{
   hd_cursor at = hd_after_block(s->start);
   hd_shader *sh = s->shader;

   s->index =
       result_of(make_intrinsic(at, sh, HD_INTRINSIC_GLOBAL_INVOCATION_INDEX, 0, NULL, NULL));
   s->one = make_const(at, sh, 32, 1);
   s->address = make_const(at, sh, 64, 0x1000);
   s->flag = make_alu(at, sh, HD_OP_ULT, 2, (hd_def *[]){ s->index, s->one }, 0);
   s->pair = make_alu(at, sh, HD_OP_VEC, 2, (hd_def *[]){ s->index, s->one }, 0);
   s->wide = make_alu(at, sh, HD_OP_U2U, 1, &s->index, 64);
   s->product = make_alu(at, sh, HD_OP_FMUL, 2, (hd_def *[]){ s->index, s->one }, 0);
   hd_def_instr(s->product)->flags = HD_FP_EXACT;
   s->load = make_intrinsic(at, sh, HD_INTRINSIC_LOAD_GLOBAL, 32, &s->address, NULL);
   s->loaded = result_of(s->load);
   s->store = make_intrinsic(at, sh, HD_INTRINSIC_STORE_GLOBAL, 0,
                             (hd_def *[]){ s->loaded, s->address }, NULL);
   s->voted = result_of(make_intrinsic(at, sh, HD_INTRINSIC_VOTE_ANY, 0, &s->flag, NULL));
   s->broadcast =
       make_intrinsic(at, sh, HD_INTRINSIC_BROADCAST, 0, (hd_def *[]){ s->index, s->one }, NULL);
   s->reduce = make_intrinsic(at, sh, HD_INTRINSIC_REDUCE, 0, &s->index, NULL);
   s->image = make_intrinsic(at, sh, HD_INTRINSIC_IMAGE_LOAD, 32,
                             (hd_def *[]){ s->one, s->pair, s->one, s->one }, NULL);
   make_accesses(s, at);
}

static void
make_loop(sample *s)
{
   hd_shader *sh = s->shader;

   s->loop = hd_insert_loop(hd_after_block(s->after));
   s->header = hd_loop_header(s->loop);
   s->next = hd_loop_continue(s->loop);
   s->last = hd_node_next_block(&s->loop->node);
   s->header_phi = hd_phi_insert(s->header, 1, 32, NULL);
   hd_def *value = &s->header_phi->instr.def;
   hd_def *done =
       make_alu(hd_after_block(s->header), sh, HD_OP_ULT, 2, (hd_def *[]){ value, s->one }, 0);
   s->if_done = hd_insert_if(hd_after_block(s->header), done);
   s->breaks = hd_list_first_block(&s->if_done->then_list);
   s->goes_on = hd_list_first_block(&s->if_done->else_list);
   s->middle = hd_node_next_block(&s->if_done->node);
   hd_insert_jump(hd_after_block(s->breaks), HD_JUMP_BREAK, NULL);
   s->sum =
       make_alu(hd_after_block(s->middle), sh, HD_OP_IADD, 2, (hd_def *[]){ value, s->one }, 0);
   s->if_skip = hd_insert_if(hd_after_block(s->middle), s->voted);
   s->skips = hd_list_first_block(&s->if_skip->then_list);
   s->stays = hd_list_first_block(&s->if_skip->else_list);
   s->body_end = hd_node_next_block(&s->if_skip->node);
   hd_insert_jump(hd_after_block(s->skips), HD_JUMP_CONTINUE, NULL);
   s->next_phi = hd_phi_insert(s->next, 1, 32, NULL);
   hd_phi_set_src(s->next_phi, s->skips, value);
   hd_phi_set_src(s->next_phi, s->body_end, s->sum);
   hd_phi_set_src(s->header_phi, s->after, &s->after_phi->instr.def);
   hd_phi_set_src(s->header_phi, s->next, &s->next_phi->instr.def);
   s->last_phi = hd_phi_insert(s->last, 1, 32, NULL);
   hd_phi_set_src(s->last_phi, s->breaks, value);
}

static void
make_main(sample *s)
{
   hd_function *f = s->main;
   hd_shader *sh = s->shader;

   s->start = hd_function_start(f);
   fill_start(s);
   s->if_flag = hd_insert_if(hd_after_block(s->start), s->flag);
   s->then = hd_list_first_block(&s->if_flag->then_list);
   s->other = hd_list_first_block(&s->if_flag->else_list);
   s->after = hd_node_next_block(&s->if_flag->node);
   hd_def *in_then = make_const(hd_after_block(s->then), sh, 32, 7);
   s->after_phi = hd_phi_insert(s->after, 1, 32, NULL);
   hd_phi_set_src(s->after_phi, s->then, in_then);
   hd_phi_set_src(s->after_phi, s->other, s->index);
   make_loop(s);
   hd_def_set_name(f, s->sum, "sum");
   hd_block_set_name(f, s->middle, "middle");
   hd_def_instr(s->sum)->loc = hd_shader_location(sh, "a.comp", 12, 3) & 0xffffff;
}

static void
make_graph(sample *s)
{
   hd_shader *sh = s->shader;
   hd_function *f = s->graph = hd_function_create(sh, "graph", false);
   hd_block **blocks[] = { &s->g_entry, &s->g_head, &s->g_left, &s->g_right,
                           &s->g_latch, &s->g_out,  &s->g_exit };

   s->g_start = hd_function_start(f);
   for (unsigned n = 0; n < 7; n++)
      *blocks[n] = hd_flat_block_create(f);
   hd_cursor at = hd_after_block(s->g_start);
   s->g_index =
       result_of(make_intrinsic(at, sh, HD_INTRINSIC_GLOBAL_INVOCATION_INDEX, 0, NULL, NULL));
   s->g_one = make_const(at, sh, 32, 1);
   s->g_flag = make_alu(at, sh, HD_OP_ULT, 2, (hd_def *[]){ s->g_index, s->g_one }, 0);
   hd_flat_goto_if(s->g_start, s->g_flag, s->g_entry, s->g_exit);
   hd_flat_goto(s->g_entry, s->g_head);
   hd_flat_goto_if(s->g_head, s->g_flag, s->g_left, s->g_right);
   hd_flat_goto(s->g_left, s->g_latch);
   hd_flat_switch(s->g_right, s->g_index, s->g_latch, 3, (uint64_t[]){ 1, 5, 9 },
                  (hd_block *[]){ s->g_out, s->g_latch, s->g_out });
   hd_flat_goto(s->g_latch, s->g_head);
   hd_flat_goto(s->g_out, s->g_exit);
   s->g_phi = hd_phi_insert(s->g_exit, 1, 32, NULL);
   hd_phi_set_src(s->g_phi, s->g_start, s->g_index);
   hd_phi_set_src(s->g_phi, s->g_out, s->g_one);
   hd_flat_return(s->g_exit, NULL);
   s->g_head->node.header = true;
   s->g_right->loop_header = s->g_head;
   s->g_out->loop_header = s->g_head;
   s->g_latch->continues = s->g_head;
}

sample
sample_create(const hd_config *config)
{
   sample s = { .shader = hd_shader_create(config, HD_STAGE_COMPUTE, "sample") };

   s.shader->workgroup_size[0] = 64;
   s.main = hd_function_create(s.shader, "main", true);
   make_helper(&s);
   make_main(&s);
   make_graph(&s);
   return s;
}
