// SPDX-License-Identifier: MIT
// Semi-Lagrangian advection: back along the velocity, four values blended, two fields.
//: groups 2 2
//: push i32*2=12,12 f32=0.7
//: in 0.0 f32*288=random:471:-2:2
//: in 0.1 f32*144=random:472:0:1
//: out 0.2 f32*288=zero abs=0.0005
//: out 0.3 f32*144=zero abs=0.0005
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) readonly buffer V { vec2 velocity[]; };
layout(binding = 1) readonly buffer D { float dye[]; };
layout(binding = 2) writeonly buffer V2 { vec2 velocity2[]; };
layout(binding = 3) writeonly buffer D2 { float dye2[]; };
layout(push_constant) uniform parameter { int w; int h; float dt; } p;

void main()
{
   const ivec2 g = ivec2(gl_GlobalInvocationID);

   if (g.x >= p.w || g.y >= p.h)
      return;
   const int i = g.y * p.w + g.x;
   const vec2 from = clamp(vec2(g) - velocity[i] * p.dt, vec2(0), vec2(p.w - 1, p.h - 1));
   const ivec2 c = min(ivec2(from), ivec2(p.w - 2, p.h - 2));
   const vec2 f = from - vec2(c);
   const int at = c.y * p.w + c.x;
   velocity2[i] = mix(mix(velocity[at], velocity[at + 1], f.x), mix(velocity[at + p.w], velocity[at + p.w + 1], f.x), f.y) * 0.99;
   dye2[i] = mix(mix(dye[at], dye[at + 1], f.x), mix(dye[at + p.w], dye[at + p.w + 1], f.x), f.y) * 0.995;
}
