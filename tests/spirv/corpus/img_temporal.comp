// SPDX-License-Identifier: MIT
// Accumulation over frames: history clamped to the neighbourhood's mean and deviation, written to two buffers.
//: groups 2 2
//: push i32*2=12,12 f32=0.1
//: in 0.0 f32*576=random:331:0:1
//: io 0.1 f32*576=random:332:0:1 abs=0.0005
//: out 0.2 f32*576=zero abs=0.0005
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) readonly buffer In { vec4 now[]; };
layout(binding = 1) buffer History { vec4 history[]; };
layout(binding = 2) writeonly buffer Out { vec4 dst[]; };
layout(push_constant) uniform parameter { int w; int h; float blend; } p;

void main()
{
   const ivec2 g = ivec2(gl_GlobalInvocationID);

   if (g.x >= p.w || g.y >= p.h)
      return;
   vec3 m1 = vec3(0), m2 = vec3(0);
   for (int dy = -1; dy <= 1; dy++) {
      for (int dx = -1; dx <= 1; dx++) {
         const ivec2 at = clamp(g + ivec2(dx, dy), ivec2(0), ivec2(p.w - 1, p.h - 1));
         const vec3 c = now[at.y * p.w + at.x].rgb;
         m1 += c;
         m2 += c * c;
      }
   }
   m1 /= 9.0;
   const vec3 sigma = sqrt(max(m2 / 9.0 - m1 * m1, 0.0));
   const int i = g.y * p.w + g.x;
   history[i].rgb = clamp(history[i].rgb, m1 - sigma, m1 + sigma);
   history[i].rgb = mix(history[i].rgb, now[i].rgb, p.blend);
   history[i].a = min(history[i].a + 0.25, 1.0);
   dst[i] = vec4(history[i].rgb * history[i].a, history[i].a);
}
