/* SPDX-License-Identifier: MIT */
/* draw.c - the entry point, and helpers of all formats: walk over the tree, label lines. */
#include "draw/draw.h"

#include <string.h>

#include "heddle/analysis.h"

#define MAX_LABEL 72

const hd_cf_list *
hd_list_begun(const hd_walk *walk)
{
   const hd_if *nif = hd_node_as_if(walk->node);
   const hd_loop *loop = hd_node_as_loop(walk->node);

   switch (walk->event) {
   case HD_WALK_IF:
      return &nif->then_list;
   case HD_WALK_ELSE:
      return &nif->else_list;
   case HD_WALK_LOOP:
      return &loop->body;
   case HD_WALK_CONTINUE:
      return &loop->continue_list;
   default:
      return NULL;
   }
}

const char *
hd_list_title(const hd_cf_list *list)
{
   const hd_if *nif = hd_node_as_if(list->parent);

   if (nif)
      return list == &nif->then_list ? "then" : "else";
   return list == &hd_node_as_loop(list->parent)->body ? "body" : "continue";
}

/* Empty, and a string. */
static void
clear_line(hd_picture *p)
{
   p->line.size = 0;
   hd_blob_append(&p->line, "", 0);
}

/* Cut between characters, not inside one. */
static const char *
cut_line(hd_picture *p)
{
   if (p->line.result != HD_OK)
      return "";
   if (p->line.size > MAX_LABEL) {
      size_t end = MAX_LABEL - 3;
      while (end && ((unsigned char)p->line.data[end] & 0xc0) == 0x80)
         end--;
      p->line.size = end;
      hd_blob_append(&p->line, "...", 3);
   }
   return p->line.data;
}

const char *
hd_picture_block(hd_picture *p, const hd_block *b)
{
   uint32_t number = hd_numbering_block(p->numbering, b);

   clear_line(p);
   if (hd_block_is_end(b))
      hd_blob_printf(&p->line, "end");
   else if (number != HD_NO_NUMBER)
      hd_blob_printf(&p->line, "b%u", number);
   else
      hd_blob_printf(
          &p->line, "continue of b%u",
          hd_numbering_block(p->numbering, hd_loop_header(hd_node_as_loop(b->node.list->parent))));
   return cut_line(p);
}

const char *
hd_picture_block_head(hd_picture *p, const hd_block *b)
{
   if (hd_block_is_end(b) || hd_numbering_block(p->numbering, b) == HD_NO_NUMBER)
      return hd_picture_block(p, b);
   const char *head = hd_picture_node(p, &b->node);
   if (!p->options->divergence || !hd_block_is_divergent_branch(b))
      return head;
   hd_blob_printf(&p->line, ", divergent branch");
   return cut_line(p);
}

const char *
hd_picture_title(hd_picture *p)
{
   clear_line(p);
   hd_blob_name(&p->line, 0, p->f->name);
   return cut_line(p);
}

const char *
hd_picture_instr(hd_picture *p, const hd_instr *instr)
{
   clear_line(p);
   p->line.result = hd_print_instr(instr, p->numbering, NULL, &p->line, NULL);
   return cut_line(p);
}

const char *
hd_picture_node(hd_picture *p, const hd_cf_node *node)
{
   clear_line(p);
   p->line.result = hd_print_node(node, p->numbering, NULL, &p->line, NULL);
   /* In the text the line opens a brace or ends in a colon; a label needs neither. */
   while (p->line.size && strchr(" {:", p->line.data[p->line.size - 1]))
      p->line.data[--p->line.size] = 0;
   return cut_line(p);
}

bool
hd_edge_goes_back(const hd_block *from, const hd_block *to)
{
   return !hd_block_is_end(to) && hd_block_is_reachable(from) &&
          hd_block_rpo_index(to) <= hd_block_rpo_index(from);
}

size_t
hd_picture_char(const char *string)
{
   const unsigned char *s = (const unsigned char *)string;
   uint32_t c = s[0];
   size_t n = c < 0xc2 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;

   if (c < 0x80)
      return c >= 0x20 && c != 0x7f;
   if (n == 1 || c > 0xf4)
      return 0;
   c &= 0x7fu >> n;
   /* A string ends in 0, which is no continuation: the loop stops there. */
   for (size_t i = 1; i < n; i++) {
      if ((s[i] & 0xc0) != 0x80)
         return 0;
      c = c << 6 | (s[i] & 0x3f);
   }
   if ((n == 2 && c < 0xa0) || (n == 3 && c < 0x800) || (n == 4 && c < 0x10000) || c > 0x10ffff)
      return 0;
   return (c >= 0xd800 && c < 0xe000) || c == 0xfffe || c == 0xffff ? 0 : n;
}

hd_result
hd_draw_function(hd_function *f, const hd_draw_options *options, hd_blob *out)
{
   static const hd_draw_options plain;
   hd_picture p = { .f = f, .options = options ? options : &plain, .out = out };
   uint32_t need = HD_META_BLOCK_ORDER;

   if (p.options->dominance)
      need |= HD_META_DOMINANCE;
   if (p.options->post_dominance)
      need |= HD_META_POST_DOMINANCE;
   if (p.options->divergence)
      need |= HD_META_DIVERGENCE;
   if (!f->structured)
      need |= HD_META_CYCLES;
   hd_result result = hd_require(f, need);
   if (result == HD_OK)
      result = hd_numbering_create(f, &p.numbering);
   if (result != HD_OK)
      return result;
   hd_blob_init(&p.line, hd_shader_config(f->shader));

   switch (p.options->format) {
   case HD_DRAW_OUTLINE:
      result = hd_draw_outline(&p);
      break;
   case HD_DRAW_DOT:
      result = hd_draw_dot(&p);
      break;
   case HD_DRAW_SVG:
      result = hd_draw_svg(&p);
      break;
   }
   if (result == HD_OK)
      result = p.line.result != HD_OK ? p.line.result : out->result;
   hd_blob_finish(&p.line);
   hd_numbering_destroy(p.numbering);
   return result;
}
