# SPDX-License-Identifier: MIT
"""A bad row of the tables stops the build with a message that names the row and its fault."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SRC = pathlib.Path(__file__).resolve().parents[2] / 'src'
sys.path.insert(0, str(SRC))

from codegen.ir.schema import Enum, Index, Intrinsic, Op, TableError, check_intrinsics, check_ops  # noqa: E402

I = (8, 16, 32, 64)


def op(name='good', signature='u:N, u:N -> u:N', expr='src0 + src1', meaning='Sum.', edges='',
       **columns):
   columns.setdefault('N', I)
   if columns['N'] is None:
      del columns['N']
   return Op(name, signature, expr, meaning, edges, **columns)


def intrinsic(name='good', signature='u:32[1] address !defined -> x:D[1..4]', meaning='Read.',
              note='', **columns):
   columns.setdefault('D', I)
   columns.setdefault('divergence', 'divergent')
   if columns['D'] is None:
      del columns['D']
   if columns['divergence'] is None:
      del columns['divergence']
   return Intrinsic(name, signature, meaning, note, **columns)


# What is wrong with an op: the columns, and what the message says after the name.
BAD_OPS = [
   (dict(name='Bad'), 'a name is lower case words'),
   (dict(name='bad__name'), 'a name is lower case words'),
   (dict(signature='u:N, u:N'), "a signature is 'operands -> result'"),
   (dict(signature='u:N, uN -> u:N'), "cannot read the type 'uN'"),
   (dict(signature='u:N, q:N -> u:N'), "unknown kind 'q'"),
   (dict(signature='u:N, u:M -> u:N'), 'the size variable M of'),
   (dict(signature='u:N, u:24 -> u:N'), "'u:24' cannot have 24 bits"),
   (dict(signature='f:N, f:N -> f:N'), "'f:N' cannot have 8 bits"),
   (dict(signature='u:N, b:32 -> u:N'), "'b:32' cannot have 32 bits"),
   (dict(signature='u:N, u:N[17] -> u:N'), 'impossible component count'),
   (dict(signature='u:N, u:N[0] -> u:N'), 'impossible component count'),
   (dict(signature='u:N, u:N[1..2] -> u:N'), 'an op has no component ranges'),
   (dict(signature='u:N, u:N !uniform -> u:N'), 'ops have no operand tags'),
   (dict(signature='u:N, u:N, u:N, u:N, u:N -> u:N'), 'more than 4 operands'),
   (dict(signature='u:32, u:32 -> u:32'), 'the size variable N is not used'),
   (dict(N=(16, 8)), 'the sizes of N must be an ascending tuple'),
   (dict(N=[8]), 'the sizes of N must be an ascending tuple'),
   (dict(asociative=True), "'asociative' is not a size variable or a known field"),
   (dict(meaning=''), 'no meaning'),
   (dict(meaning='Sum'), 'the meaning must end with a period'),
   (dict(meaning='Sum.\nMore.'), 'the meaning must be one line'),
   (dict(edges='Wraps'), 'the edge note must end with a period'),
   (dict(expr='src0'), 'the expression does not use src1'),
   (dict(expr='src0 + src1 + src2'), 'the expression uses src2, which is no operand'),
   (dict(expr='(src0 + src1'), 'the parentheses of the expression do not match'),
   (dict(signature='u:N, u:32 -> u:N', commutative=True), 'commutative needs two operands'),
   (dict(signature='u:N, i:N -> u:N', commutative=True), 'commutative needs two operands'),
   (dict(signature='u:N -> u:N', expr='src0', commutative=True), 'commutative needs two operands'),
   (dict(associative='mostly'), 'associative is True or inexact'),
   (dict(signature='u:N, u:N -> b:1', associative=True), 'associative needs two operands'),
   (dict(idempotent=True), 'idempotent needs one operand'),
   (dict(signature='u:N -> u:32', expr='src0', self_inverse=True), 'self_inverse needs one operand'),
   (dict(identity='two'), "unknown element 'two'"),
   (dict(identity='float_one'), "the element 'float_one' is not of the kind of the operand"),
   (dict(signature='f:N, f:N -> f:N', N=(32,), identity='one'), "the element 'one' is not of"),
   (dict(signature='u:N, u:N -> b:1', identity='one'), 'identity needs a result of the size'),
   (dict(signature='u:N, u:32 -> u:N', absorbing='one'), 'absorbing needs a result of the size'),
   (dict(signature='u:N -> u:N', expr='src0', identity='one'), 'identity needs two operands'),
   (dict(same='two'), "op(x, x) cannot be 'two'"),
   (dict(same='true'), 'a compare has a 1-bit result'),
   (dict(compare=True), 'a compare has a 1-bit result'),
   (dict(signature='u:N, u:32 -> u:N', same='zero'), 'same needs two operands of one size'),
   (dict(inverse='other'), 'only a compare has an inverse'),
   (dict(undef='maybe'), "unknown undef rule 'maybe'"),
   (dict(undef='absorbs'), 'nothing absorbs'),
   (dict(rounds=True), 'only float ops round'),
]

BAD_INTRINSICS = [
   (dict(name='2bad'), 'a name is lower case words'),
   (dict(signature='u:32 address -> x:D[1..4]'), "'u:32 address' says no component count"),
   (dict(signature='u:32[1] -> x:D[1..4]'), 'every operand of an intrinsic has a name'),
   (dict(signature='u:32[1] a !warm -> x:D[1..4]'), "unknown tag in ['warm']"),
   (dict(signature='u:32[1] a !descriptor -> x:D[1]'), 'a descriptor operand needs the access'),
   (dict(signature='u:32[1] a, u:32[1] a -> x:D[1]'), 'has the name of another'),
   (dict(signature='u:32[1] offset -> x:D[1]', indices='offset'), 'has the name of another'),
   (dict(signature=', '.join(f'u:32[1] s{i}' for i in range(8)) + ' -> x:D[1]'),
    'more than 7 operands'),
   (dict(indices='offset offset'), 'an index is there twice'),
   (dict(divergence='always'), "unknown divergence 'always'"),
   (dict(divergence=None), 'divergence is said exactly if there is a result'),
   (dict(signature='u:32[1] a', D=None), 'divergence is said exactly if there is a result'),
   (dict(divergence='memory'), 'divergence by memory needs reads and the access index'),
   (dict(divergence='cluster'), 'divergence by cluster needs the cluster_size index'),
   (dict(effects='explode'), "unknown effect 'explode'"),
   (dict(writes='global', helpers='skip'), 'the write effect does not fit what is written'),
   (dict(effects='write', helpers='skip'), 'the write effect does not fit what is written'),
   (dict(effects='demote'), 'the demote effect does not fit what is written'),
   (dict(writes='global', effects='write'), 'helper lanes skip what writes'),
   (dict(writes='scratch', effects='write', helpers='skip'), 'but to their own memory'),
   (dict(speculate='perhaps'), "unknown speculation 'perhaps'"),
   (dict(speculate='access'), 'speculation by access needs the access index'),
   (dict(speculate='always', cross_lane=True), 'cannot be speculated'),
   (dict(signature='u:32[1] lane !defined -> x:D[1]', reads='', speculate='always'),
    'must be defined need not be for lanes'),
   (dict(speculate='always', reads='global'), 'reading memory is never safe for all lanes'),
   (dict(helpers='hinder'), "unknown helper rule 'hinder'"),
   (dict(helpers='needed'), 'only cross-lane intrinsics count or need helper lanes'),
   (dict(helpers='uncounted', cross_lane=True), 'reads which they are'),
   (dict(stages='compute tea'), "unknown stage 'tea'"),
]


class Rows(unittest.TestCase):
   def expect(self, make, name, text):
      with self.assertRaises(TableError) as caught:
         make()
      self.assertTrue(str(caught.exception).startswith(name + ': '), caught.exception)
      self.assertIn(text, str(caught.exception))

   def test_good_rows(self):
      op()
      intrinsic()

   def test_bad_ops(self):
      for columns, text in BAD_OPS:
         with self.subTest(columns):
            self.expect(lambda: op(**columns), columns.get('name', 'good'), text)

   def test_bad_intrinsics(self):
      for columns, text in BAD_INTRINSICS:
         with self.subTest(columns):
            self.expect(lambda: intrinsic(**columns), columns.get('name', 'good'), text)

   def test_between_ops(self):
      def compare(name, inverse):
         return op(name=name, signature='u:N, u:N -> b:1', compare=True, inverse=inverse)
      check_ops([compare('lt', '~le'), compare('le', '~lt')])
      self.expect(lambda: check_ops([op(), op()]), 'good', 'the name is there twice')
      self.expect(lambda: check_ops([compare('lt', 'le')]), 'lt', "the inverse 'le' does not exist")
      self.expect(lambda: check_ops([compare('lt', '~le'), compare('le', 'lt')]), 'lt',
                  "'le' does not name it as its inverse")

   def test_between_intrinsics(self):
      memory = Enum('memory_class', 'Kinds.', [('global', 'Far.')], flags=True)
      offset = Index('offset', 'int', 'Bytes.')

      def check(row, indices=(offset,), enums=(memory,), ops=()):
         return check_intrinsics([row], indices, enums, ops)
      check(intrinsic(indices='offset', reads='global'))
      self.expect(lambda: check(intrinsic(indices='offset place')), 'good', "unknown index 'place'")
      self.expect(lambda: check(intrinsic(indices='offset', reads='local')), 'good',
                  "unknown memory class 'local'")
      self.expect(lambda: check(intrinsic()), 'offset', 'no intrinsic has this index')
      self.expect(lambda: check(intrinsic(indices='offset'), ops=[op()]), 'good',
                  'an op has the same name')
      self.expect(lambda: check(intrinsic(indices='at'), indices=[Index('at', 'dim', 'Shape.')]),
                  'at', "unknown index type 'dim'")
      self.expect(lambda: check(intrinsic(indices='offset'),
                                enums=[memory, Enum('how', 'Way.', [('sum', 'Sum.', 'iadd')])]),
                  'how', "'sum' names no op: 'iadd'")

   def test_bad_enums(self):
      self.expect(lambda: Enum('e', 'One.', []), 'e', 'no values')
      self.expect(lambda: Enum('e', 'One.', [('a', 'A.'), ('a', 'B.')]), 'e', 'a value is there twice')
      self.expect(lambda: Enum('e', 'One.', [('A', 'A.')]), 'e', "'A' is not a name")
      self.expect(lambda: Enum('e', 'One.', [(f'v{i}', 'V.') for i in range(33)], flags=True), 'e',
                  'more than 32 flags')
      self.expect(lambda: Index('i', 'uint', 'It.', -1), 'i', 'a default is a 32-bit number')


class Generators(unittest.TestCase):
   """The generators themselves, run as the build runs them on a copy of the tables."""

   def run_on_copy(self, file, extra, script, output='out'):
      with tempfile.TemporaryDirectory() as directory:
         copy = pathlib.Path(directory) / 'src' / 'codegen'
         shutil.copytree(SRC / 'codegen', copy, ignore=shutil.ignore_patterns('__pycache__'))
         path = copy / file
         path.write_text(path.read_text(encoding='utf-8') + extra, encoding='utf-8')
         target = pathlib.Path(directory) / output
         done = subprocess.run([sys.executable, '-B', str(copy / 'run.py'), *script.split(), str(target)],
                               capture_output=True, text=True, check=False)
         return done, target.read_text(encoding='utf-8') if target.exists() else None

   def test_bad_row_stops_the_build(self):
      bad = "\nop('bogus', 'u:N -> u:N', 'src0', 'No period', N=INT)\n"
      for script in ('ir.gen_ops_h op_enum', 'ir.gen_op_info', 'ir.gen_build_ops_h build_ops', 'ir.gen_fold_ops'):
         done, text = self.run_on_copy('ir/ops.py', bad, script)
         self.assertNotEqual(done.returncode, 0)
         self.assertEqual(done.stderr, 'error: bogus: the meaning must end with a period\n')
         self.assertIsNone(text)

   def test_same_input_same_output(self):
      for script in ('ir.gen_ops_h ops', 'ir.gen_ops_h op_enum', 'ir.gen_op_info', 'ir.gen_intrinsic_info',
                     'ir.gen_build_ops_h build_ops', 'ir.gen_fold_ops', 'ir.gen_reference'):
         outputs = []
         for _ in range(2):
            done, text = self.run_on_copy('ir/ops.py', '', script)
            self.assertEqual((done.returncode, done.stderr), (0, ''))
            outputs.append(text)
         self.assertEqual(*outputs)


if __name__ == '__main__':
   unittest.main()
