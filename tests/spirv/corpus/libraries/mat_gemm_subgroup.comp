// SPDX-License-Identifier: MIT
// A product in which lanes of a subgroup, or of a workgroup, hold parts of a row of the first factor and pass them around.
//: variant shuffle T=f32 HOW=0
//: variant broadcast T=f32 HOW=1
//: variant shared T=f32 HOW=2
//: variant shuffle_half T=f16 HOW=0
//: groups 4
//: push u32*2=24,8
//: in 0.0 $T*768=random:5051:-1:1
//: in 0.1 $T*192=random:5052:-1:1
//: out 0.2 f32*256 abs=0.002 ulp=64
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define f16 float16_t
#define f32 float
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_ballot : require
#define W 8
layout(local_size_x = W) in;
layout(binding = 0) readonly buffer LeftMatrix { T a[]; };
layout(binding = 1) readonly buffer RightMatrix { T b[]; };
layout(binding = 2) writeonly buffer Product { float c[]; };
layout(push_constant) uniform parameter { uint k; uint n; } p;
shared float row_of[8][W];

void main()
{
   const uint l = gl_LocalInvocationIndex, first = gl_WorkGroupID.x * 8;
   float sum[8];

   for (uint r = 0; r < 8; r++)
      sum[r] = 0.0;
   for (uint k0 = 0; k0 < p.k; k0 += W) {
      float own[8];
      for (uint r = 0; r < 8; r++)
         own[r] = float(a[(first + r) * p.k + k0 + l]);
#if HOW == 2
      for (uint r = 0; r < 8; r++)
         row_of[r][l] = own[r];
      barrier();
#endif
      for (uint n = 0; n < W; n++) {
         const float v = float(b[(k0 + n) * p.n + l]);
         for (uint r = 0; r < 8; r++) {
#if HOW == 0
            sum[r] += subgroupShuffle(own[r], n) * v;
#elif HOW == 1
            sum[r] += subgroupBroadcast(own[r], n) * v;
#else
            sum[r] += row_of[r][n] * v;
#endif
         }
      }
#if HOW == 2
      barrier();
#endif
   }
   for (uint r = 0; r < 8; r++)
      c[(first + r) * p.n + l] = sum[r];
}
