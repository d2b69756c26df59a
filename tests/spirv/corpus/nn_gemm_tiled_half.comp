// SPDX-License-Identifier: MIT
// The same with half floats in pairs, whose sums are kept in 16 bits, and a larger block a lane.
//: groups 1 1
//: push u32*3=64,32,32
//: in 0.0 f16*2048=random:51:-1:1
//: in 0.1 f16*2048=random:52:-1:1
//: out 0.2 f16*2048 ulp=64 abs=0.06
#version 450
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_16bit_storage : require
#define BK2 8
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { f16vec2 data_a[]; };
layout(binding = 1) readonly buffer B { f16vec2 data_b[]; };
layout(binding = 2) writeonly buffer D { float16_t data_d[]; };
layout(push_constant) uniform parameter { uint m; uint n; uint k; } p;
shared f16vec2 buf_a[64 * (BK2 + 1)];
shared f16vec2 buf_b[32 * (BK2 + 1)];

void main()
{
   const uint tid = gl_LocalInvocationIndex, tr = tid % 16, tc = tid / 16;
   f16vec2 sums[32];
   f16vec2 cache_a[4];

   [[unroll]] for (uint i = 0; i < 32; i++)
      sums[i] = f16vec2(0.0);
   for (uint block = 0; block < p.k / 2; block += BK2) {
      [[unroll]] for (uint l = 0; l < 64 * BK2; l += 64)
         buf_a[((l + tid) / BK2) * (BK2 + 1) + (l + tid) % BK2] = data_a[((l + tid) / BK2) * (p.k / 2) + block + (l + tid) % BK2];
      [[unroll]] for (uint l = 0; l < 32 * BK2; l += 64)
         buf_b[((l + tid) / BK2) * (BK2 + 1) + (l + tid) % BK2] = data_b[((l + tid) / BK2) * (p.k / 2) + block + (l + tid) % BK2];
      barrier();
      [[unroll]] for (uint i = 0; i < BK2; i++) {
         [[unroll]] for (uint j = 0; j < 4; j++)
            cache_a[j] = buf_a[(tr * 4 + j) * (BK2 + 1) + i];
         [[unroll]] for (uint cc = 0; cc < 8; cc++) {
            const f16vec2 b = buf_b[(tc * 8 + cc) * (BK2 + 1) + i];
            [[unroll]] for (uint cr = 0; cr < 4; cr++)
               sums[cc * 4 + cr] = fma(cache_a[cr], b, sums[cc * 4 + cr]);
         }
      }
      barrier();
   }
   [[unroll]] for (uint cc = 0; cc < 8; cc++) {
      [[unroll]] for (uint cr = 0; cr < 4; cr++) {
         const f16vec2 s = sums[cc * 4 + cr];
         data_d[(tc * 8 + cc) * p.m + tr * 4 + cr] = s.x + s.y;
      }
   }
}
