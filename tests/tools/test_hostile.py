#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Inputs that are huge, deep or damaged: a clear answer, in bounded time, memory and stack.

    test_hostile.py TOOL SANITIZED
"""
import os
import random
import resource
import time

from harness import GOOD, SANITIZED, TAP, expect, finish, heddle, path, put

# An instrumented program is slow, and maps far more memory than it uses.
MEGABYTES = 10 if SANITIZED else 100
STACK = [(resource.RLIMIT_STACK, 8 << 20)]
READERS = [['validate'], ['print'], ['convert'], ['draw'], ['draw', '-t', 'svg'], ['draw', '-t', 'outline', '-dp'],
           ['stats'], ['hash'], ['opt', '-p', 'dead_cf,dce']]


def memory(megabytes):
   return [] if SANITIZED else [(resource.RLIMIT_AS, megabytes << 20)]


def timed(name, seconds, *args, **options):
   """Run; a case of its own that it took no longer."""
   begin = time.monotonic()
   done = heddle(*args, **options)
   took = time.monotonic() - begin
   TAP.check(f'{name}: within {seconds} seconds', took < seconds, f'{took:.1f}')
   return done


def in_function(body, params=''):
   return f'shader compute "t" {{\n  workgroup 1 1 1\n  function @main{params} {{\n{body}\n  }}\n}}\n'


def nest(depth):
   rows = [f'b{n}:\nif %c {{' for n in range(depth)] + [f'b{depth}:']
   rows += [f'}} else {{\nb{depth + 1 + 2 * n}:\n}}\nb{depth + 2 + 2 * n}:' for n in range(depth)]
   return in_function('\n'.join(rows), '(%c:1)')


def loops(depth):
   rows = [f'b{n}:\nloop {{' for n in range(depth)] + [f'b{depth}:\nbreak']
   rows += [f'}}\nb{depth + 1 + n}:' + ('\nbreak' if n < depth - 1 else '') for n in range(depth)]
   return in_function('\n'.join(rows))


def test_huge():
   size = MEGABYTES << 20
   rng = random.Random(20)
   piece = rng.randbytes(1 << 20)
   for name, data in (
         ('garbage', piece * MEGABYTES),
         ('one word', b'a' * size),
         ('one number', in_function('b0:\n%0:32 = const ').encode() + b'7' * size),
         ('one string', b'shader compute "' + b'x' * size),
         ('one comment', b'//' + b'x' * size),
         ('blanks', b' ' * size),
         ('lines', b'\n' * size),
         ('zeros', b'\0' * size),
         ('open braces', b'shader compute "t" {' + b'{' * size),
         ('quotes', b'"' * size),
         ('percent signs', in_function('b0:\n').encode()[:-6] + b'%' * size)):
      source = put('huge', data)
      done = timed(name, 60, 'print', '-o', path('huge.out'), source, limits=STACK + memory(12 * MEGABYTES))
      expect(f'{name}: refused', done, 1, '', ': error: ')
      TAP.check(f'{name}: the answer is short', len(done.err) < 100000, len(done.err))
      TAP.check(f'{name}: no output', not os.path.exists(path('huge.out')))
   os.remove(path('huge'))


def test_deep():
   million = 100000 if SANITIZED else 1000000
   source = put('deep', in_function(
      ''.join(f'b{n}:\nif %c {{\n' for n in range(million)), '(%c:1)'))
   done = timed('a million ifs that are not closed', 60, 'validate', source, limits=STACK + memory(2000))
   expect('a million ifs that are not closed: refused', done, 1, '', ': error: ')
   done = timed('the same with a cap', 20, 'validate', '--max-memory=1000000', source, limits=STACK + memory(200))
   expect('the same with a cap: refused', done, 1, '', 'budget exceeded (--max-memory=1000000)')
   done = timed('the same with few steps', 20, 'validate', '--max-steps=100000', source, limits=STACK)
   expect('the same with few steps: refused', done, 1, '', 'budget exceeded (--max-steps=100000)')
   for name, text in (('ifs', nest(10000)), ('loops', loops(10000))):
      source = put('deep', text)
      for command in READERS:
         done = timed(f'10,000 {name}, {" ".join(command)}', 60, *command, source,
                      limits=STACK + memory(1000), HD_VALIDATE='1')
         TAP.check(f'10,000 {name}, {" ".join(command)}: done', done.status == 0 and not done.err, done)
      expect(f'10,000 {name}: binary', heddle('convert', '-o', path('deep.hdb'), source), 0, '', '')
      done = heddle('convert', path('deep.hdb'), limits=STACK)
      TAP.check(f'10,000 {name}: and back', done.status == 0 and done.out == heddle('print', source).out)


def test_numbers():
   digits = '9' * 10000
   for name, text in (
         ('a constant', in_function(f'b0:\n%0:32 = const {digits}')),
         ('a hexadecimal constant', in_function(f'b0:\n%0:32 = const 0x{"f" * 10000}')),
         ('a value', in_function(f'b0:\n%0:{digits} = const 1')),
         ('a block', in_function(f'b{digits}:')),
         ('an operand', in_function(f'b0:\n%0:32 = iadd %{digits}, %{digits}')),
         ('the workgroup', in_function('b0:').replace('1 1 1', f'{digits} 1 1')),
         ('an array', in_function(f'var $x:32[{digits}]\nb0:')),
         ('a location', in_function(f'b0: @"f":{digits}:1'))):
      done = timed(f'10,000 digits in {name}', 10, 'validate', given=text)
      TAP.check(f'10,000 digits in {name}: an answer', done.status in (0, 1) and
                (done.status == 0) == (done.err == b'') and len(done.err) < 20000, done)
      if name not in ('a block', 'an operand'):
         expect(f'10,000 digits in {name}: refused', done, 1, '', ': error: ')


def test_zeros():
   for place in range(len(GOOD) + 1):
      done = heddle('print', given=GOOD[:place] + '\0' + GOOD[place:]) if place % 5 == 0 else None
      if done and not (done.status == 1 and b'error' in done.err):
         TAP.check(f'a zero byte at {place} is refused', False, done)
         return
   TAP.check('a zero byte anywhere is refused', True)


def test_damaged_binary():
   binary = heddle('convert', given=GOOD).out
   rng = random.Random(8)
   for _ in range(100):
      data = bytearray(binary)
      data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
      done = heddle('print', given=bytes(data))
      if not (done.status == 1 and done.err and not done.out):
         TAP.check('a flipped bit is refused', False, f'{data.hex()}\n{done}')
         break
   else:
      TAP.check('a flipped bit is refused', True)
   expect('a binary with more after it', heddle('print', given=binary + b'\0'), 1, '', 'error')
   big = binary[:16] + b'\xff' * (MEGABYTES << 20)
   expect('a binary of nonsense', timed('a binary of nonsense', 30, 'print', given=big), 1, '', 'error')


test_huge()
test_deep()
test_numbers()
test_zeros()
test_damaged_binary()
finish()
