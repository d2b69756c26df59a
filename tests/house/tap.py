# SPDX-License-Identifier: MIT
"""Say how test cases went, as TAP lines: what Meson and scripts/tally.py read."""
import subprocess
import sys


class Tap:
   def __init__(self):
      self.count = 0
      self.failed = 0

   def check(self, name, good, detail=''):
      """One case; `detail` is shown where it failed."""
      self.count += 1
      print(f"{'ok' if good else 'not ok'} {self.count} - {name}")
      if not good:
         self.failed += 1
         for line in str(detail).splitlines():
            print(f'#   {line}')
      sys.stdout.flush()
      return good

   def run(self, name, command, **options):
      """A case that passes when the command exits with 0; its output, or None."""
      try:
         done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               errors='replace', stdin=subprocess.DEVNULL, check=False, **options)
      except OSError as error:
         self.check(name, False, error)
         return None
      good = self.check(name, done.returncode == 0,
                        f"{' '.join(map(str, command))}\nexit status {done.returncode}\n{done.stdout}")
      return done.stdout if good else None

   def finish(self):
      """Close the report; exit with 1 if a case failed or none ran."""
      print(f'1..{self.count}')
      sys.exit(1 if self.failed or not self.count else 0)
