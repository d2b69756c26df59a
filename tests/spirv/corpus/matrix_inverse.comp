// SPDX-License-Identifier: MIT
// determinant and inverse of 2x2, 3x3 and 4x4 matrices that are far from singular.
//: groups 2
//: in 0.0 vec4*256=random:42:-1:1
//: out 0.1 vec4*64 abs=1e-4
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) readonly buffer In { vec4 a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { vec4 b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   mat4 m = mat4(a[i], a[i + 64u], a[i + 128u], a[i + 192u]) * 0.25 + mat4(2.0);
   mat3 m3 = mat3(m);
   mat2 m2 = mat2(m);

   vec4 r = inverse(m) * vec4(1.0, 2.0, 3.0, 4.0);
   r.xyz += inverse(m3)[i % 3u];
   r.xy -= inverse(m2) * vec2(1.0, -1.0);
   r *= vec4(determinant(m), determinant(m3), determinant(m2), 1.0);
   b[i] = r;
}
