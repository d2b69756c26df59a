// SPDX-License-Identifier: MIT
// Doubles: arithmetic, comparisons, rounding, conversions both ways.
//: groups 2
//: in 0.0 f64*128=random:59:-100:100
//: out 0.1 f64*256 ulp=4 abs=1e-12
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { double a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { dvec2 b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   double x = a[i], y = a[i ^ 1u];
   double r = x * y + 1.5lf;

   if (x > y)
      r += floor(x) - fract(y);
   else
      r -= trunc(x) + ceil(y);
   r += min(x, y) * 0.25lf + abs(max(x, -y)) + roundEven(x);
   int whole = int(x);
   float narrow = float(y) + 0.5; // a pair of conversions alone is what some compilers leave out
   b[i] = dvec2(r, double(whole) + double(narrow) * 2.0lf + sign(x));
}
