// SPDX-License-Identifier: MIT
// Eigenvalues of symmetric 3x3 matrices by Jacobi's rotations in an array of arrays.
//: groups 1
//: in 0.0 f32*96=random:581:-2:2
//: out 0.1 f32*48 abs=0.005
#version 450
layout(local_size_x = 16) in;
layout(binding = 0) readonly buffer In { float src[]; };
layout(binding = 1) writeonly buffer Out { float dst[]; };

void main()
{
   const uint g = gl_GlobalInvocationID.x;
   float a[3][3];
   uint at = g * 6;

   for (int i = 0; i < 3; i++) {
      for (int j = i; j < 3; j++) {
         a[i][j] = src[at];
         a[j][i] = src[at++];
      }
   }
   for (int sweep = 0; sweep < 4; sweep++) {
      for (int i = 0; i < 2; i++) {
         for (int j = i + 1; j < 3; j++) {
            if (abs(a[i][j]) < 0.000001)
               continue;
            const float theta = (a[j][j] - a[i][i]) / (2.0 * a[i][j]);
            const float t = (theta < 0.0 ? -1.0 : 1.0) / (abs(theta) + sqrt(theta * theta + 1.0));
            const float c = inversesqrt(t * t + 1.0), s = t * c;
            for (int k = 0; k < 3; k++) {
               const float x = a[k][i], y = a[k][j];
               a[k][i] = c * x - s * y;
               a[k][j] = s * x + c * y;
            }
            for (int k = 0; k < 3; k++) {
               const float x = a[i][k], y = a[j][k];
               a[i][k] = c * x - s * y;
               a[j][k] = s * x + c * y;
            }
         }
      }
   }
   const float low = min(a[0][0], min(a[1][1], a[2][2])), high = max(a[0][0], max(a[1][1], a[2][2]));
   dst[g * 3] = low;
   dst[g * 3 + 1] = a[0][0] + a[1][1] + a[2][2] - low - high;
   dst[g * 3 + 2] = high;
}
