// SPDX-License-Identifier: MIT
// Conjugate gradients of a band matrix, all steps in a workgroup; dot products over shared memory or subgroups.
//: variant shared HOW=0
//: variant subgroup HOW=1
//: groups 1
//: push u32=6
//: in 0.0 f32*64=random:5071:-1:1
//: out 0.1 f32*64 abs=0.001
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#define N 64
layout(local_size_x = N) in;
layout(binding = 0) readonly buffer Right { float b[]; };
layout(binding = 1) writeonly buffer Out { float x_of[]; };
layout(push_constant) uniform parameter { uint steps; } p;
shared float part[N], vector[N];

float sum_of_all(float v)
{
   const uint l = gl_LocalInvocationIndex;
   float sum = 0.0;

   barrier();
#if HOW == 1
   v = subgroupAdd(v);
   if (subgroupElect())
      part[gl_SubgroupID] = v;
   barrier();
   for (uint n = 0; n < gl_NumSubgroups; n++)
      sum += part[n];
#else
   part[l] = v;
   barrier();
   for (uint n = N / 2; n > 0; n /= 2) {
      if (l < n)
         part[l] += part[l + n];
      barrier();
   }
   sum = part[0];
#endif
   return sum;
}

void main()
{
   const uint l = gl_LocalInvocationIndex;
   float x = 0.0, r = b[l], d = r, rr = sum_of_all(r * r);

   for (uint n = 0; n < p.steps; n++) {
      vector[l] = d;
      barrier();
      const float left = l > 0 ? vector[l - 1] : 0.0, right = l < N - 1 ? vector[l + 1] : 0.0;
      const float far = l >= 8 ? vector[l - 8] : 0.0, near = l < N - 8 ? vector[l + 8] : 0.0;
      const float ad = 5.0 * d - left - right - far - near, step = rr / sum_of_all(d * ad);
      x += step * d;
      r -= step * ad;
      const float now = sum_of_all(r * r);
      d = r + d * (now / rr);
      rr = now;
   }
   x_of[l] = x;
}
