/* SPDX-License-Identifier: MIT */
/* layout.c - layout: expand pseudo instructions, turn branches into control-flow instructions, assign
 * addresses to clauses.
 *
 * A store takes its address from channel X of a register and its dwords from the channels from X on:
 * operands that the allocator put elsewhere are moved there. A load of several dwords writes one
 * register, and moves bring each dword to its own.
 */
#include <string.h>

#include "backend/r700/layout.h"
#include "machine/last_reads.h"

/* DATA_FORMAT, by bytes of a unit or by how many dwords */
enum {
   FORMAT_8 = 1,
   FORMAT_16 = 5,
   FORMAT_32 = 13,
   FORMAT_32_32 = 29,
   FORMAT_3_32 = 47,
   FORMAT_4_32 = 34
};
#define NUM_FORMAT_INT  1u
#define NO_INDEX_OFFSET 2u
#define QUADS           3u /* ELEM_SIZE */
#define ALL_ELEMENTS    0xfffu
#define COND_FALSE      1u

static unsigned
channel_of(const hd_mach_operand *o)
{
   return o->reg - (unsigned)HD_R700_V0;
}

static void
append_move(hd_r700_writer *l, unsigned to, hd_mach_operand from)
{
   const hd_r700_alu move = { .op = HD_R700_MOV, .num_srcs = 1, .dst = (int)to, .srcs = { from } };

   hd_r700_append_alu(l, &move);
}

static hd_mach_operand
channel(unsigned gpr, unsigned chan)
{
   return hd_mach_operand_reg(HD_R700_V0 + 4 * gpr + chan, 1);
}

static void
write_plain(hd_r700_writer *l, const hd_mach_inst *inst)
{
   hd_r700_alu alu = { .op = inst->op,
                       .num_srcs = (uint8_t)inst->num_srcs,
                       .negated = (uint8_t)inst->bits,
                       .dst = (int)channel_of(hd_mach_def(inst, 0)) };

   for (unsigned n = 0; n < inst->num_srcs; n++)
      alu.srcs[n] = *hd_mach_src(inst, n);
   hd_r700_append_alu(l, &alu);
}

/* Loads */

static void
write_fetch_result(hd_r700_writer *l, const hd_mach_inst *inst, hd_r700_inst *fetch)
{
   const unsigned gpr = channel_of(hd_mach_def(inst, 0)) / 4;
   bool together = true;

   for (unsigned n = 0; n < inst->num_defs; n++)
      together &= channel_of(hd_mach_def(inst, n)) / 4 == gpr;
   for (unsigned n = 0; n < 4; n++)
      fetch->f[HD_R700_F_DST_SEL_X + n] = HD_R700_SEL_MASK;
   for (unsigned n = 0; n < inst->num_defs; n++) {
      const unsigned chan = together ? channel_of(hd_mach_def(inst, n)) % 4 : n;
      fetch->f[HD_R700_F_DST_SEL_X + chan] = n;
   }
   fetch->f[HD_R700_F_DST_GPR] = together ? gpr : HD_R700_GPR_LOADED;
   hd_r700_append_fetch(l, fetch);
   for (unsigned n = 0; n < inst->num_defs && !together; n++)
      append_move(l, channel_of(hd_mach_def(inst, n)), channel(HD_R700_GPR_LOADED, n));
}

static hd_r700_inst
scratch_read(hd_r700_writer *l)
{
   hd_r700_inst fetch = hd_r700_begin(HD_R700_READ_SCRATCH);

   fetch.f[HD_R700_F_ELEM_SIZE] = QUADS;
   fetch.f[HD_R700_F_UNCACHED] = 1;
   fetch.f[HD_R700_F_DATA_FORMAT] = FORMAT_4_32;
   fetch.f[HD_R700_F_NUM_FORMAT_ALL] = NUM_FORMAT_INT;
   fetch.f[HD_R700_F_ARRAY_SIZE] = hd_r700_of(l->p)->quads;
   return fetch;
}

static void
write_load(hd_r700_writer *l, const hd_mach_inst *inst)
{
   static const uint8_t dwords[] = { FORMAT_32, FORMAT_32, FORMAT_32_32, FORMAT_3_32, FORMAT_4_32 };
   const unsigned address = channel_of(hd_mach_src(inst, 0)), unit = inst->form;
   const bool scratch = inst->bits == HD_R700_MEMORY_SCRATCH;
   hd_r700_inst fetch = scratch ? scratch_read(l) : hd_r700_begin(HD_R700_VFETCH);

   fetch.f[HD_R700_F_SRC_GPR] = address / 4;
   fetch.f[HD_R700_F_SRC_SEL_X] = address % 4;
   if (scratch) {
      fetch.f[HD_R700_F_INDEXED] = 1;
   } else {
      fetch.f[HD_R700_F_FETCH_TYPE] = NO_INDEX_OFFSET;
      fetch.f[HD_R700_F_BUFFER_ID] = inst->bits;
      fetch.f[HD_R700_F_MEGA_FETCH] = 1;
      fetch.f[HD_R700_F_MEGA_FETCH_COUNT] = unit * inst->num_defs - 1;
      fetch.f[HD_R700_F_DATA_FORMAT] = unit == 1   ? FORMAT_8
                                       : unit == 2 ? FORMAT_16
                                                   : dwords[inst->num_defs];
      fetch.f[HD_R700_F_NUM_FORMAT_ALL] = NUM_FORMAT_INT;
      fetch.f[HD_R700_F_OFFSET] = (uint32_t)inst->imm;
   }
   write_fetch_result(l, inst, &fetch);
}

/* Quads of spilled values stand behind the shader's own. */
static uint32_t
slot_of(const hd_r700_writer *l, const hd_mach_inst *inst)
{
   return l->p->spill_offset / 4 + (uint32_t)inst->imm;
}

static void
write_reload(hd_r700_writer *l, const hd_mach_inst *inst)
{
   hd_r700_inst fetch = scratch_read(l);

   fetch.f[HD_R700_F_ARRAY_BASE] = slot_of(l, inst);
   write_fetch_result(l, inst, &fetch);
}

/* Stores */

/* The register whose channels from X on have these operands; they are moved to `other` if there is
 * none.
 */
static unsigned
gather(hd_r700_writer *l, const hd_mach_operand *o, unsigned num, unsigned other)
{
   bool there = true;

   for (unsigned n = 0; n < num; n++)
      there &= !hd_r700_is_constant(&o[n]) && channel_of(&o[n]) % 4 == n &&
               channel_of(&o[n]) / 4 == channel_of(&o[0]) / 4;
   if (there)
      return channel_of(&o[0]) / 4;
   for (unsigned n = 0; n < num; n++)
      append_move(l, 4 * other + n, o[n]);
   return other;
}

static void
write_store(hd_r700_writer *l, const hd_mach_inst *inst)
{
   const bool scratch = inst->bits == HD_R700_MEMORY_SCRATCH;
   const unsigned num = inst->num_srcs - 1u;
   const unsigned index = gather(l, hd_mach_src(inst, 0), 1, HD_R700_GPR_ADDRESS);
   const unsigned data = gather(l, hd_mach_src(inst, 1), num, HD_R700_GPR_DATA);

   hd_r700_flush(l);
   hd_r700_cf *cf = hd_r700_append_cf(l, scratch ? HD_R700_MEM_SCRATCH : HD_R700_MEM_EXPORT);
   cf->inst.f[HD_R700_F_TYPE] = HD_R700_WRITE_IND;
   cf->inst.f[HD_R700_F_RW_GPR] = hd_r700_final_gpr(l, data);
   cf->inst.f[HD_R700_F_INDEX_GPR] = hd_r700_final_gpr(l, index);
   cf->inst.f[HD_R700_F_COMP_MASK] = (1u << num) - 1;
   cf->inst.f[HD_R700_F_ELEM_SIZE] = scratch ? QUADS : 0;
   cf->inst.f[HD_R700_F_ARRAY_SIZE] = scratch ? hd_r700_of(l->p)->quads : ALL_ELEMENTS;
   l->stats->exports++;
}

static void
write_spill(hd_r700_writer *l, const hd_mach_inst *inst)
{
   const unsigned data = gather(l, hd_mach_src(inst, 0), 1, HD_R700_GPR_DATA);

   hd_r700_flush(l);
   hd_r700_cf *cf = hd_r700_append_cf(l, HD_R700_MEM_SCRATCH);
   cf->inst.f[HD_R700_F_TYPE] = HD_R700_WRITE;
   cf->inst.f[HD_R700_F_RW_GPR] = hd_r700_final_gpr(l, data);
   cf->inst.f[HD_R700_F_COMP_MASK] = 1;
   cf->inst.f[HD_R700_F_ELEM_SIZE] = QUADS;
   cf->inst.f[HD_R700_F_ARRAY_BASE] = slot_of(l, inst);
   cf->inst.f[HD_R700_F_ARRAY_SIZE] = hd_r700_of(l->p)->quads - slot_of(l, inst);
   l->stats->exports++;
}

/* Control flow */

static hd_r700_cf *
append_control(hd_r700_writer *l, unsigned op)
{
   hd_r700_flush(l);
   hd_r700_cf *cf = hd_r700_append_cf(l, op);
   cf->to = HD_R700_TO_CF;
   cf->cf = l->num_cf; /* the next one */
   return cf;
}

static void
go_to(hd_r700_cf *cf, const hd_mach_block *target)
{
   cf->to = HD_R700_TO_BLOCK;
   cf->target = target;
}

/* The predicate is the last instruction of a clause that pushes before. */
static void
write_push(hd_r700_writer *l, const hd_mach_inst *inst)
{
   const unsigned op = hd_r700_test_of(inst);
   bool swap;
   const hd_r700_alu test = { .op = (uint16_t)(inst->bits ? hd_r700_opposite_test(op, &swap) : op),
                              .num_srcs = 2,
                              .sets_mask = true,
                              .dst = -1,
                              .srcs = { *hd_mach_src(inst, 0), inst->num_srcs == 2
                                                                   ? *hd_mach_src(inst, 1)
                                                                   : hd_r700_imm(0) } };

   hd_r700_flush_fetches(l);
   hd_r700_append_alu(l, &test);
   hd_r700_flush(l);
   hd_r700_cf *cf = &l->cf[l->num_cf - 1];
   cf->inst = hd_r700_begin(HD_R700_ALU_PUSH_BEFORE);
   cf->from = inst;
   cf->inst.f[HD_R700_F_BARRIER] = 1;
}

static void
write_none(hd_r700_writer *l, const hd_mach_inst *inst)
{
   /* An else jumps by itself. */
   const bool is_else = inst->prev && inst->prev->op == HD_R700_P_INVERT;

   go_to(is_else ? &l->cf[l->num_cf - 1] : append_control(l, HD_R700_JUMP), inst->target);
}

static bool
write_control(hd_r700_writer *l, const hd_mach_inst *inst)
{
   switch (inst->op) {
   case HD_R700_P_PUSH:
      write_push(l, inst);
      return true;
   case HD_R700_P_NONE:
      write_none(l, inst);
      return true;
   case HD_R700_P_INVERT:
      append_control(l, HD_R700_ELSE);
      return true;
   case HD_R700_P_POP:
      append_control(l, HD_R700_POP)->inst.f[HD_R700_F_POP_COUNT] = 1;
      return true;
   case HD_R700_P_LOOP_BEGIN:
      append_control(l, HD_R700_LOOP_START_DX10);
      return true;
   case HD_R700_P_LOOP_END:
      go_to(append_control(l, HD_R700_LOOP_END), inst->target);
      return true;
   case HD_R700_P_BREAK:
      append_control(l, HD_R700_LOOP_BREAK);
      return true;
   case HD_R700_P_CONTINUE:
      append_control(l, HD_R700_LOOP_CONTINUE);
      return true;
   case HD_MACH_P_END:
      append_control(l, HD_R700_CF_NOP)->inst.f[HD_R700_F_END_OF_PROGRAM] = 1;
      return true;
   default:
      return false;
   }
}

static bool
write_inst(hd_r700_writer *l, const hd_mach_inst *inst)
{
   if (write_control(l, inst))
      return true;
   switch (inst->op) {
   case HD_R700_P_LOAD:
      write_load(l, inst);
      return true;
   case HD_R700_P_STORE:
      write_store(l, inst);
      return true;
   case HD_MACH_P_SPILL:
      write_spill(l, inst);
      return true;
   case HD_MACH_P_RELOAD:
      write_reload(l, inst);
      return true;
   default:
      break;
   }
   if (inst->op < HD_R700_FIRST_OP)
      return hd_mach_refuse(l->p, NULL, "%s cannot be encoded", hd_r700_op_infos[inst->op].name);
   write_plain(l, inst);
   return true;
}

/* Where the code goes on when no branch of the block is taken, if that is not what is next. */
static void
end_block(hd_r700_writer *l, const hd_mach_block *block)
{
   const hd_mach_edges *edges = &block->edges[HD_MACH_LINEAR];
   const hd_mach_block *next = block->next;

   /* Nothing else comes to the next one: clauses go on there. */
   if (edges->num_succs == 1 && edges->succs[0] == next &&
       next->edges[HD_MACH_LINEAR].num_preds == 1)
      return;
   hd_r700_flush(l);
   if (!edges->num_succs || edges->succs[edges->num_succs - 1] == block->next)
      return;
   hd_r700_cf *cf = append_control(l, HD_R700_JUMP);
   cf->inst.f[HD_R700_F_COND] = COND_FALSE;
   go_to(cf, edges->succs[edges->num_succs - 1]);
}

/* What the end of the loop goes to stands behind its beginning; a jump over it may be between. */
static bool
begins_at(const hd_r700_writer *l, uint32_t start, uint32_t target)
{
   return target == start + 1 || (target == start + 2 && l->cf[start + 1].inst.op == HD_R700_JUMP);
}

/* Loops name each other's ends: beginnings to behind the end, breaks and continues to the end. The end
 * of a loop that nobody reaches is not there.
 */
static void
link_loops(hd_r700_writer *l)
{
   uint32_t *open = hd_stack_alloc(l->p->stack, (l->num_cf + 1) * sizeof(*open)), num = 0;
   uint32_t *loop = hd_stack_alloc_zero(l->p->stack, (l->num_cf + 1) * sizeof(*loop));

   for (uint32_t n = 0; n < l->num_cf; n++) {
      hd_r700_cf *cf = &l->cf[n];
      switch (cf->inst.op) {
      case HD_R700_LOOP_START_DX10:
         open[num++] = n;
         cf->cf = l->num_cf - 1;
         break;
      case HD_R700_LOOP_BREAK:
      case HD_R700_LOOP_CONTINUE:
         loop[n] = num ? open[num - 1] + 1 : 0;
         break;
      case HD_R700_LOOP_END:
         while (num > 1 && !begins_at(l, open[num - 1], l->begin[cf->target->index]))
            num--;
         if (num)
            l->cf[open[--num]].cf = n + 1;
         break;
      default:
         break;
      }
   }
   for (uint32_t n = 0; n < l->num_cf; n++) {
      if (loop[n])
         l->cf[n].cf = l->cf[loop[n] - 1].cf - 1;
   }
}

/* Pops behind clauses */

/* What goes to the pop from elsewhere is a jump that can pop itself. */
static bool
can_pop_after(const hd_r700_writer *l, const uint32_t *targets, uint32_t pop)
{
   const hd_r700_cf *before = &l->cf[pop - 1];

   if (l->cf[pop].inst.op != HD_R700_POP || before->inst.op != HD_R700_ALU)
      return false;
   for (uint32_t n = 0; n < l->num_cf; n++) {
      const hd_r700_cf *cf = &l->cf[n];
      const bool jumps = cf->inst.op == HD_R700_JUMP || cf->inst.op == HD_R700_ELSE;
      if (cf->to && targets[n] == pop && n != pop && (!jumps || cf->inst.f[HD_R700_F_COND]))
         return false;
   }
   return true;
}

static bool
goes_to_next(const hd_r700_writer *l, const uint32_t *targets, uint32_t n)
{
   return l->cf[n].inst.op == HD_R700_JUMP && l->cf[n].inst.f[HD_R700_F_COND] == COND_FALSE &&
          targets[n] == n + 1;
}

/* Breaks of a clause */

static void
set_op(hd_r700_inst *inst, unsigned op)
{
   inst->op = (uint16_t)op;
   inst->f[HD_R700_F_INST] = hd_r700_op_infos[op].code;
}

/* A push for lanes that all leave the body, and nothing else:
 *
 *    ALU_PUSH_BEFORE  c         ALU_BREAK  !c
 *    JUMP             =>
 *    LOOP_BREAK
 *    POP
 */
static bool
can_leave(const hd_r700_writer *l, const uint32_t *targets, const uint32_t *from, uint32_t push)
{
   const hd_r700_cf *cf = &l->cf[push];

   return push + 3 < l->num_cf && cf[0].inst.op == HD_R700_ALU_PUSH_BEFORE &&
          cf[1].inst.op == HD_R700_JUMP && !cf[1].inst.f[HD_R700_F_COND] &&
          targets[push + 1] == push + 3 &&
          (cf[2].inst.op == HD_R700_LOOP_BREAK || cf[2].inst.op == HD_R700_LOOP_CONTINUE) &&
          cf[3].inst.op == HD_R700_POP && cf[3].inst.f[HD_R700_F_POP_COUNT] == 1 &&
          !from[push + 1] && !from[push + 2] && from[push + 3] == 1;
}

/* The sources the other way round, each in the cycle that it is read in. */
static void
swap_sources(hd_r700_inst *inst)
{
   static const uint8_t fields[][2] = { { HD_R700_F_SRC0_SEL, HD_R700_F_SRC1_SEL },
                                        { HD_R700_F_SRC0_CHAN, HD_R700_F_SRC1_CHAN },
                                        { HD_R700_F_SRC0_NEG, HD_R700_F_SRC1_NEG },
                                        { HD_R700_F_SRC0_REL, HD_R700_F_SRC1_REL },
                                        { HD_R700_F_SRC0_ABS, HD_R700_F_SRC1_ABS } };
   uint32_t *swizzle = &inst->f[HD_R700_F_BANK_SWIZZLE];

   for (size_t n = 0; n < sizeof(fields) / sizeof(fields[0]); n++) {
      const uint32_t first = inst->f[fields[n][0]];
      inst->f[fields[n][0]] = inst->f[fields[n][1]];
      inst->f[fields[n][1]] = first;
   }
   /* 012 and 102, 021 and 201, 120 and 210 */
   *swizzle = (*swizzle + 3) % HD_R700_NUM_SWIZZLES;
}

/* The clause breaks with the lanes that its test excludes. False: the test has no opposite. */
static bool
leave_in_clause(hd_r700_writer *l, uint32_t push)
{
   hd_r700_cf *cf = &l->cf[push];
   const bool breaks = cf[2].inst.op == HD_R700_LOOP_BREAK;
   uint64_t words[2] = { l->alu.words[cf->test].word };
   hd_r700_inst test;
   bool swap;

   hd_r700_decode(HD_R700_ALU_WORD, words, &test);
   const unsigned opposite = hd_r700_opposite_test(test.op, &swap);
   if (opposite == HD_MACH_OP_NONE)
      return false;
   set_op(&test, opposite);
   if (swap)
      swap_sources(&test);
   hd_r700_encode(&test, words);
   l->alu.words[cf->test].word = words[0];
   set_op(&cf->inst, breaks ? HD_R700_ALU_BREAK : HD_R700_ALU_CONTINUE);
   return true;
}

/* Marks what goes. */
static void
merge_breaks(hd_r700_writer *l, const uint32_t *targets, bool *gone)
{
   uint32_t *from = hd_stack_alloc_zero(l->p->stack, (l->num_cf + 1) * sizeof(*from));

   for (uint32_t n = 0; n < l->num_cf; n++)
      from[targets[n]] += l->cf[n].to != HD_R700_TO_NOWHERE && targets[n] != n + 1;
   for (uint32_t n = 0; n < l->num_cf; n++) {
      if (!can_leave(l, targets, from, n) || !leave_in_clause(l, n))
         continue;
      gone[n + 1] = gone[n + 2] = gone[n + 3] = true;
   }
}

static void
merge_pops(hd_r700_writer *l, uint32_t *targets, bool *gone)
{
   for (uint32_t n = 1; n < l->num_cf; n++) {
      hd_heap_step(l->p->stack->heap, 1);
      if (!can_pop_after(l, targets, n))
         continue;
      for (uint32_t k = 0; k < l->num_cf; k++) {
         if (l->cf[k].to && targets[k] == n && k != n) {
            l->cf[k].inst.f[HD_R700_F_POP_COUNT] = 1;
            targets[k] = n + 1;
         }
      }
      set_op(&l->cf[n - 1].inst, HD_R700_ALU_POP_AFTER);
      gone[n] = true;
   }
}

static void
remove_gone(hd_r700_writer *l, uint32_t *targets, bool *gone)
{
   uint32_t *to = hd_stack_alloc(l->p->stack, (l->num_cf + 1) * sizeof(*to)), kept = 0;

   for (uint32_t n = 0; n < l->num_cf; n++) {
      to[n] = kept;
      if (!gone[n]) {
         targets[kept] = targets[n];
         l->cf[kept++] = l->cf[n];
      }
      gone[n] = false;
   }
   to[l->num_cf] = kept;
   l->num_cf = kept;
   for (uint32_t n = 0; n < kept; n++)
      targets[n] = to[targets[n]];
}

/* Jumps to what is next go; a clause and a break, or a pop, are one instruction. The time is that of pops
 * times control flow.
 */
static void
shorten(hd_r700_writer *l, uint32_t *targets)
{
   bool *gone = hd_stack_alloc_zero(l->p->stack, l->num_cf + 1);

   for (uint32_t n = 0; n < l->num_cf; n++)
      gone[n] = goes_to_next(l, targets, n);
   remove_gone(l, targets, gone);
   merge_breaks(l, targets, gone);
   remove_gone(l, targets, gone);
   merge_pops(l, targets, gone);
   remove_gone(l, targets, gone);
}

static uint32_t *
find_targets(const hd_r700_writer *l)
{
   uint32_t *targets = hd_stack_alloc_zero(l->p->stack, (l->num_cf + 1) * sizeof(*targets));

   for (uint32_t n = 0; n < l->num_cf; n++) {
      const hd_r700_cf *cf = &l->cf[n];
      targets[n] = cf->to == HD_R700_TO_BLOCK ? l->begin[cf->target->index] : cf->cf;
   }
   return targets;
}

/* Bytes */

static void
append_bytes(hd_blob *code, uint64_t word)
{
   uint8_t bytes[8];

   for (unsigned n = 0; n < 8; n++)
      bytes[n] = (uint8_t)(word >> (8 * n));
   hd_blob_append(code, bytes, sizeof(bytes));
}

static void
lock_constants(hd_r700_cf *cf)
{
   static const uint8_t fields[HD_R700_MAX_RANGES][3] = {
      { HD_R700_F_KCACHE_BANK0, HD_R700_F_KCACHE_ADDR0, HD_R700_F_KCACHE_MODE0 },
      { HD_R700_F_KCACHE_BANK1, HD_R700_F_KCACHE_ADDR1, HD_R700_F_KCACHE_MODE1 },
   };

   for (unsigned n = 0; n < cf->num_ranges; n++) {
      cf->inst.f[fields[n][0]] = cf->ranges[n] >> 16;
      cf->inst.f[fields[n][1]] = 2 * (cf->ranges[n] & 0xffff); /* lines of 16 constants */
      cf->inst.f[fields[n][2]] = 2;                            /* this one and the next */
   }
}

/* Control flow, ALU clauses, and at an even address fetch clauses. */
static bool
write_bytes(hd_r700_writer *l, const uint32_t *targets, hd_blob *code)
{
   const uint32_t alu = l->num_cf, pad = (alu + l->alu.num) % 2;
   const uint32_t fetches = alu + l->alu.num + pad;
   uint64_t words[2];

   for (uint32_t n = 0; n < l->num_cf; n++) {
      hd_r700_cf *cf = &l->cf[n];
      const hd_r700_op_info *info = &hd_r700_op_infos[cf->inst.op];
      if (info->layout == HD_R700_LAYOUT_CF_ALU) {
         cf->inst.f[HD_R700_F_ADDR] = alu + cf->first;
         cf->inst.f[HD_R700_F_COUNT] = cf->num - 1;
         lock_constants(cf);
      } else if (info->mach.flags & HD_R700_CLAUSE) {
         cf->inst.f[HD_R700_F_ADDR] = fetches + cf->first;
         cf->inst.f[HD_R700_F_COUNT] = cf->num - 1;
      } else if (cf->to && cf->inst.op != HD_R700_CF_NOP) {
         cf->inst.f[HD_R700_F_ADDR] = targets[n];
      }
      if (!hd_r700_encode(&cf->inst, words))
         return hd_mach_refuse(l->p, NULL, "%s cannot be encoded: the program is too long",
                               info->name);
      append_bytes(code, words[0]);
   }
   for (uint32_t n = 0; n < l->alu.num; n++)
      append_bytes(code, l->alu.words[n].word);
   if (pad)
      append_bytes(code, 0);
   for (uint32_t n = 0; n < l->fetches.num; n++)
      append_bytes(code, l->fetches.words[n].word);
   return true;
}

static void
count(hd_r700_writer *l)
{
   hd_r700_stats *stats = l->stats;

   for (uint32_t n = 0; n < l->num_cf; n++) {
      const hd_r700_inst *inst = &l->cf[n].inst;
      const bool jumps = hd_r700_op_infos[inst->op].mach.flags & HD_R700_JUMPS;
      const bool goes = inst->op == HD_R700_JUMP;
      stats->jumps += goes;
      stats->masks += (jumps && !goes) || inst->op == HD_R700_ALU_PUSH_BEFORE ||
                      inst->op == HD_R700_ALU_POP_AFTER || inst->op == HD_R700_ALU_BREAK ||
                      inst->op == HD_R700_ALU_CONTINUE;
   }
   stats->control = l->num_cf;
   stats->instructions = l->num_cf + stats->slots + stats->fetches;
}

/* For who watches: control flow, and behind each instruction that runs a clause its words. */

typedef struct telling {
   hd_mach_piece *pieces;
   uint32_t num;
   uint64_t *words;
   hd_r700_place *places;
} telling;

static void
print_piece(const void *user, uint32_t piece, hd_blob *out)
{
   const telling *t = user;
   const size_t at = t->pieces[piece].offset / 8;

   hd_r700_print_place(&t->words[at], &t->places[at], out);
}

static void
tell_piece(telling *t, const hd_mach_inst *inst, const hd_mach_block *block, uint32_t at,
           unsigned words)
{
   t->pieces[t->num++] = (hd_mach_piece){ inst, block, 8 * at, 8 * words };
}

static void
tell(hd_r700_writer *l, const hd_blob *code)
{
   const uint32_t num = (uint32_t)(code->size / 8);
   telling t = { .pieces = hd_stack_alloc(l->p->stack, (num + 1) * sizeof(*t.pieces)) };

   hd_r700_read_words(l->p->stack, code->data, num, &t.words, &t.places);
   for (uint32_t n = 0; n < l->num_cf; n++) {
      const hd_r700_cf *cf = &l->cf[n];
      const bool alu = hd_r700_op_infos[cf->inst.op].layout == HD_R700_LAYOUT_CF_ALU;
      const hd_r700_words *from = alu ? &l->alu : &l->fetches;
      const uint32_t size = alu ? 1 : 2;
      tell_piece(&t, cf->from, cf->block, n, 1);
      for (uint32_t k = 0; k < cf->num; k++)
         tell_piece(&t, from->words[cf->first + size * k].from, cf->block,
                    cf->inst.f[HD_R700_F_ADDR] + size * k, size);
   }
   hd_mach_after_output(l->p, t.pieces, t.num, print_piece, &t);
}

/* Registers to rename to: so many that eight waves can run at the same time, of 256 that there are; or at
 * least as many as these.
 */
#define OF_EIGHT_WAVES 32u
#define SPARES         8u

static void
place_registers(hd_r700_writer *l)
{
   const unsigned end = HD_R700_GPR_ADDRESS;
   unsigned num;

   hd_mach_count_registers(l->p);
   l->first_spare = 2 + (l->p->used[HD_R700_VECTOR] + 3) / 4;
   num = l->first_spare + HD_R700_NUM_TEMPS + SPARES < OF_EIGHT_WAVES
             ? OF_EIGHT_WAVES - l->first_spare - HD_R700_NUM_TEMPS
             : SPARES;
   l->num_spares = end - l->first_spare < num ? end - l->first_spare : num;
   if (hd_r700_of(l->p)->options->max_registers)
      l->num_spares = 0;
}

bool
hd_r700_encode_program(hd_mach_program *p, hd_blob *code)
{
   hd_r700_program *r700 = hd_r700_of(p);
   hd_r700_writer l = { .p = p, .stats = &r700->stats };

   /* With two elements for the state that the hardware keeps. */
   r700->stack_size = p->stack_depth ? (p->stack_depth + 2 + 3) / 4 : 0;
   r700->quads = p->scratch_size / 4;
   if (r700->quads > HD_R700_MAX_QUADS)
      return hd_mach_refuse(p, NULL, "%u quads of scratch memory are needed, the machine has %u",
                            r700->quads, HD_R700_MAX_QUADS);
   place_registers(&l);
   hd_mach_mark_last_reads(p, HD_MACH_LOGICAL);
   l.begin = hd_stack_alloc_zero(p->stack, (p->num_blocks + 1) * sizeof(*l.begin));
   hd_mach_foreach_block(block, p)
   {
      l.begin[block->index] = l.num_cf;
      l.block = block;
      hd_mach_foreach_inst(inst, block)
      {
         l.inst = inst;
         if (!write_inst(&l, inst))
            return false;
      }
      l.inst = NULL;
      end_block(&l, block);
   }
   r700->num_gprs = l.first_spare + HD_R700_NUM_TEMPS + l.used_spares;
   link_loops(&l);
   uint32_t *targets = find_targets(&l);
   shorten(&l, targets);
   count(&l);
   if (!write_bytes(&l, targets, code))
      return false;
   if (p->observer)
      tell(&l, code);
   return true;
}
