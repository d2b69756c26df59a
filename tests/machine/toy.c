/* SPDX-License-Identifier: MIT */
/* toy.c - the tables and hooks of the toy machine, and its pipeline. */
#include "toy.h"

#include "heddle/pass.h"
#include "heddle/structurize.h"
#include "ir/private.h"

/* Operands are as an instruction has them: no op has two encodings, or a register of its own. */
#define ROW(op, flag)                                                                              \
   [op] = { .flags = HD_MACH_PSEUDO | (flag), .latency = ((flag)&HD_MACH_LOADS) != 0 },

/* clang-format off */
#define ALL_OPS(row) \
   row(HD_MACH_P_START, 0) \
   row(HD_MACH_P_PHI, 0) \
   row(HD_MACH_P_COPY, 0) \
   row(HD_MACH_P_VECTOR, 0) \
   row(HD_MACH_P_SPLIT, 0) \
   row(HD_MACH_P_UNDEF, 0) \
   row(HD_MACH_P_MASK_PHI, 0) \
   row(HD_MACH_P_SPILL, 0) \
   row(HD_MACH_P_RELOAD, 0) \
   row(HD_MACH_P_END, 0) \
   row(HD_MACH_P_HALT, 0) \
   row(TOY_OP, 0) \
   row(TOY_CONST, 0) \
   row(TOY_LANE, 0) \
   row(TOY_WAVE, 0) \
   row(TOY_LOAD, HD_MACH_LOADS) \
   row(TOY_STORE, HD_MACH_STORES) \
   row(TOY_FIRST, HD_MACH_CROSS_LANE) \
   row(TOY_BALLOT, HD_MACH_CROSS_LANE) \
   row(TOY_SUM, HD_MACH_CROSS_LANE) \
   row(TOY_TEST, 0) \
   row(TOY_JUMP_0, HD_MACH_BRANCHES) \
   row(TOY_JUMP_1, HD_MACH_BRANCHES) \
   row(TOY_NONE, HD_MACH_BRANCHES) \
   row(TOY_ENTER, 0) \
   row(TOY_SEND, 0) \
   row(TOY_SEND_IF, 0) \
   row(TOY_ALL_FROM, HD_MACH_BRANCHES) \
   row(TOY_ANY, HD_MACH_BRANCHES) \
   row(TOY_IF, HD_MACH_BRANCHES) \
   row(TOY_ELSE, HD_MACH_BRANCHES) \
   row(TOY_ENDIF, HD_MACH_BRANCHES) \
   row(TOY_LOOP, 0) \
   row(TOY_BREAK, HD_MACH_BRANCHES) \
   row(TOY_CONTINUE, HD_MACH_BRANCHES) \
   row(TOY_ENDLOOP, HD_MACH_BRANCHES) \
   row(TOY_END_LANES, HD_MACH_BRANCHES) \
   row(TOY_PUSH, 0) \
   row(TOY_INVERT, 0) \
   row(TOY_POP, 0) \
   row(TOY_LOOP_BEGIN, 0) \
   row(TOY_LOOP_BREAK, 0) \
   row(TOY_LOOP_CONTINUE, 0) \
   row(TOY_LOOP_END, HD_MACH_BRANCHES) \
   row(TOY_END_PUSHED, 0)
/* clang-format on */

static const hd_mach_op ops[TOY_NUM_OPS] = { ALL_OPS(ROW) };

static const char *
op_name(const hd_mach *mach, unsigned op)
{
   static const char *const names[TOY_NUM_OPS] = {
#define NAME(op, flag) [op] = #op,
      ALL_OPS(NAME)
   };

   (void)mach;
   return names[op];
}

/* By class: loads take a while. */
static const hd_mach_latency latencies[] = { { .cycles = 1 }, { .cycles = 1, .data = 20 } };

const hd_mach toy_mach = {
   .name = "toy",
   .files = { [TOY_S] = { .name = "S", .flow = HD_MACH_LINEAR, .num = TOY_FLAG, .max_align = 1 },
              [TOY_V] = { .name = "V",
                          .flow = HD_MACH_LOGICAL,
                          .first = TOY_FIRST_V,
                          .num = HD_MACH_MAX_REGS - TOY_FIRST_V,
                          .max_align = 1 } },
   .num_files = TOY_NUM_FILES,
   .ops = ops,
   .op_size = sizeof(hd_mach_op),
   .file_of = { [HD_MACH_LOGICAL] = TOY_V, [HD_MACH_LINEAR] = TOY_S },
   .first_const = TOY_FIRST_CONST,
   .end_const = TOY_FIRST_CONST,
   .flag = TOY_FLAG,
   .exec = { HD_MACH_NO_REG, 0 },
   .preferred = { HD_MACH_NO_REG, 0 },
   .latencies = latencies,
   .lanes = 64,
   .op_name = op_name,
};

/* Registers */

static int32_t
registers_for(const hd_mach_program *p, unsigned waves, unsigned file)
{
   const toy_way *way = ((const toy_program *)p)->way;

   (void)waves;
   return (int32_t)(way->few[file] ? way->few[file] : p->mach->files[file].num);
}

static void
register_budget(const hd_mach_program *p, uint16_t budget[HD_MACH_MAX_FILES])
{
   for (unsigned f = 0; f < p->mach->num_files; f++)
      budget[f] = (uint16_t)registers_for(p, 1, f);
}

static unsigned
occupancy(const hd_mach_program *p, const int32_t regs[HD_MACH_MAX_FILES])
{
   (void)p;
   (void)regs;
   return 1;
}

static bool
can_rematerialize(const hd_mach_inst *inst)
{
   return inst->op == TOY_CONST;
}

static unsigned
memory_of(const hd_mach_inst *inst)
{
   (void)inst;
   return HD_MACH_MEMORY_GLOBAL;
}

/* What is spilled, of both files, has memory of its own (toy_run.c). */

static const hd_mach_spilling spilling = { .slack = 1 };

#define JUMPS                                                                                      \
   {                                                                                               \
      .flag = { TOY_JUMP_0, TOY_JUMP_1 }                                                           \
   }
#define NO_JUMPS                                                                                   \
   {                                                                                               \
      .flag = { HD_MACH_OP_NONE, HD_MACH_OP_NONE }                                                 \
   }

#define NUMBERS(its_jumps)                                                                         \
   {                                                                                               \
      .jumps = its_jumps, .enter = TOY_ENTER, .none = TOY_NONE, .send = TOY_SEND,                  \
      .send_if = TOY_SEND_IF, .all_from = TOY_ALL_FROM, .any = TOY_ANY,                            \
   }
#define STRUCTURED(its_jumps, ends, its_none)                                                      \
   {                                                                                               \
      .jumps = its_jumps, .begin_if = TOY_IF, .begin_else = TOY_ELSE, .end_if = TOY_ENDIF,         \
      .begin_loop = TOY_LOOP, .break_loop = TOY_BREAK, .continue_loop = TOY_CONTINUE,              \
      .end_loop = TOY_ENDLOOP, .end_lanes = ends, .none = its_none,                                \
   }
#define STACK(its_jumps, ends)                                                                     \
   {                                                                                               \
      .jumps = its_jumps, .push = TOY_PUSH, .invert = TOY_INVERT, .pop = TOY_POP,                  \
      .none = TOY_NONE, .loop_begin = TOY_LOOP_BEGIN, .loop_break = TOY_LOOP_BREAK,                \
      .loop_continue = TOY_LOOP_CONTINUE, .loop_end = TOY_LOOP_END, .if_size = 1, .loop_size = 3,  \
      .limit = TOY_STACK_SIZE, .end_lanes = ends,                                                  \
   }

static const hd_mach_block_numbers numbers = NUMBERS(JUMPS), numbers_alone = NUMBERS(NO_JUMPS);
static const hd_mach_structured structured = STRUCTURED(JUMPS, TOY_END_LANES, TOY_NONE),
                                structured_alone =
                                    STRUCTURED(NO_JUMPS, HD_MACH_OP_NONE, HD_MACH_OP_NONE);
static const hd_mach_control_stack stack = STACK(JUMPS, TOY_END_PUSHED),
                                   stack_alone = STACK(NO_JUMPS, HD_MACH_OP_NONE);

#define HOOKS(member, rows)                                                                        \
   {                                                                                               \
      .spilling = &spilling, .register_budget = register_budget, .occupancy = occupancy,           \
      .registers_for = registers_for, .can_rematerialize = can_rematerialize,                      \
      .memory_of = memory_of, .member = &(rows),                                                   \
   }
#define FLAT "opt_vars_to_ssa,lower_switch"
#define TREE FLAT ",lower_structurize"

#define FEW                                                                                        \
   {                                                                                               \
      [TOY_S] = 6, [TOY_V] = 4                                                                     \
   }
#define ALL                                                                                        \
   {                                                                                               \
      0                                                                                            \
   }

const toy_way toy_ways[TOY_NUM_WAYS] = {
   { "linear", FLAT, false, hd_mach_linear, true, ALL, HOOKS(numbers, numbers) },
   { "linear without jumps", FLAT, false, hd_mach_linear, false, ALL,
     HOOKS(numbers, numbers_alone) },
   { "structured", TREE, false, hd_mach_structured_flow, true, ALL, HOOKS(structured, structured) },
   { "structured without jumps", TREE, true, hd_mach_structured_flow, false, ALL,
     HOOKS(structured, structured_alone) },
   { "stack", TREE, false, hd_mach_stack_flow, true, ALL, HOOKS(control_stack, stack) },
   { "stack without jumps", TREE, true, hd_mach_stack_flow, false, ALL,
     HOOKS(control_stack, stack_alone) },
   { "linear, few registers", FLAT, false, hd_mach_linear, true, FEW, HOOKS(numbers, numbers) },
   { "structured, few registers", TREE, false, hd_mach_structured_flow, true, FEW,
     HOOKS(structured, structured) },
   { "stack, few registers", TREE, false, hd_mach_stack_flow, true, FEW,
     HOOKS(control_stack, stack) },
};

static hd_result
run_passes(hd_shader *shader, const toy_way *way)
{
   hd_pass_list list = { 0 };
   hd_result result = hd_pass_list_parse(&list, way->passes, hd_shader_config(shader)->diag);

   if (result == HD_OK)
      result = hd_run_passes(shader, list.steps, list.num_steps, NULL, NULL);
   hd_pass_list_finish(&list);
   if (result == HD_OK && way->lower_returns)
      result = hd_lower_returns(shader->first_function);
   return result;
}

static bool
assign(hd_mach_program *p, const toy_way *way)
{
   return (!way->few[TOY_S] || (hd_mach_schedule(p) && hd_mach_spill(p))) && hd_mach_regalloc(p) &&
          hd_mach_verify_ra(p);
}

hd_result
toy_compile(toy_program *p, hd_shader *shader, const toy_way *way)
{
   hd_heap *heap = hd_shader_heap(shader);
   volatile bool good = false;
   hd_unwind u;

   hd_result result = run_passes(shader, way);
   if (result != HD_OK)
      return result;
   p->way = way;
   p->mach.mach = &toy_mach;
   p->mach.hooks = &way->hooks;
   p->mach.shader = shader;
   p->mach.function = shader->first_function;
   p->mach.stack = hd_shader_stack(shader);
   hd_heap_refill(heap);
   if (HD_TRY(heap, &u)) {
      good = toy_select(p) && way->lower(&p->mach) && hd_mach_rebuild_ssa(&p->mach) &&
             (!way->assign || assign(&p->mach, way));
   }
   result = hd_heap_leave(heap, &u);
   return result != HD_OK ? result : good ? HD_OK : HD_UNSUPPORTED;
}
