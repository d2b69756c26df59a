// SPDX-License-Identifier: MIT
// Tables that are many, that are pointed to, that hold bytes, halves of words, structs and vectors.
//: global 64
//: local 64
//: arg in i32*64=iota:5:7
//: arg out i32*192
constant uint large[96] = {
   0x00000000u, 0x77073096u, 0xee0e612cu, 0x990951bau, 0x076dc419u, 0x706af48fu, 0xe963a535u, 0x9e6495a3u,
   0x0edb8832u, 0x79dcb8a4u, 0xe0d5e91eu, 0x97d2d988u, 0x09b64c2bu, 0x7eb17cbdu, 0xe7b82d07u, 0x90bf1d91u,
   0x1db71064u, 0x6ab020f2u, 0xf3b97148u, 0x84be41deu, 0x1adad47du, 0x6ddde4ebu, 0xf4d4b551u, 0x83d385c7u,
   0x136c9856u, 0x646ba8c0u, 0xfd62f97au, 0x8a65c9ecu, 0x14015c4fu, 0x63066cd9u, 0xfa0f3d63u, 0x8d080df5u,
   0x3b6e20c8u, 0x4c69105eu, 0xd56041e4u, 0xa2677172u, 0x3c03e4d1u, 0x4b04d447u, 0xd20d85fdu, 0xa50ab56bu,
   0x35b5a8fau, 0x42b2986cu, 0xdbbbc9d6u, 0xacbcf940u, 0x32d86ce3u, 0x45df5c75u, 0xdcd60dcfu, 0xabd13d59u,
   0x26d930acu, 0x51de003au, 0xc8d75180u, 0xbfd06116u, 0x21b4f4b5u, 0x56b3c423u, 0xcfba9599u, 0xb8bda50fu,
   0x2802b89eu, 0x5f058808u, 0xc60cd9b2u, 0xb10be924u, 0x2f6f7c87u, 0x58684c11u, 0xc1611dabu, 0xb6662d3du,
   0x76dc4190u, 0x01db7106u, 0x98d220bcu, 0xefd5102au, 0x71b18589u, 0x06b6b51fu, 0x9fbfe4a5u, 0xe8b8d433u,
   0x7807c9a2u, 0x0f00f934u, 0x9609a88eu, 0xe10e9818u, 0x7f6a0dbbu, 0x086d3d2du, 0x91646c97u, 0xe6635c01u,
   0x6b6b51f4u, 0x1c6c6162u, 0x856530d8u, 0xf262004eu, 0x6c0695edu, 0x1b01a57bu, 0x8208f4c1u, 0xf50fc457u,
   0x65b0d9c6u, 0x12b7e950u, 0x8bbeb8eau, 0xfcb9887cu, 0x62dd1ddfu, 0x15da2d49u, 0x8cd37cf3u, 0xfbd44c65u};
constant int low[8] = {1, -2, 3, -4, 5, -6, 7, -8};
constant int high[8] = {100, 200, 300, 400, 500, 600, 700, 800};
constant uchar bytes[12] = {1, 2, 4, 8, 16, 32, 64, 128, 255, 254, 253, 252};
constant ushort shorts[5] = {65535, 1, 32768, 7, 9};
constant struct { int key; char tag; long wide; float4 v; } records[3] = {
   {7, 'a', 0x100000001L, (float4)(1.0f, 2.0f, 3.0f, 4.0f)},
   {-8, 'b', -1L, (float4)(5.0f, 6.0f, 7.0f, 8.0f)},
   {9, 'c', 5L, (float4)(-1.0f)}};

int sum_of(constant int *from, int count)
{
   int sum = 0;

   for (int n = 0; n < count; n++)
      sum = 3 * sum + from[n];
   return sum;
}

kernel void tables(constant int *table, global int *b)
{
   const size_t i = get_global_id(0);
   const int x = table[i];
   constant int *either = x & 1 ? low : x & 2 ? high : table;
   constant int *inside = &high[x & 3];

   b[i] = (int)large[x % 96] ^ sum_of(either, 3 + (x & 3));
   b[64 + i] = bytes[x % 12] * 1000 + shorts[x % 5] + inside[2];
   b[128 + i] = records[x % 3].key + records[x % 3].tag + (int)(records[x % 3].wide >> 1) +
                (int)records[x % 3].v.z + (either == low);
}
