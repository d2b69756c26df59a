// SPDX-License-Identifier: MIT
// All compute built-ins in three dimensions.
//: groups 2 3 2
//: out 0.0 u32*384
#version 450
layout(local_size_x = 4, local_size_y = 4, local_size_z = 2) in;
layout(set = 0, binding = 0) writeonly buffer Out { uint b[]; };

void main()
{
   uvec3 size = gl_WorkGroupSize * gl_NumWorkGroups;
   uvec3 at = gl_GlobalInvocationID;
   uint place = (at.z * size.y + at.y) * size.x + at.x;
   uint r = gl_LocalInvocationIndex * 1000000u;

   r += gl_LocalInvocationID.x + gl_LocalInvocationID.y * 10u + gl_LocalInvocationID.z * 100u;
   r += (gl_WorkGroupID.x + gl_WorkGroupID.y * 3u + gl_WorkGroupID.z * 9u) * 1000u;
   b[place] = r;
}
