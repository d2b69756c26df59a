// SPDX-License-Identifier: MIT
// Noise of gradients in three dimensions and the curl of its potential, as smoke has it.
//: variant float A=f32
//: variant half A=f16
//: groups 2
//: in 0.0 f32*96=random:4121:0:4
//: out 0.1 f32*128 abs=0.1
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define f16 float16_t
#define f32 float
#define f16vec f16vec3
#define f32vec vec3
#define JOIN(a) a##vec
#define VEC(a) JOIN(a)
layout(local_size_x = 16) in;
layout(binding = 0) readonly buffer In { float at[]; };
layout(binding = 1) writeonly buffer Out { vec4 dst[]; };

uint hash(ivec3 v)
{
   uint h = uint(v.x) * 0x8da6b343u ^ uint(v.y) * 0xd8163841u ^ uint(v.z) * 0xcb1ab31fu;
   h ^= h >> 15;
   h *= 0x2c1b3c6du;
   return h ^ h >> 12;
}

A slope(uint h, vec3 d)
{
   const A u = A(h % 2 == 0 ? d.x : d.y), v = A((h >> 1) % 2 == 0 ? d.y : d.z);
   return ((h & 4) != 0 ? -u : u) + ((h & 8) != 0 ? -v : v);
}

A noise(vec3 v)
{
   const ivec3 cell = ivec3(floor(v));
   const vec3 f = v - vec3(cell), t = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
   A corner[8];
   for (int n = 0; n < 8; n++) {
      const ivec3 o = ivec3(n & 1, n >> 1 & 1, n >> 2);
      corner[n] = slope(hash(cell + o), f - vec3(o));
   }
   for (int n = 0; n < 4; n++)
      corner[n] = mix(corner[2 * n], corner[2 * n + 1], A(t.x));
   for (int n = 0; n < 2; n++)
      corner[n] = mix(corner[2 * n], corner[2 * n + 1], A(t.y));
   return mix(corner[0], corner[1], A(t.z));
}

void main()
{
   const uint i = gl_GlobalInvocationID.x;
   const vec3 v = vec3(at[i * 3], at[i * 3 + 1], at[i * 3 + 2]);
   const float e = 0.25;
   const float here = float(noise(v));
   const vec3 d = vec3(noise(v + vec3(e, 0, 0)), noise(v + vec3(0, e, 0)), noise(v + vec3(0, 0, e))) - here;

   dst[i] = vec4(vec3(d.y - d.z, d.z - d.x, d.x - d.y) / e, here);
}
