// SPDX-License-Identifier: MIT
// Systems of three diagonals: by elimination a lane, or by cyclic reduction a workgroup.
//: variant lane HOW=0
//: variant reduction HOW=1
//: groups 4
//: in 0.0 f32*128=random:5101:-1:1
//: in 0.1 f32*128=random:5102:3:4
//: io 0.2 f32*128=random:5103:-1:1 abs=0.001
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define N 32
layout(local_size_x = N) in;
layout(binding = 0) readonly buffer Side { float side[]; };
layout(binding = 1) readonly buffer Diagonal { float diagonal[]; };
layout(binding = 2) buffer Right { float right[]; };
shared vec4 row_of[N];

void main()
{
   const uint l = gl_LocalInvocationIndex, base = gl_WorkGroupID.x * N;
#if HOW == 0
   if (l != 0)
      return;
   float above[N];
   float scale = diagonal[base];
   right[base] /= scale;
   for (uint n = 1; n < N; n++) {
      above[n] = side[base + n] / scale;
      scale = diagonal[base + n] - side[base + n] * above[n];
      right[base + n] = (right[base + n] - side[base + n] * right[base + n - 1]) / scale;
   }
   for (uint n = N - 1; n > 0; n--)
      right[base + n - 1] -= above[n] * right[base + n];
#else
   vec4 v = vec4(l > 0 ? side[base + l] : 0.0, diagonal[base + l], l < N - 1 ? side[base + l + 1] : 0.0, right[base + l]);
   for (uint step = 1; step < N; step *= 2) {
      row_of[l] = v;
      barrier();
      const vec4 up = l >= step ? row_of[l - step] : vec4(0, 1, 0, 0), down = l + step < N ? row_of[l + step] : vec4(0, 1, 0, 0);
      const float a = v.x / up.y, c = v.z / down.y;
      v = vec4(-a * up.x, v.y - a * up.z - c * down.x, -c * down.z, v.w - a * up.w - c * down.w);
      barrier();
   }
   right[base + l] = v.w / v.y;
#endif
}
