/* SPDX-License-Identifier: MIT */
/* samples.h - shaders made through the API, for tests that carry them from one form to another. */
#ifndef HEDDLE_TESTS_SAMPLES_H
#define HEDDLE_TESTS_SAMPLES_H

#include "heddle/ir.h"

/* A small shader in which every kind of instruction, node, declaration, name and property occurs.
 * NULL when memory runs out.
 */
hd_shader *sample_features(const hd_config *config);

/* A valid shader of one structured function, some `size` instructions long, that follows from the
 * seed alone: ifs, loops, breaks, continues, phis, constants, names and locations.
 */
hd_shader *sample_tree(const hd_config *config, uint64_t seed, unsigned size);

/* The same kind of thing as a flat function: any graph, with switches and phis that read values
 * which are defined later.
 */
hd_shader *sample_flat(const hd_config *config, uint64_t seed, unsigned num_blocks);

/* A valid shader with a call of `width` arguments, and a flat function with a switch of `width`
 * cases to as many blocks and a phi over them.
 */
hd_shader *sample_wide(const hd_config *config, unsigned width);

/* A valid structured function whose ifs and loops, taking turns, nest so deep. */
hd_shader *sample_deep(const hd_config *config, unsigned depth);

/* Give everything in a shader another history: other indices, predecessors in another order. What
 * it means and how it prints stays.
 */
void sample_scramble(hd_shader *shader, uint64_t seed);

/* A reproducible sequence; `state` is the seed. */
uint64_t sample_random(uint64_t *state);

#endif
