/* SPDX-License-Identifier: MIT */
/* motion.h - check code motion: compare a shader before and after any transformation, by the library or
 * not, and report instructions that were moved or merged illegally.
 *
 * The rules are those of hd_may_move and hd_may_merge (analysis.h), for each instruction that reads
 * other lanes, needs a uniform operand, or reads memory. Places, paths and lanes are those of the
 * shader before.
 *
 * Matching:
 *
 *   1. Functions of one name.
 *   2. Blocks of one name; the start blocks; unnamed blocks at the same place of the text, if the
 *      two functions have the same graph; else unnamed blocks that begin with a phi of one name.
 *   3. Values of one name. Unnamed ones that do the same on operands that correspond: the first of
 *      the one function with the first of the other in the order of the text, and so on; and so for
 *      instructions without result.
 *   4. A removed instruction was merged into the one that its users read now, if that does the same.
 *      A new instruction that does what removed ones did was merged from them.
 *
 * An instruction without a match is counted and not checked. Like hd_may_move, the check is
 * conservative: it can report legal motion; what it checks and does not report is legal.
 */
#ifndef HEDDLE_MOTION_H
#define HEDDLE_MOTION_H

#include "heddle/analysis.h"

HD_BEGIN_DECLS

/* What makes a value differ between lanes: a source of divergence, or a branch at which lanes diverge.
 * The other one is NULL.
 */
typedef struct hd_motion_token {
   const hd_def *source;
   const hd_block *branch;
} hd_motion_token;

typedef struct hd_motion_fault {
   const hd_instr *was;     /* in the shader before */
   const hd_instr *is;      /* in the shader after: the same one, or what took its place */
   bool merged;             /* the latter */
   const hd_block *place;   /* of the shader before: where `is` would stand there */
   hd_motion_reason reason; /* in the shader before */
   const hd_src *operand;   /* of `is`: the one that must be uniform, or NULL */
   /* In the shader after: what makes the operand differ there and did not before. For
    * HD_MOTION_LANES without an operand, in the shader before: the branch by which other lanes
    * come, and what makes its condition differ. Valid during the call.
    */
   const hd_motion_token *tokens;
   uint32_t num_tokens;
} hd_motion_fault;

typedef struct hd_motion_count {
   uint32_t kept, moved, merged; /* checked, the illegal ones included */
   uint32_t illegal;
   uint32_t unordered; /* of these: of which it is not known what lies between the two places */
   uint32_t unknown;   /* corresponds to nothing, or stands where nothing corresponds */
} hd_motion_count;

/* Compare the functions of two shaders, which are different objects. `report` hears each fault, in
 * the order of the text; it and `count` may be NULL. HD_INVALID: there was one. Analyses are
 * computed where they are missing; nothing else changes. The shaders must be valid.
 */
HD_API hd_result hd_check_motion(hd_shader *before, hd_shader *after, void *user,
                                 void (*report)(void *user, const hd_motion_fault *fault),
                                 hd_motion_count *count);

HD_END_DECLS

#endif
