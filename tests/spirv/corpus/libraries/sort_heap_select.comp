// SPDX-License-Identifier: MIT
// The eight least of each column by a heap in an array that is indexed dynamically.
//: variant float T=f32
//: variant half T=f16
//: variant word T=u32
//: groups 1
//: push u32=30
//: in 0.0 $T*480=random:3091:0:1000
//: out 0.1 $T*128
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define f16 float16_t
#define f32 float
#define u32 uint
#define K 8
layout(local_size_x = 16) in;
layout(binding = 0) readonly buffer In { T src[]; };
layout(binding = 1) writeonly buffer Out { T dst[]; };
layout(push_constant) uniform parameter { uint rows; } p;

void main()
{
   const uint column = gl_GlobalInvocationID.x;
   T heap[K];

   for (uint n = 0; n < K; n++)
      heap[n] = T(2000);
   for (uint r = 0; r < p.rows; r++) {
      const T v = src[r * 16 + column];
      if (v >= heap[0])
         continue;
      uint at = 0;
      for (;;) {
         uint child = 2 * at + 1;
         if (child >= K)
            break;
         if (child + 1 < K && heap[child + 1] > heap[child])
            child++;
         if (heap[child] <= v)
            break;
         heap[at] = heap[child];
         at = child;
      }
      heap[at] = v;
   }
   for (uint n = 0; n < K; n++)
      dst[n * 16 + column] = heap[n];
}
