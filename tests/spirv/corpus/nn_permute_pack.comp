// SPDX-License-Identifier: MIT
// Four rows of a blob become one of packs: gathers with strides, one vector stored.
//: groups 2 2
//: push i32*3=12,10,120
//: in 0.0 f32*480=random:171:-2:2
//: out 0.1 f32*480=zero
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) readonly buffer bottom_blob { float bottom[]; };
layout(binding = 1) writeonly buffer top_blob { vec4 top[]; };
layout(push_constant) uniform parameter { int w; int h; int cstep; } p;

void main()
{
   const ivec2 g = ivec2(gl_GlobalInvocationID);

   if (g.x >= p.w || g.y >= p.h)
      return;
   const int at = g.y * p.w + g.x;
   const ivec4 from = at + ivec4(0, 1, 2, 3) * p.cstep;
   top[at] = vec4(bottom[from.x], bottom[from.y], bottom[from.z], bottom[from.w]);
}
