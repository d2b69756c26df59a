// SPDX-License-Identifier: MIT
// The wave equation with damping and absorbing borders, its stencil of the fourth order over shared memory.
//: variant float T=f32 A=f32
//: variant stored T=f16 A=f32
//: variant half T=f16 A=f16
//: groups 2 2
//: push u32*2=16,16 f32*2=0.2,0.02
//: in 0.0 $T*256=random:4111:-1:1
//: io 0.1 $T*256=random:4112:-1:1 abs=0.02
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define f16 float16_t
#define f32 float
#define R 2
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) readonly buffer Now { T now[]; };
layout(binding = 1) buffer Before { T before[]; };
layout(push_constant) uniform parameter { uint w; uint h; float speed; float damping; } p;
shared A tile[8 + 2 * R][8 + 2 * R];

void main()
{
   const ivec2 g = ivec2(gl_GlobalInvocationID), l = ivec2(gl_LocalInvocationID) + R, first = ivec2(gl_WorkGroupID) * 8 - R;

   for (uint n = gl_LocalInvocationIndex; n < 144; n += 64) {
      const ivec2 at = first + ivec2(n % 12, n / 12);
      const bool inside = at.x >= 0 && at.y >= 0 && at.x < p.w && at.y < p.h;
      tile[n / 12][n % 12] = inside ? A(now[at.y * p.w + at.x]) : A(0);
   }
   barrier();
   const A c = tile[l.y][l.x];
   const A near = tile[l.y][l.x - 1] + tile[l.y][l.x + 1] + tile[l.y - 1][l.x] + tile[l.y + 1][l.x];
   const A far = tile[l.y][l.x - 2] + tile[l.y][l.x + 2] + tile[l.y - 2][l.x] + tile[l.y + 2][l.x];
   const A curve = near * A(1.3333) - far * A(0.083333) - c * A(5.0);
   const uint i = g.y * p.w + g.x;
   before[i] = T(A(2) * c - A(before[i]) + A(p.speed) * curve - A(p.damping) * (c - A(before[i])));
}
