// SPDX-License-Identifier: MIT
// Blocks of 32 nibbles with a scale become floats, one block a lane.
//: groups 1
//: push u32=16
//: in 0.0 u32*80=random:91
//: out 0.1 f32*512=zero ulp=2
#version 450
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 32) in;
struct block_q4 { uint scale; uint qs[4]; };
layout(binding = 0) readonly buffer A { block_q4 a[]; };
layout(binding = 1) writeonly buffer D { float d[]; };
layout(push_constant) uniform parameter { uint blocks; } p;

void main()
{
   const uint ib = gl_GlobalInvocationID.x;

   if (ib >= p.blocks)
      return;
   const float scale = float(a[ib].scale & 0xffffu) * 0.001;
   [[unroll]] for (uint l = 0; l < 16; l++) {
      const uint q = a[ib].qs[l / 4] >> (8 * (l % 4));
      d[ib * 32 + l] = scale * (float(q & 15u) - 8.0);
      d[ib * 32 + l + 16] = scale * (float((q >> 4) & 15u) - 8.0);
   }
}
