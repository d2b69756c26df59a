# SPDX-License-Identifier: MIT
"""What libheddle may have, by the backends in it: bytes of the shared library, stripped."""
import os
import subprocess
import tempfile

# The core and GCN are what most drivers link: they stay under 1.5 million.
LIMITS = {
    (): 1_150_000,
    ('gcn',): 1_500_000,
    ('nyuzi',): 1_300_000,
    ('gen9',): 1_300_000,
    ('gcn', 'nyuzi'): 1_600_000,
    ('gcn', 'gen9', 'nyuzi'): 1_750_000,
}


def limit_of(backends):
   """`backends`: names, in any order."""
   return LIMITS[tuple(sorted(backends))]


def stripped_size(library):
   with tempfile.TemporaryDirectory() as folder:
      copy = os.path.join(folder, 'stripped')
      subprocess.run(['strip', '-o', copy, library], check=True)
      return os.path.getsize(copy)
