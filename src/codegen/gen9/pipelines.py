# SPDX-License-Identifier: MIT
"""The pass pipelines of Gen9: see passes/pipelines.py."""
from codegen.machine.pipelines import scalar_machine

PIPELINES = scalar_machine('gen9', 'Gen9', before_lanes=['lower_builtins(local=2)'])
