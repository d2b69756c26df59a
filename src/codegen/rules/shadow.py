# SPDX-License-Identifier: MIT
"""Which rule makes a later one useless: wherever the later one matches, the earlier one does, too.

An earlier search subsumes a later one if a match of its nodes with those of the later search exists in which a name
stands for any one value, `#c` for a constant or a literal, and all else for its equal, commutations included. What it
asks besides (condition, sizes, flags) the later one must ask as well, in the same words. A combination of conditions
that excludes a rule goes unnoticed here; passes/rules runs the set and finds it.
"""

import ast
import re

from codegen.ir.schema import TableError
from codegen.rules.language import OP

FLAGS = 'inexact', 'nnan', 'ninf', 'nsz', 'finite'


def same(a, b):
   """Two nodes of one search have the same value."""
   return a.kind == b.kind and a.name == b.name and len(a.kids) == len(b.kids) and all(map(same, a.kids, b.kids))


def matches(node, other, names):
   """Each way in which `other`, of a later search, is an instance of `node`: what its names stand for."""
   if node.kind in ('var', 'const'):
      if node.kind == 'const' and other.kind not in ('const', 'lit') or node.power and not other.power:
         return
      if node.name not in names:
         yield {**names, node.name: other}
      elif same(names[node.name], other):
         yield names
      return
   if node.kind != other.kind or node.name != other.name or len(node.kids) != len(other.kids):
      return
   if node.label:
      names = {**names, node.label: other}
   orders = [list(other.kids)]
   if node.kind == 'op' and OP[node.name].commutative:
      orders.append([other.kids[1], other.kids[0], *other.kids[2:]])
   for kids in orders:
      partial = [names]
      for kid, other_kid in zip(node.kids, kids):
         partial = [more for found in partial for more in matches(kid, other_kid, found)]
      yield from partial


def terms(condition):
   """What a condition asks, each apart."""
   if not condition:
      return set()
   body = ast.parse(condition, mode='eval').body
   parts = body.values if isinstance(body, ast.BoolOp) and isinstance(body.op, ast.And) else [body]
   return {ast.unparse(part) for part in parts}


def asks_no_more(rule, later, names):
   """What `rule` asks of the values that its names stand for, `later` asks."""
   called = {name: node.name if node.kind in ('var', 'const') else node.label for name, node in names.items()}

   def renamed(match):
      return called.get(match[0], match[0]) or '?'

   # Letters are sizes of the rule's own.
   if rule.when and re.search('[A-Z]', rule.when):
      return False
   if not {re.sub(r'[a-z_]\w*(?!\w*\()', renamed, term) for term in terms(rule.when)} <= terms(later.when):
      return False
   if any(getattr(rule, flag) and not getattr(later, flag) for flag in FLAGS):
      return False
   # Sizes and counts are asked of nodes by number.
   return not rule.checks or rule.checks == later.checks and len(rule.nodes) == len(later.nodes)


def same_sizes(rule, later):
   """The nodes of both have the sizes that their ops allow: where columns say more, they say the same."""
   return not rule.sizes or rule.sizes == later.sizes


def check(rules):
   """Raise what a row is that no value reaches."""
   by_op = {}
   for later in rules:
      for rule in by_op.setdefault(later.search.name, []):
         if same_sizes(rule, later) and any(asks_no_more(rule, later, names)
                                            for names in matches(rule.search, later.search, {})):
            raise TableError(f'rule {later.number} is shadowed by rule {rule.number}:\n'
                             f'   {later.number}: {later.row}\n   {rule.number}: {rule.row}')
      by_op[later.search.name].append(later)
