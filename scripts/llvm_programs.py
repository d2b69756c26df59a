# SPDX-License-Identifier: MIT
"""Programs of LLVM by their names: the version that the tests were written with, else another one that is installed."""
import functools
import os
import re
import shutil
import subprocess

VERSIONS = (19, 21, 20, 22, 18)
# Which make SPIR-V from OpenCL: clang and the translator are of one version.
TRANSLATORS = (15, 19, 21, 20, 22, 18, 17, 16)


def of_version(name, version):
   """This version of a program, or None."""
   return shutil.which(f'{name}-{version}') or shutil.which(name, path=f'/usr/lib/llvm-{version}/bin')


def version_of(program):
   text = subprocess.run([program, '--version'], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                         stdin=subprocess.DEVNULL, check=False).stdout
   found = re.search(r'version (\d+)', text)
   return int(found[1]) if found else 0


@functools.cache
def find(name):
   """Where a program is, or None."""
   for version in VERSIONS:
      path = of_version(name, version)
      if path:
         return path
   plain = shutil.which(name)
   return plain if plain and version_of(plain) in VERSIONS else None


@functools.cache
def translator():
   """(clang, llvm-spirv) that work together, or None."""
   for version in TRANSLATORS:
      pair = of_version('clang', version), of_version('llvm-spirv', version)
      if all(pair):
         return pair
   return None


def libclc(target):
   """The bitcode library of OpenCL's functions for a target, as amdgcn--amdhsa, or None."""
   folders = ['/usr/lib/clc', '/usr/share/clc', *(f'/usr/lib/llvm-{v}/share/clc' for v in VERSIONS)]
   return next((p for p in (os.path.join(folder, target + '.bc') for folder in folders) if os.path.exists(p)), None)
