// SPDX-License-Identifier: MIT
// Products of blocks of bytes, both sides quantised: sums of integers a block, then scaled.
//: variant bytes HOW=0
//: variant words HOW=1
//: variant subgroup HOW=2
//: groups 4
//: push u32=4
//: in 0.0 f16*16=random:1051:0:0.05
//: in 0.1 i8*512=random:1052
//: in 0.2 f16*4=random:1053:0:0.05
//: in 0.3 i8*128=random:1054
//: io 0.4 f32*32=zero abs=0.01 ulp=64
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_KHR_shader_subgroup_shuffle : require
layout(local_size_x = 8) in;
layout(binding = 0) readonly buffer LeftScales { float16_t ls[]; };
#if HOW == 1
layout(binding = 1) readonly buffer Left { uint left[]; };
layout(binding = 3) readonly buffer Right { uint right[]; };
#else
layout(binding = 1) readonly buffer Left { i8vec4 left[]; };
layout(binding = 3) readonly buffer Right { i8vec4 right[]; };
#endif
layout(binding = 2) readonly buffer RightScales { float16_t rs[]; };
layout(binding = 4) buffer Out { float y[]; };
layout(push_constant) uniform parameter { uint blocks; } p;

int dot4(uint l, uint r)
{
#if HOW == 1
   int sum = 0;
   for (int n = 0; n < 32; n += 8)
      sum += bitfieldExtract(int(left[l]), n, 8) * bitfieldExtract(int(right[r]), n, 8);
   return sum;
#else
   const ivec4 t = ivec4(left[l]) * ivec4(right[r]);
   return t.x + t.y + t.z + t.w;
#endif
}

void main()
{
   const uint row = gl_WorkGroupID.x, l = gl_LocalInvocationIndex;
   float sum = 0.0;

   for (uint n = 0; n < p.blocks; n++) {
      int whole = dot4((row * p.blocks + n) * 8 + l, n * 8 + l);
#if HOW == 2
      whole += subgroupShuffleXor(whole, 1);
      whole += subgroupShuffleXor(whole, 2);
#endif
      sum += float(whole) * float(ls[row * p.blocks + n]) * float(rs[n]);
   }
   y[row * 8 + l] = sum;
}
