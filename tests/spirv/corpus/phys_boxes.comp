// SPDX-License-Identifier: MIT
// Overlaps of boxes, each against all that come later; pairs are counted and the deepest is kept.
//: groups 1
//: push u32=24
//: in 0.0 f32*192=random:491:0:3
//: out 0.1 u32*48=zero
#version 450
layout(local_size_x = 32) in;
struct Box { vec3 low; uint group; vec3 size; uint mask; };
layout(binding = 0) readonly buffer Boxes { Box boxes[]; };
layout(binding = 1) writeonly buffer Out { uvec2 found[]; };
layout(push_constant) uniform parameter { uint n; } p;

void main()
{
   const uint i = gl_GlobalInvocationID.x;

   if (i >= p.n)
      return;
   const Box mine = boxes[i];
   uint count = 0, deepest = 0;
   float most = 0.0;
   for (uint j = i + 1; j < p.n; j++) {
      const Box other = boxes[j];
      if ((mine.mask & 1u) != 0u && mine.group == other.group)
         continue;
      const vec3 gap = min(mine.low + mine.size, other.low + other.size) - max(mine.low, other.low);
      if (all(greaterThan(gap, vec3(0)))) {
         const float depth = min(gap.x, min(gap.y, gap.z));
         count++;
         if (depth > most) {
            most = depth;
            deepest = j;
         }
      }
   }
   found[i] = uvec2(count, deepest);
}
