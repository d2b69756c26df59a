// SPDX-License-Identifier: MIT
// Linked lists of references: each lane follows its own chain until the end, which is null.
//: groups 1
//: mem nodes u64*1=ref=nodes+64 u32*2=10,1 u64*1=ref=nodes+48 u32*2=20,2 u64*1=0 u32*2=30,3 u64*1=0 u32*2=40,4 u64*1=ref=nodes+16 u32*2=50,5
//: in 0.0 u64*4=ref=nodes u64*4=ref=nodes+16 u64*4=ref=nodes+32 u64*4=ref=nodes+64
//: out 0.1 u32*16
#version 450
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 16) in;
layout(buffer_reference) buffer Node;
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Node {
   Node next;
   uint value;
   uint weight;
};
layout(set = 0, binding = 0) readonly buffer Heads { Node heads[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

void main()
{
   uint i = gl_LocalInvocationIndex;
   uint sum = i;

   for (Node n = heads[i]; uint64_t(n) != 0ul; n = n.next)
      sum = sum * 3u + n.value * n.weight;
   b[i] = sum;
}
