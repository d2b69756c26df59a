# SPDX-License-Identifier: MIT
"""The pass pipelines of GCN: see passes/pipelines.py."""

from codegen.machine.pipelines import quick

# What the machine lacks, outermost first: a waterfall loop contains code that is lowered below, and a reduction expands
# to arithmetic. Remaining variables go to scratch memory.
LOWERING = [
   'lower_vars_to_scratch',
   'lower_nonuniform',
   'lower_subgroup(dwords=0,vote=0,shift=0)',
   'lower_atomics(shared=0,fragment=1)',
   'lower_idiv',
   'lower_int64(add=0,shift=0,compare=0,logic=0)',
   'lower_small_ints',
   'lower_vectors',
]

TREES_AND_GRAPHS = [
   ('gcn', 'O2, then unrolling, lowering and late optimisation for AMD GCN', [
      # First: what is uniform decides what O2 may do, and which registers a value is in.
      'opt_invocation_ids',
      'O2',
      'opt_matrix_chain',  # products of matrices are sums of vectors until these are lowered

      # Unroll short loops: a branch costs as much as four vector instructions, and induction variables
      # become constants, above all in addresses. Then arrays with constant indices become SSA values: which
      # are constant shows when the induction variables are folded.
      'opt_unroll(size=90)',
      'opt_jump',
      'opt_sccp',
      'opt_dead_cf',
      'opt_unroll(size=90)',  # loops that count from what another counts
      'opt_jump',
      'opt_sccp',
      'opt_dead_cf',
      'opt_vars_split',
      'opt_vars_to_ssa',
      'opt_algebraic',

      # Small dynamically indexed arrays become selects, so that an arm that writes to one can be
      # converted. A divergent if costs four scalar instructions and a branch: more ifs than in O2 are
      # cheaper as selects.
      'opt_vars_to_constants',
      'lower_vars_to_selects(few=64,total=4096)',
      'opt_vars_to_ssa',
      'opt_if_convert(uniform_cost=4,divergent_cost=24)',
      'opt_dead_cf',
      'opt_algebraic',
      'opt_phi',

      *LOWERING,

      # Load/store vectorisation: four dwords cost as much as one. CSE first: unrolled iterations have
      # computed the same address each.
      'opt_dce',  # conversions whose users were lowered
      'opt_cse',
      'opt_forward_stores',
      'opt_dead_stores',
      'opt_merge_access(halves=1)',

      # Simplification of lowered code, after which some more arms are small enough; then combining for
      # this machine: address offsets before opt_late, which combines sums with other ops, and between them
      # what sums have in common.
      'opt_algebraic',
      'opt_if_convert(uniform_cost=4,divergent_cost=24)',
      'opt_dead_cf',
      'opt_algebraic',
      'opt_cse',
      'opt_offsets',
      'opt_slsr',
      'opt_late',
      'opt_cse',
      'opt_gcm',
      'opt_if_convert(uniform_cost=0,divergent_cost=0,divergent_arm=2)',  # two ops for the mask of an arm
      'opt_dce',

      # Last: other passes would remove these LCSSA phis as copies.
      'lower_exit_phis',
   ]),

   quick('gcn', 'GCN', LOWERING),

   # As `gcn`, without a tree: structured functions become flat. Explicit reconvergence points are added at the end, when
   # no pass adds branches any more.
   ('gcn_flat', 'the same for flat functions that reconverge', [
      'opt_invocation_ids',
      'lower_unstructure',
      'opt_inline(remove=1)',
      'opt_vars_split',
      'opt_vars_to_ssa',
      'opt_sccp',
      'opt_dead_cf',
      'opt_algebraic',
      'opt_phi',
      'opt_cse',
      'opt_dce',
      'opt_vars_to_constants',
      'lower_vars_to_selects(few=64,total=4096)',
      'opt_vars_to_ssa',
      'lower_vars_to_scratch',
      'lower_idiv',
      'lower_int64(add=0,shift=0,compare=0,logic=0)',
      'lower_small_ints',
      'lower_vectors',
      'opt_algebraic',
      'opt_cse',
      'opt_offsets',
      'opt_slsr',
      'opt_late',
      'opt_cse',
      'opt_dce',
      'lower_switch',
      'lower_reconverge',
      'lower_exit_phis',
   ]),
]

WIDENED = ['lower_small_ints', 'lower_vectors']
# What is the same twice, or unused, is no half of a pair.
PAIRED = ['lower_vectors', 'opt_cse', 'opt_dce', 'opt_vectorize(floats=0,dwords=30,uniform=0)',
          'lower_small_ints(int16=0,int16_single=1)']


def pairs(name, words, steps):
   """The same for machines with packed arithmetic: integers of 16 bits are pairs before the others are widened."""
   at = steps.index(WIDENED[0])
   assert steps[at:at + 2] == WIDENED
   return f'{name}_pairs', f'{words}, with packed 16-bit integers', [*steps[:at], *PAIRED, *steps[at + 2:]]


PIPELINES = [*TREES_AND_GRAPHS, *(pairs(*row) for row in TREES_AND_GRAPHS if row[0] != 'gcn_quick')]
