// SPDX-License-Identifier: MIT
// One step of a bitonic sort in memory: each lane compares and exchanges one pair.
//: groups 2
//: push u32*3=4,1,128
//: io 0.0 f32*128=random:351
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) buffer Keys { float keys[]; };
layout(push_constant) uniform parameter { uint size; uint stride_log; uint n; } p;

void main()
{
   const uint stride = 1u << p.stride_log, i = gl_GlobalInvocationID.x;
   const uint a = (i >> p.stride_log << (p.stride_log + 1)) | (i & (stride - 1)), b = a + stride;

   if (b >= p.n)
      return;
   if ((keys[a] > keys[b]) == ((a & p.size) == 0)) {
      const float t = keys[a];
      keys[a] = keys[b];
      keys[b] = t;
   }
}
