# SPDX-License-Identifier: MIT
"""What libheddle may have, by the backends in it: bytes of the shared library, stripped."""
import os
import subprocess
import tempfile

# The core and GCN are what most drivers link: with all of graphics they stay under 1.9 million. Today they have images,
# samplers, vertex and fragment shaders; the SPIR-V reader and the passes of graphics stages are in the core, so in each row.
LIMITS = {
    (): 1_190_000,
    ('gcn',): 1_615_000,
    ('nyuzi',): 1_375_000,
    ('gen9',): 1_385_000,
    ('r700',): 1_365_000,
    ('gcn', 'nyuzi'): 1_715_000,
    ('gcn', 'gen9', 'nyuzi'): 1_785_000,
    ('gcn', 'gen9', 'nyuzi', 'r700'): 1_880_000,
}


def limit_of(backends):
   """`backends`: names, in any order."""
   return LIMITS[tuple(sorted(backends))]


def stripped_size(library):
   with tempfile.TemporaryDirectory() as folder:
      copy = os.path.join(folder, 'stripped')
      subprocess.run(['strip', '-o', copy, library], check=True)
      return os.path.getsize(copy)
