/* SPDX-License-Identifier: MIT */
/* layout.c - GCN's branches for machine/layout.h (branch relaxation), and the address of constant data.
 *
 * Branch offsets have 16 bits, in words. What is farther uses s_setpc with two scalar registers that
 * are reserved for that (machine.c): a chain of hops of 128 KB each is too long.
 */
#include "machine/layout.h"

#include <assert.h>
#include <string.h>

#include "backend/gcn/abi/abi.h"

/* Long enough that no shorter form takes its place before the distance is known. */
#define FAR_AWAY 0x7fff0000u

/* Those on a condition are in pairs. */
static unsigned
opposite(unsigned op)
{
   const unsigned first = HD_GCN_S_CBRANCH_SCC0;

   return op < first || op > HD_GCN_S_CBRANCH_EXECNZ ? HD_MACH_OP_NONE : first + ((op - first) ^ 1);
}

static hd_mach_inst *
make(hd_mach_program *p, unsigned op)
{
   const hd_gcn_op_info *info = &hd_gcn_op_infos[op];

   return hd_gcn_inst_create(p, op, info->mach.num_defs, info->mach.num_srcs);
}

static unsigned
length(const hd_mach_program *p, const hd_mach_inst *inst, const char **why)
{
   uint32_t words[HD_GCN_MAX_WORDS];

   return hd_gcn_encode(hd_gcn_target_in(p)->gen, inst, words, why);
}

/* Two that hold nothing, if there are. */
static bool
reserve_far(hd_mach_program *p)
{
   const uint32_t at = (p->used[HD_GCN_SGPR] + 1) & ~UINT32_C(1);

   if (at + 2 > hd_gcn_max_registers(p, HD_GCN_SGPR))
      return false;
   hd_gcn_of(p)->far_sgprs = HD_GCN_SGPR0 + at;
   p->used[HD_GCN_SGPR] = at + 2;
   return true;
}

static hd_mach_inst *
append_op(hd_mach_program *p, hd_mach_block *block, hd_gcn_op op)
{
   hd_mach_inst *inst = make(p, op);

   hd_mach_inst_append(block, inst);
   return inst;
}

/* s_getpc_b64 a; s_add_u32 a.lo, a.lo, DISTANCE; s_addc_u32 a.hi, a.hi, 0 or -1; s_setpc_b64 a */
static void
add_far(hd_mach_program *p, hd_mach_block *island)
{
   const unsigned at = hd_gcn_of(p)->far_sgprs;
   const hd_gcn_gen gen = hd_gcn_target_in(p)->gen;
   hd_mach_inst *pc = append_op(p, island, HD_GCN_S_GETPC_B64);
   hd_mach_inst *add = append_op(p, island, HD_GCN_S_ADD_U32);
   hd_mach_inst *carry = append_op(p, island, HD_GCN_S_ADDC_U32);
   hd_mach_inst *go = append_op(p, island, HD_GCN_S_SETPC_B64);

   *hd_mach_def(pc, 0) = *hd_mach_src(go, 0) = hd_mach_operand_reg(at, 2);
   *hd_mach_def(add, 0) = *hd_mach_src(add, 0) = hd_mach_operand_reg(at, 1);
   *hd_mach_src(add, 1) = hd_gcn_operand_const(gen, HD_GCN_U32, FAR_AWAY);
   *hd_mach_def(carry, 0) = *hd_mach_src(carry, 0) = hd_mach_operand_reg(at + 1, 1);
   *hd_mach_src(carry, 1) = hd_gcn_operand_const(gen, HD_GCN_U32, 0);
}

/* From after s_getpc, which has one word; distances of 32 bits have a sign. */
static void
set_far(hd_mach_program *p, hd_mach_block *island, int64_t distance)
{
   hd_mach_inst *add = island->first->next;

   hd_mach_src(add, 1)->value = 4 * (uint32_t)(distance - 1);
   *hd_mach_src(add->next, 1) =
       hd_gcn_operand_const(hd_gcn_target_in(p)->gen, HD_GCN_U32, distance <= 0 ? UINT32_MAX : 0);
}

static const hd_mach_branches branches = {
   .always = HD_GCN_S_BRANCH,
   .opposite = opposite,
   .make = make,
   .length = length,
   .min = INT16_MIN,
   .max = INT16_MAX,
   .short_code = INT16_MAX,
   .reach = 32000,
   .min_reach = 12000,
   .island = 6,
   .piece = 2048,
   .reserve_far = reserve_far,
   .add_far = add_far,
   .set_far = set_far,
};

/* Constants */

#define MOST_INLINE 64u

static uint32_t
word_behind(const hd_mach_program *p, const hd_mach_inst *wanted)
{
   uint32_t at = 0;

   hd_mach_foreach_block(block, p)
   {
      hd_mach_foreach_inst(inst, block)
      {
         const char *why = NULL;
         at += length(p, inst, &why);
         if (inst == wanted)
            return at;
      }
   }
   assert(!"it must be in a block");
   return 0;
}

/* After the code, as aligned as the shader asks, and so far that the distance is a literal. */
static void
place_data(hd_mach_program *p, uint32_t words)
{
   const hd_shader *shader = p->shader;

   if (!hd_gcn_of(p)->data_pc)
      return;
   const uint32_t code = words * 4, from = word_behind(p, hd_gcn_of(p)->data_pc) * 4;
   uint32_t to = (code + HD_CONSTANTS_ALIGN - 1) & ~(HD_CONSTANTS_ALIGN - 1);
   if (to - from <= MOST_INLINE)
      to += HD_CONSTANTS_ALIGN;
   hd_gcn_of(p)->data_padding = to - code;
   hd_gcn_of(p)->data_size =
       hd_gcn_of(p)->data_padding + ((shader->constants_size + 3) & ~UINT32_C(3));
   uint8_t *data = hd_stack_alloc_zero(p->stack, hd_gcn_of(p)->data_size);
   if (shader->constants_size)
      memcpy(data + hd_gcn_of(p)->data_padding, shader->constants, shader->constants_size);
   hd_gcn_of(p)->data = data;
   const unsigned literal = hd_mach_src(hd_gcn_of(p)->data_add, 0)->reg == HD_GCN_LITERAL ? 0 : 1;
   hd_mach_src(hd_gcn_of(p)->data_add, literal)->value = to - from;
}

bool
hd_gcn_layout(hd_mach_program *p)
{
   uint32_t words;

   if (!hd_mach_lay_out(p, &branches, &words))
      return false;
   place_data(p, words);
   return true;
}
