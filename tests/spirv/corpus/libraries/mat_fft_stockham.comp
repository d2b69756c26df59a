// SPDX-License-Identifier: MIT
// Transforms of rows of 64 complex numbers by Stockham's method, radix 2, 4 and 8, in shared memory.
//: variant radix2 R=2 T=f32
//: variant radix4 R=4 T=f32
//: variant radix8 R=8 T=f32
//: variant radix4_half R=4 T=f16
//: groups 2
//: push f32=-1
//: in 0.0 $T*256=random:5001:-1:1
//: out 0.1 f32*256 abs=0.002
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define f16 float16_t
#define f32 float
#define N 64
layout(local_size_x = N / R) in;
layout(binding = 0) readonly buffer In { T src[]; };
layout(binding = 1) writeonly buffer Out { vec2 dst[]; };
layout(push_constant) uniform parameter { float direction; } p;
shared vec2 data[N];

vec2 times(vec2 a, vec2 b)
{
   return vec2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

vec2 unit(float turns)
{
   const float angle = 6.2831853 * turns * p.direction;
   return vec2(cos(angle), sin(angle));
}

void transform(inout vec2 v[R])
{
   // By halves: the even, the odd, and the turned sum of both.
   for (int span = R / 2; span > 0; span /= 2) {
      for (int first = 0; first < R; first += 2 * span) {
         for (int n = 0; n < span; n++) {
            const vec2 a = v[first + n], b = v[first + n + span];
            v[first + n] = a + b;
            v[first + n + span] = times(a - b, unit(float(n) / float(2 * span)));
         }
      }
   }
   if (R >= 4) {
      const int bits = R == 4 ? 2 : 3;
      for (int n = 0; n < R; n++) {
         const int m = int(bitfieldReverse(uint(n)) >> 32 - bits);
         if (n < m) {
            const vec2 t = v[n];
            v[n] = v[m];
            v[m] = t;
         }
      }
   }
}

void main()
{
   const uint l = gl_LocalInvocationIndex, base = gl_WorkGroupID.x * N;
   vec2 v[R];

   for (uint n = 0; n < R; n++)
      data[l + n * (N / R)] = vec2(src[2 * (base + l + n * (N / R))], src[2 * (base + l + n * (N / R)) + 1]);
   barrier();
   for (uint span = 1; span < N; span *= R) {
      const uint k = l % span;
      for (uint n = 0; n < R; n++)
         v[n] = times(data[l + n * (N / R)], unit(float(n * k) / float(span * R)));
      transform(v);
      barrier();
      for (uint n = 0; n < R; n++)
         data[(l - k) * R + k + n * span] = v[n];
      barrier();
   }
   for (uint n = 0; n < R; n++)
      dst[base + l + n * (N / R)] = data[l + n * (N / R)];
}
