// SPDX-License-Identifier: MIT
// Shuffles up and down, used where the source lane exists: differences of neighbours.
//: groups 1
//: subgroup 8
//: in 0.0 i32*64=random:89:-1000:1000
//: out 0.1 i32*128
#version 450
#extension GL_KHR_shader_subgroup_shuffle_relative : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { int a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { int b[]; };

void main()
{
   uint i = gl_LocalInvocationIndex, lane = gl_SubgroupInvocationID;
   int x = a[i], left = subgroupShuffleUp(x, 1u), right = subgroupShuffleDown(x, 2u);

   if (lane < 1u)
      left = 7777;
   if (lane + 2u >= gl_SubgroupSize)
      right = -5555;
   b[i] = x - left;
   b[i + 64u] = x * 2 - right;
}
