// SPDX-License-Identifier: MIT
// 64-bit integers: arithmetic, shifts by all amounts, comparisons, division.
//: groups 2
//: in 0.0 u64*256=random:55
//: out 0.1 u64*256
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { u64vec2 a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { u64vec2 b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uint64_t x = a[i].x, y = a[i].y >> (i & 63u);
   int64_t s = int64_t(x), t = int64_t(y | 1ul);

   uint64_t r = x * y + (x << (i & 63u)) - (y >> 17u);
   r ^= uint64_t(s >> int(i & 31u));
   r += x / (y | 1ul) + x % 1000000007ul;
   int64_t q = s / t - s / 12345l;
   if (s < t || x > 0x8000000000000000ul)
      q = -q;
   b[i] = u64vec2(r, uint64_t(max(q, s)));
}
