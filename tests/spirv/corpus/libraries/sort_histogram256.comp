// SPDX-License-Identifier: MIT
// How often each byte comes: counters by lane in 16 bits, by atomics in shared memory, or in memory.
//: variant shared HOW=0
//: variant global HOW=1
//: variant private HOW=2
//: groups 4
//: push u32=256
//: in 0.0 u8*1024=random:3041
//: io 0.1 u32*256=zero
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer In { uint8_t src[]; };
layout(binding = 1) buffer Out { uint bins[]; };
layout(push_constant) uniform parameter { uint per_group; } p;
shared uint own[256];
shared uint16_t narrow[32][16];

void main()
{
   const uint l = gl_LocalInvocationIndex, base = gl_WorkGroupID.x * p.per_group;
#if HOW == 0
   for (uint n = l; n < 256; n += 32)
      own[n] = 0;
   barrier();
   for (uint n = l; n < p.per_group; n += 32)
      atomicAdd(own[uint(src[base + n])], 1);
   barrier();
   for (uint n = l; n < 256; n += 32)
      if (own[n] != 0)
         atomicAdd(bins[n], own[n]);
#elif HOW == 1
   for (uint n = l; n < p.per_group; n += 32)
      atomicAdd(bins[uint(src[base + n])], 1);
#else
   // Sixteen bins at a time.
   for (uint high = 0; high < 16; high++) {
      for (uint n = 0; n < 16; n++)
         narrow[l][n] = uint16_t(0);
      for (uint n = l; n < p.per_group; n += 32) {
         const uint v = uint(src[base + n]);
         if (v >> 4 == high)
            narrow[l][v & 15] += uint16_t(1);
      }
      barrier();
      if (l < 16) {
         uint sum = 0;
         for (uint n = 0; n < 32; n++)
            sum += uint(narrow[n][l]);
         atomicAdd(bins[high * 16 + l], sum);
      }
      barrier();
   }
#endif
}
