// SPDX-License-Identifier: MIT
// Batcher's odd-even merge sort of a tile in shared memory, ascending.
//: variant word T=u32
//: variant short T=u16
//: variant byte T=u8
//: variant float T=f32
//: variant half T=f16
//: groups 2
//: io 0.0 $T*128=random:3021:0:250
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define f16 float16_t
#define f32 float
#define u8 uint8_t
#define u16 uint16_t
#define u32 uint
#define N 64
layout(local_size_x = N / 2) in;
layout(binding = 0) buffer Data { T data[]; };
shared T tile[N];

void main()
{
   const uint l = gl_LocalInvocationIndex, base = gl_WorkGroupID.x * N;

   tile[l] = data[base + l];
   tile[l + N / 2] = data[base + l + N / 2];
   for (uint size = 2; size <= N; size *= 2) {
      uint stride = size / 2;
      const uint offset = l & stride - 1;
      barrier();
      {
         const uint at = 2 * l - (l & stride - 1);
         const T a = tile[at], b = tile[at + stride];
         if (b < a) {
            tile[at] = b;
            tile[at + stride] = a;
         }
         stride /= 2;
      }
      for (; stride > 0; stride /= 2) {
         barrier();
         const uint at = 2 * l - (l & stride - 1);
         if (offset >= stride) {
            const T a = tile[at - stride], b = tile[at];
            if (b < a) {
               tile[at - stride] = b;
               tile[at] = a;
            }
         }
      }
   }
   barrier();
   data[base + l] = tile[l];
   data[base + l + N / 2] = tile[l + N / 2];
}
