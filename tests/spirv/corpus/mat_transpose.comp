// SPDX-License-Identifier: MIT
// A transposition through padded tiles, four rows a lane.
//: groups 2 1
//: push u32*2=64,32
//: in 0.0 f32*2048=random:531
//: out 0.1 f32*2048
#version 450
layout(local_size_x = 32, local_size_y = 8) in;
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) writeonly buffer B { float b[]; };
layout(push_constant) uniform parameter { uint w; uint h; } p;
shared float tile[32][33];

void main()
{
   const uvec2 l = gl_LocalInvocationID.xy, g = gl_WorkGroupID.xy * 32;

   for (uint n = 0; n < 32; n += 8)
      tile[l.y + n][l.x] = a[(g.y + l.y + n) * p.w + g.x + l.x];
   barrier();
   for (uint n = 0; n < 32; n += 8)
      b[(g.x + l.y + n) * p.h + g.y + l.x] = tile[l.x][l.y + n];
}
