/* SPDX-License-Identifier: MIT */
/* reconverge_endless.c - infinite loops: cycles without a path to the end. */
#include "structurize/reconverge.h"

/* Mark what leads to a place. */
static void
mark_leading(rc *r, uint32_t place, bool *marked, uint32_t *list)
{
   uint32_t num = 0;

   list[num++] = place;
   marked[place] = true;
   while (num) {
      const hd_block *b = r->places[list[--num]].block;
      for (uint32_t n = 0; n < b->num_preds; n++) {
         uint32_t from = r->place_of[b->preds[n].from->node.index];
         if (!marked[from])
            list[num++] = from;
         marked[from] = true;
      }
   }
}

/* Do lanes diverge in a cycle? Its places stand together, its latch last. */
static bool
parts_in(const rc *r, uint32_t header, const uint32_t *num_before)
{
   return num_before[r->places[header].latch] != num_before[header];
}

/* Do lanes come into an outermost cycle, or into one in it, beside a header? Then some that wait
 * for others are seen only after the header.
 */
static bool
is_entered_beside(const rc *r, const hd_cycle *outer)
{
   for (uint32_t n = 0; n <= outer->num_inside; n++) {
      if (hd_function_cycle(r->f, outer->index + n)->has_other_entries)
         return true;
   }
   return false;
}

/* Those that come last in the sweep come first here, and cycles before those in them. */
void
hd_rc_find_endless(rc *r)
{
   bool *ends = memset(hd_stack_alloc(r->stack, r->num_places), 0, r->num_places);
   uint32_t *list = rc_scratch(r, r->num_places);
   uint32_t *num_before = rc_scratch(r, (size_t)r->num_places + 1);

   mark_leading(r, r->num_places - 1, ends, list);
   num_before[0] = 0;
   for (uint32_t p = 0; p < r->num_places; p++) {
      num_before[p + 1] = num_before[p] + r->places[p].divergent;
      r->parts_for_good |= r->places[p].divergent && !ends[p];
   }
   for (uint32_t i = hd_function_num_cycles(r->f); i--;) {
      const hd_cycle *outer = hd_function_cycle(r->f, i);
      const bool beside = !outer->parent && is_entered_beside(r, outer);
      for (uint32_t n = 0; !outer->parent && n <= outer->num_inside; n++) {
         uint32_t header = r->place_of[hd_function_cycle(r->f, i + n)->header->node.index];
         const uint32_t outermost = r->place_of[outer->header->node.index];
         if (ends[header])
            continue;
         r->places[header].endless = true;
         r->places[header].parts_around = n && (beside || parts_in(r, outermost, num_before));
         mark_leading(r, header, ends, list);
      }
   }
}
