// SPDX-License-Identifier: MIT
// Columns and elements of a matrix chosen at run time, read and written.
//: groups 2
//: in 0.0 u32*64=random:43
//: out 0.1 vec3*192
#version 450
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1, scalar) writeonly buffer Out { vec3 b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uint x = a[i];
   mat3 m = mat3(1.0);

   for (int k = 0; k < 6; k++) {
      uint c = x % 3u, r = x / 3u % 3u;
      m[c][r] += float(k + 1);
      m[r] = m[r].zxy;
      m[c].xy += vec2(m[r][c], 1.0);
      x /= 9u;
   }
   for (uint c = 0u; c < 3u; c++)
      b[i * 3u + c] = m[c];
}
