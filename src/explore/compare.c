/* SPDX-License-Identifier: MIT */
/* compare.c - explorer: match the nodes of two inputs, before the first pass and after the last.
 */
#include <inttypes.h>

#include "explore/explore.h"
#include "heddle/diff.h"
#include "heddle/walk.h"
#include "util/ptr_map.h"

/* Nodes of a shader, in the order in which it is shown. */
typedef struct numbering {
   hd_ptr_map map;
   uint32_t num;
} numbering;

static uint32_t
count_nodes(const hd_shader *shader)
{
   uint32_t num = 0;

   hd_foreach_function(f, shader) {
      hd_foreach_node(node, f)
         num++;
      hd_foreach_block(b, f) {
         hd_foreach_instr(i, b)
            num++;
      }
   }
   return num;
}

/* `nodes` are those of the rows; NULL: 0, 1, ... */
static bool
find_nodes(struct explorer *x, const hd_shader *shader, const uint32_t *nodes, uint32_t num,
           numbering *out)
{
   out->num = count_nodes(shader);
   if (nodes && out->num != num)
      return false;
   hd_ptr_map_init(&out->map, &x->stack, out->num);
   uint32_t n = 0;
   hd_foreach_function(f, shader) {
      hd_walk walk = { 0 };
      hd_walk_begin(&walk, f);
      do {
         if (walk.event != HD_WALK_BLOCK && walk.event != HD_WALK_IF && walk.event != HD_WALK_LOOP)
            continue;
         hd_ptr_map_set(&out->map, walk.node, nodes ? nodes[n] : n);
         n++;
         const hd_block *b = hd_node_as_block(walk.node);
         if (!b)
            continue;
         hd_foreach_instr(i, b) {
            hd_ptr_map_set(&out->map, i, nodes ? nodes[n] : n);
            n++;
         }
      } while (hd_walk_next(&walk));
   }
   return true;
}

/* The nodes of the rows of the last step. */
static uint32_t *
last_nodes(const side *s, uint32_t *num)
{
   uint32_t *nodes = hd_stack_alloc(&s->x->stack, (s->rows.num + (size_t)1) * sizeof(*nodes));

   *num = 0;
   for (uint32_t n = 0; n < s->rows.num; n++) {
      const unsigned kind = s->rows.at[n].kind;
      if (kind == ROW_INSTR || kind == ROW_BLOCK || kind == ROW_IF || kind == ROW_LOOP)
         nodes[(*num)++] = s->rows.at[n].node;
   }
   return nodes;
}

static uint32_t
node_of(const numbering *numbers, const hd_diff_place *place)
{
   return hd_ptr_map_get(&numbers->map, place->instr ? (const void *)place->instr : place->node);
}

static void
write_pairs(struct explorer *x, const hd_shader *a, const hd_shader *b, const numbering numbers[2],
            hd_blob *out)
{
   const char *between = "";
   hd_diff *diff;
   const hd_result result = hd_diff_create(a, b, &diff);

   if (result != HD_OK)
      hd_heap_fail(&x->heap, result);
   hd_blob_printf(out, "{\"counts\":[");
   for (unsigned n = 0; n < HD_NUM_DIFF_KINDS; n++)
      hd_blob_printf(out, "%s%zu", n ? "," : "", diff->counts[n]);
   hd_blob_printf(out, "],\"pairs\":[");
   for (size_t n = 0; n < diff->num_entries; n++) {
      const hd_diff_entry *e = &diff->entries[n];
      if (!e->before.function || !e->after.function)
         continue;
      hd_blob_printf(out, "%s[%" PRIu32 ",%" PRIu32 ",%u]", between,
                     node_of(&numbers[0], &e->before), node_of(&numbers[1], &e->after),
                     (unsigned)e->kind);
      between = ",";
   }
   hd_blob_printf(out, "]}");
   hd_diff_destroy(diff);
}

void
hd_explore_write_comparison(const side *a, const side *b, hd_blob *out)
{
   struct explorer *x = a->x;
   numbering numbers[2];
   uint32_t num[2];

   find_nodes(x, a->input->shader, NULL, 0, &numbers[0]);
   find_nodes(x, b->input->shader, NULL, 0, &numbers[1]);
   hd_blob_printf(out, ",\n\"compare\":{\"first\":");
   write_pairs(x, a->input->shader, b->input->shader, numbers, out);
   const uint32_t *nodes[2] = { last_nodes(a, &num[0]), last_nodes(b, &num[1]) };
   /* What was refused may have no copy that is as the rows are. */
   if (a->before && b->before && find_nodes(x, a->before, nodes[0], num[0], &numbers[0]) &&
       find_nodes(x, b->before, nodes[1], num[1], &numbers[1])) {
      hd_blob_printf(out, ",\n\"last\":");
      write_pairs(x, a->before, b->before, numbers, out);
   }
   hd_blob_printf(out, "}");
}
