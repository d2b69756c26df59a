// SPDX-License-Identifier: MIT
// Private arrays of structures, indexed at run time, with copies of the whole array.
//: groups 1
//: in 0.0 u32*64=random:48
//: out 0.1 u32*64
#version 450
layout(local_size_x = 64) in;
struct Entry {
   uint key;
   uvec2 value;
};
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   Entry table[6], saved[6];

   for (uint k = 0u; k < 6u; k++)
      table[k] = Entry(k, uvec2(a[(i + k) & 63u], k * 10u));
   saved = table;
   for (uint k = 0u; k < 8u; k++) {
      uint from = a[i] >> (3u * k) & 7u;
      if (from >= 6u)
         continue;
      Entry e = table[from];
      e.value.y += table[k % 6u].key;
      table[k % 6u] = e;
   }
   uint h = 0u;
   for (int k = 0; k < 6; k++)
      h = h * 33u + table[k].key + table[k].value.x + table[k].value.y - saved[k].value.x;
   b[i] = h;
}
