// SPDX-License-Identifier: MIT
// A depthwise 3x3 convolution of half floats that sums in 32 bits, clamped to six.
//: groups 2 2 2
//: push i32*3=16,12,192
//: in 0.0 f16*384=random:31:-2:2
//: in 0.1 f16*18=random:32:-1:1
//: out 0.2 f16*280=zero ulp=16 abs=0.01
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) readonly buffer bottom_blob { float16_t bottom[]; };
layout(binding = 1) readonly buffer weight_blob { float16_t weight[]; };
layout(binding = 2) writeonly buffer top_blob { float16_t top[]; };
layout(push_constant) uniform parameter { int w; int h; int cstep; } p;

void main()
{
   const ivec3 g = ivec3(gl_GlobalInvocationID);
   const int outw = p.w - 2, outh = p.h - 2;

   if (g.x >= outw || g.y >= outh)
      return;
   float sum = 0.0;
   for (int y = 0; y < 3; y++) {
      for (int x = 0; x < 3; x++)
         sum += float(bottom[g.z * p.cstep + (g.y + y) * p.w + g.x + x]) * float(weight[g.z * 9 + y * 3 + x]);
   }
   top[g.z * outw * outh + g.y * outw + g.x] = float16_t(clamp(sum, 0.0, 6.0));
}
