# SPDX-License-Identifier: MIT
"""Rules that follow from the columns of ir/ops.py: identities, absorption, inverses, associativity."""

from codegen.ir.ops import OPS
from codegen.ir.schema import INT

ELEMENTS = {'zero': '0', 'one': '1', 'all_ones': '-1', 'int_min': 'int_min', 'int_max': 'int_max',
            'float_zero': '0.0', 'float_neg_zero': '-0.0', 'float_one': '1.0', 'float_inf': 'inf',
            'float_neg_inf': '-inf', 'float_nan': 'nan', 'true': 'true', 'false': 'false'}
# Folded constants must not leave the range in which rounding is the only difference.
MODERATE = 'float_is_moderate(N, a) and float_is_moderate(N, b)'


def others(op, first):
   """The operands after the first two, by name."""
   return ''.join(f', {n}' for n in ('y', 'z')[:len(op.srcs) - first])


def add(rule):
   for op in OPS:
      name = op.name
      # A float op makes NaNs canonical and flushes denormals where the shader says so; what works on
      # the sign alone does neither.
      same = 'fcanonicalize(x)' if op.is_float and op.flushes else 'x'
      if op.identity:
         rule(f'{name}(x, {ELEMENTS[op.identity]})', same, law=True)
      if op.identity_left and not op.commutative:
         rule(f'{name}({ELEMENTS[op.identity_left]}, x)', same, law=True)
      if op.absorbing:
         rule(f'{name}(x, {ELEMENTS[op.absorbing]})', ELEMENTS[op.absorbing], law=True)
      if op.absorbing_left and not op.commutative:
         rule(f'{name}({ELEMENTS[op.absorbing_left]}, x)', ELEMENTS[op.absorbing_left], law=True)
      if op.same:
         rule(f'{name}(x, x)', same if op.same == 'operand' else ELEMENTS[op.same], law=True)
      if op.self_inverse:
         rule(f'{name}({name}(x))', 'x', law=True)
      if op.idempotent:
         rule(f'{name}({name}(x))', f'{name}(x)', law=True)
      if op.inverse:
         x, y = ('y', 'x') if op.inverse_swaps else ('x', 'y')
         no = f'{op.inverse}({x}, {y})'
         rule(f'inot({name}(x, y))', no, law=True)
         rule(f'select({name}(x, y), 0:M, 1)', f'b2i({no})', law=True, M=INT)
         rule(f'select({name}(x, y), 0.0, 1.0)', f'b2f({no})', law=True)
         rule(f'select({name}(x, y), false, z)', f'iand(z, {no})', law=True)
         rule(f'select({name}(x, y), z, true)', f'ior(z, {no})', law=True)
         rule(f'select({name}(x, y), z, {no})', f'ior(z, {no})', law=True)
      if op.associative is True:
         rule(f'{name}({name}(x, #a), #b)', f'{name}(x, {name}(a, b))', law=True)
      if op.associative == 'inexact':
         rule(f'{name}:N({name}(x, #a), #b)', f'{name}(x, {name}(a, b))', MODERATE, inexact=True, law=True)
      if op.associative is True and op.commutative and op.same == 'operand' and not op.is_float:
         rule(f'{name}({name}(x, y), x)', f'{name}(x, y)', law=True)
