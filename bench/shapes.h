/* SPDX-License-Identifier: MIT */
/* shapes.h - programs of any size in a few shapes, made through the public API.
 *
 * A shape is made twice from the same words: as a shader here, and from that shader as LLVM IR text
 * (llvm_text.h), so that both are one program.
 */
#ifndef BENCH_SHAPES_H
#define BENCH_SHAPES_H

#include <heddle/heddle.h>

typedef struct shape {
   const char *name;
   const char *what; /* what `size` counts */
   bool flat;
   /* Build the body of the function; `size` is about the number of instructions for the shapes of
    * the series, and the number in question for the extreme ones.
    */
   void (*build)(hd_builder *b, uint32_t size);
   uint32_t extreme; /* the size that must be within seconds; 0 for a shape of the series */
} shape;

extern const shape shapes[];
extern const unsigned num_shapes;

/* The shader, or NULL with the reason in *result. */
hd_shader *shape_build(const shape *s, const hd_config *config, uint32_t size, hd_result *result);

/* Number of instructions in all functions of a shader. */
uint64_t count_instrs(const hd_shader *shader);

#endif
