// SPDX-License-Identifier: MIT
// uaddCarry, usubBorrow, umulExtended, imulExtended: wide numbers in words.
//: groups 2
//: in 0.0 uvec4*64=random:132
//: out 0.1 uvec4*64
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) readonly buffer In { uvec4 a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uvec4 b[]; };

uvec2 add64(uvec2 x, uvec2 y)
{
   uint carry;
   uint low = uaddCarry(x.x, y.x, carry);
   return uvec2(low, x.y + y.y + carry);
}

void main()
{
   uint i = gl_GlobalInvocationID.x;
   uvec4 v = a[i];
   uvec2 product, borrow;
   ivec2 high, low;

   umulExtended(v.x, v.y, product.y, product.x);
   imulExtended(ivec2(v.xz), ivec2(v.yw), high, low);
   uvec2 difference = usubBorrow(v.xy, v.zw, borrow);
   b[i] = uvec4(add64(product, v.zw), difference ^ borrow) + uvec4(high, low);
}
