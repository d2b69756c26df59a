// SPDX-License-Identifier: MIT
// A switch inside a loop: break leaves the switch, continue the iteration, return everything.
//: groups 2
//: in 0.0 u32*128=random:16
//: out 0.1 u32*128
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

uint play(uint program)
{
   uint acc = 1u;
   for (uint pc = 0u; pc < 10u; pc++) {
      switch (program >> (pc * 3u) & 7u) {
      case 0u:
         acc += pc;
         break;
      case 1u:
         acc *= 3u;
         continue;
      case 2u:
         if (acc > 50u)
            return acc;
         acc += 20u;
      case 3u:
         acc ^= 5u;
         break;
      case 4u:
         pc++;
         continue;
      case 5u:
         acc = acc << 1 | acc >> 31;
         break;
      default:
         acc -= 2u;
      }
      acc += 1000u;
   }
   return acc + 7u;
}

void main()
{
   uint i = gl_GlobalInvocationID.x;
   b[i] = play(a[i]);
}
