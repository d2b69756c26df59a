#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Are all files that are installed in exactly one of Debian's packages, and has each function a man page?

    test_packages.py MESON BUILD_DIRECTORY SOURCE_ROOT

debian/PACKAGE.install has what PACKAGE takes. tests/portability/deb.sh builds them.
"""
import glob
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from tap import Tap


def patterns_of(path):
   """What a list takes; a second word says where it goes."""
   lines = path.read_text(encoding='utf-8').split('\n')
   return [line.split()[0] for line in lines if line.strip() and not line.startswith('#')]


def takes(pattern, file):
   return re.match(re.escape(pattern).replace(r'\*', '[^/]*') + '(/|$)', file)


def installed(tap, meson, build, stage):
   """What is installed, as the packages name it: below usr, and libraries in a folder of their architecture."""
   if tap.run('meson install', [*meson.split(), 'install', '-C', build, '--no-rebuild', '--destdir', stage]) is None:
      tap.finish()
   prefix = os.path.dirname(os.path.dirname(glob.glob(f'{stage}/**/bin/heddle', recursive=True)[0]))
   libraries = os.path.dirname(os.path.dirname(glob.glob(f'{stage}/**/heddle.pc', recursive=True)[0]))
   files = {}
   for folder, _, names in os.walk(prefix):
      for name in names:
         path = os.path.join(folder, name)
         inside = os.path.relpath(path, libraries)
         files['usr/' + (os.path.relpath(path, prefix) if inside.startswith('..') else f'lib/any/{inside}')] = path
   return files


def check_lists(tap, files, debian):
   lists = {path.name: patterns_of(path) for path in [*debian.glob('*.install'), debian / 'not-installed']}
   packages = re.findall(r'^Package: (\S+)', (debian / 'control').read_text(encoding='utf-8'), re.M)
   tap.check('each package has a list', sorted(lists) == sorted([f'{p}.install' for p in packages] + ['not-installed']), lists)
   lost, twice, used = [], [], set()
   for file in sorted(files):
      owners = [(name, pattern) for name, patterns in lists.items() for pattern in patterns if takes(pattern, file)]
      used.update(owners)
      if not owners:
         lost.append(file)
      if len({name for name, _ in owners}) > 1:
         twice.append(f'{file}: {owners}')
   tap.check(f'all {len(files)} files are in a package', files and not lost, '\n'.join(lost))
   tap.check('no file is in two packages', not twice, '\n'.join(twice))
   idle = [f'{name}: {pattern}' for name, patterns in lists.items() for pattern in patterns if (name, pattern) not in used]
   tap.check('each line takes a file', not idle, '\n'.join(idle))


def check_man_pages(tap, files, root):
   sys.path.insert(0, str(root / 'packaging'))
   import symbol_map  # noqa: E402
   headers = [path for name, path in files.items() if name.startswith('usr/include/heddle/')]
   pages = {os.path.basename(name): path for name, path in files.items() if '/man/man3/' in name}
   without = [name for name in symbol_map.declared(headers) if f'{name}.3' not in pages]
   tap.check('each function of the interface has a man page', headers and not without, without)
   nowhere = []
   for name, path in pages.items():
      with open(path, encoding='utf-8') as file:
         first = file.readline().split()
      if first[0] == '.so' and first[1].removeprefix('man3/') not in pages:
         nowhere.append(name)
   tap.check('each leads to the page of a header', not nowhere, nowhere)
   if not shutil.which('groff'):
      print('# groff is not installed')
      return
   for name, path in sorted(files.items()):
      if '/man/man' in name and os.path.basename(name).startswith('heddle'):
         done = subprocess.run(['groff', '-man', '-Tutf8', '-ww', '-z', path], stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, check=False)
         # A word that is longer than the line is no mistake.
         said = [line for line in done.stdout.splitlines() if "can't break line" not in line]
         tap.check(f'{os.path.basename(name)}: groff does not warn', done.returncode == 0 and not said, done.stdout)


def main():
   meson, build, root = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
   tap = Tap()
   with tempfile.TemporaryDirectory() as stage:
      files = installed(tap, meson, build, stage)
      check_lists(tap, files, root / 'debian')
      check_man_pages(tap, files, root)
   tap.finish()


if __name__ == '__main__':
   main()
