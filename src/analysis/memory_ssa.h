/* SPDX-License-Identifier: MIT */
/* memory_ssa.h - memory value numbering (memory SSA): equal versions, equal contents.
 *
 * Memory is split into up to HD_NUM_PLACES places (alias classes): one for each memory class, one
 * for each buffer that is read with the promise that nothing aliases it (HD_ACCESS_RESTRICT), one
 * for each local variable. What exceeds that number shares places. Each place that is both read and
 * written has a version, which changes with each write and where different versions meet. If an
 * instruction that dominates another one sees the same version, no path from the first to the
 * second writes the place without passing the first again.
 *
 * Only the path of the lane itself counts: writes of lanes on other paths, if no barrier orders them,
 * are races.
 */
#ifndef HEDDLE_ANALYSIS_MEMORY_SSA_H
#define HEDDLE_ANALYSIS_MEMORY_SSA_H

#include "analysis/private.h"
#include "heddle/ops.h"

#define HD_NUM_PLACES  32u
#define HD_VARS_PLACE  11u /* after the classes: the variables that have none of their own */
#define HD_FIRST_PLACE (HD_VARS_PLACE + 1)

/* What a call may write, and what may be another's after a barrier: the other classes never change.
 */
#define HD_MEMORY_CHANGING                                                                         \
   ((uint32_t)HD_MEMORY_ALL &                                                                      \
    ~(uint32_t)(HD_MEMORY_PUSH | HD_MEMORY_KERNARG | HD_MEMORY_CONSTANT | HD_MEMORY_INPUT))

/* Memory that addresses, descriptors of buffers and images may all lead to, but for what is promised
 * not to alias.
 */
#define HD_MEMORY_EXTERNAL ((uint32_t)(HD_MEMORY_GLOBAL | HD_MEMORY_BUFFER | HD_MEMORY_IMAGE))

typedef struct hd_versions {
   hd_function *f;
   uint32_t num_places;
   const void *place[HD_NUM_PLACES]; /* a variable, or NULL: the binding of a buffer */
   uint64_t binding[HD_NUM_PLACES];
   uint32_t *var_place;              /* by index: the place, 0 for none */
   uint32_t read, written;           /* places that are; bits */
   uint32_t *at_head[HD_NUM_PLACES]; /* by block slot; NULL where not both read and written */
   /* By block slot: of blocks that come earlier in some order. NONE where nothing touches memory.
    */
   uint32_t *writes_before;
   uint64_t num_instrs, num_srcs; /* how much there is of all that can be reached */
} hd_versions;

/* Requires dominance and the block order. All is on the stack. Unreachable blocks have no versions.
 */
void hd_versions_compute(hd_versions *v, hd_function *f);

/* Places that an instruction reads, and that it may write. A call and a barrier may write all but
 * variables. Reading other lanes counts as reading which lanes there are.
 */
uint32_t hd_places_read(const hd_versions *v, const hd_instr *i);
uint32_t hd_places_written(const hd_versions *v, const hd_instr *i);
/* Of a load or a store of one class of memory: the place whose version changes with each write to
 * what it touches.
 */
unsigned hd_place_touched(const hd_versions *v, const hd_instr *i);

static inline bool
hd_may_touch_memory(const hd_instr *i)
{
   const uint32_t kinds = 1u << HD_INSTR_INTRINSIC | 1u << HD_INSTR_CALL | 1u << HD_INSTR_LOAD_VAR |
                          1u << HD_INSTR_STORE_VAR;

   return kinds >> i->kind & 1;
}

/* Is there anything in the block that may touch memory? */
static inline bool
hd_versions_touched(const hd_versions *v, const hd_block *b)
{
   return v->writes_before[block_slot(v->f, b)] != NONE;
}

/* The versions while one walks over the instructions of a block in which memory is touched. */
typedef struct hd_version_walk {
   const hd_versions *v;
   uint32_t num_writes;
   uint32_t current[HD_NUM_PLACES];
} hd_version_walk;

void hd_version_walk_begin(hd_version_walk *w, const hd_versions *v, const hd_block *b);
/* Step over an instruction that may touch memory. Others change nothing. */
void hd_version_walk_step(hd_version_walk *w, const hd_instr *i);

static inline uint32_t
hd_version_at_head(const hd_versions *v, unsigned place, const hd_block *b)
{
   return v->at_head[place] ? v->at_head[place][block_slot(v->f, b)] : 0;
}

/* The access index of an intrinsic, or 0. */
static inline uint32_t
hd_intrinsic_access(const hd_instr *i, const hd_intrinsic_info *info)
{
   unsigned at = info->slots[HD_INDEX_ACCESS];

   return at ? hd_intrinsic_indices((const hd_intrinsic *)i)[at - 1] : 0;
}

#endif
