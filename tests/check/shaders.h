/* SPDX-License-Identifier: MIT */
/* shaders.h - the valid shader that tests break, with names for its parts. */
#ifndef TESTS_CHECK_SHADERS_H
#define TESTS_CHECK_SHADERS_H

#include "heddle/edit.h"
#include "heddle/ops.h"
#include "ir/private.h"

/* One shader of three functions:
 *
 *    @main, structured, without result:          @graph, flat:
 *
 *       start                                       start: goto_if entry, exit
 *       if flag { then } else { other }             entry: goto head
 *       after: phi                                  head: declared header, goto_if left, right
 *       loop {                                      left: goto latch
 *          header: phi                              right: in head, switch latch, out, latch
 *          if done { breaks } else { goes_on }      latch: continues head, goto head
 *          middle                                   out: in head, goto exit
 *          if skip { skips } else { stays }         exit: phi, return
 *          body_end
 *       } continue {                             @helper(a, b) -> 32, structured: returns a + b
 *          next: phi
 *       }
 *       last: phi
 */
typedef struct sample {
   hd_shader *shader;

   hd_function *main;
   hd_block *start, *then, *other, *after, *header, *breaks, *goes_on, *middle, *skips, *stays,
       *body_end, *next, *last;
   hd_if *if_flag, *if_done, *if_skip;
   hd_loop *loop;
   hd_phi *after_phi, *header_phi, *next_phi, *last_phi;
   hd_def *flag, *index, *one, *wide, *pair, *product, *sum, *address, *loaded, *voted;
   hd_intrinsic *load, *store, *broadcast, *reduce, *image;
   hd_var *counter, *table;
   hd_var_access *load_counter, *store_table;
   hd_call *call;

   hd_function *graph;
   hd_block *g_start, *g_entry, *g_head, *g_left, *g_right, *g_latch, *g_out, *g_exit;
   hd_def *g_flag, *g_index, *g_one;
   hd_phi *g_phi;

   hd_function *helper;
   hd_def *a, *b, *h_sum;
} sample;

/* `config` may be NULL. */
sample sample_create(const hd_config *config);

/* Instructions of inferred types, inserted. */
hd_def *make_alu(hd_cursor at, hd_shader *s, hd_op op, unsigned num_srcs, hd_def *const *srcs,
                 unsigned bits);
hd_def *make_const(hd_cursor at, hd_shader *s, unsigned bits, uint64_t value);
/* `bits` 0: what is inferred; `indices` NULL: the defaults. */
hd_intrinsic *make_intrinsic(hd_cursor at, hd_shader *s, hd_intrinsic_id id, unsigned bits,
                             hd_def *const *srcs, const uint32_t *indices);

#endif
