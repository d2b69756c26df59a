# SPDX-License-Identifier: MIT
"""heddle-rules says what is wrong with a file of rules, and leaves no output then."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = ROOT / 'tools' / 'heddle-rules'
HEAD = 'from heddle_rules import RuleSet\nr = RuleSet("r")\n'

# A file, and what is said of it.
WRONG = [
   ('r.rule("fmull(x, 2.0)", "x")', "no op is called 'fmull'"),
   ('r.rule("fmul(x, 2.0)", "y")', "'y' is not in the search"),
   ('r.rule("iadd(x, y)", "isub(x, ineg(y))")', 'iadd(x, y)'),
   ('r.rule("iadd(x, #k)", "x", "weird(k)")', "'weird(k)' cannot be in a condition"),
   ('r.rule("iadd(1, x)", "x")', 'constants go right'),
   ('s = RuleSet("a b")\nr.name = "other"', "there is no RuleSet 'r'"),
   ('r.rule(', 'was never closed'),
]


def run(*arguments):
   return subprocess.run([sys.executable, '-B', TOOL, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         text=True, check=False)


class Tool(unittest.TestCase):
   def test_wrong(self):
      with tempfile.TemporaryDirectory() as folder:
         rules, output = pathlib.Path(folder, 'wrong.py'), pathlib.Path(folder, 'out.c')
         for text, words in WRONG:
            rules.write_text(f'{HEAD}{text}\n', encoding='utf-8')
            done = run(rules, 'r', output)
            self.assertIn(words, done.stdout)
            self.assertNotIn('Traceback', done.stdout)
            self.assertEqual(done.returncode, 1, done.stdout)
            self.assertFalse(output.exists())

   def test_usage(self):
      self.assertEqual(run('--help').returncode, 0)
      self.assertEqual(run().returncode, 2)
      self.assertEqual(run('a', 'b').returncode, 2)
      done = run('/nowhere.py', 'r', '/nowhere.c')
      self.assertEqual(done.returncode, 1)
      self.assertIn('No such file', done.stdout)


if __name__ == '__main__':
   unittest.main()
