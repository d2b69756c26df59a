/* SPDX-License-Identifier: MIT */
/* draw.c - the entry, and what the formats share: steps through the tree, lines of labels. */
#include "draw/draw.h"

#include <string.h>

#include "heddle/analysis.h"

#define MAX_LABEL 72

static const hd_cf_list *
first_list(const hd_cf_node *n)
{
   return n->kind == HD_CF_IF ? &hd_node_as_if(n)->then_list : &hd_node_as_loop(n)->body;
}

static const hd_cf_list *
second_list(const hd_cf_node *n)
{
   return n->kind == HD_CF_IF ? &hd_node_as_if(n)->else_list : &hd_node_as_loop(n)->continue_list;
}

static hd_step
step_to(const hd_cf_node *n)
{
   return (hd_step){ n->kind == HD_CF_BLOCK ? HD_STEP_BLOCK : HD_STEP_ENTER, n, NULL };
}

hd_walk
hd_walk_begin(const hd_function *f)
{
   return (hd_walk){ step_to(f->body.first) };
}

bool
hd_walk_next(hd_walk *walk)
{
   hd_step *s = &walk->step;
   const hd_cf_node *n = s->node;

   switch (s->kind) {
   case HD_STEP_ENTER:
      *s = (hd_step){ HD_STEP_LIST, n, first_list(n) };
      return true;
   case HD_STEP_LIST:
      *s = step_to(s->list->first);
      return true;
   case HD_STEP_LIST_END:
      if (s->list == first_list(n))
         *s = (hd_step){ HD_STEP_LIST, n, second_list(n) };
      else
         *s = (hd_step){ HD_STEP_LEAVE, n, NULL };
      return true;
   case HD_STEP_BLOCK:
   case HD_STEP_LEAVE:
      break;
   }
   if (n->next) {
      *s = step_to(n->next);
      return true;
   }
   if (!n->list->parent)
      return false;
   *s = (hd_step){ HD_STEP_LIST_END, n->list->parent, n->list };
   return true;
}

const char *
hd_list_title(const hd_cf_list *list)
{
   bool first = list == first_list(list->parent);

   if (list->parent->kind == HD_CF_IF)
      return first ? "then" : "else";
   return first ? "body" : "continue";
}

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
   const char *name = hd_block_name(p->f, b);

   clear_line(p);
   if (hd_block_is_end(b))
      hd_blob_printf(&p->line, "end");
   else
      hd_blob_printf(&p->line, "b%u", hd_numbering_block(p->numbering, b));
   if (name)
      hd_blob_printf(&p->line, " %s", name);
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
   /* The line opens a brace in the text form; a label needs none. */
   while (p->line.size &&
          (p->line.data[p->line.size - 1] == '{' || p->line.data[p->line.size - 1] == ' '))
      p->line.data[--p->line.size] = 0;
   return cut_line(p);
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
