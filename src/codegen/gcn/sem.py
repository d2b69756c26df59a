# SPDX-License-Identifier: MIT
"""What GCN instructions compute: a row for each, from which the simulator's loops are made.

   v_add_lshl_u32   '32 : 32 32 32'   '(a + b) << (c & 31)'
                    'shl_undef(32, a + b, up32(ua | ub), c, uc)'

A row is written by the words of the ISA manuals, and apart from the tables of the IR. Its signature
has the sizes of the results and of the sources: 16, 32 or 64 bits, or `m`, a bit of a lane mask;
scalar ones have `scc` besides, `k`, the 16 bits of SOPK, `dst`, what the destination held, and `exec`. The
expression of C says what a lane of each result is, from the sources a, b, c, d. The last one says
which of its bits depend on undefined ones, from the sources and their undefined bits ua, ub, uc, ud;
or it is a common rule: `any` undefined bit makes the result undefined, `up` all bits from it on.
Functions and macros are those of src/backend/gcn/sim/lane_*.h; they round, flush and clamp as the
mode `m` says.

Names are the newest ones, as in gcn/isa.py. What more than one lane, memory or the wave's own state
decides is written in C; gcn/sem_special.py lists it, so that no instruction is forgotten.
"""

ROWS = {}

# What gfx9 leaves in bits 31:16 of a register with a result of 16 bits, if not zeros; gfx8 leaves
# zeros always. `kept`: what was there; `unknown`: the manual does not say.
UPPER_HALVES = {
   'kept': ('v_mad_f16 v_mad_u16 v_mad_i16 v_fma_f16 v_div_fixup_f16 v_mac_f16 v_madmk_f16 v_madak_f16 '
            'v_mad_mixlo_f16').split(),
   'unknown': [f'v_{name}_{kind}16' for name in ('min3', 'max3', 'med3') for kind in 'fiu']
              + 'v_add_i16 v_sub_i16 v_cvt_norm_i16_f16 v_cvt_norm_u16_f16'.split(),
}
LETTERS = 'abcd'


class SemanticError(Exception):
   """A row that cannot be."""


SIZES = ('16', '32', '64', 'm')
SCALAR_SIZES = ('32', '64', 'scc', 'k', 'dst', 'exec')


class Row:
   def __init__(self, name, signature, results, undef, slow, is_scalar):
      outs, _, ins = signature.partition(':')
      self.name = name
      self.outs, self.ins = outs.split(), ins.split()
      self.results = [results] if isinstance(results, str) else list(results)
      if undef in ('any', 'up'):
         undef = [undef] * len(self.outs)
      self.undef = [undef] if isinstance(undef, str) else list(undef)
      self.slow = slow
      self.scalar = is_scalar
      if len(self.ins) > len(LETTERS) or len(self.outs) > 2:
         raise SemanticError(f'{name}: too many operands')
      if not len(self.outs) == len(self.results) == len(self.undef):
         raise SemanticError(f'{name}: results and expressions differ in number')
      for size in self.outs + self.ins:
         if size not in (SCALAR_SIZES if is_scalar else SIZES):
            raise SemanticError(f"{name}: no size '{size}'")


def add(new):
   if new.name in ROWS:
      raise SemanticError(f'{new.name}: there twice')
   ROWS[new.name] = new


def row(name, signature, results, undef='any', slow=False):
   """A vector instruction. `slow`: it costs more than to ask which lanes are active."""
   add(Row(name, signature, results, undef, slow, False))


def scalar(name, signature, results, undef='any'):
   add(Row(name, signature, results, undef, False, True))


def undef_expression(rule, ins, out):
   """C for one of the common rules, or what the row says."""
   names = ['u' + letter for letter, _ in zip(LETTERS, ins)]
   if not names:
      return '0'
   if rule == 'any':
      whole = {'m': '1', 'scc': '1', '16': '0xffff', '32': 'UINT32_MAX', '64': 'UINT64_MAX'}[out]
      return f'({" | ".join(names)}) ? {whole} : 0'
   if rule == 'up':
      return f'up{out}({" | ".join(names)})'
   return rule
