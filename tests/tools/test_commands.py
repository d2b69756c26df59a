#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every command and every option of the tool: what it writes, and with what it exits.

    test_commands.py TOOL SANITIZED
"""
import json
import os
import pty
import re
import shlex
import shutil
import subprocess
import sys
from xml.etree import ElementTree

from harness import BROKEN, GOOD, ROOT, TAP, TOOL, expect, finish, get, heddle, json_lines, path, put

COMMANDS = ['as', 'dis', 'validate', 'print', 'convert', 'draw', 'stats', 'hash', 'ops', 'rules', 'opt', 'run',
            'structurize', 'unstructure', 'linearize', 'lower-returns', 'divergence', 'reconverge',
            'spirv-info', 'verify-cfg', 'check-motion', 'compile', 'compare', 'db', 'diff', 'link-stages', 'explore', 'reduce', 'bisect', 'help']
READERS = ['validate', 'print', 'convert', 'draw', 'stats', 'hash', 'opt', 'structurize', 'unstructure',
           'lower-returns']
# For all machines.
KERNEL = '''shader compute "kernel" {
  workgroup 16 1 1
  function @main {
    b0:
      %0:32 = const 0
      %1:32 = const 2
      %2:32 = local_invocation_index
      %3:32 = ishl %2, %1
      %4:1 = ult %2, %1
      if %4 {
        b1:
          store_buffer %2, %0, %3 align_mul=4
      } else {
        b2:
      }
    b3:
  }
}
'''


def reader(command):
   """What a command that reads a shader needs besides its input."""
   return ['opt', '--passes=dce'] if command == 'opt' else [command]


def test_usage():
   for args in ([], ['help'], ['--help'], ['-h']):
      done = heddle(*args)
      expect(f'{args}: the list of commands', done, 0, 'Options of every command:', '')
      missing = [c for c in COMMANDS if not re.search(rf'^  {c} +\w', done.out.decode(), re.M)]
      TAP.check(f'{args}: all commands are in it', not missing, missing)
   listed = re.findall(r'^  ([a-z-]+) ', heddle('help').out.decode(), re.M)
   TAP.check('this test knows every command', sorted(listed) == sorted(COMMANDS), listed)
   for command in COMMANDS:
      page = heddle('help', command)
      expect(f'help {command}', page, 0, f'heddle {command} [OPTIONS]', '')
      for flag in ('--help', '-h'):
         TAP.check(f'{command} {flag} is the same page', heddle(command, flag).out == page.out)
      wide = [line for line in page.out.decode().splitlines() if len(line) > 110]
      TAP.check(f'help {command} fits a terminal', not wide, wide)
      expect(f'{command}: an unknown option', heddle(command, '--bogus'), 2, '',
             f"'--bogus' is no option of `heddle {command}`; `heddle help {command}` lists them")
      expect(f'{command}: an unknown letter', heddle(command, '-Z'), 2, '', "'-Z' is no option")
      expect(f'{command}: --color with a wrong value', heddle(command, '--color=red'), 2, '',
             "--color is auto, always or never, not 'red'")
      for value in ('', '0', 'many', '-1', '1x', ' 1', '99999999999999999999999'):
         for name in ('max-memory', 'max-steps'):
            expect(f'{command}: --{name}={value!r}', heddle(command, f'--{name}={value}'), 2, '',
                   f"--{name} wants a number from 1, not '{value}'")
      expect(f'{command}: a value that is not given', heddle(command, '--color'), 2, '',
             '--color wants a value: WHEN')
      expect(f'{command}: a value for a switch', heddle(command, '--json=1'), 2, '', 'takes no value')
      rows = json_lines(heddle(command, '--json', '--bogus').err)
      TAP.check(f'{command}: usage errors are JSON too', rows and 'no option' in rows[0]['message'], rows)
   expect('an unknown command', heddle('frobnicate'), 2, '', "there is no command 'frobnicate'")
   expect('an empty command', heddle(''), 2, '', "there is no command ''")
   expect('an option before the command', heddle('--json', 'print'), 2, '', 'the command comes first')
   expect('help on an unknown command', heddle('help', 'nothing'), 2, '', "there is no command 'nothing'")
   expect('help on two commands', heddle('help', 'print', 'draw'), 2, '', 'one command')
   for flag in ('--version', '-V'):
      done = heddle(flag)
      TAP.check(f'{flag}', done.status == 0 and
                re.fullmatch(rb'heddle \d+\.\d+\.\d+ \(build [0-9a-f]{16}, binary form \d+\)\n', done.out), done)
   for command in ('print', 'convert', 'draw', 'stats', 'opt'):
      expect(f'{command}: two files', heddle(*reader(command), 'a', 'b'), 2, '', 'takes one file, not 2')


def test_inputs():
   good, broken = put('good.hd', GOOD), put('broken.hd', BROKEN)
   expect('binary form', heddle('convert', '-o', path('good.hdb'), good), 0, '', '')
   os.symlink(good, path('link.hd'))
   put('-dash.hd', GOOD)
   for command in READERS:
      run = reader(command)
      text = heddle(*run, good)
      TAP.check(f'{command}: succeeds', text.status == 0 and text.err == b'', text)
      TAP.check(f'{command}: writes something', bool(text.out) == (command != 'validate'), text)
      wanted = re.sub(rb'  \S+\n$', b'  -\n', text.out) if command == 'hash' else text.out
      for name, args in (('nothing', []), ('-', ['-'])):
         done = heddle(*run, *args, given=GOOD)
         TAP.check(f'{command}: standard input by {name}', done.status == 0 and done.out == wanted, done)
      done = heddle(*run, '--', '-dash.hd')
      TAP.check(f'{command}: a name with a dash', done.status == 0 and
                (command == 'hash' or done.out == text.out), done)
      if command not in ('convert', 'hash'):
         for args in ([path('good.hdb')], [path('link.hd')]):
            done = heddle(*run, *args)
            TAP.check(f'{command}: {os.path.basename(args[0])}', done.status == 0 and done.out == text.out, done)
      expect(f'{command}: a broken shader', heddle(*run, broken), 1, '', 'broken.hd')
      expect(f'{command}: names the rule', heddle(*run, broken), 1, '', '[SSA1]')
      expect(f'{command}: no shader', heddle(*run, given='nonsense'), 1, '', '<stdin>:1:1: error: ')
      expect(f'{command}: nothing at all', heddle(*run), 1, '', '<stdin>:1:1: error: ')
      expect(f'{command}: --no-validate lets a broken shader pass',
             heddle(*run, '--no-validate', broken, HD_VALIDATE='0'), 0, None, '')
      expect(f'{command}: a missing file', heddle(*run, '/no/such/file'), 2, '',
             'heddle: /no/such/file: No such file or directory')
      expect(f'{command}: a directory', heddle(*run, '/'), 2, '', 'heddle: /: Is a directory')
      if os.geteuid():
         os.chmod(put('secret.hd', GOOD), 0)
         expect(f'{command}: an unreadable file', heddle(*run, path('secret.hd')), 2, '', 'Permission denied')
      for option in ('--max-steps=1', '--max-memory=1'):
         expect(f'{command}: {option}', heddle(*run, option, good), 1, '', f'budget exceeded ({option})')
      expect(f'{command}: both budgets', heddle(*run, '--max-memory=10', '--max-steps=1', good), 1, '',
             'budget exceeded (--max-memory=10, --max-steps=1)')
      rows = json_lines(heddle(*run, '--json', '--max-steps=1', good).err)
      TAP.check(f'{command}: budgets as JSON', rows and 'budget exceeded' in rows[0]['message'], rows)
      expect(f'{command}: budgets that suffice',
             heddle(*run, '--max-memory=10000000', '--max-steps=100000', good), 0, None, '')
      rows = json_lines(heddle(*run, '--json', broken).err)
      TAP.check(f'{command}: --json', rows and rows[0]['severity'] == 'error' and rows[0]['rule'] == 'SSA1' and
                rows[0]['file'].endswith('broken.hd') and rows[0]['message'], rows)


def test_validate():
   good, broken = put('good.hd', GOOD), put('broken.hd', BROKEN)
   expect('validate: several files, one bad', heddle('validate', good, broken, good), 1, '', '[SSA1]')
   expect('validate: several files, one missing', heddle('validate', broken, '/none', good), 2, '', '[SSA1]')
   for flag in ('-q', '--quiet'):
      expect(f'validate {flag}', heddle('validate', flag, broken), 1, '', '')
      expect(f'validate {flag}: a good one', heddle('validate', flag, good), 0, '', '')
   done = heddle('validate', given=GOOD.replace('const 7', 'const').replace('return', 'retrun'))
   TAP.check('validate: several errors in one run, each with its line and a caret',
             done.status == 1 and done.err.count(b': error: ') == 2 and done.err.count(b'^') == 2 and
             b'<stdin>:4:' in done.err and b'retrun' in done.err, done)
   rows = json_lines(heddle('validate', '--json', given=b'shader \xff\x01"\n').err)
   TAP.check('validate --json: bytes that are no text', rows and rows[0]['line'] == 1, rows)
   odd = put('odd \xff"\\\n.hd', 'x')
   rows = json_lines(heddle('validate', '--json', odd).err)
   TAP.check('validate --json: a file name of odd bytes', rows and rows[0]['file'].endswith('"\\\n.hd'), rows)
   for args, environment, colored in (
         (['--color=always'], {}, True), (['--color=never'], {}, False), ([], {}, False),
         (['--color=always'], {'NO_COLOR': '1'}, True), (['--color=auto'], {}, False)):
      done = heddle('validate', *args, broken, **environment)
      TAP.check(f'validate {args} {environment}: escapes', (b'\033[' in done.err) == colored, done)


def on_terminal(*args, **environment):
   """What the tool writes when both outputs are a terminal."""
   master, slave = pty.openpty()
   keep = {k: v for k, v in os.environ.items() if k != 'NO_COLOR'}
   with subprocess.Popen([TOOL, *args], stdout=slave, stderr=slave, stdin=subprocess.DEVNULL,
                         env={**keep, **environment}) as process:
      os.close(slave)
      data = b''
      while True:
         try:
            piece = os.read(master, 65536)
         except OSError:
            break
         if not piece:
            break
         data += piece
   os.close(master)
   return process.returncode, data


def test_terminal():
   broken, good = put('broken.hd', BROKEN), put('good.hd', GOOD)
   TAP.check('a terminal: colors', b'\033[' in on_terminal('validate', broken)[1])
   TAP.check('a terminal: NO_COLOR', b'\033[' not in on_terminal('validate', broken, NO_COLOR='1')[1])
   TAP.check('a terminal: --color=never', b'\033[' not in on_terminal('validate', '--color=never', broken)[1])
   TAP.check('a terminal: a drawing in colors', b'\033[' in on_terminal('draw', '-t', 'outline', good)[1])
   status, said = on_terminal('convert', good)
   TAP.check('a terminal: no binary there', status == 2 and b'expected --output=FILE for the binary form' in said, said)
   status, said = on_terminal('convert', '--to=text', good)
   TAP.check('a terminal: text there', status == 0 and b'shader fragment' in said, said)


def test_print_and_convert():
   good = put('good.hd', GOOD)
   TAP.check('print: printed text prints as itself', heddle('print', good).out.decode() == GOOD)
   two = GOOD.replace('  function @main', '  function @other {\n    b0 "x":  @"f.c":1:2\n  }\n  function @main')
   put('two.hd', two.replace('b0 "x":  @"f.c":1:2', 'b0 "x": @"f.c":1:2'))
   done = heddle('print', path('two.hd'))
   expect('print: names and locations', done, 0, 'b0 "x": @"f.c":1:2', '')
   expect('print --hide-names', heddle('print', '--hide-names', path('two.hd')), 0, 'b0: @"f.c":1:2', '')
   expect('print --hide-locations', heddle('print', '--hide-locations', path('two.hd')), 0, 'b0 "x":\n', '')
   for flag in ('-f', '--function='):
      args = [flag, 'other'] if flag == '-f' else [flag + 'other']
      done = heddle('print', *args, path('two.hd'))
      TAP.check(f'print {flag}: only that one', done.status == 0 and b'@other' in done.out and
                b'@main' not in done.out, done)
   expect('print -f: not there', heddle('print', '-f', 'nope', good), 2, '', 'there is no function @nope')
   expect('print --preds', heddle('print', '--preds', good), 0, 'b3:  // preds: b2', '')
   TAP.check('print --preds still parses', heddle('print', given=heddle('print', '--preds', good).out).out.decode()
             == GOOD)
   binary = heddle('convert', good)
   TAP.check('convert: text becomes binary', binary.status == 0 and b'\0' in binary.out and
             len(binary.out) < len(GOOD), binary)
   TAP.check('convert: and text again', heddle('convert', given=binary.out).out.decode() == GOOD)
   TAP.check('convert --to=text of a text', heddle('convert', '--to=text', good).out.decode() == GOOD)
   TAP.check('convert -t binary of a binary', heddle('convert', '-t', 'binary', given=binary.out).out == binary.out)
   expect('convert --to=else', heddle('convert', '--to=else', good), 2, '', "--to is text or binary, not 'else'")
   for size in range(len(binary.out)):
      done = heddle('validate', given=binary.out[:size])
      if not (done.status == 1 and done.err.count(b'error: ') >= 1):
         TAP.check(f'convert: cut off after {size} bytes', False, done)
         break
   else:
      TAP.check('convert: a binary cut off anywhere is refused', True)


def test_hash_and_stats():
   good = put('good.hd', GOOD)
   renamed = put('renamed.hd', GOOD.replace(' "c"', ' "d"'))
   other = put('other.hd', GOOD.replace('const 7', 'const 8'))
   done = heddle('hash', good, renamed, other)
   rows = [line.split('  ') for line in done.out.decode().splitlines()]
   TAP.check('hash: a line a file', [r[1] for r in rows] == [good, renamed, other] and
             all(re.fullmatch('[0-9a-f]{32}', r[0]) for r in rows), done)
   TAP.check('hash: names do not count, constants do', rows[0][0] == rows[1][0] != rows[2][0], rows)
   keys = [heddle('hash', f'--target={t}', good).out.split()[0] for t in ('a', 'b', 'a')]
   TAP.check('hash --target: keys', keys[0] == keys[2] != keys[1] and keys[0].decode() != rows[0][0], keys)
   expect('hash: one of several is bad', heddle('hash', good, put('bad.hd', 'x'), other), 1, 'other.hd', 'bad.hd')
   stats = json_lines(heddle('stats', '--json', good).out)
   wanted = {'functions': 1, 'flat_functions': 0, 'blocks': 4, 'ifs': 1, 'loops': 0, 'max_depth': 1, 'edges': 5,
             'instructions': 3, 'values': 2, 'uses': 1, 'phi_sources': 0, 'variables': 0, 'text_bytes': len(GOOD)}
   TAP.check('stats --json', stats and {k: stats[0][k] for k in wanted} == wanted, stats)
   TAP.check('stats --json: kinds', stats and stats[0]['kinds']['const'] == stats[0]['kinds']['jump'] == 1, stats)
   deep = GOOD.replace('b3:', 'b3:\nloop {\nb4:\nif %0 {\nb5:\nbreak\n} else {\nb6:\n}\nb7:\n}\nb8:\n'
                       'if %0 {\nb9:\n} else {\nb10:\n}\nb11:\n%5:32 = iadd %1, %1\n%6:32x4 = ballot %0')
   stats = json_lines(heddle('stats', '--json', given=deep).out)
   TAP.check('stats: depth goes down and up', stats and stats[0]['max_depth'] == 2 and stats[0]['ops'] == {'iadd': 1},
             stats or heddle('stats', given=deep))
   text = heddle('stats', given=deep).out.decode()
   TAP.check('stats: text', re.search(r'^  iadd +1$', text, re.M) and re.search(r'^intrinsics$', text, re.M), text)


def test_reference():
   for command, key, count in (('ops', 'name', 200), ('rules', 'rule', 40)):
      rows = json_lines(heddle(command, '--json').out)
      TAP.check(f'{command} --json', rows and len(rows) >= count and len({r[key] for r in rows}) == len(rows),
                rows and len(rows))
      lines = heddle(command).out.decode().splitlines()
      TAP.check(f'{command}: one line each', len(lines) == len(rows))
      each = [heddle(command, row[key]) for row in rows[::17]]
      TAP.check(f'{command} NAME', all(d.status == 0 and d.out for d in each))
      expect(f'{command}: not there', heddle(command, 'nothing_such'), 2, None, "there is no 'nothing_such'")
      expect(f'{command}: too many', heddle(command, *['x'] * 65), 2, '', 'at most 64')
   done = heddle('ops', 'iad*', 'ballot')
   TAP.check('ops: a star', done.status == 0 and b'\niadd' in b'\n' + done.out and b'\nballot' in done.out, done)
   expect('ops: a star alone means all', heddle('ops', '*'), 0, 'iadd', '')
   expect('ops: indices and their values', heddle('ops', 'global_atomic'), 0, 'atomic_op=', '')
   expect('rules: what is presumed', heddle('rules', 'SSA1'), 0, 'presumes', '')
   expect('ops in colors', heddle('ops', '--color=always', 'iadd'), 0, '\033[1miadd', '')


def test_opt():
   good = put('good.hd', GOOD)
   passes = heddle('opt', '--list').out.decode()
   names = re.findall(r'^((?:opt|lower)_\w+) ', passes, re.M)
   TAP.check('opt --list', 'opt_dce' in names and heddle('opt', '-l').out.decode() == passes, passes)
   done = heddle('opt', '--passes=dce', good)
   TAP.check('opt: dead code goes', done.status == 0 and b'const' not in done.out, done)
   TAP.check('opt: a full name, a list, the short letter',
             heddle('opt', '-p', 'opt_dead_cf,dce', good).out == done.out)
   for name in names:
      expect(f'opt {name} --check', heddle('opt', '--check', f'--passes={name}', good), 0, 'shader fragment', '')
   expect('opt --verbose', heddle('opt', '-v', '-p', 'dce,dce', good), 0, None, 'opt_dce: progress\nopt_dce: no change')
   expect('opt HD_VALIDATE', heddle('opt', '-p', 'dce', good, HD_VALIDATE='1'), 0, 'shader', '')
   expect('opt: no passes', heddle('opt', good), 2, '', 'wants --passes=LIST or -O LEVEL')
   for bad in ('nothing', 'dce,nothing', 'x' * 200):
      expect(f'opt: {bad[:20]}', heddle('opt', f'--passes={bad}', good), 2, '', 'there is no pass')
   for bad, words in (('dce,,dce', 'the name of a pass was expected'), ('dce,', 'the name of a pass was expected'),
                      ('dce dce', "expected ',' or the end"), ('dce(', "opt_dce has no option ''"),
                      ('dce(most=1)', "opt_dce has no option 'most'")):
      expect(f'opt: {bad}', heddle('opt', f'--passes={bad}', good), 2, '', words)
   expect('opt: spaces', heddle('opt', '-p', ' dead_cf , dce ( ) ', good), 0, done.out.decode(), '')
   expect('opt -O0', heddle('opt', '-O0', good), 0, heddle('print', good).out.decode(), '')
   expect('opt -O2', heddle('opt', '-O2', '--check', good), 0, 'shader', '')
   expect('opt: a list in a list', heddle('opt', '-v', '-p', 'O0,dce,O0', good), 0, None, 'opt_dce: progress')
   expect('opt: no such level', heddle('opt', '-O9', good), 2, '', "there is no level '9'")
   expect('opt: a level and passes', heddle('opt', '-O1', '-p', 'dce', good), 2, '', 'wants --passes=LIST or -O')
   expect('opt --skip', heddle('opt', '-v', '-p', 'dce', '--skip=dead_cf,dce', good), 0, heddle('print', good).out.decode(),
          'opt_dce: left out')
   expect('opt --print-after', heddle('opt', '-p', 'dce', '--print-after', good), 0, None, '// after opt_dce')
   expect('opt --print-after another', heddle('opt', '-p', 'dce', '--print-after=opt_dead_cf', good), 0, None, '')
   expect('opt --stats', heddle('opt', '-p', 'dce', '--stats', good), 0, 'shader', 'instructions')
   rows = json_lines(heddle('opt', '--json', '-p', 'dce,dce', '--stats', good).out)
   TAP.check('opt --stats --json', [(r['number'], r['pass'], r['progress']) for r in rows] ==
             [(0, 'opt_dce', True), (1, 'opt_dce', False)] and rows[0]['after'] < rows[0]['before'], rows)
   expect('opt HD_DEBUG=help', heddle('opt', HD_DEBUG='help'), 0, 'skip=PASS', '')
   expect('opt HD_DEBUG', heddle('opt', '-p', 'dce', good, HD_DEBUG='all,print,time'), 0, 'shader', '// after opt_dce')
   for where, args, env in (('--skip', ['--skip=dce,nothing'], {}), ('--print-after', ['--print-after=nothing'], {}),
                            ('HD_DEBUG', [], {'HD_DEBUG': 'skip=dce,skip=nothing'})):
      expect(f'opt: no such pass in {where}', heddle('opt', '-p', 'dce', *args, good, **env), 2, '',
             f"{where}: there is no pass 'nothing'")
   expect('opt HD_DEBUG=skip, twice', heddle('opt', '-v', '-p', 'dce,cse', good, HD_DEBUG='skip=dce,skip=opt_cse,text'),
          0, 'shader', 'opt_dce: left out\nopt_cse: left out')
   expect('opt HD_DEBUG=skip', heddle('opt', '-v', '-p', 'dce', good, HD_DEBUG='skip=dce'), 0, 'shader', 'left out')
   expect('opt HD_DEBUG wrong', heddle('opt', '-p', 'dce', good, HD_DEBUG='validate,noise'), 2, '', "no word is 'noise'")
   expect('opt -o', heddle('opt', '-p', 'dce', '-o', path('opt.hd'), good), 0, '', '')
   TAP.check('opt -o: the same', get('opt.hd') == done.out)


def test_compare():
   """The figures are those of `heddle compile` for the target and the lowering of the row."""
   kernel = put('kernel.hd', KERNEL)
   done = heddle('compare', '--json', kernel)
   rows = json_lines(done.out)
   TAP.check('compare: every row has figures', done.status == 0 and rows and not any('refused' in r for r in rows), done)
   seen = []
   for row in rows or []:
      more = [f'--lowering={row["lowering"]}'] if row['target'].startswith(('gfx', 'gen9')) else []
      stats = json_lines(heddle('compile', '--stats', '--json', f'--target={row["target"]}', *more, kernel).out)[0]
      same = {'instructions': 'instructions', 'branches': 'branches', 'bytes': 'code_size',
              'masks': 'exec_reads', 'scalars': 'sgprs' if 'sgprs' in stats else 'scalars',
              'vectors': 'vgprs' if 'vgprs' in stats else 'vectors'}
      if row['target'].startswith('gen9'):
         same.update(branches='jumps', masks='control', scalars=None, vectors='registers')
      if row['target'] == 'nyuzi':
         same.update(masks='masks')
      if row['target'] == 'r700':
         same.update(branches='jumps', masks='masks', scalars=None, vectors='registers')
      wrong = [key for key, name in same.items() if name and row[key] != stats.get(name)]
      TAP.check(f'compare {row["target"]} {row["lowering"]}: as compile has it', not wrong, (row, stats))
      seen.append((row['target'], row['lowering']))
   text = heddle('compare', kernel).out.decode().splitlines()
   words = [tuple(line.split()[:2]) for line in text[1:]]
   TAP.check('compare: text and JSON have the same rows', words == seen and len(set(seen)) == len(seen) > 1, text)
   TAP.check('compare: columns', text[0].startswith('target ') and len({len(line) for line in text}) == 1, text)
   expect('compare: a stage of graphics is for GCN', heddle('compare', put('good.hd', GOOD)), 0,
          'nyuzi    tree          refused: nyuzi: only compute', '')
   expect('compare: bad input', heddle('compare', put('broken.hd', BROKEN)), 1, '', 'SSA1')


def test_traces():
   """The steps of each target have the same names in JSON."""
   kernel = os.path.join(ROOT, 'tests', 'tools', 'compare.hd')
   memories = ['0.0=u32:' + ','.join(str(n) for n in range(2, 18)), '0.1=zero:64']
   for target in sorted({row['target'] for row in json_lines(heddle('compare', '--json', kernel).out)}):
      steps = [json.loads(line) for line in heddle('run', f'--target={target}', '--trace=json', kernel, *memories).out.decode().splitlines()
               if line.startswith('{')]
      wrong = [s for s in steps if not {'workgroup', 'wave', 'pc', 'mask', 'text'} <= set(s) or not re.fullmatch('[0-9a-f]{16}', s['mask'])
               or s['text'].startswith(' ')]
      TAP.check(f'run --target={target} --trace=json: names of all targets', len(steps) > 8 and not wrong, (wrong or steps)[:3])
   # The demo draws the lanes of such a trace.
   if 'gfx900' in heddle('help', 'compile').out.decode():
      trace = put('lanes.trace', heddle('run', '--target=gfx900', '--trace=json', kernel, *memories).out)
      drawn = subprocess.run([sys.executable, '-B', os.path.join(ROOT, 'examples', 'pictures.py'), 'lanes', trace, trace + '.png'],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
      TAP.check('examples/pictures.py draws the lanes of a trace', not drawn.returncode and os.path.getsize(trace + '.png') > 100, drawn)


def pictures(text):
   """By title: the texts and the steps of each; the file is well-formed."""
   space = '{http://www.w3.org/2000/svg}'
   root = ElementTree.fromstring(text.decode().replace('<!DOCTYPE html>', ''))
   svg = root if root.tag == f'{space}svg' else root.find(f'.//{space}svg')
   found = {}
   for group in svg.findall(f'{space}g'):
      texts = [one.text for one in group.findall(f'{space}text')]
      found[texts[0]] = texts[1:], len(group.findall(f'{space}path'))
   return found


def rows_of_pictures(text):
   """[y of the titles, of the last line below them] of each row."""
   rows = {}
   for group in re.findall(r'<g class="picture">.*?</g>', text.decode(), re.S):
      lines = [int(y) for y in re.findall(r'<text [^>]*y="(\d+)"', group)]
      rows[lines[0]] = max([rows.get(lines[0], 0), *lines])
   return sorted(rows.items())


def test_given_twice():
   """What stands at one place, or has one name, is given once."""
   kernel = put('twice.hd', 'shader compute "twice" {\n  workgroup 1 1 1\n  function @main {\n    b0:\n      %0:32 = const 7\n'
                            '      %1:32 = const 0\n      store_buffer %0, %1, %1 binding=1 align_mul=4\n  }\n}\n')
   for words, said in ((('0.1=zero:8', '0.1=zero:8'), "'0.1' and '0.1' give the same place"),
                       (('0.1=zero:8', '0.1.0=zero:8'), "'0.1' and '0.1.0' give the same place"),
                       (('0.1=zero:8', 'image@0.1:1x1:r32_float=f32:1'), "'0.1' and 'image@0.1:1x1:r32_float' give the same place"),
                       (('sampler@0.1=linear', 'sampler@0.1=nearest'), "'sampler@0.1' and 'sampler@0.1' give the same place"),
                       (('push=u32:1', 'push=u32:2'), "'push' and 'push' give the same place")):
      expect(f"run {' '.join(words)}", heddle('run', kernel, *words), 2, '', said)
   for words in (('0.1=zero:4', '0.1.1=zero:4'), ('0.1=zero:4', '1.1=zero:4'), ('0.1=zero:4', 'sampler@0.1=linear')):
      expect(f"run {' '.join(words)}", heddle('run', kernel, *words), 0, '0.1 = 7', '')


def test_compare_pictures():
   """A picture for each row, with the figures of the row."""
   kernel = os.path.join(ROOT, 'tests', 'tools', 'compare.hd')
   memories = ['0.0=u32:' + ','.join(str(n) for n in range(2, 18)), '0.1=zero:64']
   rows = json_lines(heddle('compare', '--json', kernel, *memories).out)
   TAP.check('compare: runs all', rows and all(0 < r['lanes'] <= r['lane_slots'] and r['issued'] for r in rows), rows)
   expect('compare -o x.svg', heddle('compare', kernel, *memories, '-o', path('lanes.svg')), 0, '', '')
   page = heddle('compare', '--html', kernel, *memories)
   TAP.check('compare --html', page.status == 0 and page.out.startswith(b'<!DOCTYPE html>') and not page.err, page)
   drawn = pictures(get('lanes.svg'))
   TAP.check('compare: one picture a row', list(drawn) == [f'{r["target"]} {r["lowering"]}' for r in rows], list(drawn))
   TAP.check('compare: the page has the same pictures', pictures(page.out) == drawn)
   rows_drawn = rows_of_pictures(get('lanes.svg'))
   TAP.check('compare: a row of pictures is as high as they are',
             all(10 < below[0] - above[1] < 80 for above, below in zip(rows_drawn, rows_drawn[1:])), rows_drawn)
   for row in rows:
      texts, steps = drawn[f'{row["target"]} {row["lowering"]}']
      figures = dict(zip(texts[::2], texts[1::2]))
      part = row['lanes'] * 1000 // row['lane_slots']
      wanted = {'instructions': row['instructions'], 'branches': row['branches'], 'bytes': row['bytes'],
                'vector registers': row['vectors'], 'issued instructions': row['issued'],
                'lane use': f'{part // 10}.{part % 10} %', 'that only manage lanes': row['masks']}
      wrong = [name for name, value in wanted.items() if figures.get(name) != str(value)]
      TAP.check(f'compare: the picture of {row["target"]} {row["lowering"]} has its figures and steps', not wrong and steps > 5,
                (wrong, figures, steps))
   # Long runs, too, are beside each other.
   endless = heddle('compare', kernel, '0.0=u32:' + ','.join('1' * 16), '0.1=zero:64', '--html').out
   TAP.check('compare --html: two pictures of long runs are beside each other', len(rows_of_pictures(endless)) <= (len(rows) + 1) // 2)
   # What ends with an error says so, with a name in it that is markup.
   evil = put('evil.hd', 'shader compute "</svg><script>" {\n  workgroup 16 1 1\n  function @"<script>&amp;" {\n    b0 "]]></text>":\n'
              '      %0:32 = const 0\n      %1:32 "<i>\\x01" = load_buffer %0, %0 align_mul=4\n'
              '      store_buffer %1, %0, %0 align_mul=4\n  }\n}\n')
   done = heddle('compare', '--html', evil)
   found = pictures(done.out)
   TAP.check('compare --html: names are no markup', list(found) == list(drawn) and b'<script' not in done.out
             and b'<i>' not in done.out, done)
   waves = put('waves.hd', 'shader compute "w" {\n  subgroup 64\n  workgroup 64 1 1\n  function @main {\n    b0:\n      return\n  }\n}\n')
   found = pictures(heddle('compare', '--html', waves).out)
   TAP.check('compare --html: a refusal is told', list(found) == list(drawn)
             and ''.join(found['nyuzi tree'][0]) == 'nyuzi: a wave has 16 lanes, the shader requires 64', found)
   expect('compare -o: another name', heddle('compare', kernel, '-o', path('lanes.png')), 2, '', 'ends in .svg or .html')


def test_draw_options():
   good = put('good.hd', GOOD)
   dot = heddle('draw', good)
   TAP.check('draw: dot without a format', dot.status == 0 and dot.out.startswith(b'digraph "main" {'), dot)
   for form, start in (('dot', b'digraph'), ('svg', b'<svg'), ('outline', b'function @main')):
      for args in ([f'--format={form}'], ['-t', form], [f'-t{form}']):
         TAP.check(f'draw {args}', heddle('draw', *args, good).out.startswith(start))
   expect('draw -o x.svg', heddle('draw', '-o', path('x.svg'), good), 0, '', '')
   TAP.check('draw: the format by the name', get('x.svg').startswith(b'<svg'))
   expect('draw -t dot -o x.svg', heddle('draw', '-tdot', '-o', path('x.svg'), good), 0, '', '')
   TAP.check('draw: the format that is asked for', get('x.svg').startswith(b'digraph'))
   expect('draw -t png', heddle('draw', '-t', 'png', good), 2, '', "--format is dot, svg or outline, not 'png'")
   expect('draw -f main', heddle('draw', '-f', 'main', good), 0, 'digraph "main"', '')
   expect('draw -f none', heddle('draw', '-f', 'none', good), 2, '', 'there is no function @none')
   expect('draw: nothing to draw', heddle('draw', '--no-validate', given='shader fragment "x" {\n}\n'), 2, '',
          'no function to draw')
   TAP.check('draw --hide-code', b'const' in dot.out and b'const' not in heddle('draw', '--hide-code', good).out)
   both = heddle('draw', '-d', '-p', good).out
   TAP.check('draw -dp: letters together', b'steelblue' in both and b'seagreen' in both and
             heddle('draw', '-dp', good).out == both == heddle('draw', '--dominance', '--post-dominance', good).out)
   TAP.check('draw: colors in the outline alone',
             b'\033[' in heddle('draw', '--color=always', '-t', 'outline', good).out and
             b'\033[' not in heddle('draw', '--color=always', '-t', 'outline', '-o', '/dev/stdout', good).out)


def test_help_forms():
   man = heddle('help', '--man')
   expect('help --man', man, 0, '.TH HEDDLE 1', '')
   missing = [c for c in COMMANDS if f'.SS heddle {c} ' not in man.out.decode()]
   TAP.check('help --man: every command', not missing, missing)
   odd = [line for line in man.out.decode().splitlines() if not line or line[0] in ".'" and not re.match(r'\.(TH|SH|SS|TP|B|I|br|ad l|ds AD l)\b', line)]
   TAP.check('help --man: no stray requests', not odd, odd)
   # One comes from the library's targets, the other from their tables as the build reads them.
   shown = re.findall(r'^  (\w+) +(.+; lowering: .+)$', heddle('help', 'compile').out.decode(), re.M)
   targets = re.search(r'^\.SH TARGETS\n(.*?)^\.SH', man.out.decode().replace('\\-', '-'), re.M | re.S)[1]
   TAP.check('help --man: the targets of `heddle help compile`', len(shown) > 2 and
             ''.join(f'.TP\n.B {name}\n{what}\n' for name, what in shown) == targets, (shown, targets))
   if shutil.which('groff'):
      done = subprocess.run(['groff', '-man', '-ww', '-Tutf8'], input=man.out, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, check=False)
      TAP.check('help --man: groff takes it without a word', done.returncode == 0 and not done.stderr, done.stderr)
   script = put('completion.bash', heddle('help', '--completion=bash').out)

   def complete(*words):
      quoted = ' '.join("'" + w.replace("'", "'\\''") + "'" for w in words)
      command = f'. {script}; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _heddle; printf "%s\\n" "${{COMPREPLY[@]}}"'
      done = subprocess.run(['bash', '-c', command], cwd=os.path.dirname(script), stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, check=False)
      return [] if done.stderr else done.stdout.decode().split('\n')[:-1]
   if shutil.which('bash'):
      put('a file.hd', GOOD)
      cases = [
         (('heddle', 'va'), ['validate']), (('heddle', ''), COMMANDS), (('heddle', 'print', '--hide-n'), ['--hide-names']),
         (('heddle', 'draw', '--format'), ['--format=']), (('heddle', 'draw', '--js'), ['--json']),
         (('heddle', 'help', 'st'), ['stats', 'structurize']), (('heddle', 'print', 'a fi'), ['a file.hd']),
         (('heddle', 'print', '-o', 'a fi'), ['a file.hd'])]
      for words, wanted in cases:
         got = complete(*words)
         TAP.check(f'completion of {words}', sorted(got) == sorted(wanted), got)
   zsh = heddle('help', '--completion', 'zsh')
   expect('help --completion zsh', zsh, 0, '#compdef heddle', '')
   specs = [word for line in zsh.out.decode().splitlines() if '_arguments' in line for word in shlex.split(line)[3:-1]]
   TAP.check('zsh: each option is one word with one description', len(specs) > 60 and all(
      re.fullmatch(r'--[a-z-]+(=-?)?\[(\\.|[^][\\])+\](::?\w+:_files)?|\*:file:_files', word) for word in specs),
      [word for word in specs if not re.fullmatch(r'--[a-z-]+(=-?)?\[(\\.|[^][\\])+\](::?\w+:_files)?|\*:file:_files', word)])
   if shutil.which('zsh'):
      put('_heddle', zsh.out)
      TAP.check('zsh -n', subprocess.run(['zsh', '-n', path('_heddle')], check=False).returncode == 0)
   expect('help --completion=fish', heddle('help', '--completion=fish'), 2, '', "not 'fish'")


def test_flat_and_structured():
   flat = put('flat.hd', heddle('unstructure', given=GOOD).out)
   for args in (['-o', path('unstructured.hd')], [f'--output={path("unstructured.hd")}']):
      expect(f'unstructure {args[0]}', heddle('unstructure', *args, given=GOOD), 0, '', '')
      TAP.check('unstructure: the same in a file', get('unstructured.hd') == get('flat.hd'))
   loop = b"""shader compute "loop" {
  function @main(%c:1) {
    b0:
      loop {
        b1:
          if %c {
            b2:
              break
          } else {
            b3:
          }
        b4:
      }
    b5:
  }
}
"""
   expect('unstructure --explain: no loop, nothing to tell', heddle('unstructure', '--explain', given=GOOD), 0, 'goto', '')
   expect('unstructure --explain', heddle('unstructure', '--explain', given=loop), 0, 'in b1',
          '@main: `in` for b2: it runs in each round of the loop')
   expect('verify-cfg: no graph', heddle('verify-cfg', f'--shapes={put("no_graphs", "# none")}'), 2, None,
          'expected a graph, found none')
   sum_of = put('sum_of.hd', """shader kernel "sum_of" {
  workgroup 4 1 1
  function @main(%n:32x2, %out:64) {
    b0:
      %0:32 = global_invocation_index
      %1:32 = const 0
      %2:32 = channel %n, %1
      %3:32 = ishl %0, %2
      %4:64 = u2u %3
      %5:64 = iadd %out, %4
      %6:32 = const 1
      %7:32 = channel %n, %6
      %8:32 = iadd %0, %7
      store_global %8, %5
      return
  }
}
""")
   by_name = ['out=u64:0x1000', 'n=u32:2,7', 'global@0x1000=zero:16']
   expect('run: parameters by their names', heddle('run', sum_of, *by_name), 0, 'global@0x1000 = 7 8 9 10\n', '')
   expect('run: parameters in order', heddle('run', sum_of, 'params=u64:2,7,0x1000', by_name[2]), 0,
          'global@0x1000 = 7 8 9 10\n', '')
   expect('run: no parameters', heddle('run', sum_of), 2, '',
          '@main has 3 components of parameters, 0 are given: NAME=BYTES gives the parameter %NAME')
   expect('run: one parameter', heddle('run', sum_of, by_name[1]), 2, '', '3 components of parameters, 2 are given')
   expect('run: a parameter too long', heddle('run', sum_of, 'out=u64:1,2'), 2, '', 'has 1 components, not 2')
   expect('run: no parameter', heddle('run', sum_of, 'm=u32:1'), 2, '', "'m=u32:1' begins with no name of a parameter")
   pushed = put('pushed.hd', """shader compute "pushed" {
  workgroup 4 1 1
  push 8
  function @main() {
    b0:
      return
  }
}
""")
   expect('run: no push constants', heddle('run', pushed), 2, '',
          'the shader has 8 bytes of push constants, 0 are given: push=BYTES gives them')
   expect('run: too few push constants', heddle('run', pushed, 'push=u32:1'), 2, '', '8 bytes of push constants, 4 are given')
   expect('run: push constants', heddle('run', pushed, 'push=u32:1,2'), 0, '', '')
   expect('run: no lanes', heddle('run', '--lanes=0', given=GOOD), 2, '', 'a number from 1 to 128, not 0')
   done = heddle('structurize', flat)
   TAP.check('structurize: a tree again', b'if %0 {' in done.out and b'goto' not in done.out, done)
   one = heddle('lower-returns', flat)
   TAP.check('lower-returns: one is left', one.out.count(b'return') == 1 < get('flat.hd').count(b'return'), one)
   joined = heddle('reconverge', '--stats', flat)
   TAP.check('reconverge: what was added is told', b'selector_phis' in joined.err and joined.status == 0, joined)
   expect('linearize: a flat function', heddle('linearize', flat), 0, '@main\n    0  b0\n', '')
   rows = json_lines(heddle('linearize', '--json', flat).out)
   TAP.check('linearize --json', [s['block'] for s in rows[0]['steps']] == [0, 1, 2, 3], rows)
   reasons = json_lines(heddle('linearize', '--json', '--explain', flat).err)
   TAP.check('linearize --explain', len(reasons) == sum('join' in s for s in rows[0]['steps']) > 0 and
             all(r['added'] == 'join' for r in reasons), reasons)
   expect('linearize: a tree', heddle('linearize', given=GOOD), 1, '', '`heddle unstructure` makes them flat')
   expect('linearize: a broken shader', heddle('linearize', given=BROKEN), 1, '', '[SSA1]')
   expect('linearize: a budget', heddle('linearize', '--max-steps=1', flat), 1, '', 'budget exceeded (--max-steps=1)')


def test_rules_at_the_terminal():
   """What doc/invariants.md lists is what the command lists."""
   with open(os.path.join(ROOT, 'doc', 'invariants.md'), encoding='utf-8') as file:
      page = file.read()
   missing = [r['rule'] for r in json_lines(heddle('rules', '--json').out) if r['rule'] not in page]
   TAP.check('rules: all are in doc/invariants.md', not missing, missing)


# Those of a word, where the environment says one.
for test in (test_usage, test_inputs, test_validate, test_terminal, test_print_and_convert, test_hash_and_stats,
             test_reference, test_opt, test_compare, test_compare_pictures, test_traces, test_given_twice, test_draw_options, test_help_forms,
             test_flat_and_structured, test_rules_at_the_terminal):
   if os.environ.get('HEDDLE_TEST_FILTER', '') in test.__name__:
      test()
finish()
