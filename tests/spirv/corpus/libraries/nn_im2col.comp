// SPDX-License-Identifier: MIT
// Patches of an image become columns of a matrix; dilation and padding are parameters.
//: variant float T=f32
//: variant half T=f16
//: variant byte T=i8
//: groups 3 3 18
//: push i32*8=10,9,3,3,1,2,8,7
//: in 0.0 $T*180=random:1021:-9:9
//: out 0.1 $T*1008=zero
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define f16 float16_t
#define f32 float
#define i8 int8_t
layout(local_size_x = 4, local_size_y = 4) in;
layout(binding = 0) readonly buffer In { T src[]; };
layout(binding = 1) writeonly buffer Out { T dst[]; };
layout(push_constant) uniform parameter { int w; int h; int kw; int kh; int pad; int dilation; int ow; int oh; } p;

void main()
{
   const ivec3 g = ivec3(gl_GlobalInvocationID);
   const int c = g.z / (p.kw * p.kh), k = g.z % (p.kw * p.kh);
   const int x = g.x - p.pad + k % p.kw * p.dilation, y = g.y - p.pad + k / p.kw * p.dilation;

   if (g.x >= p.ow || g.y >= p.oh)
      return;
   T v = T(0);
   if (uint(x) < uint(p.w) && uint(y) < uint(p.h))
      v = src[(c * p.h + y) * p.w + x];
   dst[(g.z * p.oh + g.y) * p.ow + g.x] = v;
}
