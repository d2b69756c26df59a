# SPDX-License-Identifier: MIT
"""LLVM IR of kernels that only load and store, built for the host by the same LLVM, and run lane by lane.

The third judge where our code and LLVM's for a GPU leave different memory: no lanes, no masks, and no code of
ours take part in what it says. A kernel is @main(out, in) and asks for nothing but the numbers of its lane and
workgroup, as gcn_programs.py writes it.
"""
import os
import re
import struct
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'scripts'))
import llvm_programs  # noqa: E402

SECONDS = 20
IDS = {'llvm.amdgcn.workitem.id.x': 'host_lane', 'llvm.amdgcn.workgroup.id.x': 'host_group'}
LAUNCH = '''
#include <stdio.h>
#include <stdlib.h>
static unsigned lane, group;
unsigned host_lane(void) { return lane; }
unsigned host_group(void) { return group; }
void host_main(unsigned *out, const unsigned *in);
int main(int argc, char **argv)
{
   const unsigned lanes = argc > 2 ? atoi(argv[1]) : 0, words = argc > 2 ? atoi(argv[2]) : 0;
   unsigned *in = malloc(words * 4u), *out = calloc(words, 4);
   if (!words || !in || !out || fread(in, 4, words, stdin) != words)
      return 1;
   for (group = 0; group < words / lanes; group++) {
      for (lane = 0; lane < lanes; lane++)
         host_main(out, in);
   }
   return fwrite(out, 4, words, stdout) != words;
}
'''


class Failed(Exception):
   """It could not be built, or did not end well."""


def available():
   return llvm_programs.find('clang') is not None


def for_host(text):
   """The same IR without what makes it a GPU's: target, address spaces, calling convention, intrinsics' names."""
   text = re.sub(r'(?m)^target .*\n', '', text)
   text = re.sub(r',? addrspace\(\d+\)', '', text)
   text = re.sub(r'define amdgpu_kernel void @main(.*?\)).*\{', r'define void @host_main\1 {', text)
   for intrinsic, function in IDS.items():
      text = text.replace(intrinsic, function)
   return text


def build(text, base, level='-O2'):
   """IR as text; the program, which is named after the base."""
   with open(f'{base}.host.ll', 'w', encoding='utf-8') as file:
      file.write(for_host(text))
   with open(f'{base}.host.c', 'w', encoding='utf-8') as file:
      file.write(LAUNCH)
   done = subprocess.run([llvm_programs.find('clang'), level, '-Wno-override-module', f'{base}.host.c', f'{base}.host.ll',
                          '-o', f'{base}.host'], stderr=subprocess.PIPE, text=True, check=False)
   if done.returncode:
      raise Failed('for the host: ' + done.stderr.strip()[:200])
   return f'{base}.host'


def run(program, lanes, words):
   """What is in `out` in the end, as words; `in` has these, one for each lane of all workgroups."""
   try:
      done = subprocess.run([program, str(lanes), str(len(words))], input=struct.pack(f'={len(words)}I', *words),
                            stdout=subprocess.PIPE, timeout=SECONDS, check=False)
   except subprocess.TimeoutExpired:
      raise Failed('on the host: it does not end') from None
   if done.returncode:
      raise Failed(f'on the host: exit {done.returncode}')
   return list(struct.unpack(f'={len(words)}I', done.stdout))
