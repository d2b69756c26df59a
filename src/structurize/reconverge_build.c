/* SPDX-License-Identifier: MIT */
/* reconverge_build.c - create flow blocks and redirect edges into them. */
#include "structurize/reconverge_build.h"
#include "heddle/ops.h"
#include "structurize/repair.h"

/* Values */

static hd_def *
def_of(rc_builder *b, rc_value value, const hd_def *like)
{
   if (value.def || value.phi)
      return value.def ? value.def : value.phi->def;
   return hd_rc_undef(b, like->num_components, like->bit_size);
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
add_jump(rc_builder *b, hd_block *from, hd_jump_kind kind, hd_def *value)
{
   hd_jump *jump = hd_jump_create(b->shader, kind, value != NULL, 0);

   jump->src[0].def = value;
   hd_instr_append(from, &jump->instr);
}

/* A new edge with a source for each phi. `values` NULL: no lane takes it. */
static void
add_edge(rc_builder *b, hd_block *from, hd_block *to, const rc_value *values)
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
new_block(rc_builder *b, hd_block *inside)
{
   hd_block *block = hd_flat_block_create(b->f);

   if (b->r->declares)
      block->loop_header = inside;
   return block;
}

/* An edge of a switch that has another one into the same flow block: through a block of its own. */
static hd_block *
make_detour(rc_builder *b, rc_edge *e, hd_block *flow)
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
replace_branch(rc_builder *b, uint32_t place, hd_block *flow)
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
lead_edges(rc_builder *b, uint32_t place, uint32_t *came_from)
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

static void
make_value_phis(rc_builder *b, const rc_flow *f, hd_def **srcs)
{
   for (rc_phi *phi = f->first_phi; phi; phi = phi->next) {
      for (uint32_t n = 0; n < f->block->num_preds; n++)
         srcs[n] = NULL;
      for (const rc_phi_src *s = phi->srcs; s; s = s->next)
         srcs[b->pred_of[s->edge]] =
             s->value.def || !s->value.phi ? s->value.def : s->value.phi->def;
      for (uint32_t n = 0; n < f->block->num_preds; n++) {
         if (!srcs[n])
            srcs[n] = hd_rc_undef(b, phi->num_components, phi->bit_size);
      }
      phi->def = &hd_phi_insert(f->block, phi->num_components, phi->bit_size, srcs)->instr.def;
      b->r->stats.edge_phis++;
   }
}

static hd_block *
block_of(const rc *r, const rc_edge *e)
{
   return e->into != NONE ? r->flows[e->into].block : r->places[rc_target(r, e)].block;
}

static void
finish_flow(rc_builder *b, rc_flow *f)
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
      bool when;
      hd_def *test = hd_rc_make_test(b, f, srcs, &when);
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

/* The list of blocks in the order of the positions. */
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
lay_out(rc_builder *b)
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

static void
make_blocks(rc_builder *b)
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
hd_rc_build(rc *r)
{
   rc_builder *b = hd_stack_alloc_zero(r->stack, sizeof(*b));
   uint32_t num_phis = 0;

   b->r = r;
   b->f = r->f;
   b->shader = r->f->shader;
   hd_rc_plan_selectors(b);
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
