// SPDX-License-Identifier: MIT
// Dithering to two bits by an ordered matrix, and packing of sixteen pixels into a word.
//: variant byte T=u8
//: variant half T=f16
//: groups 1 8
//: push u32*2=64,8
//: in 0.0 $T*512=random:2111:0:255
//: out 0.1 u32*32
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define f16 float16_t
#define f32 float
#define u8 uint8_t
layout(local_size_x = 4) in;
layout(binding = 0) readonly buffer In { T src[]; };
layout(binding = 1) writeonly buffer Out { uint dst[]; };
layout(push_constant) uniform parameter { uint w; uint h; } p;

uint threshold(uint x, uint y)
{
   uint v = 0;
   for (uint bit = 0; bit < 3; bit++)
      v = v << 2 | ((x ^ y) >> bit & 1) << 1 | (y >> bit & 1);
   return v;
}

void main()
{
   const uint word = gl_GlobalInvocationID.x, y = gl_GlobalInvocationID.y;
   uint packed = 0;

   for (uint n = 0; n < 16; n++) {
      const uint x = word * 16 + n;
      const uint v = uint(src[y * p.w + x]) * 3, level = min((v + threshold(x, y) * 4) / 255, 3);
      packed |= level << 2 * n;
   }
   dst[y * p.w / 16 + word] = packed;
}
