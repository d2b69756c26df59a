// SPDX-License-Identifier: MIT
// Antialiasing by luma: an edge's direction from a neighbourhood, a walk along it, a blend.
//: groups 2 2
//: push i32*2=16,16
//: in 0.0 f32*256=random:321:0:1
//: out 0.1 f32*256 abs=0.001
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) readonly buffer In { float src[]; };
layout(binding = 1) writeonly buffer Out { float dst[]; };
layout(push_constant) uniform parameter { int w; int h; } p;

float luma(int x, int y)
{
   return src[clamp(y, 0, p.h - 1) * p.w + clamp(x, 0, p.w - 1)];
}

void main()
{
   const int x = int(gl_GlobalInvocationID.x), y = int(gl_GlobalInvocationID.y);
   const float m = luma(x, y), n = luma(x, y - 1), s = luma(x, y + 1), e = luma(x + 1, y), w = luma(x - 1, y);
   const float most = max(max(max(n, s), max(e, w)), m), least = min(min(min(n, s), min(e, w)), m);

   if (most - least < max(0.05, most * 0.125)) {
      dst[y * p.w + x] = m;
      return;
   }
   const bool flat_edge = abs(n + s - 2.0 * m) >= abs(e + w - 2.0 * m);
   const int dx = flat_edge ? 1 : 0, dy = 1 - dx;
   float left = 0.0, right = 0.0;
   for (int k = 1; k <= 6; k++) {
      if (abs(luma(x - k * dx, y - k * dy) - m) > 0.25)
         break;
      left += 1.0;
   }
   for (int k = 1; k <= 6; k++) {
      if (abs(luma(x + k * dx, y + k * dy) - m) > 0.25)
         break;
      right += 1.0;
   }
   const float f = 0.5 - min(left, right) / (left + right + 1.0);
   dst[y * p.w + x] = mix(m, flat_edge ? (n + s) * 0.5 : (e + w) * 0.5, clamp(f, 0.0, 0.5));
}
