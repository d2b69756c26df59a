// SPDX-License-Identifier: MIT
// Softmax of rows: greatest, sum of exponentials, quotient; reductions through shared memory.
//: groups 4
//: spec 0 u32=64
//: push u32*2=150,150
//: in 0.0 f32*600=random:61:-4:4
//: out 0.1 f32*600 ulp=64
#version 450
#extension GL_EXT_control_flow_attributes : require
layout(constant_id = 0) const uint block = 64;
layout(local_size_x_id = 0) in;
layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) buffer D { float d[]; };
layout(push_constant) uniform parameter { uint cols; uint stride; } p;
shared float tmp[64];

void main()
{
   const uint tid = gl_LocalInvocationID.x, row = gl_WorkGroupID.x;
   float most = uintBitsToFloat(0xff7fffffu);

   for (uint c = tid; c < p.cols; c += block)
      most = max(most, x[row * p.stride + c]);
   tmp[tid] = most;
   barrier();
   [[unroll]] for (uint s = block / 2; s > 0; s >>= 1) {
      if (tid < s)
         tmp[tid] = max(tmp[tid], tmp[tid + s]);
      barrier();
   }
   most = tmp[0];
   barrier();
   float sum = 0.0;
   for (uint c = tid; c < p.cols; c += block) {
      const float e = exp(x[row * p.stride + c] - most);
      sum += e;
      d[row * p.stride + c] = e;
   }
   tmp[tid] = sum;
   barrier();
   [[unroll]] for (uint s = block / 2; s > 0; s >>= 1) {
      if (tid < s)
         tmp[tid] += tmp[tid + s];
      barrier();
   }
   const float r = 1.0 / tmp[0];
   for (uint c = tid; c < p.cols; c += block)
      d[row * p.stride + c] *= r;
}
