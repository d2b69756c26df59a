/* SPDX-License-Identifier: MIT */
/* kernel.h - what the kernels are written in: OpenCL C without its library.
 *
 * The first lines of a kernel tell how it is run:
 *
 *    // workgroup X Y Z           lanes
 *    // workgroups X Y Z
 *    // TYPE[COUNT] WHAT          for each parameter that is a pointer, in their order
 *    // TYPE NUMBER               for each other parameter
 *
 * WHAT is zero, LOW..HIGH (random numbers), text (of lower-case letters) or index (0, 1, 2, ...).
 */
#ifndef BENCH_KERNEL_H
#define BENCH_KERNEL_H

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef float float2 __attribute__((ext_vector_type(2)));
typedef float float4 __attribute__((ext_vector_type(4)));
typedef int int4 __attribute__((ext_vector_type(4)));
typedef uint uint4 __attribute__((ext_vector_type(4)));

#define KERNEL(size)  __attribute__((reqd_work_group_size(size, 1, 1))) __kernel void
#define KERNEL2(x, y) __attribute__((reqd_work_group_size(x, y, 1))) __kernel void

/* For functions that take a pointer to a private variable. */
#define INLINE static __attribute__((always_inline))

#define local_id   ((uint)__builtin_amdgcn_workitem_id_x())
#define local_id_y ((uint)__builtin_amdgcn_workitem_id_y())
#define group_id   ((uint)__builtin_amdgcn_workgroup_id_x())
#define group_id_y ((uint)__builtin_amdgcn_workgroup_id_y())

#define sqrt(x)      __builtin_sqrtf(x)
#define fabs(x)      __builtin_fabsf(x)
#define floor(x)     __builtin_floorf(x)
#define fmin(a, b)   __builtin_fminf(a, b)
#define fmax(a, b)   __builtin_fmaxf(a, b)
#define fma(a, b, c) __builtin_fmaf(a, b, c)
#define exp2(x)      __builtin_exp2f(x)
#define sin_turns(x) __builtin_amdgcn_sinf(x)
#define cos_turns(x) __builtin_amdgcn_cosf(x)
#define popcount(x)  __builtin_popcount(x)
#define clz(x)       __builtin_clz(x)
#define as_uint(x)   __builtin_astype(x, uint)
#define as_float(x)  __builtin_astype(x, float)

#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))

static inline uint
rotl(uint x, uint n)
{
   return x << n | x >> (32 - n);
}

static inline void
barrier(void)
{
   __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
   __builtin_amdgcn_s_barrier();
   __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

#endif
