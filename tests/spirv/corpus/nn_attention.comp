// SPDX-License-Identifier: MIT
// Attention of a query over keys and values with a running greatest score: accumulators in an array of vectors.
//: groups 1 2
//: push u32*2=8,12 f32=0.25
//: in 0.0 f32*256=random:121:-1:1
//: in 0.1 f32*384=random:122:-1:1
//: in 0.2 f32*384=random:123:-1:1
//: out 0.3 f32*256 abs=0.0001
#version 450
#extension GL_EXT_control_flow_attributes : require
#define D4 4
layout(local_size_x = 8) in;
layout(binding = 0) readonly buffer Q { vec4 q[]; };
layout(binding = 1) readonly buffer K { vec4 k[]; };
layout(binding = 2) readonly buffer V { vec4 v[]; };
layout(binding = 3) writeonly buffer O { vec4 o[]; };
layout(push_constant) uniform parameter { uint rows; uint keys; float scale; } p;

void main()
{
   const uint row = gl_GlobalInvocationID.x, head = gl_GlobalInvocationID.y;

   if (row >= p.rows)
      return;
   vec4 qr[D4], acc[D4];
   [[unroll]] for (uint d = 0; d < D4; d++) {
      qr[d] = q[(head * p.rows + row) * D4 + d] * p.scale;
      acc[d] = vec4(0);
   }
   float most = -1e30, total = 0.0;
   for (uint c = 0; c < p.keys; c++) {
      float s = 0.0;
      [[unroll]] for (uint d = 0; d < D4; d++)
         s += dot(qr[d], k[(head * p.keys + c) * D4 + d]);
      const float before = most;
      most = max(most, s);
      const float w = exp(s - most), old = exp(before - most);
      total = total * old + w;
      [[unroll]] for (uint d = 0; d < D4; d++)
         acc[d] = acc[d] * old + w * v[(head * p.keys + c) * D4 + d];
   }
   [[unroll]] for (uint d = 0; d < D4; d++)
      o[(head * p.rows + row) * D4 + d] = acc[d] / total;
}
