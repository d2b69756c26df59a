/* SPDX-License-Identifier: MIT */
/* tree.c - the validator's checks of the tree's links; collects its blocks in text order.
 *
 * The walk keeps its own stack of open lists and follows a link only after it was seen to agree
 * with the one back. Where links disagree it reports that once and leaves the list there; all rules
 * that need the whole tree are then not checked.
 */
#include "check.h"

/* A list that the walk is inside of. */
typedef struct frame {
   hd_cf_list *list;
   hd_cf_node *owner; /* NULL for the body */
   hd_loop *loop;     /* innermost around what is in the list */
   bool in_continue;
} frame;

typedef struct walk {
   check *c;
   frame *frames;
   uint32_t depth, capacity;
} walk;

void *
hd_check_grow(check *c, void *array, uint32_t *capacity, uint32_t needed, size_t size)
{
   uint32_t larger = *capacity > UINT32_MAX / 2 ? UINT32_MAX : *capacity * 2;

   if (needed <= *capacity)
      return array;
   if (larger < needed)
      larger = needed < 16 ? 16 : needed;
   char *grown = hd_stack_alloc(c->stack, (size_t)larger * size);
   if (array)
      memcpy(grown, array, (size_t)*capacity * size);
   *capacity = larger;
   return grown;
}

static const char *
list_name(const hd_cf_list *list, const hd_cf_node *owner)
{
   if (!owner)
      return "the body of the function";
   if (owner->kind == HD_CF_IF)
      return list == &((const hd_if *)owner)->then_list ? "the then-list" : "the else-list";
   return list == &((const hd_loop *)owner)->body ? "the body" : "the continue list";
}

/* Open a list if its head is sound. */
static void
enter(walk *w, hd_cf_list *list, hd_cf_node *owner, hd_loop *loop, bool in_continue)
{
   check *c = w->c;
   place where = owner ? at_node(owner) : at_function();
   const char *name = list_name(list, owner);

   if (!list->first || !list->last) {
      hd_check_report(c, c->f->structured ? RULE_CF3 : RULE_CF2, where, "%s is empty", name);
      return;
   }
   if (list->parent != owner || list->function != c->f) {
      hd_check_report(c, RULE_CF2, where, "%s names another %s", name,
                      list->parent != owner ? "parent" : "function");
      return;
   }
   if (list->first->prev || list->first->list != list) {
      hd_check_report(c, RULE_CF2, where, "the first node of %s says that it is elsewhere", name);
      return;
   }
   w->frames = hd_check_grow(c, w->frames, &w->capacity, w->depth + 1, sizeof(*w->frames));
   w->frames[w->depth++] =
       (frame){ .list = list, .owner = owner, .loop = loop, .in_continue = in_continue };
}

static void
add_block(check *c, const frame *at, hd_block *b)
{
   c->blocks =
       hd_check_grow(c, c->blocks, &c->blocks_capacity, c->num_blocks + 1, sizeof(*c->blocks));

   c->declares |= b->node.header || b->loop_header || b->continues;
   const hd_cf_node *before = b->node.prev;
   bool first_of_loop = !before && at->owner && at->owner->kind == HD_CF_LOOP;

   bool first = c->num_blocks == 0;
   c->blocks[c->num_blocks++] = (block_info){
      .block = b,
      .loop = at->loop,
      .in_continue = at->in_continue,
      .may_have_phis =
          c->f->structured ? first_of_loop || (before && before->kind != HD_CF_BLOCK) : !first,
      .ends_continue = !b->node.next && at->owner && at->owner->kind == HD_CF_LOOP &&
                       at->list == &((const hd_loop *)at->owner)->continue_list,
   };
}

/* The rules on one node of a list; false when the walk can't go on from it. */
static bool
check_node(walk *w, const frame *at, hd_cf_node *n)
{
   check *c = w->c;
   bool is_block = n->kind == HD_CF_BLOCK;

   if (!is_block && !c->f->structured) {
      hd_check_report(c, RULE_CF10, at_node(n), "%s in a flat function",
                      n->kind == HD_CF_IF ? "an if" : "a loop");
      return false;
   }
   if (c->f->structured && is_block == (n->prev && n->prev->kind == HD_CF_BLOCK)) {
      hd_check_report(c, RULE_CF1, at_node(n), "%s follows %s", is_block ? "a block" : "a node",
                      is_block  ? "a block"
                      : n->prev ? "a node"
                                : "nothing");
      return false;
   }
   if (n->next ? n->next->prev != n || n->next->list != at->list : at->list->last != n) {
      hd_check_report(c, RULE_CF2, at_node(n), "%s does not point back at it",
                      n->next ? "the node after it" : "the list");
      return false;
   }
   if (!n->next && !is_block) {
      hd_check_report(c, RULE_CF1, at_node(n), "a list ends with it");
      return false;
   }
   return true;
}

/* Open the list after the one that ends, if its owner has two; or go on after the owner, which is
 * not the last of its list, or it would not have been opened.
 */
static hd_cf_node *
leave(walk *w)
{
   frame at = w->frames[--w->depth];
   uint32_t depth = w->depth;

   if (!at.owner)
      return NULL;
   if (at.owner->kind == HD_CF_IF) {
      hd_if *nif = (hd_if *)at.owner;
      if (at.list == &nif->then_list)
         enter(w, &nif->else_list, at.owner, at.loop, at.in_continue);
   } else {
      hd_loop *loop = (hd_loop *)at.owner;
      if (at.list == &loop->body)
         enter(w, &loop->continue_list, at.owner, loop, true);
   }
   return w->depth > depth ? w->frames[depth].list->first : at.owner->next;
}

/* Open a node's lists; the first node inside. */
static hd_cf_node *
descend(walk *w, hd_cf_node *n)
{
   check *c = w->c;
   frame at = w->frames[w->depth - 1];
   uint32_t depth = w->depth;

   if (n->kind == HD_CF_IF) {
      hd_if *nif = (hd_if *)n;
      uint32_t blocks_capacity = c->ifs_capacity;
      c->ifs = hd_check_grow(c, c->ifs, &c->ifs_capacity, c->num_ifs + 1, sizeof(*c->ifs));
      c->if_block =
          hd_check_grow(c, c->if_block, &blocks_capacity, c->num_ifs + 1, sizeof(*c->if_block));
      c->if_block[c->num_ifs] = c->num_blocks - 1;
      c->ifs[c->num_ifs++] = nif;
      enter(w, &nif->then_list, n, at.loop, at.in_continue);
      if (w->depth == depth)
         enter(w, &nif->else_list, n, at.loop, at.in_continue);
   } else {
      hd_loop *loop = (hd_loop *)n;
      c->loops =
          hd_check_grow(c, c->loops, &c->loops_capacity, c->num_loops + 1, sizeof(*c->loops));
      c->loops[c->num_loops++] = loop;
      enter(w, &loop->body, n, loop, false);
      if (w->depth == depth)
         enter(w, &loop->continue_list, n, loop, true);
   }
   return w->depth > depth ? w->frames[depth].list->first : NULL;
}

/* CF16. Indices are looked up in a table that is as long as the largest valid one. */
static void
check_indices(check *c)
{
   uint32_t size = 0;

   for (uint32_t i = 0; i < c->num_blocks; i++) {
      uint32_t index = c->blocks[i].block->node.index;
      if (index < c->f->num_blocks && index >= size)
         size = index + 1;
   }
   c->block_table_size = size;
   c->block_place = hd_stack_alloc(c->stack, ((size_t)size + 1) * sizeof(uint32_t));
   memset(c->block_place, 0xff, (size_t)size * sizeof(uint32_t));
   for (uint32_t i = 0; i < c->num_blocks; i++) {
      hd_block *b = c->blocks[i].block;
      if (b->node.index >= c->f->num_blocks)
         hd_check_report(c, RULE_CF16, at_block(b), "b%u is not below %u", b->node.index,
                         c->f->num_blocks);
      else if (c->block_place[b->node.index] != NOT_IN_TABLE)
         hd_check_report(c, RULE_CF16, at_block(b), "two blocks are b%u", b->node.index);
      else
         c->block_place[b->node.index] = i;
   }
}

void
hd_check_tree(check *c)
{
   hd_function *f = c->f;
   walk w = { .c = c };
   hd_cf_node *n = NULL;
   uint32_t likely = f->num_blocks < 1u << 16 ? f->num_blocks + 1 : 1u << 16;

   c->blocks = hd_check_grow(c, NULL, &c->blocks_capacity, likely, sizeof(*c->blocks));

   if (f->structured || (f->body.first && f->body.last))
      enter(&w, &f->body, NULL, NULL, false);
   else
      hd_check_report(c, RULE_CF2, at_function(), "it has no blocks");
   if (w.depth)
      n = f->body.first;
   while (n) {
      frame at = w.frames[w.depth - 1];
      hd_cf_node *next = NULL;

      steps(c, 1);
      if (check_node(&w, &at, n)) {
         if (n->loc >= c->shader->num_locations)
            hd_check_report(c, RULE_OP15, at_node(n), "location %u of %u", n->loc,
                            c->shader->num_locations);
         if (n->kind == HD_CF_BLOCK)
            add_block(c, &at, (hd_block *)n);
         else
            next = descend(&w, n);
         if (!next)
            next = n->next;
      }
      n = next ? next : leave(&w);
   }
   check_indices(c);
}
