// SPDX-License-Identifier: MIT
// A matrix of blocks of 32 numbers of four bits with a scale (and a least value) by a vector, a row a workgroup.
//: variant scaled LEAST=0
//: variant affine LEAST=1
//: groups 6
//: push u32*2=128,4
//: in 0.0 f16*48=random:1041:-0.1:0.1
//: in 0.1 u8*384=random:1042
//: in 0.2 f32*128=random:1043:-1:1
//: out 0.3 f32*6 abs=0.001
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 16) in;
layout(binding = 0) readonly buffer Scales { f16vec2 scales[]; };
layout(binding = 1) readonly buffer Quants { uint8_t quants[]; };
layout(binding = 2) readonly buffer Vector { float x[]; };
layout(binding = 3) writeonly buffer Out { float y[]; };
layout(push_constant) uniform parameter { uint cols; uint blocks; } p;
shared float part[16];

void main()
{
   const uint row = gl_WorkGroupID.x, l = gl_LocalInvocationIndex;
   float sum = 0.0;

   for (uint n = 0; n < p.blocks; n++) {
      const uint block = row * p.blocks + n;
      const vec2 scale = vec2(scales[block]);
      const uint q = uint(quants[block * 16 + l]);
      const float low = x[n * 32 + l], high = x[n * 32 + 16 + l];
#if LEAST
      sum += scale.x * (float(q & 15) * low + float(q >> 4) * high) + scale.y * (low + high);
#else
      sum += scale.x * (float(int(q & 15) - 8) * low + float(int(q >> 4) - 8) * high);
#endif
   }
   part[l] = sum;
   barrier();
   for (uint n = 8; n > 0; n /= 2) {
      if (l < n)
         part[l] += part[l + n];
      barrier();
   }
   if (l == 0)
      y[row] = part[0];
}
