// SPDX-License-Identifier: MIT
// A 16-point Fourier transform in registers and shared memory, twiddles from sin and cos.
//: groups 2
//: in 0.0 vec2*128=random:145:-1:1
//: out 0.1 vec2*128 abs=2e-2
#version 450
layout(local_size_x = 16, local_size_y = 4) in;
layout(set = 0, binding = 0) readonly buffer In { vec2 a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { vec2 b[]; };

shared vec2 line[4][16];

vec2 times(vec2 x, vec2 y)
{
   return vec2(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
}

void main()
{
   uint i = gl_LocalInvocationID.x, row = gl_LocalInvocationID.y;
   uint base = (gl_WorkGroupID.x * 4u + row) * 16u;

   line[row][bitfieldReverse(i) >> 28] = a[base + i];
   for (uint half_size = 1u; half_size < 16u; half_size <<= 1) {
      barrier();
      uint k = i & (half_size - 1u);
      bool upper = (i & half_size) != 0u;
      float angle = -3.14159265 * float(k) / float(half_size);
      vec2 even = line[row][i & ~half_size], odd = line[row][i | half_size];
      odd = times(odd, vec2(cos(angle), sin(angle)));
      vec2 r = upper ? even - odd : even + odd;
      barrier();
      line[row][i] = r;
   }
   b[base + i] = line[row][i];
}
