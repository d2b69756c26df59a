# SPDX-License-Identifier: MIT
"""wave_ops.c: for each op a loop that evaluates its expression on the lanes of a wave."""

import re

from codegen.emit import op_name, opening, run, write
from codegen.ir.gen_fold_ops import C_TYPES, HEAD, is_array, size
from codegen.ir.ops import OPS

# Before fold.h, whose arithmetic then uses the host's floats too.
INCLUDES = ['#include "wave/alu.h"', '#include "heddle/op_enum.h"', '#include "ir/fold.h"', '#include "util/float_host.h"']


def load(t, i, op, place):
   bits = size(t, op)
   raw = f'p{i}[{place}]'
   if t.kind == 'i':
      return f'sext({bits}, {raw})'
   if t.kind == 'b':
      return f'{raw} != 0'
   if t.kind == 'f' and op.flushes:
      return f'flushed({bits}, {raw}, float_controls)'
   return raw


def body(op):
   """What is done for lane l."""
   lines = []
   for i, t in enumerate(op.srcs):
      if is_array(t, op):
         count = 'n' if t.linked else str(t.max_components)
         lines += [f'{C_TYPES[t.kind]} src{i}[{t.max_components}];',
                   f'for (unsigned k = 0; k < {count}; k++)',
                   f'   src{i}[k] = {load(t, i, op, "k * stride + l")};']
      else:
         lines.append(f'const {C_TYPES[t.kind]} src{i} = {load(t, i, op, "l")};')
   bits = size(op.result, op)
   expr = op.expr
   if op.result.kind == 'f' and op.flushes:
      expr = f'flushed({bits}, {expr}, float_controls)'
   lines.append(f'dst[l] = (uint64_t)({expr}) & mask({bits});')
   return lines


def function(op):
   """The loop, with sizes as arguments, and a function that calls it with those that matter as
   constants: floats have a function of the host for each size, integers are mostly of 32 bits."""
   lines = body(op)
   text = '\n'.join(lines)
   sizes = [v for v in ('N', 'M') if v in op.variables]
   args = ''.join(f', const unsigned {v}' for v in sizes)
   out = [f'/* {op.signature} */', 'HD_WAVE_INLINE void',
          f'lanes_{op.name}(const hd_wave_alu *a{args}, bool all)', '{',
          '   uint64_t *restrict const dst = a->dst;']
   out += [f'   const uint64_t *restrict const p{i} = a->src[{i}];' for i in range(len(op.srcs))]
   for name, value in (('float_controls', 'const uint32_t float_controls = a->float_controls;'),
                       ('n', 'const unsigned n = a->n;'), ('c', 'const unsigned c = a->c;'),
                       ('stride', 'const size_t stride = a->width;')):
      if re.search(rf'\b{name}\b', text) or (name == 'float_controls' and re.search(r'\bround\b', text)):
         out.append('   ' + value)
   if re.search(r'\bround\b', text):
      out.append(f'   const hd_round round = rounding({size(op.result, op)}, float_controls);')
   unused = [v for v in sizes if not re.search(rf'\b{v}\b', text)]
   out += [f'   (void){v};' for v in unused]
   out += ['   for (unsigned i = 0; i < a->count; i++) {',
           '      const size_t l = all ? i : a->lanes[i];']
   out += ['      ' + line for line in lines] + ['   }', '}', '']

   owners = {v: next((i for i, t in enumerate(op.srcs) if t.variable == v), None) for v in sizes}
   values = {v: 'a->bits' if o is None else f'a->src_bits[{o}]' for v, o in owners.items()}
   out += ['static void', f'wave_{op.name}(const hd_wave_alu *a)', '{']
   generic = ''.join(f', {values[v]}' for v in sizes)

   def call(condition, numbers, every):
      return [f'   if ({condition}) {{', f'      lanes_{op.name}(a{numbers}, {every});',
              '      return;', '   }']

   is_float = any(t.kind == 'f' for t in op.srcs + [op.result])
   if sizes:
      wide = ' && '.join(f'{values[v]} == 32' for v in sizes)
      out += call(f'a->all && {wide}', ', 32' * len(sizes), 'true')
      if is_float and sizes == ['N']:
         for number in (16, 32, 64):
            out += call(f'{values["N"]} == {number}', f', {number}', 'false')
         out = out[:-4] + [f'   lanes_{op.name}(a, 64, false);']
      else:
         out += [f'   lanes_{op.name}(a{generic}, false);']
   else:
      out += [f'   lanes_{op.name}(a, false);']
   return out + ['}', '']


def main(output):
   lines = (opening('wave_ops.c', 'evaluate an op, lane by lane.', 'ir/ops.py') + INCLUDES
            + HEAD[1:] + [''])
   for op in OPS:
      if not op.variadic:
         lines += function(op)
   lines += ['/* A variadic op moves its operands: that needs no arithmetic. */',
             'hd_wave_op *const hd_wave_ops[HD_NUM_OPS] = {']
   lines += [f'   [{op_name(op.name)}] = wave_{op.name},' for op in OPS if not op.variadic]
   write(output, lines + ['};'])


if __name__ == '__main__':
   run(main, 1)
