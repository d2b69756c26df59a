#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A parent project takes Heddle as a Meson subproject, from a folder and by the wrap file of doc/packaging.md.

    test_subproject.py MESON SOURCE_ROOT

Only what the parent needs may come in: none of Heddle's tests are among the parent's.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from tap import Tap


def wrap_file(root):
   """The wrap file that doc/packaging.md shows, with this tree for its address."""
   with open(os.path.join(root, 'doc', 'packaging.md'), encoding='utf-8') as file:
      text = re.search(r'```ini\n(\[wrap-git\].*?)```', file.read(), re.S)[1]
   text = re.sub(r'^url = .*', f'url = file://{root}', text, flags=re.M)
   return re.sub(r'^revision = .*', 'revision = HEAD', text, flags=re.M).replace('depth = 1\n', '')


def main():
   meson, root = sys.argv[1].split(), sys.argv[2]
   here = os.path.join(root, 'tests', 'house')
   tap = Tap()
   ways = ['folder']
   if os.path.exists(os.path.join(root, '.git')):
      ways.append('wrap')
   else:
      print('# no git repository: the wrap file is not tried')
   for way in ways:
      with tempfile.TemporaryDirectory() as folder:
         parent = os.path.join(folder, 'parent')
         shutil.copytree(os.path.join(here, 'parent'), parent)
         shutil.copy(os.path.join(here, 'consumer.c'), parent)
         os.mkdir(os.path.join(parent, 'subprojects'))
         if way == 'folder':
            os.symlink(root, os.path.join(parent, 'subprojects', 'heddle'))
         else:
            with open(os.path.join(parent, 'subprojects', 'heddle.wrap'), 'w', encoding='utf-8') as file:
               file.write(wrap_file(root))
         # As if no Heddle were installed, so that the fallback is what is found.
         environment = dict(os.environ, PKG_CONFIG_LIBDIR='/nonexistent')
         build = os.path.join(folder, 'build')
         # By the wrap file alone, `dependency('heddle')` is enough.
         options = [] if way == 'folder' else ['-Dfallback=false', '-Dheddle:tools=false', '-Ddefault_library=static']
         if tap.run(f'{way}: configures', [*meson, 'setup', build, parent, '-Doptimization=0', *options],
                    env=environment) is None:
            continue
         tap.run(f'{way}: builds', ['ninja', '-C', build, 'consumer'], env=environment)
         tests = subprocess.run([*meson, 'introspect', '--tests', build], check=True,
                                stdout=subprocess.PIPE, text=True).stdout
         names = [test['name'] for test in json.loads(tests)]
         tap.check(f"{way}: has only the parent's tests", names == ['consumer'], names)
         consumer = os.path.join(build, 'consumer')
         tap.run(f'{way}: runs', [consumer])
         needed = subprocess.run(['readelf', '-d', consumer], check=True, stdout=subprocess.PIPE, text=True).stdout
         tap.check(f"{way}: is linked as the parent's default_library says", ('libheddle' in needed) == (way == 'folder'),
                   needed)
   tap.finish()


if __name__ == '__main__':
   main()
