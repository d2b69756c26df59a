#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A row of a table that is new or changed makes the build compile few files again.

    test_rebuild.py BUILD

The row is added in a copy of the generators; what makes headers from that table runs again there. What differs from
the header in the build directory counts, with all objects of the libraries that include it.
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

from tap import Tap

SOURCE = pathlib.Path(__file__).resolve().parents[2] / 'src' / 'codegen'

UAVG = "op('uavg', 'u:32, u:32 -> u:32', '(src0 & src1) + ((src0 ^ src1) >> 1)', 'Average.', commutative=True)\n"
# The table, what stands there, what replaces it, and the percentage of the libraries' objects that may follow.
ROWS = {
   'a new op': ('ir/ops.py', "op('uabs_diff',", UAVG + "op('uabs_diff',", 20),
   'an op with another expression': ('ir/ops.py', "'src0 < src1 ? src1 - src0 :", "'src0 <= src1 ? src1 - src0 :", 1),
   'an op without a law': ('ir/ops.py', "N=INT, commutative=True, identity='zero', same='zero')", 'N=INT)', 1),
   'a new intrinsic': ('ir/intrinsics.py', "value('workgroup_id',",
                       "value('answer', 'u:32[1]', 'A number.', 'uniform')\nvalue('workgroup_id',", 15),
   'a new pass': ('passes/passes.py', "   Pass('opt_dce',", "   Pass('opt_d', 'answer', forms=('tree',)),\n   Pass('opt_dce',", 20),
   'a pass with another sentence': ('passes/passes.py', "'dead code elimination'", "'dead code elimination (DCE)'", 1),
}


def dependencies(build):
   """What each output was made from, as the build has it on record."""
   text = subprocess.run(['ninja', '-C', build, '-t', 'deps'], stdout=subprocess.PIPE, text=True, check=True).stdout
   outputs = {}
   for paragraph in text.split('\n\n'):
      head, *inputs = paragraph.splitlines() or ['']
      outputs[head.partition(':')[0]] = {os.path.normpath(os.path.join(build, i.strip())) for i in inputs}
   return outputs


def changed_headers(build, outputs, table, old, new):
   """Generated headers that a change of a table changes, and what a generator complained of."""
   changed, complaints = set(), ''
   with tempfile.TemporaryDirectory() as directory:
      copy = pathlib.Path(directory) / 'src' / 'codegen'
      shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns('__pycache__'))
      text = (copy / table).read_text(encoding='utf-8')
      assert text.count(old) == 1, f'{table} has {text.count(old)} of {old}'
      (copy / table).write_text(text.replace(old, new), encoding='utf-8')
      # The table of passes looks for their files.
      for folder, extra in (('src', 'opt_d.c'), ('tests', 'opt_d.hd')):
         place = pathlib.Path(directory) / folder / 'passes'
         place.mkdir(parents=True)
         for name in [*os.listdir(SOURCE.parents[1] / folder / 'passes'), extra]:
            (place / name).touch()
      for header in sorted(o for o, inputs in outputs.items() if o.endswith('.h') and str(SOURCE / table) in inputs):
         # A digest of all sources: one file includes it.
         if header.endswith('build_id.h'):
            continue
         command = subprocess.run(['ninja', '-C', build, '-t', 'commands', '-s', header],
                                  stdout=subprocess.PIPE, text=True, check=True).stdout
         scratch = {}
         words = [sys.executable, '-B', str(copy / 'run.py')]
         for word in shlex.split(command)[shlex.split(command).index('-B') + 2:]:
            if word.startswith(('--depfile=', '--target=')):
               continue
            if word in outputs:
               scratch[word] = pathlib.Path(directory) / word.replace('/', '_')
               word = str(scratch[word])
            words.append(word)
         done = subprocess.run(words, cwd=build, stderr=subprocess.PIPE, text=True, check=False)
         complaints += done.stderr
         if header in scratch and scratch[header].exists() and \
               scratch[header].read_bytes() != (pathlib.Path(build) / header).read_bytes():
            changed.add(header)
   return changed, complaints


def main():
   build = os.path.abspath(sys.argv[1])
   tap = Tap()
   outputs = dependencies(build)
   objects = {o: inputs for o, inputs in outputs.items() if re.match(r'libheddle(-tools)?\.[^/]*/.*\.o(bj)?$', o)}
   tap.check('the build has its objects on record', len(objects) > 300, len(objects))
   for name, (table, old, new, limit) in ROWS.items():
      changed, complaints = changed_headers(build, outputs, table, old, new)
      paths = {os.path.normpath(os.path.join(build, header)) for header in changed}
      count = sum(1 for inputs in objects.values() if inputs & paths)
      print(f'# {name}: {count} of {len(objects)} objects, through {", ".join(sorted(changed)) or "no header"}')
      tap.check(f'{name}: at most {limit} % of the libraries is compiled again',
                not complaints and count * 100 <= limit * len(objects), complaints or f'{count} of {len(objects)}')
   tap.finish()


if __name__ == '__main__':
   main()
