// SPDX-License-Identifier: MIT
// Sums of segments that flags begin: a scan of pairs in a workgroup, the last of each segment writes.
//: variant float T=f32
//: variant half T=f16
//: groups 1
//: in 0.0 $T*64=random:3061:-1:1
//: in 0.1 u32*64=1,0,0,0,1,0,1,0,0,0,0,0
//: out 0.2 f32*64=zero abs=0.0001
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define f16 float16_t
#define f32 float
#define N 64
layout(local_size_x = N) in;
layout(binding = 0) readonly buffer In { T src[]; };
layout(binding = 1) readonly buffer Heads { uint head[]; };
layout(binding = 2) writeonly buffer Out { float dst[]; };
shared float sum[N];
shared bool begun[N];

void main()
{
   const uint l = gl_LocalInvocationIndex;

   sum[l] = float(src[l]);
   begun[l] = head[l] != 0;
   for (uint step = 1; step < N; step *= 2) {
      barrier();
      const bool add = l >= step && !begun[l];
      const float t = add ? sum[l - step] : 0.0;
      const bool b = add && begun[l - step];
      barrier();
      sum[l] += t;
      begun[l] = begun[l] || b;
   }
   barrier();
   if (l == N - 1 || head[l + 1] != 0)
      dst[l] = sum[l];
}
