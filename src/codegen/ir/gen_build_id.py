# SPDX-License-Identifier: MIT
"""build_id.h: a digest of everything that the library is made from.

   ir.gen_build_id OUTPUT ROOT VERSION

Reads the sources below ROOT/src and ROOT/include by name, never a clock or a path of the machine,
so the same sources give the same identity wherever they are built. What was read is in the depfile of
run.py: a change of any of them makes the identity anew.
"""

import hashlib
import pathlib
import sys

SUFFIXES = {'.c', '.h', '.py', '.build'}


def sources(root):
   for folder in ('include', 'src'):
      for path in sorted((root / folder).rglob('*')):
         if path.suffix in SUFFIXES and path.is_file():
            yield path


def digest(root, paths, version):
   total = hashlib.sha256(version.encode())
   for path in paths:
      name = path.relative_to(root).as_posix().encode()
      content = path.read_bytes()
      total.update(b'%d %d\n' % (len(name), len(content)) + name + content)
   return total.hexdigest()[:40]


def main(output, root, version):
   root = pathlib.Path(root).resolve()
   paths = list(sources(root))
   identity = digest(root, paths, version)
   pathlib.Path(output).write_text('/* SPDX-License-Identifier: MIT */\n'
                                   '/* Made by ir/gen_build_id.py. */\n'
                                   f'#define HD_BUILD_ID "{identity}"\n', encoding='utf-8')


if __name__ == '__main__':
   main(*sys.argv[1:])
