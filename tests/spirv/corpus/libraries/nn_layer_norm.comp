// SPDX-License-Identifier: MIT
// Layer normalisation of rows: a lane a row, a workgroup a row over shared memory, or over subgroups first.
//: variant lane T=f32 HOW=0
//: variant shared T=f32 HOW=1
//: variant subgroup T=f32 HOW=2
//: variant half T=f16 HOW=1
//: variant half_subgroup T=f16 HOW=2
//: groups 12
//: push u32=48 f32=0.00001
//: in 0.0 $T*576=random:1001:-2:2
//: in 0.1 f32*96=random:1002:0.5:1.5
//: out 0.2 $T*576 abs=0.004 ulp=4
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define f16 float16_t
#define f32 float
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 16) in;
layout(binding = 0) readonly buffer In { T x[]; };
layout(binding = 1) readonly buffer Affine { float affine[]; };
layout(binding = 2) writeonly buffer Out { T y[]; };
layout(push_constant) uniform parameter { uint cols; float epsilon; } p;
shared vec2 part[16];

vec2 sum_of_group(vec2 v)
{
   const uint l = gl_LocalInvocationIndex;
   uint n = 16;
#if HOW == 2
   v = subgroupAdd(v);
   if (subgroupElect())
      part[gl_SubgroupID] = v;
   n = gl_NumSubgroups;
#else
   part[l] = v;
#endif
   barrier();
   while (n > 1) {
      const uint half_of = (n + 1) / 2;
      if (l < n - half_of)
         part[l] += part[l + half_of];
      n = half_of;
      barrier();
   }
   return part[0];
}

void main()
{
#if HOW == 0
   const uint row = gl_WorkGroupID.x, first = 0, step = 1;
   if (gl_LocalInvocationIndex != 0)
      return;
#else
   const uint row = gl_WorkGroupID.x, first = gl_LocalInvocationIndex, step = 16;
#endif
   vec2 v = vec2(0);
   for (uint c = first; c < p.cols; c += step) {
      const float t = float(x[row * p.cols + c]);
      v += vec2(t, t * t);
   }
#if HOW != 0
   v = sum_of_group(v);
#endif
   v /= float(p.cols);
   const float scale = inversesqrt(v.y - v.x * v.x + p.epsilon);
   for (uint c = first; c < p.cols; c += step)
      y[row * p.cols + c] = T((float(x[row * p.cols + c]) - v.x) * scale * affine[c] + affine[p.cols + c]);
}
