/* SPDX-License-Identifier: MIT */
#include "shape.h"
#include "heddle/intrinsic_enum.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* What comes next: a node with its later siblings, then what is behind its list. */
struct sequence {
   const hd_cf_node *node;
   const struct sequence *behind;
};

struct writer {
   char *text;
   size_t length, capacity;
};

static void HD_PRINTF(2, 3) put(struct writer *w, const char *format, ...)
{
   va_list args;

   if (w->length + 64 > w->capacity) {
      w->capacity = 2 * w->capacity + 4096;
      w->text = realloc(w->text, w->capacity);
   }
   va_start(args, format);
   w->length += (size_t)vsnprintf(w->text + w->length, 64, format, args);
   va_end(args);
}

static bool
logs(const hd_instr *i)
{
   return i->kind == HD_INSTR_INTRINSIC && i->op == HD_INTRINSIC_STORE_BUFFER &&
          hd_intrinsic_indices((const hd_intrinsic *)i)[1] == 1;
}

static void
put_logs(struct writer *w, const hd_block *b)
{
   hd_foreach_instr(i, b) {
      if (logs(i))
         put(w, "%u ", hd_src_as_const(&((const hd_intrinsic *)i)->src[0])->value[0].u32);
   }
}

/* Does control come to the end of the list? Reachability says so of its last block. */
static bool
falls_through(const hd_cf_list *list)
{
   const hd_block *last = hd_list_last_block(list);

   return hd_block_is_reachable(last) && !hd_block_jump(last);
}

/* Is there nothing left that would be written? */
static bool
is_empty(const struct sequence *s, hd_jump_kind fall)
{
   for (; s; s = s->behind) {
      for (const hd_cf_node *n = s->node; n; n = n->next) {
         const hd_block *b = hd_node_as_block(n);
         if (!b)
            return false;
         hd_foreach_instr(i, b) {
            if (i->kind == HD_INSTR_JUMP)
               return i->op == fall;
            if (logs(i))
               return false;
         }
      }
   }
   return true;
}

/* `fall`: the jump that coming to the end amounts to; HD_NUM_JUMP_KINDS: none. */
static void put_sequence(struct writer *w, struct sequence s, hd_jump_kind fall);

static void
put_if(struct writer *w, const hd_if *nif, const struct sequence *rest, hd_jump_kind fall)
{
   bool yes = falls_through(&nif->then_list), no = falls_through(&nif->else_list);
   /* Unless both go on, nothing is left behind the if. */
   bool last = !yes || !no || is_empty(rest, fall);
   const hd_cf_list *arm[2] = { &nif->then_list, &nif->else_list };
   const bool falls[2] = { yes, no };

   put(w, "if");
   for (unsigned n = 0; n < 2; n++) {
      put(w, "(");
      /* The rest is behind the only arm that comes to its end, or behind both as one. */
      if (falls[n] && !falls[1 - n])
         put_sequence(w, (struct sequence){ arm[n]->first, rest }, fall);
      else
         put_sequence(w, (struct sequence){ arm[n]->first, NULL }, last ? fall : HD_NUM_JUMP_KINDS);
      put(w, ")");
   }
   put(w, " ");
   if (yes && no)
      put_sequence(w, *rest, fall);
}

static void
put_sequence(struct writer *w, struct sequence s, hd_jump_kind fall)
{
   static const char *const jumps[] = { "break;", "continue;", "return;", "halt;" };

   for (;;) {
      while (!s.node && s.behind)
         s = *s.behind;
      if (!s.node)
         return;
      const hd_block *b = hd_node_as_block(s.node);
      const hd_loop *loop = hd_node_as_loop(s.node);
      struct sequence rest = { s.node->next, s.behind };
      if (hd_node_as_if(s.node)) {
         put_if(w, hd_node_as_if(s.node), &rest, fall);
         return;
      }
      if (loop) {
         put(w, "loop(");
         put_sequence(w, (struct sequence){ loop->body.first, NULL }, HD_JUMP_CONTINUE);
         put(w, ")(");
         put_sequence(w, (struct sequence){ loop->continue_list.first, NULL }, HD_NUM_JUMP_KINDS);
         put(w, ") ");
      } else {
         if (!hd_block_is_reachable(b))
            return;
         put_logs(w, b);
         const hd_jump *jump = hd_block_jump(b);
         if (jump && jump->instr.op != fall)
            put(w, "%s", jumps[jump->instr.op]);
         if (jump)
            return;
      }
      s = rest;
   }
}

char *
shape_of(hd_function *f)
{
   struct writer w = { 0 };

   hd_require(f, HD_META_BLOCK_ORDER);
   put(&w, " ");
   put_sequence(&w, (struct sequence){ f->body.first, NULL }, HD_JUMP_RETURN);
   return w.text;
}
