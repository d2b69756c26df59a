// SPDX-License-Identifier: MIT
// A hash of a lane's words, with rotations and multiplications.
// workgroup 64 1 1
// workgroups 2 1 1
// u32[128] zero
// u32[1024] 0..1000000
// u32 8
static uint mix(uint h, uint w)
{
   w *= 0xcc9e2d51u;
   w = rotl(w, 15);
   w *= 0x1b873593u;
   h ^= w;
   h = rotl(h, 13);
   return h * 5u + 0xe6546b64u;
}
KERNEL(64) hash_mix(__global uint *restrict out, __global const uint *restrict in, uint words)
{
   uint at = group_id * 64 + local_id, h = 0x2545f491u;

   for (uint n = 0; n < words; n++)
      h = mix(h, in[at * words + n]);
   h ^= words * 4;
   h ^= h >> 16;
   h *= 0x85ebca6bu;
   h ^= h >> 13;
   h *= 0xc2b2ae35u;
   h ^= h >> 16;
   out[at] = h;
}
