// SPDX-License-Identifier: MIT
// Atomics on floats of 16 bits: the halves of a word are changed apart.
//: groups 2
//: judge none
//: out 0.0 f16*4=zero equals=128,112,1,1984
//: out 0.1 f16*4=zero equals=32,32,32,32
#version 450
#extension GL_EXT_shader_atomic_float2 : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(std430, set = 0, binding = 0) buffer A { float16_t a[4]; };
layout(std430, set = 0, binding = 1) buffer B { float16_t b[4]; };

void main()
{
   const uint i = gl_LocalInvocationIndex;

   atomicAdd(a[0], float16_t(1.0));
   atomicMax(a[1], float16_t(int(i % 8) * 16));
   if (i < 3)
      atomicAdd(a[2], float16_t(i == 1 ? 1.0 : -0.25) * float16_t(gl_WorkGroupID.x == 0 ? 2 : 0));
   if (i == 31)
      atomicExchange(a[3], float16_t(1984.0));
   atomicAdd(b[i & 3], float16_t(1.0));
}
