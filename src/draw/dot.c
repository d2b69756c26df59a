/* SPDX-License-Identifier: MIT */
/* dot.c - for Graphviz: clusters for ifs, loops and cycles; ovals for blocks, as the picture of the
 * control flow model has them.
 */
#include "draw/draw.h"

#include "heddle/analysis.h"

static const char *const cluster_fill[2] = { "lightgrey", "white" };

/* A string in quotes; lines are ended on the left with \l. */
static void
append_escaped(hd_blob *out, const char *s)
{
   for (; *s; s++) {
      if (*s == '"' || *s == '\\')
         hd_blob_append(out, "\\", 1);
      hd_blob_append(out, s, 1);
   }
}

static uint32_t
number(const hd_picture *p, const hd_block *b)
{
   return hd_numbering_block(p->numbering, b);
}

static void
dot_block(hd_picture *p, const hd_block *b)
{
   hd_blob_printf(p->out, "b%u [label=\"", number(p, b));
   append_escaped(p->out, hd_picture_block(p, b));
   if (b == hd_function_start(p->f))
      hd_blob_printf(p->out, " (start)");
   hd_blob_printf(p->out, "\\n");
   if (!p->options->hide_code) {
      hd_foreach_instr(i, b) {
         append_escaped(p->out, hd_picture_instr(p, i));
         hd_blob_printf(p->out, "\\l");
      }
   }
   hd_blob_printf(p->out, "\"%s];\n",
                  hd_block_is_reachable(b) ? "" : ", style=dashed, fontcolor=gray40");
}

static void
dot_target(hd_picture *p, const hd_block *b)
{
   if (hd_block_is_end(b))
      hd_blob_printf(p->out, "end");
   else
      hd_blob_printf(p->out, "b%u", number(p, b));
}

static void
dot_edges(hd_picture *p, const hd_block *b)
{
   for (uint32_t n = 0; n < b->num_succs; n++) {
      const hd_block *to = b->succs[n].to;
      bool back = !hd_block_is_end(to) && hd_block_is_reachable(b) &&
                  hd_block_rpo_index(to) <= hd_block_rpo_index(b);
      hd_blob_printf(p->out, "b%u -> ", number(p, b));
      dot_target(p, to);
      /* A back edge must not pull its target below its source. */
      if (back)
         hd_blob_printf(p->out, " [constraint=false, color=orangered]");
      else if (b->num_succs == 2)
         hd_blob_printf(p->out, " [label=\"%s\"]", n ? "F" : "T");
      hd_blob_printf(p->out, ";\n");
   }
   /* What follows a loop stands below it, though its edge comes from a break inside. */
   const hd_loop *loop = hd_node_as_loop(b->node.prev);
   if (loop)
      hd_blob_printf(p->out, "b%u -> b%u [style=invis];\n", number(p, hd_loop_latch(loop)),
                     number(p, b));
   if (p->options->dominance && hd_block_idom(b)) {
      dot_target(p, hd_block_idom(b));
      hd_blob_printf(p->out, " -> b%u [style=dashed, color=steelblue, constraint=false];\n",
                     number(p, b));
   }
   if (p->options->post_dominance && hd_block_post_idom(b)) {
      dot_target(p, hd_block_post_idom(b));
      hd_blob_printf(p->out, " -> b%u [style=dotted, color=seagreen, constraint=false];\n",
                     number(p, b));
   }
}

static void
open_cluster(hd_picture *p, unsigned *num, unsigned depth, const char *label)
{
   hd_blob_printf(p->out, "subgraph cluster_%u {\nstyle=filled; fillcolor=%s; label=\"", (*num)++,
                  cluster_fill[depth % 2]);
   append_escaped(p->out, label);
   hd_blob_printf(p->out, "\";\n");
}

static void
dot_tree(hd_picture *p, unsigned *num)
{
   hd_walk w = hd_walk_begin(p->f);
   unsigned depth = 0;

   do {
      switch (w.step.kind) {
      case HD_STEP_BLOCK:
         dot_block(p, hd_node_as_block(w.step.node));
         break;
      case HD_STEP_ENTER:
         open_cluster(p, num, depth++, hd_picture_node(p, w.step.node));
         break;
      case HD_STEP_LIST:
         open_cluster(p, num, depth++, hd_list_title(w.step.list));
         break;
      case HD_STEP_LIST_END:
      case HD_STEP_LEAVE:
         hd_blob_printf(p->out, "}\n");
         depth--;
         break;
      }
   } while (hd_walk_next(&w));
}

/* In sweep order each cycle is contiguous, so clusters open and close like brackets. */
static void
dot_flat(hd_picture *p, unsigned *num)
{
   uint32_t num_blocks, open = 0;
   hd_block *const *sweep = hd_function_sweep(p->f, &num_blocks);

   for (uint32_t n = 0; n < num_blocks; n++) {
      const hd_cycle *c = hd_block_cycle(sweep[n]);
      uint32_t depth = c ? c->depth : 0;
      bool header = hd_block_headed_cycle(sweep[n]) != NULL;

      for (; open > depth - header; open--)
         hd_blob_printf(p->out, "}\n");
      if (header) {
         open_cluster(p, num, depth, "cycle");
         open++;
      }
      dot_block(p, sweep[n]);
   }
   for (; open; open--)
      hd_blob_printf(p->out, "}\n");
}

hd_result
hd_draw_dot(hd_picture *p)
{
   unsigned num = 0;

   hd_blob_printf(p->out, "digraph \"");
   append_escaped(p->out, p->f->name);
   hd_blob_printf(p->out,
                  "\" {\nclusterrank=local;\nnode [shape=%s, style=filled, "
                  "fillcolor=white, fontname=monospace, fontsize=10];\n",
                  p->options->hide_code ? "oval" : "box");
   open_cluster(p, &num, 1, p->f->name);
   if (p->f->structured)
      dot_tree(p, &num);
   else
      dot_flat(p, &num);
   hd_blob_printf(p->out, "end [label=\"(end)\", shape=oval];\n}\n");
   hd_foreach_block(b, p->f)
      dot_edges(p, b);
   hd_blob_printf(p->out, "}\n");
   return HD_OK;
}
