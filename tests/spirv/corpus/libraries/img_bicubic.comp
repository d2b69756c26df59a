// SPDX-License-Identifier: MIT
// Bicubic resampling by weights of Catmull and Rom from a plane of bytes, halves or floats.
//: variant float T=f32
//: variant half T=f16
//: variant byte T=u8
//: groups 3 2
//: push i32*4=10,9,23,15
//: in 0.0 $T*90=random:2061:0:100
//: out 0.1 f32*345=zero abs=0.05
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define f16 float16_t
#define f32 float
#define u8 uint8_t
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) readonly buffer In { T src[]; };
layout(binding = 1) writeonly buffer Out { float dst[]; };
layout(push_constant) uniform parameter { ivec2 size; ivec2 to; } p;

vec4 weights(float t)
{
   return vec4(((-0.5 * t + 1.0) * t - 0.5) * t, (1.5 * t - 2.5) * t * t + 1.0, ((-1.5 * t + 2.0) * t + 0.5) * t,
               (0.5 * t - 0.5) * t * t);
}

void main()
{
   const ivec2 g = ivec2(gl_GlobalInvocationID);

   if (any(greaterThanEqual(g, p.to)))
      return;
   const vec2 at = (vec2(g) + 0.5) * vec2(p.size) / vec2(p.to) - 0.5;
   const ivec2 base = ivec2(floor(at));
   const vec4 wx = weights(at.x - float(base.x)), wy = weights(at.y - float(base.y));
   float sum = 0.0;
   for (int y = 0; y < 4; y++) {
      const int row = clamp(base.y + y - 1, 0, p.size.y - 1) * p.size.x;
      vec4 v;
      for (int x = 0; x < 4; x++)
         v[x] = float(src[row + clamp(base.x + x - 1, 0, p.size.x - 1)]);
      sum += dot(v, wx) * wy[y];
   }
   dst[g.y * p.to.x + g.x] = sum;
}
