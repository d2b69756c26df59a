# SPDX-License-Identifier: MIT
"""The pass pipelines of Gen9: see passes/pipelines.py."""
from codegen.machine.pipelines import scalar_machine
from codegen.passes.pipelines import PIPELINES as STANDARD

O2 = next(steps for name, _, steps in STANDARD if name == 'O2')


def flat(name, meaning, steps):
   """The same for block numbers: what is flat stays flat, and trees become flat at last."""
   steps = [step for whole in steps for step in (O2 if whole == 'O2' else [whole])]
   left = [step for step in steps if step not in ('lower_structurize', 'lower_exit_phis')]
   return name.replace('gen9', 'gen9_flat'), f'{meaning}, for flat functions', [*left, 'lower_unstructure']


TREES = scalar_machine('gen9', 'Gen9', before_lanes=['lower_builtins(local=2)'], idiv='lower_idiv(quotient=0)')
PIPELINES = [*TREES, *(flat(*row) for row in TREES)]
