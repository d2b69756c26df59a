// SPDX-License-Identifier: MIT
// packing and unpacking: snorm, unorm, half, double.
//: groups 2
//: in 0.0 vec4*128=random:127:-1.25:1.25
//: out 0.1 uvec4*128
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { vec4 a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uvec4 b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   vec4 v = floor(a[i] * 8.0) * 0.125 + 0.01;
   uint halves = packHalf2x16(floor(v.xy * 64.0) * 0.25);

   b[i].x = packUnorm4x8(v) ^ packSnorm4x8(v);
   b[i].y = packUnorm2x16(v.xy) ^ packSnorm2x16(v.zw);
   b[i].z = floatBitsToUint(unpackHalf2x16(halves).x + unpackHalf2x16(halves).y * 4096.0);
   b[i].w = unpackDouble2x32(packDouble2x32(floatBitsToUint(v.xy))).y ^ halves;
}
