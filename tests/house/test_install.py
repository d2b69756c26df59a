#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Install into a staging folder, move what was installed, and use it from there.

    test_install.py MESON BUILD_DIRECTORY SOURCE_FOLDER

The tool starts wherever it is. Programs in C and C++ find the library through pkg-config and through CMake, shared and
static, and run.
"""
import glob
import os
import shlex
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


def use_by_cmake(tap, here, sources, scratch):
   """What find_package gives, with shared libraries and with static ones."""
   project = os.path.join(scratch, 'project')
   shutil.copytree(os.path.join(sources, 'cmake_parent'), project)
   for source in ('consumer.c', 'consumer.cpp'):
      shutil.copy(os.path.join(sources, source), project)
   for kind in ('shared', 'static'):
      build = os.path.join(scratch, kind)
      static = ['-DHEDDLE_STATIC=ON'] if kind == 'static' else []
      if tap.run(f'CMake, {kind}: find_package', ['cmake', '-S', project, '-B', build, f'-DCMAKE_PREFIX_PATH={here}',
                                                  *static]) is None:
         continue
      tap.run(f'CMake, {kind}: builds', ['cmake', '--build', build])
      for program in ('consumer', 'consumer_tools'):
         path = os.path.join(build, program)
         tap.run(f'CMake, {kind}: {program} runs', [path])
         needed = subprocess.run(['readelf', '-d', path], check=True, stdout=subprocess.PIPE, text=True).stdout
         tap.check(f'CMake, {kind}: {program} is linked so', ('libheddle' in needed) == (kind == 'shared'), needed)
   # Another minor version before 1.0 is another library.
   with open(os.path.join(project, 'CMakeLists.txt'), encoding='utf-8') as file:
      text = file.read()
   with open(os.path.join(project, 'CMakeLists.txt'), 'w', encoding='utf-8') as file:
      file.write(text.replace('heddle 0.1', 'heddle 0.0'))
   done = subprocess.run(['cmake', '-S', project, '-B', os.path.join(scratch, 'other'), f'-DCMAKE_PREFIX_PATH={here}'],
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
   tap.check('CMake: another version is refused', done.returncode and 'version: 0.1.0' in done.stdout, done.stdout)


def main():
   meson, build, sources = sys.argv[1:]
   tap = Tap()
   with tempfile.TemporaryDirectory() as stage:
      tap.run('meson install',
              [*meson.split(), 'install', '-C', build, '--no-rebuild', '--destdir', stage])

      # The prefix is the folder that holds bin, wherever it comes to stand.
      tool = glob.glob(f'{stage}/**/bin/heddle', recursive=True)
      if not tap.check('heddle is installed', len(tool) == 1, tool):
         tap.finish()
      here = os.path.join(stage, 'moved folder')
      shutil.move(os.path.dirname(os.path.dirname(tool[0])), here)
      clean = {name: value for name, value in os.environ.items() if name != 'LD_LIBRARY_PATH'}
      said = tap.run('heddle: starts where it was moved to', [f'{here}/bin/heddle', '--version'], env=clean)
      tap.check('heddle: is this version', said and said.startswith('heddle '), said)

      pc = glob.glob(f'{here}/**/heddle.pc', recursive=True)
      if not tap.check('heddle.pc is installed', len(pc) == 1, pc):
         tap.finish()
      environment = dict(os.environ, PKG_CONFIG_LIBDIR=os.path.dirname(pc[0]))

      def pkg_config(*options):
         return shlex.split(subprocess.run(['pkg-config', *options], env=environment, check=True,
                                           stdout=subprocess.PIPE, text=True).stdout)

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

      # The rule language is installed with all that it needs.
      example = os.path.join(os.path.dirname(os.path.dirname(sources)), 'examples', 'own_rules')
      made, program = os.path.join(stage, 'made rules.c'), os.path.join(stage, 'own_rules')
      if tap.run('heddle-rules: makes C where it was moved to',
                 [f'{here}/bin/heddle-rules', f'{example}.py', 'own_rules', made], env=clean) is not None and \
            tap.run('heddle-rules: the C compiles', ['gcc', '-std=c11', *WARNINGS, '-o', program, f'{example}.c', made,
                                                     *pkg_config('--cflags', '--libs', 'heddle')]) is not None:
         tap.run('heddle-rules: the pass runs', [program], env=dict(os.environ, LD_LIBRARY_PATH=libraries))

      if shutil.which('cmake'):
         use_by_cmake(tap, here, sources, os.path.join(stage, 'cmake'))
      else:
         print('# cmake is not installed')

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
