# SPDX-License-Identifier: MIT
"""fold_ops.c: a function for each op that evaluates its expression on every component."""

import re

from codegen.emit import op_name, opening, run, write
from codegen.ir.ops import OPS

HEAD = '''\
#include "ir/fold.h"
#include "heddle/op_enum.h"

/* HD_FLOAT_FLUSH_16, _32, _64 are 16 >> 4, 32 >> 4, 64 >> 4; HD_FLOAT_RTZ follow in this order. */
static inline bool
flushes(unsigned bits, uint32_t float_controls)
{
   return float_controls & bits >> 4;
}

static inline uint64_t
flushed(unsigned bits, uint64_t a, uint32_t float_controls)
{
   return flushes(bits, float_controls) ? hd_float_flush(bits, a) : a;
}

static inline hd_round
rounding(unsigned bits, uint32_t float_controls)
{
   return float_controls >> 3 & bits >> 4 ? HD_ROUND_ZERO : HD_ROUND_NEAREST_EVEN;
}
'''.splitlines()


def size(t, op):
   """The size of a type as C: its variable, or the number."""
   return t.variable or str(t.sizes[0])


def is_array(t, op):
   """Whether the expression sees all components of the operand, not the one at hand."""
   return t.max_components > 1 and not (t.linked and op.result.linked)


def load(t, i, op, component):
   bits = size(t, op)
   raw = f'hd_const_get(&srcs[{i}].values[{component}], {bits})'
   if t.kind == 'i':
      return f'sext({bits}, {raw})'
   if t.kind == 'b':
      return f'{raw} != 0'
   if t.kind == 'f' and op.flushes:
      return f'flushed({bits}, {raw}, float_controls)'
   return raw


C_TYPES = {'u': 'uint64_t', 'x': 'uint64_t', 'f': 'uint64_t', 'i': 'int64_t', 'b': 'bool'}


def arrays(op):
   """Operands of which the expression sees all components are read before the loop."""
   lines = []
   for i, t in enumerate(op.srcs):
      if op.variadic or not is_array(t, op):
         continue
      count = 'n' if t.linked else str(t.max_components)
      lines += [f'   {C_TYPES[t.kind]} src{i}[{t.max_components}];',
                f'   for (unsigned c = 0; c < {count}; c++)',
                f'      src{i}[c] = {load(t, i, op, "c")};']
   return lines


def scalars(op):
   lines = []
   for i, t in enumerate(op.srcs):
      if op.variadic:
         lines.append(f'      const uint64_t src = {load(t, "c", op, "0")};')
      elif not is_array(t, op):
         lines.append(f'      const {C_TYPES[t.kind]} src{i} = '
                      f'{load(t, i, op, "c" if t.linked else "0")};')
   return lines


def function(op):
   result_bits = size(op.result, op)
   expr = 'src' if op.variadic else op.expr
   if op.result.kind == 'f' and op.flushes:
      expr = f'flushed({result_bits}, {expr}, float_controls)'
   elif op.result.kind == 'i':
      expr = f'(uint64_t)({expr})'
   count = 'n' if op.result.linked else str(op.result.max_components)
   loop = [f'   for (unsigned c = 0; c < {count}; c++) {{'] + scalars(op)
   loop += [f'      hd_const_set(&result[c], {result_bits},', f'                   {expr});', '   }']
   text = '\n'.join(arrays(op) + loop)

   lines = []
   for variable in op.variables:
      owner = next((i for i, t in enumerate(op.srcs) if t.variable == variable), None)
      if re.search(rf'\b{variable}\b', text):
         lines.append(f'   const unsigned {variable} = '
                      + ('bits;' if owner is None else f'srcs[{owner}].shape.bit_size;'))
   if re.search(r'\bround\b', text):
      lines.append(f'   const hd_round round = rounding({result_bits}, float_controls);')
   body = '\n'.join(lines + [text])
   unused = [f'   (void){name};' for name in ('n', 'bits', 'float_controls')
             if not re.search(rf'\b{name}\b', body)]
   comment = f'/* {op.signature} */'
   return ([comment, 'static void',
            f'fold_{op.name}(unsigned n, unsigned bits, const hd_fold_src *srcs, '
            'uint32_t float_controls,',
            ' ' * len(f'fold_{op.name}(') + 'hd_const_value *result)', '{']
           + lines + unused + text.split('\n') + ['}', ''])


def main(output):
   lines = opening('fold_ops.c', 'evaluate an op, component by component.', 'ir/ops.py') + HEAD + ['']
   for op in OPS:
      lines += function(op)
   lines += ['hd_fold_function *const hd_fold_functions[HD_NUM_OPS] = {', '   [HD_OP_NONE] = NULL,']
   lines += [f'   [{op_name(op.name)}] = fold_{op.name},' for op in OPS]
   write(output, lines + ['};'])


if __name__ == '__main__':
   run(main, 1)
