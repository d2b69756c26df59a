// SPDX-License-Identifier: MIT
// Matrices of doubles.
//: groups 1
//: in 0.0 f64*256=random:44:-3:3
//: out 0.1 f64*128 abs=1e-9
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) readonly buffer In { double a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { dvec4 b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   dmat2x4 m;
   dmat4x2 n;

   for (uint k = 0u; k < 8u; k++)
      m[k >> 2][k & 3u] = a[i * 8u + k];
   n = transpose(m);
   b[i] = (m * n) * dvec4(1.0lf, -1.0lf, 0.5lf, 2.0lf) + dvec4(determinant(n * m));
}
