// SPDX-License-Identifier: MIT
// A bytecode machine with a stack and jumps: a loop around a large switch, as emulators have.
//: groups 1
//: in 0.0 u32*16=0x105,0x107,0x2,0x10a,0x3,0x4,0x801,0x900,0x101,0x5,0x702,0xff,0xff,0xff,0xff,0xff
//: in 0.1 u32*64=random:24:0:30
//: out 0.2 u32*64
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Code { uint code[16]; };
layout(set = 0, binding = 1) readonly buffer In { uint a[]; };
layout(set = 0, binding = 2) writeonly buffer Out { uint b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uint stack[8], sp = 1u, pc = 0u, fuel = 60u;

   stack[0] = a[i];
   while (fuel-- > 0u && pc < 16u) {
      uint op = code[pc] & 0xffu, arg = code[pc] >> 8;
      pc++;
      if (arg == 1u && sp < 8u) {
         stack[sp++] = op;
         continue;
      }
      switch (op) {
      case 2u:
      case 3u:
         if (sp < 2u)
            break;
         sp--;
         stack[sp - 1u] = op == 2u ? stack[sp - 1u] + stack[sp] : stack[sp - 1u] * stack[sp];
         break;
      case 4u:
         stack[sp - 1u] = stack[sp - 1u] >> 1 ^ fuel;
         break;
      case 5u:
         if (sp > 1u)
            sp--;
         if ((stack[0] & 1u) != 0u)
            pc = arg + 2u;
         break;
      case 0xffu:
         fuel = 0u;
         break;
      default:
         stack[0] += op + arg;
      }
   }
   b[i] = stack[sp - 1u] * 16u + sp;
}
