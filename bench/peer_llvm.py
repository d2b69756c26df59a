# SPDX-License-Identifier: MIT
"""What LLVM's tools take for the programs that bench.c wrote as LLVM IR.

    peer_llvm.py FILE.ll

CPU time of whole processes, the fastest of some runs, less that of the same tool on an empty module.
Kinds of work that no tool does alone are differences between two runs:

    parse     llvm-as, neither verifying nor writing
    validate  opt with the verifier, less opt without
    write     llvm-as without verifying, less parse
    read      opt on bitcode without verifying
    print     llvm-dis, less read
"""
import os
import resource
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'scripts'))
import llvm_programs  # noqa: E402

RUNS = 5


def available():
   return all(llvm_programs.find(tool) for tool in ('llvm-as', 'llvm-dis', 'opt'))


def cpu_seconds(command):
   """The fastest of RUNS runs, user and system time of the process."""
   best = None
   for _ in range(RUNS):
      before = resource.getrusage(resource.RUSAGE_CHILDREN)
      subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
      after = resource.getrusage(resource.RUSAGE_CHILDREN)
      took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
      best = took if best is None else min(best, took)
   return best


def version():
   text = subprocess.run([llvm_programs.find('opt'), '--version'], check=True, stdout=subprocess.PIPE, text=True).stdout
   return next((line.strip() for line in text.splitlines() if 'version' in line), 'LLVM')


def measure(path):
   """{work: nanoseconds} for one file; verifies it as well, so a wrong program is an error."""
   assembler, disassembler, opt = llvm_programs.find('llvm-as'), llvm_programs.find('llvm-dis'), llvm_programs.find('opt')

   def steps(source, folder):
      bitcode = os.path.join(folder, 'program.bc')
      subprocess.run([assembler, '-o', bitcode, source], check=True)
      off = ['-disable-verify']
      return {
          'parse': cpu_seconds([assembler, *off, '-disable-output', source]),
          'parse, write': cpu_seconds([assembler, *off, '-o', os.devnull, source]),
          'read': cpu_seconds([opt, *off, '-passes=no-op-module', '-disable-output', bitcode]),
          'read, verify': cpu_seconds([opt, *off, '-passes=verify', '-disable-output', bitcode]),
          'read, print': cpu_seconds([disassembler, '-o', os.devnull, bitcode]),
      }

   with tempfile.TemporaryDirectory() as folder:
      empty = os.path.join(folder, 'empty.ll')
      with open(empty, 'w', encoding='utf-8') as file:
         file.write('declare i32 @id()\n')
      start = steps(empty, folder)
      took = steps(path, folder)
   net = {step: took[step] - start[step] for step in took}
   seconds = {
       'parse': net['parse'],
       'validate': net['read, verify'] - net['read'],
       'write': net['parse, write'] - net['parse'],
       'read': net['read'],
       'print': net['read, print'] - net['read'],
   }
   return {work: max(0.0, s) * 1e9 for work, s in seconds.items()}


if __name__ == '__main__':
   for name, nanoseconds in measure(sys.argv[1]).items():
      print(f'{name:10} {nanoseconds / 1e6:9.3f} ms')
