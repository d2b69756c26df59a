// SPDX-License-Identifier: MIT
// Inclusive and exclusive scans of all operations, in subgroups of eight.
//: groups 1
//: subgroup 8
//: in 0.0 u32*64=random:82
//: in 0.1 f32*64=random:83:-4:4
//: out 0.2 u32*320
//: out 0.3 f32*192 ulp=64 abs=1e-4
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) readonly buffer Floats { float f[]; };
layout(set = 0, binding = 2) writeonly buffer Out { uint b[]; };
layout(set = 0, binding = 3) writeonly buffer OutFloats { float c[]; };

void main()
{
   uint i = gl_LocalInvocationIndex;
   uint x = a[i];
   float y = f[i];

   b[i] = subgroupInclusiveAdd(x) ^ subgroupExclusiveMul(x | 1u);
   b[i + 64u] = subgroupInclusiveMin(x) ^ subgroupExclusiveMax(x);
   b[i + 128u] = uint(subgroupInclusiveMax(int(x))) ^ uint(subgroupExclusiveMin(int(x)));
   b[i + 192u] = subgroupInclusiveAnd(x | 0xff00ff00u) ^ subgroupExclusiveOr(x & 0x11111111u);
   b[i + 256u] = subgroupInclusiveXor(x) ^ subgroupExclusiveAnd(x);
   c[i] = subgroupInclusiveAdd(y) + subgroupMul(0.5 + abs(y));
   c[i + 64u] = subgroupExclusiveMax(y) < y ? subgroupMax(y) : subgroupMin(y);
   c[i + 128u] = subgroupInclusiveMin(y) - subgroupExclusiveAdd(y);
}
