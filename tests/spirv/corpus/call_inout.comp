// SPDX-License-Identifier: MIT
// in, out and inout parameters of scalars, vectors and arrays; a result that is an argument too.
//: groups 2
//: in 0.0 uvec4*64=random:30
//: out 0.1 uvec4*64
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) readonly buffer In { uvec4 a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uvec4 b[]; };

void order(inout uint x, inout uint y)
{
   if (x > y) {
      uint t = x;
      x = y;
      y = t;
   }
}

void split(const in uint x, out uint high, out uint low)
{
   high = x >> 16;
   low = x & 0xffffu;
}

uint shift_in(inout uint queue[4], uint x)
{
   uint gone = queue[3];
   for (int k = 3; k > 0; k--)
      queue[k] = queue[k - 1];
   queue[0] = x;
   return gone;
}

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uvec4 v = a[i];
   uint queue[4] = uint[4](v.x, v.y, v.z, v.w);

   order(v.x, v.y);
   order(v.z, v.w);
   order(v[0], v[2]);
   split(v.y, v.y, v.w);
   v.z += shift_in(queue, v.x);
   v.z ^= shift_in(queue, queue[2]);
   b[i] = v + uvec4(queue[0], queue[1], queue[2], queue[3]);
}
