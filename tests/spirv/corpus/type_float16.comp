// SPDX-License-Identifier: MIT
// Half floats: storage, arithmetic on values that are exact, vectors, comparisons, conversions.
//: groups 2
//: in 0.0 f16*256=random:57:-8:8
//: out 0.1 f16*256 ulp=4 abs=0.03
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) readonly buffer In { f16vec4 a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { f16vec4 b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   f16vec4 v = a[i];
   float16_t m = max(max(v.x, v.y), float16_t(0.5));

   v = v * float16_t(0.25) + v.wzyx;
   v.x = fma(v.x, float16_t(2.0), v.y);
   v.yz = abs(v.yz) - floor(v.zw);
   if (v.w > float16_t(1.0))
      v.w = float16_t(float(v.w) * 0.125);
   else
      v.w = -v.w;
   v = clamp(v, -m, m);
   b[i] = v + f16vec4(float16_t(int(i & 3u)));
}
