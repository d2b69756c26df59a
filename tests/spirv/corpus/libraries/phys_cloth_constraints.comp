// SPDX-License-Identifier: MIT
// Position-based cloth: springs along rows, columns and diagonals, averaged, a plane below and a ball.
//: variant float T=f32
//: variant half T=f16
//: groups 2 2
//: push u32*2=14,11 f32*2=0.1,0.6
//: in 0.0 $T*616=random:4031:0:1
//: out 0.1 f32*616=zero abs=0.001
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define f16 float16_t
#define f32 float
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) readonly buffer In { T src[]; };
layout(binding = 1) writeonly buffer Out { vec4 dst[]; };
layout(push_constant) uniform parameter { uint w; uint h; float rest; float stiffness; } p;
const ivec2 links[8] = ivec2[](ivec2(1, 0), ivec2(-1, 0), ivec2(0, 1), ivec2(0, -1), ivec2(1, 1), ivec2(-1, -1), ivec2(1, -1), ivec2(-1, 1));

vec4 load(ivec2 at)
{
   const uint i = (uint(at.y) * p.w + uint(at.x)) * 4;
   return vec4(src[i], src[i + 1], src[i + 2], src[i + 3]);
}

void main()
{
   const ivec2 g = ivec2(gl_GlobalInvocationID);

   if (g.x >= p.w || g.y >= p.h)
      return;
   const vec4 own = load(g);
   vec3 sum = vec3(0);
   float n = 0.0;
   for (int k = 0; k < 8; k++) {
      const ivec2 at = g + links[k];
      if (at.x < 0 || at.y < 0 || at.x >= p.w || at.y >= p.h)
         continue;
      const vec4 other = load(at);
      const vec3 d = other.xyz - own.xyz;
      const float far = length(d), wanted = k < 4 ? p.rest : p.rest * 1.41421356;
      sum += d * ((far - wanted) / max(far, 1e-3) * own.w / max(own.w + other.w, 1e-3));
      n += 1.0;
   }
   vec3 at = own.xyz + sum * (p.stiffness / n);
   const vec3 from = at - vec3(0.5);
   const float far = length(from);
   if (far < 0.3 && far > 0.01)
      at = vec3(0.5) + from * (0.3 / far);
   at.y = max(at.y, 0.05);
   dst[uint(g.y) * p.w + uint(g.x)] = vec4(at, own.w);
}
