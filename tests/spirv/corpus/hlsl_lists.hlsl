// SPDX-License-Identifier: MIT
// Buffers with counters: items are taken from one, put at the end of others, and counted.
//: groups 2
//: flags --amb
//: io 0.0 u32*128=iota:1
//: io 0.1 u32*8=128,0,0,0,0,0,0,0
//: io 0.2 u32*128=zero skip
//: io 0.3 u32*8=zero
//: out 0.4 u32*128=zero
//: judge none
ConsumeStructuredBuffer<uint> items : register(u0);
AppendStructuredBuffer<uint> large : register(u2);
RWStructuredBuffer<uint> marks : register(u4);

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
   uint item = items.Consume();
   marks[item - 1] = item * item;
   if (item > 100)
      large.Append(item);
}
