/* SPDX-License-Identifier: MIT */
/* dot.c - output for Graphviz: clusters for ifs, loops and cycles; ovals for blocks.
 */
#include "draw/draw.h"

#include <string.h>

#include "heddle/analysis.h"

static const char *const cluster_fill[2] = { "lightgrey", "white" };

/* What may stand in quotes. An ampersand would begin an entity. */
static void
append_escaped(hd_blob *out, const char *s)
{
   while (*s) {
      size_t n = hd_picture_char(s);
      if (*s == '"' || *s == '\\')
         hd_blob_append(out, "\\", 1);
      if (*s == '&')
         hd_blob_append(out, "&amp;", 5);
      else
         hd_blob_append(out, n ? s : HD_REPLACEMENT, n ? n : sizeof(HD_REPLACEMENT) - 1);
      s += n ? n : 1;
   }
}

/* The node of a block: b3, or continue_b3 for the continue list of the loop with that header. */
static void
append_id(hd_picture *p, const hd_block *b)
{
   const char *s = hd_picture_block(p, b);

   if (!strncmp(s, "continue of ", 12))
      hd_blob_printf(p->out, "continue_%s", s + 12);
   else
      hd_blob_printf(p->out, "%s", s);
}

static void
dot_block(hd_picture *p, const hd_block *b)
{
   append_id(p, b);
   hd_blob_printf(p->out, " [label=\"");
   append_escaped(p->out, hd_picture_block_head(p, b));
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
append_edge(hd_picture *p, const hd_block *from, const hd_block *to)
{
   append_id(p, from);
   hd_blob_append(p->out, " -> ", 4);
   append_id(p, to);
}

#define MAX_CASES 6u
#define MAX_LOOK  64u

/* The first values that go by one edge of a switch; successor 0 is also where all others go.
 * `first` is the first case of this edge or before it; returns the same for the next edge, which
 * is never before it. So all labels together take linear time.
 */
static uint32_t
append_cases(hd_picture *p, const hd_jump *jump, uint32_t succ, uint32_t first)
{
   const char *before = succ ? "" : ", ";
   uint32_t num = 0, n = first;

   if (!succ)
      hd_blob_printf(p->out, "default");
   else
      for (; first < jump->num_cases && jump->cases[first].succ != succ; first++)
         ;
   for (n = first; n < jump->num_cases && n - first < MAX_LOOK && num < MAX_CASES; n++) {
      if (jump->cases[n].succ != succ)
         continue;
      hd_blob_printf(p->out, "%s%llu", before, (unsigned long long)jump->cases[n].value);
      before = ", ";
      num++;
   }
   if (n < jump->num_cases && (num == MAX_CASES || !succ))
      hd_blob_printf(p->out, ", ...");
   return first;
}

static void
dot_edges(hd_picture *p, const hd_block *b)
{
   const hd_jump *jump = hd_block_jump(b);
   uint32_t first_case = 0;

   for (uint32_t n = 0; n < b->num_succs; n++) {
      const hd_block *to = b->succs[n].to;
      append_edge(p, b, to);
      if (b->num_succs > 1) {
         hd_blob_printf(p->out, " [label=\"");
         if (jump && jump->instr.op == HD_JUMP_SWITCH)
            first_case = append_cases(p, jump, n, first_case);
         else
            hd_blob_append(p->out, n ? "F" : "T", 1);
         hd_blob_printf(p->out, "\"]");
      }
      /* A back edge must not pull its target below its source. */
      if (hd_edge_goes_back(b, to))
         hd_blob_printf(p->out, " [constraint=false, color=orangered]");
      hd_blob_append(p->out, ";\n", 2);
   }
   /* What follows a loop stands below it, though its edge comes from a break inside. */
   const hd_loop *loop = hd_node_as_loop(b->node.prev);
   if (loop) {
      append_edge(p, hd_loop_latch(loop), b);
      hd_blob_printf(p->out, " [style=invis];\n");
   }
   if (p->options->dominance && hd_block_idom(b)) {
      append_edge(p, hd_block_idom(b), b);
      hd_blob_printf(p->out, " [style=dashed, color=steelblue, constraint=false];\n");
   }
   if (p->options->post_dominance && hd_block_post_idom(b)) {
      append_edge(p, hd_block_post_idom(b), b);
      hd_blob_printf(p->out, " [style=dotted, color=seagreen, constraint=false];\n");
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
   hd_walk w = { 0 };
   unsigned depth = 0;

   hd_walk_begin(&w, p->f);
   do {
      switch (w.event) {
      case HD_WALK_BLOCK:
         dot_block(p, hd_node_as_block(w.node));
         continue;
      case HD_WALK_IF:
      case HD_WALK_LOOP:
         open_cluster(p, num, depth++, hd_picture_node(p, w.node));
         break;
      case HD_WALK_ELSE:
      case HD_WALK_CONTINUE:
         hd_blob_printf(p->out, "}\n");
         depth--;
         break;
      case HD_WALK_END_IF:
      case HD_WALK_END_LOOP:
         hd_blob_printf(p->out, "}\n}\n");
         depth -= 2;
         continue;
      }
      open_cluster(p, num, depth++, hd_list_title(hd_list_begun(&w)));
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
   append_escaped(p->out, hd_picture_title(p));
   hd_blob_printf(p->out,
                  "\" {\nclusterrank=local;\nnode [shape=%s, style=filled, "
                  "fillcolor=white, fontname=monospace, fontsize=10];\n",
                  p->options->hide_code ? "oval" : "box");
   open_cluster(p, &num, 1, hd_picture_title(p));
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
