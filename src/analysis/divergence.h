/* SPDX-License-Identifier: MIT */
/* divergence.h - state of the divergence analysis, shared with its explanations.
 */
#ifndef HEDDLE_ANALYSIS_DIVERGENCE_H
#define HEDDLE_ANALYSIS_DIVERGENCE_H

#include "analysis/divergent_joins.h"
#include "heddle/ops.h"

/* Why a value differs between lanes. */
typedef enum divergence_cause {
   CAUSE_NONE, /* it does not */
   CAUSE_SOURCE,
   CAUSE_OPERAND, /* `by` is its number */
   CAUSE_EXIT,    /* so is it, and the operand comes from a cycle left in different sweeps */
   CAUSE_LATE,    /* likewise, from an earlier sweep of the cycle around both */
   CAUSE_JOIN,    /* a phi: lanes that diverged at `by`, a place, come by several edges together */
} divergence_cause;

typedef struct hd_divergence_run {
   hd_divergent_joins joins;
   uint8_t *cause;       /* by def index: divergence_cause */
   uint32_t *by;         /* by def index */
   hd_def **root;        /* by def index: the value that this one copies, see find_roots; itself */
   bool *can_join;       /* by def index: a phi that lanes can be given different values by, if they
                            part; those that were found to differ are still marked */
   uint8_t *branch;      /* by position: the block's branch is divergent */
   uint8_t *branch_why;  /* by position: CAUSE_OPERAND, CAUSE_EXIT or CAUSE_LATE */
   uint32_t *inner_left; /* by cycle: the innermost cycle around it, or itself, that lanes leave in
                            different sweeps; NONE */
   hd_def **work;        /* values that were found to be divergent */
   uint32_t num_work;
   hd_low_heap branches; /* those found and not yet followed, by turn */
   uint32_t *turn;       /* by position: inner cycles first, in each the later blocks first */
   uint32_t *of_turn;    /* the place */
   bool one_lane;        /* there is nothing to differ */
   bool same_params;
} hd_divergence_run;

/* Everything up to the fixpoint, on the scratch stack. */
void hd_divergence_compute(hd_divergence_run *r, hd_function *f, const hd_basis *basis);

/* Why what is read at this place differs between its lanes; CAUSE_NONE where it does not. A phi
 * reads when the lanes of its block are together.
 */
divergence_cause hd_divergence_of_src(const hd_divergence_run *r, const hd_def *def, uint32_t place,
                                      bool by_phi);

/* Whatever computes it, and whenever: it is the same. */
static inline bool
hd_never_changes(const hd_def *def)
{
   const hd_instr *i = hd_def_instr(def);

   if (i->kind != HD_INSTR_INTRINSIC)
      return i->kind == HD_INSTR_CONST || i->kind == HD_INSTR_UNDEF;
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(i);
   return !info->num_srcs && info->divergence == HD_DIVERGENCE_UNIFORM &&
          info->flags & HD_CAN_SPECULATE;
}

/* The value whose copy another one is: src/analysis/copy_roots.c. Fills r->root where there are phis:
 * only those ask.
 */
void hd_find_roots(hd_divergence_run *r);

#endif
