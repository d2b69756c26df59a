// SPDX-License-Identifier: MIT
// A step of a lattice Boltzmann method with 19 directions: gather, relax, store; walls bounce back.
//: variant float T=f32
//: variant half T=f16
//: groups 1 2 4
//: push u32*4=4,4,4,64 f32=0.6
//: in 0.0 $T*1216=random:4021:0.04:0.06
//: in 0.1 u32*64=0,0,0,0,0,1,0,0,0,0,0
//: out 0.2 $T*1216 abs=0.0005
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define f16 float16_t
#define f32 float
layout(local_size_x = 4, local_size_y = 2) in;
layout(binding = 0) readonly buffer In { T f[]; };
layout(binding = 1) readonly buffer Walls { uint wall[]; };
layout(binding = 2) writeonly buffer Out { T g[]; };
layout(push_constant) uniform parameter { uvec3 size; uint cells; float omega; } p;
const ivec3 direction[19] = ivec3[](ivec3(0), ivec3(1, 0, 0), ivec3(-1, 0, 0), ivec3(0, 1, 0), ivec3(0, -1, 0), ivec3(0, 0, 1),
   ivec3(0, 0, -1), ivec3(1, 1, 0), ivec3(-1, -1, 0), ivec3(1, -1, 0), ivec3(-1, 1, 0), ivec3(1, 0, 1), ivec3(-1, 0, -1),
   ivec3(1, 0, -1), ivec3(-1, 0, 1), ivec3(0, 1, 1), ivec3(0, -1, -1), ivec3(0, 1, -1), ivec3(0, -1, 1));

uint cell_of(ivec3 v)
{
   const uvec3 u = uvec3(v + ivec3(p.size)) % p.size;
   return (u.z * p.size.y + u.y) * p.size.x + u.x;
}

void main()
{
   const ivec3 at = ivec3(gl_GlobalInvocationID);
   const uint cell = cell_of(at);
   float v[19];
   float rho = 0.0;
   vec3 u = vec3(0);

   for (int n = 0; n < 19; n++) {
      v[n] = float(f[n * p.cells + cell_of(at - direction[n])]);
      rho += v[n];
      u += v[n] * vec3(direction[n]);
   }
   if (wall[cell] != 0) {
      for (int n = 0; n < 19; n++)
         g[n * p.cells + cell] = T(v[n == 0 ? 0 : (n - 1 ^ 1) + 1]);
      return;
   }
   u /= rho;
   const float uu = 1.5 * dot(u, u);
   for (int n = 0; n < 19; n++) {
      const float cu = 3.0 * dot(vec3(direction[n]), u), w = n == 0 ? 1.0 / 3.0 : n < 7 ? 1.0 / 18.0 : 1.0 / 36.0;
      const float even = w * rho * (1.0 + cu + 0.5 * cu * cu - uu);
      g[n * p.cells + cell] = T(v[n] + p.omega * (even - v[n]));
   }
}
