/* SPDX-License-Identifier: MIT */
/* reconverge_build.c - flow blocks are made, edges led into them, and their tests written.
 *
 * A flow block tests whether a lane waits for its place. Where only one other place is waited for,
 * the test is a phi of one bit: true or false by the edge a lane came by, or the condition of a
 * branch both of whose edges go into the flow block, which then is a branch no more. Where more
 * are, the phi is a number, each place having its own, and is compared.
 */
#include "heddle/ops.h"
#include "structurize/reconverge.h"
#include "structurize/repair.h"

struct build {
   rc *r;
   hd_function *f;
   hd_shader *shader;
   hd_def *bool_const[2];
   hd_def **number; /* by place: the constant of its number */
   uint32_t num_numbers;
   unsigned number_bits;
   hd_def *undef[HD_MAX_COMPONENTS + 1][65]; /* by components and bits */
   uint32_t *pred_of; /* by edge: its place among the predecessors of its flow block */
};

/* Values */

static hd_def *
insert_const(struct build *b, unsigned bits, uint64_t value)
{
   hd_const_value v = { .u64 = value };
   hd_const *c = hd_const_create(b->shader, 1, bits, &v);

   hd_instr_insert(hd_after_phis(hd_function_start(b->f)), &c->instr);
   b->r->stats.constants++;
   return &c->instr.def;
}

static hd_def *
bool_const(struct build *b, bool value)
{
   if (!b->bool_const[value])
      b->bool_const[value] = insert_const(b, 1, value);
   return b->bool_const[value];
}

static hd_def *
number_of(struct build *b, uint32_t place)
{
   if (!b->number[place])
      b->number[place] = insert_const(b, b->number_bits, b->num_numbers++);
   return b->number[place];
}

/* An undef that dominates everything. */
static hd_def *
undef_of(struct build *b, unsigned num_components, unsigned bits)
{
   hd_def **made = &b->undef[num_components][bits];

   if (!*made) {
      hd_instr *undef = hd_undef_create(b->shader, num_components, bits);
      hd_instr_insert(hd_after_phis(hd_function_start(b->f)), undef);
      b->r->stats.constants++;
      *made = &undef->def;
   }
   return *made;
}

static hd_def *
insert_alu(struct build *b, hd_block *at, hd_op op, unsigned bits, unsigned num,
           hd_def *const *srcs)
{
   hd_alu *alu = hd_alu_create(b->shader, op, num, 1, bits);

   for (unsigned n = 0; n < num; n++)
      hd_src_set(&alu->instr, n, srcs[n]);
   hd_instr_insert(hd_before_jump(at), &alu->instr);
   b->r->stats.instructions++;
   return &alu->instr.def;
}

static hd_def *
def_of(struct build *b, rc_value value, const hd_def *like)
{
   if (value.def || value.phi)
      return value.def ? value.def : value.phi->def;
   return undef_of(b, like->num_components, like->bit_size);
}

/* Edges */

/* Let succs[n] go to a block without phis. */
static void
redirect(hd_block *b, uint32_t n, hd_block *to)
{
   hd_edge_reserve(NULL, 0, to, 1);
   hd_pred_remove(b, n);
   b->succs[n] = (hd_edge){ to, to->num_preds };
   to->preds[to->num_preds++] = (hd_pred){ b, n };
}

static void
add_jump(struct build *b, hd_block *from, hd_jump_kind kind, hd_def *value)
{
   hd_jump *jump = hd_jump_create(b->shader, kind, value != NULL, 0);

   jump->src[0].def = value;
   hd_instr_append(from, &jump->instr);
}

/* A new edge with a source for each phi. `values` NULL: nobody takes it. */
static void
add_edge(struct build *b, hd_block *from, hd_block *to, const rc_value *values)
{
   uint32_t n = 0;

   hd_edge_add(from, to);
   hd_foreach_phi(phi, to) {
      rc_value value = values ? values[n++] : (rc_value){ NULL, NULL };
      hd_phi_reserve(phi, phi->num_srcs + 1);
      hd_phi_add_src(phi, def_of(b, value, &phi->instr.def));
   }
}

static hd_block *
new_block(struct build *b, hd_block *inside)
{
   hd_block *block = hd_flat_block_create(b->f);

   if (b->r->declares)
      block->inside = inside;
   return block;
}

/* An edge of a switch that has another one into the same flow block: through a block of its own. */
static hd_block *
make_detour(struct build *b, rc_edge *e, hd_block *flow)
{
   rc *r = b->r;
   const rc_place *p = &r->places[e->from];
   hd_block *detour = new_block(b, p->cycle ? p->block : p->inside);

   e->detour = r->num_detours;
   r->detours[r->num_detours++] = detour;
   redirect(p->block, e->succ, detour);
   add_jump(b, detour, HD_JUMP_GOTO, NULL);
   hd_edge_add(detour, flow);
   return detour;
}

/* The condition of a branch whose edges both go into one flow block: it is a branch no more. */
static void
replace_branch(struct build *b, uint32_t place, hd_block *flow)
{
   rc_place *p = &b->r->places[place];
   rc_edge *e = &b->r->edges[p->first_edge];
   hd_jump *jump = hd_block_jump(p->block);
   uint32_t loc = jump->instr.loc;

   e[0].decided_by = e[1].decided_by = jump->src[0].def;
   b->pred_of[p->first_edge] = b->pred_of[p->first_edge + 1] = flow->num_preds;
   hd_flat_clear_jump(p->block);
   add_jump(b, p->block, HD_JUMP_GOTO, NULL);
   p->block->last->loc = loc;
   hd_edge_add(p->block, flow);
}

static void
lead_edges(struct build *b, uint32_t place, uint32_t *came_from)
{
   rc *r = b->r;
   rc_place *p = &r->places[place];
   rc_edge *e = &r->edges[p->first_edge];
   uint32_t num = p->block->num_succs;

   if (hd_block_jump(p->block)->instr.op == HD_JUMP_GOTO_IF && e[0].into != NONE &&
       e[0].into == e[1].into) {
      replace_branch(b, place, r->flows[e[0].into].block);
      return;
   }
   for (uint32_t n = 0; n < num; n++) {
      if (e[n].into == NONE)
         continue;
      hd_block *flow = r->flows[e[n].into].block;
      b->pred_of[p->first_edge + n] = flow->num_preds;
      if (hd_block_is_end(p->block->succs[n].to)) {
         hd_flat_clear_jump(p->block);
         add_jump(b, p->block, HD_JUMP_GOTO, NULL);
         hd_edge_add(p->block, flow);
      } else if (came_from[e[n].into] == place) {
         make_detour(b, &e[n], flow);
      } else {
         redirect(p->block, n, flow);
      }
      came_from[e[n].into] = place;
   }
}

/* Flow blocks */

static hd_def *
make_phi(hd_block *block, unsigned num_components, unsigned bits, hd_def *const *srcs)
{
   uint32_t n = 0;

   while (n < block->num_preds && srcs[n] == srcs[0])
      n++;
   if (n == block->num_preds)
      return srcs[0];
   return &hd_phi_insert(block, num_components, bits, srcs)->instr.def;
}

static void
make_value_phis(struct build *b, const rc_flow *f, hd_def **srcs)
{
   for (rc_phi *phi = f->first_phi; phi; phi = phi->next) {
      for (uint32_t n = 0; n < f->block->num_preds; n++)
         srcs[n] = NULL;
      for (const rc_phi_src *s = phi->srcs; s; s = s->next)
         srcs[b->pred_of[s->edge]] =
             s->value.def || !s->value.phi ? s->value.def : s->value.phi->def;
      for (uint32_t n = 0; n < f->block->num_preds; n++) {
         if (!srcs[n])
            srcs[n] = undef_of(b, phi->num_components, phi->bit_size);
      }
      phi->def = &hd_phi_insert(f->block, phi->num_components, phi->bit_size, srcs)->instr.def;
      b->r->stats.edge_phis++;
   }
}

/* Does a lane that comes by this edge wait for the place of the flow block? Of two places. */
static hd_def *
test_of_edge(struct build *b, const rc_flow *f, const rc_edge *e, bool when)
{
   rc *r = b->r;

   if (rc_target(r, e) == e->last)
      return bool_const(b, (e->last == f->place) == when);
   /* It comes from another flow block that leads to these two. */
   const rc_flow *from = &r->flows[e->flow];
   uint32_t wanted = when ? f->place : r->edges[f->rest].last;
   return insert_alu(b, from->block, HD_OP_IEQ, 1, 2,
                     (hd_def *[]){ from->selector, number_of(b, wanted) });
}

/* A selector's source for the edges of one predecessor: `second` is NULL, or the other edge of a
 * branch that was replaced.
 */
static hd_def *
select_place(struct build *b, const rc_flow *f, const rc_edge *first, const rc_edge *second,
             bool when)
{
   rc *r = b->r;

   if (!f->several && !second)
      return test_of_edge(b, f, first, when);
   if (!second)
      return rc_target(r, first) == first->last ? number_of(b, first->last)
                                                : r->flows[first->flow].selector;
   if (f->several)
      return insert_alu(
          b, r->places[first->from].block, HD_OP_SELECT, b->number_bits, 3,
          (hd_def *[]){ first->decided_by, number_of(b, first->last), number_of(b, second->last) });
   if ((first->last == f->place) == when)
      return first->decided_by;
   return insert_alu(b, r->places[first->from].block, HD_OP_INOT, 1, 1,
                     (hd_def *[]){ first->decided_by });
}

/* Whether the test is of the place itself or of the other one: as fewer conditions must be turned
 * round.
 */
static bool
tests_place(const struct build *b, const rc_flow *f)
{
   int balance = 0;

   for (uint32_t n = f->first_in; n != NONE; n = b->r->edges[n].next_in_flow) {
      const rc_edge *e = &b->r->edges[n];
      if (e->decided_by && e->succ == 0)
         balance += e->last == f->place ? 1 : -1;
   }
   return balance >= 0;
}

static hd_def *
make_test(struct build *b, rc_flow *f, bool when, hd_def **srcs)
{
   rc *r = b->r;
   struct {
      const rc_edge *first, *second;
   } *edges = hd_stack_alloc_zero(r->stack, f->block->num_preds * sizeof(*edges));

   if (f->never)
      return bool_const(b, true);
   for (uint32_t n = f->first_in; n != NONE; n = r->edges[n].next_in_flow) {
      const rc_edge *e = &r->edges[n], **first = &edges[b->pred_of[n]].first;
      const rc_edge **second = &edges[b->pred_of[n]].second;
      bool swap = *first && e->succ == 0;
      *second = swap ? *first : *first ? e : NULL;
      if (swap || !*first)
         *first = e;
   }
   for (uint32_t n = 0; n < f->block->num_preds; n++)
      srcs[n] = select_place(b, f, edges[n].first, edges[n].second, when);
   hd_def *test = make_phi(f->block, 1, f->several ? b->number_bits : 1, srcs);
   r->stats.selector_phis += f->block->num_preds > 1;
   if (!f->several)
      return test;
   f->selector = test;
   hd_alu *alu = hd_alu_create(b->shader, HD_OP_IEQ, 2, 1, 1);
   hd_src_set(&alu->instr, 0, test);
   hd_src_set(&alu->instr, 1, number_of(b, f->place));
   hd_instr_insert(hd_after_phis(f->block), &alu->instr);
   r->stats.instructions++;
   return &alu->instr.def;
}

static hd_block *
block_of(const rc *r, const rc_edge *e)
{
   return e->into != NONE ? r->flows[e->into].block : r->places[rc_target(r, e)].block;
}

static void
finish_flow(struct build *b, rc_flow *f)
{
   rc *r = b->r;
   hd_stack_mark mark = hd_stack_get_mark(r->stack);
   hd_def **srcs = hd_stack_alloc(r->stack, f->block->num_preds * sizeof(*srcs));

   make_value_phis(b, f, srcs);
   if (f->rest == NONE) {
      hd_def *value = NULL;
      hd_def like = { .num_components = b->f->result_components, .bit_size = b->f->result_bits };
      if (b->f->result_components)
         value = def_of(b, f->values ? f->values[0] : (rc_value){ NULL, NULL }, &like);
      add_jump(b, f->block, r->only_halts ? HD_JUMP_HALT : HD_JUMP_RETURN,
               r->only_halts ? NULL : value);
      hd_edge_add(f->block, &b->f->end);
   } else {
      const rc_edge *rest = &r->edges[f->rest];
      bool when = f->several || f->never || tests_place(b, f);
      hd_def *test = make_test(b, f, when, srcs);
      hd_block *here = r->places[f->place].block, *there = block_of(r, rest);

      add_jump(b, f->block, HD_JUMP_GOTO_IF, test);
      b->pred_of[f->rest] = there->num_preds;
      if (when)
         add_edge(b, f->block, here, f->values);
      add_edge(b, f->block, there, rest->into != NONE ? NULL : rest->values);
      if (!when)
         add_edge(b, f->block, here, f->values);
   }
   hd_stack_release(r->stack, mark);
}

/* The list of blocks in the order of the places. */
static void
append(hd_cf_list *list, hd_block *b)
{
   hd_cf_node *node = &b->node;

   node->next = NULL;
   node->prev = list->last;
   if (node->prev)
      node->prev->next = node;
   else
      list->first = node;
   list->last = node;
}

static void
lay_out(struct build *b)
{
   rc *r = b->r;
   hd_cf_list *list = &b->f->body;

   list->first = list->last = NULL;
   for (uint32_t p = 0; p < r->num_places; p++) {
      const rc_place *place = &r->places[p];
      if (r->flow_at[p] != NONE)
         append(list, r->flows[r->flow_at[p]].block);
      if (place->kind != RC_BLOCK)
         continue;
      append(list, place->block);
      for (uint32_t n = 0; n < place->num_succs; n++) {
         const rc_edge *e = &r->edges[place->first_edge + n];
         if (e->detour != NONE)
            append(list, r->detours[e->detour]);
      }
   }
}

/* Bits for the numbers of all places that are told apart among three or more. */
static unsigned
find_number_bits(const rc *r)
{
   uint32_t num = 0;
   bool *seen = memset(hd_stack_alloc(r->stack, r->num_places), 0, r->num_places);

   for (uint32_t n = 0; n < r->num_flows; n++) {
      for (uint32_t e = r->flows[n].first_in; r->flows[n].several && e != NONE;
           e = r->edges[e].next_in_flow) {
         num += !seen[r->edges[e].last];
         seen[r->edges[e].last] = true;
      }
   }
   return num <= 256 ? 8 : num <= 65536 ? 16 : 32;
}

static void
make_blocks(struct build *b)
{
   rc *r = b->r;
   uint32_t num_edges = 0;
   uint32_t *came_from = rc_scratch_fill(r, r->num_flows, 0xff);

   for (uint32_t n = 0; n < r->num_flows; n++)
      r->flows[n].block = new_block(b, r->places[r->flows[n].place].inside);
   for (uint32_t p = 0; p < r->num_places; p++)
      num_edges += r->places[p].num_succs;
   r->detours = hd_stack_alloc(r->stack, (num_edges + 1) * sizeof(*r->detours));
   b->pred_of = rc_scratch(r, r->num_edges);
   for (uint32_t p = 0; p < r->num_places; p++) {
      if (r->places[p].kind == RC_BLOCK)
         lead_edges(b, p, came_from);
   }
}

void
rc_build(rc *r)
{
   struct build *b = hd_stack_alloc_zero(r->stack, sizeof(*b));
   uint32_t num_phis = 0;

   b->r = r;
   b->f = r->f;
   b->shader = r->f->shader;
   b->number = hd_stack_alloc_zero(r->stack, r->num_places * sizeof(*b->number));
   b->number_bits = find_number_bits(r);
   make_blocks(b);
   for (uint32_t n = 0; n < r->num_flows; n++)
      finish_flow(b, &r->flows[n]);
   lay_out(b);
   r->f->meta_valid = 0;
   const uint32_t undefs = hd_num_start_undefs(r->f);
   if (r->late)
      hd_repair_ssa_around(r->f, &num_phis);
   else
      hd_repair_ssa(r->f, &num_phis);
   r->stats.value_phis += num_phis;
   r->stats.constants += hd_num_start_undefs(r->f) - undefs;
   r->stats.blocks += r->num_flows;
}
