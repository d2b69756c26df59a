/* SPDX-License-Identifier: MIT */
/* cmd_ops.c - heddle ops and heddle rules: the tables, at the terminal. */
#include "tool.h"

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
   print_json_string(value);
}

/* One line in the list, a paragraph when it was asked for by name. */
static void
show(const tool *t, const char *kind, const char *name, const char *signature, const char *meaning,
     const char *note)
{
   const char *bold = t->color_out ? "\033[1m" : "", *plain = t->color_out ? "\033[0m" : "";

   if (t->json) {
      json_pair("{", "kind", kind);
      json_pair(",", "name", name);
      json_pair(",", "signature", signature);
      json_pair(",", "meaning", meaning);
      json_pair(",", "note", note);
   } else if (t->num_operands) {
      printf("%s%s%s  %s\n  %s\n", bold, name, plain, signature, meaning);
      if (note[0])
         printf("  %s\n", note);
   } else {
      printf("%s%-28s%s %s\n", bold, name, plain, meaning);
   }
}

static void
show_indices(const tool *t, const hd_intrinsic_info *info)
{
   if (t->json) {
      printf(",\"indices\":[");
      for (unsigned n = 0; n < info->num_indices; n++) {
         printf(n ? "," : "");
         print_json_string(hd_index_get_info((hd_index)info->indices[n])->name);
      }
      printf("]");
      return;
   }
   for (unsigned n = 0; t->num_operands && n < info->num_indices; n++) {
      const hd_index_info *index = hd_index_get_info((hd_index)info->indices[n]);
      printf("  %s=: %s\n", index->name, index->meaning);
      for (unsigned k = 0; k < index->num_values; k++)
         printf("    %-16s %s\n", index->values[k].name, index->values[k].meaning);
   }
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
      show(t, "op", info->name, info->signature, info->meaning, info->edges);
      printf(t->json ? "}\n" : "");
   }
   for (unsigned n = 1; n < HD_NUM_INTRINSICS; n++) {
      const hd_intrinsic_info *info = hd_intrinsic_get_info((hd_intrinsic_id)n);
      if (!is_asked(t, info->name, found))
         continue;
      show(t, "intrinsic", info->name, info->signature, info->meaning, info->note);
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
