#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""native.cl, compiled by clang for the host and for each chip: the simulator must compute what the
host does, bit for bit, in optimised code and in code that keeps everything in scratch.

    test_native.py HEDDLE [SEED]
"""
import os
import random
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', '..', 'scripts'))
import llvm_programs  # noqa: E402

SKIPPED = 77
CHIPS = ('gfx600', 'gfx803', 'gfx900')
LANES = 256
TOPICS = ('floats', 'doubles', 'longs', 'words', 'small', 'memory', 'indexed', 'control')
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'native.cl')
EXACT = ['-ffp-contract=off', '-fwrapv', '-w']
DEVICE = ['-x', 'cl', '-cl-std=CL1.2', '-cl-no-stdinc', '-target', 'amdgcn-amd-amdhsa', '-nogpulib',
          '-cl-fp32-correctly-rounded-divide-sqrt', '-Xclang',
          '-fdenormal-fp-math-f32=ieee', '-c']


def run(command, text=None):
   done = subprocess.run(command, input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                         text=True, check=False, timeout=250)
   if done.returncode:
      sys.exit(f'{" ".join(command[:4])} ...: {done.stderr.strip()[:2000]}')
   return done.stdout


def some_words(seed):
   """Words of all lengths, and those around powers of two."""
   pick = random.Random(seed)
   out = []
   for _ in range(LANES):
      word = pick.getrandbits(pick.choice((3, 8, 16, 24, 31, 32, 32)))
      if pick.random() < 0.2:
         word = ((1 << pick.randrange(32)) + pick.choice((-1, 0, 1))) & 0xffffffff
      out.append(word)
   return out


def simulate(heddle, code, words):
   numbers = ','.join(map(str, words))
   out = code + '.out'
   run([heddle, 'run', code, f'out@{out}=zero:{4 * LANES * len(TOPICS)}', f'in=u32:{numbers}',
        f'u32:{LANES}', '--groups', str(LANES // 64), '--group-size', '64'])
   with open(out, 'rb') as file:
      data = file.read()
   return [int.from_bytes(data[n:n + 4], 'little') for n in range(0, len(data), 4)]


def main(heddle, seed=None):
   clang = llvm_programs.find('clang')
   if not clang:
      sys.exit(SKIPPED)
   seed = int(seed) if seed else random.SystemRandom().getrandbits(32)
   print(f'seed {seed}')
   words = some_words(seed)
   wrong = 0
   with tempfile.TemporaryDirectory() as folder:
      native = os.path.join(folder, 'native')
      run([clang, '-x', 'c', '-O1', *EXACT, SOURCE, '-o', native, '-lm'])
      want = [int(line) for line in run([native], '\n'.join(map(str, words))).split()]
      for chip in CHIPS:
         for level in '02':
            code = os.path.join(folder, f'{chip}_{level}.o')
            run([clang, *DEVICE, f'-mcpu={chip}', f'-O{level}', *EXACT, SOURCE, '-o', code])
            got = simulate(heddle, code, words)
            if len(got) != len(want):
               sys.exit(f'{len(got)} results, the host has {len(want)}')
            for n, (a, b) in enumerate(zip(got, want)):
               if a != b:
                  print(f'{chip} -O{level}, {TOPICS[n // LANES]} of lane {n % LANES}: {a:#x}, '
                        f'the host has {b:#x}')
                  wrong += 1
            print(f'{chip} -O{level}: {len(got)} results')
   sys.exit(wrong != 0)


if __name__ == '__main__':
   if len(sys.argv) not in (2, 3):
      sys.exit(__doc__)
   main(*sys.argv[1:])
