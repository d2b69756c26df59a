/* SPDX-License-Identifier: MIT */
/* sort.c - heapsort: in place, n log n in the worst case. */
#include "check.h"

static bool
is_less(const pair *a, const pair *b)
{
   return a->key != b->key ? a->key < b->key : a->value < b->value;
}

/* Let the element at `i` sink to where both below it are less. */
static void
sink(pair *pairs, size_t i, size_t n)
{
   pair moved = pairs[i];

   for (size_t child = 2 * i + 1; child < n; child = 2 * i + 1) {
      if (child + 1 < n && is_less(&pairs[child], &pairs[child + 1]))
         child++;
      if (!is_less(&moved, &pairs[child]))
         break;
      pairs[i] = pairs[child];
      i = child;
   }
   pairs[i] = moved;
}

void
hd_check_sort_pairs(pair *pairs, size_t n)
{
   for (size_t i = n / 2; i-- > 0;)
      sink(pairs, i, n);
   while (n-- > 1) {
      pair largest = pairs[0];
      pairs[0] = pairs[n];
      pairs[n] = largest;
      sink(pairs, 0, n);
   }
}
