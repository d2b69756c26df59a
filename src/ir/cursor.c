/* SPDX-License-Identifier: MIT */
/* cursor.c - cursors: insertion points. */
#include "ir/private.h"

hd_cursor
hd_before_block(hd_block *block)
{
   return (hd_cursor){ .option = HD_CURSOR_BEFORE_BLOCK, .block = block };
}

hd_cursor
hd_after_block(hd_block *block)
{
   return (hd_cursor){ .option = HD_CURSOR_AFTER_BLOCK, .block = block };
}

hd_cursor
hd_before_instr(hd_instr *instr)
{
   return (hd_cursor){ .option = HD_CURSOR_BEFORE_INSTR, .instr = instr };
}

hd_cursor
hd_after_instr(hd_instr *instr)
{
   return (hd_cursor){ .option = HD_CURSOR_AFTER_INSTR, .instr = instr };
}

hd_cursor
hd_after_phis(hd_block *block)
{
   return hd_before_block(block);
}

hd_cursor
hd_before_jump(hd_block *block)
{
   hd_jump *jump = hd_block_jump(block);

   return jump ? hd_before_instr(&jump->instr) : hd_after_block(block);
}

hd_cursor
hd_before_node(hd_cf_node *node)
{
   hd_block *block = hd_node_as_block(node);

   return block ? hd_before_block(block) : hd_after_block(hd_node_prev_block(node));
}

hd_cursor
hd_after_node(hd_cf_node *node)
{
   hd_block *block = hd_node_as_block(node);

   return block ? hd_after_block(block) : hd_before_block(hd_node_next_block(node));
}

hd_cursor
hd_list_start(hd_cf_list *list)
{
   return hd_before_block(hd_list_first_block(list));
}

hd_cursor
hd_list_end(hd_cf_list *list)
{
   return hd_after_block(hd_list_last_block(list));
}

hd_cursor
hd_before_use(hd_src *src)
{
   hd_instr *instr = hd_src_instr(src);

   if (!instr)
      return hd_after_block(hd_node_prev_block(&hd_src_if(src)->node));
   if (instr->kind != HD_INSTR_PHI)
      return hd_before_instr(instr);
   size_t n = (size_t)((hd_wide_src *)src - ((hd_phi *)instr)->srcs);
   return hd_before_jump(instr->block->preds[n].from);
}

hd_block *
hd_cursor_block(hd_cursor cursor)
{
   return cursor.option == HD_CURSOR_BEFORE_BLOCK || cursor.option == HD_CURSOR_AFTER_BLOCK
              ? cursor.block
              : cursor.instr->block;
}

static bool
is_head(const hd_instr *i)
{
   return i->kind == HD_INSTR_PHI || i->kind == HD_INSTR_PARAM;
}

hd_instr *
hd_cursor_instr(hd_cursor c)
{
   switch (c.option) {
   case HD_CURSOR_BEFORE_BLOCK:
      return hd_block_first_non_phi(c.block);
   case HD_CURSOR_AFTER_BLOCK: {
      hd_jump *jump = hd_block_jump(c.block);
      return jump ? &jump->instr : NULL;
   }
   case HD_CURSOR_BEFORE_INSTR:
      return is_head(c.instr) ? hd_block_first_non_phi(c.instr->block) : c.instr;
   case HD_CURSOR_AFTER_INSTR:
      if (is_head(c.instr))
         return hd_block_first_non_phi(c.instr->block);
      return c.instr->kind == HD_INSTR_JUMP ? c.instr : c.instr->next;
   }
   return NULL;
}

hd_instr *
hd_cursor_cut(hd_cursor c)
{
   bool past_jump = c.option == HD_CURSOR_AFTER_BLOCK ||
                    (c.option == HD_CURSOR_AFTER_INSTR && c.instr->kind == HD_INSTR_JUMP);

   return past_jump ? NULL : hd_cursor_instr(c);
}

bool
hd_cursor_equal(hd_cursor a, hd_cursor b)
{
   return hd_cursor_block(a) == hd_cursor_block(b) && hd_cursor_instr(a) == hd_cursor_instr(b);
}
