/* SPDX-License-Identifier: MIT */
/* edit.c - change a function: fold an if on a constant, without a trace of it left.
 *
 *    if true { A } else { B }  C     =>     A  C
 */
#include <stdio.h>

#include "heddle/heddle.h"

/* The arm that runs, or NULL if the condition is not a constant. */
static hd_cf_list *
taken_arm(hd_if *nif)
{
   const hd_const *c = hd_src_as_const(&nif->cond);

   if (!c)
      return NULL;
   return c->value[0].b ? &nif->then_list : &nif->else_list;
}

/* False when memory ran out: then the shader's status tells, and this if is as it was. */
static bool
fold_if(hd_if *nif)
{
   hd_cf_list *arm = taken_arm(nif);
   hd_cf_range body;

   if (!arm || hd_block_jump(hd_list_last_block(arm)))
      return true;

   /* The phis first: they name the edge from the arm's last block, which moves. */
   hd_block *last = hd_list_last_block(arm);
   hd_foreach_phi_safe(phi, hd_node_next_block(&nif->node)) {
      hd_def_replace_uses(&phi->instr.def, hd_phi_src_from(phi, last)->def);
      hd_instr_remove(&phi->instr);
   }
   return hd_cf_extract_list(&body, arm) && hd_cf_reinsert(&body, hd_before_node(&nif->node)) &&
          hd_node_remove(&nif->node);
}

/* Constants and arithmetic that nothing reads any more. */
static void
remove_unused(hd_function *f)
{
   hd_foreach_block_rev(b, f) {
      hd_foreach_instr_rev_safe(i, b) {
         bool pure = i->kind == HD_INSTR_ALU || i->kind == HD_INSTR_CONST;
         if (pure && hd_def_is_unused(&i->def))
            hd_instr_remove(i);
      }
   }
}

int
main(void)
{
   hd_builder b = hd_builder_create(NULL, HD_STAGE_COMPUTE, "edit");
   hd_def *lane = hd_global_invocation_index(&b);
   hd_push_if(&b, hd_imm_bool(&b, true));
   {
      hd_push_if(&b, hd_ult(&b, lane, hd_imm_u32(&b, 8)));
      hd_store_shared(&b, lane, hd_imm_u32(&b, 0), 0, 4, 0, 0);
      hd_pop_if(&b);
   }
   hd_def *twice = hd_iadd(&b, lane, lane);
   hd_push_else(&b);
   hd_def *square = hd_imul(&b, lane, lane);
   hd_pop_if(&b);
   hd_def *offset = hd_imm_u32(&b, 4);
   hd_store_shared(&b, hd_if_phi(&b, twice, square), offset, 0, 4, 0, 0);
   b.shader->shared_size = 8;

   hd_shader *shader;
   if (hd_builder_finish(&b, &shader) != HD_OK)
      return 1;
   hd_function *f = shader->first_function;
   bool ok = true;
   hd_foreach_inner_first_safe(node, f) {
      if (node->kind == HD_CF_IF)
         ok = ok && fold_if(hd_node_as_if(node));
   }
   remove_unused(f);

   hd_blob text;
   hd_blob_init(&text, NULL);
   ok = ok && hd_validate(shader, NULL) == HD_OK && hd_print_shader(shader, NULL, &text) == HD_OK;
   if (ok)
      fputs(text.data, stdout);
   hd_blob_finish(&text);
   hd_shader_destroy(shader);
   return !ok;
}
