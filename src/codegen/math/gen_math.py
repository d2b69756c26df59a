# SPDX-License-Identifier: MIT
"""math_functions.h, the names of the functions, and math_tables.h, their code."""

import sys

from codegen.emit import opening, run, write
from codegen.math.formats import FORMATS
from codegen.math.language import FUNCTIONS, PARTS, PSEUDO, SIZE_TWICE, Program

import codegen.math.glsl  # noqa: F401
import codegen.math.integer  # noqa: F401
import codegen.math.parts  # noqa: F401
import codegen.math.exponential  # noqa: F401
import codegen.math.circle  # noqa: F401
import codegen.math.special  # noqa: F401


def programs():
   """By function, in order."""
   return [[Program(f, size, FORMATS) for size in f.sizes] for f in FUNCTIONS.values()]


def names(output):
   lines = opening('math_functions.h', 'the functions that there are.', 'math_*.py')
   lines += ['#ifndef HEDDLE_SPIRV_MATH_FUNCTIONS_H', '#define HEDDLE_SPIRV_MATH_FUNCTIONS_H', '',
             'enum hd_math {']
   lines += [f'   MATH_{name.upper()},' for name in FUNCTIONS]
   lines += ['   NUM_MATH', '};', '']
   made = programs()
   lines += [f'#define HD_MATH_MAX_PARAMS {max(len(f.parameters) for f in FUNCTIONS.values())}',
             f'#define HD_MATH_MAX_RESULTS {max(len(p.results) for ps in made for p in ps)}', '', '#endif']
   write(output, lines)


def bits_of(flags):
   return sum(flag << n for n, flag in enumerate(flags))


def tables(output):
   lines = opening('math_tables.h', 'the functions as bytes.', 'math_*.py') + ['#include <stdint.h>', '']
   lines += [f'#define MATH_CODE_{name.upper()} {255 - n}' for n, name in enumerate(PSEUDO)]
   lines += [f'#define MATH_SIZE_TWICE {SIZE_TWICE}', '']
   code, rows, functions = bytearray(), [], []
   for f, made in zip(FUNCTIONS.values(), programs()):
      p = made[0]
      functions.append(f'{{ {len(rows)}, {len(made)}, {len(f.parameters)}, {len(p.results)}, '
                       f'{bits_of(p.float_parameters)}, {bits_of(p.float_results)}, {int(f.exact)}, '
                       f'{{ {", ".join(str(q.bits) for q in f.parameters)} }} }}')
      for p in made:
         rows.append(f'{{ {len(code)}, {len(p.code)}, {p.size}, {int(p.branchy)} }}')
         code += p.code + bytes(p.results)
   parts = []
   for part in PARTS.values():
      parts.append(f'{{ {len(code)}, {len(part.code)}, {part.num_parameters}, {len(part.places)} }}')
      code += part.code + bytes(part.places)
   lines += ['static const struct math_function {',
             '   uint16_t first; /* program */',
             '   uint8_t num_programs, num_params, num_results;',
             '   uint8_t float_params, float_results; /* a bit each: floats of the size N */',
             '   uint8_t exact;',
             '   uint8_t param_bits[HD_MATH_MAX_PARAMS]; /* 0: N */',
             '} math_functions[] = {'] + [f'   {row},' for row in functions] + ['};', '']
   lines += ['static const struct math_program {',
             '   uint32_t offset;',
             '   uint16_t length;',
             '   uint8_t bits; /* 0: all */',
             '   uint8_t branchy;',
             '} math_programs[] = {'] + [f'   {row},' for row in rows] + ['};', '']
   lines += ['static const struct math_part {',
             '   uint32_t offset;',
             '   uint16_t length;',
             '   uint8_t num_params, num_results;',
             '} math_parts[] = {'] + [f'   {row},' for row in parts] + ['};', '']
   lines += [f'static const uint8_t math_code[{len(code)}] = {{']
   lines += ['   ' + ' '.join(f'{b},' for b in code[i:i + 24]) for i in range(0, len(code), 24)]
   write(output, lines + ['};'])


if __name__ == '__main__':
   run({'names': names, 'tables': tables}[sys.argv.pop(1)], 1)
