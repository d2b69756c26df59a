/* SPDX-License-Identifier: MIT */
/* pass.c - a pass of one's own beside those of the library: x * 2 becomes x + x.
 *
 * A pass that is not in the library's table is an hd_pass of the program. The runner treats both
 * alike: it validates before and after, compares metadata, and names the pass that was wrong.
 */
#include <stdio.h>

#include "heddle/heddle.h"

static bool
is_two(const hd_src *src)
{
   const hd_const *c = hd_src_as_const(src);

   return c && c->instr.def.num_components == 1 && c->instr.def.bit_size == 32 &&
          c->value[0].u32 == 2;
}

/* Inside a pass nothing fails visibly: running out of memory goes straight to the runner. */
static bool
double_by_adding(hd_function *f, const hd_pass_step *step)
{
   bool progress = false;

   (void)step;
   hd_foreach_block(block, f) {
      hd_foreach_instr_safe(i, block) {
         if (i->kind != HD_INSTR_ALU || i->op != HD_OP_IMUL || !is_two(&((hd_alu *)i)->src[1]))
            continue;
         hd_builder b = hd_builder_at(hd_before_instr(i));
         hd_def *x = ((hd_alu *)i)->src[0].def;
         hd_def_replace_uses(&i->def, hd_iadd(&b, x, x));
         hd_instr_remove(i);
         progress = true;
      }
   }
   /* No block came or went: what is known of the graph stays. */
   return hd_progress(f, progress, HD_META_GRAPH);
}

/* What the runner catches: an instruction is taken out while its result is still read. */
static bool
wrong(hd_function *f, const hd_pass_step *step)
{
   (void)step;
   hd_foreach_block(block, f) {
      hd_foreach_instr_safe(i, block) {
         if (i->kind != HD_INSTR_ALU || i->op != HD_OP_IMUL)
            continue;
         hd_instr_extract(i);
         return hd_progress(f, true, HD_META_GRAPH);
      }
   }
   return false;
}

static const hd_pass passes[] = {
   { .name = "double_by_adding",
     .meaning = "write x * 2 as x + x",
     .preserves_meta = HD_META_GRAPH,
     .forms = HD_PASS_TREE | HD_PASS_FLAT,
     .run = double_by_adding },
   { .name = "wrong",
     .meaning = "break the shader",
     .preserves_meta = HD_META_GRAPH,
     .forms = HD_PASS_TREE | HD_PASS_FLAT,
     .run = wrong },
};

static hd_result
make(hd_shader **shader)
{
   const hd_config config = { .diag = hd_diag_to_file(stdout) };
   hd_builder b = hd_builder_create(&config, HD_STAGE_COMPUTE, "pass");
   hd_def *lane = hd_local_invocation_index(&b);

   hd_def *offset = hd_imm_u32(&b, 0);
   hd_store_shared(&b, hd_imul(&b, lane, hd_imm_u32(&b, 2)), offset, 0, 4, 0, 0);
   b.shader->shared_size = 4;
   return hd_builder_finish(&b, shader);
}

/* Ours, then one of theirs. */
static hd_result
run(hd_shader *shader, const hd_pass *own)
{
   const hd_pass_step steps[] = { hd_pass_step_default(own),
                                  hd_pass_step_default(hd_pass_find("opt_dce")) };
   const hd_run_options options = HD_RUN_CHECK_ALL;
   bool progress = false;
   const hd_result result = hd_run_passes(shader, steps, 2, &options, &progress);

   printf("%s: %s, %s\n", own->name, hd_result_name(result),
          progress ? "progress" : "nothing to do");
   return result;
}

int
main(void)
{
   for (unsigned n = 0; n < sizeof(passes) / sizeof(passes[0]); n++) {
      hd_blob text = { 0 };
      hd_shader *shader;
      if (make(&shader) != HD_OK)
         return 1;
      if (run(shader, &passes[n]) == HD_OK && hd_print_shader(shader, NULL, &text) == HD_OK)
         fputs(text.data, stdout);
      hd_blob_finish(&text);
      hd_shader_destroy(shader);
   }
   return 0;
}
