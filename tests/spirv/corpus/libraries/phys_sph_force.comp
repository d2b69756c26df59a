// SPDX-License-Identifier: MIT
// Pressure and viscosity of smoothed particles over the cells of a grid around each.
//: variant float T=f32
//: variant half T=f16
//: groups 3
//: push u32*2=48,4 f32*3=0.25,3,0.2
//: in 0.0 $T*192=random:4011:0.05:0.95
//: in 0.1 u32*65=iota:0:1
//: in 0.2 u32*64=random:4012:0:47
//: in 0.3 $T*48=random:4013:0.8:1.2
//: out 0.4 f32*192=zero abs=0.02 ulp=256
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define f16 float16_t
#define f32 float
layout(local_size_x = 16) in;
layout(binding = 0) readonly buffer Positions { T at[]; };
layout(binding = 1) readonly buffer Cells { uint cell[]; };
layout(binding = 2) readonly buffer Members { uint member[]; };
layout(binding = 3) readonly buffer Densities { T density[]; };
layout(binding = 4) writeonly buffer Forces { vec4 force[]; };
layout(push_constant) uniform parameter { uint n; uint side; float h; float stiffness; float viscosity; } p;

vec3 position(uint i)
{
   return vec3(at[i * 4], at[i * 4 + 1], at[i * 4 + 2]);
}

void main()
{
   const uint i = gl_GlobalInvocationID.x;

   if (i >= p.n)
      return;
   const vec3 own = position(i);
   const ivec3 home = ivec3(own * float(p.side));
   const float rho = float(density[i]);
   vec3 sum = vec3(0);
   for (int z = max(home.z - 1, 0); z <= min(home.z + 1, int(p.side) - 1); z++) {
      for (int y = max(home.y - 1, 0); y <= min(home.y + 1, int(p.side) - 1); y++) {
         for (int x = max(home.x - 1, 0); x <= min(home.x + 1, int(p.side) - 1); x++) {
            const uint c = (uint(z) * p.side + uint(y)) * p.side + uint(x);
            for (uint k = cell[c]; k < cell[c + 1]; k++) {
               const uint j = member[k];
               const vec3 d = own - position(j);
               const float r = length(d);
               if (j == i || r >= p.h || r < 1e-4)
                  continue;
               const float w = p.h - r, other = float(density[j]);
               sum += d / r * (p.stiffness * (rho + other - 2.0) * w * w / (2.0 * other));
               sum -= d * (p.viscosity * w / other);
            }
         }
      }
   }
   force[i] = vec4(sum / rho, rho);
}
