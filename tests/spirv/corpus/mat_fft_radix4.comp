// SPDX-License-Identifier: MIT
// A step of an FFT with radix four: twiddles computed, butterflies on pairs.
//: groups 1
//: push u32*2=64,4
//: in 0.0 f32*128=random:551:-1:1
//: out 0.1 f32*128 abs=0.0002
#version 450
layout(local_size_x = 16) in;
layout(binding = 0) readonly buffer In { vec2 src[]; };
layout(binding = 1) writeonly buffer Out { vec2 dst[]; };
layout(push_constant) uniform parameter { uint n; uint ns; } p;

vec2 product(vec2 a, vec2 b)
{
   return vec2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

void main()
{
   const uint j = gl_GlobalInvocationID.x, t = p.n / 4;
   const float angle = -6.2831853 * float(j % p.ns) / float(p.ns * 4);
   vec2 v[4];

   for (uint r = 0; r < 4; r++)
      v[r] = product(src[j + r * t], vec2(cos(float(r) * angle), sin(float(r) * angle)));
   const vec2 a = v[0] + v[2], b = v[0] - v[2], c = v[1] + v[3], d = vec2(v[1].y - v[3].y, v[3].x - v[1].x);
   const uint at = (j / p.ns) * p.ns * 4 + j % p.ns;
   dst[at] = a + c;
   dst[at + p.ns] = b + d;
   dst[at + 2 * p.ns] = a - c;
   dst[at + 3 * p.ns] = b - d;
}
