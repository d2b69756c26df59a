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
      self.ops = ()


class OpsOption(Option):
   """A set of ops: bit n is that of number n. pass_table.h lists them for the pass."""

   def __init__(self, name, meaning, ops):
      added = ', '.join(f'{1 << n} {op}' for n, op in enumerate(ops))
      everything = (1 << len(ops)) - 1
      super().__init__(name, everything, f'{meaning}, added: {added}', high=everything)
      self.ops = ops


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


SIZES = 'components, in bytes, added: 1, 2, 4, 8'

LOWERINGS = [
   Pass('lower_access_sizes', 'make loads and stores of sizes and alignments that the machine has', forms=('tree', 'flat'),
        preserves=('graph',), options=(
           Option('loads', 15, f'what it loads: {SIZES}', low=1, high=15),
           Option('stores', 15, f'what it stores: {SIZES}', low=1, high=15),
           Option('components', 4, 'most components of an access', low=1, high=16),
           Option('align', 4, 'bytes that an access must be aligned to, if it is not shorter; a power of two', low=1, high=128),
           Option('masked', 0, 'smaller stores by two atomics for each dword', high=1),
           Option('memory', 127, 'of hd_memory_class, added: 1 global, 2 buffer, 4 shared, 8 scratch, 16 push, 32 kernarg,'
                  ' 64 constant', high=127))),
   Pass('lower_atomics', 'expand floating-point atomics to compare-and-swap loops', forms=('tree',),
        options=(Option('shared', 1, 'the machine has no 32-bit float add in shared memory', high=1),
                 Option('fragment', 0, 'fragment shaders, too: no helper lane comes to an atomic (lower_helpers)', high=1))),
   Pass('lower_barycentrics', 'compute barycentric coordinates at an offset or at a sample from those at the center',
        forms=('tree', 'flat'), preserves=('graph',),
        options=(Option('samples', 1, 'samples of a pixel, at their standard positions', high=16),)),
   Pass('lower_bool', 'widen 1-bit values to integers, except compare results and branch conditions',
        forms=('tree', 'flat'), preserves=('graph',),
        options=(Option('ones', 1, 'true is all ones instead of 1', high=1),), lowers=('bool',)),
   Pass('lower_builtins', 'compute built-in inputs (system values) from those that the machine provides', forms=('tree', 'flat'),
        preserves=('graph',), options=(
           Option('global', 1, 'the machine has no global invocation id and index', high=1),
           Option('local', 1, 'local invocation, the machine has: 0 id and index, 1 the id, 2 the index, 3 the subgroup'
                  ' id', high=3),
           Option('workgroup_index', 1, 'the machine has no workgroup index', high=1),
           Option('subgroups', 1, 'the machine has no subgroup id and number of subgroups', high=1),
           Option('masks', 1, 'the machine has no subgroup masks (lt, le, eq, ge, gt)', high=1),
           Option('sizes', 1, 'sizes that the shader fixes are constants', high=1),
           Option('view', 0, 'there is one view: its number is 0', high=1))),
   Pass('lower_early_returns', 'merge several returns of a function into one', forms=('tree', 'flat'),
        options=(Option('halts', 0, 'halts of an entry without calls are returns', high=1),)),
   Pass('lower_exit_phis', 'insert LCSSA phis at divergent loop exits', forms=('tree', 'flat'),
        requires=('block_order', 'dominance', 'cycles'),
        preserves=('graph',)),
   Pass('lower_float_functions', 'expand float division, roots, exp2, log2, sin and cos to simpler arithmetic',
        forms=('tree', 'flat'), preserves=('graph',), options=(
           *(Option(name, 1, f'the machine has no correctly rounded {name}, of 16 and 32 bits', high=1)
             for name in ('div', 'rcp', 'sqrt', 'rsq')),
           *(Option(name, 0, f'it has no {name}: of 32 bits to within 0.52 units of the last place', high=1)
             for name in ('exp2', 'log2', 'sin', 'cos')))),
   Pass('lower_helpers', 'make helper lanes of fragment shaders control flow: they have no effects, and end when'
        ' nothing needs them', forms=('tree',), requires=('block_order',)),
   Pass('lower_idiv', 'expand integer division and remainder to multiplications and reciprocals',
        forms=('tree', 'flat'), preserves=('graph',), lowers=('idiv: quotient',),
        options=(Option('quotient', 1, 'the machine has no unsigned quotient of 32 bits, all ones by zero', high=1),)),
   Pass('lower_int64', 'expand 64-bit integer arithmetic to 32-bit pairs',
        forms=('tree', 'flat'), requires=('block_order',), preserves=('graph',),
        options=tuple(Option(group, 1, f'the machine has no 64-bit {what}', high=1) for group, what in (
           ('add', 'add, subtract and negate'), ('mul', 'multiply'), ('shift', 'shifts'),
           ('compare', 'compares'), ('minmax', 'minimum, maximum, absolute difference and saturation'),
           ('logic', 'bitwise ops and select'), ('bits', 'bit counts, bit searches and bit fields'),
           ('convert', 'conversions to and from other sizes and floats'))),
        lowers=tuple(f'int64_{group}: {group}' for group in (
           'add', 'mul', 'shift', 'compare', 'minmax', 'logic', 'bits', 'convert'))),
   Pass('lower_nonuniform', 'wrap accesses through non-uniform descriptors in waterfall loops',
        forms=('tree',), lowers=('nonuniform',)),
   Pass('lower_outputs', 'bring stores to outputs to the end of the entry, each component once', forms=('tree',),
        options=(Option('final', 0, 'what is not stored is undefined, and what lanes have stored that end early or become'
                        ' helpers is lost', high=1),)),
   Pass('lower_pack', 'expand packing and unpacking to shifts, ors and conversions', forms=('tree', 'flat'),
        preserves=('graph',), options=(
           Option('pairs', 0, 'the machine cannot join and split 64-bit values', high=1),
           Option('small', 1, 'it cannot join and split parts of 8 and 16 bits', high=1),
           Option('half', 1, 'packed 16-bit floats: 0 kept, 1 converted, 2 by integer arithmetic', high=2),
           Option('norm', 1, 'it has no normalised formats', high=1))),
   Pass('lower_phis', 'leave SSA: replace phis with variables, coalescing copies', forms=('tree', 'flat'),
        requires=('block_order', 'dominance', 'cycles'), preserves=('graph',)),
   Pass('lower_reconverge', 'add explicit reconvergence points for divergent branches of flat functions',
        forms=('flat',),
        options=(Option('order', 0, 'block order: 0 default, 1 depth first, 2 breadth first, 3'
                        ' reverse postorder', high=3),
                 Option('keep', 0, 'leave branches that reconverge, though not in sweep order',
                        high=1),
                 Option('masks', 16, 'most masks of waiting lanes a block: where there are more, the function'
                        ' becomes a tree instead; 0: no limit', high=100000))),
   Pass('lower_shuffle', 'expand shuffles by a variable lane to loops over the source lanes',
        forms=('tree',), options=(
           Option('swizzle', 32, 'keep constant patterns within groups of this many lanes', high=128),
           Option('fragment', 0, 'fragment shaders, too', high=1))),
   Pass('lower_small_ints', 'widen 8-bit and 16-bit integer arithmetic to 32 bits',
        forms=('tree', 'flat'), preserves=('graph',),
        options=(Option('int8', 1, 'the machine has no 8-bit arithmetic', high=1),
                 Option('int16', 1, 'the machine has no 16-bit integer arithmetic', high=1),
                 Option('int16_single', 0, 'it has that only of vectors of two, which stay as they are', high=1)),
        lowers=('int8: int8', 'int16: int16')),
   Pass('lower_structurize', 'structurize flat functions', forms=('tree', 'flat')),
   Pass('lower_subgroup', 'expand subgroup reductions, scans, votes and shifts to ballots and shuffles',
        forms=('tree',), options=(
           Option('arith', 1, 'expand reductions and scans, except those of `dwords`', high=1),
           Option('dwords', 1, 'expand 32-bit reductions and scans whose operation is associative and'
                  ' commutative', high=1),
           Option('vote', 1, 'expand votes and elect', high=1),
           Option('shift', 1, 'expand shuffles by a constant distance, and rotations', high=1)),
        lowers=('subgroup_arith: arith', 'subgroup_dwords: dwords', 'subgroup_vote: vote',
                'subgroup_shift: shift')),
   Pass('lower_switch', 'lower switches of flat functions to two-way branches', forms=('flat',)),
   Pass('lower_unstructure', 'lower structured control flow to a flat CFG', forms=('tree', 'flat')),
   Pass('lower_vars_to_scratch', 'move local variables to scratch memory',
        forms=('tree', 'flat'), scope='shader', preserves=('graph',)),
   Pass('lower_vars_to_selects', 'replace small dynamically indexed arrays with variables and'
        ' selects', forms=('tree', 'flat'), preserves=('graph',), options=(
           Option('selects', 16, 'most components that one access may select from', low=1,
                  high=1024),
           Option('few', 0, 'most components where accesses with a dynamic index are few', high=1024),
           Option('total', 512, 'how many components these accesses may select from together', high=1 << 20))),
   Pass('lower_vectors', 'scalarise vector arithmetic',
        forms=('tree', 'flat'), requires=('block_order',), preserves=('graph',),
        options=(Option('access', 0, 'most components of one memory access; 0: any', high=16),
                 Option('pairs', 1, 'vectors of two, too', high=1)),
        lowers=('vectors: pairs',)),
]

PASSES = LOWERINGS + [
   Pass('opt_algebraic', 'constant folding, algebraic simplification and strength reduction',
        forms=('tree', 'flat'), requires=('block_order',), preserves=('graph',)),
   Pass('opt_copy', 'copy propagation', forms=('tree', 'flat'),
        requires=('block_order',), preserves=('graph',)),
   Pass('opt_cse', 'common subexpression elimination by global value numbering (CSE, GVN)',
        forms=('tree', 'flat'), requires=('block_order', 'dominance', 'cycles'), preserves=('graph',)),
   Pass('opt_dce', 'dead code elimination',
        forms=('tree', 'flat'), preserves=('graph',)),
   Pass('opt_dead_cf', 'remove dead control flow: constant or empty branches, unreachable code',
        forms=('tree', 'flat')),
   Pass('opt_dead_stores', 'dead store elimination (DSE) on buffers, global, shared and scratch memory',
        forms=('tree', 'flat'), requires=('block_order',), preserves=('graph',),
        options=(Option('window', 16, 'most later stores to compare with', low=1, high=64),)),
   Pass('opt_forward_stores', 'store-to-load forwarding, and removal of repeated loads and stores',
        forms=('tree', 'flat'), requires=('block_order', 'dominance'), preserves=('graph',),
        options=(Option('window', 16, 'most earlier accesses to compare with', low=1, high=64),)),
   Pass('opt_gcm', 'global code motion: fewest loops first, then fewest active lanes',
        forms=('tree', 'flat'),
        requires=('block_order', 'dominance', 'cycles'), preserves=('graph',),
        options=(Option('loads', 1, 'move loads too', low=0, high=1),)),
   Pass('opt_if', 'propagate branch conditions and merge adjacent or nested ifs', forms=('tree',)),
   Pass('opt_if_convert', 'if-conversion: replace small ifs with selects', forms=('tree',),
        options=(Option('uniform_cost', 4, 'most 32-bit ops to speculate at a uniform branch', high=1000),
                 Option('divergent_cost', 16, 'most 32-bit ops to speculate at a divergent branch', high=1000),
                 Option('divergent_masks', 8, 'cost of the exec masks and branches of a two-armed if',
                        high=1000),
                 Option('divergent_arm', 0, 'most 32-bit ops of an arm that runs before a divergent branch',
                        high=1000))),
   Pass('opt_inline', 'inline function calls', forms=('tree', 'flat'), scope='shader',
        options=(Option('cost', 1000000, 'most instructions of an inlined callee'),
                 Option('size', 1000000, 'most instructions of the caller after inlining'),
                 Option('remove', 0, 'also remove functions without callers, except the entry',
                        high=1))),
   Pass('opt_invocation_ids', 'simplify invocation ids in dimensions of workgroup size 1',
        forms=('tree', 'flat'), preserves=('graph',)),
   Pass('opt_jump', 'remove redundant jumps, flatten nesting, remove loops that run once', forms=('tree',),
        options=(Option('nest', 16, 'most levels of nesting to move into the arm of an if',
                        high=100000),)),
   Pass('opt_late', 'late algebraic rules: combine into instructions that the machine has', forms=('tree', 'flat'),
        requires=('block_order',), preserves=('graph',), options=(
           Option('three_16', 1, 'three floats of 16 bits: fused multiply-add, minimum, maximum, median', high=1),
           Option('three_int_16', 0, 'three integers of 16 bits: minimum, maximum, median', high=1),
           Option('three_int', 1, 'sums, shifts and bit operations of three integers in one instruction', high=1),
           Option('fma', 1, 'fused multiply-add is as fast as add', low=0, high=1),
           Option('fast_div', 1, 'divide by a constant through its reciprocal', low=0, high=1))),
   Pass('opt_licm', 'loop-invariant code motion (LICM)',
        forms=('tree', 'flat'),
        requires=('block_order', 'dominance', 'cycles'), preserves=('graph',),
        options=(Option('loads', 1, 'move loads too', low=0, high=1),
                 Option('speculate', 1, 'hoist speculatively what may not be reached', low=0,
                        high=1))),
   Pass('opt_matrix_chain', 'matrix chain ordering: (A * B) * v becomes A * (B * v)', forms=('tree', 'flat'),
        preserves=('graph',)),
   Pass('opt_merge_access', 'load/store vectorisation: merge accesses to adjacent memory',
        forms=('tree', 'flat'), preserves=('graph',), options=(
           Option('bytes', 16, 'most bytes of one access', low=8, high=64),
           Option('small', 1, 'components of 8 and 16 bits become parts of dwords', high=1),
           Option('halves', 0, 'those of 16 bits become longer vectors instead', high=1))),
   Pass('opt_move_discards', 'move discards to where their condition is known',
        forms=('tree', 'flat'), preserves=('graph',),
        options=(Option('window', 256, 'most instructions to move past', low=1, high=100000),)),
   Pass('opt_offsets', 'fold constant address offsets into memory instructions',
        forms=('tree', 'flat'), requires=('block_order', 'dominance'), preserves=('graph',), options=(
           Option('global', 4095, 'greatest immediate offset of global memory', low=0, high=0x7ffffffe),
           Option('down', 1, 'global memory offsets may be negative', low=0, high=1),
           Option('buffer', 4095, 'greatest immediate offset of buffers', low=0, high=0x7ffffffe),
           Option('shared', 65535, 'greatest immediate offset of shared memory', low=0, high=0x7ffffffe),
           Option('scratch', 4095, 'greatest immediate offset of scratch memory', low=0, high=0x7ffffffe),
           Option('scalar', 0xfffff, 'greatest immediate offset of push constants and kernel arguments', low=0,
                  high=0x7ffffffe))),
   Pass('opt_phi', 'remove redundant phis', forms=('tree', 'flat'),
        preserves=('graph',)),
   Pass('opt_sccp', 'sparse conditional constant propagation (SCCP), with facts from branch conditions',
        forms=('tree', 'flat'), requires=('dominance',), preserves=('graph',), options=(
           Option('divide', 1, 'propagate constant divisors that a branch implies', low=0,
                  high=1),)),
   Pass('opt_sink', 'sink code into the branch arm or after the loop that uses it',
        forms=('tree', 'flat'),
        requires=('block_order', 'dominance', 'cycles'), preserves=('graph',),
        options=(Option('loads', 1, 'move loads too', low=0, high=1),)),
   Pass('opt_slsr', 'straight-line strength reduction (SLSR): a number from one before and a uniform difference',
        forms=('tree', 'flat'), requires=('block_order', 'dominance', 'cycles'), preserves=('graph',)),
   Pass('opt_uniform_atomics', 'combine the atomics of all lanes at a uniform address into one', forms=('tree',),
        options=(Option('divergent', 1, 'also where lanes have different data', high=1),)),
   Pass('opt_unroll', 'full unrolling of short counted loops', forms=('tree',),
        options=(Option('trips', 32, 'most iterations of a loop to unroll', high=65536),
                 Option('size', 400, 'most instructions of the unrolled loop'),
                 Option('asked', 4000, 'most instructions of an unrolled loop that asks for it'))),
   Pass('opt_vars_split', 'scalar replacement of aggregates (SROA): split arrays with constant'
        ' indices, and vectors', forms=('tree', 'flat'), preserves=('graph',)),
   Pass('opt_vars_to_constants', 'move arrays of constants to the constant data of the shader',
        forms=('tree', 'flat'), preserves=('graph',), options=(
           Option('components', 8, 'fewest components of an array to move'),
           Option('word', 64, 'widest word, in bits, to pack small elements into', high=64),
           Option('bytes', 1 << 20, 'most bytes of constant data of a shader', high=1 << 26))),
   Pass('opt_vars_to_ssa', 'mem2reg: promote local variables to SSA values and phis',
        forms=('tree', 'flat'), preserves=('graph',)),
   Pass('opt_vectorize', 'superword-level parallelism (SLP): pairs of 16-bit ops become ops on vectors of two',
        forms=('tree', 'flat'), requires=('block_order',), preserves=('graph',), options=(
           OpsOption('floats', 'the machine has packed', ('fadd', 'fsub', 'fmul', 'ffma', 'fmin', 'fmax', 'fneg', 'fsat',
                                                          'fabs')),
           OpsOption('ints', 'it has packed', ('iadd', 'isub', 'imul', 'ishl', 'ushr', 'ishr', 'umin', 'umax', 'imin', 'imax',
                                               'ineg', 'uadd_sat', 'usub_sat', 'iadd_sat', 'isub_sat')),
           OpsOption('dwords', 'it does on a dword, each half at its place', ('select', 'iand', 'ior', 'ixor', 'inot')),
           Option('swizzle', 1, 'packed ops read the halves of a dword in any order, or one twice', high=1),
           Option('uniform', 1, 'of uniform values, too; 0: of floats only', high=1))),
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
      if p.options:
         lines += [f'typedef struct {p.name}_options {{',
                   *(f'   uint32_t {o.name}; /* {o.meaning} */' for o in p.options),
                   f'}} {p.name}_options;']
      lines += [f'#define {p.name.upper()}_{o.name.upper()} {", ".join(f"HD_OP_{op.upper()}" for op in o.ops)}'
                for o in p.options if o.ops]
      told = f', const {p.name}_options *o' if p.options else ''
      lines += [f'bool hd_{p.name}({subject(p)}{told});',
                f'#define {p.name.upper()}_KEEPS ({flags("HD_META_", p.preserves)})', '']
   return lines + ['#endif']


def caller(p):
   """What the row points to: gives the values of the options their names."""
   what = subject(p).split('*')[1]
   lines = ['static bool', f'run_{p.name}({subject(p)}, const hd_pass_step *step)', '{']
   if p.options:
      values = ', '.join(f'step->values[{n}]' for n in range(len(p.options)))
      lines += [f'   const {p.name}_options o = {{ {values} }};', '',
                f'   return hd_{p.name}({what}, &o);']
   else:
      lines += ['   (void)step;', f'   return hd_{p.name}({what});']
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
           '      NULL,', '      false,', '   },']


def table(passes):
   lines = opening('pass_table.c', 'the passes as data.', 'passes/passes.py')
   lines += ['#include "heddle/ops.h"', '#include "heddle/pass.h"', '#include "pass_table.h"', '#include "passes/table.h"', '']
   for p in passes:
      lines += caller(p)
      if p.lowers:
         lines += lowered(p)
      if p.options:
         lines += [f'static const hd_pass_option {p.name}_option_rows[] = {{',
                   *(f'   {{ "{o.name}", "{escaped(o.meaning)}", {o.value}u, {o.low}u, {o.high}u, HD_PASS_NUMBER, NULL }},'
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
      rows += ['', '| option | meaning | default | from, to |', '|---|---|---|---|']
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
