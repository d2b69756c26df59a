#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Install into a staging folder and use it from there, as a distribution's user would.

    test_install.py MESON BUILD_DIRECTORY SOURCE_FOLDER

Programs in C and C++ find the library through pkg-config, shared and static, and run.
"""
import glob
import os
import shutil
import subprocess
import sys
import tempfile

from tap import Tap

COMPILERS = [
    ('gcc', 'consumer.c', ['-std=c11']),
    ('clang', 'consumer.c', ['-std=c11']),
    ('g++', 'consumer.cpp', ['-std=c++17']),
    ('clang++', 'consumer.cpp', ['-std=c++17']),
]
WARNINGS = ['-Wall', '-Wextra', '-Wpedantic', '-Werror']


def main():
   meson, build, sources = sys.argv[1:]
   tap = Tap()
   with tempfile.TemporaryDirectory() as stage:
      tap.run('meson install',
              [*meson.split(), 'install', '-C', build, '--no-rebuild', '--destdir', stage])

      pc = glob.glob(f'{stage}/**/heddle.pc', recursive=True)
      if not tap.check('heddle.pc is installed', len(pc) == 1, pc):
         tap.finish()
      # The prefix in heddle.pc is the final one; in the staging folder it stands below `stage`.
      environment = dict(os.environ, PKG_CONFIG_SYSROOT_DIR=stage,
                         PKG_CONFIG_LIBDIR=os.path.dirname(pc[0]))

      def pkg_config(*options):
         return subprocess.run(['pkg-config', *options], env=environment, check=True,
                               stdout=subprocess.PIPE, text=True).stdout.split()

      libraries = os.path.dirname(os.path.dirname(pc[0]))
      for package in sorted(os.path.basename(p)[:-3]
                            for p in glob.glob(os.path.dirname(pc[0]) + '/*.pc')):
         for compiler, source, flags in COMPILERS:
            if not shutil.which(compiler):
               print(f'# {compiler} is not installed')
               continue
            for kind, link in (('shared', []), ('static', ['--static'])):
               program = os.path.join(stage, 'consumer')
               name = f'{package}, {compiler}, {kind}'
               built = tap.run(f'{name}: compiles',
                               [compiler, *flags, *WARNINGS, *(['-static'] if link else []),
                                '-o', program, os.path.join(sources, source),
                                *pkg_config('--cflags', '--libs', *link, package)])
               if built is None:
                  continue
               said = tap.run(f'{name}: runs', [program],
                              env=dict(os.environ, LD_LIBRARY_PATH=libraries))
               version = pkg_config('--modversion', package)[0]
               tap.check(f'{name}: is version {version}', said and said.strip() == version, said)
               os.unlink(program)

      # The driver of doc/driver.md needs no more than what is installed. Its device is a GCN.
      has_gcn = glob.glob(f'{stage}/**/include/heddle/gcn.h', recursive=True)
      if has_gcn and shutil.which('glslangValidator'):
         root = os.path.dirname(os.path.dirname(sources))
         program = os.path.join(stage, 'driver')
         built = tap.run('examples/driver: compiles',
                         ['gcc', '-std=gnu11', '-Wall', '-Wextra', '-Werror', '-o', program,
                          *sorted(glob.glob(f'{root}/examples/driver/*.c')),
                          *pkg_config('--cflags', '--libs', 'heddle-tools'), '-lpthread'])
         if built is not None:
            tap.run('examples/driver: runs',
                    [sys.executable, f'{root}/tests/examples/run_driver.py', program, root],
                    env=dict(os.environ, LD_LIBRARY_PATH=libraries))
   tap.finish()


if __name__ == '__main__':
   main()
