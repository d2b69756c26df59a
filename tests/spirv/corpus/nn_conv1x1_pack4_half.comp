// SPDX-License-Identifier: MIT
// A 1x1 convolution of packs of four half floats, stored and computed in 16 bits.
//: groups 1 2
//: push i32*3=64,2,4
//: in 0.0 f16*512=random:21:-1:1
//: in 0.1 f16*128=random:22:-1:1
//: out 0.2 f16*1024=zero ulp=32 abs=0.02
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 16, local_size_y = 2) in;
layout(binding = 0) readonly buffer bottom_blob { f16vec4 bottom[]; };
layout(binding = 1) readonly buffer weight_blob { f16vec4 weight[]; };
layout(binding = 2) writeonly buffer top_blob { f16vec4 top[]; };
layout(push_constant) uniform parameter { int size; int c; int outc; } p;

void main()
{
   const int gx = int(gl_GlobalInvocationID.x) * 4, gy = int(gl_GlobalInvocationID.y);

   if (gx >= p.size || gy >= p.outc)
      return;
   f16vec4 sum[4];
   for (int n = 0; n < 4; n++)
      sum[n] = f16vec4(0);
   for (int z = 0; z < p.c; z++) {
      const int k = (gy * p.c + z) * 4;
      const f16vec4 k0 = weight[k], k1 = weight[k + 1], k2 = weight[k + 2], k3 = weight[k + 3];
      for (int n = 0; n < 4; n++) {
         const f16vec4 v = bottom[z * p.size + gx + n];
         sum[n] += f16vec4(dot(v, k0), dot(v, k1), dot(v, k2), dot(v, k3));
      }
   }
   for (int n = 0; n < 4; n++)
      top[gy * p.size + gx + n] = max(sum[n], f16vec4(0));
}
