// SPDX-License-Identifier: MIT
// Booleans: logic, vectors, in private arrays and structures, converted to and from numbers.
//: groups 2
//: in 0.0 u32*128=random:61
//: out 0.1 u32*128
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

struct Flags {
   bool ready;
   bvec3 lanes;
};

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uint x = a[i];
   bool seen[8];
   Flags f = Flags(bool(x & 1u), bvec3((x & 2u) != 0u, (x & 4u) != 0u, true));

   for (int k = 0; k < 8; k++)
      seen[k] = false;
   for (int k = 0; k < 10; k++) {
      seen[x & 7u] = !seen[x & 7u] ^^ f.ready;
      x >>= 3;
      f.lanes = f.lanes.zxy;
      f.ready = f.ready == f.lanes.x || seen[k & 7];
   }
   uint r = 0u;
   for (int k = 0; k < 8; k++)
      r |= uint(seen[k]) << k;
   b[i] = r | uint(f.ready) << 8 | uint(float(f.lanes.y)) << 9 | uint(int(f.lanes != bvec3(false))) << 10;
}
