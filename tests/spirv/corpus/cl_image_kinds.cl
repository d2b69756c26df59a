// SPDX-License-Identifier: MIT
// Lines, solids and layers; signed and unsigned texels; reads without a sampler; sizes.
//: global 16
//: local 16
//: arg image in 1d 16 r32_sint i32*16=random:1
//: arg image in 3d 4x2x2 rgba32_uint u32*64=random:2
//: arg image in 2d_array 4x2 rgba16_sint layers=2 i16*64=random:3
//: arg image in 1d_array 4 rgba8_uint layers=4 u8*64=random:4
//: arg image out 1d 16 rgba32_uint u32*64=zero
//: arg image out 2d_array 4x2 rgba32_sint layers=2 i32*64=zero
//: arg out i32*256=zero
//: arg out i32*16=zero
constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

kernel void kinds(read_only image1d_t line, read_only image3d_t solid, read_only image2d_array_t layers,
                  read_only image1d_array_t rows, write_only image1d_t to, write_only image2d_array_t sheets,
                  global int4 *out, global int *sizes)
{
   int n = get_global_id(0), x = n & 3, y = n >> 2 & 1, z = n >> 3;

   /* What a format lacks PoCL takes for 0. */
   out[n] = read_imagei(line, edge, n - 3).x;
   out[n + 16] = as_int4(read_imageui(solid, (int4)(x, y, z, 0)));
   out[n + 32] = read_imagei(layers, edge, (int4)(x + 1, y - 1, z, 0));
   out[n + 48] = as_int4(read_imageui(rows, edge, (int2)(3 - x, n >> 2)));
   write_imageui(to, 15 - n, read_imageui(solid, edge, (float4)(x + 0.75f, y + 1.5f, z - 1.0f, 0)));
   write_imagei(sheets, (int4)(x, y, z, 0), read_imagei(layers, (int4)(3 - x, y, 1 - z, 0)));
   if (n)
      return;
   sizes[0] = get_image_width(line);
   sizes[1] = get_image_width(solid);
   sizes[2] = get_image_height(solid);
   sizes[3] = get_image_depth(solid);
   sizes[4] = get_image_dim(layers).y;
   sizes[5] = (int)get_image_array_size(layers);
   sizes[6] = (int)get_image_array_size(rows);
   sizes[7] = get_image_dim(solid).z;
}
