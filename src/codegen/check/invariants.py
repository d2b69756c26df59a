# SPDX-License-Identifier: MIT
"""The invariants of the IR: one row a rule, in the order in which they are checked.

A row is: number, scope, presumed rules, the rule in words.

   scope      shader  the shader as a whole
              both    every function
              tree    structured functions
              flat    flat functions
   presumes   rules without which this one says nothing. Where one of them is broken at a place,
              this one is not checked there, so that one fault gives one message. What a presumed
              rule presumes is presumed too.

The words follow "the rule is that ..."; messages and documentation quote them.

   check.invariants OUTPUT    check_rules.h: the rows as data

doc/invariants.md is the page of them.
"""

import pathlib

from codegen.emit import run
from codegen.ir.schema import TableError

SCOPES = ('shader', 'both', 'tree', 'flat')

TITLES = {
   'SH': 'The shader',
   'FN': 'Functions',
   'CF': 'Control flow: the tree and the graph',
   'SSA': 'Values and their uses',
   'OP': 'Instructions',
   'CV': 'Convergence',
   'FL': 'Declarations of flat blocks',
   'CALL': 'Calls',
   'LOW': 'Lowered constructs',
   'META': 'Metadata',
}

RULES = [
   ('SH1', 'shader', '',
    'the functions of a shader form one consistent list, with the right count'),
   ('SH2', 'shader', 'SH1',
    'every function has a name, and no two have the same'),
   ('SH3', 'shader', '',
    'the properties of a shader are in range and belong to its stage'),
   ('SH4', 'shader', 'SH1 CF1 CF2 CF3 CF10 CF17',
    'a value or block is flagged as named exactly if the name table has an entry for it'),

   ('FN1', 'both', '',
    'the result of a function has 1 to 16 components of 1, 8, 16, 32 or 64 bits, or there is none'),
   ('FN2', 'both', '',
    'the variables of a function form one consistent list, each with its index'),
   ('FN3', 'both', 'FN2',
    'a variable has a type and a name, and no two in a function have the same name'),
   ('FN4', 'both', '',
    'extracted code has been reinserted or deleted'),

   ('CF1', 'tree', '',
    'a list alternates block, node, block, ..., block'),
   ('CF2', 'both', '',
    'parents and siblings point back'),
   ('CF3', 'tree', '',
    'both lists of an if, and of a loop, exist'),
   ('CF10', 'both', '',
    'a structured function has no goto, a flat one no node, break or continue'),
   ('CF16', 'both', 'CF1 CF2 CF3 CF10',
    'block indices are unique, and below the number that the function gave out'),
   ('CF17', 'both', '',
    'the instructions of a block form one consistent list'),
   ('CF8', 'both', 'CF1 CF2 CF3 CF17',
    'a jump ends its block and its list'),
   ('CF9', 'tree', 'CF1 CF2 CF3 CF8 CF10',
    'break and continue are inside their loop, no continue is in a continue list, and no jump '
    'ends one'),
   ('CF11', 'flat', 'CF8',
    'every block of a flat function ends in a jump'),
   ('CF14', 'both', '',
    'the end block is in no list, has no instructions and no successors'),
   ('CF5', 'tree', 'CF1 CF2 CF3 CF8 CF9 CF10 CF16 OP1',
    'successors are those that the tree implies'),
   ('CF12', 'flat', 'CF2 CF8 CF10 CF11 CF16 OP1',
    'successors are what the jump says: blocks of the function, each once, in the order of the '
    'jump'),
   ('CF6', 'both', 'CF5 CF12 CF14',
    'predecessors are the inverse of successors, without repeats, and each edge knows its place '
    'at both ends'),
   ('CF13', 'both', 'CF6',
    'the start block has no predecessor'),
   ('CF15', 'tree', 'CF6 FN1',
    'control does not reach the end of a function that has a result without a return'),

   ('SSA6', 'both', 'CF17',
    'value indices are unique, and below the number that the function gave out'),
   ('SSA7', 'both', 'SSA6 CF1 CF2 CF3 CF10 CF17 OP2',
    'an operand is a value of the same function'),
   ('SSA8', 'both', 'OP2',
    'a source has the right instruction and slot'),
   ('SSA2', 'both', 'SSA7',
    'the use list of a value is exactly the sources that read it'),
   ('SSA4', 'both', 'CF1 CF2 CF3 CF17',
    'phis come first in a block, and only in blocks that can have several predecessors'),
   ('SSA3', 'both', 'CF6',
    'a phi has one source for each predecessor'),
   ('SSA5', 'both', 'CF17',
    'parameters come first in the start block, in order, as many as the function says'),
   ('SSA1', 'both', 'SSA3 SSA4 SSA5 SSA7 CF6 CF13',
    'a definition dominates its uses'),

   ('OP1', 'both', 'CF17',
    'an instruction is of a known kind, and its op is known'),
   ('OP2', 'both', 'OP1',
    'an instruction has as many operands as its op takes'),
   ('OP14', 'both', 'OP1',
    'an instruction has a result exactly if its op defines one'),
   ('OP4', 'both', 'OP1 OP2 OP14 SSA7',
    'the bit sizes of operands and result are those that the op allows, equal where it says so'),
   ('OP3', 'both', 'OP1 OP2 OP14 SSA7',
    'the component counts of operands and result are those that the op allows, equal where it '
    'says so'),
   ('OP5', 'both', 'OP3 OP4',
    'the bits of a constant above its size are zero'),
   ('OP6', 'both', 'OP1',
    'the flags of an instruction are those that its op can have'),
   ('OP7', 'both', 'OP2',
    'the constant indices of an intrinsic are in range'),
   ('OP8', 'both', 'OP1 SH3',
    'an intrinsic is used only in stages that support it'),
   ('OP9', 'flat', 'OP2',
    'the cases of a switch differ and fit the size of its selector'),
   ('OP10', 'both', 'SSA3 SSA7 OP3 OP4',
    'the sources of a phi have the type of the phi'),
   ('OP11', 'both', 'OP2 SSA7 FN1',
    'a return carries a value of the type of the result of the function, if it has one'),
   ('OP12', 'both', 'OP1 FN2 FN3 SSA7',
    'an access names a variable of the function, has its type, and an index exactly if it is an '
    'array'),
   ('OP13', 'both', 'SSA7',
    'a condition is one 1-bit value, a selector one of at least 8 bits'),
   ('OP15', 'both', '',
    'a location is one of the shader'),

   ('OP16', 'both', 'OP2 OP3 OP4 OP7 SSA7',
    'the operands of an intrinsic fit what its indices say: the shape of an image, the way to '
    'combine values'),

   ('LOW1', 'both', 'SH3 OP3 OP4 OP7 OP12 SSA7',
    'an instruction is not a construct that a lowering has removed from the shader for good'),

   ('FL1', 'both', 'CF16',
    'declarations are made of blocks of a flat function, and name blocks of it'),
   ('FL2', 'flat', 'FL1',
    'declarations of members are acyclic'),
   ('FL3', 'flat', 'FL2 CF6 CF13',
    'with the declared members, cycles nest, and none is left and entered again'),
   ('FL5', 'flat', 'FL1',
    'a cycle has at most one declared continue block'),

   ('FL4', 'flat', 'FL3 FL5',
    'every path back to the header of a cycle goes through its declared continue block, and what '
    'that reaches in the cycle is entered only through it'),
   ('CALL2', 'both', 'SH1 FN1 SSA5 OP1',
    'a call names a function of the shader, and has its parameters and its result'),
   ('CALL1', 'shader', 'CALL2',
    'the call graph has no cycle'),

   ('CV1', 'both', 'CF6 SSA1 SSA2 OP7 OP13',
    'an operand that must be uniform is proven so by divergence analysis, or assumed to be uniform'),
   ('CV2', 'flat', 'CF6 SSA1 SSA2 OP13 FL3',
    'if requested, a divergent branch has two successors, one of which post-dominates it'),
   ('CV3', 'flat', 'CV2 FL4',
    'if requested, on the paths from the secondary successor of a divergent branch to its '
    'primary one no edge goes back to the header of a cycle that contains the latter'),

   ('META1', 'both', 'CF6 SSA1',
    'metadata that is marked valid equals what recomputing gives'),
]

THEOREMS = [
   ('CF4', 'CF1, CF3 and CF5',
    'a loop has one preheader and one latch, and its header exactly these two predecessors'),
   ('CF7', 'CF1, CF3 and CF5',
    'no edge of a structured function is critical'),
]


def group(number):
   return number.rstrip('0123456789')


def find_fault(rules, theorems):
   """What is wrong with the form of the table, or None."""
   scopes = {row[0]: row[1] for row in rules}
   if len(scopes) != len(rules):
      return 'a number is there twice'
   if len(rules) > 64:
      return 'a set of rules must fit 64 bits'
   for number, scope, presumes, words in rules:
      if group(number) not in TITLES:
         return f'{number}: no title for {group(number)}'
      if scope not in SCOPES:
         return f"{number}: unknown scope '{scope}'"
      for other in presumes.split():
         if other not in scopes:
            return f"{number}: presumes '{other}', which is no rule"
         if {scope, scopes[other]} == {'tree', 'flat'}:
            return f'{number}: presumes {other}, which is of the other form'
      if '"' in words or '\\' in words or words.endswith('.'):
         return f'{number}: words are plain and end without a full stop'
      if number in closure(number, rules):
         return f'{number}: presumes itself'
   for number, _, _ in theorems:
      if number in scopes:
         return f'{number}: a theorem is not a rule'
   return None


def closure(number, rules):
   """All that a rule presumes, directly or through others."""
   direct = {row[0]: row[2].split() for row in rules}
   seen, work = set(), list(direct[number])
   while work:
      other = work.pop()
      if other not in seen:
         seen.add(other)
         work += direct[other]
   return seen


def header():
   numbers = [row[0] for row in RULES]
   out = ['/* SPDX-License-Identifier: MIT */',
          '/* check_rules.h - generated by src/codegen/check/invariants.py from its rows. */',
          '#ifndef HEDDLE_CHECK_RULES_H',
          '#define HEDDLE_CHECK_RULES_H', '',
          'typedef enum rule {']
   out += [f'   RULE_{number},' for number in numbers]
   out += ['   NUM_RULES,', '} rule;', '',
           '/* number, scope, set of presumed rules (all of them), words */',
           '#define HD_RULE_ROWS(ROW) \\']
   for number, scope, _, words in RULES:
      mask = sum(1 << numbers.index(other) for other in closure(number, RULES))
      end = ' \\' if number != numbers[-1] else ''
      out.append(f'   ROW({number}, HD_RULE_SCOPE_{scope.upper()}, UINT64_C({mask:#x}), "{words}"){end}')
   out += ['', '#endif', '']
   return '\n'.join(out)


def page(_):
   out = ['<!-- Generated from src/codegen/check/invariants.py; after a change there run: meson compile -C build docs -->', '# Invariants', '',
          'Every rule that IR keeps between passes. `hd_validate` checks them all, names the number of a',
          'broken one, and shows the place. The scope says of which functions a rule speaks: `tree`',
          '(structured), `flat`, `both`, or of the `shader` as a whole. Where a rule that is presumed is',
          'broken at a place, the presuming one is not checked there: one fault gives one message.', '']
   title = None
   for number, scope, presumes, words in RULES:
      if TITLES[group(number)] != title:
         title = TITLES[group(number)]
         out += ['', f'## {title}', '', '| rule | scope | it says that | presumes |', '|---|---|---|---|']
      out.append(f"| {number} | {scope} | {words} | {presumes.replace(' ', ', ')} |")
   out += ['', '## Theorems', '',
           'These follow from others and are not checked apart; the tests of the editing calls assert them.',
           '', '| number | it says that | follows from |', '|---|---|---|']
   out += [f'| {number} | {words} | {source} |' for number, source, words in THEOREMS]
   out += ['', '## Notes', '', NOTES.strip(), '']
   return '\n'.join(out).replace('\n\n\n', '\n\n')


NOTES = """
- *CF5.* Before an if: the first blocks of its then-list and else-list. Before a loop: the first block
  of its body. The last block of an arm: the block after the if. The last of a loop's body: the first of
  its continue list. The last of a continue list: the loop's header. The last of the function: the end
  block. `break`: the block after the loop. `continue`: the first block of the continue list. `return` and
  `halt`: the end block.
- *CF12.* `goto_if`: the target if true, then the other; they differ. `switch`: the default, then the
  targets of the cases in the order of their first appearance.
- *SSA1, unreachable code.* Every definition dominates every block that cannot be reached from the start
  block: what stands there may use any value of the function, and a phi any value for an edge that comes
  from there. A value that is defined there is used only there, or for such an edge. A phi has a source
  for each predecessor, reachable or not; one without predecessors is undef.
- *SSA4.* In a structured function phis stand after an if, after a loop, at the head of a loop's body and
  at the head of its continue list; in a flat function in every block but the start block.
- *CV1.* `include/heddle/analysis.h` says what divergence analysis proves. It is asked only of functions
  that break no other rule. Where a workgroup or a subgroup has one lane, everything is uniform.
- *CV2, CV3.* Asked for by `hd_validate_options`, or `heddle validate --reconverging` and
  `--keeps-sweep`. An edge into the primary successor itself may go back, if the branch is in its cycle.
- *FL3, FL4.* A block that heads no cycle may be named in a declaration: it is then only a link of the
  chain, and a continue block declared of it says nothing (but FL5 lets it have only one). `header` may stand at
  any flat block.
- *LOW1.* `lowered` of the shader names the constructs; `src/codegen/ir/lowered.py` says what each is.
- *SH3.* A workgroup size belongs to compute and kernel shaders and has at most 2^31 invocations; a
  subgroup has 1 to 128 lanes, a power of two, or 0 for any.
"""


def main(output):
   fault = find_fault(RULES, THEOREMS)
   if fault:
      raise TableError(fault)
   pathlib.Path(output).write_text(header(), encoding='utf-8')


if __name__ == '__main__':
   run(main, 1)
