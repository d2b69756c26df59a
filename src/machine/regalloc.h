/* SPDX-License-Identifier: MIT */
/* regalloc.h - register allocation: state and interface of its files.
 *
 *    regalloc.c            blocks in code order; agreement along edges
 *    regalloc_inst.c       registers for the operands of one instruction
 *    regalloc_affinity.c   affinities: values that should share a register, or be adjacent
 *
 * Each live value has a home: one tuple of registers. Homes change only by a p_copy before an
 * instruction that needs the register (live-range splitting). The copy names the value as source
 * and as definition, so after allocation an operand is a value *and* a register, and one value may
 * be in different registers at different places.
 *
 * Moving a vector value moves it for the lanes of exec alone. That is enough: at the point of the
 * move the lanes of exec are those whose path leads through this block, and the other lanes, on
 * their own path, still have it where it was. Where two paths of the logical graph meet, homes may
 * differ by the edge; a p_phi of the value with itself repairs that, with each predecessor's own
 * lanes. So vector registers are assigned as if the logical graph were the graph of a scalar
 * machine, and this holds lane by lane. What must not be is a move after the exec mask was changed
 * for a successor: so vector moves stand before hd_mach_block.tail.
 */
#ifndef HEDDLE_MACHINE_REGALLOC_H
#define HEDDLE_MACHINE_REGALLOC_H

#include "machine/liveness.h"
#include "machine/register_set.h"

/* hd_mach_inst.bits of a p_copy that assignment has put in. */
#define HD_MACH_MOVES_HOMES 1u

typedef struct hd_mach_ra_move {
   uint32_t temp;
   uint16_t from, to;
   bool home; /* its home changes; else the instruction needs a second one of it */
} hd_mach_ra_move;

/* A web: values with the distances that their registers should have. */
typedef struct hd_mach_affinity {
   uint32_t parent;        /* temp; a root is its own */
   int16_t offset;         /* of its register from that of the parent */
   int16_t low, end;       /* root: what the web spans, from its own register */
   uint8_t align, residue; /* root: what its own register must be */
   uint16_t reg;           /* root: where it should be; HD_MACH_NO_REG: not decided */
   uint16_t wished;   /* root: what is wished for it in `block` begins here, or HD_MACH_NO_REG */
   uint32_t block;    /* root: 1 + the index of the block that the walk has come to last */
   uint32_t last_def; /* root: the last value of it that `block` defines */
   uint32_t phis_of;  /* root: a number of the block that one of it is a phi of, or 0 */
   int16_t phi_at;    /* root: where that phi is, from its own register */
} hd_mach_affinity;

typedef struct hd_mach_allocator {
   hd_mach_program *p;
   hd_mach_live live;
   uint16_t first[HD_MACH_MAX_FILES], end[HD_MACH_MAX_FILES]; /* registers that may be assigned */
   uint16_t *where;                   /* by temp: its home at the point of the walk */
   uint32_t holder[HD_MACH_MAX_REGS]; /* by register: whose home it is; 0: free */
   hd_mach_regset taken;              /* registers that are a home */
   hd_mach_regset wished;  /* of webs whose values come later in the block, and of phis after */
   hd_mach_regset by_phis; /* of these alone */
   hd_mach_affinity *webs; /* by temp */
   bool *likes_preferred;  /* by temp */
   uint32_t *last_read;    /* by temp: where in `last_block`, for likes_preferred */
   hd_mach_block **last_block;
   /* By flow and block: homes of the live-in values, in the order of live.in; NULL: not decided. */
   uint16_t **in_regs[HD_MACH_NUM_EDGE_KINDS];
   /* By flow and block and predecessor: homes at its end of what is live into the block. */
   uint16_t ***edge_regs[HD_MACH_NUM_EDGE_KINDS];
   /* By flow and block and successor: the number of that edge among its predecessors. */
   uint32_t **pred_index[HD_MACH_NUM_EDGE_KINDS];
   hd_mach_regset *at_end;      /* by block: what is taken there */
   bool careful;                /* passive blocks find what they need in one piece */
   hd_mach_inst *short_of_room; /* for a diagnostic */
   hd_mach_ra_move *moves;      /* before the instruction of the moment */
   uint32_t num_moves, move_capacity;
} hd_mach_allocator;

static inline unsigned
hd_mach_temp_file(const hd_mach_allocator *a, uint32_t temp)
{
   return (unsigned)a->p->temps[temp].file;
}

/* regalloc.c */
void hd_mach_ra_take(hd_mach_allocator *a, uint32_t temp, unsigned reg);
void hd_mach_ra_release(hd_mach_allocator *a, uint32_t temp);

/* regalloc_affinity.c */
void hd_mach_affinity_make(hd_mach_allocator *a);
/* Before the walk of a block: values that a compare or a carry makes, and that are read soon, are cheaper in
 * the preferred register; of each web, the last value that the block defines.
 */
void hd_mach_affinity_look_at(hd_mach_allocator *a, hd_mach_block *block);
/* Where the value would like to be: a register such that all of it is outside of `taken`, or
 * HD_MACH_NO_REG.
 */
unsigned hd_mach_affinity_preferred(hd_mach_allocator *a, uint32_t temp,
                                    const hd_mach_regset *taken);
/* Where the web of the value is; HD_MACH_NO_REG: that is not decided. */
unsigned hd_mach_affinity_place(hd_mach_allocator *a, uint32_t temp);
/* It was given this home. The first home decides for the web, unless one `insists`. */
void hd_mach_affinity_settle(hd_mach_allocator *a, uint32_t temp, unsigned reg, bool insists);

/* regalloc_inst.c: false if there is no room. */
bool hd_mach_ra_inst(hd_mach_allocator *a, hd_mach_block *block, hd_mach_inst *inst);
/* No value stays in the flag when control leaves a block: what lives there moves to a register, before
 * the instruction or at the end.
 */
bool hd_mach_ra_leave_flag(hd_mach_allocator *a, hd_mach_block *block, hd_mach_inst *before);
/* Vector values move to these homes, and others out of their way, before the instruction. */
bool hd_mach_ra_bring_home(hd_mach_allocator *a, hd_mach_block *block, hd_mach_inst *before,
                           const hd_mach_live_in *values, const uint16_t *homes);
/* Those of the values move together, before those of all others. */
bool hd_mach_ra_pack_home(hd_mach_allocator *a, hd_mach_block *block, hd_mach_inst *before,
                          const hd_mach_live_in *values);
/* A free place for a value outside of `taken`: with its affinity, else anywhere; or HD_MACH_NO_REG. */
unsigned hd_mach_ra_find_place(hd_mach_allocator *a, uint32_t temp, const hd_mach_regset *taken);
/* Move homes of the file together, to its low end; those in `last` (may be NULL) after the others.
 * Only `holder`, `where` and `taken` change. False: they do not fit.
 */
bool hd_mach_ra_pack(hd_mach_allocator *a, unsigned file, const hd_mach_regset *last);

#endif
