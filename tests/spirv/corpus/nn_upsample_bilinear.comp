// SPDX-License-Identifier: MIT
// Bilinear resizing of a blob: coordinates clamped, four loads, two blends.
//: groups 3 2
//: push i32*4=11,7,20,13
//: in 0.0 f32*77=random:181:-2:2
//: out 0.1 f32*260=zero ulp=64 abs=0.0001
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) readonly buffer bottom_blob { float bottom[]; };
layout(binding = 1) writeonly buffer top_blob { float top[]; };
layout(push_constant) uniform parameter { int w; int h; int outw; int outh; } p;

void main()
{
   const ivec2 g = ivec2(gl_GlobalInvocationID);

   if (g.x >= p.outw || g.y >= p.outh)
      return;
   const vec2 at = (vec2(g) + 0.5) * vec2(p.w, p.h) / vec2(p.outw, p.outh) - 0.5;
   const ivec2 i0 = clamp(ivec2(floor(at)), ivec2(0), ivec2(p.w - 1, p.h - 1)), i1 = min(i0 + 1, ivec2(p.w - 1, p.h - 1));
   const vec2 f = clamp(at - vec2(i0), 0.0, 1.0);
   const float a0 = bottom[i0.y * p.w + i0.x], a1 = bottom[i0.y * p.w + i1.x];
   const float b0 = bottom[i1.y * p.w + i0.x], b1 = bottom[i1.y * p.w + i1.x];
   top[g.y * p.outw + g.x] = mix(mix(a0, a1, f.x), mix(b0, b1, f.x), f.y);
}
