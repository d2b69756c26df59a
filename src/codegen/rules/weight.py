# SPDX-License-Identifier: MIT
"""The order that every rule goes down in, so that rewriting ends.

An op has a weight, or a polynomial over the weights of its operands; a constant weighs 1, any other
value at least 1. The weight of an expression is the sum. A rule is accepted if its search is
greater than its replacement, for all values of its variables:

   it weighs more; or as much, and
   its op stands earlier in ORDER, or it is the same op, and of the operands, from right to left,
   the first that differs is greater.

Weights are compared as polynomials in u, each variable being u + 1 (u + 2 where a condition says
that it is no constant): no coefficient of the difference may be below 0. This is a Knuth-Bendix
order, so it is kept in every context and has no infinite descent: each rewrite lowers the instruction
and all that use it, and what it adds is below what it replaces.

The same order says which of two forms rewriting prefers: read WEIGHTS and ORDER as preferences.
"""

import re

from codegen.ir.ops import OPS
from codegen.ir.schema import TableError


class Poly:
   """A polynomial: {((variable, power), ...): coefficient}."""

   def __init__(self, terms):
      self.terms = {k: v for k, v in terms.items() if v}

   def __add__(self, other):
      terms = dict(self.terms)
      for key, value in (other if isinstance(other, Poly) else number(other)).terms.items():
         terms[key] = terms.get(key, 0) + value
      return Poly(terms)

   __radd__ = __add__

   def __mul__(self, other):
      terms = {}
      for a, x in self.terms.items():
         for b, y in (other if isinstance(other, Poly) else number(other)).terms.items():
            powers = dict(a)
            for name, power in b:
               powers[name] = powers.get(name, 0) + power
            key = tuple(sorted(powers.items()))
            terms[key] = terms.get(key, 0) + x * y
      return Poly(terms)

   __rmul__ = __mul__

   def __sub__(self, other):
      return self + other * -1

   def never_below_zero(self):
      return all(v > 0 for v in self.terms.values())

   def above_zero(self):
      return self.never_below_zero() and () in self.terms


def number(value):
   return Poly({(): value})


def total(*args):
   return sum(args, number(0))


def squared(extra):
   """For what is replaced by something that reads an operand more often."""
   return lambda *args: (total(*args) + extra) * (total(*args) + extra)


USUAL = 10
WEIGHTS = {}
ORDER = []


def weights(value, names):
   for name in names.split():
      WEIGHTS[name] = value


weights(3, 'fneg fabs channel')
weights(4, 'fcanonicalize iand ior')
weights(5, 'u2u')
weights(6, 'i2i ixor inot')
weights(7, 'ineg b2i b2f')
weights(8, 'u2f')
weights(9, 'ieq ine feq fne fequ fneu ford funord f2f i2f ishl ushr')
weights(10, 'iadd ult ilt flt fle fltu fleu ishr')
weights(11, 'isub select ule ile')
weights(12, 'rotl rotr usub_sat uadd_sat')
weights(14, 'umin umax imin imax fsqrt')
weights(15, 'funnel_shr')
weights(20, 'bitfield_mask unpack_64_2x32 unpack_64_4x16 unpack_32_2x16 unpack_32_4x8')
weights(30, 'imul umul24 imul24 fdiv')
weights(40, 'umul_wide imul_wide umulhi imulhi umad24 imad24 ubitfield_extract ibitfield_extract')
weights(50, 'ubfe ibfe')
weights(60, 'udiv urem')
weights(squared(80), 'idiv irem imod')

# Of equal weight, the earlier one gives way to the later.
ORDER += '''fcopysign rotl rotr imulhi umulhi imul ushr ishr ishl isub iadd fsub fadd fmul fneg fabs imax imin
umax umin ult ilt ieq ine feq fneu ixor ior iand inot ineg select b2i b2f bit_reverse u2u ford funord'''.split()


def weight(node, known, own_weights):
   if is_constant(node):
      return number(1)
   if node.kind == 'var':
      return Poly({((node.name, 1),): 1, (): 2 if node.name in known else 1})
   kids = [weight(kid, known, own_weights) for kid in node.kids]
   own = own_weights.get(node.name, WEIGHTS.get(node.name, USUAL))
   return own(*kids) if callable(own) else total(*kids) + own


def is_constant(node):
   """Made of constants alone: folded when it is built."""
   return all(n.kind != 'var' for n in node.walk())


def same(a, b):
   if is_constant(a) or is_constant(b):
      return is_constant(a) and is_constant(b)
   return (a.kind, a.name) == (b.kind, b.name) and all(map(same, a.kids, b.kids))


def greater(a, b, known, own_weights):
   difference = weight(a, known, own_weights) - weight(b, known, own_weights)
   if difference.above_zero():
      return True
   if not difference.never_below_zero() or is_constant(a):
      return False
   if is_constant(b):
      return a.kind == 'op'
   if a.kind != 'op' or b.kind != 'op':
      return False
   if a.name != b.name:
      return a.name in ORDER and b.name in ORDER and ORDER.index(a.name) < ORDER.index(b.name)
   for x, y in zip(reversed(a.kids), reversed(b.kids)):
      if not same(x, y):
         return greater(x, y, known, own_weights)
   return False


def check(rule, own_weights):
   if rule.ends:
      return
   known = re.findall(r'not_const\((\w+)\)', rule.when or '')
   if not greater(rule.search, rule.replace, known, own_weights):
      raise TableError(f'{rule.row}: is not below in the order of rules/weight.py')


for _name in list(WEIGHTS) + ORDER:
   if _name not in {op.name for op in OPS}:
      raise TableError(f'{_name}: a weight for what is no op')
