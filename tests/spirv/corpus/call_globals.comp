// SPDX-License-Identifier: MIT
// Global variables with initializers, written by functions, kept apart between lanes.
//: groups 2
//: in 0.0 u32*128=random:34
//: out 0.1 u32*128
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

uint total = 5u;
uint history[4] = uint[](1u, 2u, 3u, 4u);
struct State { uint steps; uvec2 last; } state = State(0u, uvec2(9u, 8u));

void record(uint x)
{
   history[state.steps & 3u] += x;
   state.steps++;
   state.last = uvec2(state.last.y, x);
   total += x >> 8;
}

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uint x = a[i];

   while (x != 0u) {
      record(x);
      x >>= 5u + (i & 3u);
   }
   uint sum = total ^ state.steps << 24 ^ state.last.x ^ state.last.y;
   for (uint k = 0u; k < 4u; k++)
      sum = sum * 31u + history[k];
   b[i] = sum;
}
