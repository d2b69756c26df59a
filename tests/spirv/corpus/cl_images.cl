// SPDX-License-Identifier: MIT
// Planes: constant samplers and one that is given, coordinates in integers and floats, inside and out; texels written.
//: global 8 8
//: local 8 4
//: levels O2
//: arg image in 2d 8x8 rgba32_float f32*256=random:1:-4:4
//: arg image in 2d 8x8 rgba8_unorm u8*256=random:2
//: arg image out 2d 8x8 rgba32_float f32*256=zero abs=1e-5
//: arg image out 2d 8x8 rgba8_unorm u8*256=zero
//: arg out f32*1024=zero abs=0.04
//: arg sampler repeat nearest
//: arg i32*1=2
constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t inside = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
constant sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
constant sampler_t smooth = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
constant sampler_t wrap = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_NEAREST;

float4 around(read_only image2d_t from, int2 at, int by)
{
   float4 sum = 0;

   for (int y = -by; y <= by; y++)
      for (int x = -by; x <= by; x++)
         sum += read_imagef(from, edge, at + (int2)(x, y));
   return sum;
}

kernel void planes(read_only image2d_t a, read_only image2d_t b, write_only image2d_t c, write_only image2d_t d,
                   global float4 *out, sampler_t given, int by)
{
   int2 at = (int2)(get_global_id(0), get_global_id(1));
   float2 place = convert_float2(at);
   int n = at.y * get_image_width(a) + at.x;

   write_imagef(c, at, around(a, at, by) + read_imagef(b, inside, at.yx));
   write_imagef(d, at.yx, read_imagef(b, border, at - 2));
   out[n] = read_imagef(a, edge, place * 1.5f - 2.25f) + (float)get_image_height(b);
   out[n + 64] = read_imagef(a, border, at * 2 - 4);
   out[n + 128] = read_imagef(b, smooth, place * 1.25f - 1.0f);
   out[n + 192] = read_imagef(a, given, (place + 0.5f) / 4.0f) - read_imagef(a, wrap, (place - 3.5f) / 4.0f);
}
