// SPDX-License-Identifier: MIT
// A guided filter: means and covariances in windows, then the linear model; both steps in one workgroup.
//: variant float T=f32
//: variant half T=f16
//: groups 1
//: push f32=0.05
//: in 0.0 $T*64=random:2031:0:1
//: in 0.1 $T*64=random:2032:0:1
//: out 0.2 $T*64 abs=0.004
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define f16 float16_t
#define f32 float
#define N 8
#define R 1
layout(local_size_x = N, local_size_y = N) in;
layout(binding = 0) readonly buffer Guide { T guide[]; };
layout(binding = 1) readonly buffer Source { T src[]; };
layout(binding = 2) writeonly buffer Out { T dst[]; };
layout(push_constant) uniform parameter { float epsilon; } p;
shared vec2 pixel[N][N], model[N][N];

void main()
{
   const int x = int(gl_LocalInvocationID.x), y = int(gl_LocalInvocationID.y), at = y * N + x;
   const int x0 = max(x - R, 0), x1 = min(x + R, N - 1), y0 = max(y - R, 0), y1 = min(y + R, N - 1);
   const float n = float((x1 - x0 + 1) * (y1 - y0 + 1));

   pixel[y][x] = vec2(guide[at], src[at]);
   barrier();
   vec4 sum = vec4(0);
   for (int j = y0; j <= y1; j++) {
      for (int i = x0; i <= x1; i++) {
         const vec2 v = pixel[j][i];
         sum += vec4(v, v.x * v.x, v.x * v.y);
      }
   }
   sum /= n;
   const float a = (sum.w - sum.x * sum.y) / (sum.z - sum.x * sum.x + p.epsilon);
   model[y][x] = vec2(a, sum.y - a * sum.x);
   barrier();
   vec2 mean = vec2(0);
   for (int j = y0; j <= y1; j++)
      for (int i = x0; i <= x1; i++)
         mean += model[j][i];
   mean /= n;
   dst[at] = T(mean.x * pixel[y][x].x + mean.y);
}
