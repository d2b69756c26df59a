// SPDX-License-Identifier: MIT
// std140: arrays of scalars with a stride of 16 bytes, vec3 before a float, structures in arrays.
//: groups 1
//: in 0.0 u32*256=iota
//: out 0.1 u32*64
#version 450
layout(local_size_x = 64) in;
struct Light {
   uint kind;
   uvec3 place;
   uint power;
};
layout(set = 0, binding = 0, std140) uniform U {
   uint first;
   uvec3 v;
   uint after;
   uint list[5];
   Light lights[8];
   uvec2 tail[2];
} u;
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uint r = u.first + u.v.z * 3u + u.after * 7u;

   r += u.list[i % 5u] * 11u;
   Light light = u.lights[i & 7u];
   r += light.kind + light.place[i % 3u] * 13u + light.power * 17u;
   r += u.tail[i & 1u].y * 19u;
   b[i] = r;
}
