// SPDX-License-Identifier: MIT
// The least, the greatest and the middle one of three numbers, held against what two comparisons say.
//: groups 1
//: judge none
//: in 0.0 i32*192=random:550
//: in 0.1 f32*192=random:551
//: out 0.2 u32*64 equals=fill:511
#version 450
#extension GL_AMD_shader_trinary_minmax : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Ints { int n[]; };
layout(set = 0, binding = 1) readonly buffer Floats { float f[]; };
layout(set = 0, binding = 2) writeonly buffer Out { uint b[]; };

void main()
{
   uint i = gl_LocalInvocationIndex, r = 0u;
   int x = n[i], y = n[i + 64u], z = n[i + 128u];
   uint ux = uint(x), uy = uint(y), uz = uint(z);
   vec2 fx = vec2(f[i], f[i + 1u & 63u]), fy = vec2(f[i + 64u], f[i]), fz = vec2(f[i + 128u], 0.5);

   r |= min3(x, y, z) == min(x, min(y, z)) ? 1u : 0u;
   r |= max3(x, y, z) == max(x, max(y, z)) ? 2u : 0u;
   r |= mid3(x, y, z) == (x ^ y ^ z ^ min(x, min(y, z)) ^ max(x, max(y, z))) ? 4u : 0u;
   r |= min3(ux, uy, uz) == min(ux, min(uy, uz)) ? 8u : 0u;
   r |= max3(ux, uy, uz) == max(ux, max(uy, uz)) ? 16u : 0u;
   r |= mid3(ux, uy, uz) == (ux ^ uy ^ uz ^ min(ux, min(uy, uz)) ^ max(ux, max(uy, uz))) ? 32u : 0u;
   r |= min3(fx, fy, fz) == min(fx, min(fy, fz)) ? 64u : 0u;
   r |= max3(fx, fy, fz) == max(fx, max(fy, fz)) ? 128u : 0u;
   r |= mid3(fx, fy, fz) == max(min(fx, fy), min(max(fx, fy), fz)) ? 256u : 0u;
   b[i] = r;
}
