# SPDX-License-Identifier: MIT
"""The pass pipeline of Nyuzi: see passes/pipelines.py."""

PIPELINES = [
   # Nyuzi has lanes of 32 bits and little else: what rules combine it would take apart again.
   ('nyuzi', 'O2, and what Nyuzi needs before instructions are selected', [
      'O2',
      'opt_unroll(size=90)',
      'opt_jump',
      'opt_vars_split',
      'opt_vars_to_ssa',
      'opt_sccp',
      'opt_dead_cf',
      'opt_algebraic',
      'opt_vars_to_constants',
      'lower_vars_to_selects',
      'opt_vars_to_ssa',
      'opt_if_convert(uniform_cost=2,divergent_cost=8)',
      'opt_dead_cf',
      'opt_algebraic',
      'opt_phi',
      'lower_vars_to_scratch',
      'lower_nonuniform',
      'lower_subgroup',
      'lower_atomics',
      'lower_idiv',
      'lower_int64',
      'lower_small_ints',
      'lower_vectors',
      'opt_dce',
      'opt_cse',
      'opt_algebraic',
      'opt_dead_cf',
      'opt_cse',
      'opt_gcm',
      'opt_dce',
      'lower_exit_phis',
   ]),
]
