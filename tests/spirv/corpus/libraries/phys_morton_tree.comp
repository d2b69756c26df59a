// SPDX-License-Identifier: MIT
// The splits of a radix tree over sorted codes, as for a hierarchy of boxes: ranges by the common prefixes of neighbours.
//: variant word T=u32
//: variant long T=u64
//: groups 2
//: push i32=32
//: in 0.0 $T*32=iota:5:37
//: out 0.1 u32*128=zero
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define u32 uint
#define u64 uint64_t
layout(local_size_x = 16) in;
layout(binding = 0) readonly buffer Codes { T code[]; };
layout(binding = 1) writeonly buffer Nodes { uvec4 node[]; };
layout(push_constant) uniform parameter { int n; } p;

int prefix(int i, int j)
{
   if (j < 0 || j >= p.n)
      return -1;
   const T d = code[i] ^ code[j];
   const uint high = uint(uint64_t(d) >> 32), low = uint(d);
   return high != 0 ? 31 - findMSB(high) : 63 - findMSB(low);
}

void main()
{
   const int i = int(gl_GlobalInvocationID.x);

   if (i >= p.n - 1)
      return;
   const int step = prefix(i, i + 1) > prefix(i, i - 1) ? 1 : -1, least = prefix(i, i - step);
   int most = 2;
   while (prefix(i, i + most * step) > least)
      most *= 2;
   int far = 0;
   for (int t = most / 2; t > 0; t /= 2)
      if (prefix(i, i + (far + t) * step) > least)
         far += t;
   const int j = i + far * step, shared_bits = prefix(i, j);
   int split = 0, t = far;
   do {
      t = (t + 1) / 2;
      if (prefix(i, i + (split + t) * step) > shared_bits)
         split += t;
   } while (t > 1);
   const int left = i + split * step + min(step, 0);
   node[i] = uvec4(min(i, j), max(i, j), left, shared_bits);
}
