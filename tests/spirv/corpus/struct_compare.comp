// SPDX-License-Identifier: MIT
// Structures and arrays assigned, compared and constructed as values.
//: groups 2
//: in 0.0 ivec4*128=random:47:0:2
//: out 0.1 u32*128
#version 450
layout(local_size_x = 64) in;
struct Key {
   ivec2 place;
   int list[2];
};
layout(set = 0, binding = 0) readonly buffer In { ivec4 a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

Key key(ivec4 v)
{
   return Key(v.xy, int[2](v.z, v.w & 1));
}

void main()
{
   uint i = gl_GlobalInvocationID.x;
   Key mine = key(a[i]);
   uint same = 0u, other = 0u;

   for (uint k = 0u; k < 32u; k++) {
      if (mine == key(a[k]))
         same++;
      if (mine.list != int[2](a[k].x, a[k].y))
         other++;
   }
   b[i] = same << 16 | other;
}
