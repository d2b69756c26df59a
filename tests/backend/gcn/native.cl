/* SPDX-License-Identifier: MIT */
/* native.cl - functions of two words, in the language that C and OpenCL C have in common: a host runs
 * them and the simulator runs them, and both must say the same. Undefined behaviour of C is avoided
 * by masks.
 */
typedef unsigned int word;
typedef unsigned long wide;

static word
bits32(float x)
{
   union {
      float f;
      word i;
   } u;
   u.f = x;
   return u.i;
}

static word
bits64(double x)
{
   union {
      double f;
      wide i;
   } u;
   u.f = x;
   return (word)u.i * 31 + (word)(u.i >> 32);
}

static word
floats(word x, word y)
{
   const float a = (float)(int)x * 0.001f, b = (float)y * 0.37f + 0.125f;
   word r = bits32(a / b);
   r = r * 31 + bits32(b / a);
   r = r * 31 + bits32(a * b + 3.0f);
   r = r * 31 + bits32(__builtin_fmaf(a, b, a));
   r = r * 31 + bits32(__builtin_floorf(a) + __builtin_ceilf(b));
   r = r * 31 + bits32(__builtin_truncf(a * 0.5f) - __builtin_rintf(b));
   r = r * 31 + bits32(__builtin_fminf(a, b) - __builtin_fmaxf(a, 2.0f));
   r = r * 31 + bits32(__builtin_copysignf(__builtin_fabsf(b), a));
   r = r * 31 + bits32(a * 1e-35f / (b * 1e10f)); /* denormals */
   r = r * 31 + (word)(int)(a * 0.01f) + (word)(b * 1e-6f);
   return r * 2 + (a < b) + (a == b) + (a != a);
}

static word
doubles(word x, word y)
{
   const double a = (double)(int)x * 0.25, b = (double)y * 1.7 + 0.5;
   word r = bits64(a / b);
   r = r * 31 + bits64(b / (a + 0.1));
   r = r * 31 + bits64(a * b + a);
   r = r * 31 + bits64(__builtin_fma(a, b, -a));
   r = r * 31 + bits64(__builtin_floor(b) + (double)(float)a);
   r = r * 31 + bits64(__builtin_fmin(a, b) * __builtin_fmax(a, 1.0));
   r = r * 31 + (word)(int)(b * 1e-3) + (word)(long)(b * 1e6);
   return r * 2 + (a < b) + (a >= b * 0.5);
}

static word
longs(word x, word y)
{
   const wide p = (wide)x * y, q = (wide)x << 32 | y | 1;
   const long s = (long)(int)x * (long)(int)y;
   word r = (word)(p / (q >> 20 | 1)) + (word)(q % (x | 1));
   r = r * 31 + (word)(p >> (x & 63)) + (word)((long)q >> (y & 63)) + (word)(q << (y & 63));
   r = r * 31 + (word)(s / ((int)(y >> 1) | 1)) + (word)(s % ((int)(x >> 1) | 1));
   r = r * 31 + (word)(p * q >> 32) + (word)(p + q) + (word)((p - q) >> 32);
   r = r * 31 + (word)__builtin_popcountl(q) + (word)__builtin_clzl(q);
   return r * 8 + (p < q) * 4 + ((long)p < (long)q) * 2 + (p == q);
}

static word
words(word x, word y)
{
   word r = x / (y | 1) + x % (y | 1);
   r = r * 31 + (word)((int)x / (int)((y & 0xffff) | 3)) + (word)((int)y % (int)((x & 0xff) | 5));
   r = r * 31 + (word)__builtin_popcount(x) + (word)__builtin_clz(x | 1);
   r = r * 31 + (word)__builtin_ctz(y | 0x80000000u) + (x << (y & 31)) + (word)((int)x >> (y & 31));
   r = r * 31 + (x >> (y & 31) | x << (-y & 31)) + (x & ~y) + (x ^ y | x & 0xff);
   r = r * 31 + (x > y ? x - y : y - x) + (word)(((int)x < (int)y) ? (int)x : (int)y);
   r = r * 31 + (word)((wide)x * y >> 32) + (word)((long)(int)x * (int)y >> 32);
   return r * 31 + (x >> 5 & 0x7f) * (y & 0xffffff) + (word)((int)(x << 9) >> 20);
}

static word
small(word x, word y)
{
   const unsigned short h = (unsigned short)(x >> 3), k = (unsigned short)y;
   const signed char a = (signed char)x, b = (signed char)(y >> 8);
   word r = (unsigned short)(h * k + 3) + (word)(short)(h >> k % 16);
   r = r * 31 + (word)((short)h < (short)k) + (word)(unsigned short)(h - k);
   r = r * 31 + (word)(a * b) + (word)(unsigned char)(a + b) + (word)(a / ((b & 127) | 1));
   return r * 31 + (word)(short)(h << k % 16) + (word)(h < k ? h : k);
}

static word
memory(word x, word y)
{
   word array[8];
   unsigned char bytes[16];
   for (int i = 0; i < 8; i++)
      array[(i * 3 + (x & 7)) & 7] = x >> i;
   for (int i = 0; i < 16; i++)
      bytes[(i + y) & 15] = (unsigned char)(y >> i);
   return array[y & 7] * 31 + array[x >> 5 & 7] + bytes[x & 15] * 7u + bytes[5];
}

/* What all lanes index by is known to none of the compilers, but the same in all: m0 moves registers. */
static word
indexed(word x, word y)
{
   word array[16];
   for (int i = 0; i < 16; i++)
      array[i] = x * 3 + y * i;
   word r = 0;
#pragma nounroll
   for (int n = 0; n < 9; n++) {
      array[n * 7 & 15] += r ^ y;
      r = r * 31 + array[n * 5 & 15];
   }
   return r + array[3];
}

static word
control(word x, word y)
{
   word r = 0;
   for (word i = 0; i < (x & 15); i++) {
      if ((y >> i & 1) && i != 5)
         continue;
      r = r * 7 + i;
      if (i > (y & 15))
         break;
      for (word j = i; j * j < (x >> 8 & 63); j += 2)
         r ^= j << (i & 7);
   }
   switch (x % 6) {
   case 0:
      return r + 1;
   case 1:
      r ^= y;
      break;
   case 2:
      r *= 3;
      /* falls through */
   case 3:
      r += x;
      break;
   default:
      r -= 5;
   }
   return r;
}

#define TOPICS 8

static word
topic(int n, word x, word y)
{
   switch (n) {
   case 0:
      return floats(x, y);
   case 1:
      return doubles(x, y);
   case 2:
      return longs(x, y);
   case 3:
      return words(x, y);
   case 4:
      return small(x, y);
   case 5:
      return memory(x, y);
   case 6:
      return indexed(x, y);
   default:
      return control(x, y);
   }
}

#ifdef __OPENCL_C_VERSION__

/* Each lane has two words, and gets from its neighbour in LDS what that has of its own. */
__kernel void
native(__global word *out, __global const word *in, word n)
{
   __local word shared[64];
   const word l = __builtin_amdgcn_workitem_id_x();
   const word id = __builtin_amdgcn_workgroup_id_x() * 64 + l;
   const word x = in[id], y = in[(id * 7 + 3) % n];
   shared[l] = x;
   __builtin_amdgcn_s_barrier();
   for (int t = 0; t < TOPICS; t++)
      out[t * n + id] = topic(t, x, y) + shared[l ^ 1];
}

#else

int printf(const char *format, ...);
int scanf(const char *format, ...);

int
main(void)
{
   static word in[1024];
   word n = 0;
   while (n < 1024 && scanf("%u", &in[n]) == 1)
      n++;
   for (int t = 0; t < TOPICS; t++) {
      for (word id = 0; id < n; id++)
         printf("%u\n", topic(t, in[id], in[(id * 7 + 3) % n]) + in[id ^ 1]);
   }
   return 0;
}

#endif
