// SPDX-License-Identifier: MIT
// Push constants of 8, 16 and 64 bits, at the offsets that the block says.
//: groups 1
//: push u8*4=1,250,3,128 u16*2=40000,7 u64*1=0x123456789abcdef0 u32*1=17 f16*2=1.5,-2
//: out 0.0 u64*32
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 32) in;
layout(push_constant) uniform Push {
   u8vec4 bytes;
   u16vec2 words;
   uint64_t wide;
   uint plain;
   f16vec2 halves;
} push;
layout(set = 0, binding = 0) writeonly buffer Out { uint64_t b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uint64_t r = push.wide >> i;

   r += uint64_t(push.bytes[i & 3u]) * uint64_t(push.words[i & 1u]);
   r ^= uint64_t(push.plain);
   r += uint64_t(int64_t(float(push.halves.x) * 2.0) + int64_t(push.halves.y));
   b[i] = r;
}
