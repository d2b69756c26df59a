/* SPDX-License-Identifier: MIT */
/* binary.h - the binary form of shaders, for files and caches; hashes of their meaning, and cache keys.
 *
 * doc/binary.md describes every byte. The same shader gives the same bytes on every host, however
 * it was made; reading and writing again gives the same bytes.
 */
#ifndef HEDDLE_BINARY_H
#define HEDDLE_BINARY_H

#include "heddle/ir.h"

HD_BEGIN_DECLS

/* The version that hd_write_binary writes and hd_read_binary reads. */
#define HD_BINARY_VERSION 4u

/* Append the binary form to a blob. The shader must be valid: one with extracted code, with phi
 * sources that were never set, that reads values which are not in the function, or with an
 * intrinsic that is registered nowhere, is refused with
 * HD_INVALID and a diagnostic. Nothing was appended unless the result is HD_OK.
 *
 * Names and locations are kept. What is not: the indices of values, blocks and variables, the order
 * of predecessors and of uses, locations and strings that nothing names, metadata.
 */
HD_API hd_result hd_write_binary(const hd_shader *shader, hd_blob *out);

/* Make the shader that bytes describe. `config` may be NULL; `file_name` is for diagnostics only
 * and may be NULL too. *out is written on HD_OK only.
 *
 * Nothing about the bytes is trusted. Whatever they are, the call takes time and memory linear in
 * their number, and what is made is sound: a tree or a flat list, edges, use lists and phis that
 * fit each other, ops that exist with as many operands as they take. It need not be valid: that
 * values dominate their uses, have the sizes that ops demand, that the call graph has no cycle and
 * all the rest is what hd_validate finds out.
 *
 * HD_INVALID: a diagnostic says at which byte, and what was expected. HD_UNSUPPORTED: the bytes are
 * as they were written, but by another version of the format, with ops that this library lacks, or
 * with intrinsics of a driver's own and another table of these than that of `config`.
 */
HD_API hd_result hd_read_binary(const hd_config *config, const char *file_name, const void *data,
                                size_t size, hd_shader **out);

/* Do the bytes begin as the binary form does? A text never does. */
HD_API bool hd_is_binary(const void *data, size_t size);

/* 128 bits that differ, for all practical purposes, between two inputs that differ. They are not a
 * defence against somebody who constructs two inputs with one hash.
 */
typedef struct hd_hash {
   uint8_t bytes[16];
} hd_hash;

/* The hash of what a shader means: of its binary form without names, locations and `lowered` (which
 * follows from the code). It is the same
 * for two shaders that print the same but for those, whatever indices they have and however they
 * were made; it is the same on every host and in every version with one HD_BINARY_VERSION.
 * Fails as hd_write_binary does; *out is written on HD_OK only.
 */
HD_API hd_result hd_shader_hash(const hd_shader *shader, hd_hash *out);

/* What a cache of compiled code is looked up by: the hash of the shader, the names that end up in
 * code objects (the shader's and its functions'), its `lowered`, which passes obey, the target,
 * every option that may change the code
 * (`options_size` bytes without padding in them; NULL when there are none), HD_BINARY_VERSION and
 * hd_build_id. Locations and the other names are left out, so code that carries debug information
 * needs a key of its own.
 */
HD_API hd_result hd_cache_key(const hd_shader *shader, const char *target, const void *options,
                              size_t options_size, hd_hash *out);

/* What tells this build of the library from others: a digest of its sources, in hexadecimal. Two
 * builds of the same sources have the same.
 */
HD_API const char *hd_build_id(void);

HD_END_DECLS

#endif
