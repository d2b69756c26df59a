// SPDX-License-Identifier: MIT
// Singular values of 3 by 3 matrices by Jacobi's rotations of the product with the transpose.
//: variant fixed SWEEPS=4
//: variant single SWEEPS=1
//: groups 2
//: in 0.0 f32*288=random:5091:-1:1
//: out 0.1 f32*128 abs=0.002
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 16) in;
layout(binding = 0) readonly buffer In { float src[]; };
layout(binding = 1) writeonly buffer Out { vec4 dst[]; };

void rotate(inout mat3 s, int i, int j)
{
   const float off = s[j][i];
   if (abs(off) < 1e-7)
      return;
   const float tau = (s[j][j] - s[i][i]) / (2.0 * off), t = (tau < 0.0 ? -1.0 : 1.0) / (abs(tau) + sqrt(1.0 + tau * tau));
   const float c = inversesqrt(1.0 + t * t), sn = t * c;
   mat3 r = mat3(1.0);
   r[i][i] = c;
   r[j][j] = c;
   r[j][i] = sn;
   r[i][j] = -sn;
   s = transpose(r) * s * r;
}

void main()
{
   const uint i = gl_GlobalInvocationID.x;
   mat3 m;

   for (int n = 0; n < 9; n++)
      m[n / 3][n % 3] = src[i * 9 + n];
   mat3 s = transpose(m) * m;
   for (int n = 0; n < SWEEPS; n++) {
      rotate(s, 0, 1);
      rotate(s, 0, 2);
      rotate(s, 1, 2);
   }
   dst[i] = vec4(s[0][0] + s[1][1] + s[2][2], s[0][0] * s[1][1] * s[2][2], max(max(s[0][0], s[1][1]), s[2][2]), determinant(m));
}
