// SPDX-License-Identifier: MIT
// Densities of smoothed particles by a grid: twenty-seven cells, the particles of each from a table of starts.
//: groups 1
//: push u32=32 f32=1.0
//: in 0.0 f32*128=random:461:0:3.9
//: in 0.1 u32*65=iota:0:1
//: out 0.2 f32*32 ulp=256 abs=0.0001
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Position { vec4 position[]; };
layout(binding = 1) readonly buffer Starts { uint starts[]; };
layout(binding = 2) writeonly buffer Density { float density[]; };
layout(push_constant) uniform parameter { uint n; float h; } p;

void main()
{
   const uint i = gl_GlobalInvocationID.x;

   if (i >= p.n)
      return;
   const vec3 mine = position[i].xyz;
   const ivec3 cell = ivec3(mine / p.h);
   float sum = 0.0;
   for (int z = -1; z <= 1; z++) {
      for (int y = -1; y <= 1; y++) {
         for (int x = -1; x <= 1; x++) {
            const ivec3 c = cell + ivec3(x, y, z);
            if (any(lessThan(c, ivec3(0))) || any(greaterThan(c, ivec3(3))))
               continue;
            const int at = (c.z * 4 + c.y) * 4 + c.x;
            for (uint j = starts[at] / 2; j < starts[at + 1] / 2; j++) {
               const vec3 d = position[j].xyz - mine;
               const float q = p.h * p.h - dot(d, d);
               if (q > 0.0)
                  sum += q * q * q;
            }
         }
      }
   }
   density[i] = sum * 1.566681;
}
