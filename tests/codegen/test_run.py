# SPDX-License-Identifier: MIT
"""run.py runs a generator and writes down what it read; the build makes again what depends on that."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

RUN = pathlib.Path(__file__).resolve().parents[2] / 'src' / 'codegen' / 'run.py'


class Depfile(unittest.TestCase):
   def setUp(self):
      self.scratch = tempfile.TemporaryDirectory()
      self.folder = pathlib.Path(self.scratch.name)

   def tearDown(self):
      self.scratch.cleanup()

   def run_generator(self, *command, environment=None):
      depfile = self.folder / 'out.d'
      done = subprocess.run([sys.executable, str(RUN), f'--depfile={depfile}', '--target=out', *map(str, command)],
                            capture_output=True, text=True, check=False, env=environment)
      return done, depfile.read_text(encoding='utf-8') if depfile.exists() else None

   def dependencies(self, *command):
      done, text = self.run_generator(*command)
      self.assertEqual((done.returncode, done.stderr), (0, ''))
      target, _, names = text.partition(': ')
      self.assertEqual(target, 'out')
      return names.split()

   def test_modules_and_data(self):
      names = self.dependencies('ir.gen_ops_h', 'ops', self.folder / 'ops.h')
      codegen = RUN.parent
      for name in ('run.py', 'emit.py', 'ir/gen_ops_h.py', 'ir/ops.py', 'ir/schema.py', 'ir/ops.h.in'):
         self.assertIn(str(codegen / name), names)
      # Neither what it does not read, nor what it writes, nor Python's own library.
      self.assertNotIn(str(codegen / 'gcn/isa.py'), names)
      self.assertNotIn(str(self.folder / 'ops.h'), names)
      self.assertFalse([n for n in names if not n.startswith(str(codegen))])

   def test_same_again(self):
      # What did not change keeps its time, and is no input of itself.
      output = self.folder / 'op_enum.h'
      first = self.dependencies('ir.gen_ops_h', 'op_enum', output)
      os.utime(output, (1, 1))
      self.assertEqual(self.dependencies('ir.gen_ops_h', 'op_enum', output), first)
      self.assertEqual(output.stat().st_mtime, 1)
      output.write_text('else', encoding='utf-8')
      self.assertEqual(self.dependencies('ir.gen_ops_h', 'op_enum', output), first)
      self.assertIn('HD_OP_IADD', output.read_text(encoding='utf-8'))

   def test_script_elsewhere(self):
      script, data = self.folder / 'script.py', self.folder / 'data file'
      script.write_text('import sys\nfrom codegen.ir.ops import OPS\n'
                        'words = open(sys.argv[1]).read()\nopen(sys.argv[2], "w").write(words)\n', encoding='utf-8')
      data.write_text('words', encoding='utf-8')
      done, text = self.run_generator(script, data, self.folder / 'out')
      self.assertEqual((done.returncode, done.stderr), (0, ''))
      self.assertIn(str(script), text)
      self.assertIn(str(data).replace(' ', '\\ '), text)
      self.assertEqual((self.folder / 'out').read_text(encoding='utf-8'), 'words')

   def test_modules_of_the_site(self):
      # Python imports this one as it starts; Debian links its own to a file in /etc.
      (self.folder / 'sitecustomize.py').write_text('import json\n', encoding='utf-8')
      done, text = self.run_generator('ir.gen_ops_h', 'ops', self.folder / 'ops.h',
                                      environment={**os.environ, 'PYTHONPATH': str(self.folder)})
      self.assertEqual((done.returncode, done.stderr), (0, ''))
      self.assertNotIn('sitecustomize', text)

   def test_failure_leaves_no_depfile(self):
      script = self.folder / 'script.py'
      script.write_text('import sys\nsys.exit(3)\n', encoding='utf-8')
      done, text = self.run_generator(script)
      self.assertEqual(done.returncode, 3)
      self.assertIsNone(text)


if __name__ == '__main__':
   unittest.main()
