#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Is every instruction counted that stands beside Heddle's in the tables of the bench?"""
import os
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / 'bench'), str(ROOT / 'tests' / 'spirv'), str(ROOT / 'tests' / 'house'), str(ROOT / 'scripts')]
import judges  # noqa: E402
import shader_classes  # noqa: E402
from tap import Tap  # noqa: E402

REPEATED = '''BB0:
\ts_mov_b32 s0, 0                                             ; be800080
\tv_mul_f32_e32 v11, v11, v12                                 ; 0a16190b
\t(then repeated 2 times)
\tv_mac_f32_e32 v5, v8, v11                                   ; 2c0a1708
\ts_endpgm                                                    ; bf810000
'''


def main():
   tap = Tap()
   with tempfile.TemporaryDirectory() as folder:
      path = os.path.join(folder, 'text.s')
      judges.write(path, REPEATED.encode())
      counted = shader_classes.count(judges.assembly(path))
   tap.check('repeated instructions of RADV are counted', (counted['instructions'], counted['valu']) == (6, 4), str(counted))
   tap.finish()


main()
