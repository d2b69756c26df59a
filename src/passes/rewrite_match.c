/* SPDX-License-Identifier: MIT */
/* rewrite_match.c - rule matching (automaton states of values) and building of replacements. */
#include "passes/rewrite.h"

#include "heddle/op_enum.h"
#include "ir/fold.h"
#include "passes/pass.h"

#include <assert.h>

#define FP_PROMISES (HD_FP_NO_NAN | HD_FP_NO_INF | HD_FP_NO_SIGNED_ZERO)

/* 1, 8, 16, 32, 64 by number, and back. */
static const uint8_t sizes[] = { 1, 8, 16, 32, 64 };

static unsigned
size_number(unsigned bits)
{
   return bits == 1 ? 0 : bits == 64 ? 4 : (bits >> 4) + 1;
}

/* States: 0 is that of what was not looked at. */
#define ANY_VALUE    1u
#define ANY_CONSTANT 2u
#define ANY_POWER    3u /* of two, or the negative of one */

static bool
is_power(uint64_t value, unsigned bits)
{
   const uint64_t negative = mask(bits) & (0 - value);

   return value && (!(value & (value - 1)) || !(negative & (negative - 1)));
}

/* The state of a literal that is in the rules, or 0. */
static unsigned
literal_state(const hd_rule_set *set, uint64_t value, unsigned size)
{
   const unsigned end = set->first_constant[size + 1];
   unsigned low = set->first_constant[size], high = end;

   while (low < high) {
      const unsigned middle = (low + high) / 2;
      if (set->constants[middle].value < value)
         low = middle + 1;
      else
         high = middle;
   }
   return low < end && set->constants[low].value == value ? set->constants[low].state : 0;
}

static unsigned
constant_state(const hd_rule_set *set, const hd_const *c)
{
   const unsigned bits = c->instr.def.bit_size;
   const uint64_t value = hd_const_get(&c->value[0], bits);
   bool same = true, power = is_power(value, bits);

   for (unsigned n = 1; n < c->instr.def.num_components; n++) {
      const uint64_t other = hd_const_get(&c->value[n], bits);
      same &= other == value;
      power &= is_power(other, bits);
   }
   const unsigned literal = same ? literal_state(set, value, size_number(bits)) : 0;
   return literal ? literal : power ? ANY_POWER : ANY_CONSTANT;
}

static const hd_rule_op *
op_tables(const hd_rule_set *set, const hd_instr *alu)
{
   static const hd_rule_op none;

   if (alu->op != HD_OP_VEC)
      return &set->ops[alu->op];
   return alu->num_srcs <= 4 ? &set->ops[HD_NUM_OPS + alu->num_srcs] : &none;
}

static inline const hd_rule_entry *
look_up(const hd_rule_set *set, const hd_rule_lookup *l, const hd_alu *alu)
{
   unsigned place = 0;

   for (unsigned n = 0; n < l->num; n++) {
      const hd_rule_digit *d = &l->digit[n];
      const unsigned state = alu->src[d->operand].def->mark;
      place = place * d->size + (set->maps[d->map + state] >> d->shift & d->mask);
   }
   return &set->entries[set->tables[l->table + place]];
}

unsigned
hd_rewrite_state(const hd_rule_set *set, const hd_instr *i)
{
   if (i->kind == HD_INSTR_CONST)
      return constant_state(set, (const hd_const *)i);
   if (i->kind != HD_INSTR_ALU)
      return ANY_VALUE;
   const hd_rule_op *op = op_tables(set, i);
   return op->num_lookups ? look_up(set, &set->lookups[op->lookup], (const hd_alu *)i)->state
                          : ANY_VALUE;
}

/* Matching */

static bool
equal(const hd_def *a, const hd_def *b)
{
   if (a == b)
      return true;
   const hd_const *x = hd_instr_as_const(hd_def_instr(a)), *y = hd_instr_as_const(hd_def_instr(b));
   return x && y && a->num_components == b->num_components && a->bit_size == b->bit_size &&
          memcmp(x->value, y->value, a->num_components * sizeof(hd_const_value)) == 0;
}

/* What all float instructions of the match promise, and whether one of them is exact. */
static unsigned
float_flags(const hd_match *m, const hd_rule *rule)
{
   unsigned promised = FP_PROMISES, exact = 0;

   if (!(rule->flags & HD_RULE_FLOAT))
      return 0;
   for (unsigned n = 0; n < rule->num_nodes; n++) {
      const hd_instr *i = hd_def_instr(m->node[n]);
      if (!(rule->inner >> n & 1) || !(hd_op_get_info((hd_op)i->op)->flags & HD_OP_FLOAT))
         continue;
      promised &= i->flags;
      exact |= i->flags & HD_FP_EXACT;
   }
   return promised | exact;
}

static bool
asks_for_nan(const hd_match *m)
{
   const unsigned op = hd_def_instr(m->node[0])->op;

   return op == HD_OP_FORD || op == HD_OP_FUNORD;
}

static bool
flags_allow(const hd_match *m, const hd_rule *rule)
{
   const unsigned inexact = HD_RULE_INEXACT | HD_RULE_FINITE;

   if (!(rule->flags & (inexact | HD_RULE_NNAN | HD_RULE_NINF | HD_RULE_NSZ)))
      return true;
   unsigned flags = float_flags(m, rule);
   /* A shader without such numbers promises all three, but where it asks whether there is a NaN. What is
    * exact promises them where it promises the last.
    */
   if (m->shader->float_controls & HD_FLOAT_FINITE &&
       (flags & (HD_FP_EXACT | HD_FP_NO_SIGNED_ZERO)) != HD_FP_EXACT && !asks_for_nan(m))
      flags |= FP_PROMISES;
   return !((rule->flags & inexact) && (flags & HD_FP_EXACT)) &&
          (!(rule->flags & HD_RULE_FINITE) || (m->shader->float_controls & HD_FLOAT_FINITE)) &&
          (!(rule->flags & HD_RULE_NNAN) || (flags & HD_FP_NO_NAN)) &&
          (!(rule->flags & HD_RULE_NINF) || (flags & HD_FP_NO_INF)) &&
          (!(rule->flags & HD_RULE_NSZ) || (flags & HD_FP_NO_SIGNED_ZERO));
}

/* What goes when the root goes: it, and what only feeds what goes. */
static bool
pays(const hd_rule_set *set, const hd_match *m, const hd_rule *rule, const uint8_t *path)
{
   unsigned saved = set->costs[hd_def_instr(m->node[0])->op], gone = 1;

   if (rule->cost <= saved || (rule->flags & HD_RULE_FREE))
      return true;
   for (unsigned n = 1; n < rule->num_nodes; n++) {
      const hd_src *use = m->node[n]->uses;
      if (!(rule->inner >> n & 1) || !(gone >> (path[n - 1] >> 2) & 1) || hd_src_next_use(use))
         continue;
      gone |= 1u << n;
      saved += set->costs[hd_def_instr(m->node[n])->op];
   }
   return rule->cost <= saved;
}

static bool
matches(struct hd_rewrite *r, struct hd_match *m, const hd_rule_form *form)
{
   const hd_rule *rule = &r->set->rules[form->rule];
   const uint8_t *path = r->set->paths + form->path;
   const uint8_t *pair = r->set->paths + rule->equal;

   for (unsigned n = 1; n < rule->num_nodes; n++) {
      const hd_alu *parent = (const hd_alu *)hd_def_instr(m->node[path[n - 1] >> 2]);
      m->node[n] = parent->src[path[n - 1] & 3].def;
   }
   for (unsigned n = 0; n < rule->num_equal; n++) {
      if (!equal(m->node[pair[2 * n]], m->node[pair[2 * n + 1]]))
         return false;
   }
   return flags_allow(m, rule) && pays(r->set, m, rule, path) &&
          (!rule->condition || r->set->conditions[rule->condition - 1](m));
}

/* Building */

struct built {
   hd_def *def; /* NULL: a constant that is not yet an instruction */
   uint8_t num_components;
   uint8_t bit_size;
   hd_const_value value[HD_MAX_COMPONENTS];
};

struct builder {
   struct hd_rewrite *r;
   const hd_match *m;
   hd_instr *root;
   hd_instr **first;
   unsigned flags; /* of float instructions */
   unsigned num;
   struct built built[HD_RULE_MAX_BUILT];
};

static void
put_in(struct builder *b, hd_instr *i)
{
   i->loc = b->root->loc;
   hd_instr_insert(hd_before_instr(b->root), i);
   if (*b->first == b->root)
      *b->first = i;
}

hd_def *
hd_rewrite_constant(struct hd_rewrite *r, hd_instr *before, unsigned num_components,
                    unsigned bit_size, const hd_const_value *values, hd_instr **first)
{
   struct builder b = { .r = r, .root = before, .first = first };
   hd_const *c = hd_const_create(r->f->shader, num_components, bit_size, values);

   put_in(&b, &c->instr);
   return &c->instr.def;
}

static unsigned
components_of(const struct builder *b, unsigned code)
{
   return code & HD_RULE_FIXED ? code & ~HD_RULE_FIXED : b->m->node[code]->num_components;
}

static unsigned
bits_of(const struct builder *b, unsigned code)
{
   return code & HD_RULE_FIXED ? sizes[code & ~HD_RULE_FIXED] : b->m->node[code]->bit_size;
}

/* The constant that a reference is, or NULL. */
static const hd_const_value *
constant_of(const struct builder *b, unsigned ref, hd_shape *shape)
{
   if (ref & HD_RULE_BUILT) {
      const struct built *built = &b->built[ref & ~HD_RULE_BUILT];
      *shape = (hd_shape){ built->num_components, built->bit_size };
      return built->def ? NULL : built->value;
   }
   const hd_def *def = b->m->node[ref];
   const hd_const *c = hd_instr_as_const(hd_def_instr(def));
   *shape = (hd_shape){ def->num_components, def->bit_size };
   return c ? c->value : NULL;
}

static hd_def *
def_of(struct builder *b, unsigned ref)
{
   if (!(ref & HD_RULE_BUILT))
      return b->m->node[ref];
   struct built *built = &b->built[ref & ~HD_RULE_BUILT];
   if (!built->def)
      built->def = hd_rewrite_constant(b->r, b->root, built->num_components, built->bit_size,
                                       built->value, b->first);
   return built->def;
}

static void
build_op(struct builder *b, unsigned op, unsigned num, const uint8_t *refs, struct built *out)
{
   hd_fold_src srcs[4];
   bool constant = true;

   assert(num > 0);
   for (unsigned n = 0; n < num; n++) {
      srcs[n].values = constant_of(b, refs[n], &srcs[n].shape);
      constant &= srcs[n].values != NULL;
   }
   if (constant) {
      hd_fold_fitting((hd_op)op, srcs, (hd_shape){ out->num_components, out->bit_size },
                      b->r->f->shader->float_controls, out->value);
      return;
   }
   hd_def *defs[4];
   for (unsigned n = 0; n < num; n++)
      defs[n] = def_of(b, refs[n]);
   hd_alu *alu = hd_alu_create(b->r->f->shader, op, num, out->num_components, out->bit_size);
   for (unsigned n = 0; n < num; n++)
      hd_instr_set_src(&alu->instr, n, defs[n]);
   if (hd_op_get_info((hd_op)op)->flags & HD_OP_FLOAT)
      alu->instr.flags = b->flags & 0xff;
   put_in(b, &alu->instr);
   out->def = &alu->instr.def;
}

static hd_def *
build(struct hd_rewrite *r, const hd_match *m, const hd_rule *rule, hd_instr *root,
      hd_instr **first)
{
   const uint16_t *code = r->set->code + rule->build;
   struct builder b;

   b.r = r;
   b.m = m;
   b.root = root;
   b.first = first;
   b.num = 0;
   b.flags = float_flags(m, rule);
   while (*code != HD_RULE_END) {
      const unsigned word = code[0], bits = bits_of(&b, code[1] >> 8);
      struct built *out = &b.built[b.num];
      out->def = NULL;
      out->bit_size = (uint8_t)bits;
      out->num_components = (uint8_t)components_of(&b, code[1] & 0xff);
      if (word & HD_RULE_LITERAL) {
         const unsigned n = word & 0x3fff;
         const bool calculation = (word & HD_RULE_CALCULATION) == HD_RULE_CALCULATION;
         for (unsigned c = 0; c < out->num_components; c++)
            hd_const_set(&out->value[c], bits,
                         calculation ? r->set->calculations[n](m, c)
                                     : r->set->literals[5 * n + size_number(bits)]);
         code += 2;
      } else {
         const unsigned num = word >> 10, more = num > 2 ? code[3] : 0;
         const uint8_t refs[4] = { (uint8_t)(code[2] >> 8), (uint8_t)code[2], (uint8_t)(more >> 8),
                                   (uint8_t)more };
         build_op(&b, word & 0x3ff, num, refs, out);
         code += num > 2 ? 4 : 3;
      }
      b.num++;
   }
   return def_of(&b, code[1]);
}

/* Candidates: the lists of all look-ups, merged, as the rule that comes first wins. */
struct candidates {
   const uint16_t *next[HD_RULE_MAX_LISTS], *end[HD_RULE_MAX_LISTS];
   unsigned num;
};

static void
add_list(struct candidates *c, const uint16_t *list, unsigned num)
{
   if (num) {
      c->next[c->num] = list;
      c->end[c->num++] = list + num;
   }
}

static const hd_rule_form *
next_candidate(struct candidates *c, const hd_rule_set *set)
{
   unsigned best = 0;

   if (!c->num)
      return NULL;
   for (unsigned n = 1; n < c->num; n++) {
      if (*c->next[n] < *c->next[best])
         best = n;
   }
   const hd_rule_form *form = &set->forms[*c->next[best]++];
   if (c->next[best] == c->end[best]) {
      c->num--;
      c->next[best] = c->next[c->num];
      c->end[best] = c->end[c->num];
   }
   return form;
}

hd_def *
hd_rewrite_by_rules(struct hd_rewrite *r, hd_alu *alu, hd_instr **first)
{
   const hd_rule_op *op = op_tables(r->set, &alu->instr);
   const hd_rule_form *form;
   struct candidates c;
   struct hd_rule_asked asked[HD_RULE_NUM_ASKED];
   struct hd_match m;

   c.num = 0;
   alu->instr.def.mark = ANY_VALUE;
   for (unsigned n = 0; n < op->num_lookups; n++) {
      const hd_rule_entry *e = look_up(r->set, &r->set->lookups[op->lookup + n], alu);
      if (n == 0)
         alu->instr.def.mark = e->state;
      add_list(&c, r->set->lists + e->list, e->num);
   }
   add_list(&c, r->set->lists + op->always, op->num_always);
   if (op->num_same && equal(alu->src[0].def, alu->src[1].def))
      add_list(&c, r->set->lists + op->same, op->num_same);
   if (!c.num)
      return NULL;
   m.shader = r->f->shader;
   m.options = r->options;
   m.asked = asked;
   for (unsigned n = 0; n < HD_RULE_NUM_ASKED; n++)
      asked[n].def = NULL;
   m.node[0] = &alu->instr.def;
   while ((form = next_candidate(&c, r->set))) {
      if ((r->only != HD_ANY_RULE && r->only != form->rule) || !matches(r, &m, form))
         continue;
      if (r->fired)
         r->fired[form->rule]++;
      return build(r, &m, &r->set->rules[form->rule], &alu->instr, first);
   }
   return NULL;
}
