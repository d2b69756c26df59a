// SPDX-License-Identifier: MIT
// Colours of a Bayer pattern, green along the smaller gradient.
//: variant short T=u16
//: variant byte T=u8
//: variant half T=f16
//: groups 2 2
//: push i32*2=16,14
//: in 0.0 $T*224=random:2071:0:250
//: out 0.1 u32*672=zero
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define f16 float16_t
#define f32 float
#define u8 uint8_t
#define u16 uint16_t
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) readonly buffer In { T raw[]; };
layout(binding = 1, std430) writeonly buffer Out { uint rgb[]; };
layout(push_constant) uniform parameter { int w; int h; } p;

int at(int x, int y)
{
   return int(raw[clamp(y, 0, p.h - 1) * p.w + clamp(x, 0, p.w - 1)]);
}

int green(int x, int y)
{
   if (((x ^ y) & 1) != 0)
      return at(x, y);
   const int c = 2 * at(x, y), l = at(x - 1, y), r = at(x + 1, y), u = at(x, y - 1), d = at(x, y + 1);
   const int across = abs(l - r) + abs(c - at(x - 2, y) - at(x + 2, y)), along = abs(u - d) + abs(c - at(x, y - 2) - at(x, y + 2));
   return across < along ? (l + r) / 2 : along < across ? (u + d) / 2 : (l + r + u + d) / 4;
}

void main()
{
   const ivec2 g = ivec2(gl_GlobalInvocationID);

   if (g.x >= p.w || g.y >= p.h)
      return;
   const int here = green(g.x, g.y);
   int row = 0, column = 0, diagonal = 0;
   for (int n = -1; n <= 1; n += 2) {
      row += at(g.x + n, g.y) - green(g.x + n, g.y);
      column += at(g.x, g.y + n) - green(g.x, g.y + n);
      diagonal += at(g.x + n, g.y + n) + at(g.x - n, g.y + n) - green(g.x + n, g.y + n) - green(g.x - n, g.y + n);
   }
   const int near = at(g.x, g.y);
   ivec3 c = ivec3(here);
   switch ((g.y & 1) * 2 + (g.x & 1)) {
   case 0:
      c.r = near;
      c.b = here + diagonal / 4;
      break;
   case 1:
      c.r = here + row / 2;
      c.b = here + column / 2;
      break;
   case 2:
      c.r = here + column / 2;
      c.b = here + row / 2;
      break;
   case 3:
      c.b = near;
      c.r = here + diagonal / 4;
      break;
   }
   for (int n = 0; n < 3; n++)
      rgb[(g.y * p.w + g.x) * 3 + n] = uint(clamp(c[n], 0, 255));
}
