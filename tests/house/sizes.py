# SPDX-License-Identifier: MIT
"""What libheddle may have, by the backends in it: bytes of the shared library, stripped."""
import os
import re
import subprocess
import tempfile

# The core and GCN are what most drivers link, with graphics, and with every machine it is under 1.9 million. They have images,
# samplers, vertex and fragment shaders; the SPIR-V reader and the passes of graphics stages are in the core, so in each row.
# Images and samplers of kernels took 3.5 kB of the core, straight-line strength reduction 2.9, rules and linking the rest of 12.
LIMITS = {
    (): 1_210_000,
    ('gcn',): 1_660_000,
    ('nyuzi',): 1_385_000,
    ('gen9',): 1_400_000,
    ('r700',): 1_375_000,
    ('gcn', 'nyuzi'): 1_730_000,
    ('gcn', 'gen9', 'nyuzi'): 1_800_000,
    ('gcn', 'gen9', 'nyuzi', 'r700'): 1_880_000,
}


# They are gcc 12's. Of the same source gcc 14 makes 3.0 % more, gcc 16 6.6 %: what is allowed, from which version on.
ALLOWED = {0: 1, 13: 1.04, 15: 1.08}


def limit_of(backends, library):
   """`backends`: names, in any order; `library`: the file, which says what compiled it."""
   comment = subprocess.run(['readelf', '-p', '.comment', library], check=True, stdout=subprocess.PIPE, text=True).stdout
   version = max((int(found) for found in re.findall(r'GCC: \(.*\) (\d+)', comment)), default=0)
   return int(LIMITS[tuple(sorted(backends))] * ALLOWED[max(first for first in ALLOWED if first <= version)])


def stripped_size(library):
   with tempfile.TemporaryDirectory() as folder:
      copy = os.path.join(folder, 'stripped')
      subprocess.run(['strip', '-o', copy, library], check=True)
      return os.path.getsize(copy)
