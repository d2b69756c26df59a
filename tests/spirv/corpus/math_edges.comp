// SPDX-License-Identifier: MIT
// Zeros, infinities and NaNs through comparisons, isnan, isinf, min and max, sign, conversions.
//: groups 1
//: in 0.0 f32*64=edges
//: out 0.1 u32*256
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { float a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uvec4 b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   float x = a[i], y = a[(i * 5u + 3u) & 63u];
   uint r = 0u;

   r |= isnan(x) ? 1u : 0u;
   r |= isinf(x) ? 2u : 0u;
   r |= x < y ? 4u : 0u;
   r |= x >= y ? 8u : 0u;
   r |= x == y ? 16u : 0u;
   r |= x != y ? 32u : 0u;
   r |= !(x > y) ? 64u : 0u;
   float m = isnan(x) || isnan(y) ? 0.0 : min(x, y);
   float s = isnan(x) ? 0.0 : abs(x);
   b[i] = uvec4(r, floatBitsToUint(m == 0.0 ? 0.0 : m), floatBitsToUint(-s), floatBitsToUint(isnan(x) ? 1.0 : x == 0.0 ? 0.0 : sign(x)));
}
