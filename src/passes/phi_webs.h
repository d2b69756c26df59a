/* SPDX-License-Identifier: MIT */
/* phi_webs.h - phi webs: coalescing for SSA destruction with few copies. */
#ifndef HEDDLE_PASSES_PHI_WEBS_H
#define HEDDLE_PASSES_PHI_WEBS_H

#include "heddle/analysis.h"

/* A part of the function in which a value is live: places of a line along the sweep order, from
 * `begin` up to `end`.
 */
struct segment {
   uint32_t begin, end;
   struct segment *next;         /* of the same web */
   struct segment *left, *right; /* in the tree of the web */
};

/* Values no two of which are live at one place, so that one variable or register does for all. */
struct web {
   struct web *parent; /* another web that it is part of now; NULL: none */
   struct segment *segments, **end;
   struct segment *tree;
   uint32_t num_segments;
   bool known;  /* where it is live was found; else it stays alone */
   hd_var *var; /* the caller's */
};

/* What each value is part of. */
struct webs {
   hd_function *f;
   struct web **of;      /* by def index; NULL: neither a phi nor the source of one */
   uint32_t num_defs;    /* below this */
   uint32_t *line_begin; /* by block index: its first place on the line */
   uint32_t *line_end;
};

/* Webs of phis and their sources, joined where they can be: where that saves a copy in the most
 * loops first. Constants and undefs are in none; nor are phis and sources in unreachable blocks.
 *
 * Two values live at one place are taken to be different, even if one is a copy of the other. Where
 * a value is live is found block by block; what is live in many blocks, when all values together
 * have been found live in a multiple of the size of the function, stays alone.
 *
 * Requires HD_META_BLOCK_ORDER, HD_META_DOMINANCE and HD_META_CYCLES. Time is n log n.
 */
void hd_phi_webs_find(struct webs *webs, hd_function *f);

/* The web that it is part of now. */
struct web *hd_phi_web_of(const struct webs *webs, const hd_def *def);

/* Is a value of the web live at the end of the block? */
bool hd_phi_web_is_live_at_end(const struct webs *webs, const struct web *web, const hd_block *b);

#endif
