// SPDX-License-Identifier: MIT
// What is above a limit, moved together within each wave.
// workgroup 64 1 1
// workgroups 2 1 1
// u32[128] zero
// u32[2] zero
// u32[128] 0..100
// u32 60
KERNEL(64) compact(__global uint *restrict out, __global uint *restrict counts, __global const uint *restrict in,
                   uint limit)
{
   uint base = group_id * 64, x = in[base + local_id];
   bool keep = x > limit;
   ulong mask = __builtin_amdgcn_ballot_w64(keep);
   uint before = __builtin_amdgcn_mbcnt_hi((uint)(mask >> 32), __builtin_amdgcn_mbcnt_lo((uint)mask, 0));

   if (keep)
      out[base + before] = x;
   if (local_id == 0)
      counts[group_id] = __builtin_popcountl(mask);
}
