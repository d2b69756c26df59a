/* SPDX-License-Identifier: MIT */
/* cmd_stats.c - heddle stats: counts and memory of the parts of a shader. */
#include "tool.h"

#include "heddle/binary.h"
#include "heddle/intrinsic.h"
#include "heddle/intrinsic_enum.h"
#include "heddle/op_enum.h"
#include "heddle/ops.h"
#include "heddle/text.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct counts {
   uint64_t functions, flat_functions, blocks, ifs, loops, edges, max_depth, instrs, values, uses;
   uint64_t vars, phi_srcs;
   uint64_t kinds[HD_NUM_INSTR_KINDS];
   uint64_t ops[HD_NUM_OPS];
   uint64_t intrinsics[HD_NUM_INTRINSICS];
   uint64_t own[HD_MAX_OWN_INTRINSICS];
   uint64_t live_bytes, text_bytes, binary_bytes;
} counts;

static const char *const kind_names[HD_NUM_INSTR_KINDS] = {
   "alu", "const", "undef", "phi", "intrinsic", "call", "jump", "param", "load_var", "store_var",
};

static void
count_block(counts *c, const hd_block *b)
{
   c->blocks++;
   c->edges += b->num_succs;
   hd_foreach_instr(i, b) {
      c->instrs++;
      c->kinds[i->kind]++;
      c->values += i->def.bit_size != 0;
      c->uses += hd_instr_num_srcs(i);
      if (i->kind == HD_INSTR_ALU)
         c->ops[i->op]++;
      else if (i->kind == HD_INSTR_INTRINSIC && i->op < HD_NUM_INTRINSICS)
         c->intrinsics[i->op]++;
      else if (i->kind == HD_INSTR_INTRINSIC && i->op < HD_INTRINSIC_OWN + HD_MAX_OWN_INTRINSICS)
         c->own[i->op - HD_INTRINSIC_OWN]++;
      else if (i->kind == HD_INSTR_PHI)
         c->phi_srcs += hd_instr_num_srcs(i);
   }
}

/* The depth follows the walk: down at an if or loop, up by as many as are left. */
static void
count_function(counts *c, const hd_function *f)
{
   const hd_cf_node *inside = NULL;
   uint64_t depth = 0;

   c->functions++;
   c->flat_functions += !f->structured;
   c->vars += f->num_vars;
   hd_foreach_node(n, f) {
      for (; inside && inside != hd_cf_node_parent(n); inside = hd_cf_node_parent(inside))
         depth--;
      if (n->kind == HD_CF_BLOCK) {
         count_block(c, hd_node_as_block(n));
         continue;
      }
      c->ifs += n->kind == HD_CF_IF;
      c->uses += n->kind == HD_CF_IF;
      c->loops += n->kind == HD_CF_LOOP;
      inside = n;
      if (++depth > c->max_depth)
         c->max_depth = depth;
   }
}

static hd_result
measure(counts *c, const hd_shader *shader)
{
   hd_blob blob = { 0 };
   hd_result result = hd_print_shader(shader, NULL, &blob);

   c->live_bytes = hd_shader_memory(shader).live;
   c->text_bytes = blob.size;
   hd_blob_finish(&blob);
   if (result == HD_OK)
      result = hd_write_binary(shader, &blob);
   c->binary_bytes = blob.size;
   hd_blob_finish(&blob);
   return result;
}

static void
row(bool json, bool *first, const char *name, uint64_t value)
{
   if (json)
      printf("%s\"%s\":%llu", *first ? "" : ",", name, (unsigned long long)value);
   else if (value)
      printf("  %-24s %12llu\n", name, (unsigned long long)value);
   *first = false;
}

static void
group(bool json, const char *name, bool open, bool any)
{
   if (json && open)
      printf(",\"%s\":{", name);
   else if (json)
      printf("}");
   else if (open && any)
      printf("%s\n", name);
}

/* One number of a shader: a row here, and a member that is counted above. */
static const struct {
   const char *name;
   size_t offset;
} sums[] = {
   { "functions", offsetof(counts, functions) },
   { "flat_functions", offsetof(counts, flat_functions) },
   { "blocks", offsetof(counts, blocks) },
   { "ifs", offsetof(counts, ifs) },
   { "loops", offsetof(counts, loops) },
   { "max_depth", offsetof(counts, max_depth) },
   { "edges", offsetof(counts, edges) },
   { "instructions", offsetof(counts, instrs) },
   { "values", offsetof(counts, values) },
   { "uses", offsetof(counts, uses) },
   { "phi_sources", offsetof(counts, phi_srcs) },
   { "variables", offsetof(counts, vars) },
   { "live_bytes", offsetof(counts, live_bytes) },
   { "text_bytes", offsetof(counts, text_bytes) },
   { "binary_bytes", offsetof(counts, binary_bytes) },
};

#define NUM_SUMS (sizeof(sums) / sizeof(sums[0]))

static uint64_t
sum_of(const counts *c, size_t n)
{
   uint64_t value;

   memcpy(&value, (const char *)c + sums[n].offset, sizeof(value));
   return value;
}

static void
show(const tool *t, const counts *c)
{
   bool json = t->json, first = true;

   printf(json ? "{" : "sums\n");
   for (size_t n = 0; n < NUM_SUMS; n++)
      row(json, &first, sums[n].name, sum_of(c, n));
   if (!json && c->instrs)
      printf("  %-24s %12.1f\n", "live_bytes/instruction",
             (double)c->live_bytes / (double)c->instrs);
   group(json, "kinds", true, c->instrs);
   first = true;
   for (unsigned n = 0; n < HD_NUM_INSTR_KINDS; n++)
      row(json, &first, kind_names[n], c->kinds[n]);
   group(json, "kinds", false, false);
   group(json, "ops", true, c->kinds[HD_INSTR_ALU]);
   first = true;
   for (unsigned n = 1; n < HD_NUM_OPS; n++) {
      if (c->ops[n])
         row(json, &first, hd_op_get_info((hd_op)n)->name, c->ops[n]);
   }
   group(json, "ops", false, false);
   group(json, "intrinsics", true, c->kinds[HD_INSTR_INTRINSIC]);
   first = true;
   for (unsigned n = 1; n < HD_NUM_INTRINSICS; n++) {
      if (c->intrinsics[n])
         row(json, &first, hd_intrinsic_get_info((hd_intrinsic_id)n)->name, c->intrinsics[n]);
   }
   const hd_intrinsic_table *own = t->config.intrinsics;
   for (uint32_t n = 0; own && n < own->num_rows; n++) {
      if (c->own[n])
         row(json, &first, own->rows[n].info.name, c->own[n]);
   }
   group(json, "intrinsics", false, false);
   if (json)
      printf("}\n");
}

/* Comparing two shaders: what differs, and by how much. */

static void
difference(const tool *t, bool *first, const char *name, uint64_t before, uint64_t after)
{
   if (before == after)
      return;
   if (t->json)
      printf("%s\"%s\":[%llu,%llu]", *first ? "" : ",", name, (unsigned long long)before,
             (unsigned long long)after);
   else
      printf("  %-24s %12llu %12llu %+12lld\n", name, (unsigned long long)before,
             (unsigned long long)after, (long long)(after - before));
   *first = false;
}

static void
show_differences(const tool *t, const counts *a, const counts *b)
{
   bool first = true;

   printf(t->json ? "{" : "  %-24s %12s %12s %12s\n", "", "before", "after", "difference");
   for (size_t n = 0; n < NUM_SUMS; n++)
      difference(t, &first, sums[n].name, sum_of(a, n), sum_of(b, n));
   for (unsigned n = 0; n < HD_NUM_INSTR_KINDS; n++)
      difference(t, &first, kind_names[n], a->kinds[n], b->kinds[n]);
   for (unsigned n = 1; n < HD_NUM_OPS; n++)
      difference(t, &first, hd_op_get_info((hd_op)n)->name, a->ops[n], b->ops[n]);
   for (unsigned n = 1; n < HD_NUM_INTRINSICS; n++)
      difference(t, &first, hd_intrinsic_get_info((hd_intrinsic_id)n)->name, a->intrinsics[n],
                 b->intrinsics[n]);
   if (t->json)
      printf("}\n");
}

/* NULL: a message was printed, and *status is the exit code. free() it. */
static counts *
count_shader(tool *t, hd_shader *shader, int *status)
{
   if (!shader)
      return NULL;
   counts *c = calloc(1, sizeof(*c));
   const hd_result result = c ? measure(c, shader) : HD_OUT_OF_MEMORY;
   if (result == HD_OK) {
      hd_foreach_function(f, shader)
         count_function(c, f);
   } else {
      free(c);
      c = NULL;
   }
   hd_shader_destroy(shader);
   *status = explain(t, "stats", result);
   return c;
}

int
run_stats(tool *t)
{
   const char *other = option_value(t, "compare");
   int status;
   counts *before = other ? count_shader(t, load_shader(t, other, &status), &status) : NULL;

   if (other && !before)
      return status;
   counts *c = count_shader(t, load_only_shader(t, &status), &status);
   if (c && before)
      show_differences(t, before, c);
   else if (c)
      show(t, c);
   free(before);
   free(c);
   return status;
}
