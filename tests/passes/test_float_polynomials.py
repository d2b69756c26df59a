#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How exact are the polynomials of lower_float_functions, over the floats of 32 bits?

    test_float_polynomials.py HEDDLE SCRATCH GENERATED COMPILER... [--step=N]

The tool lowers each function; its code, which has no control flow, is written down as C and compiled with the exact floats
of src/util, whose generated tables are in GENERATED. Every N-th float is tried (61; 1 takes minutes).
"""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, 'house'))
from tap import Tap  # noqa: E402

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir))
FUNCTIONS = ('fexp2', 'flog2', 'fsin', 'fcos')
# What doc/passes.md promises, in millionths of a unit of the last place.
MOST = 520000
PASSES = 'lower_float_functions(div=0,rcp=0,sqrt=0,rsq=0,exp2=1,log2=1,sin=1,cos=1)'

# The ops that the code may consist of: it needs no float of the machine.
AS_C = {
   'iadd': '{0} + {1}', 'isub': '{0} - {1}', 'iand': '{0} & {1}', 'ior': '{0} | {1}', 'ixor': '{0} ^ {1}',
   'ieq': '{0} == {1}', 'ine': '{0} != {1}', 'ult': '{0} < {1}', 'ilt': '(int32_t){0} < (int32_t){1}',
   'imin': '(int32_t){0} < (int32_t){1} ? {0} : {1}', 'imax': '(int32_t){0} > (int32_t){1} ? {0} : {1}',
   'umulhi': '(uint32_t)(((uint64_t){0} * {1}) >> 32)',
   'imulhi': '(uint32_t)((uint64_t)((int64_t)(int32_t){0} * (int32_t){1}) >> 32)',
   'ishl': '{0} << ({1} & 31)', 'ushr': '{0} >> ({1} & 31)', 'select': '{0} ? {1} : {2}', 'b2i': '{0}',
   'iabs': '(int32_t){0} < 0 ? 0u - {0} : {0}', 'ufind_msb': 'find_msb({0})',
}
HEAD = '''#include <stdint.h>

static inline uint32_t
find_msb(uint32_t x)
{
   uint32_t top = UINT32_MAX;
   for (unsigned n = 16; n; n /= 2)
      if (x >> n) {
         x >>= n;
         top += n;
      }
   return top + (x != 0);
}
'''


def shader():
   functions = ''.join(f'function @{name}(%x:32) -> 32 {{\n b0:\n  %1:32 = {name} %x\n  return %1\n }}\n' for name in FUNCTIONS)
   return f'shader compute {{\n workgroup 1 1 1\n {functions}}}\n'


def as_c(text):
   lines = [HEAD]
   for line in text.splitlines():
      if start := re.match(r'\s*function @(\w+)\(%(\w+)', line):
         lines += ['static inline uint32_t', f'lowered_{start[1]}(uint32_t v_{start[2]})', '{']
      elif code := re.match(r'\s*%(\w+):\d+(?: "\w+")? = (\w+)[\w.]* (.*)', line):
         srcs = [f'v_{src[1:]}' if src[0] == '%' else f'(uint32_t){src}' for src in code[3].split(', ')]
         value = srcs[0] if code[2] == 'const' else AS_C[code[2]].format(*srcs)
         lines.append(f'   const uint32_t v_{code[1]} = {value};')
      elif end := re.match(r'\s*return %(\w+)', line):
         lines += [f'   return v_{end[1]};', '}', '']
   return '\n'.join(lines)


def main():
   steps = [word.split('=')[1] for word in sys.argv[1:] if word.startswith('--step=')]
   heddle, scratch, generated, *compiler = [word for word in sys.argv[1:] if not word.startswith('--step=')]
   step = steps[0] if steps else '61'
   tap = Tap()
   os.makedirs(scratch, exist_ok=True)
   source, program = os.path.join(scratch, 'functions.hd'), os.path.join(scratch, 'float_polynomials')
   with open(source, 'w', encoding='utf-8') as file:
      file.write(shader())
   lowered = tap.run('lowered', [heddle, 'opt', f'--passes={PASSES}', source])
   if lowered is None:
      tap.finish()
   with open(os.path.join(scratch, 'lowered.h'), 'w', encoding='utf-8') as file:
      file.write(as_c(lowered))
   floats = [os.path.join(ROOT, 'src', 'util', f'float_{name}.c') for name in ('functions', 'arith', 'convert', 'root')]
   if tap.run('compiled', [*compiler, '-O2', '-o', program, f'-I{scratch}', f'-I{os.path.join(ROOT, "src")}', f'-I{generated}',
                           os.path.join(ROOT, 'tests', 'passes', 'float_polynomials.c'), *floats, '-lm']) is None:
      tap.finish()
   done = subprocess.run([program, step, '0'], stdout=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL, check=False)
   lines = [line.split() for line in done.stdout.splitlines()]
   tap.check('all functions were tried', [line[0] for line in lines] == list(FUNCTIONS), done.stdout)
   for name, operands, others, most, where in lines:
      tap.check(f'{name}: {operands} operands, {others} not correctly rounded, within {int(most) / 1e6} units of the last place',
                int(most) <= MOST and int(operands) >= 1000, f'the worst is at {where}')
   tap.finish()


if __name__ == '__main__':
   main()
