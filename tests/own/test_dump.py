# SPDX-License-Identifier: MIT
"""What examples/intrinsic.c dumps, its table and a shader, the heddle command reads.

   test_dump.py EXAMPLE HEDDLE
"""
import pathlib
import subprocess
import sys
import tempfile


def run(*command):
   return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)


def main(example, heddle):
   with tempfile.TemporaryDirectory() as folder:
      table, shader = pathlib.Path(folder, 'acme.intrinsics'), pathlib.Path(folder, 'acme.hdb')
      shown = run(example, table, shader)
      assert shown.returncode == 0, shown.stdout
      text = shown.stdout[:shown.stdout.index('\n}\n') + 3]
      printed = run(heddle, 'print', f'--intrinsics={table}', shader)
      assert printed.returncode == 0, printed.stderr
      assert printed.stdout == text, printed.stdout
      # The table that the tree has is the same one.
      kept = pathlib.Path(__file__).parents[2] / 'examples' / 'acme.intrinsics'
      assert run(heddle, 'print', f'--intrinsics={kept}', shader).stdout == text
      # Any change of a row makes it another one.
      table.write_text(table.read_text(encoding='utf-8').replace('speculate=always', ''), encoding='utf-8')
      refused = run(heddle, 'print', f'--intrinsics={table}', shader)
      assert refused.returncode and 'another table of intrinsics' in refused.stderr, refused.stderr
   print('1..1\nok 1 - a dump can be read')


if __name__ == '__main__':
   main(*sys.argv[1:])
