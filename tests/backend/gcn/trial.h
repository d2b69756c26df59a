/* SPDX-License-Identifier: MIT */
/* trial.h - a shader as text, compiled and run in the simulator, must do what the interpreter says.
 * A semicolon ends a line.
 */
#ifndef TESTS_BACKEND_GCN_TRIAL_H
#define TESTS_BACKEND_GCN_TRIAL_H

#include "heddle/base.h"
#include "heddle/gcn.h"

/* Text that grows. */
typedef hd_blob text;

void say(text *t, const char *format, ...) HD_PRINTF(2, 3);
/* The text, ended; the next `say` begins a new one. */
const char *said(text *t);

typedef struct trial_options {
   hd_gcn_options compile; /* target and abi are set */
   uint64_t seed;
   uint32_t first_launch, num_launches; /* as in hd_diff_test_options */
} trial_options;

/* Compile for the generation and compare; on a difference the test fails with the shader, what was
 * made of it, and what differs. `options` may be NULL.
 */
void must_do_the_same(const char *shader, hd_gcn_gen gen, const trial_options *options);
/* The same on all generations. */
void must_do_the_same_everywhere(const char *shader, const trial_options *options);

/* Compiling must be refused, with a message that has all of `words` (separated by |) in it.
 * `driver` may be NULL: then for HSA.
 */
void must_be_refused(const char *shader, hd_gcn_gen gen, const hd_gcn_driver_abi *driver,
                     const char *words);

/* What it becomes, to be destroyed. `driver` as above. */
hd_gcn_binary *must_compile(const char *shader, hd_gcn_gen gen, const hd_gcn_driver_abi *driver);

/* How many instructions of this name (as gfx9 calls them, a prefix if it ends in *) the shader
 * becomes for a driver that gives all it asks for.
 */
int count_of(const char *shader, hd_gcn_gen gen, const char *name);
/* The same for this driver, or for HSA. It must not be refused. */
int count_with(const char *shader, hd_gcn_gen gen, const hd_gcn_driver_abi *driver,
               const char *name);

#endif
