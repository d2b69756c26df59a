# SPDX-License-Identifier: MIT
"""The pass pipelines of Nyuzi: see passes/pipelines.py."""
from codegen.machine.pipelines import scalar_machine

PIPELINES = scalar_machine('nyuzi', 'Nyuzi')
