// SPDX-License-Identifier: MIT
// Matrix products with matrices, vectors from both sides and scalars, of all shapes.
//: groups 1
//: in 0.0 f32*640=random:40:-4:4
//: out 0.1 f32*1024 ulp=16 abs=1e-3
#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) readonly buffer In { float a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { float b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uint p = i * 40u, o = i * 64u;
   mat4 m;
   mat3x2 n;
   mat2x3 t;

   for (int c = 0; c < 4; c++)
      m[c] = vec4(a[p + c], a[p + c + 9], a[p + c + 17], a[p + c + 23]);
   for (int c = 0; c < 3; c++)
      n[c] = vec2(a[p + 2 * c], a[p + 2 * c + 1]);
   for (int c = 0; c < 2; c++)
      t[c] = vec3(a[p + 30 + c], a[p + 32 + c], a[p + 34 + c]);
   mat4 mm = m * m * 0.25;
   mat2 nt = n * t;
   mat3 tn = t * n;
   vec4 mv = m * vec4(1.0, 2.0, -1.0, 0.5);
   vec4 vm = vec4(a[p], 1.0, 0.0, 2.0) * m;
   for (int c = 0; c < 16; c++)
      b[o + c] = mm[c / 4][c % 4];
   for (int c = 0; c < 4; c++) {
      b[o + 16 + c] = nt[c >> 1][c & 1];
      b[o + 20 + c] = mv[c];
      b[o + 24 + c] = vm[c];
   }
   for (int c = 0; c < 9; c++)
      b[o + 28 + c] = tn[c / 3][c % 3];
   vec2 nv = n * vec3(1.0, 2.0, 3.0);
   vec3 vn = vec2(0.5, -1.0) * n;
   b[o + 37] = nv.x;
   b[o + 38] = nv.y;
   b[o + 39] = vn.x + vn.y - vn.z;
   for (int c = 40; c < 64; c++)
      b[o + c] = 0.0;
}
