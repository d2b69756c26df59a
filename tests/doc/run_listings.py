#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Run the listings of the documents.

    run_listings.py TOOL ROOT COMPILER LIBRARY INCLUDE_DIRECTORY...

The fenced blocks of README.md and doc/*.md are tests (doc/contributing.md tells authors):

    ```hd                 must validate; `hd NAME.hd` also leaves it as a file for the blocks below
    ```hd-error           must be refused with exit status 1; a line `// expect: WORDS` names what
                          the message must contain; a name leaves it as a file too
    ```c                  with a main(): compiled, linked with the library and run, must exit with 0
    ```c FILE             stands in this file of the tree
    ```console            each `$ heddle ...` line is run by a shell, and what it writes must be what
                          stands below it; a line `...` stands for any lines

All blocks of a page run in one scratch folder, where `examples` is that of the tree.
"""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'house'))
from tap import Tap  # noqa: E402

FENCE = re.compile(r'^(?P<indent> *)```(?P<info>[^\n`]*)\n(?P<body>.*?)^(?P=indent)```[ \t]*$', re.M | re.S)
MAIN = re.compile(r'^(int )?main\(', re.M)


class Page:
   def __init__(self, tap, path, root, tool, compile_command):
      self.tap = tap
      self.path = path
      self.root = root
      self.tool = tool
      self.compile_command = compile_command
      self.name = os.path.relpath(path, root)
      self.scratch = tempfile.TemporaryDirectory()
      self.folder = self.scratch.name
      os.symlink(os.path.join(root, 'examples'), os.path.join(self.folder, 'examples'))

   def shell(self, command, text=''):
      environment = dict(os.environ, HD_VALIDATE='1',
                         PATH=os.path.dirname(self.tool) + os.pathsep + os.environ['PATH'])
      return subprocess.run(['sh', '-c', command], cwd=self.folder, env=environment, input=text, text=True,
                            errors='replace', stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            check=False)

   def run(self):
      with open(self.path, encoding='utf-8') as file:
         text = file.read()
      for fence in FENCE.finditer(text):
         line = text.count('\n', 0, fence.start()) + 1
         indent = len(fence['indent'])
         body = ''.join(row[indent:] if row[:indent].isspace() else row
                        for row in fence['body'].splitlines(True))
         words = fence['info'].split()
         kind = words[0] if words else ''
         place = f'{self.name}:{line}'
         if kind == 'hd':
            self.run_hd(place, body, words[1:])
         elif kind == 'hd-error':
            self.run_error(place, body, words[1:])
         elif kind == 'c' and len(words) > 1:
            self.find_piece(place, body, words[1])
         elif kind == 'c' and MAIN.search(body):
            self.run_program(place, body)
         elif kind == 'console':
            self.run_console(place, body)
      self.scratch.cleanup()

   def leave(self, names, body):
      """The file that a listing's heading names."""
      for name in names[:1]:
         with open(os.path.join(self.folder, name), 'w', encoding='utf-8') as file:
            file.write(body)

   def run_hd(self, place, body, names):
      self.leave(names, body)
      done = self.shell('heddle validate -', body)
      self.tap.check(f'{place} validates', done.returncode == 0, done.stdout)

   def run_error(self, place, body, names):
      self.leave(names, body)
      done = self.shell('heddle validate -', body)
      wanted = re.findall(r'// expect: (.*)', body)
      missing = [w for w in wanted if w.strip() not in done.stdout]
      self.tap.check(f'{place} is refused', done.returncode == 1 and not missing,
                     f'exit status {done.returncode}, not said: {missing}\n{done.stdout}')

   def find_piece(self, place, body, name):
      path = os.path.join(self.root, name)
      text = ''
      if os.path.exists(path):
         with open(path, encoding='utf-8') as file:
            text = file.read()
      self.tap.check(f'{place} stands in {name}', body.strip() and body in text)

   def run_program(self, place, body):
      source = os.path.join(self.folder, 'listing.c')
      program = os.path.join(self.folder, 'listing')
      with open(source, 'w', encoding='utf-8') as file:
         file.write(body)
      command = [word.replace('@IN@', source).replace('@OUT@', program)
                 for word in self.compile_command]
      if self.tap.run(f'{place} compiles', command) is not None:
         self.tap.run(f'{place} runs', [program], cwd=self.folder)

   def run_console(self, place, body):
      parts = re.split(r'^\$ (.*)\n', body, flags=re.M)
      for command, expected in zip(parts[1::2], parts[2::2]):
         if not command.startswith('heddle'):
            self.tap.check(f'{place}: `{command}` is a heddle command', False)
            continue
         got = self.shell(command).stdout
         pattern = ''.join('(?:.*\n)*' if row.strip() == '...' else re.escape(row)
                           for row in expected.splitlines(True))
         self.tap.check(f'{place}: {command}', re.fullmatch(pattern, got),
                        f'expected:\n{expected}got:\n{got}')


def main():
   tool, root, compiler, library, *includes = sys.argv[1:]
   tap = Tap()
   compile_command = [*compiler.split(), '-std=c11', '-Wall', '-Wextra', '-Wpedantic', '-Werror',
                      *[arg for folder in includes for arg in ('-I', folder)],
                      '-o', '@OUT@', '@IN@', library]
   pages = [os.path.join(root, 'README.md')]
   pages += [os.path.join(folder, name)
             for folder, _, names in os.walk(os.path.join(root, 'doc')) for name in names]
   for page in sorted(p for p in pages if p.endswith('.md') and os.path.exists(p)):
      Page(tap, page, root, tool, compile_command).run()
   tap.finish()


if __name__ == '__main__':
   main()
