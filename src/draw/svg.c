/* SPDX-License-Identifier: MIT */
/* svg.c - output as SVG. Layout takes two passes over the tree: sizes bottom-up, then positions top-down.
 * Nodes of a list are stacked; the arms of an if are side by side; a loop's continue list is below its
 * body.
 */
#include "draw/draw.h"

#include <string.h>

#include "heddle/analysis.h"

#define CHAR_WIDTH  8 /* a little more than 12px monospace takes */
#define LINE_HEIGHT 14
#define PAD         8
#define GAP         22 /* between boxes, for the edges */
#define MARGIN      60 /* left and right of it all, for edges that go far */

#define NO_BOX UINT32_MAX

/* A box of the picture: a block, a list, an if or a loop. Parents come before what is inside. */
typedef struct box {
   const hd_cf_node *node;
   const hd_cf_list *list; /* of the box of a list; else NULL */
   uint32_t parent;        /* or NO_BOX */
   uint32_t loop;          /* the innermost loop around it, or NO_BOX */
   long width, height;
   long x, y;
   long inner_width, inner_height; /* what was put in so far */
} box;

typedef struct layout {
   hd_picture *p;
   hd_allocator allocator;
   box *boxes;
   size_t bytes;
   uint32_t num;
   uint32_t *block_box; /* by block index */
   size_t block_bytes;
   long width, height;
} layout;

static unsigned
columns(const char *s)
{
   unsigned columns = 0;

   for (; *s; columns++) {
      size_t n = hd_picture_char(s);
      s += n ? n : 1;
   }
   return columns;
}

static bool
side_by_side(const box *b)
{
   return b->node && b->node->kind == HD_CF_IF && !b->list;
}

static void
measure_block(layout *l, box *b)
{
   hd_picture *p = l->p;
   const hd_block *block = hd_node_as_block(b->node);
   unsigned lines = 1, widest = columns(hd_picture_block_head(p, block));

   if (!p->options->hide_code) {
      hd_foreach_instr(i, block) {
         unsigned w = columns(hd_picture_instr(p, i));
         widest = w > widest ? w : widest;
         lines++;
      }
   }
   b->width = (long)widest * CHAR_WIDTH + 2 * PAD;
   b->height = (long)lines * LINE_HEIGHT + PAD;
}

/* A box, after all that it is in. */
static uint32_t
add_box(layout *l, const hd_cf_node *node, const hd_cf_list *list, uint32_t open)
{
   box *b = &l->boxes[l->num];

   *b = (box){ .node = node, .list = list, .parent = open, .loop = NO_BOX };
   if (open != NO_BOX) {
      const box *outer = &l->boxes[open];
      b->loop = !outer->list && outer->node->kind == HD_CF_LOOP ? open : outer->loop;
   }
   return l->num++;
}

/* Boxes of the tree in the order of the text, and how they nest. */
static void
collect(layout *l)
{
   hd_walk w = { 0 };
   uint32_t open = NO_BOX;

   hd_walk_begin(&w, l->p->f);
   do {
      switch (w.event) {
      case HD_WALK_BLOCK: {
         const uint32_t n = add_box(l, w.node, NULL, open);
         measure_block(l, &l->boxes[n]);
         l->block_box[w.node->index] = n;
         continue;
      }
      case HD_WALK_IF:
      case HD_WALK_LOOP:
         open = add_box(l, w.node, NULL, open);
         break;
      case HD_WALK_ELSE:
      case HD_WALK_CONTINUE:
         open = l->boxes[open].parent;
         break;
      case HD_WALK_END_IF:
      case HD_WALK_END_LOOP:
         open = l->boxes[l->boxes[open].parent].parent;
         continue;
      }
      open = add_box(l, w.node, hd_list_begun(&w), open);
   } while (hd_walk_next(&w));
}

static long
title_width(layout *l, const box *b)
{
   const char *title = b->list ? hd_list_title(b->list) : hd_picture_node(l->p, b->node);

   return (long)columns(title) * CHAR_WIDTH + 2 * PAD;
}

static void
put_inside(box *outer, const box *inner)
{
   if (side_by_side(outer)) {
      outer->inner_width += inner->width + PAD;
      if (inner->height > outer->inner_height)
         outer->inner_height = inner->height;
   } else {
      outer->inner_height += inner->height + GAP;
      if (inner->width > outer->inner_width)
         outer->inner_width = inner->width;
   }
}

static void
sizes(layout *l)
{
   for (uint32_t n = l->num; n-- > 0;) {
      box *b = &l->boxes[n];
      if (b->list || b->node->kind != HD_CF_BLOCK) {
         long title = title_width(l, b);
         b->width = b->inner_width + 2 * PAD;
         if (b->width < title)
            b->width = title;
         b->height = b->inner_height + LINE_HEIGHT + 2 * PAD;
      }
      if (b->parent != NO_BOX) {
         put_inside(&l->boxes[b->parent], b);
      } else {
         l->height += b->height + GAP;
         if (b->width > l->width)
            l->width = b->width;
      }
   }
}

/* Each box takes the next free place of the one around it; inner_* now say how much is taken. */
static void
places(layout *l)
{
   long y = GAP;

   for (uint32_t n = 0; n < l->num; n++) {
      box *b = &l->boxes[n];
      b->inner_width = b->inner_height = 0;
      if (b->parent == NO_BOX) {
         b->x = MARGIN + (l->width - b->width) / 2;
         b->y = y;
         y += b->height + GAP;
         continue;
      }
      box *outer = &l->boxes[b->parent];
      long top = outer->y + LINE_HEIGHT + PAD;
      if (side_by_side(outer)) {
         b->x = outer->x + PAD + outer->inner_width;
         b->y = top;
         outer->inner_width += b->width + PAD;
      } else {
         b->x = outer->x + (outer->width - b->width) / 2;
         b->y = top + GAP / 2 + outer->inner_height;
         outer->inner_height += b->height + GAP;
      }
   }
   l->height += GAP;
   l->width += 2 * MARGIN;
}

static void
append_xml(hd_blob *out, const char *s)
{
   while (*s) {
      size_t n = hd_picture_char(s);
      if (*s == '<')
         hd_blob_append(out, "&lt;", 4);
      else if (*s == '>')
         hd_blob_append(out, "&gt;", 4);
      else if (*s == '&')
         hd_blob_append(out, "&amp;", 5);
      else
         hd_blob_append(out, n ? s : HD_REPLACEMENT, n ? n : sizeof(HD_REPLACEMENT) - 1);
      s += n ? n : 1;
   }
}

void
hd_picture_text(hd_blob *out, long x, long y, const char *class, const char *s)
{
   hd_blob_printf(out, "<text x=\"%ld\" y=\"%ld\" class=\"%s\">", x, y, class);
   append_xml(out, s);
   hd_blob_printf(out, "</text>\n");
}

static void
draw_boxes(layout *l)
{
   hd_blob *out = l->p->out;

   for (uint32_t n = 0; n < l->num; n++) {
      const box *b = &l->boxes[n];
      const hd_block *block = b->list ? NULL : hd_node_as_block(b->node);
      const char *class = b->list ? "list" : block ? "block" : "node";

      if (block && !hd_block_is_reachable(block))
         class = "dead";
      hd_blob_printf(out,
                     "<rect x=\"%ld\" y=\"%ld\" width=\"%ld\" height=\"%ld\" rx=\"%d\" "
                     "class=\"%s\"/>\n",
                     b->x, b->y, b->width, b->height, block ? 6 : 2, class);
      long x = b->x + PAD, y = b->y + LINE_HEIGHT;
      if (!block) {
         hd_picture_text(out, x, y, "title",
                         b->list ? hd_list_title(b->list) : hd_picture_node(l->p, b->node));
         continue;
      }
      hd_picture_text(out, x, y, "name", hd_picture_block_head(l->p, block));
      if (l->p->options->hide_code)
         continue;
      hd_foreach_instr(i, block) {
         y += LINE_HEIGHT;
         hd_picture_text(out, x, y, "code", hd_picture_instr(l->p, i));
      }
   }
}

/* From the bottom of one box to the top of another that stands below it. */
static void
draw_down(layout *l, const box *from, const box *to, const char *class)
{
   long x1 = from->x + from->width / 2, y1 = from->y + from->height;
   long x2 = to->x + to->width / 2, y2 = to->y;

   hd_blob_printf(l->p->out,
                  "<path class=\"%s\" marker-end=\"url(#tip)\" "
                  "d=\"M%ld,%ld C%ld,%ld %ld,%ld %ld,%ld\"/>\n",
                  class, x1, y1, x1, y1 + GAP, x2, y2 - GAP, x2, y2);
}

/* From the side of one box along a vertical line to the side of another. */
static void
draw_around(layout *l, const box *from, const box *to, long lane, const char *class)
{
   long x1 = from->x, x2 = to->x;

   if (lane > from->x)
      x1 += from->width;
   if (lane > to->x)
      x2 += to->width;
   hd_blob_printf(l->p->out,
                  "<path class=\"%s\" marker-end=\"url(#tip)\" d=\"M%ld,%ld H%ld V%ld H%ld\"/>\n",
                  class, x1, from->y + from->height / 2, lane, to->y + to->height / 2, x2);
}

/* Lines that run side by side are a little apart: by their length, so that brackets nest. */
static long
spread(const box *from, const box *to)
{
   long distance = from->y > to->y ? from->y - to->y : to->y - from->y;

   return 8 + distance / 40 % 12 * 4;
}

static void
draw_edge(layout *l, const hd_block *b, uint32_t n, const box *end)
{
   const hd_block *t = b->succs[n].to;
   const box *from = &l->boxes[l->block_box[b->node.index]];
   const box *to = hd_block_is_end(t) ? end : &l->boxes[l->block_box[t->node.index]];
   const hd_jump *jump = hd_block_jump(b);
   const box *loop = from->loop == NO_BOX ? NULL : &l->boxes[from->loop];
   const char *class = hd_block_is_reachable(b) ? "edge" : "ghost";

   if (to->y <= from->y)
      draw_around(l, from, to, loop ? loop->x + 4 : from->x - spread(from, to), "back");
   else if (hd_block_is_end(t) && jump)
      draw_around(l, from, to, l->width - MARGIN / 4, class);
   else if (jump && jump->instr.op == HD_JUMP_BREAK && loop)
      draw_around(l, from, to, loop->x + loop->width + 8, class);
   else if (jump && jump->instr.op == HD_JUMP_CONTINUE && loop)
      draw_around(l, from, to, loop->x + loop->width - 4, class);
   else if (!l->p->f->structured && to != from + 1)
      draw_around(l, from, to,
                  (from->width > to->width ? from->x + from->width : to->x + to->width) +
                      spread(from, to),
                  class);
   else
      draw_down(l, from, to, class);
}

static void
draw_edges(layout *l)
{
   box end = { .x = l->width / 2 - 20, .y = l->height, .width = 40, .height = LINE_HEIGHT + PAD };
   hd_blob *out = l->p->out;

   hd_blob_printf(out,
                  "<rect x=\"%ld\" y=\"%ld\" width=\"40\" height=\"%ld\" rx=\"10\" "
                  "class=\"block\"/>\n",
                  end.x, end.y, end.height);
   hd_picture_text(out, end.x + 8, end.y + LINE_HEIGHT, "name", "end");
   hd_foreach_block(b, l->p->f) {
      const box *from = &l->boxes[l->block_box[b->node.index]];
      for (uint32_t n = 0; n < b->num_succs; n++)
         draw_edge(l, b, n, &end);
      const hd_block *idom = l->p->options->dominance ? hd_block_idom(b) : NULL;
      if (idom)
         draw_around(l, &l->boxes[l->block_box[idom->node.index]], from, MARGIN / 2, "dom");
      const hd_block *pdom = l->p->options->post_dominance ? hd_block_post_idom(b) : NULL;
      if (pdom)
         draw_around(l, hd_block_is_end(pdom) ? &end : &l->boxes[l->block_box[pdom->node.index]],
                     from, MARGIN / 4, "pdom");
   }
   l->height += end.height + GAP;
}

static const char style[] =
    "<style>text{font:12px monospace}.title,.name{font-weight:bold}.block{fill:#fff;stroke:#333}"
    ".dead{fill:#fff;stroke:#999;stroke-dasharray:4}.node{fill:#ddd;stroke:#888}"
    ".list{fill:#f6f6f6;stroke:#aaa}path{fill:none;stroke:#333}.back{stroke:#d40}"
    ".ghost{stroke:#aaa;stroke-dasharray:4}.dom{stroke:#48c;stroke-dasharray:6 3}"
    ".pdom{stroke:#2a7;stroke-dasharray:2 3}</style>\n"
    "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" "
    "markerHeight=\"8\" orient=\"auto\"><path d=\"M0,0 L8,4 L0,8 z\" style=\"fill:#333\"/>"
    "</marker></defs>\n";

hd_result
hd_draw_svg(hd_picture *p)
{
   layout l = { .p = p, .allocator = hd_shader_config(p->f->shader)->allocator };
   size_t count = 0;

   hd_foreach_node(n, p->f)
      count += n->kind == HD_CF_BLOCK ? 1 : 3;
   l.bytes = count * sizeof(box);
   l.block_bytes = p->f->num_blocks * sizeof(uint32_t);
   l.boxes = l.allocator.alloc(l.allocator.user, l.bytes);
   l.block_box = l.boxes ? l.allocator.alloc(l.allocator.user, l.block_bytes) : NULL;
   if (!l.block_box) {
      if (l.boxes)
         l.allocator.free(l.allocator.user, l.boxes, l.bytes);
      return HD_OUT_OF_MEMORY;
   }
   collect(&l);
   sizes(&l);
   places(&l);
   /* The end block and the margin below it are the last 2 * GAP + 22. */
   hd_blob_printf(p->out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%ld\" height=\"%ld\">\n",
                  l.width, l.height + LINE_HEIGHT + PAD + GAP);
   hd_blob_append(p->out, style, sizeof(style) - 1);
   draw_boxes(&l);
   draw_edges(&l);
   hd_blob_printf(p->out, "</svg>\n");
   l.allocator.free(l.allocator.user, l.boxes, l.bytes);
   l.allocator.free(l.allocator.user, l.block_box, l.block_bytes);
   return HD_OK;
}
