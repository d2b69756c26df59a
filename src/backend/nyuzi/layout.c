/* SPDX-License-Identifier: MIT */
/* layout.c - layout: expand pseudo instructions, encode, fill in branch offsets.
 */
#include <string.h>

#include "backend/nyuzi/program.h"
#include "heddle/ops.h"
#include "machine/observe.h"
#include "util/bytes.h"

#define COMPARE_AND_SWAP 255u
#define END_OF_WAVE      20

typedef struct entry {
   hd_nyuzi_word word;
   const hd_mach_block *target; /* of a branch to a block, or NULL */
   const hd_mach_inst *inst;    /* what it comes from */
   const hd_mach_block *block;
} entry;

typedef struct layout {
   hd_mach_program *p;
   entry *words;
   const hd_mach_inst *inst; /* that is written now */
   const hd_mach_block *block;
   uint32_t num, capacity;
   uint32_t *begin; /* by block index: its first word */
} layout;

static hd_nyuzi_word *
append(layout *l, unsigned op, unsigned form)
{
   l->words = hd_stack_grow(l->p->stack, l->words, l->num, &l->capacity, sizeof(*l->words));
   entry *e = &l->words[l->num++];
   *e = (entry){ .word = { .op = (uint16_t)op, .form = (uint8_t)form },
                 .inst = l->inst,
                 .block = l->block };
   return &e->word;
}

/* Scalars alone: d = a op b, d = a op imm, and so on. */

static void
scalars(layout *l, unsigned op, unsigned d, unsigned a, unsigned b)
{
   hd_nyuzi_word *w = append(l, op, HD_NYUZI_FORM_SS);

   w->dest = (uint8_t)d, w->src1 = (uint8_t)a, w->src2 = (uint8_t)b;
}

static void
with_imm(layout *l, unsigned op, unsigned d, unsigned a, int32_t imm)
{
   hd_nyuzi_word *w = append(l, op, HD_NYUZI_FORM_SI);

   w->dest = (uint8_t)d, w->src1 = (uint8_t)a, w->imm = imm;
}

static void
access(layout *l, unsigned op, unsigned value, unsigned pointer, int32_t imm)
{
   hd_nyuzi_word *w = append(l, op, HD_NYUZI_FORM_MEMORY);

   w->dest = (uint8_t)value, w->src1 = (uint8_t)pointer, w->imm = imm;
}

static void
lane_of(layout *l, unsigned d, unsigned vector, unsigned lane)
{
   hd_nyuzi_word *w = append(l, HD_NYUZI_GETLANE, HD_NYUZI_FORM_VS);

   w->dest = (uint8_t)d, w->src1 = (uint8_t)(vector - HD_NYUZI_V0), w->src2 = (uint8_t)lane;
}

/* A branch to word `to`, or to one that is known later: the place of the branch. */
static uint32_t
test(layout *l, unsigned op, unsigned reg, uint32_t to)
{
   hd_nyuzi_word *w = append(l, op, HD_NYUZI_FORM_TEST);

   w->dest = (uint8_t)reg;
   w->imm = (int32_t)(to - (l->num - 1));
   return l->num - 1;
}

static uint32_t
jump(layout *l)
{
   append(l, HD_NYUZI_B, HD_NYUZI_FORM_BRANCH);
   return l->num - 1;
}

static void
land(layout *l, uint32_t branch)
{
   l->words[branch].word.imm = (int32_t)(l->num - branch);
}

static void
constant(layout *l, unsigned d, uint32_t bits)
{
   if (hd_nyuzi_fits(HD_NYUZI_FORM_SI, (int32_t)bits)) {
      with_imm(l, HD_NYUZI_MOVE, d, 0, (int32_t)bits);
      return;
   }
   hd_nyuzi_word *w = append(l, HD_NYUZI_MOVEHI, HD_NYUZI_FORM_HIGH);
   w->dest = (uint8_t)d, w->imm = (int32_t)(bits >> 13);
   if (bits & 0x1fff)
      with_imm(l, HD_NYUZI_OR, d, d, (int32_t)(bits & 0x1fff));
}

/* The operand's register; a mask that is known to be all or nothing goes to the second one for
 * lowering.
 */
static unsigned
in_register(layout *l, const hd_mach_operand *operand)
{
   if (!hd_nyuzi_is_constant(operand))
      return operand->reg;
   constant(l, HD_NYUZI_TEMP + 1, hd_nyuzi_constant(operand));
   return HD_NYUZI_TEMP + 1;
}

/* Loops over lanes */

/* Registers of a loop: the lanes that are left, the one at hand, its operands. */
typedef struct lane_loop {
   unsigned mask, lane, pointer, data;
   uint32_t skip, first;
} lane_loop;

static unsigned
def(const hd_mach_inst *inst, unsigned n)
{
   return hd_mach_def(inst, n)->reg;
}

static unsigned
src(const hd_mach_inst *inst, unsigned n)
{
   return hd_mach_src(inst, n)->reg;
}

static void
begin_lanes(layout *l, lane_loop *loop, unsigned mask, unsigned pointers, unsigned data)
{
   scalars(l, HD_NYUZI_MOVE, loop->mask, 0, mask);
   loop->skip = test(l, HD_NYUZI_BZ, loop->mask, 0);
   loop->first = l->num;
   scalars(l, HD_NYUZI_CTZ, loop->lane, 0, loop->mask);
   lane_of(l, loop->pointer, pointers, loop->lane);
   lane_of(l, loop->data, data, loop->lane);
}

/* `bit` gets that of the lane. */
static void
end_lanes(layout *l, const lane_loop *loop, unsigned bit)
{
   scalars(l, HD_NYUZI_XOR, loop->mask, loop->mask, bit);
   test(l, HD_NYUZI_BNZ, loop->mask, loop->first);
   land(l, loop->skip);
}

static void
bit_of_lane(layout *l, const lane_loop *loop, unsigned bit)
{
   with_imm(l, HD_NYUZI_MOVE, bit, 0, 1);
   scalars(l, HD_NYUZI_SHL, bit, bit, loop->lane);
}

static void
lane_store(layout *l, const hd_mach_inst *inst)
{
   lane_loop loop = { def(inst, 0), def(inst, 1), def(inst, 2), def(inst, 3), 0, 0 };

   begin_lanes(l, &loop, src(inst, 2), src(inst, 1), src(inst, 0));
   access(l, inst->bits, loop.data, loop.pointer, 0);
   bit_of_lane(l, &loop, loop.data);
   end_lanes(l, &loop, loop.data);
}

/* fresh = old where `op` of the two says so, else data. */
static void
keep_if(layout *l, unsigned op, unsigned fresh, unsigned old, unsigned data, unsigned first,
        unsigned second)
{
   scalars(l, op, HD_NYUZI_TEMP + 1, first, second);
   scalars(l, HD_NYUZI_MOVE, fresh, 0, old);
   const uint32_t branch = test(l, HD_NYUZI_BNZ, HD_NYUZI_TEMP + 1, 0);
   scalars(l, HD_NYUZI_MOVE, fresh, 0, data);
   land(l, branch);
}

/* What the atomic puts in place of `old`. */
static void
atomic_value(layout *l, unsigned op, unsigned fresh, unsigned old, unsigned data)
{
   static const uint16_t direct[] = { [HD_ATOMIC_IADD] = HD_NYUZI_ADD_I,
                                      [HD_ATOMIC_IAND] = HD_NYUZI_AND,
                                      [HD_ATOMIC_IOR] = HD_NYUZI_OR,
                                      [HD_ATOMIC_IXOR] = HD_NYUZI_XOR };

   switch (op) {
   case HD_ATOMIC_IADD:
   case HD_ATOMIC_IAND:
   case HD_ATOMIC_IOR:
   case HD_ATOMIC_IXOR:
      scalars(l, direct[op], fresh, old, data);
      break;
   case HD_ATOMIC_IMIN:
      keep_if(l, HD_NYUZI_CMPLT_I, fresh, old, data, old, data);
      break;
   case HD_ATOMIC_IMAX:
      keep_if(l, HD_NYUZI_CMPGT_I, fresh, old, data, old, data);
      break;
   case HD_ATOMIC_UMIN:
      keep_if(l, HD_NYUZI_CMPLT_U, fresh, old, data, old, data);
      break;
   case HD_ATOMIC_UMAX:
      keep_if(l, HD_NYUZI_CMPGT_U, fresh, old, data, old, data);
      break;
   case HD_ATOMIC_INC_WRAP: {
      with_imm(l, HD_NYUZI_MOVE, fresh, 0, 0);
      scalars(l, HD_NYUZI_CMPGE_U, HD_NYUZI_TEMP + 1, old, data);
      const uint32_t branch = test(l, HD_NYUZI_BNZ, HD_NYUZI_TEMP + 1, 0);
      with_imm(l, HD_NYUZI_ADD_I, fresh, old, 1);
      land(l, branch);
      break;
   }
   case HD_ATOMIC_DEC_WRAP: /* old - 1 is below data unless old is 0 or above it */
      with_imm(l, HD_NYUZI_ADD_I, fresh, old, -1);
      keep_if(l, HD_NYUZI_CMPLT_U, fresh, fresh, data, fresh, data);
      break;
   default: /* exchange, compare and swap */
      scalars(l, HD_NYUZI_MOVE, fresh, 0, data);
      break;
   }
}

static void
atomic(layout *l, const hd_mach_inst *inst)
{
   const unsigned result = def(inst, 0), old = def(inst, 5), fresh = def(inst, 6);
   lane_loop loop = { def(inst, 1), def(inst, 2), def(inst, 3), def(inst, 4), 0, 0 };
   const bool compares = inst->bits == COMPARE_AND_SWAP;
   uint32_t differs = 0;

   begin_lanes(l, &loop, src(inst, 2), src(inst, 1), src(inst, 3));
   if (compares)
      lane_of(l, HD_NYUZI_TEMP, src(inst, 4), loop.lane);
   const uint32_t again = l->num;
   access(l, HD_NYUZI_LOAD_SYNC, old, loop.pointer, 0);
   if (compares) {
      scalars(l, HD_NYUZI_CMPNE_I, fresh, old, HD_NYUZI_TEMP);
      differs = test(l, HD_NYUZI_BNZ, fresh, 0);
   }
   atomic_value(l, inst->bits, fresh, old, loop.data);
   access(l, HD_NYUZI_STORE_SYNC, fresh, loop.pointer, 0);
   test(l, HD_NYUZI_BZ, fresh, again);
   if (compares)
      land(l, differs);
   bit_of_lane(l, &loop, fresh);
   hd_nyuzi_word *w = append(l, HD_NYUZI_MOVE, HD_NYUZI_FORM_VS_MASK);
   w->dest = (uint8_t)(result - HD_NYUZI_V0), w->src2 = (uint8_t)old, w->mask = (uint8_t)fresh;
   end_lanes(l, &loop, fresh);
}

/* Barriers: a word with how many threads wait, and in its upper half how many there are, and one
 * that counts barriers. Who makes the halves of the first equal lets the others go: the last one
 * that comes, or that ends while the others wait.
 */

/* Both halves of `word` the same: `same` is not 0, and no lane waits any more. */
static void
release_if_all(layout *l, unsigned word, unsigned same, bool ends)
{
   const unsigned t = HD_NYUZI_TEMP + 1;

   with_imm(l, HD_NYUZI_SHR, same, word, 16);
   with_imm(l, HD_NYUZI_SHL, t, word, 16);
   with_imm(l, HD_NYUZI_SHR, t, t, 16);
   scalars(l, HD_NYUZI_CMPEQ_I, same, same, t);
   if (ends) { /* the last one of all */
      with_imm(l, HD_NYUZI_CMPNE_I, t, t, 0);
      scalars(l, HD_NYUZI_AND, same, same, t);
   }
   const uint32_t others = test(l, HD_NYUZI_BZ, same, 0);
   with_imm(l, HD_NYUZI_SHR, word, word, 16);
   with_imm(l, HD_NYUZI_SHL, word, word, 16);
   land(l, others);
}

static void
barrier(layout *l, const hd_mach_inst *inst)
{
   const unsigned words = def(inst, 0), generation = def(inst, 1), count = def(inst, 2);
   const unsigned t = def(inst, 3);

   with_imm(l, HD_NYUZI_ADD_I, words, src(inst, 0), -(int32_t)HD_NYUZI_BARRIER_BYTES);
   access(l, HD_NYUZI_LOAD_32, generation, words, 4);
   const uint32_t again = l->num;
   access(l, HD_NYUZI_LOAD_SYNC, count, words, 0);
   with_imm(l, HD_NYUZI_ADD_I, count, count, 1);
   release_if_all(l, count, t, false);
   access(l, HD_NYUZI_STORE_SYNC, count, words, 0);
   test(l, HD_NYUZI_BZ, count, again);
   const uint32_t early = test(l, HD_NYUZI_BZ, t, 0);
   with_imm(l, HD_NYUZI_ADD_I, generation, generation, 1);
   access(l, HD_NYUZI_STORE_32, generation, words, 4);
   const uint32_t done = jump(l);
   land(l, early);
   const uint32_t wait = l->num;
   access(l, HD_NYUZI_LOAD_32, t, words, 4);
   scalars(l, HD_NYUZI_CMPEQ_I, t, t, generation);
   test(l, HD_NYUZI_BNZ, t, wait);
   land(l, done);
}

/* After the spilled scalars: where the memory of the workgroup is, for the end of the thread. */
static void
keep_shared(layout *l, bool load)
{
   const uint32_t offset =
       l->p->scratch_size * HD_NYUZI_LANES + 4 * (hd_nyuzi_of(l->p)->scalar_slots - 1);

   constant(l, HD_NYUZI_TEMP, offset);
   scalars(l, HD_NYUZI_ADD_I, HD_NYUZI_TEMP, HD_NYUZI_TEMP, HD_NYUZI_SCRATCH);
   access(l, load ? HD_NYUZI_LOAD_32 : HD_NYUZI_STORE_32, load ? 1 : 6, HD_NYUZI_TEMP, 0);
}

/* No register holds anything any more. */
static void
leave_barriers(layout *l)
{
   const unsigned words = 1, count = 2, t = 3;

   keep_shared(l, true);
   with_imm(l, HD_NYUZI_ADD_I, words, words, -(int32_t)HD_NYUZI_BARRIER_BYTES);
   const uint32_t again = l->num;
   access(l, HD_NYUZI_LOAD_SYNC, count, words, 0);
   constant(l, HD_NYUZI_TEMP, 0x10000);
   scalars(l, HD_NYUZI_SUB_I, count, count, HD_NYUZI_TEMP);
   release_if_all(l, count, t, true);
   access(l, HD_NYUZI_STORE_SYNC, count, words, 0);
   test(l, HD_NYUZI_BZ, count, again);
   const uint32_t done = test(l, HD_NYUZI_BZ, t, 0);
   access(l, HD_NYUZI_LOAD_32, count, words, 4);
   with_imm(l, HD_NYUZI_ADD_I, count, count, 1);
   access(l, HD_NYUZI_STORE_32, count, words, 4);
   land(l, done);
}

/* Masks */

static void
and_save(layout *l, const hd_mach_inst *inst)
{
   const unsigned mask = in_register(l, hd_mach_src(inst, 0));
   const unsigned saved = def(inst, 0), old = src(inst, 1), exec = def(inst, 1);
   const bool meet = saved == mask;

   scalars(l, HD_NYUZI_MOVE, meet ? HD_NYUZI_TEMP : saved, 0, old);
   scalars(l, HD_NYUZI_AND, exec, mask, old);
   if (meet)
      scalars(l, HD_NYUZI_MOVE, saved, 0, HD_NYUZI_TEMP);
}

static void
and_not(layout *l, const hd_mach_inst *inst)
{
   const hd_mach_operand *b = hd_mach_src(inst, 1);
   const unsigned d = def(inst, 0), a = in_register(l, hd_mach_src(inst, 0));
   const unsigned t = d == a ? HD_NYUZI_TEMP : d;

   if (hd_nyuzi_is_constant(b))
      constant(l, t, ~hd_nyuzi_constant(b));
   else
      with_imm(l, HD_NYUZI_XOR, t, b->reg, -1);
   scalars(l, HD_NYUZI_AND, d, t, a);
}

static void
end_thread(layout *l)
{
   if (hd_nyuzi_of(l->p)->has_barriers)
      leave_barriers(l);
   append(l, HD_NYUZI_GETCR, HD_NYUZI_FORM_CONTROL)->dest = HD_NYUZI_TEMP;
   with_imm(l, HD_NYUZI_MOVE, HD_NYUZI_TEMP + 1, 0, 1);
   scalars(l, HD_NYUZI_SHL, HD_NYUZI_TEMP + 1, HD_NYUZI_TEMP + 1, HD_NYUZI_TEMP);
   hd_nyuzi_word *w = append(l, HD_NYUZI_SETCR, HD_NYUZI_FORM_CONTROL);
   w->dest = HD_NYUZI_TEMP + 1, w->imm = END_OF_WAVE;
}

/* One word */

static uint8_t
field(const hd_mach_operand *operand)
{
   return (uint8_t)(operand->reg >= HD_NYUZI_V0 ? operand->reg - HD_NYUZI_V0 : operand->reg);
}

static bool
is_vector(const hd_mach_operand *operand)
{
   return operand->reg >= HD_NYUZI_V0 && operand->reg < HD_MACH_MAX_REGS;
}

static void
arithmetic(layout *l, const hd_mach_inst *inst)
{
   const hd_mach_operand *d = hd_mach_def(inst, 0), *last = hd_mach_src(inst, inst->num_srcs - 1u);
   const bool unary = inst->num_srcs == 1;
   const bool vector = is_vector(unary ? d : hd_mach_src(inst, 0));
   const unsigned mask = inst->mods.bytes[0];
   const unsigned first = vector || unary ? 0 : in_register(l, hd_mach_src(inst, 0));
   unsigned form;

   if (hd_nyuzi_is_constant(last))
      form = !vector ? HD_NYUZI_FORM_SI : mask ? HD_NYUZI_FORM_VI_MASK : HD_NYUZI_FORM_VI;
   else if (!vector)
      form = HD_NYUZI_FORM_SS;
   else if (is_vector(last))
      form = mask ? HD_NYUZI_FORM_VV_MASK : HD_NYUZI_FORM_VV;
   else
      form = mask ? HD_NYUZI_FORM_VS_MASK : HD_NYUZI_FORM_VS;
   hd_nyuzi_word *w = append(l, inst->op, form);
   w->dest = field(d);
   w->src1 = unary ? 0 : vector ? field(hd_mach_src(inst, 0)) : (uint8_t)first;
   w->mask = mask ? (uint8_t)(mask - 1) : 0;
   if (hd_nyuzi_is_constant(last))
      w->imm = (int32_t)hd_nyuzi_constant(last);
   else
      w->src2 = field(last);
}

static void
memory(layout *l, const hd_mach_inst *inst)
{
   const bool load = hd_nyuzi_info(inst)->shape == HD_NYUZI_SHAPE_LOAD;
   const unsigned mask = inst->mods.bytes[0];
   hd_nyuzi_word *w = append(l, inst->op, mask ? HD_NYUZI_FORM_MEMORY_MASK : HD_NYUZI_FORM_MEMORY);

   w->dest = field(load ? hd_mach_def(inst, 0) : hd_mach_src(inst, 0));
   w->src1 = field(hd_mach_src(inst, load ? 0 : 1));
   w->mask = mask ? (uint8_t)(mask - 1) : 0;
   w->imm = inst->imm;
}

static void
branch(layout *l, const hd_mach_inst *inst)
{
   const bool zero = inst->op == HD_NYUZI_P_BZ_FLAG || inst->op == HD_NYUZI_P_BZ_EXEC;

   test(l, zero ? HD_NYUZI_BZ : HD_NYUZI_BNZ, src(inst, 0), 0);
   l->words[l->num - 1].target = inst->target;
}

static bool
write_inst(layout *l, const hd_mach_inst *inst)
{
   switch (inst->op) {
   case HD_NYUZI_P_CONST:
      constant(l, def(inst, 0), (uint32_t)inst->imm);
      return true;
   case HD_NYUZI_P_LANE_STORE:
      lane_store(l, inst);
      return true;
   case HD_NYUZI_P_ATOMIC:
      atomic(l, inst);
      return true;
   case HD_NYUZI_P_BARRIER:
      barrier(l, inst);
      return true;
   case HD_NYUZI_P_AND_SAVE:
      and_save(l, inst);
      return true;
   case HD_NYUZI_P_AND_NOT:
      and_not(l, inst);
      return true;
   case HD_NYUZI_P_EXIT:
      end_thread(l);
      return true;
   case HD_NYUZI_P_BZ_FLAG:
   case HD_NYUZI_P_BNZ_FLAG:
   case HD_NYUZI_P_BZ_EXEC:
   case HD_NYUZI_P_BNZ_EXEC:
      branch(l, inst);
      return true;
   default:
      break;
   }
   switch ((hd_nyuzi_shape)hd_nyuzi_info(inst)->shape) {
   case HD_NYUZI_SHAPE_BINARY:
   case HD_NYUZI_SHAPE_UNARY:
   case HD_NYUZI_SHAPE_COMPARE:
   case HD_NYUZI_SHAPE_GETLANE:
   case HD_NYUZI_SHAPE_SHUFFLE:
      arithmetic(l, inst);
      return true;
   case HD_NYUZI_SHAPE_LOAD:
   case HD_NYUZI_SHAPE_STORE:
      memory(l, inst);
      return true;
   default:
      return hd_mach_refuse(l->p, NULL, "%s cannot be encoded", hd_nyuzi_info(inst)->name);
   }
}

/* Where the code goes on when no branch of the block is taken, if that is not what is next. */
static void
end_block(layout *l, const hd_mach_block *block)
{
   const hd_mach_edges *edges = &block->edges[HD_MACH_LINEAR];
   const hd_mach_inst *last = block->last;
   const hd_mach_block *taken =
       last && hd_nyuzi_info(last)->mach.flags & HD_MACH_BRANCHES ? last->target : NULL;

   for (uint32_t n = 0; n < edges->num_succs; n++) {
      if (edges->succs[n] == taken && edges->num_succs > 1)
         continue;
      if (edges->succs[n] == taken || edges->succs[n] == block->next)
         continue;
      jump(l);
      l->words[l->num - 1].target = edges->succs[n];
   }
}

static bool
write_words(layout *l, hd_blob *code)
{
   for (uint32_t n = 0; n < l->num; n++) {
      hd_nyuzi_word *w = &l->words[n].word;
      const hd_mach_block *target = l->words[n].target;
      uint32_t word;
      uint8_t bytes[4];
      if (target)
         w->imm = (int32_t)(l->begin[target->index] - n);
      if (!hd_nyuzi_encode(w, &word))
         return hd_mach_refuse(l->p, NULL, "%s: %s", hd_nyuzi_op_infos[w->op].name,
                               target ? "the branch is too far, there is too much code"
                                      : "it cannot be encoded");
      put_number(bytes, 4, word);
      hd_blob_append(code, bytes, 4);
   }
   return true;
}

static void
count_word(hd_nyuzi_stats *stats, const hd_mach_inst *inst, const hd_nyuzi_word *w)
{
   const unsigned shape = hd_nyuzi_op_infos[w->op].shape;
   const bool writes = shape != HD_NYUZI_SHAPE_STORE && hd_nyuzi_writes_vector(w);

   stats->instructions++;
   stats->masks += inst && hd_nyuzi_names_exec(inst);
   if (shape == HD_NYUZI_SHAPE_LOAD || shape == HD_NYUZI_SHAPE_STORE)
      stats->memory++;
   else if (shape == HD_NYUZI_SHAPE_TEST || shape == HD_NYUZI_SHAPE_BRANCH)
      stats->branches++;
   else if (hd_nyuzi_form_is_vector(w->form))
      stats->vector++;
   else
      stats->scalar++;
   stats->vector_writes += writes;
   stats->masked_writes += writes && hd_nyuzi_form_has_mask(w->form);
}

static void
print_piece(const void *user, uint32_t piece, hd_blob *out)
{
   const layout *l = user;

   hd_nyuzi_print(&l->words[piece].word, 4 * (uint64_t)piece, true, out);
}

static void
report_pieces(layout *l)
{
   hd_mach_piece *pieces = hd_stack_alloc(l->p->stack, (l->num + (size_t)1) * sizeof(*pieces));

   for (uint32_t n = 0; n < l->num; n++)
      pieces[n] = (hd_mach_piece){ l->words[n].inst, l->words[n].block, 4 * n, 4 };
   hd_mach_after_output(l->p, pieces, l->num, print_piece, l);
}

bool
hd_nyuzi_encode_program(hd_mach_program *p, hd_blob *code)
{
   layout l = { .p = p };

   l.begin = hd_stack_alloc_zero(p->stack, (p->num_blocks + 1) * sizeof(*l.begin));
   if (hd_nyuzi_of(p)->has_barriers) {
      hd_nyuzi_of(p)->scalar_slots++;
      keep_shared(&l, false);
   }
   hd_mach_foreach_block(block, p)
   {
      l.begin[block->index] = l.num;
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
   hd_mach_count_registers(p);
   for (uint32_t n = 0; n < l.num; n++)
      count_word(&hd_nyuzi_of(p)->stats, l.words[n].inst, &l.words[n].word);
   const bool written = write_words(&l, code);
   if (written && p->observer)
      report_pieces(&l);
   return written;
}
