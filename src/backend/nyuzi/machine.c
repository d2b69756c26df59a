/* SPDX-License-Identifier: MIT */
/* machine.c - the description of Nyuzi for the machine layer: register files, op tables, hooks. */
#include "backend/nyuzi/program.h"

static const char *
op_name(const hd_mach *mach, unsigned op)
{
   (void)mach;
   return hd_nyuzi_op_infos[op].name;
}

static const hd_mach_latency latencies[] = { { .cycles = 1 } };
static const uint32_t constants[] = { 0, UINT32_MAX };

const hd_mach hd_nyuzi_mach = {
   .name = "nyuzi",
   .files = { [HD_NYUZI_SCALAR] = { .name = "scalar",
                                    .flow = HD_MACH_LINEAR,
                                    .first = HD_NYUZI_S1,
                                    .num = HD_NYUZI_MAX_SCALARS,
                                    .max_align = 1,
                                    .slack = 1,
                                    .letter = 's',
                                    .named = 32 },
              [HD_NYUZI_VECTOR] = { .name = "vector",
                                    .flow = HD_MACH_LOGICAL,
                                    .first = HD_NYUZI_V0,
                                    .num = HD_NYUZI_MAX_VECTORS,
                                    .max_align = 1,
                                    .slack = 1,
                                    .letter = 'v',
                                    .named = 32,
                                    .name_0 = HD_NYUZI_V0 } },
   .num_files = HD_NYUZI_NUM_FILES,
   .ops = hd_nyuzi_op_infos,
   .op_size = sizeof(hd_nyuzi_op_info),
   .num_ops = HD_NYUZI_NUM_OPS,
   .file_of = { [HD_MACH_LOGICAL] = HD_NYUZI_VECTOR, [HD_MACH_LINEAR] = HD_NYUZI_SCALAR },
   .first_const = HD_NYUZI_ZERO,
   .end_const = HD_NYUZI_LITERAL, /* literals of one number differ */
   .constants = constants,
   .literal = HD_NYUZI_LITERAL,
   .flag = HD_MACH_NO_REG,
   .exec = { HD_NYUZI_EXEC, 1 },
   .preferred = { HD_MACH_NO_REG, 1 },
   .transients = { { HD_NYUZI_FLAG, false } },
   .num_transients = 1,
   .latencies = latencies,
   .lanes = HD_NYUZI_LANES,
   .op_name = op_name,
};

hd_mach_inst *
hd_nyuzi_make(hd_mach_program *p, unsigned op, hd_mach_operand def, hd_mach_operand a,
              hd_mach_operand b)
{
   const hd_mach_op *info = &hd_nyuzi_op_infos[op].mach;
   hd_mach_inst *inst = hd_mach_inst_create(p, op, info->num_defs, info->num_srcs);

   if (def.size) {
      *hd_mach_def(inst, 0) = def;
      if (def.flags & HD_MACH_OPERAND_TEMP)
         p->temps[def.value].def = inst;
   }
   if (a.size)
      *hd_mach_src(inst, 0) = a;
   if (b.size)
      *hd_mach_src(inst, 1) = b;
   switch (op) {
   case HD_NYUZI_P_AND_SAVE:
      *hd_mach_def(inst, 1) = hd_nyuzi_reg(HD_NYUZI_EXEC);
      *hd_mach_src(inst, 1) = hd_nyuzi_reg(HD_NYUZI_EXEC);
      break;
   case HD_NYUZI_P_BZ_EXEC:
   case HD_NYUZI_P_BNZ_EXEC:
      *hd_mach_src(inst, 0) = hd_nyuzi_reg(HD_NYUZI_EXEC);
      break;
   case HD_NYUZI_P_BZ_FLAG:
   case HD_NYUZI_P_BNZ_FLAG:
      *hd_mach_src(inst, 0) = hd_nyuzi_reg(HD_NYUZI_FLAG);
      break;
   default:
      break;
   }
   return inst;
}

static void
register_budget(const hd_mach_program *p, uint16_t budget[HD_MACH_MAX_FILES])
{
   const hd_nyuzi_options *o = hd_nyuzi_of(p)->options;

   budget[HD_NYUZI_SCALAR] = (uint16_t)(o->max_scalars ? o->max_scalars : HD_NYUZI_MAX_SCALARS);
   budget[HD_NYUZI_VECTOR] = (uint16_t)(o->max_vectors ? o->max_vectors : HD_NYUZI_MAX_VECTORS);
}

static bool
can_rematerialize(const hd_mach_inst *inst)
{
   return inst->op == HD_NYUZI_P_CONST && !(hd_mach_def(inst, 0)->flags & HD_MACH_OPERAND_FIXED);
}

static bool
is_move(const hd_mach_inst *inst)
{
   return inst->op == HD_NYUZI_MOVE;
}

static hd_mach_inst *
end(hd_mach_program *p)
{
   return hd_mach_inst_create(p, HD_NYUZI_P_EXIT, 0, 0);
}

/* Scalars are spilled to memory, in one instruction each: no vector register is set aside. */

static uint32_t
place_scalars(hd_mach_program *p, uint32_t dwords, uint32_t vectors, bool scratch)
{
   (void)vectors;
   (void)scratch;
   hd_nyuzi_of(p)->scalar_slots = dwords;
   return 0;
}

static const hd_mach_spilling spilling = {
   .slack = 1,
   .place_scalars = place_scalars,
};

/* Masks */

static const uint8_t costs[] = { 1 };

/* What a branch costs that is taken, in vector instructions: the pipeline is flushed. */
#define BRANCH_COST 6u

static bool
skip_pays(const hd_mach_program *p, uint32_t cost, bool must)
{
   switch (hd_nyuzi_of(p)->options->skip) {
   case HD_NYUZI_SKIP_ALWAYS:
      return must || cost > 0;
   case HD_NYUZI_SKIP_NEVER:
      return must;
   case HD_NYUZI_SKIP_COST:
      break;
   }
   return must || cost > BRANCH_COST;
}

/* Accesses by scalars are done whatever the masks say. */
static bool
must_have_lanes(const hd_mach_inst *inst)
{
   const hd_nyuzi_op_info *info = hd_nyuzi_info(inst);

   return info->shape == HD_NYUZI_SHAPE_LOAD || info->shape == HD_NYUZI_SHAPE_STORE;
}

/* Compares write the bits of all lanes. */
static unsigned
inverse_compare(unsigned op)
{
   static const uint16_t inverse[][2] = {
      { HD_NYUZI_CMPEQ_I, HD_NYUZI_CMPNE_I }, { HD_NYUZI_CMPGT_I, HD_NYUZI_CMPLE_I },
      { HD_NYUZI_CMPGE_I, HD_NYUZI_CMPLT_I }, { HD_NYUZI_CMPGT_U, HD_NYUZI_CMPLE_U },
      { HD_NYUZI_CMPGE_U, HD_NYUZI_CMPLT_U }, { HD_NYUZI_CMPEQ_F, HD_NYUZI_CMPNE_F },
   };

   for (size_t n = 0; n < sizeof(inverse) / sizeof(inverse[0]); n++) {
      if (inverse[n][0] == op)
         return inverse[n][1];
      if (inverse[n][1] == op)
         return inverse[n][0];
   }
   return HD_MACH_OP_NONE;
}

/* rename_masks.c does it when registers are known. */
static const hd_mach_masks masks = {
   .move = HD_NYUZI_MOVE,
   .and_masks = HD_NYUZI_AND,
   .or_masks = HD_NYUZI_OR,
   .and_not = HD_NYUZI_P_AND_NOT,
   .xor_masks = HD_NYUZI_XOR,
   .and_save = HD_NYUZI_P_AND_SAVE,
   .branch_flag = { HD_NYUZI_P_BZ_FLAG, HD_NYUZI_P_BNZ_FLAG },
   .branch_none = HD_NYUZI_P_BZ_EXEC,
   .branch_some = HD_NYUZI_P_BNZ_EXEC,
   .zero = HD_NYUZI_ZERO,
   .costs = costs,
   .make = hd_nyuzi_make,
   .skip_pays = skip_pays,
   .must_have_lanes = must_have_lanes,
   .inverse_compare = inverse_compare,
};

const hd_mach_hooks hd_nyuzi_hooks = {
   .spilling = &spilling,
   .masks = &masks,
   .register_budget = register_budget,
   .can_rematerialize = can_rematerialize,
   .is_move = is_move,
   .end = end,
};
