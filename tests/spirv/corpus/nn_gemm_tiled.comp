// SPDX-License-Identifier: MIT
// Matrix multiplication by tiles in shared memory, a block of 4x4 sums a lane in an array.
//: groups 2 2
//: push u32*3=64,64,32
//: in 0.0 f32*2048=random:51:-1:1
//: in 0.1 f32*2048=random:52:-1:1
//: out 0.2 f32*4096 ulp=64 abs=0.00005
#version 450
#extension GL_EXT_control_flow_attributes : require
#define BM 32
#define BN 32
#define BK 16
#define TM 4
#define TN 4
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { float data_a[]; };
layout(binding = 1) readonly buffer B { float data_b[]; };
layout(binding = 2) writeonly buffer D { float data_d[]; };
layout(push_constant) uniform parameter { uint m; uint n; uint k; } p;
shared float buf_a[BM * (BK + 1)];
shared float buf_b[BN * (BK + 1)];

void main()
{
   const uint tid = gl_LocalInvocationIndex, tr = tid % 8, tc = tid / 8;
   const uint ir = gl_WorkGroupID.x, ic = gl_WorkGroupID.y;
   float sums[TM * TN], cache_a[TM], cache_b[TN];

   [[unroll]] for (uint i = 0; i < TM * TN; i++)
      sums[i] = 0.0;
   for (uint block = 0; block < p.k; block += BK) {
      [[unroll]] for (uint l = 0; l < BM * BK; l += 64) {
         const uint r = (l + tid) / BK, c = (l + tid) % BK;
         buf_a[r * (BK + 1) + c] = data_a[(ir * BM + r) * p.k + block + c];
         buf_b[r * (BK + 1) + c] = data_b[(ic * BN + r) * p.k + block + c];
      }
      barrier();
      for (uint i = 0; i < BK; i++) {
         [[unroll]] for (uint j = 0; j < TM; j++)
            cache_a[j] = buf_a[(tr * TM + j) * (BK + 1) + i];
         [[unroll]] for (uint j = 0; j < TN; j++)
            cache_b[j] = buf_b[(tc * TN + j) * (BK + 1) + i];
         [[unroll]] for (uint cc = 0; cc < TN; cc++) {
            [[unroll]] for (uint cr = 0; cr < TM; cr++)
               sums[cc * TM + cr] = fma(cache_a[cr], cache_b[cc], sums[cc * TM + cr]);
         }
      }
      barrier();
   }
   [[unroll]] for (uint cc = 0; cc < TN; cc++) {
      [[unroll]] for (uint cr = 0; cr < TM; cr++)
         data_d[(ic * BN + tc * TN + cc) * p.m + ir * BM + tr * TM + cr] = sums[cc * TM + cr];
   }
}
