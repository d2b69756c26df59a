// SPDX-License-Identifier: MIT
// The median of 3x3 by a sorting network over an array.
//: groups 2 2
//: push i32*2=14,10
//: in 0.0 f32*140=random:221:0:255
//: out 0.1 f32*140=zero
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) readonly buffer In { float src[]; };
layout(binding = 1) writeonly buffer Out { float dst[]; };
layout(push_constant) uniform parameter { int w; int h; } p;
float v[9];

void sort2(int a, int b)
{
   const float t = min(v[a], v[b]);
   v[b] = max(v[a], v[b]);
   v[a] = t;
}

void main()
{
   const ivec2 g = ivec2(gl_GlobalInvocationID);

   if (g.x >= p.w || g.y >= p.h)
      return;
   for (int n = 0; n < 9; n++) {
      const ivec2 at = clamp(g + ivec2(n % 3 - 1, n / 3 - 1), ivec2(0), ivec2(p.w - 1, p.h - 1));
      v[n] = src[at.y * p.w + at.x];
   }
   sort2(1, 2); sort2(4, 5); sort2(7, 8); sort2(0, 1); sort2(3, 4); sort2(6, 7); sort2(1, 2); sort2(4, 5); sort2(7, 8);
   sort2(0, 3); sort2(5, 8); sort2(4, 7); sort2(3, 6); sort2(1, 4); sort2(2, 5); sort2(4, 7); sort2(4, 2); sort2(6, 4);
   sort2(4, 2);
   dst[g.y * p.w + g.x] = v[4];
}
