// SPDX-License-Identifier: MIT
// A matrix of packed bytes with a scale for each block, times a vector; partial sums meet in shared memory.
//: groups 8
//: push u32=128
//: in 0.0 u32*256=random:111
//: in 0.1 f32*32=random:112:0.01:0.02
//: in 0.2 f32*128=random:113:-1:1
//: out 0.3 f32*8 abs=0.001
#version 450
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer A { uint qs[]; };
layout(binding = 1) readonly buffer S { float scale[]; };
layout(binding = 2) readonly buffer B { vec4 b[]; };
layout(binding = 3) writeonly buffer D { float d[]; };
layout(push_constant) uniform parameter { uint ncols; } p;
shared float tmp[32];

void main()
{
   const uint row = gl_WorkGroupID.x, tid = gl_LocalInvocationID.x;
   float sum = 0.0;

   for (uint i = tid * 4; i < p.ncols; i += 128) {
      const uint q = qs[(row * p.ncols + i) / 4];
      const vec4 v = vec4(float(int(q << 24) >> 24), float(int(q << 16) >> 24), float(int(q << 8) >> 24), float(int(q) >> 24));
      sum += scale[(row * p.ncols + i) / 32] * dot(v, b[i / 4]);
   }
   tmp[tid] = sum;
   barrier();
   [[unroll]] for (uint s = 16; s > 0; s >>= 1) {
      if (tid < s)
         tmp[tid] += tmp[tid + s];
      barrier();
   }
   if (tid == 0)
      d[row] = tmp[0];
}
