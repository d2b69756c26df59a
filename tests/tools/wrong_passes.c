/* SPDX-License-Identifier: MIT */
/* wrong_passes.c - passes that go wrong, for tests of who looks for such passes. Loaded before
 * libheddle, it stands in for the call that looks up a pass.
 *
 *    opt_wrong_meaning   swaps the operands of each isub
 *    opt_wrong_vectors   reads the component before the one that is asked for
 *    opt_wrong_rules     moves a definition behind its uses
 *    opt_wrong_crash     aborts where there is an imul
 *    opt_wrong_hang      never ends where there is an imul
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/op_enum.h"
#include "heddle/pass.h"

static bool
swap(hd_function *f, const hd_pass_step *step)
{
   bool progress = false;

   (void)step;
   hd_foreach_block(b, f) {
      hd_foreach_instr(i, b) {
         if (i->kind != HD_INSTR_ALU || i->op != HD_OP_ISUB)
            continue;
         hd_def *x = hd_instr_src(i, 0)->def, *y = hd_instr_src(i, 1)->def;
         hd_src_set_def(hd_instr_src(i, 0), y);
         hd_src_set_def(hd_instr_src(i, 1), x);
         progress = true;
      }
   }
   return hd_progress(f, progress, HD_META_GRAPH);
}

static bool
misread(hd_function *f, const hd_pass_step *step)
{
   bool progress = false;

   (void)step;
   hd_foreach_block(b, f) {
      hd_foreach_instr(i, b) {
         const bool reads = i->kind == HD_INSTR_ALU && i->op == HD_OP_CHANNEL;
         const hd_const *c = reads ? hd_src_as_const(hd_instr_src(i, 1)) : NULL;
         if (!c || !c->value[0].u32)
            continue;
         const hd_const_value before = { .u64 = c->value[0].u32 - 1 };
         hd_const *index = hd_const_create(f->shader, 1, 32, &before);
         hd_instr_insert(hd_before_instr(i), &index->instr);
         hd_src_set_def(hd_instr_src(i, 1), &index->instr.def);
         progress = true;
      }
   }
   return hd_progress(f, progress, HD_META_GRAPH);
}

static bool
misplace(hd_function *f, const hd_pass_step *step)
{
   (void)step;
   hd_foreach_instr(i, hd_function_start(f)) {
      if (i->kind == HD_INSTR_ALU && i->def.uses) {
         hd_instr_move(hd_before_jump(hd_list_last_block(&f->body)), i);
         return hd_progress(f, true, HD_META_GRAPH);
      }
   }
   return false;
}

static bool
has_imul(const hd_function *f)
{
   hd_foreach_block(b, f) {
      hd_foreach_instr(i, b) {
         if (i->kind == HD_INSTR_ALU && i->op == HD_OP_IMUL)
            return true;
      }
   }
   return false;
}

static bool
crash(hd_function *f, const hd_pass_step *step)
{
   (void)step;
   if (has_imul(f))
      abort();
   return false;
}

static bool
hang(hd_function *f, const hd_pass_step *step)
{
   (void)step;
   for (volatile bool forever = has_imul(f); forever;)
      ;
   return false;
}

#define ROW(name_, run_)                                                                           \
   {                                                                                               \
      .name = name_, .meaning = "go wrong", .forms = HD_PASS_TREE | HD_PASS_FLAT, .run = run_      \
   }

HD_API const hd_pass *
hd_pass_find(const char *name)
{
   static const hd_pass rows[] = {
      ROW("opt_wrong_meaning", swap),   ROW("opt_wrong_vectors", misread),
      ROW("opt_wrong_rules", misplace), ROW("opt_wrong_crash", crash),
      ROW("opt_wrong_hang", hang),
   };
   const hd_pass *(*real)(const char *name);

   for (unsigned n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
      if (!strcmp(rows[n].name, name))
         return &rows[n];
   }
   *(void **)&real = dlsym(RTLD_NEXT, "hd_pass_find");
   return real ? real(name) : NULL;
}
