// SPDX-License-Identifier: MIT
// Forces between bodies, tile by tile through shared memory.
//: groups 2
//: in 0.0 vec4*128=random:142:-5:5
//: out 0.1 vec4*128 abs=1e-2
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { vec4 body[]; };
layout(set = 0, binding = 1) writeonly buffer Out { vec4 b[]; };

shared vec4 tile[64];

void main()
{
   uint i = gl_LocalInvocationIndex;
   vec3 at = body[gl_GlobalInvocationID.x].xyz, force = vec3(0.0);

   for (uint t = 0u; t < gl_NumWorkGroups.x; t++) {
      tile[i] = body[t * 64u + i];
      barrier();
      for (uint k = 0u; k < 64u; k++) {
         vec3 d = tile[k].xyz - at;
         float r = inversesqrt(dot(d, d) + 0.5);
         force += d * (abs(tile[k].w) * r * r * r);
      }
      barrier();
   }
   b[gl_GlobalInvocationID.x] = vec4(force * 0.1, 1.0);
}
