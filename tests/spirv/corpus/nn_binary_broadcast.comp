// SPDX-License-Identifier: MIT
// An operation between blobs that is chosen by specialisation; each dimension of the second may be one.
//: groups 1 1 3
//: spec 0 i32=2
//: push i32*8=8,6,3,48,8,1,3,8
//: in 0.0 f32*144=random:161:-2:2
//: in 0.1 f32*24=random:162:-2:2
//: out 0.2 f32*144=zero ulp=4
#version 450
layout(constant_id = 0) const int op = 0;
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) readonly buffer a_blob { float a[]; };
layout(binding = 1) readonly buffer b_blob { float b[]; };
layout(binding = 2) writeonly buffer top_blob { float top[]; };
layout(push_constant) uniform parameter { int aw; int ah; int ac; int acstep; int bw; int bh; int bc; int bcstep; } p;

void main()
{
   const ivec3 g = ivec3(gl_GlobalInvocationID);

   if (g.x >= p.aw || g.y >= p.ah || g.z >= p.ac)
      return;
   const int bx = p.bw == 1 ? 0 : g.x, by = p.bh == 1 ? 0 : g.y, bz = p.bc == 1 ? 0 : g.z;
   const float x = a[g.z * p.acstep + g.y * p.aw + g.x], y = b[bz * p.bcstep + by * p.bw + bx];
   float r;
   if (op == 0)
      r = x + y;
   else if (op == 1)
      r = x - y;
   else if (op == 2)
      r = x * y;
   else if (op == 3)
      r = x / y;
   else
      r = pow(x, y);
   top[g.z * p.acstep + g.y * p.aw + g.x] = r;
}
