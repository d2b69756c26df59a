#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What happens to the output file: replaced whole or left as it was, whatever goes wrong.

    test_files.py TOOL SANITIZED
"""
import os
import resource
import stat
import threading

from harness import BROKEN, GOOD, TAP, expect, finish, get, heddle, path, put

WRITERS = [['print'], ['convert'], ['draw'], ['draw', '-t', 'svg'], ['opt', '-p', 'dce']]


def mode(name):
   return stat.S_IMODE(os.stat(path(name)).st_mode)


def left_over(before):
   return sorted(set(os.listdir(path('.'))) - set(before))


def test_replaced():
   good = put('good.hd', GOOD)
   for command in WRITERS:
      name = ' '.join(command)
      wanted = heddle(*command, good).out
      for flag in (['-o'], ['--output']):
         put('out', 'old')
         os.chmod(path('out'), 0o640)
         expect(f'{name} {flag[0]}', heddle(*command, *flag, path('out'), good), 0, '', '')
         TAP.check(f'{name} {flag[0]}: the new contents, the old mode', get('out') == wanted and
                   mode('out') == 0o640, oct(mode('out')))
      os.remove(path('out'))
      mask = os.umask(0o027)
      done = heddle(*command, f'--output={path("out")}', good)
      os.umask(mask)
      TAP.check(f'{name}: a new file follows the umask', done.status == 0 and get('out') == wanted and
                mode('out') == 0o640, done)
      expect(f'{name} -o -', heddle(*command, '-o', '-', good), 0, wanted, '')
   expect('the input is the output', heddle('print', '--hide-names', '-o', good, good), 0, '', '')
   TAP.check('the input is the output: whole', b'"c"' not in get('good.hd') and get('good.hd').endswith(b'}\n'))


def test_links_and_pipes():
   good = put('good.hd', GOOD)
   os.mkdir(path('sub'))
   put('sub/target', 'old')
   os.chmod(path('sub/target'), 0o604)
   os.symlink('sub/target', path('link1'))
   os.symlink('link1', path('link2'))
   expect('a link to a link', heddle('print', '-o', path('link2'), good), 0, '', '')
   TAP.check('a link stays, the file that it names is replaced',
             os.readlink(path('link2')) == 'link1' and os.readlink(path('link1')) == 'sub/target' and
             get('sub/target').decode() == GOOD and mode('sub/target') == 0o604 and
             os.listdir(path('sub')) == ['target'])
   os.symlink('sub/new', path('dangling'))
   expect('a link that names nothing yet', heddle('print', '-o', path('dangling'), good), 0, '', '')
   TAP.check('what it names is made', os.path.islink(path('dangling')) and get('sub/new').decode() == GOOD)
   os.symlink('circle', path('circle'))
   expect('a link to itself', heddle('print', '-o', path('circle'), good), 2, '', 'Too many levels')
   os.mkfifo(path('fifo'))
   got = []
   reader = threading.Thread(target=lambda: got.append(get('fifo')))
   reader.start()
   expect('a pipe', heddle('print', '-o', path('fifo'), good), 0, '', '')
   reader.join()
   TAP.check('a pipe: written to, still a pipe', got == [GOOD.encode()] and stat.S_ISFIFO(os.stat(path('fifo')).st_mode))
   expect('/dev/null', heddle('print', '-o', '/dev/null', good), 0, '', '')
   TAP.check('/dev/null is still a device', stat.S_ISCHR(os.stat('/dev/null').st_mode))


def test_failures():
   good, broken = put('good.hd', GOOD), put('broken.hd', BROKEN)
   put('out', 'old')
   before = os.listdir(path('.'))
   size = [(resource.RLIMIT_FSIZE, 20)]
   for command in WRITERS:
      name = ' '.join(command)
      out = ['-o', path('out')]
      for what, args, options, status, err in (
            ('a bad input', [broken], {}, 1, '[SSA1]'),
            ('no shader', [], {'given': 'x'}, 1, 'error'),
            ('a missing input', ['/none'], {}, 2, 'No such file'),
            ('a budget', ['--max-steps=2', good], {}, 1, 'budget exceeded'),
            ('no room', [good], {'limits': size}, 2, f'{path("out")}: File too large')):
         expect(f'{name}: {what}', heddle(*command, *out, *args, **options), status, '', err)
         TAP.check(f'{name}: {what}: the output is as it was, nothing is left over',
                   get('out') == b'old' and not left_over(before), left_over(before))
         new = ['-o', path('new')]
         heddle(*command, *new, *args, **options)
         TAP.check(f'{name}: {what}: no output appears', not left_over(before), left_over(before))
      with open('/dev/full', 'wb') as full:
         expect(f'{name} > /dev/full', heddle(*command, good, out=full), 2, None,
                'standard output: No space left on device')
      expect(f'{name} -o /dev/full', heddle(*command, '-o', '/dev/full', good), 2, '',
             '/dev/full: No space left on device')
      expect(f'{name}: a folder', heddle(*command, '-o', path('.'), good), 2, '', 'Is a directory')
      expect(f'{name}: no such folder', heddle(*command, '-o', path('no/where'), good), 2, '',
             'No such file or directory')
      expect(f'{name}: a name that is too long', heddle(*command, '-o', path('x' * 300), good), 2, '',
             'File name too long')
      expect(f'{name}: an empty name', heddle(*command, '-o', '', good), 2, '', 'No such file')
      TAP.check(f'{name}: nothing is left over', not left_over(before), left_over(before))
   for args in (['stats', good], ['hash', good], ['ops'], ['rules'], ['help'], ['help', '--man'], ['--version'],
                ['opt', '--list']):
      with open('/dev/full', 'wb') as full:
         expect(f'{args[0]} > /dev/full', heddle(*args, out=full), 2, None,
                'standard output: No space left on device')


test_replaced()
test_links_and_pipes()
test_failures()
finish()
