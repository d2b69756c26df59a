#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Code that LLVM makes for R700 decodes to the text that LLVM prints, assembles to the same bytes, and runs in our
simulator with the results that the same functions have on the host.

    test_llvm.py LLC HEDDLE RUN_TOOL CC
"""
import ctypes
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / 'tests' / 'house'), str(pathlib.Path(__file__).parent)]

from llvm_functions import PROGRAMS, for_host, for_r700
from tap import Tap

LANES = 64
LINE = re.compile(r'^\s*(.*?)\s*; encoding: \[(.*)\]$')
# What LLVM calls otherwise.
NAMES = {'LSHL': 'LSHL_INT', 'LSHR': 'LSHR_INT', 'ASHR': 'ASHR_INT', 'END_LOOP': 'LOOP_END', 'EXPORT': 'EXPORT_DONE',
         'TRUNC': 'TRUNC', 'INT_TO_FLT': 'INT_TO_FLT'}


def bits(x):
   return struct.unpack('<I', struct.pack('<f', x))[0]


def as_float(n):
   return struct.unpack('<f', struct.pack('<I', n & 0xffffffff))[0]


def constants(match):
   bank, first, end = (int(g) for g in match.groups()[1:])
   return f', KC{match.group(1)}[CB{bank}:{first // 16}:{(end - first) // 16}]'


def in_our_words(text):
   """A line of LLVM as ours has it."""
   text = ' '.join(text.split())
   literal = re.match(r'(-?\d+)\(.*?\), (-?\d+)\(.*\)$', text)
   if literal:
      return '.literal ' + ', '.join(hex(int(g) & 0xffffffff) for g in literal.groups())
   for word, field in (('ExecMask,PredicateBit', 'UPDATE_EXEC_MASK'), ('Pred,PredicateBit', 'UPDATE_PRED')):
      if word in text:
         text = text.replace(word, 'T0.X').rstrip(',') + ' ' + field
   text = re.sub(r', ?(Pred_sel_\w+|BS:\S+|UPDATE_)', r' \1', text)
   text = re.sub(r', KC([01])\[CB(\d+):(\d+)-(\d+)\]', constants, text)
   text = re.sub(r', KC[01]\[\]', '', text).replace(' POP:', ' POP_COUNT:').rstrip(',').rstrip()
   name, _, rest = text.partition(' ')
   if name == 'CF_END':
      return 'CF_NOP END_OF_PROGRAM'
   return f'{NAMES.get(name, name)} {rest}'.strip()


def compile_text(llc, source):
   done = subprocess.run([llc, '-march=r600', '-mcpu=rv770', '-show-mc-encoding', '-o', '-'], input=source, text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
   lines = [m.groups() for m in map(LINE.match, done.stdout.splitlines()) if m]
   code = [(text, bytes(int(b, 16) for b in data.split(','))) for text, data in lines if data]
   stack = re.search(r'STACK_SIZE = (\d+)', done.stdout)
   return code, int(stack.group(1)) if stack else 0, done.stderr


def check_text(tap, name, heddle, code, folder):
   """Returns the bytes."""
   data = b''.join(d for _, d in code)
   path, text, again = folder / f'{name}.bin', folder / f'{name}.s', folder / f'{name}.again'
   path.write_bytes(data)
   subprocess.run([heddle, 'dis', '--target=r700', '-o', text, path], check=True)
   ours = text.read_text(encoding='utf-8').splitlines()
   different = []
   at = 0
   for theirs, words in code:
      line = ours[at].strip()
      at += 1
      wanted = in_our_words(theirs)
      # Behind the end of the program nothing is known.
      if line.startswith('.long') or theirs.strip() == 'PAD':
         continue
      if wanted.startswith('EXPORT_DONE'):
         line = ' '.join(line.split()[:2])
      if line != wanted:
         different.append(f'{words.hex()}: {line!r}, not {wanted!r}')
   tap.check(f'{name}: text', not different and at == len(ours), '\n'.join(different) or f'{at} of {len(ours)} lines')
   done = subprocess.run([heddle, 'as', '--target=r700', '-o', again, text], stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True, check=False)
   tap.check(f'{name}: bytes', done.returncode == 0 and again.read_bytes() == data, done.stdout)
   return path


def host_function(llc, cc, name, body, folder):
   obj, lib = folder / f'{name}.o', folder / f'{name}.so'
   subprocess.run([llc, '-O1', '-relocation-model=pic', '-filetype=obj', '-o', obj], input=for_host(body), text=True,
                  check=True)
   subprocess.run([*cc, '-shared', '-o', lib, obj], check=True)
   f = ctypes.CDLL(str(lib)).f
   f.argtypes = [ctypes.c_float] * 4 + [ctypes.c_int32] * 2 + [ctypes.c_float] * 4
   f.restype = ctypes.c_float
   return f


def check_run(tap, name, tool, path, stack, host, folder):
   chance = random.Random(name)
   floats = [[chance.uniform(-8, 8) for _ in range(4)] for _ in range(LANES)]
   integers = [[chance.randrange(0, 12) for _ in range(2)] for _ in range(LANES)]
   ks = [chance.uniform(-4, 4) for _ in range(4)]
   registers = [0xa5a5a5a5] * (128 * 4 * LANES)
   for lane in range(LANES):
      floats[lane] = [as_float(bits(x)) for x in floats[lane]]
      for c in range(4):
         registers[64 * c + lane] = bits(floats[lane][c])
      for c in range(2):
         registers[256 + 64 * c + lane] = integers[lane][c]
   (folder / 'registers').write_bytes(struct.pack(f'<{len(registers)}I', *registers))
   (folder / 'constants').write_bytes(struct.pack('<4f', *ks))
   done = subprocess.run([tool, str(stack), path, folder / 'registers', folder / 'constants'], stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, check=False)
   tap.check(f'{name}: runs', done.returncode == 0, done.stderr.decode())
   got = struct.unpack(f'<{4 * LANES}I', done.stdout[:16 * LANES])[::4]
   wrong = []
   for lane in range(LANES):
      wanted = bits(host(*floats[lane], *integers[lane], *ks))
      if got[lane] != wanted:
         wrong.append(f'lane {lane}: {got[lane]:08x}, not {wanted:08x}')
   tap.check(f'{name}: results', not wrong, '\n'.join(wrong[:4]))


def main():
   llc, heddle, tool, cc = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4].split()
   tap = Tap()
   with tempfile.TemporaryDirectory() as scratch:
      folder = pathlib.Path(scratch)
      for name, body in PROGRAMS.items():
         code, stack, message = compile_text(llc, for_r700(body))
         tap.check(f'{name}: LLVM compiles it', len(code) > 2, message)
         if len(code) <= 2:
            continue
         path = check_text(tap, name, heddle, code, folder)
         check_run(tap, name, tool, path, stack, host_function(llc, cc, name, body, folder), folder)
   tap.finish()


if __name__ == '__main__':
   main()
