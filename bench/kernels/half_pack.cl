// SPDX-License-Identifier: MIT
// Floats to 16 bits by hand, rounded to even, with all special cases.
// workgroup 64 1 1
// workgroups 2 1 1
// u16[128] zero
// f32[128] -70000..70000
// f32 0.00001
static uint to_half(float x)
{
   uint bits = as_uint(x), sign = bits >> 16 & 0x8000, rest = bits & 0x7fffffff;

   if (rest >= 0x7f800000)
      return sign | (rest > 0x7f800000 ? 0x7e00 : 0x7c00);
   if (rest >= 0x47800000)
      return sign | 0x7c00;
   if (rest < 0x38800000) {
      uint shift = 126 - (rest >> 23);
      if (shift > 24)
         return sign;
      uint mantissa = (rest & 0x7fffff) | 0x800000;
      uint half_bits = mantissa >> shift, lost = mantissa & ((1u << shift) - 1), middle = 1u << (shift - 1);
      if (lost > middle || (lost == middle && (half_bits & 1)))
         half_bits++;
      return sign | half_bits;
   }
   uint half_bits = (rest - 0x38000000) >> 13, lost = rest & 0x1fff;
   if (lost > 0x1000 || (lost == 0x1000 && (half_bits & 1)))
      half_bits++;
   return sign | half_bits;
}
KERNEL(64) half_pack(__global ushort *restrict out, __global const float *restrict in, float scale)
{
   uint at = group_id * 64 + local_id;
   float x = in[at];

   out[at] = to_half(at & 1 ? x * scale * scale : x);
}
