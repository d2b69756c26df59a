// SPDX-License-Identifier: MIT
// Is a number prime? Nested loops, several ways out.
// workgroup 64 1 1
// workgroups 2 1 1
// u32[128] zero
// u32 10000
static bool is_prime(uint n)
{
   if (n < 2)
      return false;
   if (n % 2 == 0)
      return n == 2;
   for (uint d = 3; d * d <= n; d += 2)
      if (n % d == 0)
         return false;
   return true;
}
KERNEL(64) primes(__global uint *restrict out, uint first)
{
   uint at = group_id * 64 + local_id, n = first + at * 3, tries = 0;

   while (!is_prime(n)) {
      n++;
      tries++;
   }
   out[at] = n << 8 | tries;
}
