#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Names, source files and strings that would command a terminal, end a line or become code: no
command writes one as it is, and what the assembly of such a shader assembles to is the same code.

    test_names.py TOOL SANITIZED
"""
import json
import os
import re
import struct

from harness import TAP, expect, finish, get, heddle, path, put

# A screen that is cleared, by two encodings; a title; text that turns around; a line, a comment and
# an instruction; an end of each kind of quotes; bytes that are no UTF-8.
EVIL = ['\\x1b[2J', '\\xc2\\x9b2J', '\\x1b]0;evil\\x07', '\\xe2\\x80\\xaeab', '\\x0a s_trap 2 ;', '\\x0d\\x0a s_endpgm //',
        '*/ s_trap 2', '\\"] s_trap 2', "' s_trap 2", '</text><script>', '\\xff\\xfe', '&lt;\\x7f', '%s%n\\\\']


def evil(n, what):
   return f'"{what}{EVIL[n % len(EVIL)]}"'


def tree(n):
   """Structured, with a loop, an if, an array, a call and constant data: every kind of name."""
   loc = [f'@{evil(n + k, "file")}:{k + 1}:1' for k in range(8)]
   return f'''shader compute {evil(n, "shader")} {{
  workgroup 64 1 1
  constants "01020304"
  function @{evil(n + 1, "main")} {{
    var ${evil(n + 2, "var")}:32[4]
    b0 {evil(n + 3, "block")}: {loc[0]}
      %z:32 {evil(n + 4, "zero")} = const 0 {loc[1]}
      %i:32 {evil(n + 5, "lane")} = local_invocation_index {loc[2]}
      %c:1 {evil(n + 6, "cond")} = ult %i, %z {loc[3]}
      store_var ${evil(n + 2, "var")}, %i, %z {loc[4]}
      if %c {{
        b1 {evil(n + 7, "then")}:
          %r:32 {evil(n + 8, "result")} = call @{evil(n + 9, "callee")}(%i) {loc[6]}
          store_buffer %r, %z, %z align_mul=4 {loc[7]}
      }} else {{
        b2 {evil(n + 10, "else")}:
          %v:32 {evil(n + 11, "loaded")} = load_var ${evil(n + 2, "var")}, %z {loc[0]}
          store_buffer %v, %z, %z align_mul=4 {loc[1]}
      }}
    b3 {evil(n + 12, "end")}:
  }}
  function @{evil(n + 9, "callee")}(%0:32 {evil(n + 3, "param")}) -> 32 {{
    b0 {evil(n + 4, "only")}:
      %1:32 {evil(n + 5, "sum")} = iadd %0, %0 {loc[2]}
      return %1
  }}
}}
'''


def flat(n):
   loc = f'@{evil(n, "file")}:7:1'
   return f'''shader compute {evil(n + 1, "shader")} {{
  workgroup 64 1 1
  flat function @{evil(n + 2, "main")} {{
    b0 {evil(n + 3, "start")}:
      %z:32 {evil(n + 4, "zero")} = const 0 {loc}
      %i:32 {evil(n + 5, "lane")} = local_invocation_index {loc}
      %c:1 {evil(n + 6, "cond")} = ieq %i, %z {loc}
      goto_if %c, b1, b2 {loc}
    b1 {evil(n + 7, "left")}:
      store_buffer %i, %z, %z align_mul=4 {loc}
      goto_if %c, b3, b2 {loc}
    b2 {evil(n + 8, "right")}:
      store_buffer %z, %z, %z align_mul=4 {loc}
      goto_if %c, b1, b3 {loc}
    b3 {evil(n + 9, "end")}:
      return
  }}
}}
'''


# What is refused with a message that names something.
def wrong(n):
   body = tree(n)
   return [body.replace('ult %i, %z', 'ult %i, %v'), body.replace('store_buffer %r, %z, %z align', 'store_buffer %r, %r, %z align'),
           body.replace(' = call', ' = cull'), body.replace('(%i)', '(%i, %i)'),
           body.replace(f'call @{evil(n + 9, "callee")}', f'call @{evil(n + 9, "nobody")}'),
           body.replace(evil(n + 9, "callee"), evil(n + 1, "main"))]


def spirv(n):
   """A module whose every string is evil."""
   def text(what):
      data = (what.encode() + EVIL[n % len(EVIL)].encode().decode('unicode_escape').encode('latin-1')).replace(b'\0', b'') + b'\0'
      data += b'\0' * (-len(data) % 4)
      return struct.unpack(f'<{len(data) // 4}I', data)

   def op(code, *words):
      return [(len(words) + 1) << 16 | code, *words]
   void, function, main, uint, struct_, pointer, buffer, zero, member, label, file, spec, array = range(1, 14)
   words = [0x07230203, 0x00010000, 0, 20, 0]
   for part in (op(17, 1), op(14, 0, 1), op(15, 5, main, *text('entry')), op(16, main, 17, 1, 1, 1),
                op(7, file, *text('file')), op(3, 2, 450, file), op(5, main, *text('main')), op(5, buffer, *text('buffer')),
                op(5, spec, *text('spec')), op(6, struct_, 0, *text('member')), op(5, label, *text('label')),
                op(5, zero, *text('zero')), op(71, struct_, 3), op(72, struct_, 0, 35, 0), op(71, buffer, 34, 0),
                op(71, buffer, 33, 0), op(71, array, 6, 4), op(71, spec, 1, 3), op(19, void), op(33, function, void),
                op(21, uint, 32, 0), op(29, array, uint), op(30, struct_, array), op(32, pointer, 2, struct_),
                op(32, member, 2, uint), op(59, pointer, buffer, 2), op(43, uint, zero, 0), op(50, uint, spec, 7),
                op(54, void, main, 0, function), op(248, label), op(8, file, 3, 1), op(65, member, 14, buffer, zero, zero),
                op(62, 14, spec), op(253), op(56)):
      words += part
   return struct.pack(f'<{len(words)}I', *words)


SHADERS = [['print'], ['print', '--hide-names'], ['print', '--preds'], ['convert', '--to=text'], ['validate'],
           ['validate', '--json'], ['draw'], ['draw', '-t', 'svg'], ['draw', '-t', 'outline', '-dp'], ['draw', '-t', 'dot', '--hide-code'],
           ['divergence'], ['divergence', '--explain'], ['divergence', '--json', '--explain'], ['stats'], ['stats', '--json'],
           ['hash'], ['opt', '-O1', '--verbose'], ['opt', '-O2', '--print-after', '--check'], ['opt', '-O1', '--stats', '--json'],
           ['compile', '--abi=driver'], ['compile', '--abi=driver', '--source'], ['compile', '--abi=driver', '--stats'],
           ['compile', '--abi=driver', '--print-after'], ['compile', '--abi=driver', '--stats', '--json', '--lowering=reconverging'],
           ['compile', '--abi=driver', '--check', '--lowering=reconverging', '--print-after'],
           ['compare'], ['compare', '--json'], ['compare', '--html'], ['explore'], ['explore', '--json'], ['explore', '--passes=O1'],
           ['structurize', '--explain', '--stats'], ['structurize', '--explain', '--json'], ['unstructure'],
           ['reconverge', '--explain'], ['reconverge', '--explain', '--json'], ['lower-returns'],
           ['linearize', '--explain'], ['linearize', '--json'],
           ['run', '--trace=text'], ['run', '--trace=json', '--json'], ['run', '--lanes-table'], ['run', '--stats'],
           ['run', '--target=gfx900', '--trace=text'], ['run', '--target=gfx900', '--lanes-table'],
           ['bisect', '-O1'], ['reduce', '--match=never'], ['spirv-info'], ['as'], ['dis']]
# Those that read no shader, or are tried on their own below.
OTHERS = {'ops', 'rules', 'verify-cfg', 'help', 'check-motion', 'db', 'diff', 'link-stages'}

# Raw control characters but the end of a line and the tab, C1 in UTF-8, and what turns text.
CONTROL = re.compile('[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]')
CODE = re.compile(r'^\s*(s_trap|s_endpgm //)', re.M)


def judge(name, done, may_be_binary=False):
   """No line is begun by a name, and none holds what a terminal obeys."""
   for where, data in (('out', done.out), ('err', done.err)):
      try:
         text = data.decode('utf-8')
      except UnicodeDecodeError as error:
         TAP.check(f'{name}: {where} is UTF-8', may_be_binary, error)
         continue
      found = CONTROL.search(text) or CODE.search(text)
      if not TAP.check(f'{name}: {where} is clean', not found or may_be_binary,
                       found and f'{found[0]!r} in {text[max(0, found.start() - 200):found.end() + 60]!r}'):
         return False
      if '<svg' in text:
         TAP.check(f'{name}: no markup of a name', '<script' not in text)
   return True


def arguments(command, source):
   if command[0] == 'run':
      return [*command, source, '0.0=zero:256']
   return [*command, source]


def test_shaders():
   for n in range(len(EVIL)):
      for form, text in (('tree', tree(n)), ('flat', flat(n))):
         source = put(f'{form}.hd', text)
         expect(f'{form} {n} is valid', heddle('validate', source), 0, '', '')
         for command in SHADERS if n < 5 else SHADERS[n::len(EVIL) - 5]:
            judge(f'{" ".join(command)}, {form} {n}', heddle(*arguments(command, source)))
      for k, text in enumerate(wrong(n)):
         source = put('wrong.hd', text)
         for command in (['validate'], ['validate', '--json'], ['compile', '--no-validate', '--abi=driver'], ['run', '--no-validate']):
            if command[0] == 'validate' or k == 3:
               done = heddle(*command, source)
               judge(f'{" ".join(command)}, wrong {n}.{k}', done)
               TAP.check(f'{" ".join(command)}, wrong {n}.{k}: refused', done.status != 0 or command[0] == 'compile', done)


def test_db():
   folder = path('evil')
   os.makedirs(folder, exist_ok=True)
   for n, evil in enumerate(EVIL):
      raw = evil.encode().decode('unicode_escape').encode('latin-1').replace(b'/', b'')
      with open(os.path.join(folder.encode(), b'%d' % n + raw), 'wb') as file:
         file.write(tree(0).encode())
   figures = path('figures')
   judge('db run', heddle('db', 'run', folder, '-o', figures))
   worse = path('worse')
   with open(worse, 'w', encoding='utf-8') as file:
      file.write(get(figures).decode().replace('"instructions":', '"instructions":1'))
   judge('db compare', heddle('db', 'compare', figures, worse))
   judge('db compare --html', heddle('db', 'compare', '--html', figures, worse))


def test_diff():
   for n in range(len(EVIL)):
      a, b = put('a.hd', tree(n)), put('b.hd', tree((n + 1) % len(EVIL)).replace('iadd', 'isub'))
      for command in (['diff'], ['diff', '--json']):
         judge(f'{" ".join(command)} {n}', heddle(*command, a, b))


def test_link():
   for n in range(len(EVIL)):
      a, b = put('a.hd', tree(n)), put('b.hd', tree(n))
      judge(f'link-stages {n}', heddle('link-stages', a, b))


def test_all_commands():
   listed = set(re.findall(r'^  ([a-z-]+) ', heddle('help').out.decode(), re.M))
   tried = {command[0] for command in SHADERS} | OTHERS
   TAP.check('every command is tried', listed == tried, listed ^ tried)


def test_assembly():
   """The names change no byte of the code: with them and without them it assembles to the same."""
   for n in range(len(EVIL)):
      source = put('names.hd', tree(n))
      plain = put('plain.hd', heddle('print', '--hide-names', '--hide-locations', source).out)
      for more in ([], ['--source']):
         text = heddle('compile', '--abi=driver', *more, '-o', path('names.s'), source)
         expect(f'assembly {n} {more}', text, 0, '', '')
         expect(f'assembly {n} {more}: assembled', heddle('as', '-o', path('names.bin'), path('names.s')), 0, '', '')
         expect(f'assembly {n}: without names', heddle('compile', '--abi=driver', '-o', path('plain.bin'), plain), 0, '', '')
         TAP.check(f'assembly {n} {more}: the same code', get('names.bin') == get('plain.bin'))


def test_motion():
   for n in range(len(EVIL)):
      text = f'''flat function @{evil(n, "main")}(%0:1) {{
  b0 {evil(n + 1, "start")}:
    %1:32 {evil(n + 2, "read")} = read_first %0
    goto_if %0, b1, b2
  b1 {evil(n + 3, "arm")}:
    goto b2
  b2 {evil(n + 4, "end")}:
    return
}}
'''
      before = put('before.hd', text.replace('read_first %0', 'subgroup_ballot %0').replace('%1:32', '%1:32x4'))
      after = put('after.hd', get('before.hd').decode().replace(
         f'    %1:32x4 {evil(n + 2, "read")} = subgroup_ballot %0\n', '').replace(
            f'  b1 {evil(n + 3, "arm")}:\n', f'  b1 {evil(n + 3, "arm")}:\n    %1:32x4 {evil(n + 2, "read")} = subgroup_ballot %0\n'))
      for more in ([], ['--json']):
         judge(f'check-motion {more} {n}', heddle('check-motion', *more, before, after))


def test_spirv():
   for n in range(len(EVIL)):
      source = put('module.spv', spirv(n))
      done = heddle('spirv-info', source)
      expect(f'spirv-info {n}', done, 0, 'entry ', '')
      judge(f'spirv-info {n}', done)
      done = heddle('spirv-info', '--json', source)
      judge(f'spirv-info --json {n}', done)
      TAP.check(f'spirv-info --json {n}: JSON', json.loads(done.out)['entries'][0]['name'].startswith('entry'))
      for command in (['print'], ['compile'], ['compile', '--print-after'], ['run', '--trace=text'], ['draw', '-t', 'dot']):
         done = heddle(*arguments(command, source))
         judge(f'{" ".join(command)}, module {n}', done)
         TAP.check(f'{" ".join(command)}, module {n}: done', done.status == 0, done)
      judge(f'a module cut short {n}', heddle('print', given=spirv(n)[:-8]))


def test_file_names():
   """Of the tool's own operands, too: a stranger's archive names files."""
   for n, name in enumerate(['a\x1b[2Jb.hd', 'a\nb.hd', 'a\u009b2Jb.hd']):
      put(name, 'shader')
      for command in (['validate'], ['print'], ['hash'], ['dis', '--json'], ['spirv-info']):
         judge(f'{command[0]}: file name {n}', heddle(*command, path(name)), command[0] == 'dis')
         judge(f'{command[0]}: no file {n}', heddle(*command, path('no' + name)))
      put(name, tree(0))
      judge(f'hash: file name {n}', heddle('hash', path(name)))


test_db()
test_diff()
test_link()
test_all_commands()
test_shaders()
test_assembly()
test_motion()
test_spirv()
test_file_names()
finish()
