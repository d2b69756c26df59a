// SPDX-License-Identifier: MIT
// transpose, outerProduct, matrixCompMult, negation, sums and differences of matrices.
//: groups 2
//: in 0.0 vec4*64=random:41:-4:4
//: out 0.1 vec4*64 ulp=8 abs=1e-4
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) readonly buffer In { vec4 a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { vec4 b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   mat4x3 o = outerProduct(a[i].xyz, a[(i + 1u) & 63u]);
   mat3x4 t = transpose(o);
   mat4x3 s = matrixCompMult(o, mat4x3(2.0)) - o / 4.0;
   mat3x4 d = -t + transpose(s) * 0.5;

   d++;
   b[i] = d[0] + d[1] * 0.5 - d[2];
}
