/* SPDX-License-Identifier: MIT */
/* edits.c - see edits.h. */
#include "edits.h"
#include "heddle/op_enum.h"

#include <stdlib.h>
#include <string.h>

#include "heddle/clone.h"
#include "heddle/edit.h"
#include "heddle/ops.h"
#include "ir/naive.h"

static void *
counted_alloc(void *user, size_t size)
{
   edit_run *r = user;

   if (r->fail)
      return NULL;
   r->live += size;
   return malloc(size);
}

static void
counted_free(void *user, void *ptr, size_t size)
{
   edit_run *r = user;

   r->live -= size;
   free(ptr);
}

static void
complain(edit_run *r, const char *what)
{
   if (!r->fault[0])
      snprintf(r->fault, sizeof(r->fault), "%s", what);
}

#define demand(r, condition) ((condition) ? (void)0 : complain((r), "not so: " #condition))

/* A number below n. Bytes that have run out choose 0.
 */
static uint32_t
pick(edit_run *r, uint32_t n)
{
   if (r->bytes) {
      uint32_t value = 0;
      for (uint32_t limit = n; limit > 1 && r->num_bytes; limit >>= 8) {
         value = value << 8 | *r->bytes++;
         r->num_bytes--;
      }
      return n ? value % n : 0;
   }
   r->random ^= r->random << 13;
   r->random ^= r->random >> 7;
   r->random ^= r->random << 17;
   return n ? (uint32_t)(r->random >> 33) % n : 0;
}

/* Random things of the function, each as likely as the others of its kind. */

static hd_block *
pick_block(edit_run *r)
{
   uint32_t count = 0;

   hd_foreach_block(b, r->f)
      count++;
   uint32_t chosen = pick(r, count);
   hd_foreach_block(b, r->f) {
      if (!chosen--)
         return b;
   }
   return NULL;
}

static hd_cf_node *
pick_node(edit_run *r)
{
   uint32_t count = 0;

   hd_foreach_node(n, r->f)
      count += n->kind != HD_CF_BLOCK;
   uint32_t chosen = pick(r, count);
   hd_foreach_node(n, r->f) {
      if (n->kind != HD_CF_BLOCK && !chosen--)
         return n;
   }
   return NULL;
}

static bool
is_scalar(const hd_instr *i, unsigned bits)
{
   return i->def.bit_size == bits && i->def.num_components == 1;
}

static hd_def *
pick_def(edit_run *r, unsigned bits)
{
   uint32_t count = 0;

   hd_foreach_block(b, r->f) {
      hd_foreach_instr(i, b)
         count += is_scalar(i, bits);
   }
   uint32_t chosen = pick(r, count);
   hd_foreach_block(b, r->f) {
      hd_foreach_instr(i, b) {
         if (is_scalar(i, bits) && !chosen--)
            return &i->def;
      }
   }
   return NULL;
}

static hd_instr *
pick_instr(edit_run *r, const hd_block *b)
{
   uint32_t count = 0;

   hd_foreach_instr(i, b)
      count++;
   uint32_t chosen = pick(r, count);
   hd_foreach_instr(i, b) {
      if (!chosen--)
         return i;
   }
   return NULL;
}

static hd_cursor
pick_cursor_in(edit_run *r, hd_block *b)
{
   hd_instr *i = pick_instr(r, b);

   switch (i ? pick(r, 4) : pick(r, 2)) {
   case 0:
      return hd_before_block(b);
   case 1:
      return hd_after_block(b);
   case 2:
      return hd_before_instr(i);
   default:
      return hd_after_instr(i);
   }
}

static hd_cursor
pick_cursor(edit_run *r)
{
   return pick_cursor_in(r, pick_block(r));
}

/* The edits. Each returns false when it could not do its work for lack of memory. */

static bool
insert_alu(edit_run *r)
{
   bool compare = pick(r, 2);
   hd_alu *alu = hd_alu_create(r->shader, compare ? HD_OP_ULT : HD_OP_IADD, 2, 1, compare ? 1 : 32);

   if (!alu)
      return false;
   hd_instr_set_src(&alu->instr, 0, pick_def(r, 32));
   hd_instr_set_src(&alu->instr, 1, pick_def(r, 32));
   hd_instr_insert(pick_cursor(r), &alu->instr);
   return true;
}

static bool
insert_phi(edit_run *r)
{
   hd_block *b = pick_block(r);
   hd_def *srcs[64];

   if (b == hd_function_start(r->f) || b->num_preds > 64)
      return true;
   for (uint32_t n = 0; n < b->num_preds; n++)
      srcs[n] = pick_def(r, 32);
   return hd_phi_insert(b, 1, 32, srcs) != NULL;
}

static bool
insert_node(edit_run *r)
{
   if (pick(r, 3))
      return hd_insert_if(pick_cursor(r), pick_def(r, 1)) != NULL;
   return hd_insert_loop(pick_cursor(r)) != NULL;
}

/* Is the block in a continue list of its innermost loop? And is it right in such a list? */
static bool
in_continue_list(const hd_block *b, bool *directly)
{
   *directly = true;
   for (const hd_cf_list *list = b->node.list; list->parent; list = list->parent->list) {
      hd_loop *loop = hd_node_as_loop(list->parent);
      if (loop)
         return list == &loop->continue_list;
      *directly = false;
   }
   return false;
}

static bool
insert_jump(edit_run *r)
{
   hd_cursor c = pick_cursor(r);
   hd_block *b = hd_cursor_block(c);
   hd_jump_kind kind = (hd_jump_kind)pick(r, 4);
   bool directly, in_continue = in_continue_list(b, &directly);

   if (kind <= HD_JUMP_CONTINUE && !hd_node_loop(&b->node))
      return true;
   if (in_continue && (directly || kind == HD_JUMP_CONTINUE))
      return true;
   return hd_insert_jump(c, kind, NULL) != NULL;
}

static bool
remove_jump(edit_run *r)
{
   hd_jump *jump = hd_block_jump(pick_block(r));

   return !jump || hd_jump_remove(jump);
}

static bool
remove_node(edit_run *r)
{
   hd_cf_node *node = pick_node(r);

   return !node || hd_node_remove(node);
}

static bool
move_or_remove_instr(edit_run *r)
{
   hd_instr *i = pick_instr(r, pick_block(r));

   if (!i || i->kind == HD_INSTR_JUMP || i->kind == HD_INSTR_PARAM)
      return true;
   if (i->kind != HD_INSTR_PHI && pick(r, 2)) {
      hd_cursor c = pick_cursor(r);
      bool itself =
          (c.option == HD_CURSOR_BEFORE_INSTR || c.option == HD_CURSOR_AFTER_INSTR) && c.instr == i;
      if (!itself)
         hd_instr_move(c, i);
      return true;
   }
   if (i->def.bit_size) {
      hd_def *other = pick_def(r, i->def.bit_size);
      if (other == &i->def)
         return true;
      hd_def_replace_uses(&i->def, other);
   }
   hd_instr_remove(i);
   return true;
}

static bool
rewrite_src(edit_run *r)
{
   hd_instr *i = pick_instr(r, pick_block(r));

   if (i && hd_instr_num_srcs(i)) {
      hd_src *src = hd_instr_src(i, pick(r, hd_instr_num_srcs(i)));
      hd_src_set_def(src, pick_def(r, src->def->bit_size));
   }
   return true;
}

/* A place for code that was taken from `from`: the same loop, the same side of its continue list,
 * and not right in a continue list if the code ends in a jump.
 */
static bool
pick_home(edit_run *r, const hd_loop *loop, bool in_continue, bool jumps, hd_cursor *home)
{
   for (int tries = 0; tries < 20; tries++) {
      hd_cursor c = pick_cursor(r);
      bool directly, there = in_continue_list(hd_cursor_block(c), &directly);
      if (hd_node_loop(&hd_cursor_block(c)->node) == loop && there == in_continue &&
          !(there && directly && jumps)) {
         *home = c;
         return true;
      }
   }
   return false;
}

/* Two places of one list, the first not after the second. */
static void
pick_span(edit_run *r, hd_cursor *begin, hd_cursor *end)
{
   hd_block *b1 = pick_block(r), *b2 = b1;

   for (hd_cf_node *n = b1->node.next; n; n = n->next) {
      if (n->kind == HD_CF_BLOCK && pick(r, 2))
         b2 = hd_node_as_block(n);
   }
   *begin = pick_cursor_in(r, b1);
   *end = pick_cursor_in(r, b2);
   if (b1 != b2)
      return;
   /* Within one block: from a place to the end, or all of it. */
   if (pick(r, 2))
      *begin = hd_before_block(b1);
   else
      *end = hd_after_block(b1);
}

static bool
extract(edit_run *r)
{
   hd_cursor begin, end, home;
   hd_cf_range range;

   pick_span(r, &begin, &end);
   hd_block *b = hd_cursor_block(begin);
   const hd_loop *loop = hd_node_loop(&b->node);
   bool directly, in_continue = in_continue_list(b, &directly);
   if (!hd_cf_extract(&range, begin, end))
      return false;
   demand(r, r->f->num_extracted == 1);
   bool jumps = hd_block_jump(hd_list_last_block(range.list)) != NULL;
   bool put_back = pick(r, 4) && pick_home(r, loop, in_continue, jumps, &home);
   bool failing = r->fail;
   if (put_back && !hd_cf_reinsert(&range, home)) {
      demand(r, failing);
      put_back = false;
   }
   /* What is out must not stay out: memory is there again for this. */
   r->fail = false;
   if (!put_back)
      demand(r, hd_cf_delete(&range));
   r->fail = failing;
   demand(r, !range.list);
   return true;
}

/* Copy a list to a place that is not inside it, in the same loop. */
static bool
clone_list(edit_run *r)
{
   hd_cf_list *list = pick_block(r)->node.list;
   hd_block *first = hd_list_first_block(list);
   bool directly, in_continue = in_continue_list(first, &directly);
   bool jumps = hd_block_jump(hd_list_last_block(list)) != NULL;
   hd_cursor home;

   if (!pick_home(r, hd_node_loop(&first->node), in_continue, jumps, &home))
      return true;
   for (const hd_cf_list *l = hd_cursor_block(home)->node.list; l;
        l = l->parent ? l->parent->list : NULL) {
      if (l == list)
         return true;
   }
   return hd_cf_clone_and_reinsert(list, home, NULL);
}

static bool
remove_everything(edit_run *r)
{
   hd_cf_range range;

   if (!hd_cf_extract_list(&range, &r->f->body))
      return false;
   bool failing = r->fail;
   r->fail = false;
   demand(r, hd_cf_delete(&range));
   r->fail = failing;
   return true;
}

typedef bool (*edit)(edit_run *r);

/* As often as they stand here: so that functions grow to a hundred blocks between their losses. */
static const edit edits[] = {
   insert_alu,  insert_alu,  insert_alu,  insert_alu,  insert_alu,  insert_alu,
   insert_alu,  insert_alu,  insert_node, insert_node, insert_node, insert_node,
   insert_node, insert_node, insert_node, insert_phi,  insert_phi,  insert_phi,
   rewrite_src, rewrite_src, remove_jump, remove_node, insert_jump, move_or_remove_instr,
   extract,     extract,     clone_list,
};

static void
reserve_values(edit_run *r)
{
   /* At least one value of each type that the edits look for. */
   if (pick_def(r, 32) && pick_def(r, 1))
      return;
   for (unsigned bits = 1; bits <= 32; bits += 31) {
      hd_const *c = hd_const_create(r->shader, 1, bits, NULL);
      hd_instr_insert(hd_before_block(hd_function_start(r->f)), &c->instr);
   }
}

void
edit_run_begin(edit_run *r, uint64_t seed, const uint8_t *bytes, size_t num_bytes)
{
   hd_config config = { .allocator = { r, counted_alloc, counted_free } };

   memset(r, 0, sizeof(*r));
   r->bytes = bytes;
   r->num_bytes = num_bytes;
   r->random = seed * 0x9e3779b97f4a7c15u | 1;
   r->shader = hd_shader_create(&config, HD_STAGE_COMPUTE, "edits");
   r->f = hd_function_create(r->shader, "main", true);
   hd_function_add_param(r->f, 1, 32);
}

/* A step for which there was no memory left no trace. */
static void
check_failed_step(edit_run *r, const char *before)
{
   demand(r, r->fail);
   demand(r, hd_shader_status(r->shader) == HD_OUT_OF_MEMORY);
   hd_shader_clear_status(r->shader);
   if (!before)
      return;
   char *after = naive_picture(r->f);
   demand(r, !strcmp(before, after));
   free(after);
}

const char *
edit_run_step(edit_run *r)
{
   edit e = edits[pick(r, sizeof(edits) / sizeof(edits[0]))];

   /* Indices of removed blocks stay given out; what is left after a new count is the true size. */
   if (r->f->num_blocks > 400) {
      hd_function_reindex(r->f);
      if (r->f->num_blocks > 200)
         e = remove_everything;
   }
   reserve_values(r);
   r->fail = pick(r, 4) == 1;
   /* This one consists of several calls, so half of it may have been done. */
   bool atomic = e != extract;
   char *before = r->fail && atomic ? naive_picture(r->f) : NULL;
   if (!e(r))
      check_failed_step(r, before);
   free(before);
   r->fail = false;
   if (r->f->num_extracted) {
      complain(r, "code is left outside");
      return r->fault;
   }
   const char *fault = naive_check(r->f);
   if (fault)
      complain(r, fault);
   return r->fault[0] ? r->fault : NULL;
}

const char *
edit_run_end(edit_run *r)
{
   hd_function_remove(r->f);
   /* Strings, tables and the shader itself: everything of the function is gone. */
   demand(r, hd_shader_memory(r->shader).live < 2000);
   hd_shader_destroy(r->shader);
   demand(r, r->live == 0);
   return r->fault[0] ? r->fault : NULL;
}
