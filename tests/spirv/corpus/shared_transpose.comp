// SPDX-License-Identifier: MIT
// A tile turned over through shared memory, padded against bank conflicts.
//: groups 2 2
//: in 0.0 u32*1024=iota
//: out 0.1 u32*1024
#version 450
layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

shared uint tile[16][17];

void main()
{
   uvec2 at = gl_LocalInvocationID.xy, group = gl_WorkGroupID.xy;

   tile[at.y][at.x] = a[(group.y * 16u + at.y) * 32u + group.x * 16u + at.x];
   barrier();
   b[(group.x * 16u + at.y) * 32u + group.y * 16u + at.x] = tile[at.x][at.y];
}
