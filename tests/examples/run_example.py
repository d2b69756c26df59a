# SPDX-License-Identifier: MIT
"""Run an example and compare what it prints.

    run_example.py PROGRAM EXPECTED

It must exit with 0, write nothing to standard error, and print exactly the expected text. With
HD_BLESS=1 in the environment the expected text is rewritten instead.
"""

import difflib
import os
import pathlib
import subprocess
import sys


def main():
   program, expected = sys.argv[1], pathlib.Path(sys.argv[2])
   run = subprocess.run([program], capture_output=True, text=True, check=False, timeout=60)
   if os.environ.get('HD_BLESS') == '1':
      expected.write_text(run.stdout, encoding='utf-8')
   wanted = expected.read_text(encoding='utf-8')
   if run.returncode != 0 or run.stderr:
      sys.exit(f'{program}: exit status {run.returncode}\n{run.stderr}')
   if run.stdout != wanted:
      sys.stdout.writelines(difflib.unified_diff(wanted.splitlines(True), run.stdout.splitlines(True),
                                                 str(expected), 'printed'))
      sys.exit(1)


if __name__ == '__main__':
   main()
