// SPDX-License-Identifier: MIT
// Methods, parameters that come back, arrays by value, static variables, switches that fall through to a shared end, matrices by rows.
//: groups 2
//: in 0.0 u32*128=random:702
//: out 0.1 u32*128
StructuredBuffer<uint> source : register(t0);
RWStructuredBuffer<uint> result : register(u1);

static const uint steps[4] = { 1, 3, 5, 11 };
static uint calls = 0;

struct Random {
   uint state;
   uint last[3];

   uint next()
   {
      state = state * 1664525u + 1013904223u;
      last[state % 3] = state >> 16;
      calls++;
      return state >> 8;
   }
   bool coin() { return (next() & 1) != 0; }
};

void order(inout uint a, inout uint b, out bool changed)
{
   changed = a > b;
   if (changed) {
      uint t = a;
      a = b;
      b = t;
   }
}

uint sum(uint values[3], uint n)
{
   uint s = 0;
   [unroll]
   for (uint k = 0; k < 3; k++)
      s += values[k] << n;
   values[0] = 99;
   return s + values[0];
}

uint choose(uint x, out uint extra)
{
   extra = 0;
   [branch]
   switch (x & 7) {
   case 0:
   case 5:
      extra = x >> 3;
      return 1;
   case 1:
      x += 4;
      break;
   case 2:
   case 3:
   case 4: {
      do {
         x = x * 3 + 1;
         if ((x & 15) == 7)
            break;
      } while ((x & 1) == 0);
      break;
   }
   default:
      extra = 5;
   }
   return x;
}

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
   Random r;
   r.state = source[id.x];
   r.last[0] = r.last[1] = r.last[2] = 7;
   uint a = r.next(), b = r.next() & 0xffff, extra;
   bool changed;
   order(a, b, changed);
   uint x = choose(a, extra) * 5 + extra;
   if (r.coin() || (b & 4) && r.coin())
      x ^= sum(r.last, calls & 3);
   float3x2 m = { float(a & 255), 2, float(x & 255), 4, 5, float(b & 255) };
   float2x3 t = transpose(m);
   x += uint(mul(t, m)[id.x & 1][1] + m[id.x % 3].x);
   x = (uint3(x, a, b) > 1000u).y ? x + steps[x & 3] : x - calls;
   result[id.x] = x * 2 + (changed ? 1 : 0);
}
