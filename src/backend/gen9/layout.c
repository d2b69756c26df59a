/* SPDX-License-Identifier: MIT */
/* layout.c - layout: expand pseudo instructions, encode, fill in branch targets (JIP, UIP).
 *
 * The flag f0.0 is computed from a boolean before the instruction that reads it. Within a block it is
 * reused as long as the value stays in its register.
 *
 * Branch targets: of `if` after the `else`, or its `endif`; of all others the `else`, `endif` or `while`
 * in the block of their target, where lanes wait.
 */
#include <string.h>

#include "backend/gen9/layout.h"

#define WORD_BYTES ((int32_t)HD_GEN9_INST_BYTES)
/* Of floats of 64, 32 and 16 bits. */
#define KEEP_DENORMALS (1u << 6 | 1u << 7 | 1u << 10)

/* Simple instructions */

static void
write_plain(hd_gen9_layout *l, const hd_mach_inst *inst)
{
   const hd_mach_operand *def = hd_mach_def(inst, 0);
   const bool single = hd_gen9_is_scalar_reg(def), three = inst->num_srcs == 3;
   hd_gen9_word *w;

   /* Three sources are those of four channels and more. */
   if (single && three) {
      w = hd_gen9_append_word(l, HD_GEN9_ALL, inst->op);
      w->dst = hd_gen9_dst_operand(l->width->temp, inst->form);
   } else {
      w = hd_gen9_append_result(l, inst->op, def, inst->form);
   }
   hd_gen9_put_sources(l, w, inst);
   for (unsigned n = 0; n < inst->num_srcs; n++) {
      w->src[n].neg = (inst->op == HD_GEN9_ADD || inst->op == HD_GEN9_AND) && inst->bits >> n & 1;
      if (three)
         hd_gen9_drop_region(&w->src[n], hd_gen9_is_scalar_reg(hd_mach_src(inst, n)));
   }
   w->cond = inst->op == HD_GEN9_SEL ? (uint8_t)inst->bits : 0;
   w->sat = inst->mods.bytes[0];
   if (l->masked && inst->op == HD_GEN9_SEL && !single)
      hd_gen9_write_selected(l, w);
   if (single && three)
      hd_gen9_append_result(l, HD_GEN9_MOV, def, inst->form)->src[0] =
          hd_gen9_scalar_operand(l->width->temp, 0, inst->form);
}

/* Registers that are two for 8 lanes, and divisions, are not for more. */
static void
write_by_halves(hd_gen9_layout *l, const hd_mach_inst *inst,
                void (*write)(hd_gen9_layout *l, const hd_mach_inst *inst))
{
   if (l->width->grfs == 1 || hd_gen9_is_scalar_reg(hd_mach_def(inst, 0))) {
      write(l, inst);
      return;
   }
   for (l->half = 0; l->half < HD_GEN9_WHOLE; l->half++)
      write(l, inst);
}

static void
write_payload(hd_gen9_layout *l, const hd_mach_inst *inst)
{
   const bool index = inst->imm == HD_GEN9_START_INDEX, words = index && l->width->grfs == 2;
   const unsigned from = index ? HD_GEN9_GRF_INDEX : l->width->scratch;

   hd_gen9_write(l, HD_GEN9_ACTIVE, HD_GEN9_MOV,
                 hd_gen9_dst_operand(hd_gen9_def_reg(l, inst), HD_GEN9_TYPE_UD),
                 hd_gen9_grf_operand(from, words ? HD_GEN9_TYPE_UW : HD_GEN9_TYPE_UD));
}

/* Flags */

static void
write_compare(hd_gen9_layout *l, const hd_mach_inst *inst)
{
   const hd_mach_operand *def = hd_mach_def(inst, 0);
   const bool single = hd_gen9_is_scalar_reg(def);
   hd_gen9_word *w = hd_gen9_append_compare(l, inst->bits, single);

   w->dst = hd_gen9_result_operand(l, def, HD_GEN9_TYPE_D);
   hd_gen9_put_sources(l, w, inst);
   l->flag_of = def->reg;
   l->flag_inverse = false;
   l->flag_single = single;
}

static void
write_select(hd_gen9_layout *l, const hd_mach_inst *inst)
{
   const hd_mach_operand *def = hd_mach_def(inst, 0);
   const bool single = hd_gen9_is_scalar_reg(def), masked = l->masked && !single;
   const bool in_place = masked && !inst->bits && hd_mach_src(inst, 2)->reg == def->reg;

   hd_gen9_need_flag(l, hd_mach_src(inst, 0), false, single);
   /* Where the other value is there already, the flag is the mask. */
   hd_gen9_word *w =
       hd_gen9_append_result(l, in_place ? HD_GEN9_MOV : HD_GEN9_SEL, def, HD_GEN9_TYPE_UD);
   w->pred = 1;
   w->pred_inv = inst->bits & 1;
   hd_gen9_put_source(l, w, 0, hd_mach_src(inst, 1), HD_GEN9_TYPE_UD);
   if (in_place)
      return;
   hd_gen9_put_source(l, w, 1, hd_mach_src(inst, 2), HD_GEN9_TYPE_UD);
   if (masked)
      hd_gen9_write_selected(l, w);
}

static void
write_ballot(hd_gen9_layout *l, const hd_mach_inst *inst)
{
   /* Bits of lanes that are not active stay as they are: 0. */
   if (!l->masked) {
      hd_gen9_write_constant(l, HD_GEN9_ONE,
                             hd_gen9_arf_dst_operand(HD_GEN9_ARF_FLAG, HD_GEN9_TYPE_UW),
                             HD_GEN9_TYPE_UW, 0);
      l->flag_of = HD_MACH_NO_REG;
   }
   hd_gen9_need_flag(l, hd_mach_src(inst, 0), false, false);
   hd_gen9_append_result(l, HD_GEN9_MOV, hd_mach_def(inst, 0), HD_GEN9_TYPE_UD)->src[0] =
       hd_gen9_arf_operand(HD_GEN9_ARF_FLAG, HD_GEN9_TYPE_UW);
}

/* The whole thread */

/* Denormals are kept; where the scratch memory of each lane begins. */
static void
write_begin(hd_gen9_layout *l)
{
   const hd_gen9_operand words = hd_gen9_dst_operand(l->width->temp, HD_GEN9_TYPE_UW);
   const hd_gen9_operand numbers = hd_gen9_grf_operand(l->width->temp, HD_GEN9_TYPE_UW);
   const hd_gen9_operand scratch = hd_gen9_dst_operand(l->width->scratch, HD_GEN9_TYPE_UD);
   hd_gen9_operand upper = words;

   hd_gen9_write_imm(l, HD_GEN9_ONE, HD_GEN9_OR,
                     hd_gen9_arf_dst_operand(HD_GEN9_ARF_CONTROL, HD_GEN9_TYPE_UD),
                     hd_gen9_arf_operand(HD_GEN9_ARF_CONTROL, HD_GEN9_TYPE_UD), KEEP_DENORMALS)
       ->thread = HD_GEN9_THREAD_SWITCH;
   if (!l->p->scratch_size)
      return;
   l->half = 0;
   upper.subreg = 16;
   hd_gen9_write_constant(l, HD_GEN9_ALL, words, HD_GEN9_TYPE_UV, 0x76543210);
   if (l->width->lanes == 16)
      hd_gen9_write_imm(l, HD_GEN9_ALL, HD_GEN9_ADD, upper, numbers, 8);
   l->half = HD_GEN9_WHOLE;
   hd_gen9_write_imm(l, HD_GEN9_ALL, HD_GEN9_SHL, scratch, numbers, 2);
   hd_gen9_write(l, HD_GEN9_ALL, HD_GEN9_ADD, scratch,
                 hd_gen9_grf_operand(l->width->scratch, HD_GEN9_TYPE_UD))
       ->src[1] = hd_gen9_scalar_operand(HD_GEN9_GRF_THREAD, 4, HD_GEN9_TYPE_UD);
}

/* Control flow */

/* The last linear successor: of break and continue the end of the loop. */
static hd_mach_block *
last_successor(const hd_mach_block *block)
{
   const hd_mach_edges *edges = &block->edges[HD_MACH_LINEAR];

   return edges->succs[edges->num_succs - 1];
}

static const hd_mach_inst *
else_of(const hd_mach_block *block)
{
   return block->last && block->last->op == HD_GEN9_ELSE ? block->last : NULL;
}

static void
write_branch(hd_gen9_layout *l, hd_mach_block *block, const hd_mach_inst *inst)
{
   if (inst->op == HD_GEN9_IF)
      hd_gen9_need_flag(l, hd_mach_src(inst, 0), false, false);
   if (inst->op == HD_GEN9_ELSE || inst->op == HD_GEN9_ENDIF || inst->op == HD_GEN9_WHILE)
      l->control[block->index] = l->num;
   hd_gen9_word *w = hd_gen9_append_word(l, HD_GEN9_ACTIVE, inst->op);
   hd_mach_block **jip = &l->words[l->num - 1].jip, **uip = &l->words[l->num - 1].uip;
   *jip = inst->target;
   switch (inst->op) {
   case HD_GEN9_IF:
      w->pred = 1;
      w->pred_inv = inst->bits & 1;
      *uip = else_of(inst->target) ? else_of(inst->target)->target : inst->target;
      break;
   case HD_GEN9_ELSE:
      *uip = inst->target;
      break;
   case HD_GEN9_BREAK:
   case HD_GEN9_CONT:
      *uip = last_successor(block);
      break;
   case HD_GEN9_HALT:
      *uip = l->p->last;
      break;
   case HD_GEN9_ENDIF:
      w->jip = WORD_BYTES; /* unless it has a target */
      break;
   default:
      break;
   }
}

static bool
write_inst(hd_gen9_layout *l, hd_mach_block *block, const hd_mach_inst *inst)
{
   const uint32_t first = l->num;

   switch (inst->op) {
   case HD_GEN9_P_COMPARE:
      write_compare(l, inst);
      return true;
   case HD_GEN9_P_SELECT:
      write_select(l, inst);
      break;
   case HD_GEN9_MATH_IQOT:
      write_by_halves(l, inst, write_plain);
      break;
   case HD_GEN9_P_CONVERT:
      hd_gen9_write_number_op(l, inst);
      break;
   case HD_GEN9_P_HIGH:
   case HD_GEN9_P_FLOAT:
      write_by_halves(l, inst, hd_gen9_write_number_op);
      break;
   case HD_GEN9_P_PAYLOAD:
      write_payload(l, inst);
      break;
   case HD_GEN9_P_LOAD:
   case HD_GEN9_P_STORE:
   case HD_GEN9_P_ATOMIC:
      hd_gen9_write_access(l, inst);
      break;
   case HD_GEN9_P_FIRST:
      hd_gen9_write_first(l, inst);
      break;
   case HD_GEN9_P_SHUFFLE:
      hd_gen9_write_shuffle(l, inst);
      break;
   case HD_GEN9_P_BALLOT:
      write_ballot(l, inst);
      break;
   case HD_GEN9_P_BARRIER:
      hd_gen9_write_barrier(l);
      break;
   case HD_GEN9_P_LOOP:
      break;
   case HD_GEN9_P_TEST:
      hd_gen9_need_flag(l, hd_mach_src(inst, 0), false, true);
      return true;
   case HD_GEN9_P_ZERO:
   case HD_GEN9_P_NONZERO:
      hd_gen9_write_jump(l, 0, 1, inst->op == HD_GEN9_P_ZERO, inst->target);
      break;
   case HD_MACH_P_SPILL:
   case HD_MACH_P_RELOAD:
      hd_gen9_write_slot(l, inst);
      break;
   case HD_MACH_P_END:
      hd_gen9_write_end(l);
      break;
   case HD_GEN9_IF:
   case HD_GEN9_ELSE:
   case HD_GEN9_ENDIF:
   case HD_GEN9_BREAK:
   case HD_GEN9_CONT:
   case HD_GEN9_WHILE:
   case HD_GEN9_HALT:
   case HD_GEN9_JOIN:
      write_branch(l, block, inst);
      break;
   default:
      if (hd_gen9_write_number(l, inst))
         break;
      if (inst->op < HD_GEN9_FIRST_OP)
         return hd_mach_refuse(l->p, NULL, "%s cannot be encoded", hd_gen9_op_infos[inst->op].name);
      write_plain(l, inst);
      break;
   }
   if (l->masked)
      hd_gen9_mask_words(l, first);
   for (unsigned n = 0; n < inst->num_defs; n++) {
      const hd_mach_operand *d = hd_mach_def(inst, n);
      if (l->flag_of >= d->reg && l->flag_of < (unsigned)d->reg + d->size)
         l->flag_of = HD_MACH_NO_REG;
   }
   return true;
}

/* Blocks without code that are looked at. */
#define MOST_EMPTY 8

/* Does the thread come from the beginning of `block` to `on`, if blocks without code go there? */
static bool
leads_to(const hd_mach_block *block, const hd_mach_block *on)
{
   for (unsigned n = 0; n < MOST_EMPTY && block && block != on && !block->first; n++) {
      const hd_mach_edges *edges = &block->edges[HD_MACH_LINEAR];
      block = edges->num_succs == 1 ? edges->succs[0] : NULL;
   }
   return block == on;
}

/* Where the code goes on when no branch of the block is taken, if that is not what is next. */
static void
end_block(hd_gen9_layout *l, const hd_mach_block *block)
{
   const hd_mach_inst *last = block->last;
   const hd_mach_edges *edges = &block->edges[HD_MACH_LINEAR];

   if (!edges->num_succs || (last && (last->op == HD_GEN9_BREAK || last->op == HD_GEN9_CONT ||
                                      last->op == HD_GEN9_HALT)))
      return;
   hd_mach_block *on = last_successor(block);
   if (leads_to(block->next, on))
      return;
   hd_gen9_append_word(l, HD_GEN9_ONE, HD_GEN9_JMPI);
   l->words[l->num - 1].jip = on;
}

/* An `if` with nothing in it but a `break` or `cont`: that is predicated. Its block, or NULL. */
static hd_mach_block *
lone_leave(const hd_mach_block *block)
{
   const hd_mach_inst *last = block->last;
   hd_mach_block *leave = block->next;

   if (!last || last->op != HD_GEN9_IF || !leave || !leave->first || leave->first != leave->last ||
       (leave->last->op != HD_GEN9_BREAK && leave->last->op != HD_GEN9_CONT))
      return NULL;
   const hd_mach_block *next = leave->next;
   while (next && next != last->target && !next->first)
      next = next->next;
   const hd_mach_inst *end = last->target->first;
   return next == last->target && end && end == last->target->last && end->op == HD_GEN9_ENDIF &&
                  end->target
              ? leave
              : NULL;
}

/* In place of the `if`, the leave and the `endif`; where no lane is left the pc goes to where it goes
 * from that.
 */
static void
write_lone_leave(hd_gen9_layout *l, const hd_mach_block *block, const hd_mach_block *leave)
{
   hd_gen9_need_flag(l, hd_mach_src(block->last, 0), false, false);
   hd_gen9_word *w = hd_gen9_append_word(l, HD_GEN9_ACTIVE, leave->last->op);
   w->pred = 1;
   w->pred_inv = block->last->bits & 1;
   l->words[l->num - 1].jip = block->last->target->last->target;
   l->words[l->num - 1].uip = last_successor(leave);
   for (const hd_mach_block *b = leave; b != block->last->target->next; b = b->next)
      l->begin[b->index] = l->control[b->index] = l->num;
}

/* The place where the lanes of a branch to this block wait. */
static uint32_t
place_of(const hd_gen9_layout *l, const hd_mach_block *block, const hd_gen9_word *w)
{
   if (w->op == HD_GEN9_JMPI || w->op == HD_GEN9_WHILE)
      return l->begin[block->index];
   const uint32_t at = l->control[block->index];
   return w->op == HD_GEN9_IF && l->words[at].word.op == HD_GEN9_ELSE ? at + 1 : at;
}

/* Where the words are in the code; those with a short form get it, branches apart: their distances are
 * not known yet. False: a diagnostic says why not.
 */
static bool
place_words(hd_gen9_layout *l, uint32_t *at)
{
   const bool full = hd_gen9_of(l->p)->options->no_compaction;
   uint32_t end = 0;

   for (uint32_t n = 0; n < l->num; n++) {
      hd_gen9_word *w = &l->words[n].word;
      const bool branch = hd_gen9_info_of(w)->mach.flags & HD_MACH_BRANCHES;
      unsigned char bytes[HD_GEN9_INST_BYTES];
      at[n] = end;
      if (!branch && !hd_gen9_encode(w, bytes))
         return hd_mach_refuse(l->p, NULL, "%s cannot be encoded", hd_gen9_op_infos[w->op].name);
      w->compacted = !full && !branch && hd_gen9_compact(bytes);
      hd_gen9_of(l->p)->stats.compacted += w->compacted;
      end += w->compacted ? HD_GEN9_SHORT_BYTES : HD_GEN9_INST_BYTES;
   }
   at[l->num] = end;
   return true;
}

static bool
write_bytes(hd_gen9_layout *l, const uint32_t *at, hd_blob *code)
{
   for (uint32_t n = 0; n < l->num; n++) {
      hd_gen9_word *w = &l->words[n].word;
      unsigned char bytes[HD_GEN9_INST_BYTES];
      const int32_t from = (int32_t)at[n + (w->op == HD_GEN9_JMPI)];
      if (l->words[n].jip)
         w->jip = (int32_t)at[place_of(l, l->words[n].jip, w)] - from;
      else if (w->op == HD_GEN9_JMPI)
         w->jip = (int32_t)at[n + 2] - from; /* over the next one */
      if (l->words[n].uip)
         w->uip = (int32_t)at[l->control[l->words[n].uip->index]] - from;
      if (!hd_gen9_encode(w, bytes) || (w->compacted && !hd_gen9_compact(bytes)))
         return hd_mach_refuse(l->p, NULL, "%s cannot be encoded", hd_gen9_op_infos[w->op].name);
      hd_blob_append(code, bytes, at[n + 1] - at[n]);
   }
   return true;
}

static void
count_word(hd_gen9_stats *stats, const hd_gen9_word *w)
{
   const hd_gen9_op_info *info = hd_gen9_info_of(w);

   stats->instructions++;
   stats->single +=
       w->exec == 0 && w->dst.file == HD_GEN9_GRF && info->shape <= HD_GEN9_CLASS_TERNARY;
   if (w->op == HD_GEN9_JMPI)
      stats->jumps++;
   else if (info->mach.flags & HD_MACH_BRANCHES)
      stats->control++;
   else if (info->mach.flags & HD_GEN9_MESSAGE)
      stats->messages++;
}

typedef struct output {
   const hd_gen9_layout *l;
   const uint32_t *at;
} output;

static void
print_piece(const void *user, uint32_t piece, hd_blob *out)
{
   const output *o = user;

   hd_gen9_print(&o->l->words[piece].word, o->at[piece], out);
}

static void
report_pieces(const hd_gen9_layout *l, const uint32_t *at)
{
   hd_mach_piece *pieces = hd_stack_alloc(l->p->stack, (l->num + (size_t)1) * sizeof(*pieces));
   const output o = { l, at };

   for (uint32_t n = 0; n < l->num; n++)
      pieces[n] = (hd_mach_piece){ l->words[n].inst, l->words[n].block, at[n], at[n + 1] - at[n] };
   hd_mach_after_output(l->p, pieces, l->num, print_piece, &o);
}

bool
hd_gen9_encode_program(hd_mach_program *p, hd_blob *code)
{
   hd_gen9_layout l = {
      .p = p, .width = hd_gen9_of(p)->width, .half = HD_GEN9_WHOLE, .block = p->first
   };

   l.begin = hd_stack_alloc_zero(p->stack, (p->num_blocks + 1) * sizeof(*l.begin));
   l.control = hd_stack_alloc_zero(p->stack, (p->num_blocks + 1) * sizeof(*l.control));
   write_begin(&l);
   hd_gen9_begin_numbers(&l);
   for (hd_mach_block *block = p->first; block; block = block->next) {
      hd_mach_block *leave = lone_leave(block);
      l.begin[block->index] = l.control[block->index] = l.num;
      l.block = block;
      l.flag_of = HD_MACH_NO_REG;
      hd_gen9_begin_numbered_block(&l, block);
      hd_mach_foreach_inst(inst, block)
      {
         l.inst = inst;
         if (leave && inst == block->last)
            write_lone_leave(&l, block, leave);
         else if (!write_inst(&l, block, inst))
            return false;
      }
      l.inst = NULL;
      block = leave ? block->last->target : block;
      end_block(&l, block);
   }
   hd_mach_count_registers(p);
   for (uint32_t n = 0; n < l.num; n++)
      count_word(&hd_gen9_of(p)->stats, &l.words[n].word);
   uint32_t *at = hd_stack_alloc(p->stack, (l.num + (size_t)2) * sizeof(*at));
   const bool written = place_words(&l, at) && write_bytes(&l, at, code);
   if (written && p->observer)
      report_pieces(&l, at);
   return written;
}
