/* SPDX-License-Identifier: MIT */
/* own_intrinsics_text.c - a table of a driver's own intrinsics as text, for --intrinsics of the tool. */
#include "heddle/intrinsic.h"

#include <string.h>

static void
print_type(hd_blob *out, const hd_type_info *type)
{
   unsigned bits = 1;

   while (!(type->sizes & bits) && bits < 64)
      bits *= 2;
   hd_blob_printf(out, "%c:", "uifbx"[type->kind]);
   if (type->size_variable)
      hd_blob_printf(out, "%c", type->size_variable);
   else
      hd_blob_printf(out, "%u", bits);
   if (type->linked)
      hd_blob_printf(out, "[n]");
   else if (type->min_components == type->max_components)
      hd_blob_printf(out, "[%u]", type->min_components);
   else
      hd_blob_printf(out, "[%u..%u]", type->min_components, type->max_components);
}

static void
print_operand(hd_blob *out, const hd_type_info *type)
{
   static const char *const tags[] = { "uniform", "descriptor", "defined" };

   print_type(out, type);
   hd_blob_printf(out, " %s", type->name);
   for (unsigned n = 0; n < 3; n++) {
      if (type->flags >> n & 1)
         hd_blob_printf(out, " !%s", tags[n]);
   }
}

/* ` key=a|b|c` of the bits that are set. */
static void
print_set(hd_blob *out, const char *key, uint32_t bits, const char *const *names, unsigned num)
{
   bool first = true;

   for (unsigned n = 0; n < num; n++) {
      if (!(bits >> n & 1))
         continue;
      hd_blob_printf(out, first ? " %s=" : "|", key);
      hd_blob_printf(out, "%s", names[n]);
      first = false;
   }
}

static void
print_memory(hd_blob *out, const char *key, uint32_t classes)
{
   const hd_index_info *info = hd_index_get_info(HD_INDEX_MEMORY);
   const char *names[32];

   for (uint32_t n = 0; n < info->num_values; n++)
      names[n] = info->values[n].name;
   print_set(out, key, classes, names, info->num_values);
}

/* What the letters stand for, each once. */
static void
print_sizes(hd_blob *out, const hd_intrinsic_info *info)
{
   static const char *const sizes[] = { "1", "", "", "8", "16", "32", "64" };
   uint32_t seen = 0;

   for (unsigned n = 0; n <= info->num_srcs; n++) {
      const hd_type_info *type = n < info->num_srcs ? &info->src[n] : &info->result;
      if ((n == info->num_srcs && !(info->flags & HD_HAS_RESULT)) || !type->size_variable ||
          seen >> (type->size_variable - 'A') & 1)
         continue;
      seen |= UINT32_C(1) << (type->size_variable - 'A');
      const char key[] = { type->size_variable, 0 };
      print_set(out, key, type->sizes, sizes, 7);
   }
}

static void
print_row(hd_blob *out, const hd_intrinsic_info *info)
{
   static const char *const divergences[] = { "none",     "uniform", "divergent",
                                              "operands", "memory",  "cluster" };
   static const char *const helpers[] = { "run", "skip", "uncounted", "needed" };
   static const char *const stages[] = { "compute", "kernel", "vertex", "fragment" };

   hd_blob_printf(out, "%s(", info->name);
   for (unsigned n = 0; n < info->num_srcs; n++) {
      hd_blob_append(out, ", ", n ? 2 : 0);
      print_operand(out, &info->src[n]);
   }
   hd_blob_printf(out, ")");
   if (info->flags & HD_HAS_RESULT) {
      hd_blob_printf(out, " -> ");
      print_type(out, &info->result);
   }
   print_sizes(out, info);
   if (info->flags & HD_CROSS_LANE)
      hd_blob_printf(out, " cross_lane");
   if (info->flags & HD_EFFECT_BARRIER)
      hd_blob_printf(out, " barrier");
   if (info->flags & HD_HAS_RESULT)
      hd_blob_printf(out, " divergence=%s", divergences[info->divergence]);
   print_memory(out, "reads", info->reads);
   print_memory(out, "writes", info->writes);
   if (info->flags & (HD_CAN_SPECULATE | HD_CAN_SPECULATE_BY_ACCESS))
      hd_blob_printf(out, " speculate=%s", info->flags & HD_CAN_SPECULATE ? "always" : "access");
   hd_blob_printf(out, " helpers=%s", helpers[info->helpers]);
   for (unsigned n = 0; n < info->num_indices; n++)
      hd_blob_printf(out, "%s%s",
                     n ? "|" : " indices=", hd_index_get_info((hd_index)info->indices[n])->name);
   print_set(out, "stages", info->stages, stages, HD_NUM_STAGES);
   hd_blob_printf(out, "\n");
}

hd_result
hd_intrinsic_table_print(const hd_intrinsic_table *table, hd_blob *out)
{
   const hd_result result = hd_intrinsic_table_check(table, (hd_diag_sink){ 0 });

   for (uint32_t n = 0; table && result == HD_OK && n < table->num_rows; n++)
      print_row(out, &table->rows[n].info);
   return result == HD_OK ? out->result : result;
}
