// SPDX-License-Identifier: MIT
// An array of uniform buffers, and a structure of the same shape in a storage buffer.
//: groups 2
//: in 0.0.0 u32*16=iota:5
//: in 0.0.1 u32*16=iota:500
//: io 0.1 u32*16=random:69
//: out 0.2 u32*32
#version 450
layout(local_size_x = 16) in;
struct Item {
   uvec2 size;
   uint kind;
   uint next;
};
layout(set = 0, binding = 0, std140) uniform U { Item items[4]; } u[2];
layout(set = 0, binding = 1, std430) buffer S { Item items[4]; } s;
layout(set = 0, binding = 2) writeonly buffer Out { uint b[]; };

void main()
{
   uint i = gl_LocalInvocationIndex;
   Item item = u[gl_WorkGroupID.x].items[i & 3u];

   if (gl_WorkGroupID.x == 1u && i < 4u) {
      s.items[i] = item;
      s.items[i].size.y += i;
   }
   b[gl_GlobalInvocationID.x] = item.size.x * item.size.y + item.kind + item.next;
}
