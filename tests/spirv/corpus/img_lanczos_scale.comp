// SPDX-License-Identifier: MIT
// Resampling with six taps whose weights are computed, kept in an array and normalised.
//: groups 1 2
//: push i32*4=24,6,15,6
//: in 0.0 f32*144=random:311:0:1
//: out 0.1 f32*90=zero abs=0.002
#version 450
layout(local_size_x = 16, local_size_y = 4) in;
layout(binding = 0) readonly buffer In { float src[]; };
layout(binding = 1) writeonly buffer Out { float dst[]; };
layout(push_constant) uniform parameter { int w; int h; int outw; int outh; } p;

float lanczos(float x)
{
   const float pi = 3.14159265;
   return abs(x) < 0.0001 ? 1.0 : abs(x) >= 3.0 ? 0.0 : 3.0 * sin(pi * x) * sin(pi * x / 3.0) / (pi * pi * x * x);
}

void main()
{
   const ivec2 g = ivec2(gl_GlobalInvocationID);

   if (g.x >= p.outw || g.y >= p.outh)
      return;
   const float at = (float(g.x) + 0.5) * float(p.w) / float(p.outw) - 0.5;
   const int first = int(floor(at)) - 2;
   float weight[6], total = 0.0, sum = 0.0;
   for (int k = 0; k < 6; k++) {
      weight[k] = lanczos(at - float(first + k));
      total += weight[k];
   }
   for (int k = 0; k < 6; k++)
      sum += weight[k] * src[g.y * p.w + clamp(first + k, 0, p.w - 1)];
   dst[g.y * p.outw + g.x] = sum / total;
}
