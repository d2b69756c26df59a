// SPDX-License-Identifier: MIT
// Structures and arrays as parameters and results.
//: groups 2
//: in 0.0 f32*192=random:32:-8:8
//: out 0.1 f32*192 ulp=8
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) readonly buffer In { float a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { float b[]; };

struct Interval {
   float low;
   float high;
};

struct Box {
   Interval side[3];
   uint tags;
};

Interval widen(Interval x, float by)
{
   if (x.low > x.high)
      return Interval(x.high - by, x.low + by);
   return Interval(x.low - by, x.high + by);
}

Box grow(Box box, float by)
{
   for (int k = 0; k < 3; k++) {
      if ((box.tags >> k & 1u) != 0u)
         box.side[k] = widen(box.side[k], by);
   }
   box.tags <<= 1;
   return box;
}

void main()
{
   uint i = gl_GlobalInvocationID.x;
   Box box;

   for (int k = 0; k < 3; k++)
      box.side[k] = Interval(a[i], a[(i + 7u * uint(k)) % 192u]);
   box.tags = i;
   box = grow(grow(box, 0.5), 0.25);
   for (int k = 0; k < 3; k++)
      b[i * 3u + uint(k)] = box.side[k].high * 2.0 + abs(box.side[k].low);
}
