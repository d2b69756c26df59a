// SPDX-License-Identifier: MIT
// Doubles through sqrt, division, fma, length, normalize, mix, frexp, ldexp.
//: groups 1
//: in 0.0 f64*128=random:60:0.5:50
//: out 0.1 f64*256 ulp=16
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { dvec2 a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { dvec4 b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   dvec2 v = a[i];
   int e;

   double m = frexp(v.x, e);
   dvec4 r;
   r.x = sqrt(v.x) + v.x / v.y;
   r.y = fma(v.x, v.y, 3.0lf) + inversesqrt(v.y);
   r.z = length(v) + normalize(v).x + dot(v, v.yx);
   r.w = ldexp(m, e + 2) + mix(v.x, v.y, 0.125lf) + double(e);
   b[i] = r;
}
