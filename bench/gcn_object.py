# SPDX-License-Identifier: MIT
"""Objects for gfx900, ours and LLVM's: made, counted and run in one way."""
import json
import os
import re
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'scripts'))
import llvm_programs  # noqa: E402
import peer_llvm  # noqa: E402

LINE = re.compile(r'\t(\S.*?)\s*// ([0-9A-F]+): (.*)')


class Wrong(Exception):
   """What was made does not do what it should."""


class Tools:
   def __init__(self, folder, seconds, options=()):
      """Of a build folder; options are of every compilation of ours."""
      self.compile = os.path.join(folder, 'bench', 'gcn_compile')
      self.llvm = os.path.join(folder, 'bench', 'llvm_optimize')
      self.heddle = os.path.join(folder, 'tools', 'heddle')
      self.objdump, self.readelf, self.opt, self.llc = (
          llvm_programs.find(t) for t in ('llvm-objdump', 'llvm-readelf', 'opt', 'llc'))
      self.seconds, self.options = seconds, list(options)

   def complete(self):
      if not all((self.objdump, self.readelf, self.opt, self.llc)):
         return False
      return subprocess.run([self.llvm], check=False).returncode == 0

   def own(self, source, output, options=()):
      done = subprocess.run([self.compile, *self.options, *options, f'--seconds={self.seconds}', f'--object={output}', source],
                            stdout=subprocess.PIPE, text=True, check=True)
      return json.loads(done.stdout)

   def peer(self, source, output, options=()):
      """Nanoseconds of LLVM's passes and code generation."""
      done = subprocess.run([self.llvm, *options, f'--seconds={self.seconds}', f'--object={output}', source],
                            stdout=subprocess.PIPE, text=True, check=True, timeout=60,
                            env={**os.environ, 'ASAN_OPTIONS': 'detect_leaks=0'})
      return json.loads(done.stdout)['ns']

   def processes(self, own, llvm, folder):
      """CPU seconds of whole processes, from text to a code object."""
      bitcode, made = (os.path.join(folder, name) for name in ('process.bc', 'process.o'))
      return {'own': peer_llvm.cpu_seconds([self.heddle, 'compile', own, '-o', made]),
              'opt': peer_llvm.cpu_seconds([self.opt, '-O2', '-mcpu=gfx900', llvm, '-o', bitcode]),
              'llc': peer_llvm.cpu_seconds([self.llc, '-O2', '-mcpu=gfx900', '-filetype=obj', bitcode, '-o', made])}


def count(tools, path):
   """What an object's code consists of, as the disassembler shows it, and its registers."""
   text = subprocess.run([tools.objdump, '-d', '--mcpu=gfx900', path], stdout=subprocess.PIPE, text=True,
                         check=True).stdout
   found = [match for match in map(LINE.match, text.splitlines()) if match]
   # What pads the end is never run.
   while found and found[-1][1].split()[0] in ('s_nop', 's_code_end'):
      found.pop()
   lines = [match[1] for match in found]
   notes = subprocess.run([tools.readelf, '--notes', path], stdout=subprocess.PIPE, text=True, check=True).stdout
   return {
       'instructions': len(lines),
       'exec': sum(bool(re.search(r'\bexec|execn?z|saveexec|v_cmpx', line)) for line in lines),
       'branches': sum(bool(re.match(r's_c?branch', line)) for line in lines),
       'salu': sum(line.startswith('s_') and not re.match(r's_(load|buffer|store|dcache|c?branch|waitcnt|nop|endpgm)', line)
                   for line in lines),
       'valu': sum(line.startswith('v_') for line in lines),
       'code': sum(len(match[3].split()) * 4 for match in found),
       'sgprs': int(re.search(r'\.sgpr_count:\s*(\d+)', notes)[1]),
       'vgprs': int(re.search(r'\.vgpr_count:\s*(\d+)', notes)[1]),
   }


def run(tools, path, base, workgroup, workgroups, params, limit=1000000000):
   """Figures of a run in the simulator, and the memory in the end. A parameter is bytes, for memory that holds
   them, or (bits, value). Files are named after the base."""
   arguments, outputs = [], []
   for n, param in enumerate(params):
      if isinstance(param, bytes):
         with open(f'{base}.in{n}', 'wb') as file:
            file.write(param)
         arguments.append(f'p{n}@{base}.out{n}=@{base}.in{n}')
         outputs.append(f'{base}.out{n}')
      else:
         arguments.append(f'u{param[0]}:{param[1]}')
   done = subprocess.run([tools.heddle, 'run', '--json', '--stats', f"--groups={','.join(map(str, workgroups))}",
                          f'--limit={limit}', f"--group-size={','.join(map(str, workgroup))}", path, *arguments],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
   if done.returncode:
      try:
         raise Wrong(json.loads(done.stderr.strip().splitlines()[-1])['message'])
      except (IndexError, ValueError, KeyError):
         raise Wrong(done.stderr.strip() or f'exit {done.returncode}') from None
   memory = []
   for output in outputs:
      with open(output, 'rb') as file:
         memory.append(file.read())
   return json.loads(done.stdout.strip().splitlines()[-1]), memory
