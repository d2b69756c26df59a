// SPDX-License-Identifier: MIT
// Conversions between 64-bit integers, narrower ones, floats and doubles; packing.
//: groups 2
//: in 0.0 u64*128=random:56
//: out 0.1 u64*512
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint64_t a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { u64vec4 b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uint64_t x = a[i] >> (i & 63u);
   int64_t s = int64_t(a[i]) >> (i & 63u);
   uvec2 halves = unpack32(x);

   u64vec4 r;
   r.x = uint64_t(int(s)) + uint64_t(uint16_t(x));
   r.y = pack64(halves.yx) ^ uint64_t(int64_t(int8_t(s)));
   r.z = doubleBitsToUint64(double(s)) + uint64_t(floatBitsToUint(float(uint(x))));
   r.w = uint64_t(double(halves.x) * 0.5lf) + uint64_t(int64_t(float(int(halves.y) >> 8)));
   b[i] = r;
}
