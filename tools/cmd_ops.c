/* SPDX-License-Identifier: MIT */
/* cmd_ops.c - heddle ops and heddle rules: the reference tables at the terminal. */
#include "tool.h"

#include "heddle/check.h"
#include "heddle/intrinsic_enum.h"
#include "heddle/op_enum.h"
#include "heddle/reference.h"

#include <string.h>

static bool
matches(const char *pattern, const char *name)
{
   size_t n = strlen(pattern);

   if (n && pattern[n - 1] == '*')
      return !strncmp(pattern, name, n - 1);
   return !strcmp(pattern, name);
}

static bool
is_asked(const tool *t, const char *name, bool *found)
{
   bool asked = !t->num_operands;

   for (int n = 0; n < t->num_operands; n++) {
      if (matches(t->operands[n], name)) {
         asked = true;
         found[n] = true;
      }
   }
   return asked;
}

static void
json_pair(const char *before, const char *key, const char *value)
{
   printf("%s\"%s\":", before, key);
   print_json_string(stdout, value);
}

/* One line in the list, a paragraph when it was asked for by name. */
static void
show(const tool *t, const char *kind, const char *name, const hd_reference *words)
{
   const char *bold = t->color_out ? "\033[1m" : "", *plain = t->color_out ? "\033[0m" : "";

   if (t->json) {
      json_pair("{", "kind", kind);
      json_pair(",", "name", name);
      json_pair(",", "signature", words->signature);
      json_pair(",", "meaning", words->meaning);
      json_pair(",", "note", words->note);
   } else if (t->num_operands) {
      printf("%s%s%s  %s\n  %s\n", bold, name, plain, words->signature, words->meaning);
      if (words->note[0])
         printf("  %s\n", words->note);
   } else {
      printf("%s%-28s%s %s\n", bold, name, plain, words->meaning);
   }
}

static void
show_indices(const tool *t, const hd_intrinsic_info *info)
{
   if (t->json) {
      printf(",\"indices\":[");
      for (unsigned n = 0; n < info->num_indices; n++) {
         printf(n ? "," : "");
         print_json_string(stdout, hd_index_get_info((hd_index)info->indices[n])->name);
      }
      printf("]");
      return;
   }
   for (unsigned n = 0; t->num_operands && n < info->num_indices; n++) {
      const hd_index number = (hd_index)info->indices[n];
      const hd_index_info *index = hd_index_get_info(number);
      printf("  %s=: %s\n", index->name, hd_index_get_description(number));
      for (unsigned k = 0; k < index->num_values; k++)
         printf("    %-16s %s\n", index->values[k].name, hd_index_value_get_description(number, k));
   }
}

typedef struct property {
   uint32_t bit;
   const char *words;
} property;

static const property op_properties[] = {
   { HD_OP_COMMUTATIVE, "commutative" },
   { HD_OP_ASSOCIATIVE, "associative" },
   { HD_OP_ASSOCIATIVE_INEXACT, "associative but for rounding" },
   { HD_OP_IDEMPOTENT, "idempotent" },
   { HD_OP_SELF_INVERSE, "its own inverse" },
   { HD_OP_COMPARE, "compares" },
   { HD_OP_FLOAT, "float" },
   { HD_OP_ROUNDS, "rounds" },
   { HD_OP_FLUSHES, "obeys the flushing of denormals" },
   { HD_OP_COMPONENTWISE, "componentwise" },
   { HD_OP_SIZED, "the instruction chooses the size of the result" },
   { 0, NULL },
};

static const property intrinsic_properties[] = {
   { HD_CROSS_LANE, "reads other lanes" },
   { HD_EFFECT_WRITE, "writes" },
   { HD_EFFECT_BARRIER, "waits or orders memory" },
   { HD_EFFECT_DEMOTE, "makes lanes helpers" },
   { HD_CAN_ELIMINATE, "may go when unused" },
   { HD_CAN_SPECULATE, "may run for more lanes" },
   { HD_CAN_SPECULATE_BY_ACCESS, "may run for more lanes where access says speculatable" },
   { 0, NULL },
};

static const property memory_classes[] = {
   { HD_MEMORY_GLOBAL, "global" },     { HD_MEMORY_BUFFER, "buffer" },
   { HD_MEMORY_SHARED, "shared" },     { HD_MEMORY_SCRATCH, "scratch" },
   { HD_MEMORY_PUSH, "push" },         { HD_MEMORY_KERNARG, "kernarg" },
   { HD_MEMORY_CONSTANT, "constant" }, { HD_MEMORY_IMAGE, "image" },
   { HD_MEMORY_INPUT, "input" },       { HD_MEMORY_OUTPUT, "output" },
   { HD_MEMORY_HELPER, "helper" },     { 0, NULL },
};

static const property stages[] = {
   { 1u << HD_STAGE_COMPUTE, "compute" },
   { 1u << HD_STAGE_KERNEL, "kernel" },
   { 1u << HD_STAGE_VERTEX, "vertex" },
   { 1u << HD_STAGE_FRAGMENT, "fragment" },
   { 0, NULL },
};

/* By hd_divergence. */
static const char *const divergences[] = {
   NULL,
   "always",
   "cannot be told",
   "if all operands are",
   "if all operands are and the access is neither volatile nor coherent",
   "if cluster_size is 0",
};

/* By hd_helper_rule. */
static const char *const helper_rules[] = {
   "run as the others",
   "do nothing",
   "get the result but do not count in it",
   "are needed by the other lanes of the quad",
};

/* A line of the words whose bits are set; nothing when none is. */
static void
show_properties(const tool *t, const char *title, const property *p, uint32_t bits)
{
   const char *between = "";

   if (t->json) {
      printf(",\"%s\":[", title);
      for (; p->words; p++) {
         if (!(bits & p->bit))
            continue;
         printf("%s", between);
         print_json_string(stdout, p->words);
         between = ",";
      }
      printf("]");
      return;
   }
   if (!t->num_operands || !bits)
      return;
   printf("  %s: ", title);
   for (; p->words; p++) {
      if (!(bits & p->bit))
         continue;
      printf("%s%s", between, p->words);
      between = ", ";
   }
   printf("\n");
}

static void
show_rule(const tool *t, const char *title, const char *words)
{
   if (t->json)
      json_pair(",", title, words);
   else if (t->num_operands)
      printf("  %s: %s\n", title, words);
}

static void
show_intrinsic_properties(const tool *t, const hd_intrinsic_info *info)
{
   show_properties(t, "properties", intrinsic_properties, info->flags);
   show_properties(t, "reads", memory_classes, info->reads);
   show_properties(t, "writes", memory_classes, info->writes);
   if (divergences[info->divergence])
      show_rule(t, "uniform", divergences[info->divergence]);
   show_rule(t, "helpers", helper_rules[info->helpers]);
   show_properties(t, "stages", stages, info->stages);
}

static int
complain_of_missing(const tool *t, const bool *found)
{
   for (int n = 0; n < t->num_operands; n++) {
      if (!found[n])
         return trouble("there is no '%s'; `heddle %s` lists all", t->operands[n],
                        t->command->name);
   }
   return 0;
}

#define MAX_ASKED 64

int
run_ops(tool *t)
{
   bool found[MAX_ASKED] = { false };

   if (t->num_operands > MAX_ASKED)
      return trouble("at most %d names at once", MAX_ASKED);
   for (unsigned n = 1; n < HD_NUM_OPS; n++) {
      const hd_op_info *info = hd_op_get_info((hd_op)n);
      if (!is_asked(t, info->name, found))
         continue;
      show(t, "op", info->name, hd_op_get_reference((hd_op)n));
      show_properties(t, "properties", op_properties, info->flags);
      printf(t->json ? "}\n" : "");
   }
   for (unsigned n = 1; n < HD_NUM_INTRINSICS; n++) {
      const hd_intrinsic_info *info = hd_intrinsic_get_info((hd_intrinsic_id)n);
      if (!is_asked(t, info->name, found))
         continue;
      show(t, "intrinsic", info->name, hd_intrinsic_get_reference((hd_intrinsic_id)n));
      show_intrinsic_properties(t, info);
      show_indices(t, info);
      printf(t->json ? "}\n" : "");
   }
   return complain_of_missing(t, found);
}

int
run_rules(tool *t)
{
   static const char *const scopes[] = { "shader", "both", "tree", "flat" };
   bool found[MAX_ASKED] = { false };

   if (t->num_operands > MAX_ASKED)
      return trouble("at most %d rules at once", MAX_ASKED);
   for (unsigned n = 0; n < hd_num_rules(); n++) {
      const hd_rule_info *rule = hd_rule_get_info(n);
      if (!is_asked(t, rule->number, found))
         continue;
      if (t->json) {
         json_pair("{", "rule", rule->number);
         json_pair(",", "scope", scopes[rule->scope]);
         json_pair(",", "words", rule->words);
         printf("}\n");
         continue;
      }
      printf("%-8s %-7s %s\n", rule->number, scopes[rule->scope], rule->words);
      if (!t->num_operands || !rule->presumes)
         continue;
      printf("  presumes");
      for (unsigned k = 0; k < hd_num_rules() && k < 64; k++) {
         if (rule->presumes >> k & 1)
            printf(" %s", hd_rule_get_info(k)->number);
      }
      printf("\n");
   }
   return complain_of_missing(t, found);
}
