/* SPDX-License-Identifier: MIT */
/* vectorize.h - parts of opt_vectorize: pairs of 16-bit ops, and what they read. */
#ifndef HEDDLE_PASSES_VECTORIZE_H
#define HEDDLE_PASSES_VECTORIZE_H

#include "heddle/build.h"
#include "heddle/op_enum.h"
#include "heddle/ops.h"

/* What a scalar is a half of. */
typedef enum place_kind { OTHER, CONSTANT, UNDEFINED, HALF, PAIR } place_kind;

typedef struct place {
   uint32_t id;       /* of the scalar; of the vector; the number of the pair */
   uint16_t extended; /* by this op to 32 bits: HD_OP_U2U, HD_OP_I2I; 0: it is not */
   uint8_t kind;      /* enum place_kind */
   uint8_t at;        /* HALF: which dword of the vector */
   uint8_t lane;
} place;

/* How an op is packed. */
typedef enum packing {
   NOT_PACKED,
   IN_ANY_ORDER, /* operands may be halves in any order */
   IN_PLACE,     /* as an op on whole dwords */
} packing;

typedef struct pair {
   hd_instr *lane[2];
   hd_def *vector; /* once it is built */
   uint32_t group; /* a pair that reads it or that it reads, and so on to one that has itself */
   int gain; /* of a group, at the pair that has itself: ops saved, less those that take halves out */
   bool crossed; /* the first two operands of the upper half change places */
} pair;

struct vectorizer {
   hd_function *f;
   hd_builder b;
   uint32_t *pair_of; /* by def index: twice the number of the pair + 1, and the lane; 0: none */
   uint32_t *order;   /* by def index: where the walk found it; 0: not yet */
   hd_def **joined;   /* by def index: what is above it in a vector; when building: that vector */
   bool *apart;       /* by def index: a phi that is no pair with the next one */
   pair *pairs;
   uint32_t num_pairs, num_defs, at;
   bool is_building;
   bool skips_uniform; /* ops but those of floats, and phis */
   hd_instr **table;   /* ops without partner, by what they do */
   uint32_t mask;
   uint8_t packing[HD_NUM_OPS]; /* enum packing */
};

static inline bool
is_half(const hd_def *def)
{
   return def->bit_size == 16 && def->num_components == 1;
}

/* The op that extends a half to 32 bits, or 0. */
static inline unsigned
extends_half(const hd_instr *i)
{
   return i->kind == HD_INSTR_ALU && (i->op == HD_OP_U2U || i->op == HD_OP_I2I) &&
                  i->def.bit_size == 32 && is_half(hd_instr_src(i, 0)->def)
              ? i->op
              : 0;
}

static inline bool
are_together(place a, place b)
{
   return a.kind == b.kind && a.id == b.id && a.at == b.at && a.extended == b.extended;
}

/* Of which dword or pair the scalar is a half. */
place hd_place_of(const struct vectorizer *s, const hd_def *def);

/* The operands of both halves, in one order. */
void hd_align_operands(const struct vectorizer *s, const pair *p, place places[2][HD_MAX_OP_SRCS],
                       unsigned from[2][HD_MAX_OP_SRCS]);

/* Only pairs in groups that save more ops than they cost stay. */
void hd_drop_vain_pairs(struct vectorizer *s);

#endif
