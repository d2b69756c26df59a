// SPDX-License-Identifier: MIT
// Stripped of names and debug information by the compiler's own optimiser: code in SSA form, loops with phis.
//: flags -Os
//: groups 2
//: in 0.0 u32*128=random:404:0:100
//: out 0.1 uvec2*128
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uvec2 b[]; };

struct Walk {
   uvec2 at;
   uint left;
};

Walk step(Walk w, uint turn)
{
   switch (turn & 3u) {
   case 0u:
      w.at.x++;
      break;
   case 1u:
      w.at.y += 2u;
      break;
   case 2u:
      if (w.at.x > 3u)
         w.at.x -= 3u;
   default:
      w.left--;
   }
   return w;
}

void main()
{
   uint i = gl_GlobalInvocationID.x;
   Walk w = Walk(uvec2(i, a[i]), 5u);

   for (uint k = 0u; k < a[i]; k++) {
      w = step(w, a[(i + k) & 127u] >> (k & 3u));
      if (w.left == 0u || w.left > 5u)
         break;
   }
   b[i] = w.at * 8u + w.left;
}
