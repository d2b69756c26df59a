// SPDX-License-Identifier: MIT
// Structures in arrays in structures, with members copied whole, in std430.
//: groups 1
//: io 0.0 u32*464=random:45
//: out 0.1 u32*16
#version 450
layout(local_size_x = 16) in;
struct Point {
   uvec2 xy;
   uint weight;
};
struct Shape {
   Point corner[3];
   uint colour;
   uint flags[2];
};
struct Scene {
   uint count;
   Shape shape[16];
   Point centre;
};
layout(set = 0, binding = 0, std430) buffer B { Scene scene; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

uint area(Shape s)
{
   uint sum = 0u;
   for (int k = 0; k < 3; k++)
      sum += s.corner[k].xy.x * s.corner[(k + 1) % 3].xy.y + s.corner[k].weight;
   return sum;
}

void main()
{
   uint i = gl_LocalInvocationIndex;
   Shape mine = scene.shape[i];
   uint sum = area(mine) + scene.count;

   b[i] = sum;
   barrier();
   mine.corner[1] = mine.corner[i % 3u];
   mine.flags[i & 1u] = mine.colour;
   mine.colour = sum;
   scene.shape[i] = mine;
   if (i == 5u)
      scene.centre = mine.corner[0];
}
