# SPDX-License-Identifier: MIT
"""doc/ops.md and doc/intrinsics.md, the reference pages, from the tables."""

from codegen.ir import intrinsics, ops
from codegen.ir.schema import Intrinsic, Op

LICENCE = '<!-- SPDX-License-Identifier: MIT -->'
SOURCE = '<!-- Generated from src/codegen/{}; after a change there run: meson compile -C build docs -->'

UNDEF = {'any': '', 'absorbs': 'unless the other operand is the absorbing element',
         'product': 'unless the other one of the first two is zero',
         'bits': 'unless the mask takes no bit from them',
         'chosen': 'only the choice and the operand chosen count', 'moved': 'components are copies'}
ELEMENTS = {'zero': '0', 'one': '1', 'all_ones': 'all ones', 'int_min': 'the least',
            'int_max': 'the greatest', 'float_zero': '+0', 'float_neg_zero': '-0',
            'float_one': '1.0', 'float_inf': 'inf', 'float_neg_inf': '-inf', 'float_nan': 'NaN',
            'true': 'true', 'false': 'false'}


def general_rules(module):
   """The rules for all rows are in the module's docstring, after its first paragraph."""
   _, _, rest = module.__doc__.strip().partition('\n\n')
   paragraphs = []
   for line in rest.splitlines():
      paragraphs.append(line[1:] if line.startswith(' *') or line.startswith('   ') else line)
   return paragraphs


def sizes(variables):
   return ', '.join(f'{name} = {"/".join(map(str, values))}' for name, values in variables.items())


def laws(op):
   """The algebraic laws of an op, as equations."""
   name, out = op.name, []
   if op.commutative:
      out.append('commutative')
   if op.associative:
      out.append('associative' if op.associative is True else 'associative but for rounding')
   if op.idempotent:
      out.append('idempotent')
   if op.self_inverse:
      out.append('its own inverse')
   x_op, op_x = f'{name}(x, {{0}}) = ', f'{name}({{0}}, x) = '
   for element, text, result in ((op.identity, x_op, 'x'), (op.absorbing, x_op, '{0}')):
      if element:
         out.append((text + result).format(ELEMENTS[element]))
   if not op.commutative:
      for element, text, result in ((op.identity_left, op_x, 'x'),
                                    (op.absorbing_left, op_x, '{0}')):
         if element:
            out.append((text + result).format(ELEMENTS[element]))
   if op.same:
      out.append(f'{name}(x, x) = ' + ('x' if op.same == 'operand' else ELEMENTS[op.same]))
   if op.inverse:
      x, y = ('y', 'x') if op.inverse_swaps else ('x', 'y')
      out.append(f'{name}(x, y) = not {op.inverse}({x}, {y})')
   return '; '.join(out)


def op_entry(op: Op):
   lines = [f'### {op.name}', '', f'    {op.name} {op.signature}', '', op.meaning]
   if op.edges:
      lines[-1] += ' ' + op.edges
   facts = []
   if op.variables:
      facts.append(sizes(op.variables))
   if op.sized_by_instruction:
      facts.append('the instruction chooses M')
   if laws(op):
      facts.append(laws(op))
   if op.rounds:
      facts.append('rounds')
   if op.is_float and not op.flushes:
      facts.append('keeps denormals')
   if UNDEF[op.undef]:
      facts.append('undefined operands spread: ' + UNDEF[op.undef] if op.undef != 'moved'
                   else 'undefined components stay apart')
   lines += [''] + [f'- {fact}' for fact in facts] if facts else []
   return lines + ['']


def op_page(_):
   lines = [LICENCE, SOURCE.format('ir/ops.py'), '# ALU ops', '']
   lines += ['A row says `name operands -> result`, each as `kind:bits[components] name`. Kinds are how '
             'bits are read: u unsigned, i signed, f float, b boolean, x any bits. Equal letters are '
             'equal sizes; without [components], operands and result have equally many. '
             '`heddle ops` prints this at a terminal, `hd_op_get_info` (ops.h) has it in C, `hd_op_get_reference` (reference.h) its words.', '']
   lines += general_rules(ops) + ['']
   lines += ['Laws of floats leave aside the bits of NaNs, and hold where denormals are kept.', '',
             f'## All {len(ops.OPS)} ops', '']
   for op in ops.OPS:
      lines += op_entry(op)
   return '\n'.join(lines)


DIVERGENCE = {'uniform': 'the same in all lanes', 'divergent': 'may differ between lanes',
              'operands': 'uniform if all operands are',
              'memory': 'uniform if all operands are and the access is not volatile or coherent',
              'cluster': 'uniform if cluster_size is 0'}
HELPERS = {'run': '', 'skip': 'do nothing, and get undef', 'uncounted': 'get a result, do not count',
           'needed': 'are needed: the other lanes of the quad read their values'}
SPECULATE = {'never': '', 'always': 'may run with more lanes',
             'access': 'may run with more lanes where the access says speculatable'}


def facts(row: Intrinsic):
   out = [sizes(row.variables)]
   out.append('constants: ' + ', '.join(row.indices) if row.indices else '')
   out.append('reads: ' + ', '.join(row.reads) if row.reads else '')
   out.append('writes: ' + ', '.join(row.writes) if row.writes else '')
   out.append('effect: ' + ', '.join(row.effects) if row.effects else '')
   out.append('reads other lanes' if row.cross_lane else '')
   out.append('result: ' + DIVERGENCE[row.divergence] if row.result else '')
   out.append(SPECULATE[row.speculate])
   out.append('helper lanes ' + HELPERS[row.helpers] if HELPERS[row.helpers] else '')
   out.append('stages: ' + ', '.join(row.stages) if len(row.stages) < 4 else '')
   return [f'- {fact}' for fact in out if fact]


def intrinsic_entry(row):
   text = row.meaning + (' ' + row.note if row.note else '')
   return [f'### {row.name}', '', f'    {row.name} {row.signature}'.rstrip(), '', text, ''] + \
      facts(row) + ['']


def index_table():
   lines = ['| constant | type | if left out | what it says |', '|---|---|---|---|']
   enums = {enum.name: enum for enum in intrinsics.ENUMS}
   for index in intrinsics.INDICES:
      default = index.default
      if index.type in enums:
         enum = enums[index.type]
         default = 'none' if enum.flags else enum.values[default][0]
      lines.append(f'| {index.name} | {index.type} | {default} | {index.meaning} |')
   return lines


def enum_section(enum):
   lines = [f'### {enum.name}', '', enum.meaning + (' Any of:' if enum.flags else ' One of:'), '']
   return lines + [f'- `{value}`: {meaning}' for value, meaning, _ in enum.values] + ['']


def intrinsic_page(_):
   lines = [LICENCE, SOURCE.format('ir/intrinsics.py'), '# Intrinsics', '']
   lines += ['Rows read as in [ops](ops.md), with marks after operands: `!uniform` must be the same in all '
             'lanes, `!descriptor` too unless the access says nonuniform, `!defined` must not be '
             'undef.', '']
   lines += general_rules(intrinsics) + ['', '## Constants', ''] + index_table() + ['']
   for enum in intrinsics.ENUMS:
      lines += enum_section(enum)
   lines += [f'## All {len(intrinsics.INTRINSICS)} intrinsics', '']
   for row in intrinsics.INTRINSICS:
      lines += intrinsic_entry(row)
   return '\n'.join(lines)
