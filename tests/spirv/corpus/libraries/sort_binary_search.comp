// SPDX-License-Identifier: MIT
// Lower and upper bounds of values in a sorted array, and the runs that they are.
//: variant word T=u32
//: variant short T=u16
//: variant long T=u64
//: groups 2
//: push u32=100
//: in 0.0 $T*100=iota:3:2
//: in 0.1 $T*64=random:3081:0:220
//: out 0.2 uvec2*64
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define u16 uint16_t
#define u32 uint
#define u64 uint64_t
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Sorted { T sorted[]; };
layout(binding = 1) readonly buffer Wanted { T wanted[]; };
layout(binding = 2) writeonly buffer Out { uvec2 bounds[]; };
layout(push_constant) uniform parameter { uint n; } p;

uint bound(T v, bool after)
{
   uint first = 0, count = p.n;

   while (count > 0) {
      const uint step = count / 2;
      const T at = sorted[first + step];
      if (at < v || (after && at == v)) {
         first += step + 1;
         count -= step + 1;
      } else {
         count = step;
      }
   }
   return first;
}

void main()
{
   const uint i = gl_GlobalInvocationID.x;
   const T v = wanted[i];

   bounds[i] = uvec2(bound(v, false), bound(v, true));
}
