# SPDX-License-Identifier: MIT
"""The passes, one row each, and what is generated from the rows.

    passes.passes header OUTPUT   pass_table.h: prototypes, what each pass keeps
    passes.passes table OUTPUT    pass_table.c: the rows as data

doc/passes.md has the list of them.

A pass `opt_x` is the function hd_opt_x() in src/passes/opt_x.c with its tests in
tests/passes/opt_x.hd; a row whose files are missing stops the build.
"""
import pathlib
import re
import sys

from codegen.emit import between, flags, opening, write
from codegen.ir.lowered import LOWERED
from codegen.ir.schema import TableError

META = ('block_order', 'dominance', 'post_dominance', 'cycles', 'instr_order', 'graph', 'all')
FORMS = ('tree', 'flat')
SCOPES = ('function', 'shader')
MAX_OPTIONS = 8  # HD_MAX_PASS_OPTIONS


class Option:
   """A number that a pass is told, `value` where it is not; from `low` to `high`."""

   def __init__(self, name, value, meaning, low=0, high=0xffffffff):
      self.name = name
      self.value = value
      self.meaning = meaning
      self.low = low
      self.high = high


class Pass:
   """`requires` is computed before the pass, `preserves` holds after it has changed something.

   A pass of the scope `shader` is called once with all functions, else once for each. `lowers`:
   the constructs of ir/lowered.py of which it leaves none, if it could run on every function; after
   `: ` the option that must not be 0 for that.
   """

   def __init__(self, name, meaning, forms, scope='function', requires=(), preserves=(),
                options=(), lowers=()):
      self.name = name
      self.meaning = meaning
      self.forms = forms
      self.scope = scope
      self.requires = requires
      self.preserves = preserves
      self.options = options
      self.lowers = [(text.split(': ') + [None])[:2] for text in lowers]


LOWERINGS = [
   Pass('lower_atomics', 'float atomics become loops that compare and swap', forms=('tree',), options=(
      Option('shared', 1, 'the machine lacks sums of floats of 32 bits in shared memory', high=1),)),
   Pass('lower_bool', 'make values of 1 bit numbers, but for answers and conditions',
        forms=('tree', 'flat'), preserves=('graph',),
        options=(Option('ones', 1, 'true is all ones, else 1', high=1),), lowers=('bool',)),
   Pass('lower_early_returns', 'several returns become one', forms=('tree', 'flat')),
   Pass('lower_exit_phis', 'what a cycle leaves behind in each lane is read through phis at its'
        ' exits', forms=('tree', 'flat'), requires=('block_order', 'dominance', 'cycles'),
        preserves=('graph',)),
   Pass('lower_idiv', 'make integer division multiplications and float reciprocals',
        forms=('tree', 'flat'), preserves=('graph',), lowers=('idiv',)),
   Pass('lower_int64', 'make arithmetic on 64-bit integers arithmetic on pairs of words',
        forms=('tree', 'flat'), requires=('block_order',), preserves=('graph',),
        options=tuple(Option(group, 1, f'the machine lacks {what}', high=1) for group, what in (
           ('add', 'sums, differences and negation'), ('mul', 'products'), ('shift', 'shifts'),
           ('compare', 'compares'), ('minmax', 'minimum, maximum, distance and saturation'),
           ('logic', 'bitwise ops and select'), ('bits', 'bit counts, searches and fields'),
           ('convert', 'conversions from and to other sizes and floats'))),
        lowers=tuple(f'int64_{group}: {group}' for group in (
           'add', 'mul', 'shift', 'compare', 'minmax', 'logic', 'bits', 'convert'))),
   Pass('lower_nonuniform', 'make an access to descriptors that differ a loop over them',
        forms=('tree',), lowers=('nonuniform',)),
   Pass('lower_phis', 'phis become variables, with few copies', forms=('tree', 'flat'),
        requires=('block_order', 'dominance', 'cycles'), preserves=('graph',)),
   Pass('lower_reconverge', 'make divergent branches of flat functions reconverge',
        forms=('flat',),
        options=(Option('order', 0, 'of the blocks: 0 default, 1 depth first, 2 breadth first, 3'
                        ' reverse postorder', high=3),
                 Option('keep', 0, 'leave alone what reconverges but does not keep the sweep',
                        high=1))),
   Pass('lower_shuffle', 'make reading any other lane a loop over the lanes that are read',
        forms=('tree',), options=(
           Option('swizzle', 32, 'patterns by constants within so many lanes stay', high=128),)),
   Pass('lower_small_ints', 'make arithmetic on 8- and 16-bit integers arithmetic on 32 bits',
        forms=('tree', 'flat'), preserves=('graph',),
        options=(Option('int8', 1, 'the machine lacks 8-bit arithmetic', high=1),
                 Option('int16', 1, 'the machine lacks 16-bit integer arithmetic', high=1)),
        lowers=('int8: int8', 'int16: int16')),
   Pass('lower_structurize', 'make flat functions structured', forms=('tree', 'flat')),
   Pass('lower_subgroup', 'make reductions, scans, votes and shifts over lanes ballots and shuffles',
        forms=('tree',), options=(
           Option('arith', 1, 'reductions and scans but those of `dwords`', high=1),
           Option('dwords', 1, 'reductions and scans of 32 bits where the order of lanes does not'
                  ' matter', high=1),
           Option('vote', 1, 'votes and elect', high=1),
           Option('shift', 1, 'shuffles by a distance, and rotations', high=1)),
        lowers=('subgroup_arith: arith', 'subgroup_dwords: dwords', 'subgroup_vote: vote',
                'subgroup_shift: shift')),
   Pass('lower_switch', 'make switches of flat functions branches with two ways', forms=('flat',)),
   Pass('lower_unstructure', 'make structured functions flat', forms=('tree', 'flat')),
   Pass('lower_vars_to_scratch', 'local variables go to the memory of the lane',
        forms=('tree', 'flat'), scope='shader', preserves=('graph',)),
   Pass('lower_vars_to_selects', 'small arrays become variables for their elements, chosen by the'
        ' index', forms=('tree', 'flat'), preserves=('graph',), options=(
           Option('selects', 16, 'components chosen from in one access, at most', low=1,
                  high=1024),)),
   Pass('lower_vectors', 'make what works on each component of a vector one instruction for each',
        forms=('tree', 'flat'), requires=('block_order',), preserves=('graph',),
        options=(Option('access', 0, 'components of one load or store of memory, at most; 0: any',
                        high=16),), lowers=('vectors',)),
]

PASSES = LOWERINGS + [
   Pass('opt_algebraic', 'fold constants, and replace instructions by cheaper or simpler ones',
        forms=('tree', 'flat'), requires=('block_order',), preserves=('graph',)),
   Pass('opt_copy', 'read what was copied, not the copy', forms=('tree', 'flat'),
        requires=('block_order',), preserves=('graph',)),
   Pass('opt_cse', 'compute once what is computed twice', forms=('tree', 'flat'),
        requires=('block_order', 'dominance', 'cycles'), preserves=('graph',)),
   Pass('opt_dce', 'remove what has no effect and whose result nothing with an effect needs',
        forms=('tree', 'flat'), preserves=('graph',)),
   Pass('opt_dead_cf', 'remove control flow that decides nothing and code that nothing reaches',
        forms=('tree', 'flat')),
   Pass('opt_gcm', 'run each instruction in the fewest loops, and there with the fewest lanes',
        forms=('tree', 'flat'),
        requires=('block_order', 'dominance', 'cycles'), preserves=('graph',),
        options=(Option('loads', 1, 'what reads memory, too', low=0, high=1),)),
   Pass('opt_if', 'what a condition implies, and ifs that are one', forms=('tree',)),
   Pass('opt_if_convert', 'small ifs become selects', forms=('tree',),
        options=(Option('uniform_cost', 4, 'the most that may run in vain at a uniform branch, in'
                        ' ops of 32 bits', high=1000),
                 Option('divergent_cost', 16, 'the same at a divergent branch', high=1000),
                 Option('divergent_masks', 8, 'what masks and branches around two arms take',
                        high=1000))),
   Pass('opt_inline', 'calls become what they call', forms=('tree', 'flat'), scope='shader',
        options=(Option('cost', 1000000, 'instructions of a function that is put in, at most'),
                 Option('size', 1000000, 'instructions of a function with what is put in, at most'),
                 Option('remove', 0, 'functions that nothing calls, too; the entry stays',
                        high=1))),
   Pass('opt_jump', 'fewer jumps, flatter nests, and no loops that run once', forms=('tree',),
        options=(Option('nest', 16, 'levels of ifs and loops that may become the arm of an if',
                        high=100000),)),
   Pass('opt_late', 'use what the machine does in one instruction', forms=('tree', 'flat'),
        requires=('block_order',), preserves=('graph',), options=(
           Option('gfx', 900, 'the generation of the machine', low=600, high=1299),
           Option('fma', 1, 'a fused multiply-add is as fast as a sum', low=0, high=1),
           Option('fast_div', 1, 'divide by a constant as by its reciprocal', low=0, high=1))),
   Pass('opt_licm', 'compute before a loop what is the same each time round',
        forms=('tree', 'flat'),
        requires=('block_order', 'dominance', 'cycles'), preserves=('graph',),
        options=(Option('loads', 1, 'what reads memory, too', low=0, high=1),
                 Option('speculate', 1, 'also what not all that enter the loop come to', low=0,
                        high=1))),
   Pass('opt_merge_access', 'accesses to neighbouring memory become one', forms=('tree', 'flat'),
        preserves=('graph',), options=(Option('bytes', 16, 'the most of one access', low=8, high=64),)),
   Pass('opt_offsets', 'what is added to an address goes into the instruction that uses it',
        forms=('tree', 'flat'), preserves=('graph',), options=(
           Option('global', 4095, 'the greatest offset of global memory', low=0, high=0x7ffffffe),
           Option('down', 1, 'offsets of global memory can be negative, too', low=0, high=1),
           Option('buffer', 4095, 'the greatest offset of buffers', low=0, high=0x7ffffffe),
           Option('shared', 65535, 'the greatest offset of shared memory', low=0, high=0x7ffffffe),
           Option('scratch', 4095, 'the greatest offset of scratch memory', low=0, high=0x7ffffffe),
           Option('scalar', 0xfffff, 'the greatest offset of push constants and arguments', low=0,
                  high=0x7ffffffe))),
   Pass('opt_phi', 'remove phis that are some other value', forms=('tree', 'flat'),
        preserves=('graph',)),
   Pass('opt_sccp', 'constants, by the ways that can be taken and what branches have decided',
        forms=('tree', 'flat'), requires=('dominance',), preserves=('graph',), options=(
           Option('divide', 1, 'a divisor is worth a constant where a branch knows it', low=0,
                  high=1),)),
   Pass('opt_sink', 'compute in an arm, or after a loop, what only is used there',
        forms=('tree', 'flat'),
        requires=('block_order', 'dominance', 'cycles'), preserves=('graph',),
        options=(Option('loads', 1, 'what reads memory, too', low=0, high=1),)),
   Pass('opt_unroll', 'loops that are counted and short become straight code', forms=('tree',),
        options=(Option('trips', 32, 'the most runs of a loop', high=65536),
                 Option('size', 400, 'instructions of all runs together, at most'))),
   Pass('opt_vars_split', 'arrays named by constants and vectors used by component become variables'
        ' for their parts', forms=('tree', 'flat'), preserves=('graph',)),
   Pass('opt_vars_to_constants', 'arrays that hold constants become constant data of the shader',
        forms=('tree', 'flat'), preserves=('graph',), options=(
           Option('components', 8, 'of an array that goes to memory, at least'),
           Option('word', 64, 'bits of the word that small elements are put in, at most', high=64),
           Option('bytes', 1 << 20, 'of constant data that the shader may have', high=1 << 26))),
   Pass('opt_vars_to_ssa', 'local variables that are no arrays become values and phis',
        forms=('tree', 'flat'), preserves=('graph',)),
]


def one_line(words):
   return words and not words.endswith('.') and '\n' not in words


def check_options(where, options):
   names = [o.name for o in options]
   if len(set(names)) != len(names) or len(names) > MAX_OPTIONS:
      raise TableError(f'{where}: at most {MAX_OPTIONS} options, each once')
   for o in options:
      if not re.fullmatch(r'[a-z][a-z0-9_]*', o.name):
         raise TableError(f'{where}: {o.name!r} is no name of an option')
      if not one_line(o.meaning):
         raise TableError(f'{where}: {o.name}: the meaning is one line without a full stop')
      if not 0 <= o.low <= o.value <= o.high <= 0xffffffff:
         raise TableError(f'{where}: {o.name}: {o.value} is not from {o.low} to {o.high}')


def check(passes, root):
   names = [p.name for p in passes]
   if names != sorted(set(names)):
      raise TableError('passes/passes.py: rows are in the order of their names, each once')
   for p in passes:
      where = f'passes/passes.py: {p.name}'
      if not re.fullmatch(r'(opt|lower)_[a-z0-9_]+', p.name):
         raise TableError(f'{where}: a name begins with opt_ or lower_')
      if not one_line(p.meaning):
         raise TableError(f'{where}: the meaning is one line without a full stop')
      if not p.forms or any(f not in FORMS for f in p.forms):
         raise TableError(f'{where}: forms are {" and ".join(FORMS)}')
      if p.scope not in SCOPES:
         raise TableError(f'{where}: the scope is {" or ".join(SCOPES)}')
      check_options(where, p.options)
      check_lowers(where, p)
      for meta in (*p.requires, *p.preserves):
         if meta not in META:
            raise TableError(f'{where}: no metadata is called {meta}')
      for path in (f'src/passes/{p.name}.c', f'tests/passes/{p.name}.hd'):
         if root and not (root / path).exists():
            raise TableError(f'{where}: {path} is missing')


def check_lowers(where, p):
   known = {row.name for row in LOWERED}
   for construct, option in p.lowers:
      if construct not in known:
         raise TableError(f'{where}: no construct of ir/lowered.py is called {construct}')
      if option and option not in [o.name for o in p.options]:
         raise TableError(f'{where}: {construct}: it has no option {option}')
   if p.lowers and not p.name.startswith('lower_'):
      raise TableError(f'{where}: what lowers is called lower_')


def escaped(words):
   return words.replace('\\', '\\\\').replace('"', '\\"')


def subject(p):
   return 'hd_shader *shader' if p.scope == 'shader' else 'hd_function *f'


def header(passes):
   lines = opening('pass_table.h', 'the passes: prototypes, options, and what each keeps.', 'passes/passes.py')
   lines += ['#ifndef HEDDLE_PASSES_PASS_TABLE_H', '#define HEDDLE_PASSES_PASS_TABLE_H', '',
             '#include "heddle/analysis.h"', '']
   for p in passes:
      lines.append(f'/* {p.meaning} */')
      if p.options:
         lines += [f'typedef struct {p.name}_options {{',
                   *(f'   uint32_t {o.name}; /* {o.meaning} */' for o in p.options),
                   f'}} {p.name}_options;']
      told = f', const {p.name}_options *o' if p.options else ''
      lines += [f'bool hd_{p.name}({subject(p)}{told});',
                f'#define {p.name.upper()}_KEEPS ({flags("HD_META_", p.preserves)})', '']
   return lines + ['#endif']


def caller(p):
   """What the row points to: gives the values of the options their names."""
   what = subject(p).split('*')[1]
   lines = ['static bool', f'run_{p.name}({subject(p)}, const uint32_t *values)', '{']
   if p.options:
      values = ', '.join(f'values[{n}]' for n in range(len(p.options)))
      lines += [f'   const {p.name}_options o = {{ {values} }};', '',
                f'   return hd_{p.name}({what}, &o);']
   else:
      lines += ['   (void)values;', f'   return hd_{p.name}({what});']
   return lines + ['}', '']


def lowered(p):
   """What the shader is to remember after the pass."""
   numbers = {o.name: n for n, o in enumerate(p.options)}
   return [f'static const hd_pass_lowers {p.name}_lowers[] = {{',
           *(f'   {{ HD_LOWERED_{construct.upper()}, {numbers[option] if option else -1} }},'
             for construct, option in p.lowers), '};', '']


def row(p):
   options = f'{p.name}_option_rows' if p.options else 'NULL'
   run = f'run_{p.name}'
   return ['   {', f'      "{p.name}",', f'      "{escaped(p.meaning)}",',
           f'      {flags("HD_META_", p.requires)},', f'      {flags("HD_META_", p.preserves)},',
           f'      {flags("HD_PASS_", p.forms)},', f'      {len(p.options)},', f'      {options},',
           f'      {"NULL" if p.scope == "shader" else run},',
           f'      {run if p.scope == "shader" else "NULL"},',
           f'      {len(p.lowers)},', f'      {f"{p.name}_lowers" if p.lowers else "NULL"},',
           '   },']


def table(passes):
   lines = opening('pass_table.c', 'the passes as data.', 'passes/passes.py')
   lines += ['#include "heddle/ops.h"', '#include "heddle/pass.h"', '#include "pass_table.h"', '#include "passes/table.h"', '']
   for p in passes:
      lines += caller(p)
      if p.lowers:
         lines += lowered(p)
      if p.options:
         lines += [f'static const hd_pass_option {p.name}_option_rows[] = {{',
                   *(f'   {{ "{o.name}", "{escaped(o.meaning)}", {o.value}u, {o.low}u, {o.high}u }},'
                     for o in p.options), '};', '']
   lines += ['const hd_pass hd_pass_table[] = {']
   for p in passes:
      lines += row(p)
   return lines + ['};', '', 'const unsigned hd_pass_table_size = '
                   'sizeof(hd_pass_table) / sizeof(hd_pass_table[0]);']


BEGIN, END = '<!-- passes: generated by passes/passes.py -->', '<!-- end of passes -->'


def doc(passes, text):
   rows = ['| pass | what it does | takes | needs | keeps |', '|---|---|---|---|---|']
   for p in passes:
      needs, keeps = (', '.join(m.replace('_', ' ') for m in names) or '-'
                      for names in (p.requires, p.preserves))
      rows.append(f'| `{p.name}` | {p.meaning} | {", ".join(p.forms)} | {needs} | {keeps} |')
   options = [(p, o) for p in passes for o in p.options]
   if options:
      rows += ['', '| option | what it says | usual | from, to |', '|---|---|---|---|']
   for p, o in options:
      high = 'any' if o.high == 0xffffffff else o.high
      rows.append(f'| `{p.name}({o.name}=)` | {o.meaning} | {o.value} | {o.low}, {high} |')
   return between(text, BEGIN, END, rows)


def page(text):
   return doc(PASSES, text)


def main(what, output):
   check(PASSES, pathlib.Path(__file__).resolve().parents[3])
   write(output, {'header': header, 'table': table}[what](PASSES))


if __name__ == '__main__':
   main(*sys.argv[1:])
