// SPDX-License-Identifier: MIT
// Eight numbers a lane, sorted by a network of nineteen exchanges.
// workgroup 64 1 1
// workgroups 1 1 1
// i32[512] zero
// i32[512] -1000..1000
INLINE void exchange(__private int *v, int a, int b)
{
   if (v[a] > v[b]) {
      int t = v[a];
      v[a] = v[b];
      v[b] = t;
   }
}
KERNEL(64) sort_network(__global int *restrict out, __global const int *restrict in)
{
   int v[8];

   for (int n = 0; n < 8; n++)
      v[n] = in[local_id * 8 + n];
   exchange(v, 0, 2); exchange(v, 1, 3); exchange(v, 4, 6); exchange(v, 5, 7);
   exchange(v, 0, 4); exchange(v, 1, 5); exchange(v, 2, 6); exchange(v, 3, 7);
   exchange(v, 0, 1); exchange(v, 2, 3); exchange(v, 4, 5); exchange(v, 6, 7);
   exchange(v, 2, 4); exchange(v, 3, 5);
   exchange(v, 1, 4); exchange(v, 3, 6);
   exchange(v, 1, 2); exchange(v, 3, 4); exchange(v, 5, 6);
   for (int n = 0; n < 8; n++)
      out[local_id * 8 + n] = v[n];
}
