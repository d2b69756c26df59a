// SPDX-License-Identifier: MIT
// A level of a pyramid from the one before in one buffer; 2x2 averages of half floats, unpacked and packed.
//: groups 1 1
//: push u32*4=16,16,0,512
//: io 0.0 f16*1280=random:97:0.25:1 ulp=1
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) buffer Levels { uvec2 texel[]; };
layout(push_constant) uniform parameter { uint w; uint h; uint from; uint to; } p;

vec4 load(uint i)
{
   const uvec2 t = texel[i];
   return vec4(unpackHalf2x16(t.x), unpackHalf2x16(t.y));
}

void main()
{
   const uvec2 g = gl_GlobalInvocationID.xy;

   if (g.x >= p.w / 2 || g.y >= p.h / 2)
      return;
   const uint at = p.from + g.y * 2 * p.w + g.x * 2;
   const vec4 c = (load(at) + load(at + 1) + load(at + p.w) + load(at + p.w + 1)) * 0.25;
   texel[p.to / 2 + g.y * (p.w / 2) + g.x] = uvec2(packHalf2x16(c.xy), packHalf2x16(c.zw));
}
