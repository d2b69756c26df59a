/* SPDX-License-Identifier: MIT */
/* hazards.c - hazard recognizer: s_nop where software must separate two instructions by wait states.
 *
 *    v_readfirstlane_b32 s4, v0               v_readfirstlane_b32 s4, v0
 *    v_mov_b32 v1, 0                  =>      v_mov_b32 v1, 0
 *    buffer_load_dword v2, v1, s[4:7] ...     s_nop 3
 *                                             buffer_load_dword v2, v1, s[4:7] ...
 *
 * `rules` is what the manuals list under "manually inserted wait states", a row each. An
 * instruction between the two is one wait state, s_nop n is n + 1.
 *
 * The state at the end of a block is what was executed in the last MAX_STATES wait states, on any
 * linear path: a forward data-flow analysis. States expire, so a change travels only a few
 * instructions. As in insert_waits.c, states are recomputed on each visit; from MAX_VISITS on they only
 * grow (widening).
 *
 * Requires:  registers; no pseudo ops but p_start; linear edges; blocks in order; waits in place.
 * Tests:     tests/backend/gcn/test_hazards.c
 */
#include "backend/gcn/program.h"
#include "machine/worklist.h"

#include <string.h>

#define MAX_STATES 5
#define MAX_VISITS 16

/* What is done. Each to a register, or to something else that has a number. */
typedef enum producer {
   VALU_WRITES_SCALAR, /* SGPRs, vcc, exec */
   SALU_WRITES_SCALAR, /* m0 too */
   VALU_WRITES_VECTOR,
   STORES_WIDE, /* vector registers of more than 64 bits of data, which are read a little later */
   SETS_HWREG,  /* s_setreg */
   SETS_VSKIP,  /* s_setvskip */
   NUM_PRODUCERS,
} producer;

/* Who sees it too early. */
typedef enum consumer {
   VMEM_READS,        /* a scalar register, as resource, offset or address */
   SMEM_READS,        /* a scalar register */
   SMEM_BUFFER_READS, /* a scalar register, of s_buffer_load and the like */
   SELECTS_LANE,      /* v_readlane, v_writelane: the scalar register that names the lane */
   DIV_FMAS,          /* vcc */
   READS_ZERO_BIT,    /* a vector instruction that has vccz or execz as data */
   DPP_READS,         /* a vector register */
   DPP_RUNS,          /* for the lanes of exec */
   VALU_OVERWRITES,   /* a vector register */
   GETS_HWREG,
   SETS_HWREG_AGAIN,
   GETS_MODE,
   VECTOR_RUNS,
   MESSAGE,        /* m0: s_sendmsg, s_ttracedata, GDS */
   MOVES_RELATIVE, /* m0: s_movrel */
   LOADS_TO_LDS,   /* m0: vector memory that writes LDS; LDS by the number of the lane */
} consumer;

#define GFX6 (1u << HD_GCN_GFX6)
#define GFX8 (1u << HD_GCN_GFX8)
#define GFX9 (1u << HD_GCN_GFX9)
#define ALL  (GFX6 | GFX8 | GFX9)

static const struct rule {
   uint8_t producer, consumer, states, gens;
} rules[] = {
   { VALU_WRITES_SCALAR, VMEM_READS, 5, ALL },
   { VALU_WRITES_SCALAR, SELECTS_LANE, 4, ALL },
   { VALU_WRITES_SCALAR, DIV_FMAS, 4, ALL },
   { VALU_WRITES_SCALAR, READS_ZERO_BIT, 5, ALL },
   { VALU_WRITES_SCALAR, DPP_RUNS, 5, GFX8 | GFX9 },
   { VALU_WRITES_SCALAR, SMEM_READS, 4, GFX6 },
   { SALU_WRITES_SCALAR, SMEM_BUFFER_READS, 4, GFX6 },
   { SALU_WRITES_SCALAR, MESSAGE, 1, ALL },
   { SALU_WRITES_SCALAR, MOVES_RELATIVE, 1, GFX8 | GFX9 },
   { SALU_WRITES_SCALAR, LOADS_TO_LDS, 1, GFX9 },
   { VALU_WRITES_VECTOR, DPP_READS, 2, GFX8 | GFX9 },
   { STORES_WIDE, VALU_OVERWRITES, 1, GFX8 | GFX9 },
   { SETS_HWREG, GETS_HWREG, 2, ALL },
   { SETS_HWREG, SETS_HWREG_AGAIN, 1, GFX6 },
   { SETS_HWREG, SETS_HWREG_AGAIN, 2, GFX8 | GFX9 },
   { SETS_VSKIP, GETS_MODE, 2, ALL },
   { SETS_VSKIP, VECTOR_RUNS, 2, ALL },
};

#define NUM_RULES   (sizeof(rules) / sizeof(rules[0]))
#define NUM_SCALARS 128u
#define NUM_VECTORS 256u
#define NUM_HWREGS  64u
#define HWREG_MODE  1u

/* A deed: `producer`, and the number of what it was done to. */
#define FIRST_VALU_SCALAR 0u
#define FIRST_SALU_SCALAR (FIRST_VALU_SCALAR + NUM_SCALARS)
#define FIRST_VALU_VECTOR (FIRST_SALU_SCALAR + NUM_SCALARS)
#define FIRST_STORE       (FIRST_VALU_VECTOR + NUM_VECTORS)
#define FIRST_HWREG       (FIRST_STORE + NUM_VECTORS)
#define FIRST_VSKIP       (FIRST_HWREG + NUM_HWREGS)
#define NUM_DEEDS         (FIRST_VSKIP + 1)

static const uint16_t first_deed[NUM_PRODUCERS] = {
   FIRST_VALU_SCALAR, FIRST_SALU_SCALAR, FIRST_VALU_VECTOR, FIRST_STORE, FIRST_HWREG, FIRST_VSKIP,
};

/* A deed that can still do harm, and how many wait states it is back. */
typedef struct recent {
   uint16_t deed;
   uint8_t states;
} recent;

typedef struct recents {
   recent *list;
   uint32_t num, capacity;
} recents;

/* An instruction of this block that is not long ago. */
struct issued {
   const hd_mach_inst *inst;
   uint64_t time;
};

struct hazards {
   hd_mach_program *p;
   struct rule rules[NUM_RULES]; /* of this generation */
   unsigned num_rules;
   hd_mach_worklist worklist;
   struct exit {
      recents state;
      uint8_t visits;
   } * exits; /* by index of the block */

   /* Of the block that is looked at. Time goes up by a wait state, and by more than MAX_STATES
    * from block to block: what was not done in this one, or just before it, is long ago.
    */
   hd_mach_block *block;
   bool insert;
   uint64_t start, now;
   uint64_t done[NUM_DEEDS];         /* when */
   uint64_t last[NUM_PRODUCERS];     /* the latest of each kind */
   struct issued issued[MAX_STATES]; /* a ring: the last ones that count as wait states */
   unsigned num_issued;
   recents in, next;          /* before the block and after it, each deed once */
   uint32_t place[NUM_DEEDS]; /* in `next`, + 1 */
};

static bool
is_salu(const hd_gcn_op_info *info)
{
   return info->format == HD_GCN_SOP1 || info->format == HD_GCN_SOP2 ||
          info->format == HD_GCN_SOPK || info->format == HD_GCN_SOPC;
}

static bool
is_valu(const hd_gcn_op_info *info)
{
   return info->format == HD_GCN_VOP1 || info->format == HD_GCN_VOP2 ||
          info->format == HD_GCN_VOPC || info->format == HD_GCN_VOP3 ||
          info->format == HD_GCN_VOP3P;
}

static bool
is_vmem(const hd_gcn_op_info *info)
{
   return info->format == HD_GCN_MUBUF || info->format == HD_GCN_FLAT ||
          info->format == HD_GCN_GLOBAL || info->format == HD_GCN_SCRATCH;
}

static bool
is_scalar(const hd_mach_operand *operand)
{
   return operand->size && operand->reg < NUM_SCALARS;
}

static bool
is_vector(const hd_mach_operand *operand)
{
   return operand->size && operand->reg >= HD_GCN_VGPR0 && operand->reg < HD_MACH_MAX_REGS;
}

static unsigned
wait_states(const hd_mach_inst *inst)
{
   if (inst->op == HD_GCN_S_NOP)
      return ((unsigned)inst->imm & 15) + 1;
   return hd_gcn_op_info_of(inst)->format == HD_GCN_PSEUDO ? 0 : 1;
}

/* What is done --------------------------------------------------------------------------------- */

struct deeds {
   unsigned num;
   struct {
      uint8_t producer;
      uint16_t deed;
   } list[24];
};

static void
add_deeds(struct deeds *deeds, producer producer, unsigned first, unsigned num)
{
   for (unsigned n = 0; n < num && deeds->num < sizeof(deeds->list) / sizeof(deeds->list[0]); n++) {
      deeds->list[deeds->num].producer = (uint8_t)producer;
      deeds->list[deeds->num++].deed = (uint16_t)(first_deed[producer] + first + n);
   }
}

/* The data of a store that is read a little after it is issued, or NULL. With an offset in a
 * register a buffer store takes a cycle more, in which it reads it.
 */
static const hd_mach_operand *
wide_data(const hd_mach_inst *inst)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);
   const unsigned n = info->format == HD_GCN_MUBUF ? 0 : 1;

   if (!is_vmem(info) || !(info->mach.flags & HD_MACH_STORES) || inst->num_srcs <= n)
      return NULL;
   if (info->format == HD_GCN_MUBUF && inst->num_srcs > 3 && is_scalar(hd_mach_src(inst, 3)))
      return NULL;
   const hd_mach_operand *data = hd_mach_src(inst, n);
   return is_vector(data) && data->size > 2 ? data : NULL;
}

static void
find_deeds(const hd_mach_inst *inst, struct deeds *deeds)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);
   const bool valu = is_valu(info);

   deeds->num = 0;
   if (valu || is_salu(info)) {
      for (unsigned n = 0; n < inst->num_defs; n++) {
         const hd_mach_operand *def = hd_mach_def(inst, n);
         if (is_scalar(def))
            add_deeds(deeds, valu ? VALU_WRITES_SCALAR : SALU_WRITES_SCALAR, def->reg, def->size);
         else if (is_vector(def))
            add_deeds(deeds, VALU_WRITES_VECTOR, def->reg - HD_GCN_VGPR0, def->size);
      }
   }
   const hd_mach_operand *data = wide_data(inst);
   if (data)
      add_deeds(deeds, STORES_WIDE, data->reg - HD_GCN_VGPR0, data->size);
   if (inst->op == HD_GCN_S_SETREG_B32 || inst->op == HD_GCN_S_SETREG_IMM32_B32)
      add_deeds(deeds, SETS_HWREG, (unsigned)inst->imm % NUM_HWREGS, 1);
   if (inst->op == HD_GCN_S_SETVSKIP)
      add_deeds(deeds, SETS_VSKIP, 0, 1);
}

/* What is seen too early ----------------------------------------------------------------------- */

/* When the latest of these deeds was done. */
static uint64_t
latest(const struct hazards *h, producer producer, unsigned first, unsigned num)
{
   uint64_t time = 0;

   for (unsigned n = 0; n < num; n++) {
      const uint64_t done = h->done[first_deed[producer] + first + n];
      time = done > time ? done : time;
   }
   return time;
}

static uint64_t
latest_of_scalars(const struct hazards *h, producer producer, const hd_mach_inst *inst)
{
   uint64_t time = 0;

   for (unsigned n = 0; n < inst->num_srcs; n++) {
      const hd_mach_operand *src = hd_mach_src(inst, n);
      const uint64_t done = is_scalar(src) ? latest(h, producer, src->reg, src->size) : 0;
      time = done > time ? done : time;
   }
   return time;
}

static uint64_t
latest_of_vectors(const struct hazards *h, producer producer, const hd_mach_operand *operands,
                  unsigned num)
{
   uint64_t time = 0;

   for (unsigned n = 0; n < num; n++) {
      const uint64_t done =
          is_vector(&operands[n])
              ? latest(h, producer, operands[n].reg - HD_GCN_VGPR0, operands[n].size)
              : 0;
      time = done > time ? done : time;
   }
   return time;
}

static uint64_t
latest_of_zero_bits(const struct hazards *h, producer producer, const hd_mach_inst *inst)
{
   uint64_t time = 0;

   for (unsigned n = 0; n < inst->num_srcs; n++) {
      const unsigned reg = hd_mach_src(inst, n)->size ? hd_mach_src(inst, n)->reg : HD_MACH_NO_REG;
      if (reg != HD_GCN_VCCZ && reg != HD_GCN_EXECZ)
         continue;
      const uint64_t done = latest(h, producer, reg == HD_GCN_VCCZ ? HD_GCN_VCC : HD_GCN_EXEC, 2);
      time = done > time ? done : time;
   }
   return time;
}

/* When that was done last which `inst` must not see too early; 0: never, or it does not see it. */
static uint64_t
seen(const struct hazards *h, const struct rule *rule, const hd_mach_inst *inst)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);
   const producer producer = (enum producer)rule->producer;
   const unsigned hwreg = (unsigned)inst->imm % NUM_HWREGS;
   const bool dpp = is_valu(info) && inst->form == HD_GCN_FORM_DPP;
   const bool smem = info->format == HD_GCN_SMEM;

   switch ((enum consumer)rule->consumer) {
   case VMEM_READS:
      return is_vmem(info) ? latest_of_scalars(h, producer, inst) : 0;
   case SMEM_READS:
      return smem ? latest_of_scalars(h, producer, inst) : 0;
   case SMEM_BUFFER_READS:
      return smem && inst->num_srcs && hd_mach_src(inst, 0)->size == 4
                 ? latest_of_scalars(h, producer, inst)
                 : 0;
   case SELECTS_LANE:
      if (inst->op != HD_GCN_V_READLANE_B32 && inst->op != HD_GCN_V_WRITELANE_B32)
         return 0;
      return is_scalar(hd_mach_src(inst, 1)) ? latest(h, producer, hd_mach_src(inst, 1)->reg, 1)
                                             : 0;
   case DIV_FMAS:
      return inst->op == HD_GCN_V_DIV_FMAS_F32 || inst->op == HD_GCN_V_DIV_FMAS_F64
                 ? latest(h, producer, HD_GCN_VCC, 2)
                 : 0;
   case READS_ZERO_BIT:
      return is_valu(info) ? latest_of_zero_bits(h, producer, inst) : 0;
   case DPP_READS:
      return dpp ? latest_of_vectors(h, producer, hd_mach_src(inst, 0), inst->num_srcs) : 0;
   case DPP_RUNS:
      return dpp ? latest(h, producer, HD_GCN_EXEC, 2) : 0;
   case VALU_OVERWRITES:
      return is_valu(info) ? latest_of_vectors(h, producer, inst->operands, inst->num_defs) : 0;
   case GETS_HWREG:
      return inst->op == HD_GCN_S_GETREG_B32 ? latest(h, producer, hwreg, 1) : 0;
   case SETS_HWREG_AGAIN:
      return inst->op == HD_GCN_S_SETREG_B32 || inst->op == HD_GCN_S_SETREG_IMM32_B32
                 ? latest(h, producer, hwreg, 1)
                 : 0;
   case GETS_MODE:
      return inst->op == HD_GCN_S_GETREG_B32 && hwreg == HWREG_MODE ? latest(h, producer, 0, 1) : 0;
   case VECTOR_RUNS:
      return is_valu(info) || is_vmem(info) || info->format == HD_GCN_DS ? latest(h, producer, 0, 1)
                                                                         : 0;
   case MESSAGE:
      return inst->op == HD_GCN_S_SENDMSG || inst->op == HD_GCN_S_SENDMSGHALT ||
                     inst->op == HD_GCN_S_TTRACEDATA || (inst->bits & HD_GCN_GDS)
                 ? latest(h, producer, HD_GCN_M0, 1)
                 : 0;
   case MOVES_RELATIVE:
      return inst->op == HD_GCN_S_MOVRELS_B32 || inst->op == HD_GCN_S_MOVRELS_B64 ||
                     inst->op == HD_GCN_S_MOVRELD_B32 || inst->op == HD_GCN_S_MOVRELD_B64
                 ? latest(h, producer, HD_GCN_M0, 1)
                 : 0;
   case LOADS_TO_LDS:
      return (is_vmem(info) && (inst->bits & HD_GCN_LDS)) ||
                     inst->op == HD_GCN_DS_READ_ADDTID_B32 || inst->op == HD_GCN_DS_WRITE_ADDTID_B32
                 ? latest(h, producer, HD_GCN_M0, 1)
                 : 0;
   }
   return 0;
}

/* Wait states that are missing before `inst`. */
static unsigned
missing(const struct hazards *h, const hd_mach_inst *inst)
{
   unsigned most = 0;

   for (unsigned n = 0; n < h->num_rules; n++) {
      const struct rule *rule = &h->rules[n];
      if (h->now - h->last[rule->producer] > rule->states)
         continue;
      const uint64_t between = h->now - seen(h, rule, inst) - 1;
      if (between < rule->states && rule->states - between > most)
         most = (unsigned)(rule->states - between);
   }
   return most;
}

/* Blocks --------------------------------------------------------------------------------------- */

static void
did(struct hazards *h, unsigned producer, unsigned deed, uint64_t time)
{
   if (time > h->done[deed])
      h->done[deed] = time;
   if (time > h->last[producer])
      h->last[producer] = time;
}

static unsigned
producer_of(unsigned deed)
{
   unsigned producer = NUM_PRODUCERS - 1;

   while (deed < first_deed[producer])
      producer--;
   return producer;
}

static void
push(struct hazards *h, recents *r, unsigned deed, uint64_t states)
{
   if (r->num == r->capacity) {
      const uint32_t capacity = r->capacity ? r->capacity * 2 : 8;
      recent *list = hd_stack_alloc(h->p->stack, capacity * sizeof(*list));
      if (r->num)
         memcpy(list, r->list, r->num * sizeof(*list));
      r->list = list;
      r->capacity = capacity;
   }
   r->list[r->num++] = (recent){ .deed = (uint16_t)deed, .states = (uint8_t)states };
}

/* What the linear predecessors did, the latest of each. `h->in` gets each deed once. */
static void
enter_block(struct hazards *h, hd_mach_block *block)
{
   const hd_mach_edges *edges = &block->edges[HD_MACH_LINEAR];

   h->block = block;
   h->start = h->now += 2 * MAX_STATES + 2;
   h->num_issued = 0;
   h->in.num = 0;
   for (uint32_t e = 0; e < edges->num_preds; e++) {
      const recents *out = &h->exits[edges->preds[e]->index].state;
      for (uint32_t n = 0; n < out->num; n++) {
         const unsigned deed = out->list[n].deed;
         if (h->done[deed] + MAX_STATES + 1 < h->start)
            push(h, &h->in, deed, 0);
         did(h, producer_of(deed), deed, h->start - 1 - out->list[n].states);
      }
   }
   for (uint32_t n = 0; n < h->in.num; n++)
      h->in.list[n].states = (uint8_t)(h->start - 1 - h->done[h->in.list[n].deed]);
}

static void
insert_nop(struct hazards *h, unsigned states, hd_mach_inst *before)
{
   hd_mach_inst *nop = hd_gcn_inst_create(h->p, HD_GCN_S_NOP, 0, 0);

   nop->imm = (int32_t)states - 1;
   nop->loc = before->loc;
   hd_mach_inst_insert_before(h->block, nop, before);
}

static void
run_block(struct hazards *h)
{
   struct deeds deeds;

   hd_mach_foreach_inst(inst, h->block)
   {
      const unsigned states = wait_states(inst), more = states ? missing(h, inst) : 0;
      if (!states)
         continue;
      if (more && h->insert)
         insert_nop(h, more, inst);
      h->now += more;
      find_deeds(inst, &deeds);
      for (unsigned n = 0; n < deeds.num; n++)
         did(h, deeds.list[n].producer, deeds.list[n].deed, h->now);
      h->issued[h->num_issued++ % MAX_STATES] = (struct issued){ inst, h->now };
      h->now += states;
   }
}

/* Add a deed to h->next, or make it younger. */
static void
leave(struct hazards *h, unsigned deed, uint64_t states)
{
   if (states >= MAX_STATES)
      return;
   if (!h->place[deed]) {
      push(h, &h->next, deed, states);
      h->place[deed] = h->next.num;
   } else if (states < h->next.list[h->place[deed] - 1].states) {
      h->next.list[h->place[deed] - 1].states = (uint8_t)states;
   }
}

/* Find h->next, the state at the block's end. */
static void
find_exit(struct hazards *h, const recents *before)
{
   const unsigned num = h->num_issued < MAX_STATES ? h->num_issued : MAX_STATES;
   struct deeds deeds;

   h->next.num = 0;
   for (uint32_t n = 0; n < h->in.num; n++)
      leave(h, h->in.list[n].deed, h->now - h->done[h->in.list[n].deed] - 1);
   for (unsigned n = 0; n < num; n++) {
      find_deeds(h->issued[n].inst, &deeds);
      for (unsigned d = 0; d < deeds.num; d++)
         leave(h, deeds.list[d].deed, h->now - h->done[deeds.list[d].deed] - 1);
   }
   for (uint32_t n = 0; before && n < before->num; n++)
      leave(h, before->list[n].deed, before->list[n].states);
}

/* True: the state at the block's end has changed. */
static bool
leave_block(struct hazards *h)
{
   struct exit *exit = &h->exits[h->block->index];
   const bool grows = exit->visits == MAX_VISITS;

   find_exit(h, grows ? &exit->state : NULL);
   exit->visits += !grows;
   bool same = exit->state.num == h->next.num;
   for (uint32_t n = 0; same && n < exit->state.num; n++) {
      const recent *old = &exit->state.list[n];
      same = h->place[old->deed] && h->next.list[h->place[old->deed] - 1].states == old->states;
   }
   for (uint32_t n = 0; n < h->next.num; n++)
      h->place[h->next.list[n].deed] = 0;
   if (same)
      return false;
   const recents old = exit->state;
   exit->state = h->next;
   h->next = old;
   return true;
}

bool
hd_gcn_hazards(hd_mach_program *p)
{
   struct hazards *h = hd_stack_alloc_zero(p->stack, sizeof(*h));
   hd_mach_block *block;

   h->p = p;
   for (unsigned n = 0; n < NUM_RULES; n++) {
      if (rules[n].gens & 1u << hd_gcn_target_in(p)->gen)
         h->rules[h->num_rules++] = rules[n];
   }
   h->exits = hd_stack_alloc_zero(p->stack, (p->num_blocks + 1) * sizeof(*h->exits));
   hd_mach_worklist_init(&h->worklist, p, false);
   hd_mach_foreach_block(first, p) hd_mach_worklist_add(&h->worklist, first);
   while ((block = hd_mach_worklist_take(&h->worklist))) {
      enter_block(h, block);
      run_block(h);
      if (!leave_block(h))
         continue;
      for (uint32_t n = 0; n < block->edges[HD_MACH_LINEAR].num_succs; n++)
         hd_mach_worklist_add(&h->worklist, block->edges[HD_MACH_LINEAR].succs[n]);
   }
   h->insert = true;
   hd_mach_foreach_block(last, p)
   {
      enter_block(h, last);
      run_block(h);
   }
   return true;
}
