// SPDX-License-Identifier: MIT
// A 3x3 convolution of a feature map with bias and leaky ReLU; sizes are parameters that specialisation may fix.
//: groups 3 2 4
//: push i32*4=20,12,3,240
//: in 0.0 f32*720=random:11:-1:1
//: in 0.1 f32*108=random:12:-1:1
//: in 0.2 f32*4=random:13:-1:1
//: out 0.3 f32*720=zero ulp=64 abs=0.00001
#version 450
layout(constant_id = 0) const int kernel_w = 3;
layout(constant_id = 1) const int kernel_h = 3;
layout(constant_id = 2) const float slope = 0.1;
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) readonly buffer bottom_blob { float bottom[]; };
layout(binding = 1) readonly buffer weight_blob { float weight[]; };
layout(binding = 2) readonly buffer bias_blob { float bias[]; };
layout(binding = 3) writeonly buffer top_blob { float top[]; };
layout(push_constant) uniform parameter { int w; int h; int c; int cstep; } p;

void main()
{
   const int gx = int(gl_GlobalInvocationID.x), gy = int(gl_GlobalInvocationID.y), gz = int(gl_GlobalInvocationID.z);
   const int outw = p.w - kernel_w + 1, outh = p.h - kernel_h + 1;

   if (gx >= outw || gy >= outh)
      return;
   float sum = bias[gz];
   int w_at = gz * p.c * kernel_w * kernel_h;
   for (int z = 0; z < p.c; z++) {
      int v_at = z * p.cstep + gy * p.w + gx;
      for (int y = 0; y < kernel_h; y++) {
         for (int x = 0; x < kernel_w; x++)
            sum += bottom[v_at + x] * weight[w_at + x];
         v_at += p.w;
         w_at += kernel_w;
      }
   }
   top[gz * outw * outh + gy * outw + gx] = sum < 0.0 ? sum * slope : sum;
}
