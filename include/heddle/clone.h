/* SPDX-License-Identifier: MIT */
/* clone.h - copies of code, functions and shaders, and the map from old values to new ones. */
#ifndef HEDDLE_CLONE_H
#define HEDDLE_CLONE_H

#include "heddle/edit.h"

HD_BEGIN_DECLS

/* From the values and blocks of a function to those of a copy. Lookups take constant time. */
typedef struct hd_clone_map hd_clone_map;

/* NULL when memory runs out; the shader's status tells. Freed by hd_clone_map_destroy. */
HD_API hd_clone_map *hd_clone_map_create(hd_function *from);
HD_API void hd_clone_map_destroy(hd_clone_map *map);

/* What a value became, or the value itself when the map has no entry. */
HD_API hd_def *hd_clone_map_def(const hd_clone_map *map, hd_def *def);
HD_API hd_block *hd_clone_map_block(const hd_clone_map *map, hd_block *block);

/* Say beforehand what an outer value becomes: a copy's operand `from` will be `to`. False when
 * memory runs out.
 */
HD_API bool hd_clone_map_set_def(hd_clone_map *map, hd_def *from, hd_def *to);

/* Copy a list of a tree, leaving it as it is, into a range of the same function. Values defined
 * inside are copied, others looked up in the map. A break or continue out of the list goes to the
 * same loop and adds a source to its phis: the mapped source of the original. Phis at the head of
 * the list belong to what is around it and are not copied. `list` may be extracted itself.
 *
 * `map` may be NULL. Afterwards it has entries for all that was copied; a map may serve any number
 * of calls, each replacing the entries of what it copies. The others stay, so what they name must
 * exist. The range must be reinserted or deleted.
 */
HD_API bool hd_cf_clone(hd_cf_range *range, hd_cf_list *list, hd_clone_map *map);

/* Copy a list and put the copy in at a cursor that is not inside it. */
HD_API bool hd_cf_clone_and_reinsert(hd_cf_list *list, hd_cursor cursor, hd_clone_map *map);

/* A copy of a function, structured or flat, in `shader`, under a new name, which must not be taken.
 * Callees are looked up by name when `shader` is another one. NULL when memory runs out (the status
 * tells), a callee is missing (it does not), or it has an intrinsic of a driver's own (intrinsic.h)
 * and `shader` another table of these (a diagnostic goes to its sink); then nothing was made.
 * Names, locations and indices are those of the original, metadata is not copied. No code may be
 * extracted from it.
 */
HD_API hd_function *hd_function_clone(hd_shader *shader, const hd_function *f, const char *name);

/* A copy of everything but metadata, indices and the order of predecessors included, so that what
 * is done to the copy goes as it would with the original. `config` may be NULL: the shader's own.
 * *out is written on HD_OK only. No code may be extracted from any function. HD_INVALID: the shader has
 * an intrinsic that is registered nowhere, or one of a driver's own and `config` another table.
 */
HD_API hd_result hd_shader_clone(const hd_shader *shader, const hd_config *config, hd_shader **out);

HD_END_DECLS

#endif
