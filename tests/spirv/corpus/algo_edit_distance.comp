// SPDX-License-Identifier: MIT
// Levenshtein distance of two short strings packed into words, a row of the table in private memory.
//: groups 1
//: in 0.0 uvec4*64=random:143
//: out 0.1 u32*64
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uvec4 a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

uint letter(uvec2 text, uint n)
{
   return text[n >> 3] >> (n & 7u) * 4u & 3u;
}

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uvec2 s = a[i].xy, t = a[i].zw;
   uint n = 8u + (i & 7u), m = 16u - (i >> 3 & 7u);
   uint row[17];

   for (uint k = 0u; k <= m; k++)
      row[k] = k;
   for (uint p = 1u; p <= n; p++) {
      uint corner = row[0];
      row[0] = p;
      for (uint q = 1u; q <= m; q++) {
         uint up = row[q];
         if (letter(s, p - 1u) == letter(t, q - 1u))
            row[q] = corner;
         else
            row[q] = 1u + min(min(up, row[q - 1u]), corner);
         corner = up;
      }
   }
   b[i] = row[m];
}
