/* SPDX-License-Identifier: MIT */
/* random_machine.c - machine code at random: the rows of the table say what operands there are. */
#include "random_machine.h"

#include <assert.h>
#include <string.h>

#define MAX_VALUES 20000
#define MAX_PHIS   6

typedef struct maker {
   hd_mach_program *p;
   random_machine how;
   uint64_t state;
   hd_mach_block *block;
   /* Values that the code at this point may read: what is known in outer scopes comes first. */
   uint32_t values[MAX_VALUES];
   unsigned num_values;
   unsigned left; /* statements */
} maker;

typedef struct scope {
   unsigned num_values;
} scope;

static uint32_t
below(maker *m, uint32_t n)
{
   m->state = m->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
   return (uint32_t)((m->state >> 33) % n);
}

static bool
once_in(maker *m, uint32_t n)
{
   return below(m, n) == 0;
}

static void
offer(maker *m, uint32_t temp)
{
   if (m->num_values < MAX_VALUES)
      m->values[m->num_values++] = temp;
}

static hd_mach_operand
fresh(maker *m, hd_gcn_file file, unsigned size, hd_mach_inst *def)
{
   const uint32_t temp = hd_mach_temp_create(m->p, file, size, 0);

   m->p->temps[temp].def = def;
   return hd_mach_operand_temp(m->p, temp);
}

static hd_mach_inst *
append(maker *m, unsigned op, unsigned num_defs, unsigned num_srcs)
{
   hd_mach_inst *inst = hd_gcn_inst_create(m->p, op, num_defs, num_srcs);

   hd_mach_inst_append(m->block, inst);
   return inst;
}

static hd_mach_operand
constant(maker *m)
{
   if (once_in(m, 3))
      return (hd_mach_operand){ .reg = HD_GCN_LITERAL, .size = 1, .value = 1000 + below(m, 5000) };
   return (hd_mach_operand){ .reg = (uint16_t)(HD_GCN_CONST_0 + below(m, 65)), .size = 1 };
}

/* A value that can be read here: old ones more often the more are to be live at once. */
static uint32_t
find_value(maker *m, hd_gcn_file file, unsigned size)
{
   for (unsigned tries = 0; tries < 30 && m->num_values; tries++) {
      const unsigned reach = m->how.live * 4 < m->num_values ? m->how.live * 4 : m->num_values;
      const uint32_t temp = m->values[m->num_values - 1 - below(m, reach)];
      if (m->p->temps[temp].file == file && m->p->temps[temp].size == size)
         return temp;
   }
   return 0;
}

/* One that is made on the spot. */
static hd_mach_operand
make_value(maker *m, hd_gcn_file file, unsigned size)
{
   hd_mach_inst *inst = NULL;

   if (size == 1) {
      inst = append(m, file == HD_GCN_VGPR ? HD_GCN_V_MOV_B32 : HD_GCN_S_MOV_B32, 1, 1);
      *hd_mach_src(inst, 0) = constant(m);
   } else {
      hd_mach_operand parts[16];
      unsigned num = 0, left = size;
      while (left) {
         const unsigned part = left >= 4 && once_in(m, 2) ? 2 : 1;
         const uint32_t old = find_value(m, file, part);
         parts[num++] = old ? hd_mach_operand_temp(m->p, old) : make_value(m, file, part);
         left -= part;
      }
      inst = append(m, HD_MACH_P_VECTOR, 1, num);
      memcpy(hd_mach_src(inst, 0), parts, num * sizeof(*parts));
   }
   *hd_mach_def(inst, 0) = fresh(m, file, size, inst);
   if (size == 1)
      m->p->temps[hd_mach_def(inst, 0)->value].flags |= HD_MACH_TEMP_REMAT;
   offer(m, hd_mach_def(inst, 0)->value);
   return *hd_mach_def(inst, 0);
}

static hd_mach_operand
get_value(maker *m, hd_gcn_file file, unsigned size)
{
   const uint32_t temp = once_in(m, 12) ? 0 : find_value(m, file, size);

   return temp ? hd_mach_operand_temp(m->p, temp) : make_value(m, file, size);
}

static bool
is_usable(const maker *m, unsigned op)
{
   const hd_gcn_op_info *info = &hd_gcn_op_infos[op];
   const hd_gcn_gen gen = hd_gcn_target_in(m->p)->gen;
   const uint32_t no =
       HD_MACH_BRANCHES | HD_MACH_ENDS | HD_MACH_SIDE_EFFECT | HD_GCN_RETURNS_IF_GLC;

   if (info->format == HD_GCN_PSEUDO || info->format == HD_GCN_SOPP || info->mach.flags & no ||
       (info->opcode[gen] < 0 && info->vop3_opcode[gen] < 0))
      return false;
   /* Moves of lanes and halves are for later phases; exec is control-flow lowering's. */
   if (op == HD_GCN_V_SWAP_B32 || op == HD_GCN_V_WRITELANE_B32 || op == HD_GCN_V_READLANE_B32)
      return false;
   for (unsigned n = 0; n < (unsigned)info->mach.num_defs + info->mach.num_srcs; n++) {
      const hd_mach_operand_info *o = &info->mach.operands[n];
      if (o->kinds & HD_GCN_TAKES_ONE && o->fixed != HD_GCN_SCC && o->fixed != HD_GCN_VCC &&
          o->fixed != HD_GCN_M0)
         return false;
      if (o->size > m->how.vector_size)
         return false;
   }
   return true;
}

static hd_mach_operand
fixed_source(maker *m, const hd_mach_operand_info *o, hd_gcn_form form)
{
   if (o->fixed == HD_GCN_SCC)
      return hd_mach_operand_reg(HD_GCN_SCC, 1);
   const hd_mach_operand value = get_value(m, HD_GCN_SGPR, o->size);
   if (o->fixed == HD_GCN_VCC && form == HD_GCN_FORM_VOP3)
      return value;
   return hd_mach_operand_fixed(m->p, value.value, o->fixed);
}

static hd_mach_operand
source(maker *m, const hd_mach_operand_info *o, hd_gcn_form form)
{
   const bool sgpr = o->kinds & HD_GCN_TAKES_SGPR, vgpr = o->kinds & HD_GCN_TAKES_VGPR;

   if (o->kinds & HD_GCN_TAKES_BEFORE_GFX9 && hd_gcn_target_in(m->p)->gen == HD_GCN_GFX900)
      return (hd_mach_operand){ .reg = HD_MACH_NO_REG };
   if (o->kinds & HD_GCN_TAKES_ONE)
      return fixed_source(m, o, form);
   if (!sgpr && !vgpr)
      return constant(m);
   if (o->kinds & HD_GCN_TAKES_INLINE && o->size == 1 && o->tied < 0 && once_in(m, 6))
      return (hd_mach_operand){ .reg = (uint16_t)(HD_GCN_CONST_0 + below(m, 65)), .size = 1 };
   return get_value(m, vgpr && (!sgpr || !once_in(m, 4)) ? HD_GCN_VGPR : HD_GCN_SGPR, o->size);
}

static hd_mach_operand
result(maker *m, const hd_mach_operand_info *o, hd_gcn_form form, hd_mach_inst *inst)
{
   if (o->kinds & HD_GCN_TAKES_ONE) {
      if (o->fixed == HD_GCN_SCC || o->fixed == HD_GCN_M0)
         return hd_mach_operand_reg(o->fixed, o->size);
      const hd_mach_operand value = fresh(m, HD_GCN_SGPR, o->size, inst);
      return form == HD_GCN_FORM_VOP3 ? value : hd_mach_operand_fixed(m->p, value.value, o->fixed);
   }
   return fresh(m, o->kinds & HD_GCN_TAKES_VGPR ? HD_GCN_VGPR : HD_GCN_SGPR, o->size, inst);
}

/* Sources first: making them may append instructions. What reads scc gets it from an s_cmp right
 * before it.
 */
static void
random_inst(maker *m)
{
   unsigned op;

   do
      op = HD_GCN_NUM_PSEUDO_OPS + below(m, HD_GCN_NUM_OPS - HD_GCN_NUM_PSEUDO_OPS);
   while (!is_usable(m, op));
   const hd_gcn_op_info *info = &hd_gcn_op_infos[op];
   const hd_gcn_form form =
       info->opcode[hd_gcn_target_in(m->p)->gen] < 0 ||
               (info->vop3_opcode[hd_gcn_target_in(m->p)->gen] >= 0 && once_in(m, 2))
           ? HD_GCN_FORM_VOP3
           : HD_GCN_FORM_BASE;
   hd_mach_operand srcs[HD_GCN_MAX_OPERANDS];
   bool reads_scc = false;

   for (unsigned n = 0; n < info->mach.num_srcs; n++) {
      const hd_mach_operand_info *o = &info->mach.operands[info->mach.num_defs + n];
      srcs[n] = source(m, o, form);
      reads_scc |= o->kinds & HD_GCN_TAKES_ONE && o->fixed == HD_GCN_SCC;
   }
   if (reads_scc) {
      const hd_mach_operand a = get_value(m, HD_GCN_SGPR, 1), b = get_value(m, HD_GCN_SGPR, 1);
      hd_mach_inst *compare = append(m, HD_GCN_S_CMP_LT_I32, 1, 2);
      *hd_mach_src(compare, 0) = a;
      *hd_mach_src(compare, 1) = b;
   }
   hd_mach_inst *inst = append(m, (hd_gcn_op)op, info->mach.num_defs, info->mach.num_srcs);
   inst->form = (uint8_t)form;
   if (info->mach.num_srcs)
      memcpy(hd_mach_src(inst, 0), srcs, info->mach.num_srcs * sizeof(*srcs));
   for (unsigned n = 0; n < info->mach.num_defs; n++)
      *hd_mach_def(inst, n) = result(m, &info->mach.operands[n], form, inst);
   for (unsigned n = 0; n < info->mach.num_defs; n++) {
      if (hd_mach_def(inst, n)->flags & HD_MACH_OPERAND_TEMP)
         offer(m, hd_mach_def(inst, n)->value);
   }
}

static void
random_split(maker *m)
{
   const hd_gcn_file file = (hd_gcn_file)below(m, HD_GCN_NUM_FILES);
   const unsigned size = 2 + below(m, m->how.vector_size < 5 ? m->how.vector_size - 1 : 4);
   const hd_mach_operand whole = get_value(m, file, size);
   const unsigned num = size % 2 == 0 && once_in(m, 3) ? size / 2 : size;
   hd_mach_inst *split = append(m, HD_MACH_P_SPLIT, num, 1);

   *hd_mach_src(split, 0) = whole;
   for (unsigned n = 0; n < num; n++) {
      *hd_mach_def(split, n) = fresh(m, file, size / num, split);
      offer(m, hd_mach_def(split, n)->value);
   }
}

static void
random_copy(maker *m)
{
   hd_mach_operand srcs[4];
   const unsigned num = 1 + below(m, 4);

   for (unsigned n = 0; n < num; n++) {
      if (once_in(m, 5)) {
         srcs[n] = constant(m);
      } else {
         const unsigned size = 1 + below(m, m->how.vector_size < 3 ? 2 : 3);
         srcs[n] = get_value(m, (hd_gcn_file)below(m, HD_GCN_NUM_FILES), size);
      }
   }
   hd_mach_inst *copy = append(m, HD_MACH_P_COPY, num, num);
   for (unsigned n = 0; n < num; n++) {
      const bool vector =
          srcs[n].reg == HD_MACH_NO_REG && m->p->temps[srcs[n].value].file == HD_GCN_VGPR;
      *hd_mach_src(copy, n) = srcs[n];
      *hd_mach_def(copy, n) =
          fresh(m, vector || once_in(m, 2) ? HD_GCN_VGPR : HD_GCN_SGPR, srcs[n].size, copy);
      offer(m, hd_mach_def(copy, n)->value);
   }
}

/* What the program shows: a store of a vector value. */
static void
random_store(maker *m)
{
   const hd_mach_operand value = get_value(m, HD_GCN_VGPR, 1);
   const hd_mach_operand address = get_value(m, HD_GCN_VGPR, 1);
   hd_mach_inst *store = append(m, HD_GCN_DS_WRITE_B32, 0, 3);

   *hd_mach_src(store, 0) = address;
   *hd_mach_src(store, 1) = value;
   *hd_mach_src(store, 2) = (hd_mach_operand){ .reg = HD_MACH_NO_REG };
}

/* A value of a scalar for the lanes: what scalars are becomes visible. */
static void
random_show(maker *m)
{
   const hd_mach_operand scalar = get_value(m, HD_GCN_SGPR, 1);
   const hd_mach_operand other = get_value(m, HD_GCN_VGPR, 1);
   hd_mach_inst *inst = append(m, HD_GCN_V_XOR_B32, 1, 2);

   *hd_mach_src(inst, 0) = scalar;
   *hd_mach_src(inst, 1) = other;
   *hd_mach_def(inst, 0) = fresh(m, HD_GCN_VGPR, 1, inst);
   offer(m, hd_mach_def(inst, 0)->value);
}

static void
straight(maker *m)
{
   for (unsigned num = 1 + below(m, 8); num && m->left; num--, m->left--) {
      switch (below(m, 12)) {
      case 0:
         random_split(m);
         break;
      case 1:
         random_copy(m);
         break;
      case 2:
      case 3:
         random_store(m);
         break;
      case 4:
         random_show(m);
         break;
      default:
         random_inst(m);
      }
   }
}

/* Control flow: blocks are opened in the order of the code. */

static hd_mach_block *
open(maker *m, hd_mach_block *block)
{
   hd_mach_block_append(m->p, block);
   m->block = block;
   return block;
}

static void
edge(maker *m, hd_mach_edge_kind kind, hd_mach_block *from, hd_mach_block *to)
{
   hd_mach_edge_add(m->p, kind, from, to);
}

static void
both(maker *m, hd_mach_block *from, hd_mach_block *to)
{
   edge(m, HD_MACH_LOGICAL, from, to);
   edge(m, HD_MACH_LINEAR, from, to);
}

/* From here on what is appended is of the tail. */
static void
begin_tail(hd_mach_block *block, hd_mach_inst *inst)
{
   if (!block->tail)
      block->tail = inst;
}

static void
branch(maker *m, hd_gcn_op op, hd_mach_block *target)
{
   const hd_gcn_op_info *info = &hd_gcn_op_infos[op];
   hd_mach_inst *inst = append(m, op, info->mach.num_defs, info->mach.num_srcs);

   inst->target = target;
   begin_tail(m->block, inst);
}

/* saved = exec; exec &= mask */
static uint32_t
save_exec(maker *m)
{
   const hd_mach_operand mask = get_value(m, HD_GCN_SGPR, 2);
   const hd_gcn_op_info *info = &hd_gcn_op_infos[HD_GCN_S_AND_SAVEEXEC_B64];
   hd_mach_inst *inst =
       append(m, HD_GCN_S_AND_SAVEEXEC_B64, info->mach.num_defs, info->mach.num_srcs);

   begin_tail(m->block, inst);
   *hd_mach_def(inst, 0) = fresh(m, HD_GCN_SGPR, 2, inst);
   *hd_mach_src(inst, 0) = mask;
   return hd_mach_def(inst, 0)->value;
}

/* exec = op(exec, saved) */
static void
change_exec(maker *m, hd_gcn_op op, uint32_t saved, bool in_tail)
{
   hd_mach_inst *inst = append(m, op, hd_gcn_op_infos[op].mach.num_defs, 2);

   if (in_tail)
      begin_tail(m->block, inst);
   *hd_mach_def(inst, 0) = hd_mach_operand_reg(HD_GCN_EXEC, 2);
   *hd_mach_src(inst, 0) = hd_mach_operand_reg(HD_GCN_EXEC, 2);
   *hd_mach_src(inst, 1) = hd_mach_operand_temp(m->p, saved);
}

static void
uniform_compare(maker *m)
{
   const hd_mach_operand a = get_value(m, HD_GCN_SGPR, 1), b = get_value(m, HD_GCN_SGPR, 1);
   hd_mach_inst *compare = append(m, HD_GCN_S_CMP_EQ_U32, 1, 2);

   *hd_mach_src(compare, 0) = a;
   *hd_mach_src(compare, 1) = b;
   begin_tail(m->block, compare);
}

/* Values for the phis of a block, one for each predecessor of the flow. */
typedef struct joins {
   hd_mach_operand srcs[MAX_PHIS];
} joins;

typedef struct phi_shape {
   hd_gcn_file file;
   uint8_t size;
} phi_shape;

static unsigned
random_shapes(maker *m, phi_shape *shapes, bool scalars)
{
   const unsigned num = below(m, MAX_PHIS);

   for (unsigned n = 0; n < num; n++) {
      shapes[n].file = scalars && once_in(m, 2) ? HD_GCN_SGPR : HD_GCN_VGPR;
      shapes[n].size = (uint8_t)(once_in(m, 3) && m->how.vector_size > 1 ? 2 : 1);
   }
   return num;
}

/* What the phis will read at the end of the block of the moment, before it has its tail. */
static void
choose_sources(maker *m, const phi_shape *shapes, unsigned num, joins *j)
{
   for (unsigned n = 0; n < num; n++) {
      if (shapes[n].size == 1 && once_in(m, 6))
         j->srcs[n] = constant(m);
      else if (shapes[n].file == HD_GCN_VGPR && once_in(m, 5))
         j->srcs[n] = get_value(m, HD_GCN_SGPR, shapes[n].size);
      else
         j->srcs[n] = get_value(m, shapes[n].file, shapes[n].size);
   }
}

static void
write_phis(maker *m, const phi_shape *shapes, unsigned num, const joins *a, const joins *b)
{
   for (unsigned n = 0; n < num; n++) {
      hd_mach_inst *phi = hd_gcn_inst_create(m->p, HD_MACH_P_PHI, 1, 2);
      hd_mach_inst_insert_before(m->block, phi, m->block->first);
      *hd_mach_src(phi, 0) = a->srcs[n];
      *hd_mach_src(phi, 1) = b->srcs[n];
      *hd_mach_def(phi, 0) = fresh(m, shapes[n].file, shapes[n].size, phi);
      offer(m, hd_mach_def(phi, 0)->value);
   }
}

static void body(maker *m, unsigned depth);

static void
uniform_if(maker *m, unsigned depth)
{
   hd_mach_block *then = hd_mach_block_create(m->p), *other = hd_mach_block_create(m->p);
   hd_mach_block *join = hd_mach_block_create(m->p);
   phi_shape shapes[MAX_PHIS];
   const unsigned num = random_shapes(m, shapes, true);
   joins a, b;

   uniform_compare(m);
   branch(m, HD_GCN_S_CBRANCH_SCC0, other);
   both(m, m->block, then);
   both(m, m->block, other);
   const unsigned outer = m->num_values;
   open(m, then);
   body(m, depth);
   choose_sources(m, shapes, num, &a);
   branch(m, HD_GCN_S_BRANCH, join);
   both(m, m->block, join);
   m->num_values = outer;
   open(m, other);
   body(m, depth);
   choose_sources(m, shapes, num, &b);
   both(m, m->block, join);
   m->num_values = outer;
   open(m, join);
   write_phis(m, shapes, num, &a, &b);
}

/* A branch over a list without lanes, by an empty block of its own. */
static hd_mach_block *
skip_to(maker *m, hd_mach_block *from)
{
   if (once_in(m, 2))
      return NULL;
   hd_mach_block *way = hd_mach_block_create(m->p);
   branch(m, HD_GCN_S_CBRANCH_EXECZ, way);
   edge(m, HD_MACH_LINEAR, from, way);
   return way;
}

/* No else: its block is where exec is that of the other lanes, or what these left of it. */
static void
void_if(maker *m, unsigned depth)
{
   hd_mach_block *then = hd_mach_block_create(m->p), *other = hd_mach_block_create(m->p);
   hd_mach_block *join = hd_mach_block_create(m->p), *first = m->block, *way;

   const uint32_t saved = save_exec(m);
   edge(m, HD_MACH_LOGICAL, first, then);
   edge(m, HD_MACH_LOGICAL, first, other);
   way = skip_to(m, first);
   edge(m, HD_MACH_LINEAR, first, then);
   const unsigned outer = m->num_values;
   open(m, then);
   body(m, depth);
   edge(m, HD_MACH_LOGICAL, m->block, join);
   edge(m, HD_MACH_LINEAR, m->block, other);
   if (way) {
      branch(m, HD_GCN_S_BRANCH, other);
      open(m, way);
      edge(m, HD_MACH_LINEAR, way, other);
   }
   m->num_values = outer;
   open(m, other);
   other->passive = true;
   both(m, other, join);
   open(m, join);
   change_exec(m, HD_GCN_S_OR_B64, saved, false);
}

/* Lanes leave the loop; the others go on in a block that is opened. No copies for them. */
static void
passive_break(maker *m, hd_mach_block *exit)
{
   hd_mach_block *left = hd_mach_block_create(m->p), *rest = hd_mach_block_create(m->p);

   edge(m, HD_MACH_LOGICAL, m->block, left);
   edge(m, HD_MACH_LOGICAL, m->block, rest);
   save_exec(m);
   edge(m, HD_MACH_LINEAR, m->block, left);
   open(m, left);
   left->passive = true;
   edge(m, HD_MACH_LOGICAL, left, exit);
   edge(m, HD_MACH_LINEAR, left, rest);
   open(m, rest);
}

static void
divergent_if(maker *m, unsigned depth)
{
   hd_mach_block *then = hd_mach_block_create(m->p), *middle = hd_mach_block_create(m->p);
   hd_mach_block *other = hd_mach_block_create(m->p), *join = hd_mach_block_create(m->p);
   phi_shape shapes[MAX_PHIS];
   const unsigned num = random_shapes(m, shapes, false);
   hd_mach_block *first = m->block, *then_end, *other_end, *way;
   joins a, b;

   const uint32_t saved = save_exec(m);
   edge(m, HD_MACH_LOGICAL, first, then);
   edge(m, HD_MACH_LOGICAL, first, other);
   way = skip_to(m, first);
   edge(m, HD_MACH_LINEAR, first, then);
   const unsigned outer = m->num_values;
   open(m, then);
   body(m, depth);
   choose_sources(m, shapes, num, &a);
   then_end = m->block;
   edge(m, HD_MACH_LINEAR, then_end, middle);
   if (way) {
      branch(m, HD_GCN_S_BRANCH, middle);
      open(m, way);
      edge(m, HD_MACH_LINEAR, way, middle);
   }
   m->num_values = outer;
   open(m, middle);
   change_exec(m, HD_GCN_S_ANDN2_B64, saved, true);
   way = skip_to(m, middle);
   edge(m, HD_MACH_LINEAR, middle, other);
   open(m, other);
   body(m, depth);
   choose_sources(m, shapes, num, &b);
   other_end = m->block;
   edge(m, HD_MACH_LINEAR, other_end, join);
   if (way) {
      branch(m, HD_GCN_S_BRANCH, join);
      open(m, way);
      edge(m, HD_MACH_LINEAR, way, join);
   }
   m->num_values = outer;
   edge(m, HD_MACH_LOGICAL, then_end, join);
   edge(m, HD_MACH_LOGICAL, other_end, join);
   open(m, join);
   write_phis(m, shapes, num, &a, &b);
   change_exec(m, HD_GCN_S_OR_B64, saved, false);
}

/* Phis of a header that nothing comes into when the loop begins: what is read of them, once in each
 * round, does not depend on them. Spilled ones are written by the way back alone.
 */
typedef struct unknowns {
   hd_mach_inst *phis[3];
   unsigned num;
} unknowns;

/* Many values that are read no later than here: more than there are registers, where these are few.
 */
static void
burst(maker *m)
{
   hd_mach_operand values[24];
   const unsigned num = 2 + below(m, 22);
   hd_mach_inst *inst;

   for (unsigned n = 0; n < 2 * num; n++) {
      const hd_mach_operand a = n < num ? get_value(m, HD_GCN_SGPR, 1) : values[n - num];
      const hd_mach_operand b = n <= num ? get_value(m, HD_GCN_SGPR, 1) : values[n - 1 - num];
      inst = append(m, HD_GCN_S_AND_B32, hd_gcn_op_infos[HD_GCN_S_AND_B32].mach.num_defs, 2);
      *hd_mach_src(inst, 0) = a;
      *hd_mach_src(inst, 1) = b;
      *hd_mach_def(inst, 0) = fresh(m, HD_GCN_SGPR, 1, inst);
      values[n % num] = *hd_mach_def(inst, 0);
   }
   offer(m, values[num - 1].value);
}

static void
begin_unknowns(maker *m, unknowns *u)
{
   u->num = below(m, 4);
   for (unsigned n = 0; n < u->num; n++) {
      const hd_gcn_file file = once_in(m, 3) ? HD_GCN_VGPR : HD_GCN_SGPR;
      hd_mach_inst *phi = u->phis[n] = hd_gcn_inst_create(m->p, HD_MACH_P_PHI, 1, 2);
      *hd_mach_def(phi, 0) = fresh(m, file, 1, phi);
      *hd_mach_src(phi, 0) =
          (hd_mach_operand){ .reg = HD_MACH_NO_REG, .size = 1, .flags = HD_MACH_OPERAND_UNDEF };
      hd_mach_inst_insert_before(m->block, phi, m->block->first);
   }
}

static void
read_unknowns(maker *m, const unknowns *u)
{
   for (unsigned n = 0; n < u->num; n++) {
      const hd_mach_operand *phi = hd_mach_def(u->phis[n], 0);
      const hd_gcn_file file = (hd_gcn_file)m->p->temps[phi->value].file;
      const hd_gcn_op op = file == HD_GCN_VGPR ? HD_GCN_V_AND_B32 : HD_GCN_S_AND_B32;
      hd_mach_inst *inst = append(m, op, hd_gcn_op_infos[op].mach.num_defs, 2);
      *hd_mach_def(inst, 0) = fresh(m, file, 1, inst);
      *hd_mach_src(inst, 0) = (hd_mach_operand){ .reg = HD_GCN_CONST_0, .size = 1 };
      *hd_mach_src(inst, 1) = *phi;
      offer(m, hd_mach_def(inst, 0)->value);
      *hd_mach_src(u->phis[n], 1) = get_value(m, file, 1);
   }
}

/* The header's phis get the values of before and of the end of the body; behind the loop phis of
 * what a break in the middle of it and its end bring.
 */
static void
loop(maker *m, unsigned depth, bool divergent)
{
   hd_mach_block *header = hd_mach_block_create(m->p), *back = hd_mach_block_create(m->p);
   hd_mach_block *left = hd_mach_block_create(m->p), *rest = hd_mach_block_create(m->p);
   hd_mach_block *end = hd_mach_block_create(m->p), *exit = hd_mach_block_create(m->p);
   phi_shape shapes[MAX_PHIS], exit_shapes[MAX_PHIS];
   const unsigned num = random_shapes(m, shapes, true);
   const bool passive = divergent && once_in(m, 2);
   const unsigned num_exit = passive ? 0 : random_shapes(m, exit_shapes, !divergent);
   joins before, again, early, late;
   unknowns unknown;
   uint32_t saved = 0;

   choose_sources(m, shapes, num, &before);
   if (divergent)
      saved = get_value(m, HD_GCN_SGPR, 2).value;
   both(m, m->block, header);
   const unsigned outer = m->num_values;
   open(m, header);
   header->loop_header = true;
   write_phis(m, shapes, num, &before, &before); /* the second ones are known later */
   begin_unknowns(m, &unknown);
   if (once_in(m, 3))
      burst(m);
   body(m, depth);
   /* Some lanes leave, or all. */
   choose_sources(m, exit_shapes, num_exit, &early);
   edge(m, HD_MACH_LOGICAL, m->block, left);
   edge(m, HD_MACH_LOGICAL, m->block, rest);
   if (divergent) {
      save_exec(m);
      edge(m, HD_MACH_LINEAR, m->block, left);
      open(m, left);
      left->passive = passive;
      edge(m, HD_MACH_LINEAR, left, rest);
   } else {
      uniform_compare(m);
      branch(m, HD_GCN_S_CBRANCH_SCC1, left);
      edge(m, HD_MACH_LINEAR, m->block, rest);
      edge(m, HD_MACH_LINEAR, m->block, left);
   }
   open(m, rest);
   body(m, depth);
   for (unsigned n = passive ? below(m, 3) : 0; n; n--) {
      passive_break(m, exit);
      straight(m);
   }
   read_unknowns(m, &unknown);
   choose_sources(m, shapes, num, &again);
   choose_sources(m, exit_shapes, num_exit, &late);
   if (divergent)
      change_exec(m, HD_GCN_S_ANDN2_B64, saved, true);
   else
      uniform_compare(m);
   branch(m, divergent ? HD_GCN_S_CBRANCH_EXECZ : HD_GCN_S_CBRANCH_SCC0, end);
   both(m, m->block, back);
   both(m, m->block, end);
   open(m, back);
   branch(m, HD_GCN_S_BRANCH, header);
   both(m, back, header);
   if (!divergent) {
      open(m, left);
      branch(m, HD_GCN_S_BRANCH, exit);
   }
   open(m, end);
   if (!divergent)
      edge(m, HD_MACH_LINEAR, left, exit);
   edge(m, HD_MACH_LOGICAL, left, exit);
   both(m, end, exit);
   unsigned n = num, skip = unknown.num;
   hd_mach_foreach_inst(phi, header)
   {
      if (phi->op != HD_MACH_P_PHI)
         break;
      if (skip && skip--)
         continue;
      *hd_mach_src(phi, 1) = again.srcs[--n];
   }
   m->num_values = outer;
   open(m, exit);
   write_phis(m, exit_shapes, num_exit, &early, &late);
   if (divergent)
      change_exec(m, HD_GCN_S_OR_B64, saved, false);
}

static void
body(maker *m, unsigned depth)
{
   straight(m);
   for (unsigned num = depth ? below(m, 3) : 0; num && m->left; num--) {
      switch (below(m, 5)) {
      case 0:
         uniform_if(m, depth - 1);
         break;
      case 1:
         divergent_if(m, depth - 1);
         break;
      case 2:
         void_if(m, depth - 1);
         break;
      default:
         loop(m, depth - 1, once_in(m, 2));
      }
      straight(m);
   }
}

/* With room for what the ABI may be asked for later, which is in registers below these. */
static void
start(maker *m)
{
   hd_mach_inst *inst = append(m, HD_MACH_P_START, 2 * HD_GCN_NUM_STARTS, 0);

   hd_gcn_of(m->p)->abi.start = inst;
   inst->num_defs = 5;
   for (unsigned n = 0; n < 5; n++) {
      const bool vector = n >= 3;
      hd_mach_operand value = fresh(m, vector ? HD_GCN_VGPR : HD_GCN_SGPR, n ? 1 : 2, inst);
      const unsigned reg = vector ? HD_GCN_VGPR0 + n - 3 : n ? n + 9 : 8;
      *hd_mach_def(inst, n) = hd_mach_operand_fixed(m->p, value.value, reg);
      offer(m, value.value);
   }
}

void
make_random_machine(hd_mach_program *p, const random_machine *how)
{
   static maker only; /* large */
   maker *m = &only;

   memset(m, 0, sizeof(*m));
   m->p = p;
   m->how = *how;
   m->state = how->seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
   m->left = how->statements;
   open(m, hd_mach_block_create(p));
   start(m);
   while (m->left)
      body(m, how->depth);
   append(m, HD_MACH_P_END, 0, 0);
   begin_tail(m->block, m->block->last);
}
