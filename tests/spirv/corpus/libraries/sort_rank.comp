// SPDX-License-Identifier: MIT
// Places of keys by counting those before; equal keys keep their order.
//: variant float T=f32
//: variant short T=i16
//: variant byte T=i8
//: variant long T=i64
//: groups 2
//: push u32=60
//: in 0.0 $T*60=random:3071:-100:100
//: out 0.1 u32*60
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define f16 float16_t
#define f32 float
#define i8 int8_t
#define i16 int16_t
#define i64 int64_t
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer In { T src[]; };
layout(binding = 1) writeonly buffer Out { uint place[]; };
layout(push_constant) uniform parameter { uint n; } p;

void main()
{
   const uint i = gl_GlobalInvocationID.x;
   uint before = 0;

   if (i >= p.n)
      return;
   const T own = src[i];
   for (uint k = 0; k < p.n; k++) {
      const T v = src[k];
      before += v < own || (v == own && k < i) ? 1 : 0;
   }
   place[i] = before;
}
