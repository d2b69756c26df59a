// SPDX-License-Identifier: MIT
// Scalar block layout: vec3 arrays of 12 bytes, structures that are no multiple of 16.
//: groups 1
//: io 0.0 u32*322=random:46
//: out 0.1 u32*64
#version 450
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 32) in;
struct Particle {
   uvec3 place;
   uvec2 speed;
   uint life;
   uvec3 colour;
   uint id;
};
layout(set = 0, binding = 0, scalar) buffer B {
   uint head;
   uint other;
   Particle particles[32];
};
layout(set = 0, binding = 1, scalar) writeonly buffer Out { uvec2 b[]; };

void main()
{
   uint i = gl_LocalInvocationIndex;

   particles[i].place += uvec3(particles[i].speed, head);
   particles[i].colour.y = i;
   particles[i].id ^= particles[i].place.z;
   b[i] = uvec2(particles[i].life, particles[i].colour.x) + particles[i].place.xz;
}
