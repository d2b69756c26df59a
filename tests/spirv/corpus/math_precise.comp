// SPDX-License-Identifier: MIT
// precise: products and sums that must not be fused, and Kahan's sum, which only works so.
//: groups 1
//: in 0.0 f32*640=random:130:-1000:1000
//: out 0.1 vec2*64
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { float a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { vec2 b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   precise float sum = 0.0, lost = 0.0, product = 1.0;

   for (uint k = 0u; k < 10u; k++) {
      precise float y = a[i * 10u + k] - lost;
      precise float t = sum + y;
      lost = (t - sum) - y;
      sum = t;
      product = product * 0.25 + a[i * 10u + k] * 0.01;
   }
   b[i] = vec2(sum, product);
}
