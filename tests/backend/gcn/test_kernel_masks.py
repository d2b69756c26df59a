#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The kernels of tests/kernels for gfx900: none has more instructions that touch exec than LLVM 19 -O2 makes of it.

    test_kernel_masks.py HEDDLE

Those of LLVM are as bench/gcn.py counts them, which compiles the kernels with both.
"""
import os
import re
import subprocess
import sys

KERNELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir, 'kernels')
TOUCHES = re.compile(r'\bexec|execn?z|saveexec|v_cmpx')
LLVM = {
   'bvh_walk': 53, 'classify': 122, 'collatz': 11, 'compact': 5, 'convolve_2d': 3, 'crc_table': 5, 'gcd_fractions': 6,
   'half_pack': 24, 'heat_3d': 3, 'histogram': 2, 'interpreter': 55, 'knapsack': 23, 'life': 1, 'mandelbrot': 4,
   'matmul_plain': 2, 'matmul_register': 3, 'newton_root': 10, 'prefix_code': 7, 'primes': 38, 'quaternion': 1,
   'random_walk': 19, 'reduce_tree': 5, 'run_lengths': 27, 'scan_blelloch': 9, 'scan_hillis': 3, 'shortest_paths': 6,
   'sobel': 10, 'solve_4': 1, 'sort_bitonic': 3, 'sort_insertion': 10, 'sparse_product': 6, 'spheres': 12,
   'string_search': 26, 'tree_search': 17, 'word_count': 132,
}


def main(heddle):
   names = sorted(name[:-3] for name in os.listdir(KERNELS) if name.endswith('.hd'))
   sums, worse = [0, 0], []
   for name in names:
      text = subprocess.run([heddle, 'compile', '--target=gfx900', os.path.join(KERNELS, name + '.hd')],
                            stdout=subprocess.PIPE, text=True, check=True).stdout
      own, llvm = sum(bool(TOUCHES.search(line)) for line in text.splitlines()), LLVM.get(name, 0)
      sums = [sums[0] + own, sums[1] + llvm]
      if own > llvm:
         worse.append(f'{name}: {own}, LLVM {llvm}')
   print(f'{len(names)} kernels: {sums[0]} instructions touch exec, {sums[1]} of LLVM')
   for line in worse:
      print(line)
   return 1 if worse or not names else 0


if __name__ == '__main__':
   sys.exit(main(*sys.argv[1:]))
