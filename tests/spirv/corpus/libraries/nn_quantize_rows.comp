// SPDX-License-Identifier: MIT
// Rows become bytes with a scale of their own, by the greatest magnitude, rounded to even.
//: variant float T=f32
//: variant half T=f16
//: groups 1
//: push u32*2=24,16
//: in 0.0 $T*384=random:1101:-3:3
//: out 0.1 i8*384
//: out 0.2 f32*16 ulp=2
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define f16 float16_t
#define f32 float
layout(local_size_x = 16) in;
layout(binding = 0) readonly buffer In { T x[]; };
layout(binding = 1) writeonly buffer Quants { int8_t q[]; };
layout(binding = 2) writeonly buffer Scales { float scale[]; };
layout(push_constant) uniform parameter { uint cols; uint rows; } p;

void main()
{
   const uint row = gl_GlobalInvocationID.x;
   float most = 0.0;

   if (row >= p.rows)
      return;
   for (uint c = 0; c < p.cols; c++)
      most = max(most, abs(float(x[row * p.cols + c])));
   const float d = most * (1.0 / 128.0);
   // The reciprocal is of a power of two above: it is exact on any machine.
   const float inverse = ldexp(1.0, -int(floatBitsToUint(most) >> 23 & 255u) + 126 + 6);
   for (uint c = 0; c < p.cols; c++)
      q[row * p.cols + c] = int8_t(roundEven(float(x[row * p.cols + c]) * inverse));
   scale[row] = d;
}
