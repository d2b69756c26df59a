// SPDX-License-Identifier: MIT
// The workgroup's size from specialisation constants, in shared memory's size and as gl_WorkGroupSize.
//: groups 3 2
//: spec 10 u32=8
//: spec 11 u32=4
//: out 0.0 u32*192
#version 450
layout(local_size_x_id = 10, local_size_y_id = 11, local_size_z = 1) in;
layout(set = 0, binding = 0) writeonly buffer Out { uint b[]; };

shared uint line[gl_WorkGroupSize.x * gl_WorkGroupSize.y];

void main()
{
   uint i = gl_LocalInvocationIndex;
   uint n = gl_WorkGroupSize.x * gl_WorkGroupSize.y;
   uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;

   line[i] = gl_GlobalInvocationID.x * 100u + gl_GlobalInvocationID.y;
   barrier();
   b[group * n + i] = line[n - 1u - i] + gl_WorkGroupSize.z;
}
