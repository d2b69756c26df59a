// SPDX-License-Identifier: MIT
// Sums of quarters as Strassen's method has them, the seven products and what they make: 4 by 4 a lane.
//: variant float T=f32 M=mat2
//: variant half T=f16 M=f16mat2
//: groups 1
//: in 0.0 $T*256=random:5081:-1:1
//: in 0.1 $T*256=random:5082:-1:1
//: out 0.2 $T*256 abs=0.08
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define f16 float16_t
#define f32 float
layout(local_size_x = 16) in;
layout(binding = 0) readonly buffer Left { T left[]; };
layout(binding = 1) readonly buffer Right { T right[]; };
layout(binding = 2) writeonly buffer Out { T dst[]; };
#define QUARTER(from, r, c) M(from[base + (r) * 8 + (c) * 2], from[base + (r) * 8 + 4 + (c) * 2], \
   from[base + (r) * 8 + (c) * 2 + 1], from[base + (r) * 8 + 4 + (c) * 2 + 1])

void store(uint at, M m)
{
   dst[at] = m[0][0];
   dst[at + 1] = m[1][0];
   dst[at + 4] = m[0][1];
   dst[at + 5] = m[1][1];
}

void main()
{
   const uint base = gl_GlobalInvocationID.x * 16;
   const M a = QUARTER(left, 0, 0), b = QUARTER(left, 0, 1), c = QUARTER(left, 1, 0), d = QUARTER(left, 1, 1);
   const M e = QUARTER(right, 0, 0), f = QUARTER(right, 0, 1), g = QUARTER(right, 1, 0), h = QUARTER(right, 1, 1);
   const M p1 = (a + d) * (e + h), p2 = (c + d) * e, p3 = a * (f - h), p4 = d * (g - e), p5 = (a + b) * h;
   const M p6 = (c - a) * (e + f), p7 = (b - d) * (g + h);

   store(base, p1 + p4 - p5 + p7);
   store(base + 2, p3 + p5);
   store(base + 8, p2 + p4);
   store(base + 10, p1 - p2 + p3 + p6);
}
