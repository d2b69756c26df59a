# SPDX-License-Identifier: MIT
"""gcn_exec_scalar.c, gcn_exec_vector.c: what each row of gcn/sem*.py computes, as functions."""

import sys

from codegen.gcn import sem, sem_compare, sem_float, sem_scalar, sem_vector
from codegen.emit import opening, write
from codegen.gcn.isa import all_rows
from codegen.gcn.sem import LETTERS, ROWS, UPPER_HALVES, SemanticError, undef_expression
from codegen.gcn.sem_memory import ATOMICS, access, image_parts
from codegen.gcn.sem_special import MEMORY_FORMATS, SPECIAL, UNMODELLED

TABLES = (sem_compare, sem_float, sem_scalar, sem_vector)
SOURCES = 'gcn/sem*.py'


def op_constant(name):
   return 'HD_GCN_' + name.upper()


def check(is_scalar):
   """Every instruction of the ISA has a meaning in one place, and nothing else has one."""
   isa = all_rows()
   names = {op.name for op in isa}
   for name in sorted(names | set(ROWS)):
      places = (name in ROWS) + (name in SPECIAL) + (name in UNMODELLED)
      if places != 1 or name not in names:
         raise SemanticError(f'{name}: {places} meanings, {"" if name in names else "not "}an instruction')
   for name in sum(UPPER_HALVES.values(), []):
      if name not in ROWS:
         raise SemanticError(f'{name}: an upper half, but no row')
   return [ROWS[op.name] for op in isa if op.name in ROWS and ROWS[op.name].scalar == is_scalar]


# ---- scalar -----------------------------------------------------------------------------------

SCALAR_FROM = {'scc': 'HD_GCN_FROM_SCC', 'k': 'HD_GCN_FROM_IMM', 'dst': 'HD_GCN_FROM_DST',
               'exec': 'HD_GCN_FROM_EXEC'}


def scalar_function(row):
   lines = [f'/* {row.name} */', 'static void', f'run_{row.name}(hd_gcn_salu *s)', '{']
   for number, letter in enumerate(LETTERS[:len(row.ins)]):
      lines += [f'   const uint64_t {letter} = s->src[{number}].value;',
                f'   const uint64_t u{letter} = s->src[{number}].undef;',
                f'   (void){letter}, (void)u{letter};']
   first = True
   for out, result, rule in zip(row.outs, row.results, row.undef):
      undef = undef_expression(rule, row.ins, out)
      if out == 'scc':
         lines += [f'   s->scc = ({result}) != 0;', f'   s->scc_undef = ({undef}) != 0;']
      else:
         assert first
         bits = '64' if out == 'exec' else out
         lines += [f'   const uint{bits}_t r = (uint{bits}_t)({result});',
                   f'   const uint{bits}_t ur = (uint{bits}_t)({undef});', '   (void)ur;',
                   '   s->dst = (hd_gcn_scalar){ r, ur };']
      first = False
   return lines + ['}', '']


def scalar_entry(row):
   sources = ', '.join(SCALAR_FROM.get(size, size) for size in row.ins)
   fields = [f'run_{row.name}', f'.num_srcs = {len(row.ins)}']
   if sources:
      fields.append(f'.src = {{ {sources} }}')
   if row.outs[0] == 'exec':
      fields.append(f'.exec = HD_GCN_{"WRITES" if "_wrexec_" in row.name else "SAVES"}_EXEC')
   elif row.outs[0] != 'scc':
      fields.append(f'.dst = {row.outs[0]}')
   if 'scc' in row.outs:
      fields.append('.writes_scc = true')
   return f'   [{op_constant(row.name)}] = {{ {", ".join(fields)} }},'


def write_scalar(output):
   rows = check(True)
   lines = opening('gcn_exec_scalar.c', 'scalar instructions.', SOURCES)
   lines += ['#include "backend/gcn/sim/exec.h"', '#include "backend/gcn/sim/lane_scalar.h"', '']
   for row in rows:
      lines += scalar_function(row)
   lines += ['const hd_gcn_salu_op hd_gcn_salu_ops[HD_GCN_NUM_OPS] = {']
   write(output, lines + [scalar_entry(row) for row in rows] + ['};'])


# ---- vector -----------------------------------------------------------------------------------

C_TYPES = {'16': 'uint32_t', '32': 'uint32_t', '64': 'uint64_t', 'm': 'uint32_t'}


def load(size, number, what):
   array = f'{what}{number}'
   if size == '16':
      return f'{array}[l] & 0xffff'
   if size == '32':
      return f'{array}[l]'
   if size == '64':
      return f'{array}[l] | (uint64_t){array}[LANES + l] << 32'
   return f'(uint32_t)(v->mask{"_undef" if what == "undef" else ""} >> l) & 1'


def declare(row, undef):
   lines = []
   for number, size in enumerate(row.ins):
      if size != 'm':
         lines.append(f'   const uint32_t *const src{number} = v->src[{number}];')
         if undef:
            lines.append(f'   const uint32_t *const undef{number} = v->src_undef[{number}];')
   return lines


def assign(out, number, expression, undef):
   suffix = '_undef' if undef else ''
   target = f'v->dst{suffix}[{number}]'
   if out == 'm':
      return [f'      mask |= (uint64_t)(({expression}) != 0) << l;']
   if out == '64':
      return [f'      const uint64_t r{number} = {expression};',
              f'      {target}[0][l] = (uint32_t)r{number};',
              f'      {target}[1][l] = (uint32_t)(r{number} >> 32);']
   mask = ' & 0xffff' if out == '16' else ''
   return [f'      {target}[0][l] = (uint32_t)({expression}){mask};']


LOOP = '   for (unsigned l = 0; l < LANES; l++) {'
ACTIVE = '   hd_gcn_foreach_lane (l, v->lanes) {'


def vector_body(row, undef):
   lines = declare(row, undef)
   if 'm' in row.outs:
      lines.append('   uint64_t mask = 0;')
   lines += ['', ACTIVE if row.slow or undef else LOOP]
   for number, (letter, size) in enumerate(zip(LETTERS, row.ins)):
      lines.append(f'      const {C_TYPES[size]} {letter} = {load(size, number, "src")};')
      if undef:
         lines += [f'      const {C_TYPES[size]} u{letter} = {load(size, number, "undef")};',
                   f'      (void){letter}, (void)u{letter};']
      else:
         lines.append(f'      (void){letter};')
   for number, (out, result, rule) in enumerate(zip(row.outs, row.results, row.undef)):
      expression = undef_expression(rule, row.ins, out) if undef else result
      lines += assign(out, number, expression, undef)
   lines.append('   }')
   if 'm' in row.outs:
      lines.append(f'   v->mask_out{"_undef" if undef else ""} = mask;')
   return lines


class Functions:
   """Functions by what they do: of two with the same body there is the first, in `lines`."""

   def __init__(self):
      self.lines = []
      self.names = {}

   def add(self, name, heads, body):
      key = (len(heads), *body)
      if key not in self.names:
         self.names[key] = name
         self.lines += [*heads, *body, '']
      return self.names[key]


def vector_functions(row, functions):
   """The names of the two functions of the row."""
   is_float = any(name.startswith('hd_float') or name in FLOAT_WORDS
                  for name in words(' '.join(row.results)))
   own_mode = ['{', '   const hd_gcn_mode *const m = &v->mode;', '   (void)m;']
   functions.lines.append(f'/* {row.name} */')
   if is_float and not row.slow:
      lanes = functions.add(f'lanes_{row.name}',
                            ['LANE_INLINE void', f'lanes_{row.name}(hd_gcn_valu *v, const hd_gcn_mode *m)'],
                            ['{', '   (void)m;', *vector_body(row, False), '}'])
      body = ['{', '   const hd_gcn_mode plain = plain_mode(&v->mode);', '',
              '   if (v->plain)', f'      {lanes}(v, &plain);', '   else', f'      {lanes}(v, &v->mode);', '}']
   else:
      body = [*own_mode, *vector_body(row, False), '}']
   run = functions.add(f'run_{row.name}', ['static void', f'run_{row.name}(hd_gcn_valu *v)'], body)
   return run, functions.add(f'undef_{row.name}', ['static void', f'undef_{row.name}(hd_gcn_valu *v)'],
                             [*own_mode, *vector_body(row, True), '}'])


FLOAT_WORDS = {'fadd', 'fsub', 'fmul', 'ffma', 'fmad', 'flt', 'fle', 'feq', 'fmin', 'fmax', 'fmed3',
               'fmul_legacy', 'fmad_legacy', 'fnarrow', 'narrow_rtz', 'fldexp', 'frnd'}


def words(text):
   word = ''
   for c in text + ' ':
      if c.isalnum() or c == '_':
         word += c
      elif word:
         yield word
         word = ''


def size_number(size):
   return '1' if size == 'm' else size


def vector_entry(row, run, undef):
   sources = ', '.join(map(size_number, row.ins))
   results = ', '.join(map(size_number, row.outs))
   upper = [what for what, names in UPPER_HALVES.items() if row.name in names]
   if upper and row.outs != ['16']:
      raise SemanticError(f'{row.name}: its result has no upper half')
   return (f'   [{op_constant(row.name)}] = {{ {run}, {undef}, {{ {sources} }}, '
           f'{len(row.ins)}, {{ {results} }}, {len(row.outs)}, HD_GCN_UPPER_{(upper or ["zero"])[0].upper()} }},')


def arctan_inverse(x, one):
   """arctan(1 / x) in units of 1 / one, by its series."""
   total, term, n = 0, one // x, 1
   while term:
      total += term // n if n % 4 == 1 else -(term // n)
      term //= x * x
      n += 2
   return total


def two_over_pi():
   """The first 1201 bits of 2 / pi behind the point, and zeros, in words from the top."""
   bits, spare = 1201, 64
   one = 1 << (bits + spare)
   pi = 4 * (4 * arctan_inverse(5, one) - arctan_inverse(239, one))
   number = (2 * one * one // pi) >> spare
   words = (bits + 63) // 64 + 1
   number <<= 64 * words - bits
   return [number >> 64 * (words - 1 - n) & (1 << 64) - 1 for n in range(words)]


def write_vector(output):
   rows = check(False)
   lines = opening('gcn_exec_vector.c', 'vector instructions, lane by lane.', SOURCES)
   lines += ['#include "backend/gcn/sim/exec.h"', '#include "backend/gcn/sim/lane_divide.h"',
             '#include "backend/gcn/sim/lane_float.h"', '#include "backend/gcn/sim/lane_undef.h"',
             '', '/* What most code runs with, in constants that the loops are made for. */',
             'LANE_INLINE hd_gcn_mode', 'plain_mode(const hd_gcn_mode *m)', '{',
             '   return (hd_gcn_mode){ .round32 = HD_ROUND_NEAREST_EVEN,',
             '                         .round64 = HD_ROUND_NEAREST_EVEN,',
             '                         .ieee = m->ieee };', '}', '']
   lines += ['/* Bits of 2 / pi behind the point. */', 'static const uint64_t two_over_pi[] = {']
   lines += [f'   UINT64_C({word:#018x}),' for word in two_over_pi()]
   lines += ['};', '', '#define trig_preop(x, n) float_trig_preop(two_over_pi, x, n)', '']
   functions = Functions()
   entries = [vector_entry(row, *vector_functions(row, functions)) for row in rows]
   lines += functions.lines
   write(output, lines + ['const hd_gcn_valu_op hd_gcn_valu_ops[HD_GCN_NUM_OPS] = {'] + entries + ['};'])


# ---- memory, and what is reported ------------------------------------------------------------

def memory_entry(op):
   a = access(op)
   if not a:
      raise SemanticError(f'{op.name}: what does it move?')
   fields = [f'.kind = HD_GCN_ACCESS_{a.kind.upper()}']
   if a.bytes:
      fields.append(f'.bytes = {a.bytes}')
   if a.channels:
      fields.append(f'.channels = {a.channels}')
   if a.two:
      fields.append(f'.two = {a.two}')
   if a.atomic:
      if a.atomic not in ATOMICS:
         raise SemanticError(f"{op.name}: no atomic '{a.atomic}'")
      fields.append(f'.atomic = &atomic_{a.atomic}')
   fields += [f'.{flag} = true' for flag in ('signed', 'd16', 'hi', 'returns', 'buffer', 'relative')
              if getattr(a, flag)]
   text = ', '.join(fields).replace('.signed', '.is_signed')
   return f'   [{op.enum}] = {{ {text} }},'


UNDEF_RULES = {'up': 'upward(ua | ub)', 'any': 'any64(ua | ub | uc)'}


def atomic_lines(name):
   """Its two functions, and the row that has them."""
   value, undef = ATOMICS[name]
   return ['static uint64_t', f'value_of_{name}(unsigned bits, uint32_t denorm, uint64_t a, uint64_t b, uint64_t c)',
           '{', '   (void)bits, (void)denorm, (void)a, (void)b, (void)c;', f'   return {value};', '}', '',
           'static uint64_t',
           f'undef_of_{name}(uint64_t a, uint64_t ua, uint64_t b, uint64_t ub, uint64_t c, uint64_t uc)',
           '{', '   (void)a, (void)ua, (void)b, (void)ub, (void)c, (void)uc;',
           f'   return {UNDEF_RULES.get(undef, undef)};', '}', '',
           f'static const hd_gcn_atomic atomic_{name} = {{ value_of_{name}, undef_of_{name}, '
           f'{str(name.endswith("cmpswap")).lower()} }};', '']


def image_entry(op):
   kind, flags = image_parts(op.name)
   return f'   [{op.enum}] = {{ .kind = HD_GCN_TEXEL_{kind}{"".join(f", .{flag} = true" for flag in flags)} }},'


def write_memory(output):
   isa = all_rows()
   lines = opening('gcn_exec_memory.c', 'what instructions of memory move.', 'gcn/sem_memory.py')
   lines += ['#include "backend/gcn/sim/exec_memory.h"', '#include "backend/gcn/sim/lane_float.h"',
             '#include "backend/gcn/sim/lane_undef.h"', '']
   for name in ATOMICS:
      lines += atomic_lines(name)
   lines += ['const hd_gcn_access hd_gcn_accesses[HD_GCN_NUM_OPS] = {']
   lines += [memory_entry(op) for op in isa
             if op.format in MEMORY_FORMATS and op.name not in UNMODELLED]
   lines += ['};', '', 'const hd_gcn_image_op hd_gcn_image_ops[HD_GCN_NUM_OPS] = {']
   lines += [image_entry(op) for op in isa if op.format == 'mimg' and op.name not in UNMODELLED]
   lines += ['};', '', '/* Instructions that are reported, and why. */',
             'const char *const hd_gcn_unmodelled[HD_GCN_NUM_OPS] = {']
   lines += [f'   [{op.enum}] = "{UNMODELLED[op.name]}",' for op in isa if op.name in UNMODELLED]
   write(output, lines + ['};'])


if __name__ == '__main__':
   what, path = sys.argv[1:]
   {'scalar': write_scalar, 'vector': write_vector, 'memory': write_memory}[what](path)
