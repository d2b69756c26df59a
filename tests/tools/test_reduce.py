#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""heddle reduce and heddle bisect: on commands, and on passes that go wrong.

    test_reduce.py TOOL SANITIZED PRINT_PROGRAM WRONG_PASSES
"""
import os
import re
import subprocess
import sys

from harness import TAP, expect, finish, get, heddle, path, put

PRINT_PROGRAM, WRONG_PASSES = sys.argv[3:5]
# The library of wrong passes stands before all others, also before a sanitizer's.
WRONG = {'LD_PRELOAD': WRONG_PASSES, 'ASAN_OPTIONS': 'verify_asan_link_order=0:detect_leaks=0'}


def program(seed, size=60, form='trees'):
   return subprocess.run([PRINT_PROGRAM, str(seed), str(size), form], stdout=subprocess.PIPE,
                         check=True).stdout


def instructions(text):
   """Lines that are one: all but those of blocks, nodes, functions and the shader itself."""
   skip = re.compile(rb'(shader|function|flat|workgroup|subgroup|shared|scratch|push|kernarg|float|var'
                     rb'|if|loop|\}|b\d+|//)|$')
   return [line for line in text.splitlines() if not skip.match(line.strip())]


def find_program(ops, least, form='trees', shows=None):
   """The first program with all of these ops, at least so many instructions, and to which the wrong
   pass `shows` makes a difference.
   """
   for seed in range(1, 200):
      text = program(seed, 80, form)
      if all(f' {op} '.encode() in text for op in ops) and len(instructions(text)) >= least:
         name = put('program.hd', text)
         if not shows or heddle('opt', '--check', '-p', shows, name, **WRONG).status == 2:
            return name
   raise AssertionError(f'no program has {ops}')


def test_usage():
   given = program(1)
   expect('reduce: nothing to look for', heddle('reduce', given=given), 2, '',
          '`heddle reduce` wants -- COMMAND, or --passes=LIST')
   expect('reduce: both', heddle('reduce', '-p', 'dce', '-', '--', 'true', given=given), 2, '', 'wants')
   expect('reduce: no such pass', heddle('reduce', '-p', 'nothing', given=given), 2, '', 'nothing')
   expect('reduce: a timeout that is none', heddle('reduce', '--timeout=0', '-p', 'dce', given=given), 2,
          '', "--timeout wants seconds from 1 to 100000, not '0'")
   expect('reduce: nothing is wrong', heddle('reduce', '-p', 'dce', given=given), 2, '',
          'expected the passes to fail on the input, they do not')
   expect('reduce: what is looked for is not there',
          heddle('reduce', '-m', 'nowhere', '-', '--', 'cat', given=given), 2, '', "expected 'nowhere' in")
   expect('reduce: no such command', heddle('reduce', '-', '--', '/nowhere/nothing', '{}', given=given), 2, '',
          'heddle: cannot run /nowhere/nothing: No such file')
   expect('bisect: no such command', heddle('bisect', '-p', 'dce', '-', '--', '/nowhere/nothing', given=given),
          2, '', 'heddle: cannot run /nowhere/nothing: No such file')
   expect('bisect: no passes', heddle('bisect', given=given), 2, '', 'wants --passes=LIST or -O LEVEL')
   expect('bisect: no such level', heddle('bisect', '-O', '9', given=given), 2, '', "no level '9'")
   expect('bisect: nothing is wrong', heddle('bisect', '-p', 'dce,dce', given=given), 1, '',
          'the input passes after all 2 passes')
   expect('bisect: wrong before the first', heddle('bisect', '-p', 'dce', '-', '--', 'false', given=given),
          1, '', 'the input fails before the first pass')
   expect('reduce: bad input', heddle('reduce', '-', '--', 'true', given='nonsense'), 1, '', 'error')


def test_reduce_command():
   """300 instructions become a handful, whatever the command looks for."""
   for ops in (['ballot_bit_count'], ['udiv'], ['ballot', 'load_push'], ['phi']):
      name = find_program(ops, 300)
      script = ' && '.join(f'grep -q " {op} " {{}}' for op in ops)
      done = heddle('reduce', '-o', 'small.hd', name, '--', 'sh', '-c', script)
      expect(f'reduce: {ops}', done, 0, '', 'instructions in')
      small = get('small.hd')
      left = instructions(small)
      TAP.check(f'reduce: {ops} are there', all(f' {op} '.encode() in small for op in ops), small)
      TAP.check(f'reduce: {ops}, a handful of instructions is left', len(left) <= 5 + 3 * len(ops), small)
      expect(f'reduce: {ops}, valid', heddle('validate', 'small.hd'), 0, '', '')
      again = heddle('reduce', name, '--', 'sh', '-c', script)
      TAP.check(f'reduce: {ops}, the same again', again.out == small, again)
   flat = find_program(['switch', 'goto_if'], 150, 'graphs')
   done = heddle('reduce', flat, '--', 'grep', '-q', 'switch')
   expect('reduce: a graph, on standard input', done, 0, b'switch')
   TAP.check('reduce: a graph, little is left', len(instructions(done.out)) <= 6, done)
   keep_exit = heddle('reduce', '-m', 'found it', flat, '--', 'sh', '-c',
                      'grep -q goto_if && echo found it; exit 7')
   expect('reduce: any exit status, by what is printed', keep_exit, 0, b'goto_if')


def test_reduce_passes():
   name = find_program(['isub', 'imul', 'iadd'], 300, shows='wrong_meaning')
   for wrong, most in (('meaning', 12), ('rules', 10), ('crash', 6)):
      done = heddle('reduce', '-p', f'dce,wrong_{wrong},dce', '-o', 'small.hd', name, **WRONG)
      if not expect(f'reduce: {wrong}', done, 0, '', 'instructions in'):
         continue
      small = get('small.hd')
      TAP.check(f'reduce: {wrong}, small', len(instructions(small)) <= most, small)
      expect(f'reduce: {wrong}, valid', heddle('validate', 'small.hd'), 0, '', '')
   expect('opt --check tells what a pass does wrong',
          heddle('opt', '--check', '-p', 'wrong_meaning', name, **WRONG), 2, '',
          'pass opt_wrong_meaning: the shader does something else after it')
   expect('HD_DEBUG=run alone too', heddle('opt', '-p', 'wrong_meaning', name, HD_DEBUG='run', **WRONG), 2,
          '', 'pass opt_wrong_meaning: the shader does something else after it')


def widest(text):
   """The most components of a value or a variable."""
   return max((int(n) for n in re.findall(rb':\s?\d+x(\d+)', text)), default=1)


def test_reduce_planted():
   """A wrong pass is left with a handful of instructions, on trees, graphs and vectors. Three
   components are what workgroup_size has.
   """
   for form in ('trees', 'graphs'):
      for wrong, ops, most, width in (('meaning', ['isub', 'imul', 'iadd'], 12, 1),
                                      ('vectors', ['channel', 'vec'], 10, 3)):
         what = f'reduce: planted in {form}: {wrong}'
         name = find_program(ops, 300, form, shows=f'wrong_{wrong}')
         before = get(name)
         if not expect(what, heddle('reduce', '-p', f'wrong_{wrong}', '-o', 'small.hd', name, **WRONG),
                       0, '', 'instructions in'):
            continue
         small = get('small.hd')
         TAP.check(f'{what}, {len(instructions(before))} instructions become {len(instructions(small))}',
                   len(instructions(small)) <= most, small)
         TAP.check(f'{what}, {widest(before)} components become {widest(small)}',
                   widest(small) <= width < widest(before), small)
         done = heddle('opt', '--check', '-p', f'wrong_{wrong}', 'small.hd', **WRONG)
         expect(f'{what}, still wrong', done, 2, '', 'does something else')
         TAP.check(f'{what}, in which lane', re.search(rb'lane \d+ of wave \d+ of workgroup \d+', done.err),
                   done)


def test_bisect():
   name = find_program(['isub', 'imul', 'iadd'], 150, shows='wrong_meaning')
   many = ['dce', 'dead_cf', 'vars_to_ssa', 'dce']
   for wrong, words in (('meaning', 'before, '), ('rules', 'a definition dominates its uses'),
                        ('crash', 'signal 6')):
      for at in (0, 2, 4):
         passes = many[:at] + [f'wrong_{wrong}'] + many[at:]
         done = heddle('bisect', '-v', '-p', ','.join(passes), '-o', 'before.hd', name, **WRONG)
         if expect(f'bisect: {wrong} at {at}', done, 0, f'opt_wrong_{wrong}, pass {at + 1} of 5'):
            TAP.check(f'bisect: {wrong} at {at}, why', words.encode() in done.out, done)
            TAP.check(f'bisect: {wrong} at {at}, a function', b', in @' in done.out, done)
            TAP.check(f'bisect: {wrong} at {at}, few tries', done.err.count(b'\n') <= 9, done)
         expect(f'bisect: {wrong} at {at}, what was before it', heddle('validate', 'before.hd'), 0, '', '')
   done = heddle('bisect', '--timeout=1', '-p', 'dce,wrong_hang,dce', name, **WRONG)
   expect('bisect: no end', done, 0, 'opt_wrong_hang, pass 2 of 3')
   name = put('dead.hd', program(3))
   lines = heddle('opt', '-p', 'dead_cf,dce', name).out.count(b'\n')
   done = heddle('bisect', '-p', 'dead_cf,dce,dead_cf', name, '--', 'sh', '-c',
                 f'test $(wc -l < {{}}) -gt {lines}')
   expect('bisect: a command', done, 0, 'opt_dce, pass 2 of 3')


def test_leaves_nothing():
   before = set(os.listdir(path('.')))
   heddle('reduce', put('p.hd', program(2, 20)), '--', 'grep', '-q', 'const', TMPDIR=path('.'))
   heddle('bisect', '-p', 'dce', path('p.hd'), '--', 'grep', '-q', 'nothing', TMPDIR=path('.'))
   left = set(os.listdir(path('.'))) - before - {'p.hd'}
   TAP.check('no temporary file is left', not left, left)


test_usage()
test_reduce_command()
test_reduce_passes()
test_reduce_planted()
test_bisect()
test_leaves_nothing()
finish()
