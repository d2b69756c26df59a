#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the simulator holds against programs: each check is tripped by a program, and passed by one that does it
right; each wait state that is asked for is missed once, and kept once. And how many cycles it counts.

    test_strict.py HEDDLE

The programs stand in strict_programs.py. They are assembled by clang, all of a chip at once; without it the test
is skipped.
"""
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', '..', 'scripts'))
import llvm_programs  # noqa: E402
import strict_programs as programs  # noqa: E402

SKIPPED = 77
CHIPS = ('gfx600', 'gfx803', 'gfx900')

KERNEL = '''
   .globl {name}
   .p2align 8
   .type {name},@function
{name}:
   s_load_dwordx2 s[4:5], s[0:1], 0x0
   s_waitcnt lgkmcnt(0)
   v_lshlrev_b32 v6, 2, v0
   v_mov_b32 v2, s4
   v_mov_b32 v3, s5
   {addlane}
   s_mov_b32 s12, s4
   s_and_b32 s13, s5, 0xffff
   s_movk_i32 s14, 0x100
   s_mov_b32 s15, 0x24fac
   v_mov_b32 v8, 0
   v_mov_b32 v9, 0
   v_mov_b32 v10, 0
   v_mov_b32 v11, 0
   s_mov_b64 vcc, vcc
   s_nop 7
{body}
   s_endpgm
   .section .rodata,"a"
   .p2align 6
   .amdhsa_kernel {name}
      .amdhsa_user_sgpr_kernarg_segment_ptr 1
      .amdhsa_kernarg_size 8
      .amdhsa_group_segment_fixed_size 1024
      .amdhsa_next_free_vgpr 32
      .amdhsa_next_free_sgpr 46
      .amdhsa_reserve_vcc 1
      {reserve}
   .end_amdhsa_kernel
   .text
'''
METADATA = '''  - .args:
      - .offset: 0
        .size: 8
        .value_kind: global_buffer
        .address_space: global
    .group_segment_fixed_size: 1024
    .kernarg_segment_align: 8
    .kernarg_segment_size: 8
    .max_flat_workgroup_size: 128
    .name: {name}
    .private_segment_fixed_size: 0
    .sgpr_count: 48
    .symbol: {name}.kd
    .vgpr_count: 32
    .wavefront_size: 64
'''


def memory(chip, op, data, address, offset, size='dword'):
   """A load or a store at the address in two vector registers."""
   last = int(address) + 1
   what = f'v[{data}:{int(data) + 3}]' if size == 'dwordx4' else f'v{data}'
   if chip == 'gfx600':
      # A resource without a base: all of it is in the vector registers.
      return (f's_mov_b64 s[16:17], 0\n s_mov_b32 s18, -1\n s_mov_b32 s19, 0xf000\n'
              f'buffer_{op}_{size} {what}, v[{address}:{last}], s[16:19], 0 addr64 offset:{offset}')
   if chip == 'gfx803':
      assert offset == '0' or op == 'load'
      if offset != '0':
         return (f'v_add_u32 v12, vcc, {offset}, v{address}\n v_addc_u32 v13, vcc, 0, v{last}, vcc\n'
                 f'flat_{op}_{size} {what}, v[12:13]')
      return (f'flat_load_{size} {what}, v[{address}:{last}]' if op == 'load' else
              f'flat_store_{size} v[{address}:{last}], {what}')
   return (f'global_load_{size} {what}, v[{address}:{last}], off offset:{offset}' if op == 'load' else
           f'global_store_{size} v[{address}:{last}], {what}, off offset:{offset}')


ADD = {'gfx600': 'v_add_i32', 'gfx803': 'v_add_u32', 'gfx900': 'v_add_co_u32'}
ADDC = {'gfx600': 'v_addc_u32', 'gfx803': 'v_addc_u32', 'gfx900': 'v_addc_co_u32'}


def expand(chip, program):
   """The words in braces."""
   def word(match):
      name, *rest = match[1].replace(',', ' ').split()
      if name in ('load', 'store'):
         return memory(chip, name, rest[0], 4, (rest + ['0'])[1])
      if name == 'base':
         return memory(chip, 'load', rest[0], 2, (rest + ['0'])[1])
      if name == 'byte':
         return memory(chip, 'load', rest[0], 2, rest[1], 'ubyte')
      if name in ('loadat', 'storeat'):
         return memory(chip, name[:-2], rest[0], rest[1], '0')
      if name == 'store4':
         return memory(chip, 'store', rest[0], 2, '0', 'dwordx4')
      if name == 'lds':
         return '' if chip == 'gfx900' else 's_mov_b32 m0, -1'
      if name == 'jump':
         return '.Lend{name}\n s_nop 0\n.Lend{name}:'
      if name == 'smem':
         return hex(int(rest[0]) // 4 if chip == 'gfx600' else int(rest[0]))
      if name == 'add':
         return f'{ADD[chip]} {rest[0]}, vcc, {", ".join(rest[1:])}'
      assert name == 'addc', name
      return f'{ADDC[chip]} {rest[0]}, vcc, {", ".join(rest[1:])}, vcc'
   return re.sub(r'\{([^}]*)\}', word, program)


def nops(states):
   return ''.join(f's_nop {min(states - n, 8) - 1}\n' for n in range(0, states, 8))


def cases(chip):
   """(name, program, message or None, lanes)."""
   for name, chips, wrong, message, right in programs.ROWS + programs.WAVES:
      lanes = 128 if (name, chips, wrong, message, right) in programs.WAVES else 64
      if chip in chips:
         # The lanes of the second wave have the dwords of the first.
         yield f'{name}_wrong', wrong, message, lanes
         yield f'{name}_right', right, None, lanes
   for name, chips, states, before, after, message in programs.HAZARDS:
      if chip in chips:
         for have in range(states + 1):
            yield (f'{name}_{have}', f'{before}\n{nops(have)}{after}',
                   None if have == states else f'{message}.* {states} wait states are needed, there are {have}', 64)
   yield 'cycles_of_nothing', '', None, 64
   for name, program, _ in programs.CYCLES:
      yield f'cycles_of_{name}', program, None, 64


def assemble(clang, chip, folder):
   text = [f'   .amdgcn_target "amdgcn-amd-amdhsa--{chip}"\n   .text\n']
   names = []
   for name, program, _, _ in cases(chip):
      body = expand(chip, program).replace('{name}', f'_{name}')
      lane = expand(chip, '{add v4, v2, v6}\n {addc v5, 0, v3}')
      text.append(KERNEL.format(name=name, body=body, addlane=lane,
                                reserve='' if chip == 'gfx600' else '.amdhsa_reserve_flat_scratch 0'))
      names.append(name)
   text.append('   .amdgpu_metadata\n---\namdhsa.version: [1, 2]\namdhsa.kernels:\n' +
               ''.join(METADATA.format(name=name) for name in names) + '...\n   .end_amdgpu_metadata\n')
   source, code = os.path.join(folder, f'{chip}.s'), os.path.join(folder, f'{chip}.o')
   with open(source, 'w', encoding='utf-8') as file:
      file.write(''.join(text))
   subprocess.run([clang, '-target', 'amdgcn-amd-amdhsa', f'-mcpu={chip}', '-c', source, '-o', code], check=True)
   return code


def wrong_with(heddle, code, name, message, lanes):
   done = subprocess.run([heddle, 'run', code, '--function', name, '--groups', '1', '--group-size', str(lanes),
                          '--limit', '10000', 'zero:512' if lanes > 64 else 'zero:256'],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
   if message is None:
      return f'exit {done.returncode}: {done.stderr[:500]}' if done.returncode else None
   if done.returncode != 1 or not re.search(message, done.stderr):
      return f'exit {done.returncode}, no message like "{message}": {done.stderr[:500]}'
   # Where it was, and which instruction.
   if not re.search(r'wave \d of workgroup 0, at 0x[0-9a-f]+', done.stderr):
      return f'no place: {done.stderr[:500]}'
   return None


def cycles(heddle, code, name):
   done = subprocess.run([heddle, 'run', code, '--function', f'cycles_of_{name}', '--stats', 'zero:256'],
                         stdout=subprocess.PIPE, text=True, check=True)
   return int(re.search(r'^cycles (\d+)$', done.stdout, re.M)[1])


def count_wrong_cycles(heddle, chip, code):
   bad, nothing = 0, cycles(heddle, code, 'nothing')
   for name, _, wanted in programs.CYCLES:
      counted = cycles(heddle, code, name) - nothing
      if counted != wanted:
         bad += 1
         print(f'{chip}, {name}: {counted} cycles instead of {wanted}')
   return bad


def main(heddle):
   clang = llvm_programs.find('clang')
   if not clang:
      print('no clang')
      return SKIPPED
   bad = total = 0
   with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
      jobs = []
      for chip in CHIPS:
         code = assemble(clang, chip, folder)
         bad += count_wrong_cycles(heddle, chip, code)
         for name, _, message, lanes in cases(chip):
            jobs.append((chip, name, pool.submit(wrong_with, heddle, code, name, message, lanes)))
      for chip, name, job in jobs:
         total += 1
         if job.result():
            bad += 1
            print(f'{chip}, {name}: {job.result()}')
   print(f'{total} programs, {bad} wrong')
   return bad != 0


if __name__ == '__main__':
   sys.exit(main(*sys.argv[1:]))
