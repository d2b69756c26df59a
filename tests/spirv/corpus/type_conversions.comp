// SPDX-License-Identifier: MIT
// Conversions between all 32-bit types and rounding towards zero; bit casts.
//: groups 2
//: in 0.0 f32*128=random:62:-1000:1000
//: out 0.1 uvec4*128
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { float a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uvec4 b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   float x = a[i];
   int s = int(x);
   uint u = uint(abs(x));

   b[i] = uvec4(uint(s), floatBitsToUint(float(s * 1001)), floatBitsToUint(float(u * 0x10001u)),
                uint(floatBitsToInt(uintBitsToFloat(u)) + int(bool(x))));
}
