// SPDX-License-Identifier: MIT
// Private arrays with pointers into them: passed to functions, moved along, of structures.
//: global 64
//: local 64
//: arg in u32*64=random:220
//: arg out u32*64
typedef struct node {
   uint key;
   struct node *next;
} node;

uint sum(const uint *p, const uint *end)
{
   uint s = 0;
   while (p < end)
      s = s * 3 + *p++;
   return s;
}

void swap(uint *x, uint *y)
{
   uint t = *x;
   *x = *y;
   *y = t;
}

kernel void arrays(global const uint *a, global uint *b)
{
   size_t i = get_global_id(0);
   uint x = a[i], list[10];
   node nodes[4];

   for (int k = 0; k < 10; k++)
      list[k] = x >> (3 * k);
   for (int k = 0; k < 5; k++)
      swap(&list[list[k] % 10], &list[9 - k]);
   for (int k = 0; k < 4; k++) {
      nodes[k].key = list[k] & 7;
      nodes[k].next = k < 3 ? &nodes[k + 1] : 0;
   }
   nodes[0].next = &nodes[1 + (x & 1)];
   uint chain = 0;
   for (node *n = nodes; n; n = n->next)
      chain = chain * 8 + n->key;
   b[i] = sum(list + (x & 3), list + 10) + chain;
}
