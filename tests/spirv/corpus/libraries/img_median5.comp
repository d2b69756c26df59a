// SPDX-License-Identifier: MIT
// A median of a cross of five by seven exchanges, of bytes, words and halves.
//: variant byte T=u8
//: variant short T=i16
//: variant half T=f16
//: variant float T=f32
//: groups 2 2
//: push i32*2=16,12
//: in 0.0 $T*192=random:2011:0:120
//: out 0.1 $T*192=zero
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define f16 float16_t
#define f32 float
#define u8 uint8_t
#define i16 int16_t
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) readonly buffer In { T src[]; };
layout(binding = 1) writeonly buffer Out { T dst[]; };
layout(push_constant) uniform parameter { int w; int h; } p;
// min() and max() of bytes are those of words.
#define EXCHANGE(a, b) { const T low = a < b ? a : b, high = a < b ? b : a; a = low; b = high; }

T at(int x, int y)
{
   return src[clamp(y, 0, p.h - 1) * p.w + clamp(x, 0, p.w - 1)];
}

void main()
{
   const ivec2 g = ivec2(gl_GlobalInvocationID);

   if (g.x >= p.w || g.y >= p.h)
      return;
   T a = at(g.x, g.y - 1), b = at(g.x - 1, g.y), c = at(g.x, g.y), d = at(g.x + 1, g.y), e = at(g.x, g.y + 1);
   EXCHANGE(a, b)
   EXCHANGE(d, e)
   EXCHANGE(a, d)
   EXCHANGE(b, e)
   EXCHANGE(b, c)
   EXCHANGE(c, d)
   EXCHANGE(b, c)
   dst[g.y * p.w + g.x] = c;
}
