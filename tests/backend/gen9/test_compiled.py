#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Code that is compiled for Gen9: Intel's disassembler reads it as ours, and Intel's assembler makes the same bytes of our
text, instruction for instruction.

    test_compiled.py IGA64 HEDDLE CODE_TOOL SHADER...
"""
import itertools
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / 'house'))

from tap import Tap
from test_iga import Judge, plain


def main():
   iga, heddle, tool, *shaders = sys.argv[1:]
   tap = Tap()
   for target, shader, lowering in itertools.product(('gen9', 'gen9x16'), shaders, ('structured', 'numbers')):
      name = f'{target}, {pathlib.Path(shader).name}, {lowering}'
      with tempfile.TemporaryDirectory() as folder:
         judge, path = Judge(iga, tool, folder), pathlib.Path(folder) / 'compiled.bin'
         done = subprocess.run([heddle, 'compile', f'--target={target}', f'--lowering={lowering}', '-o', str(path), shader],
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
         if not tap.check(f'{name}: compiled', done.returncode == 0, done.stdout):
            continue
         code = path.read_bytes()
         text = judge.ours('dis', code).stdout.decode()
         wanted, got = list(judge.disassemble(code).values()), plain(text)
         bad = [f'{a}\n   not {b}' for a, b in zip(wanted, got) if a != b]
         tap.check(f'{name}: {len(wanted)} instructions', len(wanted) == len(got) > 5 and not bad, '\n'.join(bad[:8]))
         again, messages = judge.assemble(text.splitlines())
         tap.check(f'{name}: the same bytes', again == code, messages[:800])
   tap.finish()


if __name__ == '__main__':
   main()
