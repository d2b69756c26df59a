// SPDX-License-Identifier: MIT
// 16-bit integers: arithmetic, shifts, comparisons, division, vectors.
//: groups 2
//: in 0.0 u16*256=random:54
//: out 0.1 u16*256
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { u16vec2 a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { u16vec2 b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uint16_t x = a[i].x, y = a[i].y;
   int16_t s = int16_t(x), t = int16_t(y);

   uint16_t r = x * y + uint16_t(1);
   r -= y << uint16_t(3);
   if (s < t)
      r ^= uint16_t(s >> int16_t(4));
   else
      r += max(x, y) % (min(x, y) | uint16_t(1));
   int16_t d = (s - t) / int16_t(7);
   b[i] = u16vec2(r, uint16_t(abs(d)) | ~x);
}
