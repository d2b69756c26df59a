// SPDX-License-Identifier: MIT
// A quantised 1x1 convolution: packed bytes, sums of 32 bits, requantised to bytes with scale and rounding.
//: groups 2 1
//: push u32*3=8,32,4
//: in 0.0 u32*256=random:41
//: in 0.1 u32*128=random:42
//: in 0.2 f32*16=random:43:0.0001:0.0005
//: out 0.3 u32*128=zero
#version 450
layout(local_size_x = 16, local_size_y = 4) in;
layout(binding = 0) readonly buffer bottom_blob { uint bottom[]; };
layout(binding = 1) readonly buffer weight_blob { uint weight[]; };
layout(binding = 2) readonly buffer scale_blob { float scale[]; };
layout(binding = 3) writeonly buffer top_blob { uint top[]; };
layout(push_constant) uniform parameter { uint c4; uint size; uint outc4; } p;

ivec4 bytes(uint x)
{
   return ivec4(int(x << 24) >> 24, int(x << 16) >> 24, int(x << 8) >> 24, int(x) >> 24);
}

int dot4(ivec4 a, ivec4 b)
{
   return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

void main()
{
   const uint gx = gl_GlobalInvocationID.x, gy = gl_GlobalInvocationID.y;

   if (gx >= p.size || gy >= p.outc4)
      return;
   ivec4 sum = ivec4(0);
   for (uint z = 0; z < p.c4; z++) {
      const ivec4 v = bytes(bottom[z * p.size + gx]);
      const uint k = (gy * p.c4 + z) * 4;
      sum += ivec4(dot4(v, bytes(weight[k & 127u])), dot4(v, bytes(weight[(k + 1) & 127u])),
                   dot4(v, bytes(weight[(k + 2) & 127u])), dot4(v, bytes(weight[(k + 3) & 127u])));
   }
   uint packed = 0u;
   for (int n = 0; n < 4; n++) {
      const int q = clamp(int(float(sum[n]) * scale[gy * 4 + n] * 0.25), -127, 127);
      packed |= uint(q & 255) << (8 * n);
   }
   top[gy * p.size + gx] = packed;
}
