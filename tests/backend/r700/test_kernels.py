#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The kernels of the bench leave in memory on R700 what they leave in the interpreter, with all registers and with few.

    test_kernels.py HEDDLE [NAME...]

One in HD_R700_SHARE (default 6) of the kernels is run, or those that are named; HD_TEST_SEED picks which. What the machine
lacks is refused: at most a sixth of all kernels.
"""
import os
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / 'tests' / 'house'), str(ROOT / 'bench')]

import kernels
from tap import Tap


def operands(kernel, folder):
   """How `heddle run` is told of the parameters."""
   told, params = [], []
   for n, param in enumerate(kernel.params):
      if isinstance(param, bytes):
         address = kernels.REGION + n * kernels.STEP
         path = folder / f'{n}'
         path.write_bytes(param)
         told.append(f'global@{address:#x}=@{path}')
         params.append(str(address))
      else:
         params.append(str(param[1]))
   return [*told, 'params=u64:' + ','.join(params)]


def run(heddle, kernel, folder, *options):
   groups = ','.join(map(str, kernel.workgroups))
   done = subprocess.run([heddle, 'run', f'--groups={groups}', *options, f'{kernels.KEPT}/{kernel.name}.hd',
                          *operands(kernel, folder)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
   return done.returncode, done.stdout, done.stderr


def has_tables(name):
   """Constant memory, which what is kept of the kernel does not have."""
   return 'constant' in pathlib.Path(kernels.FOLDER, f'{name}.cl').read_text(encoding='utf-8')


def main():
   heddle, wanted = sys.argv[1], sys.argv[2:]
   tap = Tap()
   everything = [n for n in kernels.names() if os.path.exists(os.path.join(kernels.KEPT, f'{n}.hd'))]
   share = int(os.environ.get('HD_R700_SHARE', '6'))
   chosen = wanted or random.Random(os.environ.get('HD_TEST_SEED', '1')).sample(everything, max(1, len(everything) // share))
   refused = [n for n in everything
              if subprocess.run([heddle, 'compile', '--target=r700', '-o', os.devnull, f'{kernels.KEPT}/{n}.hd'],
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode]
   tap.check(f'{len(refused)} of {len(everything)} kernels are refused', 6 * len(refused) <= len(everything), refused)
   with tempfile.TemporaryDirectory() as scratch:
      for name in sorted(n for n in chosen if n not in refused and not has_tables(n)):
         kernel = kernels.Kernel(name)
         status, expected, message = run(heddle, kernel, pathlib.Path(scratch))
         tap.check(f'{name}: interpreter', status == 0, message)
         for options in ([], ['--max-vgprs=16', '--check']):
            status, got, message = run(heddle, kernel, pathlib.Path(scratch), '--target=r700', *options)
            tap.check(f'{name}: {" ".join(options) or "r700"}', status == 0 and got == expected, message or got[:200])
   tap.finish()


if __name__ == '__main__':
   main()
