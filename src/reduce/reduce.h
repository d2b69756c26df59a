/* SPDX-License-Identifier: MIT */
/* reduce.h - test-case reduction: the kinds of reductions of a shader.
 *
 *    reduce.c   the search: which parts are tried, in which order
 *    tree.c     ifs, loops, jumps of trees
 *    flat.c     edges, blocks and declarations of flat functions
 *    values.c   instructions and their operands, constants
 *    vectors.c  components
 *    rest.c     functions, variables, flags, names, properties
 *
 * A kind lists its sites in a shader, in the order of the text, and takes away one of them. A site
 * that is taken away is no site any more, so that a kind can be tried until nothing is left of it.
 * Sites are taken away from the last to the first: what is inside something, or comes after it,
 * goes before it. Where a site's instruction or block has gone with another one, taking it away
 * must not look at it, so a kind does not remove what another of its sites stands for, but in this
 * order.
 */
#ifndef HEDDLE_REDUCE_PRIVATE_H
#define HEDDLE_REDUCE_PRIVATE_H

#include "heddle/edit.h"
#include "heddle/reduce.h"

typedef struct site {
   void *object;    /* of the kind: hd_function, hd_instr, hd_block, hd_cf_node, ... */
   uint32_t choice; /* what is put in its place, or which part of it */
   hd_function *f;  /* NULL where the kind needs none */
} site;

typedef struct sites {
   hd_blob blob; /* of struct site */
} sites;

void hd_reduce_add_site(sites *list, hd_function *f, void *object, uint32_t choice);

typedef struct kind {
   const char *name;
   void (*list)(sites *list, hd_shader *shader);
   /* False: it could not be done, and nothing has changed. */
   bool (*take_away)(const site *s, hd_shader *shader);
   bool again; /* a site that stays one has become smaller: try it until it does not */
} kind;

extern const kind hd_reduce_tree_kinds[], hd_reduce_flat_kinds[], hd_reduce_value_kinds[],
    hd_reduce_vector_kinds[], hd_reduce_rest_kinds[];
extern const unsigned hd_reduce_num_tree_kinds, hd_reduce_num_flat_kinds, hd_reduce_num_value_kinds,
    hd_reduce_num_vector_kinds, hd_reduce_num_rest_kinds;

/* A constant of all zeros (or ones, of one bit) at the beginning of the function; found there if it
 * is there already. NULL when memory runs out.
 */
hd_def *hd_reduce_constant_at_start(hd_function *f, unsigned num_components, unsigned bit_size,
                                    bool ones);

/* Let all uses read zeros. */
bool hd_reduce_replace_by_zero(hd_function *f, hd_def *def);

#endif
