// SPDX-License-Identifier: MIT
// A pass of a radix sort: places of keys by the sums of digits before; ranks in the tile by counting or by ballots.
//: variant count HOW=0
//: variant ballot HOW=1
//: groups 1
//: push u32=4
//: in 0.0 u32*64=random:3011
//: in 0.1 u32*64=iota
//: out 0.2 u32*64
//: out 0.3 u32*64
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_KHR_shader_subgroup_ballot : require
#define N 64
layout(local_size_x = N) in;
layout(binding = 0) readonly buffer Keys { uint key[]; };
layout(binding = 1) readonly buffer Values { uint value[]; };
layout(binding = 2) writeonly buffer SortedKeys { uint sorted_key[]; };
layout(binding = 3) writeonly buffer SortedValues { uint sorted_value[]; };
layout(push_constant) uniform parameter { uint shift; } p;
shared uint digits[N];
shared uint counts[64][16];
shared uint first[16];

void main()
{
   const uint l = gl_LocalInvocationIndex, k = key[l], digit = k >> p.shift & 15;
   uint rank = 0;
#if HOW == 1
   uvec4 same = subgroupBallot(true);
   for (uint bit = 0; bit < 4; bit++) {
      const bool is_set = (digit >> bit & 1) != 0;
      const uvec4 those = subgroupBallot(is_set);
      same &= is_set ? those : ~those;
   }
   rank = subgroupBallotExclusiveBitCount(same);
   for (uint n = l; n < gl_NumSubgroups * 16; n += N)
      counts[n / 16][n % 16] = 0;
   barrier();
   if (rank == 0)
      counts[gl_SubgroupID][digit] = subgroupBallotBitCount(same);
   barrier();
   for (uint n = 0; n < gl_SubgroupID; n++)
      rank += counts[n][digit];
   if (l < 16) {
      uint sum = 0;
      for (uint n = 0; n < gl_NumSubgroups; n++)
         sum += counts[n][l];
      first[l] = sum;
   }
#else
   digits[l] = digit;
   if (l < 16)
      first[l] = 0;
   barrier();
   for (uint n = 0; n < l; n++)
      rank += digits[n] == digit ? 1 : 0;
   atomicAdd(first[digit], 1);
#endif
   barrier();
   uint before = 0;
   for (uint n = 0; n < digit; n++)
      before += first[n];
   sorted_key[before + rank] = k;
   sorted_value[before + rank] = value[l];
}
