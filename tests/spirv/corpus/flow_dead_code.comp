// SPDX-License-Identifier: MIT
// Code behind returns, loops that never run and conditions that are constant.
//: groups 1
//: in 0.0 u32*64=random:27
//: out 0.1 u32*64
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

const bool debugging = false;

uint f(uint x)
{
   if (debugging)
      x = 0u;
   while (false)
      x++;
   for (int k = 0; k < 0; k++)
      x *= 2u;
   do {
      x += 3u;
      break;
      x = 99u;
   } while (true);
   return x;
   x = 17u;
   return x + 1u;
}

void main()
{
   uint i = gl_GlobalInvocationID.x;
   b[i] = f(a[i]);
   if (true)
      return;
   b[i] = 0u;
}
