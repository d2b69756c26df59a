// SPDX-License-Identifier: MIT
// Shuffles by index and by xor: a bitonic sort of eight lanes without memory.
//: groups 2
//: subgroup 8
//: in 0.0 u32*128=random:88
//: out 0.1 uvec2*128
#version 450
#extension GL_KHR_shader_subgroup_shuffle : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uvec2 b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x, lane = gl_SubgroupInvocationID;
   uint x = a[i];
   uint other = subgroupShuffle(x, x & 7u);

   for (uint size = 2u; size <= 8u; size <<= 1) {
      for (uint stride = size >> 1; stride > 0u; stride >>= 1) {
         uint y = subgroupShuffleXor(x, stride);
         bool up = (lane & size) == 0u, lower = (lane & stride) == 0u;
         x = up == lower ? min(x, y) : max(x, y);
      }
   }
   b[i] = uvec2(x, other);
}
