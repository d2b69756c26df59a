/* SPDX-License-Identifier: MIT */
/* outline.c - output as text: the tree with its edges.
 *
 *    b0 -> b1 b2
 *    if %0
 *    | then
 *    |   b1 -> end
 */
#include "draw/draw.h"

#include "heddle/analysis.h"

/* Where a tree is deeper the lines stop growing, as in the text form. */
#define MAX_DEPTH 32u

static void
indent(hd_picture *p, unsigned depth)
{
   for (unsigned n = 0; n < depth && n < MAX_DEPTH; n++)
      hd_blob_append(p->out, "  ", 2);
}

static void
color(hd_picture *p, const char *escape)
{
   if (p->options->color)
      hd_blob_printf(p->out, "\033[%sm", escape);
}

/* A name may hold bytes that would move the cursor of a terminal. */
static void
append_plain(hd_blob *out, const char *s)
{
   while (*s) {
      size_t n = hd_picture_char(s);
      hd_blob_append(out, n ? s : HD_REPLACEMENT, n ? n : sizeof(HD_REPLACEMENT) - 1);
      s += n ? n : 1;
   }
}

static void
outline_block(hd_picture *p, const hd_block *b, unsigned depth)
{
   unsigned count = 0;

   indent(p, depth);
   color(p, "1;36");
   append_plain(p->out, hd_picture_block_head(p, b));
   color(p, "0");
   if (!hd_block_is_reachable(b))
      hd_blob_printf(p->out, " (unreachable)");
   hd_foreach_instr(i, b)
      count++;
   if (p->options->hide_code && count)
      hd_blob_printf(p->out, " (%u)", count);
   hd_blob_printf(p->out, " ->");
   for (uint32_t n = 0; n < b->num_succs; n++) {
      bool back = hd_edge_goes_back(b, b->succs[n].to);
      if (back)
         color(p, "33");
      hd_blob_printf(p->out, " %s%s", hd_picture_block(p, b->succs[n].to), back ? " (back)" : "");
      if (back)
         color(p, "0");
   }
   if (p->options->dominance && hd_block_idom(b))
      hd_blob_printf(p->out, ", idom %s", hd_picture_block(p, hd_block_idom(b)));
   if (p->options->post_dominance && hd_block_post_idom(b))
      hd_blob_printf(p->out, ", ipdom %s", hd_picture_block(p, hd_block_post_idom(b)));
   hd_blob_append(p->out, "\n", 1);
   if (p->options->hide_code)
      return;
   hd_foreach_instr(i, b) {
      indent(p, depth + 2);
      append_plain(p->out, hd_picture_instr(p, i));
      hd_blob_append(p->out, "\n", 1);
   }
}

static void
outline_line(hd_picture *p, unsigned depth, const char *paint, const char *text)
{
   indent(p, depth);
   color(p, paint);
   append_plain(p->out, text);
   color(p, "0");
   hd_blob_append(p->out, "\n", 1);
}

hd_result
hd_draw_outline(hd_picture *p)
{
   unsigned depth = 1;
   hd_walk w = { 0 };

   hd_blob_printf(p->out, "%sfunction @", p->f->structured ? "" : "flat ");
   append_plain(p->out, hd_picture_title(p));
   hd_blob_append(p->out, "\n", 1);
   hd_walk_begin(&w, p->f);
   do {
      switch (w.event) {
      case HD_WALK_BLOCK: {
         const hd_block *b = hd_node_as_block(w.node);
         const hd_cycle *c = p->f->structured ? NULL : hd_block_cycle(b);
         outline_block(p, b, depth + (c ? c->depth : 0));
         continue;
      }
      case HD_WALK_IF:
      case HD_WALK_LOOP:
         outline_line(p, depth++, "1;35", hd_picture_node(p, w.node));
         break;
      case HD_WALK_ELSE:
      case HD_WALK_CONTINUE:
         depth--;
         break;
      case HD_WALK_END_IF:
      case HD_WALK_END_LOOP:
         depth -= 2;
         continue;
      }
      outline_line(p, depth++, "35", hd_list_title(hd_list_begun(&w)));
   } while (hd_walk_next(&w));
   return HD_OK;
}
