#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a kernel is told when it is dispatched: arguments of all kinds, hidden ones, the packet, ids, dynamic LDS, in
whole and in partial workgroups. The kernel, compiled by clang, writes all it hears; it is known here.

    test_object_arguments.py HEDDLE
"""
import itertools
import os
import struct
import sys
import tempfile

import test_object_kernels as objects

import llvm_programs

SOURCE = r'''
typedef unsigned char uchar; typedef unsigned short ushort; typedef unsigned uint; typedef unsigned long ulong;
typedef float float4 __attribute__((ext_vector_type(4)));
struct pair { int x; char y; double z; };
#define FACTS 30
#define AT(type, p, n) (ulong)(*(const __constant type *)((const __constant uchar *)(p) + (n)))

__kernel void facts(__global ulong *out, uchar a, short b, float4 c, struct pair s, __local uint *shared, __global const uint *d,
                    __global uint *nothing)
{
   const __constant void *hidden = __builtin_amdgcn_implicitarg_ptr(), *packet = __builtin_amdgcn_dispatch_ptr();
   const uint local_id[3] = {__builtin_amdgcn_workitem_id_x(), __builtin_amdgcn_workitem_id_y(), __builtin_amdgcn_workitem_id_z()};
   const uint group[3] = {__builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workgroup_id_y(), __builtin_amdgcn_workgroup_id_z()};
   ulong at = 0;
   uint number = 0;
   for (int n = 2; n >= 0; n--) {
      at = at * AT(uint, packet, 12 + 4 * n) + group[n] * AT(ushort, packet, 4 + 2 * n) + local_id[n];
      number = number * AT(ushort, packet, 4 + 2 * n) + local_id[n];
   }
   __global ulong *to = out + at * FACTS;
   for (int n = 0; n < 3; n++) {
      to[n] = AT(uint, hidden, 4 * n);
      to[3 + n] = AT(ushort, hidden, 12 + 2 * n);
      to[6 + n] = AT(ushort, hidden, 18 + 2 * n);
      to[9 + n] = AT(ulong, hidden, 40 + 8 * n);
      to[13 + n] = AT(uint, packet, 12 + 4 * n);
      to[16 + n] = group[n];
      to[19 + n] = local_id[n];
   }
   to[12] = AT(ushort, hidden, 64);
   to[22] = a;
   to[23] = (ulong)(long)b;
   to[24] = (ulong)(c.x + c.y * 10 + c.z * 100 + c.w * 1000);
   to[25] = (ulong)((double)s.x + (double)s.y * 1000 + s.z * 1000000);
   shared[number] = number + 1;
   __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
   __builtin_amdgcn_s_barrier();
   __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
   to[26] = shared[0];
   to[27] = shared[number];
   to[28] = d[number % 4];
   to[29] = nothing == 0;
}
'''
LAUNCHES = (((130, 1, 1), (64, 1, 1), (5, 6, 7)), ((10, 7, 3), (4, 2, 2), (0, 0, 0)), ((3, 50, 1), (2, 48, 1), (1, 2, 0)))


def known(grid, group, offset):
   facts = []
   for z, y, x in itertools.product(*(range(n) for n in reversed(grid))):
      place = (x, y, z)
      local = [p % g for p, g in zip(place, group)]
      number = local[0] + group[0] * (local[1] + group[1] * local[2])
      dims = max(n for n in (1, 2, 3) if n == 1 or grid[n - 1] > 1 or group[n - 1] > 1)
      facts += [*(n // g for n, g in zip(grid, group)), *group, *(n % g for n, g in zip(grid, group)), *offset, dims, *grid,
                *(p // g for p, g in zip(place, group)), *local,
                200, (1 << 64) - 300, 4321, 5 + 7 * 1000 + 2000000, 1, number + 1, 11 * (number % 4 + 1), 1]
   return facts


def main(heddle):
   if not llvm_programs.find('clang'):
      print('no clang')
      return objects.SKIPPED
   bad = total = 0
   with tempfile.TemporaryDirectory() as folder:
      source, code = os.path.join(folder, 'facts.cl'), os.path.join(folder, 'facts.o')
      with open(source, 'w', encoding='utf-8') as file:
         file.write(SOURCE)
      pair = os.path.join(folder, 'pair')
      with open(pair, 'wb') as file:
         file.write(struct.pack('<ib3xd', 5, 7, 2.0))
      for chip, level, (grid, group, offset) in itertools.product(objects.CHIPS, '02', LAUNCHES):
         wanted = known(grid, group, offset)
         try:
            objects.run([llvm_programs.find('clang'), *objects.CLANG, '-c', f'-O{level}', f'-mcpu={chip}', '-o', code, source])
            text = objects.run([heddle, 'run', code, '--grid', ','.join(map(str, grid)), '--group-size',
                                ','.join(map(str, group)), '--offset', ','.join(map(str, offset)),
                                'out=u64:' + ','.join(['0'] * len(wanted)), 'u8:200', 'u16:65236', 'f32:1,2,3,4', f'@{pair}',
                                f'zero:{4 * group[0] * group[1] * group[2]}', 'd=u32:11,22,33,44', 'null'])
            got = [int(n) for n in objects.buffers(text)[0]]
            wrong = [n for n, value in enumerate(wanted) if got[n] != value]
            what = (f'fact {wrong[0] % 30} of work-item {wrong[0] // 30}: {got[wrong[0]]} instead of {wanted[wrong[0]]}'
                    if wrong else None)
         except objects.Failed as failed:
            what = str(failed)
         total += 1
         if what:
            bad += 1
            print(f'{chip}, -O{level}, {grid}: {what}')
   print(f'{total} dispatches, {bad} wrong')
   return bad != 0


if __name__ == '__main__':
   sys.exit(main(*sys.argv[1:]))
