# SPDX-License-Identifier: MIT
"""The pass pipelines of a machine that has instructions on 32 bits of each lane and little else. Longer ones, of a
machine that has more, are written out in its folder: gcn/pipelines.py.
"""


def quick(name, title, lowering, before_exits=()):
   """The row NAME_quick: what the machine must have, and little besides: less time to compile, slower code."""
   return (f'{name}_quick', f'what {title} needs before instructions are selected, and few other passes', [
      'lower_switch',
      'lower_structurize',
      'opt_inline(remove=1)',
      'opt_vars_split',
      'opt_vars_to_ssa',
      'opt_dead_cf',
      'opt_algebraic',
      'opt_dce',
      *lowering,
      'opt_algebraic',
      'opt_dead_cf',
      'opt_phi',
      'opt_cse',
      'opt_dce',
      *before_exits,
      'lower_exit_phis',
   ])


def scalar_machine(name, title, before_lanes=(), before_exits=(), idiv='lower_idiv'):
   """The rows NAME and NAME_quick. What the machine lacks besides: `before_lanes`, before lanes are lowered,
   `before_exits`, before phis at exits of loops are made. `idiv`: how it divides integers.
   """
   # What rules combine, the machine would take apart again.
   lowering = [
      'lower_vars_to_scratch',
      'lower_nonuniform',
      *before_lanes,
      'lower_subgroup',
      'lower_atomics',
      idiv,
      'lower_int64',
      'lower_float_functions(div=0,rcp=0,sqrt=0,rsq=0,exp2=1,log2=1,sin=1,cos=1)',
      'lower_small_ints',
      'lower_vectors',
   ]
   return [
      (name, f'O2, and what {title} needs before instructions are selected', [
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
         *lowering,
         'opt_dce',
         'opt_cse',
         'opt_algebraic',
         'opt_dead_cf',
         'opt_cse',
         'opt_gcm',
         'opt_dce',
         *before_exits,
         'lower_exit_phis',
      ]),
      quick(name, title, lowering, before_exits),
   ]
