/* SPDX-License-Identifier: MIT */
/* validate.c - the entry points of the validator: the order of its parts, and the rules of the shader as a
 * whole.
 */
#include "check.h"
#include "heddle/analysis.h"
#include "heddle/ops.h"

/* Rules without which a function's blocks and instructions are not all known. */
#define WHOLE_RULES (TREE_LINKS | RULE_BIT(RULE_CF10) | RULE_BIT(RULE_CF16) | RULE_BIT(RULE_CF17))

static uint64_t
hash_string(const char *s)
{
   uint64_t h = UINT64_C(0xcbf29ce484222325);

   while (*s)
      h = (h ^ (unsigned char)*s++) * UINT64_C(0x100000001b3);
   return h;
}

static const pair *
find_pair(const pair *pairs, size_t n, uint64_t key)
{
   size_t low = 0, high = n;

   while (low < high) {
      size_t middle = (low + high) / 2;
      if (pairs[middle].key < key)
         low = middle + 1;
      else
         high = middle;
   }
   return low < n && pairs[low].key == key ? &pairs[low] : NULL;
}

uint32_t
hd_check_function_number(const check *c, const hd_function *f)
{
   const pair *p = find_pair(c->by_address, c->num_functions, (uintptr_t)f);

   return p ? (uint32_t)p->value : NOT_IN_TABLE;
}

/* SH1, and the table of functions. Kept for the whole run, so it is made before any mark. */
static void
collect_functions(check *c)
{
   hd_shader *shader = c->shader;
   hd_function *before = NULL;
   uint32_t capacity = 0;

   for (hd_function *f = shader->first_function; f; before = f, f = f->next) {
      if (f->prev != before || f->shader != shader) {
         hd_check_report(c, RULE_SH1, at_function(), "what follows @%s does not point back",
                         before ? name_of(before) : "?");
         break;
      }
      c->functions =
          hd_check_grow(c, c->functions, &capacity, c->num_functions + 1, sizeof(*c->functions));
      c->functions[c->num_functions++] = f;
   }
   if (!(c->broken & RULE_BIT(RULE_SH1)) && shader->last_function != before)
      hd_check_report(c, RULE_SH1, at_function(), "its last one is not the end of the list");
   if (!(c->broken & RULE_BIT(RULE_SH1)) && shader->num_functions != c->num_functions)
      hd_check_report(c, RULE_SH1, at_function(), "there are %u of %u", c->num_functions,
                      shader->num_functions);
   c->by_address = hd_stack_alloc(c->stack, (c->num_functions + 1) * sizeof(pair));
   for (uint32_t n = 0; n < c->num_functions; n++)
      c->by_address[n] = (pair){ (uintptr_t)c->functions[n], n };
   hd_check_sort_pairs(c->by_address, c->num_functions);
   steps(c, c->num_functions);
}

/* SH2 */
static void
check_function_names(check *c)
{
   hd_stack_mark mark = hd_stack_get_mark(c->stack);
   pair *names = hd_stack_alloc(c->stack, (c->num_functions + 1) * sizeof(*names));
   uint32_t num = 0;

   for (uint32_t n = 0; n < c->num_functions; n++) {
      const char *name = c->functions[n]->name;
      if (name)
         names[num++] = (pair){ hash_string(name), n };
      else
         hd_check_report(c, RULE_SH2, at_function(), "function %u has none", n);
   }
   hd_check_sort_pairs(names, num);
   for (uint32_t n = 1; n < num; n++) {
      const char *a = c->functions[names[n - 1].value]->name,
                 *b = c->functions[names[n].value]->name;
      if (names[n].key == names[n - 1].key && !strcmp(a, b))
         hd_check_report(c, RULE_SH2, at_function(), "two are @%s", a);
   }
   hd_stack_release(c->stack, mark);
}

/* SH3 */
static void
check_properties(check *c)
{
   const hd_shader *s = c->shader;
   const uint32_t *size = s->workgroup_size;
   uint64_t invocations = 1;

   for (unsigned n = 0; n < 3 && invocations <= UINT32_MAX; n++)
      invocations *= size[n] ? size[n] : 1;
   if (s->stage >= HD_NUM_STAGES)
      hd_check_report(c, RULE_SH3, at_function(), "stage %u", s->stage);
   else if (s->stage != HD_STAGE_COMPUTE && s->stage != HD_STAGE_KERNEL &&
            (size[0] || size[1] || size[2]))
      hd_check_report(c, RULE_SH3, at_function(), "this stage has no workgroups");
   else if (invocations > UINT32_C(1) << 31)
      hd_check_report(c, RULE_SH3, at_function(), "a workgroup of %u x %u x %u invocations",
                      size[0], size[1], size[2]);
   if (s->subgroup_size > 128 || (s->subgroup_size & (s->subgroup_size - 1)))
      hd_check_report(c, RULE_SH3, at_function(), "a subgroup of %u lanes", s->subgroup_size);
   if (s->float_controls & ~(uint32_t)HD_FLOAT_ALL)
      hd_check_report(c, RULE_SH3, at_function(), "float controls %#x", s->float_controls);
   if (s->lowered & ~(uint32_t)HD_LOWERED_ALL)
      hd_check_report(c, RULE_SH3, at_function(), "lowered constructs %#x", s->lowered);
   if (!s->name || !s->locations || !s->num_locations)
      hd_check_report(c, RULE_SH3, at_function(), "it has no %s", s->name ? "locations" : "name");
}

/* FN2, FN3: gives c->vars. */
void
hd_check_variables(check *c)
{
   hd_function *f = c->f;
   const hd_var *before = NULL;
   uint32_t num = 0, capacity = 0, size = 0;
   pair *names = NULL;

   for (const hd_var *v = f->first_var; v; before = v, v = v->next) {
      if (v->prev != before) {
         hd_check_report(c, RULE_FN2, at_function(), "the links of its variables do not agree");
         return;
      }
      if (v->index >= f->num_vars) {
         hd_check_report(c, RULE_FN2, at_function(), "variable %u of %u", v->index, f->num_vars);
         return;
      }
      names = hd_check_grow(c, names, &capacity, num + 1, sizeof(*names));
      names[num++] = (pair){ v->index, (uintptr_t)v };
      size = v->index >= size ? v->index + 1 : size;
   }
   if (f->last_var != before)
      hd_check_report(c, RULE_FN2, at_function(), "its last variable is not the end of the list");
   steps(c, num);
   c->vars = hd_stack_alloc_zero(c->stack, ((size_t)size + 1) * sizeof(*c->vars));
   c->num_vars = size;
   for (uint32_t n = 0; n < num; n++) {
      const hd_var *v = (const hd_var *)(uintptr_t)names[n].value;
      if (c->vars[v->index])
         hd_check_report(c, RULE_FN2, at_function(), "two variables are number %u", v->index);
      c->vars[v->index] = v;
      if (!v->name)
         hd_check_report(c, RULE_FN3, at_function(), "variable %u has no name", v->index);
      else if (!hd_check_is_valid_type(v->num_components, v->bit_size))
         hd_check_report(c, RULE_FN3, at_function(), "$%s is %u x %u", v->name, v->num_components,
                         v->bit_size);
      names[n].key = v->name ? hash_string(v->name) : 0;
   }
   hd_check_sort_pairs(names, num);
   for (uint32_t n = 1; n < num; n++) {
      const char *a = ((const hd_var *)(uintptr_t)names[n - 1].value)->name;
      const char *b = ((const hd_var *)(uintptr_t)names[n].value)->name;
      if (names[n].key == names[n - 1].key && a && b && !strcmp(a, b))
         hd_check_report(c, RULE_FN3, at_function(), "two variables are $%s", a);
   }
}

/* The sources whose values belong to other functions, to be looked up. */
static void
sort_foreign(check *c)
{
   uint32_t n = 0;

   for (const foreign_src *s = c->foreign; s; s = s->next)
      n++;
   c->foreign_by_address = hd_stack_alloc(c->stack, (n + 1) * sizeof(pair));
   for (const foreign_src *s = c->foreign; s; s = s->next)
      c->foreign_by_address[c->num_foreign++] = (pair){ (uintptr_t)s->src, 0 };
   hd_check_sort_pairs(c->foreign_by_address, n);
}

bool
hd_check_is_foreign(const check *c, const hd_src *src)
{
   return find_pair(c->foreign_by_address, c->num_foreign, (uintptr_t)src);
}

static void
begin_function(check *c, hd_function *f)
{
   c->f = f;
   c->broken &= RULE_BIT(RULE_SH1) | RULE_BIT(RULE_SH3);
   c->blocks = NULL;
   c->num_blocks = c->blocks_capacity = 0;
   c->ifs = NULL;
   c->if_block = NULL;
   c->num_ifs = c->ifs_capacity = 0;
   c->loops = NULL;
   c->num_loops = c->loops_capacity = 0;
   c->block_place = NULL;
   c->block_table_size = 0;
   c->defs = NULL;
   c->defs_capacity = 0;
   c->num_instrs = 0;
   c->vars = NULL;
   c->num_vars = 0;
   c->dom = NULL;
   c->asks_uniform = c->declares = c->edges_sound = c->sources_hidden = c->use_fault = false;
   c->use_sum = 0;
   c->num_heads = 0;
   c->unordered = NULL;
   c->num_unordered = c->unordered_capacity = 0;
}

/* CF15: the last block of a structured function is reached, and nothing is returned there. */
static void
check_fall_through(check *c)
{
   const block_info *last = &c->blocks[c->num_blocks - 1];

   if (c->f->structured && c->f->result_bits && last->reachable &&
       !(last->last && last->last->kind == HD_INSTR_JUMP))
      hd_check_report(c, RULE_CF15, at_block(last->block), "it ends without a jump");
}

/* Keep what is known of the function for later. */
static void
defer(check *c)
{
   deferred *d = hd_stack_alloc(c->stack, sizeof(*d));

   d->state = hd_stack_alloc(c->stack, sizeof(*d->state));
   *d->state = *c;
   d->next = NULL;
   if (c->last_deferred)
      c->last_deferred->next = d;
   else
      c->deferred = d;
   c->last_deferred = d;
}

static void
check_function(check *c, hd_function *f)
{
   hd_stack_mark mark = hd_stack_get_mark(c->stack);
   const foreign_src *foreign = c->foreign;
   const deferred *last = c->last_deferred;

   begin_function(c, f);
   if ((f->result_bits || f->result_components) &&
       !hd_check_is_valid_type(f->result_components, f->result_bits))
      hd_check_report(c, RULE_FN1, at_function(), "it is %u x %u", f->result_components,
                      f->result_bits);
   if (f->num_extracted)
      hd_check_report(c, RULE_FN4, at_function(), "%u ranges are out", f->num_extracted);
   hd_check_variables(c);
   hd_check_tree(c);
   hd_check_bodies(c);
   hd_check_graph(c);
   if (c->num_blocks && can_check(RULE_CF15, c->broken & ~RULE_BIT(RULE_FN1)) &&
       !(c->broken & (WHOLE_RULES | RULE_BIT(RULE_CF6) | RULE_BIT(RULE_CF13)))) {
      hd_check_dominance(c);
      c->edges_sound = true;
      if (can_check(RULE_CF15, c->broken))
         check_fall_through(c);
      /* A definition that is in a wrong position has been reported. */
      if (c->broken & (RULE_BIT(RULE_SSA4) | RULE_BIT(RULE_SSA5)))
         c->dom = NULL;
   }
   hd_check_instrs(c);
   if ((c->use_sum || c->num_heads || c->use_fault) && !c->sources_hidden &&
       !(c->broken & WHOLE_RULES))
      defer(c);
   hd_check_flat_declarations(c);
   if (c->options->metadata && !c->broken)
      hd_check_metadata(c);
   c->any_asks_uniform |= c->asks_uniform;
   c->all_broken |= c->broken;
   /* What is kept for later lies above the mark. */
   if (foreign == c->foreign && last == c->last_deferred)
      hd_stack_release(c->stack, mark);
}

/* SSA2 of functions where it fails is reported last: a use list that holds a source of another function
 * is that one's fault (SSA7), and which functions have such sources is known only then.
 */
static void
check_deferred(check *c)
{
   sort_foreign(c);
   for (deferred *d = c->deferred; d; d = d->next) {
      check saved = *d->state;
      saved.foreign_by_address = c->foreign_by_address;
      saved.num_foreign = c->num_foreign;
      saved.num_errors = c->num_errors;
      hd_check_uses(&saved);
      c->num_errors = saved.num_errors;
   }
}

/* What divergence analysis says: it follows use lists, so these must be sound in the whole shader.
 */
static void
check_sound_function(check *c, hd_function *f)
{
   bool metadata = c->options->metadata && f->meta_valid & HD_META_DIVERGENCE;

   if (!metadata && !c->any_asks_uniform && !c->options->reconverging && !c->options->keeps_sweep)
      return;
   /* For the locations in messages. */
   begin_function(c, f);
   c->muted = true;
   hd_check_tree(c);
   hd_check_bodies(c);
   c->muted = false;
   hd_check_convergence(c);
   if (metadata)
      hd_check_divergence_metadata(c);
}

static void
check_sound_functions(check *c, hd_function *only)
{
   if (c->num_errors || c->sources_hidden)
      return;
   for (uint32_t n = 0; n < c->num_functions; n++) {
      hd_stack_mark mark = hd_stack_get_mark(c->stack);
      if (!only || c->functions[n] == only)
         check_sound_function(c, c->functions[n]);
      hd_stack_release(c->stack, mark);
   }
   c->f = NULL;
}

/* SH4, the other half: an entry of the name table is flagged. Looked for only when there are more
 * entries than flags. An entry of a value or block that is in no function at the moment does no
 * harm.
 */
static void
check_unflagged(check *c)
{
   if (c->shader->memory->num_names == c->num_named ||
       c->all_broken & (WHOLE_RULES | RULE_BIT(RULE_SH1)))
      return;
   for (uint32_t n = 0; n < c->num_functions; n++) {
      hd_stack_mark mark = hd_stack_get_mark(c->stack);
      c->muted = true;
      begin_function(c, c->functions[n]);
      hd_check_tree(c);
      hd_check_bodies(c);
      c->muted = false;
      for (uint32_t pos = 0; pos < c->num_blocks; pos++) {
         const hd_block *b = c->blocks[pos].block;
         if (!b->node.named && hd_name_get(c->shader, b))
            hd_check_report(c, RULE_SH4, at_block(b), "it has an entry and no flag");
         for (const hd_instr *i = b->first; i; i = i->next) {
            if (!(i->def.flags & HD_DEF_NAMED) && hd_name_get(c->shader, &i->def))
               hd_check_report(c, RULE_SH4, at_instr(b, i), "it has an entry and no flag");
         }
      }
      hd_stack_release(c->stack, mark);
   }
   c->f = NULL;
}

void
hd_check_add_call(check *c, const hd_instr *instr, uint32_t callee)
{
   if (c->num_calls == c->calls_capacity) {
      uint32_t capacity = c->calls_capacity ? c->calls_capacity * 2 : 16;
      c->calls = hd_heap_grow(c->heap, c->calls, c->calls_capacity * sizeof(*c->calls),
                              capacity * sizeof(*c->calls));
      c->calls_capacity = capacity;
   }
   uint32_t caller = hd_check_function_number(c, c->f);
   c->calls[c->num_calls++] = (pair){ (uint64_t)caller << 32 | callee, (uintptr_t)instr };
}

/* CALL1: a depth-first search over the calls, sorted by caller. A call to a function that is being
 * visited closes a cycle; each pair of functions is reported once.
 */
static void
check_call_graph(check *c)
{
   uint32_t n = c->num_functions, depth = 0;
   uint32_t *next = hd_stack_alloc_zero(c->stack, (n + 1) * sizeof(*next));
   uint32_t *path = hd_stack_alloc(c->stack, (n + 1) * sizeof(*path));
   uint8_t *state = hd_stack_alloc_zero(c->stack, n + 1);
   enum { UNSEEN, OPEN, DONE };

   hd_check_sort_pairs(c->calls, c->num_calls);
   for (uint32_t k = c->num_calls; k-- > 0;)
      next[c->calls[k].key >> 32] = k;
   steps(c, n + c->num_calls);
   for (uint32_t root = 0; root < n; root++) {
      if (state[root] != UNSEEN)
         continue;
      state[root] = OPEN;
      path[depth++] = root;
      while (depth) {
         uint32_t caller = path[depth - 1], k = next[caller];
         if (k == c->num_calls || c->calls[k].key >> 32 != caller) {
            state[caller] = DONE;
            depth--;
            continue;
         }
         next[caller]++;
         uint32_t callee = (uint32_t)c->calls[k].key;
         const hd_instr *instr = (const hd_instr *)(uintptr_t)c->calls[k].value;
         c->f = c->functions[caller];
         if (state[callee] == OPEN && (!k || c->calls[k - 1].key != c->calls[k].key))
            hd_check_report(c, RULE_CALL1, at_instr(instr->block, instr), "@%s %s",
                            name_of(c->functions[callee]),
                            caller == callee ? "calls itself" : "is one of its callers");
         if (state[callee] != UNSEEN)
            continue;
         state[callee] = OPEN;
         path[depth++] = callee;
      }
   }
   c->f = NULL;
}

static void
check_shader(check *c)
{
   check_properties(c);
   collect_functions(c);
   check_function_names(c);
   for (uint32_t n = 0; n < c->num_functions; n++)
      check_function(c, c->functions[n]);
   c->f = NULL;
   check_deferred(c);
   check_unflagged(c);
   check_call_graph(c);
   check_sound_functions(c, NULL);
}

static hd_result
validate(hd_shader *shader, hd_function *f, const hd_validate_options *options)
{
   static const hd_validate_options defaults = { 0 };
   check c = { .shader = shader, .heap = hd_shader_heap(shader), .stack = hd_shader_stack(shader) };
   hd_stack_mark mark = hd_stack_get_mark(c.stack);
   hd_unwind u;

   c.options = options ? options : &defaults;
   c.sink = c.options->diag.report ? c.options->diag : hd_shader_config(shader)->diag;
   c.max_errors = c.options->max_errors ? c.options->max_errors : 100;
   hd_heap_refill(c.heap);
   if (HD_TRY(c.heap, &u)) {
      if (f) {
         c.muted = true;
         collect_functions(&c);
         c.muted = false;
         c.broken = 0;
         check_function(&c, f);
         check_deferred(&c);
         check_sound_functions(&c, f);
      } else {
         check_shader(&c);
      }
   }
   hd_result result = hd_heap_leave(c.heap, &u);
   hd_fresh_end(&c.fresh, c.heap);
   hd_heap_free(c.heap, c.calls, c.calls_capacity * sizeof(*c.calls));
   hd_stack_release(c.stack, mark);
   return result == HD_OK && c.num_errors ? HD_INVALID : result;
}

hd_result
hd_validate(hd_shader *shader, const hd_validate_options *options)
{
   return validate(shader, NULL, options);
}

hd_result
hd_validate_function(hd_function *f, const hd_validate_options *options)
{
   return validate(f->shader, f, options);
}
