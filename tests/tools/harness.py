# SPDX-License-Identifier: MIT
"""Run the tool and judge what it did: exit status, both outputs, the files it left."""
import json
import os
import resource
import subprocess
import sys
import tempfile

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..'))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'house'))
from tap import Tap  # noqa: E402

TOOL = os.path.abspath(sys.argv[1])
SANITIZED = len(sys.argv) > 2 and sys.argv[2] == 'true'
TAP = Tap()
SCRATCH = tempfile.TemporaryDirectory()

GOOD = '''shader fragment "good" {
  function @main(%0:1 "c") {
    b0:
      %1:32 = const 7
      if %0 {
        b1:
          return
      } else {
        b2:
      }
    b3:
  }
}
'''

# Parses, and breaks SSA1 once: what the arm defines does not dominate the use after it.
BROKEN = '''shader fragment "broken" {
  function @main(%0:1) {
    b0:
      if %0 {
        b1:
          %1:32 = const 7
      } else {
        b2:
      }
    b3:
      %2:32 = iadd %1, %1
  }
}
'''


def path(name):
   return os.path.join(SCRATCH.name, name)


def put(name, data):
   with open(path(name), 'wb') as file:
      file.write(data.encode() if isinstance(data, str) else data)
   return path(name)


def get(name):
   with open(path(name), 'rb') as file:
      return file.read()


class Done:
   def __init__(self, status, out, err):
      self.status, self.out, self.err = status, out, err

   def __str__(self):
      def short(data):
         text = data.decode(errors='replace')
         return text if len(text) < 1500 else text[:700] + '\n[...]\n' + text[-700:]
      return f'exit status {self.status}\nout: {short(self.out)}\nerr: {short(self.err)}'


def heddle(*args, given=b'', limits=(), out=subprocess.PIPE, timeout=120, **environment):
   """`given` goes to standard input; `limits` are (resource, bytes)."""
   def limit():
      for what, size in limits:
         resource.setrlimit(what, (size, size))
   keep = {k: v for k, v in os.environ.items() if k not in ('NO_COLOR', 'HD_VALIDATE')}
   stdin = {'input': given.encode() if isinstance(given, str) else given} if not hasattr(given, 'fileno') \
      else {'stdin': given}
   done = subprocess.run([TOOL, *args], stdout=out, stderr=subprocess.PIPE, preexec_fn=limit, **stdin,
                         cwd=SCRATCH.name, timeout=timeout, check=False, env={**keep, **environment})
   return Done(done.returncode, done.stdout or b'', done.stderr)


def expect(name, done, status, out=None, err=None):
   """`out` and `err`: what must be in it; '' for nothing at all; None for anything."""
   good = done.status == status
   for wanted, got in ((out, done.out), (err, done.err)):
      if wanted == '':
         good = good and got == b''
      elif wanted is not None:
         good = good and (wanted if isinstance(wanted, bytes) else wanted.encode()) in got
   return TAP.check(name, good, f'wanted exit status {status}, out {out!r}, err {err!r}\n{done}')


def json_lines(data):
   """The objects, one a line, or None when a line is not one."""
   try:
      rows = [json.loads(line) for line in data.decode('utf-8').splitlines()]
   except ValueError:
      return None
   return rows if rows and all(isinstance(row, dict) for row in rows) else None


def finish():
   SCRATCH.cleanup()
   TAP.finish()
