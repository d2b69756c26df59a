// SPDX-License-Identifier: MIT
// A Gaussian blur of packed pixels along rows: a halo in shared memory, weights in a constant table.
//: groups 2 3
//: push i32*2=100,3
//: in 0.0 u32*300=random:201
//: out 0.1 u32*300=zero
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint src[]; };
layout(binding = 1) writeonly buffer Out { uint dst[]; };
layout(push_constant) uniform parameter { int w; int h; } p;
const int R = 4;
const float weight[2 * R + 1] = float[](0.015625, 0.0625, 0.125, 0.1875, 0.21875, 0.1875, 0.125, 0.0625, 0.015625);
shared vec4 line[64 + 2 * R];

vec4 fetch(int x, int y)
{
   const uint v = src[y * p.w + clamp(x, 0, p.w - 1)];
   return vec4(v & 255u, v >> 8 & 255u, v >> 16 & 255u, v >> 24);
}

void main()
{
   const int x = int(gl_GlobalInvocationID.x), y = int(gl_GlobalInvocationID.y), l = int(gl_LocalInvocationID.x);

   line[l + R] = fetch(x, y);
   if (l < R) {
      line[l] = fetch(x - R, y);
      line[l + 64 + R] = fetch(x + 64, y);
   }
   barrier();
   if (x >= p.w)
      return;
   vec4 sum = vec4(0);
   for (int k = 0; k <= 2 * R; k++)
      sum += line[l + k] * weight[k];
   const uvec4 q = uvec4(sum);
   dst[y * p.w + x] = q.x | q.y << 8 | q.z << 16 | q.w << 24;
}
