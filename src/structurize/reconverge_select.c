/* SPDX-License-Identifier: MIT */
/* reconverge_select.c - selectors of flow blocks: which successor each lane takes.
 *
 * A flow block tests whether a lane waits for its place. Where only one other place is waited for,
 * the test is a phi of one bit: true or false by the edge a lane came by, or the condition of a
 * branch both of whose edges go into the flow block, which then is a branch no more. Where more
 * are, there are two ways:
 *
 *    A number for each place, in a phi that is compared.
 *    A bit for each place that is tested here or later on the way. The bit of a later place may be
 *    anything for lanes that go to the place here, so that those have no part in its phi.
 *
 * Flow blocks whose lanes go on to one another have it the same way; for those that are connected
 * what either would cost is added up.
 */
#include "heddle/op_enum.h"
#include "structurize/reconverge_build.h"

#define MAX_PLACES 16u

/* Of a flow block. */
struct rc_selector {
   uint32_t web; /* a forest by union */
   /* Places that lanes wait for that come; more than MAX_PLACES: too many to list. */
   uint32_t num_places;
   uint32_t places[MAX_PLACES]; /* in ascending order */
   /* Those whose bits are read here or later; the first is its own. */
   uint32_t num_bits;
   uint32_t bits[MAX_PLACES];
   hd_def *def[MAX_PLACES];
   /* Of the root: */
   bool numbers;
   uint32_t phis_bits, others_bits, phis_number, others_number;
};

/* Values */

static hd_def *
insert_const(rc_builder *b, unsigned bits, uint64_t value)
{
   hd_const_value v = { .u64 = value };
   hd_const *c = hd_const_create(b->shader, 1, bits, &v);

   hd_instr_insert(hd_after_phis(hd_function_start(b->f)), &c->instr);
   b->r->stats.constants++;
   return &c->instr.def;
}

static hd_def *
bool_const(rc_builder *b, bool value)
{
   if (!b->bool_const[value])
      b->bool_const[value] = insert_const(b, 1, value);
   return b->bool_const[value];
}

static hd_def *
number_of(rc_builder *b, uint32_t place)
{
   if (!b->number[place])
      b->number[place] = insert_const(b, b->number_bits, b->num_numbers++);
   return b->number[place];
}

hd_def *
hd_rc_undef(rc_builder *b, unsigned num_components, unsigned bits)
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
insert_alu(rc_builder *b, hd_block *at, hd_op op, unsigned bits, unsigned num, hd_def *const *srcs)
{
   hd_alu *alu = hd_alu_create(b->shader, op, num, 1, bits);

   for (unsigned n = 0; n < num; n++)
      hd_instr_set_src(&alu->instr, n, srcs[n]);
   hd_instr_insert(hd_before_jump(at), &alu->instr);
   b->r->stats.instructions++;
   return &alu->instr.def;
}

static hd_def *
make_phi(rc_builder *b, hd_block *block, unsigned bits, hd_def *const *srcs)
{
   uint32_t n = 0;

   while (n < block->num_preds && srcs[n] == srcs[0])
      n++;
   if (n == block->num_preds)
      return srcs[0];
   b->r->stats.selector_phis++;
   return &hd_phi_insert(block, 1, bits, srcs)->instr.def;
}

/* Webs */

static uint32_t
web_of(rc_builder *b, uint32_t flow)
{
   struct rc_selector *s = b->selectors;

   while (s[flow].web != flow)
      flow = s[flow].web = s[s[flow].web].web;
   return flow;
}

static uint32_t
next_flow(const rc *r, uint32_t flow)
{
   return r->flows[flow].rest == NONE ? NONE : r->edges[r->flows[flow].rest].into;
}

static void
add_place(struct rc_selector *s, uint32_t place)
{
   uint32_t at = s->num_places;

   if (at > MAX_PLACES)
      return;
   while (at && s->places[at - 1] > place)
      at--;
   if (at && s->places[at - 1] == place)
      return;
   if (s->num_places == MAX_PLACES) {
      s->num_places++;
      return;
   }
   memmove(s->places + at + 1, s->places + at, (s->num_places - at) * sizeof(*s->places));
   s->places[at] = place;
   s->num_places++;
}

static void
find_places(rc_builder *b)
{
   const rc *r = b->r;

   for (uint32_t n = 0; n < r->num_flows; n++) {
      struct rc_selector *s = &b->selectors[n];
      for (uint32_t e = r->flows[n].first_in; e != NONE; e = r->edges[e].next_in_flow) {
         const rc_edge *edge = &r->edges[e];
         const struct rc_selector *from = edge->flow != NONE ? &b->selectors[edge->flow] : NULL;
         if (!from || rc_target(r, edge) == edge->last) {
            add_place(s, edge->last);
            continue;
         }
         for (uint32_t k = 0; k < from->num_places && k < MAX_PLACES; k++) {
            if (from->places[k] != r->flows[edge->flow].place)
               add_place(s, from->places[k]);
         }
         if (from->num_places > MAX_PLACES)
            s->num_places = MAX_PLACES + 1;
      }
      uint32_t next = next_flow(r, n);
      if (r->flows[n].several && next != NONE)
         b->selectors[web_of(b, n)].web = web_of(b, next);
   }
}

static bool
has_place(const struct rc_selector *s, uint32_t place)
{
   for (uint32_t k = 0; k < s->num_places && k < MAX_PLACES; k++) {
      if (s->places[k] == place)
         return true;
   }
   return false;
}

static void
find_bits(rc_builder *b)
{
   const rc *r = b->r;

   for (uint32_t n = r->num_flows; n--;) {
      struct rc_selector *s = &b->selectors[n];
      const rc_flow *f = &r->flows[n];
      uint32_t next = next_flow(r, n);
      if (f->rest == NONE || f->never)
         continue;
      s->bits[s->num_bits++] = f->place;
      if (s->num_places > MAX_PLACES) {
         b->selectors[web_of(b, n)].numbers = true;
         continue;
      }
      for (uint32_t k = 0; f->several && next != NONE && k < b->selectors[next].num_bits; k++) {
         uint32_t place = b->selectors[next].bits[k];
         if (place != f->place && has_place(s, place))
            s->bits[s->num_bits++] = place;
      }
   }
}

/* Bits */

typedef enum bit_kind {
   BIT_ANY,
   BIT_FALSE,
   BIT_TRUE,
   BIT_DEF,
} bit_kind;

typedef struct bit {
   bit_kind kind;
   hd_def *def;
} bit;

/* A place's bit for lanes that reach a flow block by an edge. */
static bit
bit_of_edge(const rc_builder *b, const rc_flow *f, const rc_edge *e, uint32_t place)
{
   const rc *r = b->r;
   bool inverted = b->inverted[place];

   if (rc_target(r, e) == e->last) {
      if (e->last != place && e->last == f->place)
         return (bit){ BIT_ANY, NULL };
      return (bit){ (e->last == place) != inverted ? BIT_TRUE : BIT_FALSE, NULL };
   }
   const struct rc_selector *from = &b->selectors[e->flow];
   for (uint32_t k = 0; k < from->num_bits; k++) {
      if (from->bits[k] == place && r->flows[e->flow].place != place)
         return (bit){ BIT_DEF, from->def[k] };
   }
   return (bit){ inverted ? BIT_TRUE : BIT_FALSE, NULL };
}

static bool
is_constant(bit bit)
{
   return bit.kind == BIT_TRUE || bit.kind == BIT_FALSE;
}

/* The edges of one predecessor: `second` is NULL, or the other edge of a branch that was replaced.
 */
struct pair {
   const rc_edge *first, *second;
};

/* *cond: by its condition, or *inverted by that. */
static bit
bit_of_pair(const rc_builder *b, const rc_flow *f, const struct pair *p, uint32_t place,
            bool *by_condition, bool *inverted)
{
   *by_condition = *inverted = false;
   bit x = bit_of_edge(b, f, p->first, place);
   if (!p->second)
      return x;
   bit y = bit_of_edge(b, f, p->second, place);
   if (x.kind == BIT_ANY || y.kind == BIT_ANY || x.kind == y.kind)
      return x.kind == BIT_ANY ? y : x;
   *by_condition = true;
   *inverted = x.kind == BIT_FALSE;
   return (bit){ BIT_DEF, p->first->decided_by };
}

/* The next edge into a flow block with the other one of its branch, if that is no branch any more.
 * False where it was given with that already.
 */
static bool
next_pair(const rc_builder *b, uint32_t *edge, struct pair *p)
{
   const rc *r = b->r;
   const rc_edge *e = &r->edges[*edge];

   *p = (struct pair){ e, NULL };
   *edge = e->next_in_flow;
   if (e->from == NONE || !b->two_way[e->from])
      return true;
   const rc_edge *other = e->succ == 0 ? e + 1 : e - 1;
   if (other->into != e->into)
      return true;
   p->second = other;
   return e->succ == 0;
}

/* What it would cost to carry the bit of a place into a flow block. */
static void
count_bit(const rc_builder *b, const rc_flow *f, uint32_t place, struct rc_selector *web)
{
   uint32_t num_defs = 0, num_any = 0, num_inverted = 0;
   bool yes = false, no = false;

   for (uint32_t e = f->first_in; e != NONE;) {
      struct pair p;
      bool by_condition, inverted;
      if (!next_pair(b, &e, &p))
         continue;
      bit x = bit_of_pair(b, f, &p, place, &by_condition, &inverted);
      num_defs += x.kind == BIT_DEF;
      num_any += x.kind == BIT_ANY;
      num_inverted += inverted;
      yes |= x.kind == BIT_TRUE;
      no |= x.kind == BIT_FALSE;
   }
   web->others_bits += num_inverted;
   web->phis_bits += (yes && no) || num_defs > 1 || (num_defs && (yes || no || num_any));
}

static void
count_costs(rc_builder *b)
{
   const rc *r = b->r;

   for (uint32_t n = 0; n < r->num_flows; n++) {
      struct rc_selector *s = &b->selectors[n], *web = &b->selectors[web_of(b, n)];
      const rc_flow *f = &r->flows[n];
      if (f->rest == NONE || f->never || web->numbers)
         continue;
      for (uint32_t k = 0; k < s->num_bits; k++)
         count_bit(b, f, s->bits[k], web);
      struct rc_selector plain = { .num_bits = 0 };
      count_bit(b, f, f->place, &plain);
      web->phis_number += f->several ? f->num_in > 1 : plain.phis_bits;
      web->others_number += f->several ? 1 : plain.others_bits;
      for (uint32_t e = f->first_in; e != NONE;) {
         struct pair p;
         if (!next_pair(b, &e, &p))
            continue;
         bool unlike = !f->several && rc_target(r, p.first) != p.first->last;
         web->others_number += unlike || (f->several && p.second);
      }
   }
   /* A bit is a mask, which machines with one pc have scalar registers for, and its phi a copy. A
    * compare is one for each lane, of what takes a register of each.
    */
   for (uint32_t n = 0; n < r->num_flows; n++) {
      struct rc_selector *s = &b->selectors[n];
      s->numbers |= s->phis_bits + 2 * s->others_bits > s->phis_number + 2 * s->others_number;
   }
}

/* Whether the bit of a place is that of the others: as fewer conditions must be inverted. */
static void
choose_sides(rc_builder *b)
{
   const rc *r = b->r;
   int32_t *balance = hd_stack_alloc_zero(r->stack, r->num_places * sizeof(*balance));

   for (uint32_t n = 0; n < r->num_flows; n++) {
      const struct rc_selector *s = &b->selectors[n];
      for (uint32_t k = 0; k < s->num_bits; k++) {
         for (uint32_t e = r->flows[n].first_in; e != NONE;) {
            struct pair p;
            bool by_condition, inverted;
            if (!next_pair(b, &e, &p))
               continue;
            (void)bit_of_pair(b, &r->flows[n], &p, s->bits[k], &by_condition, &inverted);
            balance[s->bits[k]] += by_condition ? inverted ? -1 : 1 : 0;
         }
      }
   }
   for (uint32_t p = 0; p < r->num_places; p++)
      b->inverted[p] = balance[p] < 0;
}

/* Numbers are of one size, enough for all places that are distinguished by them. */
static unsigned
find_number_bits(rc_builder *b)
{
   const rc *r = b->r;
   uint32_t num = 0;
   bool *seen = hd_stack_alloc_zero(r->stack, r->num_places);

   for (uint32_t n = 0; n < r->num_flows; n++) {
      if (!r->flows[n].several || !b->selectors[web_of(b, n)].numbers)
         continue;
      for (uint32_t e = r->flows[n].first_in; e != NONE; e = r->edges[e].next_in_flow) {
         num += !seen[r->edges[e].last];
         seen[r->edges[e].last] = true;
      }
   }
   return num <= 256 ? 8 : num <= 65536 ? 16 : 32;
}

void
hd_rc_plan_selectors(rc_builder *b)
{
   const rc *r = b->r;

   b->number = hd_stack_alloc_zero(r->stack, r->num_places * sizeof(*b->number));
   b->inverted = hd_stack_alloc_zero(r->stack, r->num_places);
   b->selectors = hd_stack_alloc_zero(r->stack, (r->num_flows + 1) * sizeof(*b->selectors));
   for (uint32_t n = 0; n < r->num_flows; n++)
      b->selectors[n].web = n;
   b->two_way = hd_stack_alloc_zero(r->stack, r->num_places);
   for (uint32_t p = 0; p < r->num_places; p++)
      b->two_way[p] = r->places[p].kind == RC_BLOCK &&
                      hd_block_jump(r->places[p].block)->instr.op == HD_JUMP_GOTO_IF;
   find_places(b);
   find_bits(b);
   choose_sides(b);
   count_costs(b);
   b->number_bits = find_number_bits(b);
}

/* Making */

static hd_def *
make_bit(rc_builder *b, const rc_flow *f, const struct pair *pairs, uint32_t place, hd_def **srcs)
{
   hd_def *only = NULL;
   bool differ = false;

   for (uint32_t n = 0; n < f->block->num_preds; n++) {
      bool by_condition, inverted;
      bit x = bit_of_pair(b, f, &pairs[n], place, &by_condition, &inverted);
      if (inverted)
         x.def = insert_alu(b, b->r->places[pairs[n].first->from].block, HD_OP_INOT, 1, 1,
                            (hd_def *[]){ x.def });
      srcs[n] = is_constant(x) ? bool_const(b, x.kind == BIT_TRUE) : x.def;
      differ |= only && srcs[n] && srcs[n] != only;
      only = only ? only : srcs[n];
   }
   for (uint32_t n = 0; n < f->block->num_preds; n++)
      srcs[n] = srcs[n] ? srcs[n] : differ ? hd_rc_undef(b, 1, 1) : only;
   /* Where it does not stand above, the repair at the end adds what is needed. */
   return make_phi(b, f->block, 1, srcs);
}

/* A number for the edges of one predecessor. */
static hd_def *
number_of_pair(rc_builder *b, const struct pair *p)
{
   const rc *r = b->r;

   if (!p->second)
      return rc_target(r, p->first) == p->first->last ? number_of(b, p->first->last)
                                                      : r->flows[p->first->flow].selector;
   return insert_alu(b, r->places[p->first->from].block, HD_OP_SELECT, b->number_bits, 3,
                     (hd_def *[]){ p->first->decided_by, number_of(b, p->first->last),
                                   number_of(b, p->second->last) });
}

static hd_def *
test_number(rc_builder *b, rc_flow *f, const struct pair *pairs, hd_def **srcs)
{
   for (uint32_t n = 0; n < f->block->num_preds; n++)
      srcs[n] = number_of_pair(b, &pairs[n]);
   f->selector = make_phi(b, f->block, b->number_bits, srcs);
   hd_alu *alu = hd_alu_create(b->shader, HD_OP_IEQ, 2, 1, 1);
   hd_instr_set_src(&alu->instr, 0, f->selector);
   hd_instr_set_src(&alu->instr, 1, number_of(b, f->place));
   hd_instr_insert(hd_after_phis(f->block), &alu->instr);
   b->r->stats.instructions++;
   return &alu->instr.def;
}

/* Lanes of two places that may come from flow blocks where they have numbers. */
static void
compare_numbers(rc_builder *b, const rc_flow *f, const struct pair *pairs)
{
   const rc *r = b->r;

   for (uint32_t n = 0; n < f->block->num_preds; n++) {
      const rc_edge *e = pairs[n].first;
      if (rc_target(r, e) == e->last)
         continue;
      struct rc_selector *from = &b->selectors[e->flow];
      uint32_t wanted = b->inverted[f->place] ? r->edges[f->rest].last : f->place;
      hd_def *test = insert_alu(b, r->flows[e->flow].block, HD_OP_IEQ, 1, 2,
                                (hd_def *[]){ r->flows[e->flow].selector, number_of(b, wanted) });
      from->bits[0] = f->place;
      from->def[0] = test;
      from->num_bits = 1;
   }
}

hd_def *
hd_rc_make_test(rc_builder *b, rc_flow *f, hd_def **srcs, bool *when)
{
   rc *r = b->r;
   struct rc_selector *s = &b->selectors[f - r->flows];
   bool numbers = b->selectors[web_of(b, (uint32_t)(f - r->flows))].numbers;
   struct pair *pairs = hd_stack_alloc_zero(r->stack, f->block->num_preds * sizeof(*pairs));

   *when = true;
   if (f->never)
      return bool_const(b, true);
   for (uint32_t n = f->first_in; n != NONE;) {
      uint32_t pred = b->pred_of[n];
      struct pair p;
      if (next_pair(b, &n, &p))
         pairs[pred] = p;
   }
   if (numbers && f->several)
      return test_number(b, f, pairs, srcs);
   *when = !b->inverted[f->place];
   if (numbers) {
      compare_numbers(b, f, pairs);
      s->num_bits = 1;
   }
   for (uint32_t k = 0; k < s->num_bits; k++)
      s->def[k] = make_bit(b, f, pairs, s->bits[k], srcs);
   return s->def[0];
}
