/* SPDX-License-Identifier: MIT */
/* merge_smem.c - merge scalar loads of adjacent dwords into wider ones, before scheduling.
 *
 *    s_buffer_load_dwordx4 s[0:3], s[8:11], 0x40         s_buffer_load_dwordx8 s[16:23], s[8:11], 0x40
 *    ...                                            =>   p_split s[0:3], s[4:7], s[16:23]
 *    s_buffer_load_dwordx4 s[4:7], s[8:11], 0x50         ...
 *
 * What the IR's own passes cannot merge: columns of a matrix are more than a vector has components, and resources
 * are no accesses of the IR. Two of a size become one of twice as much, up to 16 dwords, and what is loaded is what
 * was loaded before: nothing beyond. The load stands where the first of its parts stood, so all have one base, a
 * constant offset, beside the same register or none, and memory that nothing writes.
 *
 * Tests: tests/backend/gcn/merge_smem.hd
 */
#include "backend/gcn/program.h"

#define MAX_OPEN     64u
#define MAX_DISTANCE 64u /* instructions that a load moves across: values live longer by it */
#define MAX_DWORDS   16u

typedef struct load {
   hd_mach_inst *inst;
   uint32_t position;
} load;

/* Loads that become one, next to each other in state.open. */
typedef struct run {
   uint32_t begin, end;
   uint32_t first, last; /* the lowest and the highest position */
   uint32_t dwords;
} run;

typedef struct state {
   hd_mach_program *p;
   hd_mach_block *block;
   int32_t dword; /* what it is in `imm` */
   load open[MAX_OPEN];
   run runs[MAX_OPEN];
   uint32_t num_open;
} state;

/* By dwords: their logarithm. */
static const uint16_t ops[2][5] = {
   { HD_GCN_S_LOAD_DWORD, HD_GCN_S_LOAD_DWORDX2, HD_GCN_S_LOAD_DWORDX4, HD_GCN_S_LOAD_DWORDX8,
     HD_GCN_S_LOAD_DWORDX16 },
   { HD_GCN_S_BUFFER_LOAD_DWORD, HD_GCN_S_BUFFER_LOAD_DWORDX2, HD_GCN_S_BUFFER_LOAD_DWORDX4,
     HD_GCN_S_BUFFER_LOAD_DWORDX8, HD_GCN_S_BUFFER_LOAD_DWORDX16 },
};

static bool
is_buffer(const hd_mach_inst *inst)
{
   return hd_mach_src(inst, 0)->size == 4;
}

/* The register beside the constant offset; 0: none. */
static uint32_t
register_of(const hd_mach_inst *inst)
{
   const hd_mach_operand *offset = inst->num_srcs > 1 ? hd_mach_src(inst, 1) : NULL;

   return offset && hd_mach_is_temp(offset) ? offset->value : 0;
}

static bool
can_be_merged(const hd_mach_inst *inst)
{
   if (inst->memory != HD_MACH_MEMORY_CONSTANT || (inst->bits & ~HD_GCN_SOFFSET_IMM) ||
       inst->num_defs != 1 || !hd_mach_is_temp(hd_mach_def(inst, 0)) ||
       !hd_mach_is_temp(hd_mach_src(inst, 0)) || !(inst->bits || register_of(inst)))
      return false;
   for (unsigned n = 0; n < 4; n++) {
      if (inst->op == ops[is_buffer(inst)][n])
         return true;
   }
   return false;
}

/* By base, then by offset. */
static bool
is_before(const hd_mach_inst *a, const hd_mach_inst *b)
{
   const uint32_t x = hd_mach_src(a, 0)->value, y = hd_mach_src(b, 0)->value;

   if (x != y)
      return x < y;
   return register_of(a) != register_of(b) ? register_of(a) < register_of(b) : a->imm < b->imm;
}

static void
note(state *s, hd_mach_inst *inst, uint32_t position)
{
   uint32_t at = s->num_open++;

   for (; at && is_before(inst, s->open[at - 1].inst); at--)
      s->open[at] = s->open[at - 1];
   s->open[at] = (load){ inst, position };
}

static bool
fit_together(const state *s, const run *a, const run *b)
{
   const hd_mach_inst *x = s->open[a->begin].inst, *y = s->open[b->begin].inst;
   const uint32_t first = a->first < b->first ? a->first : b->first;
   const uint32_t last = a->last > b->last ? a->last : b->last;

   return a->dwords == b->dwords && a->dwords < MAX_DWORDS &&
          hd_mach_src(x, 0)->value == hd_mach_src(y, 0)->value &&
          register_of(x) == register_of(y) && x->imm + (int32_t)a->dwords * s->dword == y->imm &&
          last - first <= MAX_DISTANCE;
}

/* One instruction in the place of the first. */
static void
merge(state *s, const run *r)
{
   hd_mach_program *p = s->p;
   const hd_mach_inst *low = s->open[r->begin].inst;
   hd_mach_inst *at = NULL;

   for (uint32_t n = r->begin; n < r->end; n++) {
      if (s->open[n].position == r->first)
         at = s->open[n].inst;
   }
   const hd_mach_operand all =
       hd_mach_operand_temp(p, hd_mach_temp_create(p, HD_GCN_SGPR, r->dwords, 0));
   hd_mach_inst *inst = hd_gcn_make_op(p, ops[is_buffer(low)][__builtin_ctz(r->dwords)], all,
                                       *hd_mach_src(low, 0), *hd_mach_src(low, 1));
   hd_mach_inst *split = hd_mach_inst_create(p, HD_MACH_P_SPLIT, r->end - r->begin, 1);
   inst->bits = low->bits;
   inst->imm = low->imm;
   inst->memory = low->memory;
   inst->loc = split->loc = at->loc;
   *hd_mach_src(split, 0) = all;
   p->temps[all.value].def = inst;
   hd_mach_inst_insert_before(s->block, inst, at);
   hd_mach_inst_insert_before(s->block, split, at);
   for (uint32_t n = r->begin; n < r->end; n++) {
      const hd_mach_operand *part = hd_mach_def(s->open[n].inst, 0);
      *hd_mach_def(split, n - r->begin) = *part;
      p->temps[part->value].def = split;
      hd_mach_inst_remove(s->block, s->open[n].inst);
   }
}

/* Runs that are as long as they can be: each round makes pairs of those of the round before. */
static void
merge_all(state *s)
{
   uint32_t num = s->num_open;

   for (uint32_t n = 0; n < num; n++)
      s->runs[n] = (run){ n, n + 1, s->open[n].position, s->open[n].position,
                          hd_mach_def(s->open[n].inst, 0)->size };
   for (uint32_t before = 0; before != num;) {
      before = num;
      num = 0;
      for (uint32_t n = 0; n < before; n++) {
         run r = s->runs[n];
         if (n + 1 < before && fit_together(s, &r, &s->runs[n + 1])) {
            const run *next = &s->runs[++n];
            r.end = next->end;
            r.first = r.first < next->first ? r.first : next->first;
            r.last = r.last > next->last ? r.last : next->last;
            r.dwords *= 2;
         }
         s->runs[num++] = r;
      }
   }
   for (uint32_t n = 0; n < num; n++) {
      if (s->runs[n].end - s->runs[n].begin > 1)
         merge(s, &s->runs[n]);
   }
   s->num_open = 0;
}

bool
hd_gcn_merge_smem(hd_mach_program *p)
{
   state *s = hd_stack_alloc_zero(p->stack, sizeof(*s));

   s->p = p;
   s->dword = hd_gcn_target_in(p)->gen == HD_GCN_GFX600 ? 1 : 4;
   hd_mach_foreach_block(block, p)
   {
      uint32_t position = 0;
      s->block = block;
      hd_mach_foreach_inst_safe(inst, next, block)
      {
         position++;
         if (!can_be_merged(inst))
            continue;
         if (s->num_open == MAX_OPEN)
            merge_all(s);
         note(s, inst, position);
      }
      merge_all(s);
   }
   return true;
}
