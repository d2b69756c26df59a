// SPDX-License-Identifier: MIT
// length() of runtime arrays, alone and behind other members, and of fixed arrays.
//: groups 1
//: in 0.0 u32*37=iota
//: in 0.1 u32*4=9,8,7,6 u32*90=iota
//: out 0.2 u32*8
#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
struct Item {
   uvec2 key;
   uint value;
};
layout(set = 0, binding = 1, std430) readonly buffer B {
   uint head[4];
   Item items[];
} list;
layout(set = 0, binding = 2) writeonly buffer Out { uint b[8]; };

void main()
{
   uint i = gl_LocalInvocationIndex;
   uint last = uint(list.items.length()) - 1u;

   if (i < b.length())
      b[i] = uint(a.length()) * 1000u + last * 10u + list.items[last - i].value + uint(list.head.length()) + a[a.length() - 1 - int(i)];
}
