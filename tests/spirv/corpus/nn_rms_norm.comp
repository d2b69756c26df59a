// SPDX-License-Identifier: MIT
// Root-mean-square normalisation of rows with weights, strided in four dimensions.
//: groups 3 2
//: push u32*6=100,3,2,100,300,600
//: in 0.0 f32*600=random:71:-2:2
//: in 0.1 f32*100=random:72:0.5:1.5
//: out 0.2 f32*600 ulp=64
#version 450
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) readonly buffer W { float weight[]; };
layout(binding = 2) writeonly buffer D { float d[]; };
layout(push_constant) uniform parameter { uint ne00; uint ne01; uint ne02; uint nb01; uint nb02; uint nb03; } p;
shared float sum[32];

void main()
{
   const uint tid = gl_LocalInvocationID.x, row = gl_WorkGroupID.x, channel = gl_WorkGroupID.y;
   const uint a_at = channel * p.nb02 + row * p.nb01, d_at = (channel * p.ne01 + row) * p.ne00;

   sum[tid] = 0.0;
   for (uint c = tid; c < p.ne00; c += 32) {
      const float x = a[a_at + c];
      sum[tid] += x * x;
   }
   barrier();
   [[unroll]] for (int s = 16; s > 0; s >>= 1) {
      if (tid < s)
         sum[tid] += sum[tid + s];
      barrier();
   }
   const float scale = inversesqrt(sum[0] / float(p.ne00) + 0.000001);
   for (uint c = tid; c < p.ne00; c += 32)
      d[d_at + c] = scale * a[a_at + c] * weight[c];
}
