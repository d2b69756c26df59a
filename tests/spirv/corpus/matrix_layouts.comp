// SPDX-License-Identifier: MIT
// Row- and column-major matrices in std140, std430 and scalar blocks, non-square ones too.
//: groups 1
//: in 0.0 f32*96=iota
//: io 0.1 f32*96=iota:100
//: io 0.2 f32*64=iota:200
#version 450
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, std140) uniform U {
   layout(row_major) mat3x4 rows;
   layout(column_major) mat3x4 columns;
   layout(row_major) mat2 small;
   mat4x2 wide[2];
} u;
layout(set = 0, binding = 1, std430) buffer B {
   layout(row_major) mat4x3 rows;
   mat3x2 columns;
   layout(row_major) mat2x3 last[2];
} s;
layout(set = 0, binding = 2, scalar) buffer C {
   layout(row_major) mat3 rows;
   mat3 columns;
   float tail;
} t;

void main()
{
   s.rows = transpose(u.rows) + transpose(u.columns);
   s.columns[1] += u.small * u.wide[1][3];
   s.last[0] = mat2x3(u.rows);
   s.last[1][1].z = s.last[0][0][2];
   t.rows[2] = t.columns[0] * 2.0;
   t.columns = t.rows * 0.5 + t.columns;
   t.rows[0][1] = t.tail;
   t.tail = t.rows[1][2];
}
