// SPDX-License-Identifier: MIT
// Overloaded functions and forward declarations; a void function with an early return.
//: groups 2
//: in 0.0 ivec4*64=random:35:-1000:1000
//: out 0.1 ivec4*64
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) readonly buffer In { ivec4 a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { ivec4 b[]; };

int fold(int x);
int fold(ivec2 x);
int fold(ivec4 x);
void clampTo(inout int x, int limit);

void main()
{
   uint i = gl_GlobalInvocationID.x;
   int limited = a[i].z;

   clampTo(limited, 300);
   b[i] = ivec4(fold(a[i].x), fold(a[i].xy), fold(a[i]), limited);
}

int fold(ivec4 x)
{
   return fold(x.xz) - fold(x.yw);
}

int fold(ivec2 x)
{
   return fold(x.x) * 3 + fold(x.y);
}

int fold(int x)
{
   return x < 0 ? -x : x + 1;
}

void clampTo(inout int x, int limit)
{
   if (x <= limit && x >= -limit)
      return;
   x = x > 0 ? limit : -limit;
}
