// SPDX-License-Identifier: MIT
// Constant memory: tables at program scope, constant arguments, strings.
//: global 64
//: local 64
//: arg in i32*16=iota:100:-3
//: arg out i32*64
constant int primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};
constant float4 corners[2] = {(float4)(1.0f, 2.0f, 3.0f, 4.0f), (float4)(-1.0f)};
constant struct { short a; int b[3]; } record = {-7, {10, 20, 30}};

kernel void constants(constant int *table, global int *b)
{
   constant char *word = "heddle";
   size_t i = get_global_id(0);

   b[i] = primes[i & 7] * table[i & 15] + (int)corners[i & 1].z + record.a + record.b[i % 3] + word[i % 6];
}
