// SPDX-License-Identifier: MIT
// Specialisation constants of all types, and arithmetic on them that is folded.
//: groups 1
//: spec 0 u32=5
//: spec 1 f32=2.5
//: spec 2 u32=0
//: spec 4 i32=-9
//: out 0.0 u32*64
#version 450
layout(local_size_x = 64) in;
layout(constant_id = 0) const uint count = 3u;
layout(constant_id = 1) const float scale = 1.0;
layout(constant_id = 2) const bool flag = true;
layout(constant_id = 3) const int kept = 77;
layout(constant_id = 4) const int offset = 1;
layout(set = 0, binding = 0) writeonly buffer Out { uint b[]; };

const uint doubled = count * 2u + uint(kept);
const int mixed = (flag ? offset : -offset) % 4 << 3 ^ kept;
const bool large = doubled > 80u && !flag;

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uint table[count];
   uint r = 0u;

   for (uint k = 0u; k < count; k++)
      table[k] = k * doubled + i;
   for (uint k = 0u; k < count; k++)
      r = r * 7u + table[(k + i) % count];
   if (large)
      r += uint(float(i) * scale);
   switch (mixed) {
   case 77:
      r ^= 1u;
      break;
   case 69:
      r ^= 2u;
      break;
   default:
      r += uint(mixed);
   }
   b[i] = r;
}
