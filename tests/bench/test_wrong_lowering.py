#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Two programs of a page that LLVM's code generation for AMD GPUs gets wrong: who agrees with whom.

    test_wrong_lowering.py HEDDLE ROOT

The same IR built for the host without and with optimisation, LLVM's own structured form of it built for the host,
the reference interpreter and Heddle's code for gfx900 must leave the same memory. LLVM's code for gfx900, at each
level, in the same simulator: of version 19 it is known to leave other memory. The cause is shown by mending it, in
the assembly of one of them. Without LLVM's tools: skipped.
"""
import os
import struct
import subprocess
import sys
import tempfile

TOOL, ROOT = sys.argv[1], sys.argv[2]
sys.path[:0] = [os.path.join(ROOT, part) for part in ('bench', 'scripts', 'tests/house', 'tests/backend/gcn')]
import gcn_object       # noqa: E402
import gcn_programs     # noqa: E402
import host_run         # noqa: E402
import llvm_programs    # noqa: E402
import llvm_to_heddle   # noqa: E402
from tap import Tap     # noqa: E402
from wrong_code import WrongCode    # noqa: E402

FOLDER = os.path.join(ROOT, 'bench', 'wrong_lowering')
LANES = gcn_programs.LANES
OUT, IN = 0x10000, 0x20000
STRUCTURED = 'fix-irreducible,unify-loop-exits,structurizecfg'
KNOWN = 19      # the version whose code is known to be wrong
SKIPPED = 77
# s[8:9] tells which lanes leave the outer loop. Each pass of the inner one sets it for all lanes, those too that have
# left that before. Here they keep theirs, in s[18:19].
MENDED = {'inner_exit.ll': WrongCode(
   'lanes that left the inner loop lose the mask that tells whether they leave the outer one',
   ('s_xor_b64 s[8:9], s[8:9], -1',
    '''s_xor_b64 s[8:9], s[8:9], -1
       s_andn2_b64 s[18:19], s[18:19], exec
       s_and_b64 s[8:9], s[8:9], exec
       s_or_b64 s[18:19], s[18:19], s[8:9]'''),
   ('s_and_b64 s[4:5], exec, s[8:9]', 's_and_b64 s[4:5], exec, s[18:19]'),
   ('v_mov_b32_e32 v2, 0x3e8', '''v_mov_b32_e32 v2, 0x3e8
       s_mov_b64 s[18:19], 0'''))}


class Simulator:
   heddle = TOOL


def interpreted(source, words, base):
   with open(f'{base}.hd', 'w', encoding='utf-8') as file:
      file.write(llvm_to_heddle.convert(source, (LANES, 1, 1))[0])
   with open(f'{base}.words', 'wb') as file:
      file.write(words)
   done = subprocess.run([TOOL, 'run', f'{base}.hd', f'global@{OUT:#x}=zero:{len(words)}', f'global@{IN:#x}=@{base}.words',
                          f'params=u64:{OUT},{IN}'], stdout=subprocess.PIPE, text=True, check=True)
   return list(map(int, done.stdout.splitlines()[0].split('=')[1].split()))


def simulated(code, words, base):
   """What a code object leaves, or why it does not end well."""
   try:
      _, memory = gcn_object.run(Simulator, code, base, (LANES, 1, 1), (1, 1, 1), [bytes(len(words)), words], 2000000)
   except gcn_object.Wrong as error:
      return str(error)
   return list(struct.unpack(f'<{LANES}I', memory[0]))


def structured(source):
   return subprocess.run([llvm_programs.find('opt'), f'-passes={STRUCTURED}', '-S'], input=source, stdout=subprocess.PIPE,
                         text=True, check=True).stdout


def check_mended(tap, name, source, words, base, wanted):
   """LLVM's code with the instructions that it would need, and nothing else changed."""
   mended = MENDED[name].mended(subprocess.run([llvm_programs.find('llc'), '-O2', '-mcpu=gfx900', '-o', '-'], input=source,
                                               stdout=subprocess.PIPE, text=True, check=True).stdout)
   if mended is None:
      print(f'# {name}: another LLVM')
      return
   subprocess.run([llvm_programs.find('llvm-mc'), '-triple=amdgcn-amd-amdhsa', '-mcpu=gfx900', '-filetype=obj', '-o',
                   f'{base}.o'], input=mended, text=True, check=True)
   got = simulated(f'{base}.o', words, base)
   tap.check(f'{name}: mended, it is right: {MENDED[name].reason}', got == wanted, got)


def check(tap, name, base):
   with open(os.path.join(FOLDER, name), encoding='utf-8') as file:
      source = file.read()
   numbers = gcn_programs.inputs(name, 100, LANES)
   words = struct.pack(f'<{LANES}I', *numbers)
   wanted = host_run.run(host_run.build(source, base, '-O0'), LANES, numbers)
   for what, text in (('the IR', source), ("LLVM's structured form of it", structured(source))):
      got = host_run.run(host_run.build(text, base), LANES, numbers)
      tap.check(f'{name}: {what} at -O2 for the host', got == wanted, got)
   got = interpreted(source, words, base)
   tap.check(f'{name}: the interpreter', got == wanted, got)
   subprocess.run([TOOL, 'compile', '--target=gfx900', '--abi=hsa', f'{base}.hd', '-o', f'{base}.o'], check=True)
   got = simulated(f'{base}.o', words, base)
   tap.check(f"{name}: Heddle's code", got == wanted, got)
   for level in range(4):
      subprocess.run([llvm_programs.find('llc'), f'-O{level}', '-mcpu=gfx900', '-filetype=obj', '-o', f'{base}.o'],
                     input=source, text=True, check=True)
      got = simulated(f'{base}.o', words, base)
      print(f"# {name}, llc -O{level}: " + (got if isinstance(got, str) else
            f'{sum(a != b for a, b in zip(got, wanted))} of {LANES} lanes have another result'))
      if llvm_programs.version_of(llvm_programs.find('llc')) == KNOWN:
         tap.check(f"{name}: LLVM's code at -O{level} is wrong, as known", got != wanted, 'it is right: say so in doc/gcn.md')
   if name in MENDED:
      check_mended(tap, name, source, words, base, wanted)


def main():
   if not all(map(llvm_programs.find, ('clang', 'opt', 'llc', 'llvm-mc'))):
      return SKIPPED
   tap = Tap()
   for name in sorted(os.listdir(FOLDER)):
      with tempfile.TemporaryDirectory() as folder:
         check(tap, name, os.path.join(folder, 'program'))
   return tap.finish()


if __name__ == '__main__':
   sys.exit(main())
