/* SPDX-License-Identifier: MIT */
#include "uniform.h"

#include <stdio.h>
#include <stdlib.h>

static bool
branches(const hd_block *b)
{
   return b->num_succs > 1;
}

struct uniform
uniform_of(hd_function *f)
{
   struct uniform u = { .num_defs = f->num_defs, .num_blocks = f->num_blocks };

   if (hd_require(f, HD_META_BLOCK_ORDER | HD_META_DIVERGENCE) != HD_OK)
      abort();
   u.def = calloc(u.num_defs + 1, sizeof(*u.def));
   u.block = calloc(u.num_blocks + 1, sizeof(*u.block));
   hd_foreach_block(b, f) {
      if (!hd_block_is_reachable(b))
         continue;
      u.block[b->node.index] = branches(b) && !hd_block_is_divergent_branch(b);
      hd_foreach_instr(i, b) {
         if (hd_instr_def(i))
            u.def[i->def.index] = hd_def_is_uniform(&i->def);
      }
   }
   return u;
}

void
uniform_free(struct uniform *u)
{
   free(u->def);
   free(u->block);
}

const char *
uniform_lost(const struct uniform *before, hd_function *f)
{
   static char text[32];
   struct uniform after = uniform_of(f);

   text[0] = 0;
   hd_foreach_block(b, f) {
      uint32_t index = b->node.index;
      if (index < before->num_blocks && before->block[index] && branches(b) && !after.block[index])
         snprintf(text, sizeof(text), "b%u", index);
      hd_foreach_instr(i, b) {
         index = i->def.index;
         if (hd_instr_def(i) && index < before->num_defs && before->def[index] && !after.def[index])
            snprintf(text, sizeof(text), "%%%u", index);
      }
   }
   uniform_free(&after);
   return text[0] ? text : NULL;
}
