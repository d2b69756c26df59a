# SPDX-License-Identifier: MIT
"""The pass pipelines of R700: see passes/pipelines.py."""
from codegen.machine.pipelines import scalar_machine

# No lane can end before others.
PIPELINES = scalar_machine('r700', 'R700', before_lanes=['lower_builtins(local=2)'],
                           before_exits=['lower_early_returns(halts=1)'])
