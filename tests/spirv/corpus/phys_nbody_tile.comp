// SPDX-License-Identifier: MIT
// Gravity of many bodies: tiles of positions in shared memory, the inner loop unrolled.
//: groups 2
//: push u32=64 f32=0.01
//: in 0.0 f32*256=random:411:-4:4
//: io 0.1 f32*256=random:412:-1:1 ulp=256 abs=0.0005
#version 450
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Position { vec4 position[]; };
layout(binding = 1) buffer Velocity { vec4 velocity[]; };
layout(push_constant) uniform parameter { uint n; float dt; } p;
shared vec4 tile[32];

void main()
{
   const uint i = gl_GlobalInvocationID.x;
   const vec3 mine = position[i].xyz;
   vec3 force = vec3(0);

   for (uint base = 0; base < p.n; base += 32) {
      tile[gl_LocalInvocationID.x] = position[base + gl_LocalInvocationID.x];
      barrier();
      [[unroll]] for (uint j = 0; j < 32; j++) {
         const vec3 d = tile[j].xyz - mine;
         const float r2 = dot(d, d) + 0.5, inverse = inversesqrt(r2);
         force += d * (abs(tile[j].w) * inverse * inverse * inverse);
      }
      barrier();
   }
   velocity[i].xyz += force * p.dt;
}
