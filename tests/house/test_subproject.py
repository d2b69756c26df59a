#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A parent project takes Heddle as a Meson subproject, shared and static.

    test_subproject.py MESON SOURCE_ROOT

Only what the parent needs may come in: none of Heddle's tests are among the parent's.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

from tap import Tap


def main():
   meson, root = sys.argv[1].split(), sys.argv[2]
   here = os.path.join(root, 'tests', 'house')
   tap = Tap()
   with tempfile.TemporaryDirectory() as folder:
      parent = os.path.join(folder, 'parent')
      shutil.copytree(os.path.join(here, 'parent'), parent)
      shutil.copy(os.path.join(here, 'consumer.c'), parent)
      os.mkdir(os.path.join(parent, 'subprojects'))
      os.symlink(root, os.path.join(parent, 'subprojects', 'heddle'))
      # As if no Heddle were installed, so that the fallback is what is found.
      environment = dict(os.environ, PKG_CONFIG_LIBDIR='/nonexistent')
      build = os.path.join(folder, 'build')
      tap.run('configures', [*meson, 'setup', build, parent, '-Doptimization=0'], env=environment)
      tap.run('builds', ['ninja', '-C', build, 'consumer'], env=environment)
      tests = subprocess.run([*meson, 'introspect', '--tests', build], check=True,
                             stdout=subprocess.PIPE, text=True).stdout
      names = [test['name'] for test in json.loads(tests)]
      tap.check("has only the parent's tests", names == ['consumer'], names)
      tap.run('runs', [os.path.join(build, 'consumer')])
   tap.finish()


if __name__ == '__main__':
   main()
