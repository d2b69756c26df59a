// SPDX-License-Identifier: MIT
// Rows of floats become blocks of 32 five-bit numbers: the greatest magnitude, a scale, low nibbles, high bits.
//: groups 1
//: push u32=16
//: in 0.0 f32*512=random:101:-3:3
//: out 0.1 u32*96=zero
#version 450
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 32) in;
struct block_q5 { float d; uint qh; uint qs[4]; };
layout(binding = 0) readonly buffer S { float src[]; };
layout(binding = 1) writeonly buffer Q { block_q5 q[]; };
layout(push_constant) uniform parameter { uint blocks; } p;

void main()
{
   const uint ib = gl_GlobalInvocationID.x, at = ib * 32;

   if (ib >= p.blocks)
      return;
   float amax = 0.0, vmax = 0.0;
   [[unroll]] for (int j = 0; j < 32; j++) {
      const float v = src[at + j];
      if (amax < abs(v)) {
         amax = abs(v);
         vmax = v;
      }
   }
   const float d = vmax / -16.0, id = d != 0.0 ? 1.0 / d : 0.0;
   uint qh = 0u, qs[4] = uint[](0u, 0u, 0u, 0u);
   [[unroll]] for (int j = 0; j < 16; j++) {
      const uint x0 = min(31u, uint(src[at + j] * id * 0.5 + 16.25)), x1 = min(31u, uint(src[at + 16 + j] * id * 0.5 + 16.25));
      qs[j / 4] |= ((x0 & 15u) | ((x1 & 15u) << 4)) << (8 * (j % 4));
      qh |= ((x0 & 16u) >> 4) << j;
      qh |= ((x1 & 16u) >> 4) << (j + 16);
   }
   q[ib].d = d;
   q[ib].qh = qh;
   [[unroll]] for (int j = 0; j < 4; j++)
      q[ib].qs[j] = qs[j];
}
