/* SPDX-License-Identifier: MIT */
/* instr.c - the validator's checks of instructions: each against the tables of ops.
 *
 * Types are checked in text order. A value whose own instruction has a type error is marked, and its
 * users are not checked against its type: one error, one message. Phis read values that come later, so
 * their types and positions are checked last.
 */
#include "instr.h"

static bool
is_bit_size(unsigned bits)
{
   return bits == 1 || bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

static bool
is_num_components(unsigned n)
{
   return n >= 1 && n <= HD_MAX_COMPONENTS;
}

bool
hd_check_is_valid_type(unsigned num_components, unsigned bit_size)
{
   return is_num_components(num_components) && is_bit_size(bit_size);
}

/* A result of any size. */
static void
check_any_result(visit *v)
{
   const hd_def *def = &v->instr->def;

   if (!is_bit_size(def->bit_size))
      hd_check_fault(v, RULE_OP4, -1, "the result has %u bits", def->bit_size);
   else if (!is_num_components(def->num_components))
      hd_check_fault(v, RULE_OP3, -1, "the result has %u components", def->num_components);
}

/* OP14. An instruction without a result has nothing in the fields of one. */
void
hd_check_has_result(visit *v, bool makes)
{
   const hd_def *def = &v->instr->def;

   if (makes && !def->bit_size)
      hd_check_fault(v, RULE_OP14, -1, "it has no result");
   else if (!makes && (def->bit_size || def->num_components || def->uses))
      hd_check_fault(v, RULE_OP14, -1, "it has a result");
}

/* Say what is wrong with a type: its bits or components, by themselves or beside those of an
 * operand before it.
 */
static void
type_fault(visit *v, rule r, int src, unsigned is, unsigned other)
{
   const char *what = r == RULE_OP4 ? "bits" : "components";
   char who[32] = "the result", why[64] = "which it cannot have";

   if (src >= 0)
      snprintf(who, sizeof(who), "operand %d", src);
   if (other)
      snprintf(why, sizeof(why), "an operand before it %u", other);
   hd_check_fault(v, r, src, "%s has %u %s, %s", who, is, what, why);
}

void
hd_check_type(visit *v, shape *s, const hd_type_info *t, int src, unsigned num_components,
              unsigned bit_size)
{
   uint8_t *bits = &s->bits[t->size_variable & 31];

   if (!(t->sizes & bit_size) || bit_size & (bit_size - 1)) {
      type_fault(v, RULE_OP4, src, bit_size, 0);
      return;
   }
   if (t->size_variable) {
      if (*bits && *bits != bit_size) {
         type_fault(v, RULE_OP4, src, bit_size, *bits);
         return;
      }
      *bits = (uint8_t)bit_size;
   }
   if (num_components < t->min_components || num_components > t->max_components) {
      type_fault(v, RULE_OP3, src, num_components, 0);
   } else if (t->linked) {
      if (s->linked && s->linked != num_components)
         type_fault(v, RULE_OP3, src, num_components, s->linked);
      s->linked = (uint8_t)num_components;
   }
}

static void
check_alu(visit *v)
{
   hd_instr *i = v->instr;
   const hd_op_info *info = hd_op_get_info((hd_op)i->op);
   shape s = { 0 };

   if (!info->name[0]) {
      hd_check_fault(v, RULE_OP1, -1, "op %u of an alu instruction", i->op);
      return;
   }
   bool variadic = info->flags & HD_OP_VARIADIC;
   unsigned num_srcs = variadic ? i->def.num_components : info->num_srcs;

   hd_check_has_result(v, true);
   if (i->num_srcs != num_srcs || (variadic && !is_num_components(num_srcs))) {
      hd_check_fault(v, RULE_OP2, -1, "%s: found %u operands, expected %u", info->name, i->num_srcs,
                     num_srcs);
      hide_sources(v);
      return;
   }
   if (i->flags & ~(info->flags & HD_OP_FLOAT ? FLOAT_FLAGS : 0u))
      hd_check_fault(v, RULE_OP6, -1, "%s has flags %#x", info->name, i->flags);

   hd_src *srcs = (hd_src *)(i + 1);
   bool judged = true;
   for (unsigned n = 0; n < num_srcs; n++) {
      const def_info *e = hd_check_visit_src(v, &srcs[n], n, n);
      if (e && !e->mistyped)
         hd_check_type(v, &s, &info->src[variadic ? 0 : n], (int)n, e->def->num_components,
                       e->def->bit_size);
      else
         judged = false;
   }
   /* A broken operand may be what the result has its size from: nothing to say of it then. */
   if (judged && !(v->broken & (TYPE_RULES | RULE_BIT(RULE_OP14))))
      hd_check_type(v, &s, &info->result, -1, i->def.num_components, i->def.bit_size);
}

static void
check_const(visit *v)
{
   hd_const *k = (hd_const *)v->instr;
   unsigned bits = k->instr.def.bit_size;

   check_any_result(v);
   if (!can_check(RULE_OP5, v->broken) || bits == 64)
      return;
   for (unsigned n = 0; n < k->instr.def.num_components; n++) {
      if (k->value[n].u64 >> bits) {
         hd_check_fault(v, RULE_OP5, -1, "component %u is %#llx, which has more than %u bits", n,
                        (unsigned long long)k->value[n].u64, bits);
         return;
      }
   }
}

static void
check_jump(visit *v)
{
   static const uint8_t most_srcs[HD_NUM_JUMP_KINDS] = {
      [HD_JUMP_RETURN] = 1, [HD_JUMP_GOTO_IF] = 1, [HD_JUMP_SWITCH] = 1
   };
   hd_jump *j = (hd_jump *)v->instr;
   hd_function *f = v->c->f;
   unsigned kind = j->instr.op;

   if (kind >= HD_NUM_JUMP_KINDS)
      return; /* reported when edges were checked */
   unsigned least = kind == HD_JUMP_RETURN ? 0 : most_srcs[kind];
   if (j->instr.num_srcs < least || j->instr.num_srcs > most_srcs[kind]) {
      hd_check_fault(v, RULE_OP2, -1, "found %u operands, expected %u", j->instr.num_srcs, least);
      hide_sources(v);
      return;
   }
   const def_info *e = j->instr.num_srcs ? hd_check_visit_src(v, &j->src[0], 0, 0) : NULL;
   const hd_def *def = e && !e->mistyped ? e->def : NULL;

   if (kind == HD_JUMP_RETURN && can_check(RULE_OP11, v->c->broken & RULE_BIT(RULE_FN1))) {
      bool wanted = f->result_bits != 0;
      if (wanted != (j->instr.num_srcs == 1))
         hd_check_fault(v, RULE_OP11, -1, "%s", wanted ? "it has no value" : "it has a value");
      else if (def &&
               (def->bit_size != f->result_bits || def->num_components != f->result_components))
         hd_check_fault(v, RULE_OP11, 0, "its value is %u x %u, the result of the function %u x %u",
                        def->num_components, def->bit_size, f->result_components, f->result_bits);
   } else if (kind == HD_JUMP_GOTO_IF && def && (def->bit_size != 1 || def->num_components != 1)) {
      hd_check_fault(v, RULE_OP13, 0, "the condition is %u x %u", def->num_components,
                     def->bit_size);
   } else if (kind == HD_JUMP_SWITCH) {
      if (def && (def->bit_size < 8 || def->num_components != 1))
         hd_check_fault(v, RULE_OP13, 0, "the selector is %u x %u", def->num_components,
                        def->bit_size);
      else
         hd_check_cases(v, j, def ? def->bit_size : 64);
   }
}

static void
check_access(visit *v)
{
   check *c = v->c;
   hd_var_access *a = (hd_var_access *)v->instr;
   bool is_store = a->instr.kind == HD_INSTR_STORE_VAR;
   const hd_var *var = a->var;

   hd_check_has_result(v, !is_store);
   if (a->instr.num_srcs > 2) {
      hd_check_fault(v, RULE_OP2, -1, "it has %u operands", a->instr.num_srcs);
      hide_sources(v);
      return;
   }
   const def_info *e[2] = { 0 };
   for (unsigned n = 0; n < a->instr.num_srcs; n++)
      e[n] = hd_check_visit_src(v, &a->src[n], n, n);
   if (!can_check(RULE_OP12, v->broken | (c->broken & VAR_RULES)))
      return;
   if (!var || var->index >= c->num_vars || c->vars[var->index] != var) {
      hd_check_fault(v, RULE_OP12, -1, "the variable is not of this function");
      return;
   }
   if (a->instr.num_srcs != (unsigned)is_store + (var->array_length != 0)) {
      hd_check_fault(v, RULE_OP12, -1, "it has %u operands, and $%s is %s", a->instr.num_srcs,
                     var->name, var->array_length ? "an array" : "not an array");
      return;
   }
   if (!is_store || (e[0] && !e[0]->mistyped)) {
      const hd_def *def = is_store ? e[0]->def : &a->instr.def;
      if (def->bit_size != var->bit_size || def->num_components != var->num_components)
         hd_check_fault(v, RULE_OP12, is_store ? 0 : -1, "the value is %u x %u, $%s %u x %u",
                        def->num_components, def->bit_size, var->name, var->num_components,
                        var->bit_size);
   }
   const def_info *index = var->array_length ? e[is_store] : NULL;
   if (index && !index->mistyped && (index->def->bit_size != 32 || index->def->num_components != 1))
      hd_check_fault(v, RULE_OP12, is_store, "the index is %u x %u", index->def->num_components,
                     index->def->bit_size);
}

/* The parameters that a function has, as far as agreeing links lead to them. */
static const hd_instr *
first_param(const hd_function *f, uint32_t *num)
{
   const hd_cf_node *start = f->body.first;
   const hd_instr *first =
       start && start->kind == HD_CF_BLOCK ? ((const hd_block *)start)->first : NULL;
   *num = 0;
   for (const hd_instr *i = first, *before = NULL;
        i && i->kind == HD_INSTR_PARAM && i->prev == before && *num < f->num_params;
        before = i, i = i->next)
      ++*num;
   return first;
}

static bool
same_type(const hd_def *a, const hd_def *b)
{
   return a->bit_size == b->bit_size && a->num_components == b->num_components;
}

static void
check_call(visit *v)
{
   check *c = v->c;
   hd_call *call = (hd_call *)v->instr;
   const hd_function *callee = call->callee;

   if (call->instr.num_srcs != HD_NUM_SRCS_WIDE || (call->num_args && !call->args)) {
      hd_check_fault(v, RULE_OP2, -1, "its arguments are not in the array of the call");
      hide_sources(v);
      return;
   }
   if (!callee || hd_check_function_number(c, callee) == NOT_IN_TABLE) {
      if (!(c->broken & RULE_BIT(RULE_SH1)))
         hd_check_fault(v, RULE_CALL2, -1, "the callee is not in this shader");
      hide_sources(v);
      return;
   }
   hd_check_add_call(c, v->instr, hd_check_function_number(c, callee));
   uint32_t num_params;
   const hd_instr *param = first_param(callee, &num_params);
   if (call->num_args != callee->num_params) {
      /* Where the callee does not have as many as it says, that is reported at the callee. */
      if (num_params == callee->num_params)
         hd_check_fault(v, RULE_CALL2, -1, "found %u arguments, expected %u for @%s",
                        call->num_args, callee->num_params, name_of(callee));
      hide_sources(v);
      return;
   }
   for (unsigned n = 0; n < call->num_args; n++) {
      const def_info *e = hd_check_visit_src(v, &call->args[n].src, n, HD_SLOT_WIDE);
      if (call->args[n].instr != &call->instr)
         hd_check_fault(v, RULE_SSA8, (int)n, "its instruction is another one");
      if (n >= num_params)
         continue;
      if (e && !e->mistyped && !same_type(e->def, &param->def) &&
          hd_check_is_valid_type(param->def.num_components, param->def.bit_size))
         hd_check_fault(v, RULE_CALL2, (int)n,
                        "argument %u is %u x %u, the parameter of @%s %u x %u", n,
                        e->def->num_components, e->def->bit_size, name_of(callee),
                        param->def.num_components, param->def.bit_size);
      param = param->next;
   }
   const hd_def *def = &call->instr.def;
   bool has_type = hd_check_is_valid_type(callee->result_components, callee->result_bits) ||
                   (!callee->result_components && !callee->result_bits);
   if (has_type &&
       (def->bit_size != callee->result_bits || def->num_components != callee->result_components))
      hd_check_fault(v, RULE_CALL2, -1, "the result is %u x %u, that of @%s %u x %u",
                     def->num_components, def->bit_size, name_of(callee), callee->result_components,
                     callee->result_bits);
}

static bool
has_sources_of_phi(const hd_phi *phi)
{
   return phi->instr.num_srcs == HD_NUM_SRCS_WIDE && phi->num_srcs <= phi->capacity &&
          (!phi->num_srcs || phi->srcs);
}

/* Before the sources of a phi: what must hold to look at them. */
static void
check_phi_shape(visit *v)
{
   hd_phi *phi = (hd_phi *)v->instr;
   const block_info *info = &v->c->blocks[v->pos];

   /* Whatever else is wrong with it. */
   if (!has_sources_of_phi(phi))
      hide_sources(v);
   if (v->broken)
      return;
   check_any_result(v);
   if (phi->instr.num_srcs != HD_NUM_SRCS_WIDE) {
      hd_check_fault(v, RULE_OP2, -1, "its sources are not in the array of the phi");
      return;
   }
   if (!has_sources_of_phi(phi)) {
      hd_check_fault(v, RULE_SSA3, -1, "found %u sources in an array of %u", phi->num_srcs,
                     phi->srcs ? phi->capacity : 0);
      return;
   }
   if (!can_check(RULE_SSA3, (v->c->broken & ~EDGE_RULES) | info->broken))
      return;
   if (phi->num_srcs != info->block->num_preds)
      hd_check_fault(v, RULE_SSA3, -1,
                     "found %u sources, expected one for each of the %u predecessors of b%u",
                     phi->num_srcs, info->block->num_preds, info->block->node.index);
}

/* LOW1 */
static void
check_lowered(visit *v)
{
   const hd_shader *s = v->c->shader;
   const uint64_t around = v->c->broken & (VAR_RULES | RULE_BIT(RULE_SH3));

   if (!s->lowered || !can_check(RULE_LOW1, v->broken | around))
      return;
   const uint32_t found = hd_instr_constructs(v->instr) & s->lowered;
   for (unsigned n = 0; n < 32; n++) {
      if (found >> n & 1) {
         hd_check_fault(v, RULE_LOW1, -1, "%s, which the shader says are lowered",
                        hd_lowered_get_info(n)->meaning);
         return;
      }
   }
}

void
hd_check_instr(visit *v)
{
   hd_instr *i = v->instr;
   check *c = v->c;

   if (i->kind != HD_INSTR_ALU && i->kind != HD_INSTR_INTRINSIC && i->flags)
      hd_check_fault(v, RULE_OP6, -1, "it has flags %#x", i->flags);
   switch (i->kind) {
   case HD_INSTR_ALU:
      check_alu(v);
      break;
   case HD_INSTR_CONST:
   case HD_INSTR_UNDEF:
   case HD_INSTR_PARAM:
      hd_check_has_result(v, true);
      if (i->num_srcs) {
         hd_check_fault(v, RULE_OP2, -1, "found %u operands, expected 0", i->num_srcs);
         hide_sources(v);
      }
      if (v->broken)
         break;
      if (i->kind == HD_INSTR_CONST)
         check_const(v);
      else
         check_any_result(v);
      break;
   case HD_INSTR_PHI:
      hd_check_has_result(v, true);
      check_phi_shape(v);
      break;
   case HD_INSTR_INTRINSIC:
      hd_check_intrinsic(v);
      break;
   case HD_INSTR_CALL:
      check_call(v);
      break;
   case HD_INSTR_JUMP:
      hd_check_has_result(v, false);
      check_jump(v);
      break;
   case HD_INSTR_LOAD_VAR:
   case HD_INSTR_STORE_VAR:
      check_access(v);
      break;
   default:
      hd_check_fault(v, RULE_OP1, -1, "kind %u", i->kind);
      hide_sources(v);
      break;
   }
   check_lowered(v);
   if (i->loc >= c->shader->num_locations)
      hd_check_fault(v, RULE_OP15, -1, "location %u of %u", i->loc, c->shader->num_locations);
}
