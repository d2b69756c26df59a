/* SPDX-License-Identifier: MIT */
/* naive.c - see naive.h. Test functions are shallow, so recursion is fine here. */
#include "naive.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

typedef struct state {
   const hd_function *f;
   const char *fault;
   size_t num_edges_out, num_edges_in, num_srcs, num_uses;
   unsigned char *seen_def, *seen_block;
} state;

static char message[256];

static void
fault(state *s, const char *format, ...)
{
   va_list args;

   if (s->fault)
      return;
   va_start(args, format);
   vsnprintf(message, sizeof(message), format, args);
   va_end(args);
   s->fault = message;
}

#define CHECK(s, condition, ...)                                                                   \
   do {                                                                                            \
      if (!(condition))                                                                            \
         fault((s), __VA_ARGS__);                                                                  \
   } while (0)

static void
check_src(state *s, const hd_src *src, const hd_instr *user, const hd_if *nif)
{
   CHECK(s, src->def, "a source without definition");
   if (!src->def)
      return;
   s->num_srcs++;
   CHECK(s, hd_src_instr(src) == user, "a source names another instruction");
   CHECK(s, hd_src_if(src) == nif, "a source names another if");
   CHECK(s, hd_def_instr(src->def)->block, "a use of a value that is not inserted");
   const hd_src *prev = hd_src_prev_use(src), *next = hd_src_next_use(src);
   CHECK(s, prev ? hd_src_next_use(prev) == src : src->def->uses == src, "use list, backwards");
   CHECK(s, !next || (hd_src_prev_use(next) == src && next->def == src->def), "use list, forwards");
}

static void
check_instr(state *s, const hd_block *b, const hd_instr *i)
{
   CHECK(s, i->block == b, "an instruction names another block");
   CHECK(s, i->prev ? i->prev->next == i : b->first == i, "instruction list, backwards");
   CHECK(s, i->next ? i->next->prev == i : b->last == i, "instruction list, forwards");
   if (i->kind == HD_INSTR_PHI) {
      CHECK(s, !i->prev || i->prev->kind == HD_INSTR_PHI, "a phi after something else");
      CHECK(s, ((const hd_phi *)i)->num_srcs == b->num_preds, "a phi with %u sources for %u edges",
            ((const hd_phi *)i)->num_srcs, b->num_preds);
   }
   if (i->kind == HD_INSTR_PARAM)
      CHECK(s, !i->prev || i->prev->kind == HD_INSTR_PARAM, "a parameter after something else");
   CHECK(s, i->kind != HD_INSTR_JUMP || !i->next, "code after a jump");
   for (unsigned n = 0; n < hd_instr_num_srcs(i); n++)
      check_src(s, hd_instr_src(i, n), i, NULL);
   if (i->def.bit_size) {
      CHECK(s, i->def.index < s->f->num_defs, "an index past the end");
      if (i->def.index < s->f->num_defs) {
         CHECK(s, !s->seen_def[i->def.index], "two values with one index");
         s->seen_def[i->def.index] = 1;
      }
      for (const hd_src *u = i->def.uses; u && !s->fault; u = hd_src_next_use(u)) {
         CHECK(s, u->def == &i->def, "a stranger in a use list");
         s->num_uses++;
      }
   } else {
      CHECK(s, !i->def.uses, "uses of nothing");
   }
}

/* Where the edges of a block go, by the words of the design. */
static unsigned
expected_succs(const hd_block *b, const hd_block *exit, const hd_loop *loop, const hd_function *f,
               const hd_block *to[2])
{
   const hd_cf_node *next = b->node.next;
   const hd_instr *last = b->last;

   if (last && last->kind == HD_INSTR_JUMP) {
      if (last->op == HD_JUMP_BREAK)
         to[0] = (const hd_block *)loop->node.next;
      else if (last->op == HD_JUMP_CONTINUE)
         to[0] = (const hd_block *)loop->continue_list.first;
      else
         to[0] = &f->end;
      return 1;
   }
   if (next && next->kind == HD_CF_IF) {
      to[0] = (const hd_block *)((const hd_if *)next)->then_list.first;
      to[1] = (const hd_block *)((const hd_if *)next)->else_list.first;
      return 2;
   }
   to[0] = next ? (const hd_block *)((const hd_loop *)next)->body.first : exit;
   return 1;
}

static void
check_block(state *s, const hd_block *b, const hd_block *exit, const hd_loop *loop)
{
   CHECK(s, b->node.index < s->f->num_blocks, "a block's index past the end");
   if (b->node.index < s->f->num_blocks) {
      CHECK(s, !s->seen_block[b->node.index], "two blocks with one index");
      s->seen_block[b->node.index] = 1;
   }
   CHECK(s, !b->first == !b->last, "half an instruction list");
   for (const hd_instr *i = b->first; i && !s->fault; i = i->next)
      check_instr(s, b, i);

   if (s->f->structured) {
      const hd_block *to[2];
      unsigned n = expected_succs(b, exit, loop, s->f, to);
      CHECK(s, b->num_succs == n, "%u successors, not %u", b->num_succs, n);
      for (unsigned k = 0; k < n && !s->fault; k++)
         CHECK(s, b->succs[k].to == to[k], "successor %u is not what the tree says", k);
   }
   for (unsigned n = 0; n < b->num_succs && !s->fault; n++) {
      const hd_block *t = b->succs[n].to;
      s->num_edges_out++;
      CHECK(s, b->succs[n].pred < t->num_preds, "an edge past the predecessors");
      if (s->fault)
         return;
      CHECK(s, t->preds[b->succs[n].pred].from == b && t->preds[b->succs[n].pred].succ == n,
            "an edge that its target does not know");
      if (s->f->structured)
         CHECK(s, b->num_succs < 2 || t->num_preds < 2, "a critical edge");
   }
   s->num_edges_in += b->num_preds;
}

static void check_list(state *s, const hd_cf_list *list, const hd_cf_node *parent,
                       const hd_block *exit, const hd_loop *loop, bool in_continue);

static void
check_node(state *s, const hd_cf_node *n, const hd_loop *loop, bool in_continue)
{
   const hd_block *after = (const hd_block *)n->next;

   if (n->kind == HD_CF_IF) {
      const hd_if *nif = (const hd_if *)n;
      check_src(s, &nif->cond, NULL, nif);
      check_list(s, &nif->then_list, n, after, loop, in_continue);
      check_list(s, &nif->else_list, n, after, loop, in_continue);
   } else {
      const hd_loop *l = (const hd_loop *)n;
      check_list(s, &l->body, n, (const hd_block *)l->continue_list.first, l, false);
      check_list(s, &l->continue_list, n, (const hd_block *)l->body.first, l, true);
      CHECK(s, ((const hd_block *)l->body.first)->num_preds == 2, "a header without two edges");
      const hd_block *latch = (const hd_block *)l->continue_list.last;
      CHECK(s, !latch->last || latch->last->kind != HD_INSTR_JUMP, "a latch that jumps");
   }
}

static void
check_list(state *s, const hd_cf_list *list, const hd_cf_node *parent, const hd_block *exit,
           const hd_loop *loop, bool in_continue)
{
   unsigned n = 0;

   CHECK(s, list->first && list->last, "an empty list");
   CHECK(s, list->parent == parent, "a list names another parent");
   CHECK(s, list->function == s->f, "a list names another function");
   for (const hd_cf_node *c = list->first; c && !s->fault; c = c->next, n++) {
      CHECK(s, c->list == list, "a node names another list");
      CHECK(s, c->prev ? c->prev->next == c : list->first == c, "siblings, backwards");
      CHECK(s, c->next || list->last == c, "the last sibling");
      if (s->f->structured)
         CHECK(s, (c->kind == HD_CF_BLOCK) == (n % 2 == 0), "blocks and nodes do not alternate");
      else
         CHECK(s, c->kind == HD_CF_BLOCK, "a node in a flat function");
      if (s->fault)
         return;
      if (c->kind != HD_CF_BLOCK) {
         check_node(s, c, loop, in_continue);
         continue;
      }
      const hd_block *b = (const hd_block *)c;
      bool jumps = b->last && b->last->kind == HD_INSTR_JUMP;
      if (s->f->structured && jumps) {
         CHECK(s, !c->next, "a jump that does not end its list");
         CHECK(s, b->last->op != HD_JUMP_BREAK || loop, "a break outside a loop");
         CHECK(s, b->last->op != HD_JUMP_CONTINUE || (loop && !in_continue), "a stray continue");
         if (s->fault)
            return;
      }
      check_block(s, b, exit, loop);
   }
   if (s->f->structured)
      CHECK(s, n % 2 == 1, "a list that ends in a node");
}

const char *
naive_check(const hd_function *f)
{
   state s = { .f = f };

   s.seen_def = calloc(f->num_defs + 1, 1);
   s.seen_block = calloc(f->num_blocks + 1, 1);
   check_list(&s, &f->body, NULL, &f->end, NULL, false);
   if (!s.fault) {
      const hd_block *start = (const hd_block *)f->body.first;
      CHECK(&s, start->num_preds == 0, "a start block with predecessors");
      CHECK(&s, f->end.num_succs == 0 && !f->end.first, "the end block holds something");
      s.num_edges_in += f->end.num_preds;
      CHECK(&s, s.num_edges_in == s.num_edges_out, "%zu edges in, %zu out", s.num_edges_in,
            s.num_edges_out);
      CHECK(&s, s.num_srcs == s.num_uses, "%zu sources, %zu uses", s.num_srcs, s.num_uses);
      CHECK(&s, !f->num_extracted, "code that is extracted");
   }
   free(s.seen_def);
   free(s.seen_block);
   return s.fault;
}

/* Pictures */

typedef struct picture {
   char *text;
   size_t size, capacity;
} picture;

static void
draw(picture *p, const char *format, ...)
{
   va_list args;

   if (p->capacity - p->size < 512) {
      p->capacity = p->capacity ? p->capacity * 2 : 4096;
      p->text = realloc(p->text, p->capacity);
   }
   va_start(args, format);
   p->size += (size_t)vsnprintf(p->text + p->size, 512, format, args);
   va_end(args);
}

static void draw_list(picture *p, const hd_cf_list *list);

static void
draw_block(picture *p, const hd_block *b)
{
   draw(p, "block %p in %p\n", (const void *)b, (const void *)b->node.list);
   for (unsigned n = 0; n < b->num_preds; n++)
      draw(p, " pred %p.%u", (const void *)b->preds[n].from, b->preds[n].succ);
   for (unsigned n = 0; n < b->num_succs; n++)
      draw(p, " succ %p.%u", (const void *)b->succs[n].to, b->succs[n].pred);
   for (const hd_instr *i = b->first; i; i = i->next) {
      draw(p, "\n %p %u %u #%u", (const void *)i, i->kind, i->op, i->def.index);
      for (unsigned n = 0; n < hd_instr_num_srcs(i); n++)
         draw(p, " %p", (const void *)hd_instr_src(i, n)->def);
      for (const hd_src *u = i->def.uses; u; u = hd_src_next_use(u))
         draw(p, " u%p",
              (const void *)(hd_src_instr(u) ? (const void *)hd_src_instr(u)
                                             : (const void *)hd_src_if(u)));
   }
   draw(p, "\n");
}

static void
draw_list(picture *p, const hd_cf_list *list)
{
   for (const hd_cf_node *n = list->first; n; n = n->next) {
      if (n->kind == HD_CF_BLOCK) {
         draw_block(p, (const hd_block *)n);
      } else if (n->kind == HD_CF_IF) {
         const hd_if *nif = (const hd_if *)n;
         draw(p, "if %p %p {\n", (const void *)n, (const void *)nif->cond.def);
         draw_list(p, &nif->then_list);
         draw(p, "} else {\n");
         draw_list(p, &nif->else_list);
         draw(p, "}\n");
      } else {
         const hd_loop *loop = (const hd_loop *)n;
         draw(p, "loop %p {\n", (const void *)n);
         draw_list(p, &loop->body);
         draw(p, "} continue {\n");
         draw_list(p, &loop->continue_list);
         draw(p, "}\n");
      }
   }
}

char *
naive_picture(const hd_function *f)
{
   picture p = { NULL, 0, 0 };

   draw(&p, "function %p extracted %u\n", (const void *)f, f->num_extracted);
   draw_list(&p, &f->body);
   draw_block(&p, &f->end);
   return p.text;
}
