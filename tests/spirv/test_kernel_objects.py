#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kernels of SPIR-V as code objects: what their notes say of arguments is what clang's say, and they run.

    test_kernel_objects.py --heddle=TOOL

Left out of the comparison: names of types, which the module does not have, and actual_access, which clang says of
pointers that its optimiser looked at.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'house')]
import cases  # noqa: E402
from tap import Tap  # noqa: E402

CHIPS = ('gfx600', 'gfx803', 'gfx900')
KERNELS = ('saxpy', 'fill', 'scale')
SOURCE = '''
kernel void saxpy(global const float *restrict x, global float *y, float a, local float *tmp,
                  constant float *c, float4 v, int n)
{
   int i = get_global_id(0), l = get_local_id(0);
   tmp[l] = i < n ? x[i] : 0;
   barrier(CLK_LOCAL_MEM_FENCE);
   if (i < n)
      y[i] += a * tmp[l ^ 1] + c[0] + v.y;
}

kernel void fill(global uint *out, ushort value, ulong more)
{
   out[get_global_id(0)] = value + (uint)more;
}

kernel void scale(read_only image1d_t from, write_only image1d_t to, sampler_t how, float by)
{
   int i = get_global_id(0);
   write_imagef(to, i, read_imagef(from, how, i ^ 1) * by);
}
'''
KEYS = ('access', 'address_space', 'is_const', 'is_restrict', 'name', 'offset', 'pointee_align', 'size', 'value_kind')
# Arguments by name, in any order; and in their order, as they must be where no note has names.
RUNS = {
   'saxpy': (['n=u32:4', 'tmp=local:256', 'y=f32:10,20,30,40', 'v=f32:0,1000,0,0', 'x=f32:1,2,3,4', 'a=f32:2', 'c=f32:100',
              '--group-size=64'], 'y = 1114 1122 1138 1146'),
   'fill': (['more=u64:0x100000003', 'value=u16:7', 'out=zero:16', '--grid=4', '--group-size=4'], 'out = 10 10 10 10'),
   'scale': (['by=f32:2', 'image@0.0:4:r32_float=f32:1,2,3,4', 'image@0.1:4:r32_float=zero:16', 'sampler@0.2=nearest,unnormalized',
              '--grid=4', '--group-size=4'], 'image@0.1:4:r32_float = 1082130432 1073741824 1090519040 1086324736'),
}
RUNS_IN_ORDER = {
   'saxpy': (['x=f32:1,2,3,4', 'y=f32:10,20,30,40', 'f32:2', '&zero:256', 'c=f32:100', 'f32:0,1000,0,0', 'u32:4',
              '--group-size', '64'], 'y = 1114 1122 1138 1146'),
   'fill': (['out=zero:16', 'u16:7', 'u64:0x100000003', '--grid', '4', '--group-size', '4'], 'out = 10 10 10 10'),
   'scale': (['image@0.0:4:r32_float=f32:1,2,3,4', 'image@0.1:4:r32_float=zero:16', 'sampler@0.2=nearest,unnormalized', 'f32:2',
              '--grid', '4', '--group-size', '4'], 'image@0.1:4:r32_float = 1082130432 1073741824 1090519040 1086324736'),
}


def run(*command):
   done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
   if done.returncode:
      raise cases.Failed(f'{" ".join(command[:4])} ...: {done.stdout.strip()[:1000]}')
   return done.stdout


def kernels_of(path):
   """{name: explicit arguments} by the note, in the order of the note."""
   found, args, name = {}, [], None
   for line in run(cases.tool('llvm-readelf-19'), '--notes', path).splitlines():
      if re.match(r'  - \.|amdhsa\.target', line):
         if name:
            found[name] = [a for a in args if not a['value_kind'].startswith('hidden_')]
         args, name = [], None
      if re.match(r'      - \.', line):
         args.append({})
      entry = re.match(r'(?:      - |        )\.(\w+): +(?:!str )?(.*)', line)
      if entry and args:
         args[-1][entry[1]] = entry[2].strip("'")
      elif line.startswith('    .name:'):
         name = line.split()[-1]
   return found


def check_linked(tap, heddle, chip, module, folder, wanted):
   """All kernels in one object: the note, what a loader looks symbols up in, and what runs, with the note and without."""
   path, bare = os.path.join(folder, 'all.hsaco'), os.path.join(folder, 'bare.hsaco')
   run(heddle, 'compile', f'--target={chip}', '--all-kernels', module, '-o', path)
   ours = kernels_of(path)
   tap.check(f'{chip}: the note of all kernels', set(ours) == set(KERNELS) == set(wanted) and all(
      [{key: a[key] for key in KEYS if key in a} for a in ours[k]] ==
      [{key: a[key] for key in KEYS if key in a} for a in wanted[k]] for k in KERNELS), ours)
   tables = run(cases.tool('llvm-readelf-19'), '--hash-symbols', path)
   names = sorted(line.split()[-1] for line in tables.splitlines() if re.search(r'FUNC|OBJECT', line))
   tap.check(f'{chip}: both hash tables have all symbols', names == sorted(2 * [k + end for k in KERNELS for end in ('', '.kd')]) and
             'error' not in tables and 'warning' not in tables, tables)
   run(cases.tool('llvm-objcopy-19'), '--remove-section=.note', path, bare)
   for kernel in KERNELS:
      for name, (operands, result) in ((path, RUNS[kernel]), (bare, RUNS_IN_ORDER[kernel])):
         out = run(heddle, 'run', name, f'--function={kernel}', *(o.replace('&zero', 'local') for o in operands))
         tap.check(f'{kernel} of {os.path.basename(name)} on {chip}', result in out.splitlines(), out)


def main():
   parser = argparse.ArgumentParser()
   parser.add_argument('--heddle', required=True)
   args = parser.parse_args()
   missing = [name for name in ('clang-15', 'llvm-spirv-15', 'clang-19', 'llvm-readelf-19', 'llvm-objcopy-19') if not cases.tool(name)]
   if missing:
      print(f"1..0 # SKIP not installed: {', '.join(missing)}")
      return
   tap = Tap()
   with tempfile.TemporaryDirectory() as folder:
      source, code, module = (os.path.join(folder, f'k.{end}') for end in ('cl', 'bc', 'spv'))
      with open(source, 'w', encoding='utf-8') as file:
         file.write(SOURCE)
      run(cases.tool('clang-15'), '-O2', '-target', 'spir64-unknown-unknown', '-cl-std=CL2.0', '-Xclang',
          '-finclude-default-header', '-fno-discard-value-names', '-c', '-emit-llvm', source, '-o', code)
      run(cases.tool('llvm-spirv-15'), code, '-o', module)
      for chip in CHIPS:
         native = os.path.join(folder, 'native.o')
         run(cases.tool('clang-19'), '-x', 'cl', '-O2', '-cl-std=CL2.0', '-target', 'amdgcn-amd-amdhsa', f'-mcpu={chip}',
             '-nogpulib', '-Xclang', '-finclude-default-header', '-cl-kernel-arg-info', '-c', source, '-o', native)
         wanted = kernels_of(native)
         for kernel in KERNELS:
            path = os.path.join(folder, f'{kernel}.o')
            run(args.heddle, 'compile', f'--target={chip}', f'--entry={kernel}', module, '-o', path)
            ours = kernels_of(path)
            same = ([{key: a[key] for key in KEYS if key in a} for a in found.get(kernel, [])]
                    for found in (ours, wanted))
            ours_args, wanted_args = same
            tap.check(f'{kernel} on {chip}: the note', list(ours) == [kernel] and ours_args == wanted_args and wanted_args,
                      f'{ours}\n{wanted.get(kernel)}')
            for operands, result in (RUNS[kernel], RUNS_IN_ORDER[kernel]):
               out = run(args.heddle, 'run', path, *operands)
               tap.check(f'{kernel} on {chip}: what it computes', result in out.splitlines(), out)
         check_linked(tap, args.heddle, chip, module, folder, wanted)
   tap.finish()


if __name__ == '__main__':
   main()
