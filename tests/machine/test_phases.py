#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each phase of machine code has a text test: a program in, the program or what was said of it compared.

    test_phases.py RUN_PHASES TESTS

RUN_PHASES --list says what phases there are; a phase that machines share needs a test for one of them. Tests are the
RUN lines of TESTS/*/phases and TESTS/backend/*/phases.
"""
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'house'))
from tap import Tap  # noqa: E402


def tested_by(text):
   """The phases that a test runs, as pairs of a target and a name."""
   found = set()
   target = re.search(r'^\.target (\w+)', text, re.M)
   for line in re.findall(r'^// RUN: (.*)', text, re.M):
      phases = re.search(r'%phases (\S+)', line)
      if phases and target and re.search(r'%expect|FileCheck', line):
         found |= {(target[1], name) for name in phases[1].split(',')}
      found |= {(target, name) for target in re.findall(r'--target=(\w+)', line)
                for name in re.findall(r'--print-after=(\w+)', line)}
   return found


def main(run_phases, tests):
   files = [path for folder in ('machine/phases', 'backend/*/phases') for path in sorted(pathlib.Path(tests).glob(folder + '/*'))
            if path.suffix in ('.s', '.hd')]
   tested = set().union(*(tested_by(path.read_text(encoding='utf-8')) for path in files))
   listed = subprocess.run([run_phases, '--list'], stdout=subprocess.PIPE, text=True, check=True).stdout
   tap = Tap()
   for line in listed.splitlines():
      name, *targets = line.split()
      tap.check(f"{name} of {', '.join(targets)}", any((target, name) in tested for target in targets),
                'no text test runs this phase')
   tap.finish()


main(*sys.argv[1:])
