/* SPDX-License-Identifier: MIT */
#include "support/test.h"

#include "bdd.h"
#include "wqm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/gcn/isa/isa.h"

/* The program */

#define NUM_SGPRS 128u
#define MAX_SPILL 24u /* vector registers that hold scalars, a lane each */
#define NUM_CELLS (NUM_SGPRS + MAX_SPILL * 64)

/* A set of cells: scalar registers, and lanes of vector registers that hold scalars. */
struct cells {
   uint64_t bits[NUM_CELLS / 64];
};

/* The lane is `half` * 32 or above: its bit of a mask is in the first or second register. */
struct code {
   const hd_gcn_binary *binary;
   hd_gcn_decoded *insts; /* by word; of those that begin an instruction */
   uint8_t *words;        /* how many the instruction has; 0: none begins here */
   uint32_t *before;      /* the last that wrote scc or exec; or where the basic block begins */
   struct cells *live;    /* before it: what exec of the lane may be made of later */
   uint32_t *states;      /* before it: 1 for those in which the lane may be */
   uint32_t num;
   unsigned half, spill[MAX_SPILL], num_spill, scratch;
};

/* Atoms: bits that are free, those of cells now, and of the same cells behind the instruction. `OF_SCRATCH` is what the first
 * register of the resource of scratch has in the beginning.
 */
enum { FREE_0, FREE_1, FREE_2, OF_SCRATCH, NUM_FREE };

static uint32_t
atom_of(unsigned cell)
{
   return NUM_FREE + 2 * cell;
}

static uint32_t
bit_of(unsigned cell)
{
   return bdd_atom(atom_of(cell));
}

static bool
has(const struct cells *set, unsigned cell)
{
   return set->bits[cell / 64] >> cell % 64 & 1;
}

static void
add(struct cells *set, unsigned cell)
{
   set->bits[cell / 64] |= UINT64_C(1) << cell % 64;
}

static void
take_out(struct cells *set, unsigned cell)
{
   set->bits[cell / 64] &= ~(UINT64_C(1) << cell % 64);
}

/* A lane of a vector register that holds scalars; NUM_CELLS: there are too many. */
static unsigned
cell_of_lane(struct code *c, unsigned vgpr, uint64_t lane)
{
   unsigned n = 0;

   while (n < c->num_spill && c->spill[n] != vgpr)
      n++;
   if (n == MAX_SPILL)
      return NUM_CELLS;
   if (n == c->num_spill)
      c->spill[c->num_spill++] = vgpr;
   return NUM_SGPRS + n * 64 + (lane & 63);
}

/* What an instruction writes: cells, and their bits as functions of those before it. */
#define UNKNOWN UINT32_MAX

struct writes {
   unsigned cell[NUM_CELLS], num;
   uint32_t f[NUM_CELLS];
};

static void
write_cell(struct writes *w, unsigned cell, uint32_t f)
{
   w->cell[w->num] = cell;
   w->f[w->num++] = f;
}

/* Half `k` of a source of 64 bits. */
static uint32_t
half_of(const hd_mach_operand *o, unsigned k, unsigned free_bit)
{
   uint64_t value;

   if (o->reg + k < NUM_SGPRS)
      return bit_of(o->reg + k);
   if (hd_gcn_operand_value(*o, o->size == 2 ? HD_GCN_B64 : HD_GCN_B32, &value)) {
      const uint32_t half = (uint32_t)(value >> 32 * k);
      if (half == 0 || half == UINT32_MAX)
         return half ? BDD_TRUE : BDD_FALSE;
   }
   return bdd_atom(free_bit);
}

/* What a mask instruction makes of bits of its sources and of exec: the result, and exec. False: it is none. */
static bool
mask_result(unsigned op, uint32_t a, uint32_t b, uint32_t exec, uint32_t *out, uint32_t *now)
{
   *now = exec;
   switch (op) {
   case HD_GCN_S_MOV_B64:
   case HD_GCN_S_MOV_B32:
      *out = a;
      return true;
   case HD_GCN_S_NOT_B64:
      *out = bdd_not(a);
      return true;
   case HD_GCN_S_AND_B64:
   case HD_GCN_S_AND_B32:
      *out = bdd_and(a, b);
      return true;
   case HD_GCN_S_OR_B64:
   case HD_GCN_S_OR_B32:
      *out = bdd_or(a, b);
      return true;
   case HD_GCN_S_ANDN2_B64:
      *out = bdd_and(a, bdd_not(b));
      return true;
   case HD_GCN_S_ORN2_B64:
      *out = bdd_or(a, bdd_not(b));
      return true;
   case HD_GCN_S_XOR_B64:
      *out = bdd_xor(a, b);
      return true;
   case HD_GCN_S_CSELECT_B64:
      *out = bdd_if(bdd_atom(FREE_2), a, b);
      return true;
   case HD_GCN_S_WQM_B64:
      *out = bdd_or(a, bdd_atom(FREE_2));
      return true;
   case HD_GCN_S_AND_SAVEEXEC_B64:
      *out = exec, *now = bdd_and(a, exec);
      return true;
   case HD_GCN_S_OR_SAVEEXEC_B64:
      *out = exec, *now = bdd_or(a, exec);
      return true;
   case HD_GCN_S_ANDN2_SAVEEXEC_B64:
      *out = exec, *now = bdd_and(a, bdd_not(exec));
      return true;
   case HD_GCN_S_ANDN1_SAVEEXEC_B64:
      *out = exec, *now = bdd_and(bdd_not(a), exec);
      return true;
   case HD_GCN_S_ANDN1_WREXEC_B64:
      *out = *now = bdd_and(bdd_not(a), exec);
      return true;
   case HD_GCN_S_ANDN2_WREXEC_B64:
      *out = *now = bdd_and(a, bdd_not(exec));
      return true;
   default:
      return false;
   }
}

static bool
write_mask(const hd_mach_inst *i, struct writes *w)
{
   const unsigned size = i->num_defs ? hd_mach_def(i, 0)->size : 0;
   uint32_t out, now;

   if (!size || size > 2 || !mask_result(i->op, 0, 0, 0, &out, &now))
      return false;
   const unsigned dst = hd_mach_def(i, 0)->reg;
   for (unsigned k = 0; k < size; k++) {
      const uint32_t a = half_of(hd_mach_src(i, 0), k, FREE_0);
      const uint32_t b = i->num_srcs > 1 ? half_of(hd_mach_src(i, 1), k, FREE_1) : BDD_FALSE;
      const uint32_t exec = bit_of(HD_GCN_EXEC + k);
      mask_result(i->op, a, b, exec, &out, &now);
      if (now != exec && dst + k != HD_GCN_EXEC + k)
         write_cell(w, HD_GCN_EXEC + k, now);
      if (dst + k < NUM_SGPRS)
         write_cell(w, dst + k, out);
   }
   return true;
}

/* Lanes in registers that hold scalars. */
static bool
write_lane(struct code *c, const hd_mach_inst *i, struct writes *w)
{
   const hd_mach_operand *src = hd_mach_src(i, 0);
   const bool write = i->op == HD_GCN_V_WRITELANE_B32;
   uint64_t lane;

   if (!write && i->op != HD_GCN_V_READLANE_B32)
      return false;
   const unsigned reg = hd_mach_def(i, 0)->reg;
   const unsigned cell = hd_gcn_operand_value(src[1], HD_GCN_B32, &lane)
                             ? cell_of_lane(c, write ? reg : src[0].reg, lane)
                             : NUM_CELLS;
   if (write && cell < NUM_CELLS)
      write_cell(w, cell, half_of(&src[0], 0, FREE_0));
   else if (!write && reg < NUM_SGPRS)
      write_cell(w, reg, cell < NUM_CELLS ? bit_of(cell) : bdd_atom(FREE_0));
   return true;
}

/* All lanes of a vector register. */
static void
write_vector(const struct code *c, unsigned reg, struct writes *w)
{
   for (unsigned n = 0; n < c->num_spill; n++) {
      for (unsigned lane = 0; lane < 64 && c->spill[n] == reg; lane++)
         write_cell(w, NUM_SGPRS + n * 64 + lane, UNKNOWN);
   }
}

static void
find_writes(struct code *c, const hd_mach_inst *i, struct writes *w)
{
   /* A compare writes 0 for a lane that does not run. */
   const bool compares = hd_gcn_op_info_of(i)->format == HD_GCN_VOPC;

   w->num = 0;
   if (write_mask(i, w) || write_lane(c, i, w))
      return;
   for (unsigned n = 0; n < i->num_defs; n++) {
      const hd_mach_operand *def = hd_mach_def(i, n);
      for (unsigned k = 0; k < def->size; k++) {
         if (def->reg + k >= NUM_SGPRS)
            write_vector(c, def->reg + k, w);
         else if (compares && k < 2)
            write_cell(w, def->reg + k, bdd_and(bdd_atom(FREE_0), bit_of(HD_GCN_EXEC + k)));
         else
            write_cell(w, def->reg + k, UNKNOWN);
      }
   }
}

static bool
writes(const hd_mach_inst *i, unsigned reg)
{
   for (unsigned n = 0; n < i->num_defs; n++) {
      const hd_mach_operand *def = hd_mach_def(i, n);
      if (def->reg <= reg && reg < def->reg + def->size)
         return true;
   }
   return false;
}

static void
decode(struct code *c)
{
   bool *target = calloc(c->num + 1, sizeof(*target));

   for (uint32_t at = 0; at < c->num; at += c->words[at]) {
      c->words[at] = (uint8_t)hd_gcn_decode(c->binary->target, c->binary->code + at, c->num - at,
                                            &c->insts[at]);
      assert_true(c->words[at]);
      const hd_mach_inst *i = &c->insts[at].inst;
      const uint32_t to = (uint32_t)((int32_t)(at + c->words[at]) + (int16_t)i->imm);
      if (hd_gcn_is_branch(i) && to < c->num)
         target[to] = true;
   }
   for (uint32_t at = 0, last = 0; at < c->num; at += c->words[at]) {
      const hd_mach_inst *i = &c->insts[at].inst;
      last = target[at] ? at : last;
      c->before[at] = last;
      if (writes(i, HD_GCN_SCC) || writes(i, HD_GCN_EXEC))
         last = at;
   }
   free(target);
}

/* Where it goes on: how many places. */
static unsigned
ways_from(const struct code *c, uint32_t at, uint32_t to[2])
{
   const hd_mach_inst *i = &c->insts[at].inst;
   const uint32_t next = at + c->words[at];
   unsigned num = 0;

   if (hd_gcn_is_branch(i))
      to[num++] = (uint32_t)((int32_t)next + (int16_t)i->imm);
   if (i->op != HD_GCN_S_ENDPGM && i->op != HD_GCN_S_BRANCH)
      to[num++] = next;
   return num;
}

/* The resource of a buffer that it stores to; NULL: it has none. */
static const hd_mach_operand *
stored_to(const hd_mach_inst *i)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(i);

   for (unsigned n = 0; n < i->num_srcs && info->mach.flags & HD_MACH_STORES; n++) {
      const hd_mach_operand *o = hd_mach_src(i, n);
      if (hd_gcn_is_buffer(info) && o->size == 4 && o->reg < NUM_SGPRS)
         return o;
   }
   return NULL;
}

/* Liveness */

static void
add_support(uint32_t f, struct cells *set)
{
   if (f < 2)
      return;
   if (bdd_first_atom(f) >= NUM_FREE)
      add(set, (bdd_first_atom(f) - NUM_FREE) / 2);
   add_support(bdd_low(f), set);
   add_support(bdd_high(f), set);
}

static struct cells
live_behind(const struct code *c, uint32_t at)
{
   struct cells set = { 0 };
   uint32_t to[2];

   for (unsigned n = ways_from(c, at, to); n-- > 0;) {
      for (unsigned k = 0; k < NUM_CELLS / 64 && to[n] < c->num; k++)
         set.bits[k] |= c->live[to[n]].bits[k];
   }
   return set;
}

/* False: nothing was added. */
static bool
add_live(struct code *c, uint32_t at)
{
   static struct writes w;
   const hd_mach_inst *i = &c->insts[at].inst;
   const hd_mach_operand *resource = c->scratch == HD_GCN_NO_SGPR ? NULL : stored_to(i);
   const struct cells behind = live_behind(c, at);
   struct cells set = behind;

   find_writes(c, i, &w);
   for (unsigned n = 0; n < w.num; n++)
      take_out(&set, w.cell[n]);
   for (unsigned n = 0; n < w.num; n++) {
      if (has(&behind, w.cell[n]) && w.f[n] != UNKNOWN)
         add_support(w.f[n], &set);
   }
   if (resource)
      add(&set, resource->reg);
   add(&set, HD_GCN_EXEC + c->half);
   const bool more = memcmp(&set, &c->live[at], sizeof(set));
   c->live[at] = set;
   return more;
}

static void
find_live(struct code *c)
{
   for (bool more = true; more;) {
      more = false;
      for (uint32_t at = c->num; at-- > 0;)
         more |= c->words[at] && add_live(c, at);
   }
}

/* The states of the lane */

/* Nothing is said of the cells of a set that are not in the other one. */
static uint32_t
forget(uint32_t states, const struct cells *set, const struct cells *but)
{
   for (unsigned cell = 0; cell < NUM_CELLS; cell++) {
      if (has(set, cell) && !has(but, cell))
         states = bdd_exists(states, atom_of(cell));
   }
   return states;
}

/* Those behind an instruction, of cells that are live there. */
static uint32_t
run(struct code *c, uint32_t at, const struct cells *behind)
{
   static struct writes w;
   uint32_t states = c->states[at];

   find_writes(c, &c->insts[at].inst, &w);
   for (unsigned n = 0; n < w.num; n++) {
      if (!has(behind, w.cell[n]) || w.f[n] == UNKNOWN)
         continue;
      const uint32_t differs = bdd_xor(bdd_atom(atom_of(w.cell[n]) + 1), w.f[n]);
      states = bdd_and(states, bdd_not(differs));
   }
   for (unsigned n = 0; n < w.num; n++)
      states = bdd_exists(states, atom_of(w.cell[n]));
   for (unsigned n = FREE_0; n <= FREE_2; n++)
      states = bdd_exists(states, n);
   for (unsigned n = 0; n < w.num; n++)
      states = bdd_rename(states, atom_of(w.cell[n]) + 1);
   return forget(states, &c->live[at], behind);
}

/* Does it go this way where exec is 0, and only there? */
static bool
skips(const struct code *c, uint32_t at, uint32_t before, bool taken)
{
   const hd_mach_inst *i = &c->insts[at].inst, *last = &c->insts[before].inst;

   if (i->op == (taken ? HD_GCN_S_CBRANCH_EXECZ : HD_GCN_S_CBRANCH_EXECNZ))
      return true;
   if (i->op != (taken ? HD_GCN_S_CBRANCH_SCC0 : HD_GCN_S_CBRANCH_SCC1) || before == at)
      return false;
   return writes(last, HD_GCN_EXEC) && writes(last, HD_GCN_SCC);
}

/* Does it never go this way, as the compare before it is of two constants? */
static bool
is_impossible(const struct code *c, uint32_t at, uint32_t before, bool taken)
{
   const hd_mach_inst *i = &c->insts[at].inst, *last = &c->insts[before].inst;
   const bool equal = last->op == HD_GCN_S_CMP_EQ_U32, set = i->op == HD_GCN_S_CBRANCH_SCC1;
   uint64_t a, b;

   if ((!set && i->op != HD_GCN_S_CBRANCH_SCC0) || (!equal && last->op != HD_GCN_S_CMP_LG_U32) ||
       !hd_gcn_operand_value(*hd_mach_src(last, 0), HD_GCN_B32, &a) ||
       !hd_gcn_operand_value(*hd_mach_src(last, 1), HD_GCN_B32, &b))
      return false;
   return taken != (((a == b) == equal) == set);
}

static void
follow(struct code *c, uint32_t at, bool *dirty)
{
   const hd_mach_inst *i = &c->insts[at].inst;
   const struct cells behind = live_behind(c, at);
   const uint32_t states = run(c, at, &behind), exec = bit_of(HD_GCN_EXEC + c->half);
   uint32_t to[2];

   for (unsigned n = ways_from(c, at, to); n-- > 0;) {
      const bool taken = n == 0;
      if (to[n] >= c->num || !c->words[to[n]] || is_impossible(c, at, c->before[at], taken))
         continue;
      uint32_t there = forget(states, &behind, &c->live[to[n]]);
      if (hd_gcn_is_branch(i) && skips(c, at, c->before[at], taken))
         there = bdd_and(there, bdd_not(exec));
      there = bdd_or(there, c->states[to[n]]);
      dirty[to[n]] |= there != c->states[to[n]];
      c->states[to[n]] = there;
   }
}

/* The states before all instructions of a lane that is active from the start, or is not. */
static void
analyse(struct code *c, const hd_gcn_binary *binary, unsigned scratch, unsigned half, bool active)
{
   static struct writes w;

   *c = (struct code){
      .binary = binary, .num = binary->stats.code_size / 4, .half = half, .scratch = scratch
   };
   c->insts = calloc(c->num + 1, sizeof(*c->insts));
   c->words = calloc(c->num + 1, 1);
   c->before = calloc(c->num + 1, sizeof(*c->before));
   c->live = calloc(c->num + 1, sizeof(*c->live));
   c->states = calloc(c->num + 1, sizeof(*c->states));
   bool *dirty = calloc(c->num + 1, sizeof(*dirty));
   decode(c);
   bdd_reset();
   for (uint32_t at = 0; at < c->num; at += c->words[at])
      find_writes(c, &c->insts[at].inst, &w); /* finds the registers that hold scalars */
   find_live(c);
   const uint32_t exec = bit_of(HD_GCN_EXEC + half);
   c->states[0] = active ? exec : bdd_not(exec);
   if (scratch != HD_GCN_NO_SGPR) {
      const uint32_t differs = bdd_xor(bit_of(scratch), bdd_atom(OF_SCRATCH));
      c->states[0] = bdd_and(c->states[0], bdd_not(differs));
   }
   dirty[0] = true;
   for (bool more = true; more;) {
      more = false;
      for (uint32_t at = 0; at < c->num && !bdd_is_full(); at++) {
         if (dirty[at]) {
            dirty[at] = false;
            follow(c, at, dirty);
            more = true;
         }
      }
   }
   free(dirty);
}

static void
finish(struct code *c)
{
   free(c->insts);
   free(c->words);
   free(c->before);
   free(c->live);
   free(c->states);
}

/* The rules */

/* Can the lane be active before it? */
static bool
may_run(const struct code *c, uint32_t at)
{
   return bdd_and(c->states[at], bit_of(HD_GCN_EXEC + c->half)) != BDD_FALSE;
}

/* Must it not run for helpers? */
static bool
is_effect(const struct code *c, uint32_t at)
{
   const hd_mach_inst *i = &c->insts[at].inst;
   const hd_gcn_op_info *info = hd_gcn_op_info_of(i);
   const hd_mach_operand *resource = stored_to(i);

   if (info->format == HD_GCN_EXPORT)
      return ((unsigned)i->imm >> HD_GCN_EXPORT_TARGET_SHIFT & 63) != HD_GCN_EXPORT_NULL;
   if (!(info->mach.flags & HD_MACH_STORES) || info->format == HD_GCN_DS ||
       info->format == HD_GCN_SCRATCH)
      return false;
   if (!resource || c->scratch == HD_GCN_NO_SGPR)
      return true;
   /* The resource of scratch, wherever it is now. */
   const uint32_t differs = bdd_xor(bit_of(resource->reg), bdd_atom(OF_SCRATCH));
   return bdd_and(c->states[at], differs) != BDD_FALSE;
}

/* Does it read other lanes of its quad, whoever they are? */
static bool
reads_quad(const hd_mach_inst *i)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(i);

   if (i->op == HD_GCN_DS_SWIZZLE_B32)
      return i->imm & 0x8000;
   if (i->form == HD_GCN_FORM_DPP)
      return i->mods.halves[HD_GCN_MOD_DPP_CTRL] < 0x100;
   return info->format == HD_GCN_MIMG && info->mach.flags & HD_MACH_CROSS_LANE;
}

static const char *
tell(const struct code *c, uint32_t at, const char *what)
{
   static char said[300];
   hd_blob text = { 0 };

   hd_gcn_inst_print(c->binary->target, &c->insts[at].inst, &text);
   snprintf(said, sizeof(said), "%s: 0x%x: %s", what, at * 4, text.data);
   hd_blob_finish(&text);
   return said;
}

/* Of the first instruction that reads a quad where no helper runs, though others may: its word, or the number of words. */
static uint32_t
without_helpers(struct code *c)
{
   const uint32_t num = c->num;
   bool *reads = calloc(num + 1, sizeof(*reads)), some = false;
   struct code other;
   uint32_t at;

   for (at = 0; at < num; at++) {
      reads[at] = c->states[at] && reads_quad(&c->insts[at].inst) && !may_run(c, at);
      some |= reads[at];
   }
   if (some) {
      analyse(&other, c->binary, c->scratch, c->half, true);
      for (at = 0; at < num && !(reads[at] && may_run(&other, at)); at++)
         ;
      finish(&other);
   }
   free(reads);
   return bdd_is_full() ? num : at;
}

static const char *
wrong_half(struct code *c, bool branches, unsigned *places)
{
   const char *wrong = NULL;

   for (uint32_t at = 0; at < c->num && !wrong && !bdd_is_full(); at++) {
      if (!c->states[at])
         continue;
      const bool effect = is_effect(c, at);
      *places += effect || reads_quad(&c->insts[at].inst);
      if (effect && may_run(c, at))
         wrong = tell(c, at, "a helper lane may run");
   }
   const uint32_t at = wrong || bdd_is_full() || branches ? c->num : without_helpers(c);
   return at < c->num ? tell(c, at, "no helper lane runs") : wrong;
}

const char *
wrong_quad_mode(const hd_gcn_binary *binary, unsigned scratch, bool branches, unsigned *places)
{
   unsigned checked = 0;
   const char *wrong = NULL;
   bool full = false;

   for (unsigned half = 0; half < 2 && !wrong && !full; half++) {
      struct code c;
      checked = 0;
      analyse(&c, binary, scratch, half, false);
      wrong = wrong_half(&c, branches, &checked);
      full = bdd_is_full();
      finish(&c);
   }
   *places += full ? 0 : 1 + checked;
   return wrong;
}
