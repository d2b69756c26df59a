/* SPDX-License-Identifier: MIT */
/* structurize.c - hd_structurize: any CFG to a tree of ifs and loops; the steps in order. plan.h has
 * the algorithm.
 */
#include "structurize/body.h"
#include "structurize/exit_phis.h"
#include "structurize/keep_uniform.h"
#include "structurize/late_entry_phis.h"
#include "structurize/merge_phis.h"
#include "structurize/repair.h"
#include "structurize/tree.h"

/* How often it is collected what lanes have to read as they arrive. Seldom more than once. */
#define MAX_TRIES 8u

struct structurize {
   hd_function *f;
   const hd_structurize_options *options;
   hd_function *work;  /* a copy of f, or f itself */
   hd_cf_node *old;    /* what is no longer, or not yet, in a list of `work` */
   uint8_t *divergent; /* by definition's index, of f */
   uint8_t *exit_phis; /* by definition's index, of f: see exit_phis.h; or NULL */
   uint32_t num_phis;  /* of f */
   /* Nothing but ifs, and none of them a test: lanes go the ways that they went, so that what
    * dominated still does and nothing is carried. Divergence is not needed.
    */
   bool plain;
   hd_structurize_stats stats;
};

static void
count_phis(struct structurize *s, const plan *p)
{
   for (uint32_t i = 0; i < p->num_blocks; i++) {
      hd_foreach_phi(phi, p->block[i])
         s->num_phis += phi != NULL;
   }
}

/* What is asked of f before anything changes. */
static void
read_values(struct structurize *s, plan *p)
{
   hd_require(s->f, HD_META_DIVERGENCE);
   hd_plan_read_divergence(p);
   s->divergent = hd_stack_alloc_zero(hd_shader_stack(s->f->shader), s->f->num_defs + 1);
   hd_foreach_block(b, s->f) {
      hd_foreach_instr(i, b) {
         if (hd_instr_def(i))
            s->divergent[i->def.index] = !hd_def_is_uniform(&i->def);
      }
   }
}

static void
count_before(struct structurize *s, const plan *p)
{
   for (uint32_t i = 0; i < p->num_blocks; i++) {
      if (p->block[i]->num_succs > 1)
         s->stats.branches_before += p->block[i]->num_succs - 1;
   }
}

/* What is there beyond the input's phis and the selectors are edge phis and value phis. */
static void
count_after(struct structurize *s, uint32_t num_value_phis)
{
   hd_structurize_stats *stats = &s->stats;
   uint32_t num_phis = 0, num_before = stats->selector_phis + s->num_phis;

   hd_foreach_node(n, s->work)
      stats->branches_after += n->kind == HD_CF_IF;
   hd_foreach_block(b, s->work) {
      hd_foreach_phi(phi, b)
         num_phis += phi != NULL;
   }
   uint32_t num_more = num_phis > num_before ? num_phis - num_before : 0;
   stats->value_phis = num_value_phis < num_more ? num_value_phis : num_more;
   stats->edge_phis = num_more - stats->value_phis;
}

/* Phis of the input stay apart; what was made to carry values does not. `num_defs` were there
 * before phis of values were made.
 */
static void
merge_phis(struct structurize *s, const tree_builder *t, uint32_t num_before, uint32_t num_defs)
{
   uint8_t *divergent = hd_stack_alloc_zero(t->stack, num_defs + 1);
   uint8_t *kept = hd_stack_alloc_zero(t->stack, num_defs + 1);

   memcpy(divergent, s->divergent, num_before);
   for (uint32_t k = 0; k < t->key_begin[t->p->num_blocks]; k++)
      kept[t->arrived[k]->index] = true;
   hd_merge_phis(s->work, divergent, kept, num_defs);
}

/* A tree whose end control could reach must return a value there, if it has one: it cannot. */
static void
end_body(hd_function *f)
{
   hd_block *last = hd_list_last_block(&f->body);

   if (!f->result_components || hd_block_jump(last))
      return;
   hd_instr *undef = hd_undef_create(f->shader, f->result_components, f->result_bits);
   hd_instr_insert(hd_before_block(last), undef);
   hd_insert_jump_to(hd_after_block(last), HD_JUMP_RETURN, &undef->def, &f->end);
}

static void
make_copy(struct structurize *s, const plan *p, tree_builder *t)
{
   s->work = hd_body_copy(s->f);
   if (hd_has_late_values(s->f))
      hd_split_late_values(s->work);
   if (s->exit_phis) {
      t->first_exit_phi = s->work->num_defs;
      hd_exit_phis_add(s->work, s->exit_phis, s->f->num_defs);
   }
   hd_block **by_index = hd_stack_alloc(p->stack, (s->f->num_blocks + 1) * sizeof(*by_index));
   hd_foreach_block(b, s->work)
      by_index[b->node.index] = b;
   for (uint32_t i = 0; i < p->num_blocks; i++)
      t->old[i] = by_index[p->block[i]->node.index];
}

/* Nothing needs f as it was: inside a pass, which gives no promise for when it is stopped, and
 * where no phi of f is asked for again when the tree is there.
 */
static bool
may_work_in_place(const struct structurize *s)
{
   return hd_shader_heap(s->f->shader)->unwind->outer && !s->num_phis && !s->exit_phis &&
          !hd_has_late_values(s->f);
}

/* Values reach their readers again; phis that complement each other are one. */
static void
repair_values(struct structurize *s, const tree_builder *t, uint32_t num_before,
              uint32_t *num_value_phis)
{
   hd_function *f = s->work;
   const uint32_t undefs = hd_num_start_undefs(f), num_defs = f->num_defs;

   if (f == s->f) {
      /* No more blocks are made. The pass that comes next will ask for more than the repair does.
       */
      hd_number_blocks(f);
      hd_require(f, HD_META_BLOCK_ORDER | HD_META_DOMINANCE | HD_META_CYCLES);
   }
   hd_repair_ssa(f, num_value_phis);
   s->stats.constants += hd_num_start_undefs(f) - undefs;
   merge_phis(s, t, num_before, num_defs);
}

/* Carry out the plan: on a new copy, or in place. */
static void
carry_out(struct structurize *s, plan *p, bool thorough, const bool *read, tree_builder *t)
{
   const uint32_t num_before = s->f->num_defs;

   *t = (tree_builder){ .thorough = thorough, .read = read };
   t->old = hd_stack_alloc(p->stack, (p->num_blocks + 1) * sizeof(*t->old));
   if (may_work_in_place(s)) {
      s->work = s->f;
      memcpy(t->old, p->block, p->num_blocks * sizeof(*t->old));
   } else {
      make_copy(s, p, t);
   }
   t->p = p;
   t->f = s->work;
   s->stats = (hd_structurize_stats){ 0 };
   count_before(s, p);
   t->stats = s->stats;
   s->old = s->work->body.first;
   hd_tree_build(t);
   s->old = NULL;
   end_body(s->work);
   s->stats = t->stats;
   uint32_t num_value_phis = 0;
   if (!s->plain)
      repair_values(s, t, num_before, &num_value_phis);
   count_after(s, num_value_phis);
}

/* Is a phi divergent now that was uniform? Only where there are branches of both kinds can it be.
 */
static bool
lost_uniformity(struct structurize *s, const tree_builder *t)
{
   const plan *p = t->p;
   const uint32_t num = t->key_begin[p->num_blocks];
   bool lost = false;

   if (!t->keeps_flags || !num)
      return false;
   bool *uniform = hd_stack_alloc(hd_shader_stack(s->f->shader), num);
   hd_require(s->work, HD_META_DIVERGENCE);
   for (uint32_t b = 0; b < p->num_blocks; b++) {
      uint32_t number = 0;
      hd_foreach_phi(phi, p->block[b])
         uniform[number++] = hd_def_is_uniform(&phi->instr.def);
      for (uint32_t k = t->key_begin[b]; k < t->key_begin[b + 1]; k++)
         lost |= t->keys[k].number < number && uniform[t->keys[k].number] &&
                 !hd_def_is_uniform(t->arrived[k]);
   }
   return lost;
}

/* What facts do not show is read from a lane. Phis of the input are other values now. Where one of
 * them cannot be read here the answer is false, and it is added to `read`, by index in `keys`: to
 * be read as its lanes arrive.
 */
static bool
keep_uniform(struct structurize *s, const tree_builder *t, bool *read)
{
   const plan *p = t->p;
   const hd_uniforms before = hd_uniforms_find(s->f);
   hd_uniforms u = { .num_values = s->work->num_defs };
   uint8_t *uniform = hd_stack_alloc(t->stack, t->key_begin[p->num_blocks] + 1);

   u.value = hd_stack_alloc_zero(t->stack, u.num_values + 1);
   u.at = hd_stack_alloc_zero(t->stack, (u.num_values + 1) * sizeof(*u.at));
   u.unread = hd_stack_alloc_zero(t->stack, u.num_values + 1);
   memcpy(u.value, before.value, before.num_values);
   for (uint32_t b = 0; b < p->num_blocks; b++) {
      uint32_t number = 0;
      hd_foreach_phi(phi, p->block[b])
         uniform[number++] = before.value[phi->instr.def.index];
      for (uint32_t k = t->key_begin[b]; k < t->key_begin[b + 1]; k++) {
         const uint32_t value = t->arrived[k]->index;
         if (t->keys[k].number >= number || !uniform[t->keys[k].number])
            continue;
         u.value[value] = true;
         if (!u.at[value])
            u.at[value] = t->arrived_at[k];
      }
   }
   s->stats.instructions += hd_keep_uniform(s->work, &u);
   for (uint32_t k = 0; u.num_unread && k < t->key_begin[p->num_blocks]; k++)
      read[k] |= u.unread[t->arrived[k]->index];
   return !u.num_unread;
}

static void
make_tree(struct structurize *s)
{
   tree_builder t;
   plan p;

   hd_require(s->f, HD_META_CYCLES);
   hd_plan_read(&p, s->f);
   hd_plan_make(&p);
   count_phis(s, &p);
   s->plain = !p.num_groups && !p.num_cycles && !s->num_phis;
   if (!s->plain) {
      read_values(s, &p);
      s->exit_phis = hd_exit_phis_find(s->f);
   }
   if (s->options && s->options->explain)
      hd_plan_explain(&p, s->options->user, s->options->explain);
   carry_out(s, &p, false, NULL, &t);
   if (lost_uniformity(s, &t)) {
      bool *read = hd_stack_alloc_zero(p.stack, t.key_begin[p.num_blocks] * sizeof(*read));
      uint32_t tries = 0;
      do {
         hd_body_drop(s->work);
         s->work = NULL;
         carry_out(s, &p, true, read, &t);
      } while (lost_uniformity(s, &t) && !keep_uniform(s, &t, read) && ++tries < MAX_TRIES);
   }
   if (s->work != s->f || s->plain)
      hd_number_blocks(s->work);
   hd_number_values(s->work);
}

/* Nothing is lost of what an unwinding found out of its list. */
static void
reattach(struct structurize *s)
{
   if (!s->work || !s->old || s->work->body.first == s->old)
      return;
   hd_cf_node *last = s->work->body.last;
   last->next = s->old;
   s->old->prev = last;
   while (last->next)
      last = last->next;
   s->work->body.last = last;
}

hd_result
hd_structurize(hd_function *f, const hd_structurize_options *options)
{
   hd_heap *heap = hd_shader_heap(f->shader);
   hd_stack *stack = hd_shader_stack(f->shader);
   hd_stack_mark mark = hd_stack_get_mark(stack);
   struct structurize s = { .f = f, .options = options };
   hd_unwind u;

   if (f->structured) {
      if (options && options->stats)
         *options->stats = (hd_structurize_stats){ 0 };
      return HD_OK;
   }
   hd_result result = hd_body_begin(f);
   if (result != HD_OK)
      return result;
   if (HD_TRY(heap, &u))
      make_tree(&s);
   result = hd_heap_leave(heap, &u);
   if (s.work == f) {
      f->meta_valid &= result == HD_OK ? HD_META_GRAPH : 0;
   } else if (result == HD_OK) {
      hd_body_swap(f, s.work);
   } else {
      reattach(&s);
      hd_body_drop(s.work);
   }
   hd_stack_release(stack, mark);
   if (result == HD_OK && options && options->stats)
      *options->stats = s.stats;
   return result;
}
