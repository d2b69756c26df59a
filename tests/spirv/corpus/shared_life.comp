// SPDX-License-Identifier: MIT
// The game of life for some generations on a board in shared memory, two boards in turns.
//: groups 1
//: in 0.0 u32*256=random:97:0:1
//: out 0.1 u32*256
#version 450
layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

shared uint board[2][16][16];

void main()
{
   uvec2 at = gl_LocalInvocationID.xy;
   uint now = 0u;

   board[0][at.y][at.x] = a[gl_LocalInvocationIndex];
   for (int generation = 0; generation < 7; generation++) {
      barrier();
      uint n = 0u;
      for (uint dy = 15u; dy <= 17u; dy++)
         for (uint dx = 15u; dx <= 17u; dx++)
            if (dx != 16u || dy != 16u)
               n += board[now][(at.y + dy) & 15u][(at.x + dx) & 15u];
      uint alive = n == 3u || n == 2u && board[now][at.y][at.x] != 0u ? 1u : 0u;
      board[1u - now][at.y][at.x] = alive;
      now = 1u - now;
   }
   b[gl_LocalInvocationIndex] = board[now][at.y][at.x];
}
