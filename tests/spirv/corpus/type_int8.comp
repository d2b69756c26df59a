// SPDX-License-Identifier: MIT
// 8-bit integers: storage, arithmetic that wraps, signed and unsigned conversions, vectors.
//: groups 2
//: in 0.0 u8*256=random:53
//: out 0.1 u8*256
//: out 0.2 i32*64
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) readonly buffer In { u8vec4 a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { u8vec4 b[]; };
layout(set = 0, binding = 2) writeonly buffer Wide { int c[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   u8vec4 v = a[i];
   i8vec4 s = i8vec4(v);

   v += v.yzwx * uint8_t(3);
   v ^= v >> uint8_t(2);
   s = s / int8_t(3) - i8vec4(-100, 100, 7, 0);
   int wide = int(s.x) * int(s.y) + int(v.z);
   if (s.w < int8_t(0))
      v.w = uint8_t(-s.w);
   b[i] = v;
   c[i] = wide + int(s.z) + int(min(s.x, s.w));
}
