// SPDX-License-Identifier: MIT
// A depthwise 3x3 convolution with stride and padding, packs of four channels, a clamped activation.
//: variant float T=f32 V=vec4 STRIDE=1
//: variant stride2 T=f32 V=vec4 STRIDE=2
//: variant half T=f16 V=f16vec4 STRIDE=1
//: variant half_stride2 T=f16 V=f16vec4 STRIDE=2
//: groups 2 2 3
//: push i32*4=14,11,0,154
//: in 0.0 $T*1848=random:1011:-1:1
//: in 0.1 $T*108=random:1012:-1:1
//: in 0.2 $T*12=random:1013:-1:1
//: out 0.3 $T*1848=zero abs=0.02 ulp=4
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define f16 float16_t
#define f32 float
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) readonly buffer Bottom { V bottom[]; };
layout(binding = 1) readonly buffer Weight { V weight[]; };
layout(binding = 2) readonly buffer Bias { V bias[]; };
layout(binding = 3) writeonly buffer Top { V top[]; };
layout(push_constant) uniform parameter { int w; int h; int unused; int cstep; } p;

void main()
{
   const ivec3 g = ivec3(gl_GlobalInvocationID);
   const int outw = (p.w + STRIDE - 1) / STRIDE, outh = (p.h + STRIDE - 1) / STRIDE;

   if (g.x >= outw || g.y >= outh)
      return;
   V sum = bias[g.z];
   for (int ky = 0; ky < 3; ky++) {
      const int y = g.y * STRIDE + ky - 1;
      if (y < 0 || y >= p.h)
         continue;
      for (int kx = 0; kx < 3; kx++) {
         const int x = g.x * STRIDE + kx - 1;
         if (x >= 0 && x < p.w)
            sum += bottom[g.z * p.cstep + y * p.w + x] * weight[g.z * 9 + ky * 3 + kx];
      }
   }
   top[g.z * p.cstep + g.y * outw + g.x] = clamp(sum, V(0), V(6));
}
