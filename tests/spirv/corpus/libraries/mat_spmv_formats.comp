// SPDX-License-Identifier: MIT
// Sparse matrices by a vector: ELL by columns, COO by atomics of fixed point, CSR a row a workgroup, blocks of 2 by 2.
//: variant ell HOW=0 T=f32
//: variant coo HOW=1 T=f32
//: variant csr HOW=2 T=f32
//: variant blocked HOW=3 T=f32
//: variant ell_half HOW=0 T=f16
//: variant csr_half HOW=2 T=f16
//: groups 4
//: push u32*2=32,4
//: in 0.0 $T*512=random:5011:-1:1
//: in 0.1 u32*512=random:5012:0:15
//: in 0.2 u32*128=random:5013:0:31
//: in 0.3 f32*32=random:5014:-1:1
//: io 0.4 i32*32=zero
//: io 0.5 f32*64=zero abs=0.001
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define f16 float16_t
#define f32 float
layout(local_size_x = 8) in;
layout(binding = 0) readonly buffer Values { T value[]; };
layout(binding = 1) readonly buffer Columns { uint column[]; };
layout(binding = 2) readonly buffer Rows { uint row_of[]; };
layout(binding = 3) readonly buffer Vector { float x[]; };
layout(binding = 4) buffer Sums { int fixed_sum[]; };
layout(binding = 5) buffer Out { vec2 y[]; };
layout(push_constant) uniform parameter { uint rows; uint width; } p;
shared float part[8];

void main()
{
   const uint i = gl_GlobalInvocationID.x, l = gl_LocalInvocationIndex;
#if HOW == 0
   float sum = 0.0;
   if (i >= p.rows)
      return;
   for (uint n = 0; n < p.width; n++) {
      const uint at = n * p.rows + i, c = column[at];
      if (c < 12)
         sum += float(value[at]) * x[c];
   }
   y[i] = vec2(sum, 0.0);
#elif HOW == 1
   for (uint n = i; n < 128; n += 32)
      atomicAdd(fixed_sum[row_of[n]], int(round(float(value[n]) * x[column[n]] * 256.0)));
   y[i] = vec2(value[i], x[i]);
#elif HOW == 2
   for (uint row = gl_WorkGroupID.x; row < p.rows; row += 4) {
      const uint first = row * 15, count = column[row] + 1;
      float sum = 0.0;
      for (uint n = l; n < count; n += 8)
         sum += float(value[first + n]) * x[column[first + n]];
      part[l] = sum;
      barrier();
      for (uint n = 4; n > 0; n /= 2) {
         if (l < n)
            part[l] += part[l + n];
         barrier();
      }
      if (l == 0)
         y[row] = vec2(part[0], float(count));
      barrier();
   }
#else
   vec2 sum = vec2(0);
   for (uint n = 0; n < p.width; n++) {
      const uint at = (i * p.width + n) * 4;
      const mat2 block = mat2(value[at], value[at + 1], value[at + 2], value[at + 3]);
      const uint c = column[at / 4] * 2;
      sum += block * vec2(x[c], x[c + 1]);
   }
   y[i] = sum;
#endif
}
