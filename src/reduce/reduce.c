/* SPDX-License-Identifier: MIT */
/* reduce.c - test-case reduction by delta debugging (Zeller and Hildebrandt, Simplifying and Isolating
 * Failure-Inducing Input, 2002).
 *
 * The sites of each kind of reduction are divided into one part, then two, four, and so on down to single
 * sites. A part that can be removed is removed at once, so that all later attempts are on less. Kinds
 * that remove much are tried first. Rounds are repeated to a fixpoint; each success makes something
 * smaller that never grows again, so there are finitely many.
 */
#include "reduce/reduce.h"

#include <string.h>

#include "heddle/check.h"
#include "heddle/clone.h"

typedef struct reducer {
   const hd_reduce_options *options;
   hd_config config; /* of candidates: their diagnostics are discarded */
   hd_shader *current;
   hd_reduce_state state;
   hd_result result;
   sites sites;
} reducer;

void
hd_reduce_add_site(sites *list, hd_function *f, void *object, uint32_t choice)
{
   const site s = { object, choice, f };

   hd_blob_append(&list->blob, &s, sizeof(s));
}

static uint32_t
num_sites(const sites *list)
{
   return (uint32_t)(list->blob.size / sizeof(site));
}

/* The sites of a kind, or none where memory ran out. */
static uint32_t
list_sites(reducer *r, const kind *k, hd_shader *shader)
{
   r->sites.blob.size = 0;
   k->list(&r->sites, shader);
   if (r->sites.blob.result != HD_OK) {
      r->result = r->sites.blob.result;
      return 0;
   }
   return num_sites(&r->sites);
}

static void
measure(hd_reduce_state *state, const hd_shader *shader)
{
   state->instructions = state->nodes = 0;
   hd_foreach_function(f, shader) {
      hd_foreach_node(n, f) {
         const hd_block *b = hd_node_as_block(n);
         state->nodes++;
         for (const hd_instr *i = b ? b->first : NULL; i; i = i->next)
            state->instructions++;
      }
   }
}

static bool
is_spent(const reducer *r)
{
   return r->options->max_tries && r->state.tries >= r->options->max_tries;
}

/* Is it valid, and does it still show what is looked for? */
static bool
is_good(reducer *r, hd_shader *candidate)
{
   const hd_result valid = hd_validate(candidate, NULL);

   if (valid != HD_OK) {
      if (valid != HD_INVALID)
         r->result = valid;
      return false;
   }
   r->state.tries++;
   return r->options->is_interesting(r->options->user, candidate);
}

/* Take away the sites of a part, on a copy. True: the copy takes the place of the shader. */
static bool
try_part(reducer *r, const kind *k, uint32_t begin, uint32_t end)
{
   hd_shader *candidate = NULL;
   bool any = false;

   const hd_result result = hd_shader_clone(r->current, &r->config, &candidate);
   if (result != HD_OK) {
      r->result = result;
      return false;
   }
   const uint32_t num = list_sites(r, k, candidate);
   const site *list = (const site *)(const void *)r->sites.blob.data;
   for (uint32_t n = end < num ? end : num; n-- > begin;)
      any |= k->take_away(&list[n], candidate);
   if (hd_shader_status(candidate) != HD_OK) {
      r->result = hd_shader_status(candidate);
      any = false;
   }
   if (!any || !is_good(r, candidate)) {
      hd_shader_destroy(candidate);
      return false;
   }
   hd_shader_destroy(r->current);
   r->current = candidate;
   r->state.successes++;
   measure(&r->state, candidate);
   if (r->options->progress)
      r->options->progress(r->options->user, &r->state);
   return true;
}

static bool
try_kind(reducer *r, const kind *k)
{
   uint32_t num = list_sites(r, k, r->current);
   bool any = false;

   r->state.what = k->name;
   for (uint32_t size = num; size && r->result == HD_OK; size /= 2) {
      uint32_t at = 0;
      while (at < num && r->result == HD_OK && !is_spent(r)) {
         if (!try_part(r, k, at, at + size)) {
            at += size;
            continue;
         }
         any = true;
         const uint32_t left = list_sites(r, k, r->current);
         /* Others stand now where these did, unless there are as many as before. */
         at += left < num || k->again ? 0 : size;
         num = left;
      }
      size = size > num ? num + (num == 0) : size;
   }
   return any;
}

static bool
try_kinds(reducer *r, const kind *kinds, unsigned num)
{
   bool any = false;

   for (unsigned n = 0; n < num && r->result == HD_OK; n++)
      any |= try_kind(r, &kinds[n]);
   return any;
}

static void
reduce(reducer *r)
{
   bool any = true;

   while (any && r->result == HD_OK && !is_spent(r)) {
      any = try_kinds(r, hd_reduce_rest_kinds, 1); /* functions */
      any |= try_kinds(r, hd_reduce_tree_kinds, hd_reduce_num_tree_kinds);
      any |= try_kinds(r, hd_reduce_flat_kinds, hd_reduce_num_flat_kinds);
      any |= try_kinds(r, hd_reduce_value_kinds, hd_reduce_num_value_kinds);
      any |= try_kinds(r, hd_reduce_vector_kinds, hd_reduce_num_vector_kinds);
      any |= try_kinds(r, hd_reduce_rest_kinds + 1, hd_reduce_num_rest_kinds - 1);
   }
}

hd_result
hd_reduce_shader(hd_shader *shader, const hd_reduce_options *options, hd_shader **out,
                 hd_reduce_state *state)
{
   const hd_config *config = hd_shader_config(shader);
   reducer r = { .options = options,
                 .config = { .allocator = config->allocator, .intrinsics = config->intrinsics } };
   hd_shader *result = NULL;

   hd_blob_init(&r.sites.blob, &r.config);
   r.result = hd_shader_clone(shader, &r.config, &r.current);
   if (r.result == HD_OK && r.current) {
      hd_foreach_function(f, r.current)
         hd_function_reindex(f);
      measure(&r.state, r.current);
      if (is_good(&r, r.current))
         reduce(&r);
      else if (r.result == HD_OK)
         r.result = HD_INVALID;
   }
   if (r.result == HD_OK)
      r.result = hd_shader_clone(r.current, config, &result);
   if (r.result == HD_OK)
      *out = result;
   hd_blob_finish(&r.sites.blob);
   hd_shader_destroy(r.current);
   if (state)
      *state = r.state;
   return r.result;
}
