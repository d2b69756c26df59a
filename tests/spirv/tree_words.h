/* SPDX-License-Identifier: MIT */
/* tree_words.h - the trees of tests/gen/random_tree.h as SPIR-V: each if with its selection merge,
 * each loop with its merge block and its continue target.
 */
#ifndef TEST_SPIRV_TREE_WORDS_H
#define TEST_SPIRV_TREE_WORDS_H

#include <heddle/heddle.h>

typedef struct tree_words {
   uint32_t *words;
   size_t num, capacity;
} tree_words;

/* To be freed by free(words.words). Whatever such a tree can hold is known; else it asserts. */
tree_words tree_words_write(hd_shader *tree);

#endif
