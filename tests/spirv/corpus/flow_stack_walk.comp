// SPDX-License-Identifier: MIT
// A tree walked with a stack of its own, pruned by a bound, as bounding volume hierarchies are.
//: groups 1
//: in 0.0 u32*127=random:28:0:1000
//: in 0.1 u32*64=random:29:0:1000
//: out 0.2 uvec2*64
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Tree { uint node[127]; };
layout(set = 0, binding = 1) readonly buffer Query { uint query[]; };
layout(set = 0, binding = 2) writeonly buffer Out { uvec2 b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uint q = query[i], best = 0xffffffffu, where = 0u, visits = 0u;
   uint stack[8];
   uint depth = 0u;

   stack[depth++] = 0u;
   while (depth > 0u) {
      uint n = stack[--depth];
      visits++;
      uint d = node[n] > q ? node[n] - q : q - node[n];
      if (n >= 63u) {
         if (d < best) {
            best = d;
            where = n;
         }
         continue;
      }
      if (d > 700u)
         continue;
      uint left = 2u * n + 1u, right = left + 1u;
      if (node[n] < q) {
         stack[depth++] = left;
         stack[depth++] = right;
      } else {
         stack[depth++] = right;
         if (d > 100u)
            stack[depth++] = left;
      }
   }
   b[i] = uvec2(best, where << 8 | visits);
}
