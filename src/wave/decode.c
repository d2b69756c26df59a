/* SPDX-License-Identifier: MIT */
/* decode.c - pre-decode functions for the interpreter: operands become row numbers, instructions handler
 * functions.
 */
#include "heddle/analysis.h"
#include "heddle/intrinsic_enum.h"
#include "util/sizes.h"
#include "wave/handlers.h"

struct decoder {
   hd_wave_run_state *run;
   hd_stack *stack;
   hd_code *code;
   hd_function *f;
   hd_operand *operands; /* by hd_def.index */
   uint32_t *var_rows;   /* by hd_var.index */
   uint32_t *places;     /* of blocks, by index */
   uint32_t num_constant_rows;
};

static void *
allocate(struct decoder *d, uint64_t count, size_t size)
{
   return hd_stack_alloc_zero(d->stack, array_size(count, size) + 1);
}

hd_code *
hd_wave_code_of(const hd_wave_run_state *run, const hd_function *f)
{
   hd_code *code = run->codes;

   while (code->function != f)
      code++;
   return code;
}

static uint32_t
take_rows(struct decoder *d, uint32_t *next, uint64_t count)
{
   const uint32_t row = *next;

   if (count > UINT32_MAX - row)
      hd_wave_refuse(d->run, HD_UNSUPPORTED, NULL,
                     "@%s: expected fewer values, they exceed the interpreter's 32-bit numbers",
                     d->f->name);
   *next += (uint32_t)count;
   return row;
}

/* Rows for every value and variable. */
static void
assign_rows(struct decoder *d)
{
   hd_foreach_block(b, d->f) {
      hd_foreach_instr(i, b) {
         const hd_def *def = hd_instr_def(i);
         if (!def)
            continue;
         bool constant = i->kind == HD_INSTR_CONST || i->kind == HD_INSTR_UNDEF;
         uint32_t *next = constant ? &d->num_constant_rows : &d->code->num_rows;
         d->operands[def->index] = (hd_operand){
            .row = take_rows(d, next, def->num_components),
            .constant = constant,
            .num_components = def->num_components,
            .bits = def->bit_size,
         };
      }
   }
   d->code->first_var_row = d->code->num_rows;
   hd_foreach_var(v, d->f) {
      uint64_t length = v->array_length ? v->array_length : 1;
      d->var_rows[v->index] = take_rows(d, &d->code->num_rows, length * v->num_components);
   }
   d->code->num_var_rows = d->code->num_rows - d->code->first_var_row;
}

static uint64_t
constant_bits(const hd_const_value *v, unsigned bits)
{
   switch (bits) {
   case 1:
      return v->b;
   case 8:
      return v->u8;
   case 16:
      return v->u16;
   case 32:
      return v->u32;
   default:
      return v->u64;
   }
}

/* The number of the next component of an `undef`. */
static uint64_t
undef_bits(struct decoder *d)
{
   const hd_wave_launch *launch = d->run->launch;

   return launch->freeze_undefined ? hd_wave_frozen(d->run, d->run->num_undefs++)
                                   : launch->undef_value;
}

static void
fill_constants(struct decoder *d)
{
   const unsigned width = d->run->width;

   d->code->constants = allocate(d, (uint64_t)d->num_constant_rows * width, sizeof(uint64_t));
   d->code->constants_undef = allocate(d, d->num_constant_rows, sizeof(hd_wave_mask));
   hd_foreach_block(b, d->f) {
      hd_foreach_instr(i, b) {
         if (i->kind != HD_INSTR_CONST && i->kind != HD_INSTR_UNDEF)
            continue;
         const hd_operand *o = &d->operands[i->def.index];
         for (unsigned c = 0; c < o->num_components; c++) {
            uint64_t value = i->kind == HD_INSTR_CONST
                                 ? constant_bits(&((const hd_const *)i)->value[c], o->bits)
                                 : undef_bits(d) & size_mask(o->bits);
            uint64_t *row = d->code->constants + ((size_t)o->row + c) * width;
            for (unsigned l = 0; l < width; l++)
               row[l] = value;
            if (i->kind == HD_INSTR_UNDEF && !d->run->launch->freeze_undefined)
               d->code->constants_undef[o->row + c] = mask_first(width);
         }
      }
   }
}

static hd_operand
operand(const struct decoder *d, const hd_src *src)
{
   return d->operands[src->def->index];
}

static void
decode_alu(struct decoder *d, hd_code_instr *out)
{
   const hd_op_info *info = hd_op_get_info((hd_op)out->instr->op);
   const hd_alu *alu = (const hd_alu *)out->instr;
   const uint32_t numbers = HD_FP_NO_NAN | HD_FP_NO_INF;

   out->alu = allocate(d, 1, sizeof(*out->alu));
   *out->alu = (hd_wave_alu){
      .width = d->run->width,
      .n = out->srcs[0].num_components,
      .bits = out->dst.bits,
      .float_controls = d->run->shader->float_controls,
   };
   for (uint32_t n = 0; n < out->num_srcs && n < HD_MAX_OP_SRCS; n++)
      out->alu->src_bits[n] = out->srcs[n].bits;
   out->op = hd_wave_ops[out->instr->op];
   out->same = out->num_srcs == 2 && alu->src[0].def == alu->src[1].def &&
               info->same != HD_SAME_UNKNOWN && info->same != HD_SAME_OPERAND;
   out->componentwise = info->flags & HD_OP_COMPONENTWISE && !(out->instr->flags & numbers);
   out->simple = out->componentwise && info->undef == HD_UNDEF_ANY && !out->same;
   if (info->flags & HD_OP_VARIADIC)
      out->run = hd_wave_vec;
   else if (out->componentwise && out->dst.num_components == 1)
      out->run = hd_wave_alu_scalar;
   else
      out->run = out->simple ? hd_wave_alu_simple : hd_wave_alu_general;
}

/* What the launch gives is taken; what it must give, and what it can't, is refused. */
static void
decode_given(struct decoder *d, hd_code_instr *out)
{
   const hd_intrinsic_id id = (hd_intrinsic_id)out->instr->op;
   const bool wanted = out->run == hd_wave_load_given || out->run == hd_wave_store_given;
   const bool given = hd_wave_is_given(d->run, out);

   switch (id) {
   case HD_INTRINSIC_VERTEX_INDEX:
   case HD_INTRINSIC_INSTANCE_INDEX:
   case HD_INTRINSIC_BASE_VERTEX:
   case HD_INTRINSIC_BASE_INSTANCE:
   case HD_INTRINSIC_DRAW_INDEX:
   case HD_INTRINSIC_VIEW_INDEX:
      if (given)
         out->run = hd_wave_load_given;
      break;
   default:
      if (given != wanted)
         hd_wave_refuse(d->run, HD_UNSUPPORTED, out->instr,
                        given ? "unsupported intrinsic %s: a launch cannot give it"
                              : "%s is not given by the launch",
                        out->info->name);
      break;
   }
}

static void
decode_intrinsic(struct decoder *d, hd_code_instr *out)
{
   const hd_instr *i = out->instr;

   out->info = hd_instr_intrinsic_info(i);
   const hd_own_intrinsic *own = hd_shader_own_intrinsic(d->run->shader, i->op);
   if (own) {
      if (!own->run)
         hd_wave_refuse(d->run, HD_UNSUPPORTED, i, "%s has no callback that runs it",
                        out->info->name);
      out->run = hd_wave_own;
      return;
   }
   out->run = hd_wave_find_handler((hd_intrinsic_id)i->op);
   if (!out->run)
      hd_wave_refuse(d->run, HD_UNSUPPORTED, i,
                     "unsupported intrinsic %s: the interpreter does not run it",
                     out->info->name_length ? out->info->name : "?");
   decode_given(d, out);
   if (intrinsic_index(out, HD_INDEX_EXEC_SCOPE) > HD_SCOPE_WORKGROUP)
      hd_wave_refuse(d->run, HD_UNSUPPORTED, i,
                     "workgroups run one after the other and cannot wait for each other");
   if ((intrinsic_index(out, HD_INDEX_DUAL_SOURCE) && !d->run->second_outputs.size) ||
       (out->run == hd_wave_barycentric_at && !d->run->launch->barycentric_at))
      hd_wave_refuse(d->run, HD_UNSUPPORTED, i, "%s is not given by the launch",
                     out->run == hd_wave_barycentric_at ? out->info->name
                                                        : "memory for a second source of blending");
}

/* False where nothing is to be run for it. */
static bool
decode_instr(struct decoder *d, const hd_instr *i, hd_code_instr *out)
{
   if (i->kind == HD_INSTR_CONST || i->kind == HD_INSTR_UNDEF || i->kind == HD_INSTR_PHI ||
       i->kind == HD_INSTR_JUMP || i->kind == HD_INSTR_PARAM)
      return false;

   hd_operand *srcs = allocate(d, hd_instr_num_srcs(i), sizeof(hd_operand));
   *out = (hd_code_instr){ .instr = i, .srcs = srcs, .num_srcs = hd_instr_num_srcs(i) };
   uint32_t n = 0;
   hd_foreach_src(s, i)
      srcs[n++] = operand(d, s);
   if (i->def.bit_size)
      out->dst = d->operands[i->def.index];

   switch ((hd_instr_kind)i->kind) {
   case HD_INSTR_ALU:
      decode_alu(d, out);
      break;
   case HD_INSTR_INTRINSIC:
      decode_intrinsic(d, out);
      break;
   case HD_INSTR_CALL:
      out->run = hd_wave_call;
      out->callee = hd_wave_code_of(d->run, ((const hd_call *)i)->callee);
      break;
   default: {
      const hd_var *var = ((const hd_var_access *)i)->var;
      out->run = i->kind == HD_INSTR_LOAD_VAR ? hd_wave_load_var : hd_wave_store_var;
      out->var_row = d->var_rows[var->index];
      out->var_count = var->array_length ? var->array_length : 1;
      break;
   }
   }
   if (d->run->launch->check_uniform)
      hd_wave_watch_instr(out);
   return true;
}

static hd_code_edge
decode_edge(struct decoder *d, const hd_edge *edge)
{
   hd_code_edge out = { .to = HD_CODE_END };
   uint32_t num = 0;

   if (hd_block_is_end(edge->to))
      return out;
   out.to = d->places[edge->to->node.index];
   hd_foreach_phi(p, edge->to)
      num++;
   hd_code_copy *copies = allocate(d, num, sizeof(hd_code_copy));
   hd_foreach_phi(p, edge->to) {
      const hd_instr *source = hd_def_instr(p->srcs[edge->pred].src.def);
      const hd_src *src = &p->srcs[edge->pred].src;
      hd_code_copy *copy = &copies[out.num_copies++];
      *copy = (hd_code_copy){ .dst = d->operands[p->instr.def.index], .src = operand(d, src) };
      copy->src.uniform = d->run->launch->check_uniform && hd_src_is_uniform(src);
      out.parallel |= source->kind == HD_INSTR_PHI && source->block == edge->to;
   }
   out.copies = copies;
   return out;
}

/* Shell's sort: no memory, no recursion. */
static const hd_switch_case *
sorted_cases(struct decoder *d, const hd_jump *jump)
{
   const uint32_t n = jump->num_cases;
   hd_switch_case *cases = allocate(d, n, sizeof(*cases));
   uint32_t gap = 1;

   if (n)
      memcpy(cases, jump->cases, n * sizeof(*cases));
   while (gap < n / 3)
      gap = gap * 3 + 1;
   for (; gap; gap /= 3) {
      for (uint32_t k = gap; k < n; k++) {
         const hd_switch_case moved = cases[k];
         uint32_t at = k;
         for (; at >= gap && cases[at - gap].value > moved.value; at -= gap)
            cases[at] = cases[at - gap];
         cases[at] = moved;
      }
   }
   return cases;
}

/* Is divergence asked for? */
static bool
knows_divergence(const struct decoder *d)
{
   return d->code->mode == HD_WAVE_ONE_PC || d->run->launch->check_uniform;
}

static void
decode_exit(struct decoder *d, hd_code_block *out)
{
   const hd_block *b = out->block;
   const hd_jump *jump = hd_block_jump(b);
   const hd_if *nif = hd_block_next_if(b);

   const hd_src *value =
       jump ? (jump->instr.num_srcs ? &jump->src[0] : NULL) : (nif ? &nif->cond : NULL);

   if (value) {
      out->value = operand(d, value);
      out->value.uniform = d->run->launch->check_uniform && hd_src_is_uniform(value);
      out->has_value = true;
   }
   if (knows_divergence(d))
      out->divergent = hd_block_is_divergent_branch(b);
   if (jump && jump->instr.op == HD_JUMP_RETURN) {
      out->exit = HD_EXIT_RETURN;
   } else if (jump && jump->instr.op == HD_JUMP_HALT) {
      out->exit = HD_EXIT_HALT;
   } else if (jump && jump->instr.op == HD_JUMP_GOTO_IF) {
      out->exit = HD_EXIT_IF;
   } else if (jump && jump->instr.op == HD_JUMP_SWITCH) {
      out->exit = HD_EXIT_SWITCH;
      out->cases = sorted_cases(d, jump);
      out->num_cases = jump->num_cases;
   } else if (!jump && nif) {
      out->exit = HD_EXIT_IF;
   }
   hd_code_edge *edges = allocate(d, b->num_succs, sizeof(hd_code_edge));
   for (uint32_t n = 0; n < b->num_succs; n++)
      edges[n] = decode_edge(d, &b->succs[n]);
   out->edges = edges;
}

/* The phis of a block, where somebody watches them. */
static void
decode_phis(struct decoder *d, hd_code_block *out)
{
   uint32_t num = 0;

   hd_foreach_phi(p, out->block)
      num++;
   hd_operand *phis = allocate(d, num, sizeof(hd_operand));
   hd_foreach_phi(p, out->block) {
      phis[out->num_phis] = d->operands[p->instr.def.index];
      phis[out->num_phis++].uniform =
          d->run->launch->check_uniform && hd_def_is_uniform(&p->instr.def);
   }
   out->phis = phis;
}

static void
decode_block(struct decoder *d, hd_code_block *out)
{
   const hd_block *b = out->block;
   const hd_cycle *cycle = hd_block_cycle(b);
   uint32_t num = 0;

   out->cycle = cycle ? cycle->index : HD_NO_CYCLE;
   hd_foreach_instr(i, b)
      num++;
   hd_code_instr *instrs = allocate(d, num, sizeof(hd_code_instr));
   hd_foreach_instr(i, b)
      out->num_instrs += decode_instr(d, i, &instrs[out->num_instrs]);
   out->instrs = instrs;
   if (d->run->launch->check_uniform || d->run->launch->ran)
      decode_phis(d, out);
   decode_exit(d, out);
}

/* The order of sweeps, and its cycles. */
static void
decode_sweep(struct decoder *d)
{
   hd_code *code = d->code;
   const uint32_t num_cycles = hd_function_num_cycles(d->f);
   uint32_t num_blocks;

   code->cycles = allocate(d, num_cycles, sizeof(hd_code_cycle));
   for (uint32_t n = 0; n < num_cycles; n++) {
      const hd_cycle *c = hd_function_cycle(d->f, n);
      code->cycles[n] = (hd_code_cycle){
         .header = c->first,
         .end = c->first + c->num_blocks,
         .parent = c->parent ? c->parent->index : HD_NO_CYCLE,
      };
   }
   hd_block *const *sweep = hd_function_sweep(d->f, &num_blocks);
   code->num_blocks = num_blocks;
   code->blocks = allocate(d, num_blocks, sizeof(hd_code_block));
   for (uint32_t n = 0; n < num_blocks; n++) {
      d->places[sweep[n]->node.index] = n;
      code->blocks[n].block = sweep[n];
   }
}

static void
decode_params(struct decoder *d)
{
   hd_operand *params = allocate(d, d->f->num_params, sizeof(hd_operand));
   uint32_t num_params = 0;

   hd_foreach_instr(i, hd_function_start(d->f)) {
      if (i->kind == HD_INSTR_PARAM)
         params[num_params++] = d->operands[i->def.index];
   }
   d->code->params = params;
}

static void
decode_function(struct decoder *d)
{
   const hd_wave_launch *launch = d->run->launch;
   hd_code *code = d->code;
   uint32_t meta = HD_META_BLOCK_ORDER | HD_META_CYCLES;

   if (launch->mode == HD_WAVE_ONE_PC && !d->f->structured)
      code->mode = HD_WAVE_ONE_PC;
   if (launch->mode == HD_WAVE_LINEAR && d->f == d->run->entry)
      code->mode = HD_WAVE_LINEAR;
   if (code->mode == HD_WAVE_ONE_PC)
      meta |= HD_META_POST_DOMINANCE;
   if (knows_divergence(d))
      meta |= HD_META_DIVERGENCE;
   hd_result result = hd_require(d->f, meta);
   if (result != HD_OK)
      hd_heap_fail(&d->run->heap, result);
   d->operands = allocate(d, d->f->num_defs, sizeof(hd_operand));
   d->var_rows = allocate(d, d->f->num_vars, sizeof(uint32_t));
   d->places = allocate(d, d->f->num_blocks, sizeof(uint32_t));
   assign_rows(d);
   fill_constants(d);
   decode_params(d);
   if (code->mode == HD_WAVE_LINEAR)
      hd_wave_decode_linear(d->run, code, d->places);
   else
      decode_sweep(d);
   for (uint32_t n = 0; n < code->num_blocks; n++) {
      hd_heap_step(&d->run->heap, 1);
      if (code->blocks[n].block)
         decode_block(d, &code->blocks[n]);
   }
   if (code->mode == HD_WAVE_ONE_PC)
      hd_wave_decode_flow(d->run, code, d->places);
}

/* The functions that the entry reaches by calls: a callee is decoded when it is first met. */
void
hd_wave_decode(hd_wave_run_state *run)
{
   hd_stack *stack = &run->stack;
   const uint32_t num = run->shader->num_functions;
   bool *wanted = hd_stack_alloc_zero(stack, num);
   bool *done = hd_stack_alloc_zero(stack, num);
   uint32_t n = 0;

   run->codes = hd_stack_alloc_zero(stack, num * sizeof(hd_code));
   hd_foreach_function(f, run->shader) {
      wanted[n] = f == run->entry;
      run->codes[n++].function = f;
   }
   for (n = 0; n < num; n++) {
      if (!wanted[n] || done[n])
         continue;
      struct decoder d = { .run = run, .stack = stack, .code = &run->codes[n] };
      d.f = d.code->function;
      decode_function(&d);
      done[n] = true;
      uint32_t first = n;
      hd_foreach_block(b, d.f) {
         hd_foreach_instr(i, b) {
            const hd_call *call = hd_instr_as_call(i);
            if (!call)
               continue;
            uint32_t callee = (uint32_t)(hd_wave_code_of(run, call->callee) - run->codes);
            wanted[callee] = true;
            if (!done[callee] && callee <= first)
               first = callee;
         }
      }
      /* On with the lowest that waits; the loop adds 1. */
      if (first < n)
         n = first - 1;
   }
}
