// SPDX-License-Identifier: MIT
// Products of small integers with sums of 32 bits: bytes in vectors, 16-bit pairs, four bits unpacked.
//: variant bytes HOW=0 T=i8
//: variant unsigned HOW=0 T=u8
//: variant shorts HOW=0 T=i16
//: variant nibbles HOW=1 T=u8
//: groups 2 2
//: push u32*2=16,16
//: in 0.0 $T*256=random:5111:0:120
//: in 0.1 $T*256=random:5112:0:120
//: out 0.2 i32*256=zero
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define i8 int8_t
#define u8 uint8_t
#define i16 int16_t
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) readonly buffer Left { T left[]; };
layout(binding = 1) readonly buffer Right { T right[]; };
layout(binding = 2) writeonly buffer Out { int dst[]; };
layout(push_constant) uniform parameter { uint n; uint k; } p;

void main()
{
   const uint x = gl_GlobalInvocationID.x, y = gl_GlobalInvocationID.y;
   int sum = 0;

   for (uint k = 0; k < p.k; k += 4) {
      for (uint n = 0; n < 4; n++) {
         const int a = int(left[y * p.k + k + n]), b = int(right[x * p.k + k + n]);
#if HOW == 0
         sum += a * b;
#else
         sum += ((a & 15) - 8) * ((b & 15) - 8) + ((a >> 4) - 8) * ((b >> 4) - 8);
#endif
      }
   }
   dst[y * p.n + x] = sum;
}
