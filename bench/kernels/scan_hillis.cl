// SPDX-License-Identifier: MIT
// Inclusive prefix sums of a workgroup, log n steps between two buffers.
// workgroup 64 1 1
// workgroups 4 1 1
// u32[256] zero
// u32[256] 0..1000
KERNEL(64) scan_hillis(__global uint *restrict out, __global const uint *restrict in)
{
   __local uint buffer[2][64];
   uint from = 0, at = group_id * 64 + local_id;

   buffer[0][local_id] = in[at];
   barrier();
   for (uint step = 1; step < 64; step *= 2) {
      uint x = buffer[from][local_id];
      if (local_id >= step)
         x += buffer[from][local_id - step];
      buffer[1 - from][local_id] = x;
      from = 1 - from;
      barrier();
   }
   out[at] = buffer[from][local_id];
}
