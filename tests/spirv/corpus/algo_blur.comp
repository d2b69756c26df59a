// SPDX-License-Identifier: MIT
// A separable blur of a row with a halo in shared memory and clamped edges.
//: groups 4
//: in 0.0 f32*256=random:141:0:255
//: out 0.1 f32*256 ulp=32
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { float a[256]; };
layout(set = 0, binding = 1) writeonly buffer Out { float b[256]; };

const int radius = 3;
const float weights[4] = float[](0.3125, 0.234375, 0.09375, 0.015625);
shared float row[64 + 2 * radius];

float at(int x)
{
   return a[clamp(x, 0, 255)];
}

void main()
{
   int i = int(gl_LocalInvocationIndex), x = int(gl_GlobalInvocationID.x);

   row[i + radius] = at(x);
   if (i < radius)
      row[i] = at(x - radius);
   else if (i >= 64 - radius)
      row[i + 2 * radius] = at(x + radius);
   barrier();
   float sum = row[i + radius] * weights[0];
   for (int k = 1; k <= radius; k++)
      sum += (row[i + radius - k] + row[i + radius + k]) * weights[k];
   b[x] = sum;
}
