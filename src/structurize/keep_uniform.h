/* SPDX-License-Identifier: MIT */
/* keep_uniform.h - keep values uniform that were uniform before control flow changed.
 */
#ifndef HEDDLE_STRUCTURIZE_KEEP_UNIFORM_H
#define HEDDLE_STRUCTURIZE_KEEP_UNIFORM_H

#include "ir/private.h"

/* What was uniform. Left out is what may be undefined in some lanes and not in others. */
typedef struct hd_uniforms {
   uint8_t *value;  /* by index of a value: 1 or 0 */
   uint8_t *branch; /* by index of a block: it ends in a uniform branch; NULL: none is asked for */
   /* By index of a value: where the lanes that it is uniform for run together, for what stands in a
    * block that others run, too; NULL: where it stands. And NULL instead of the array.
    */
   hd_block **at;
   /* By index of a value: it is not uniform any more, and is not what its lanes read there: that is
    * a phi of it. For whoever can read it before there is such a phi. NULL as `at` is.
    */
   uint8_t *unread;
   uint32_t num_unread;
   uint32_t num_values, num_blocks;
} hd_uniforms;

/* Of a function that has HD_META_DIVERGENCE; on its scratch stack. */
hd_uniforms hd_uniforms_find(hd_function *f);

/* Make uniform again what is not. `work` is valid; its values and blocks below the numbers of `u`
 * are those that `u` tells of, and run with the same lanes as before. Returns how many instructions
 * were added. To be called inside an unwinding point.
 */
uint32_t hd_keep_uniform(hd_function *work, hd_uniforms *u);

#endif
