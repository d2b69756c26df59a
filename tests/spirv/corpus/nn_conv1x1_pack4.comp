// SPDX-License-Identifier: MIT
// A 1x1 convolution of packs of four channels, four pixels a lane.
//: groups 1 2
//: push i32*3=64,2,4
//: in 0.0 f32*512=random:21:-1:1
//: in 0.1 f32*128=random:22:-1:1
//: in 0.2 f32*16=random:23:-1:1
//: out 0.3 f32*1024=zero ulp=64 abs=0.00001
#version 450
layout(local_size_x = 16, local_size_y = 2) in;
layout(binding = 0) readonly buffer bottom_blob { vec4 bottom[]; };
layout(binding = 1) readonly buffer weight_blob { mat4 weight[]; };
layout(binding = 2) readonly buffer bias_blob { vec4 bias[]; };
layout(binding = 3) writeonly buffer top_blob { vec4 top[]; };
layout(push_constant) uniform parameter { int size; int c; int outc; } p;

void main()
{
   const int gx = int(gl_GlobalInvocationID.x) * 4, gy = int(gl_GlobalInvocationID.y);

   if (gx >= p.size || gy >= p.outc)
      return;
   vec4 sum0 = bias[gy], sum1 = sum0, sum2 = sum0, sum3 = sum0;
   int w_at = gy * p.c, v_at = gx;
   for (int z = 0; z < p.c; z++) {
      const mat4 k = weight[w_at];
      sum0 += bottom[v_at] * k;
      sum1 += bottom[v_at + 1] * k;
      sum2 += bottom[v_at + 2] * k;
      sum3 += bottom[v_at + 3] * k;
      w_at += 1;
      v_at += p.size;
   }
   const int at = gy * p.size + gx;
   top[at] = max(sum0, vec4(0));
   if (gx + 1 < p.size)
      top[at + 1] = max(sum1, vec4(0));
   if (gx + 2 < p.size)
      top[at + 2] = max(sum2, vec4(0));
   if (gx + 3 < p.size)
      top[at + 3] = max(sum3, vec4(0));
}
