#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The version script of a shared library: the functions that its headers declare HD_API, and nothing else.

    symbol_map.py --abi=FILE --version=X.Y.Z --output=FILE HEADER...

A function has the version that FILE (written by abi.py) says it came with; one that is not in FILE is new in this version.
"""
import argparse
import re

COMMENT = re.compile(r'/\*.*?\*/', re.S)
DECLARATION = re.compile(r'\bHD_API\b[^;{(]*?\b(hd_\w+)\s*\(')


def declared(headers):
   """The names of all HD_API functions, sorted."""
   names = set()
   for header in headers:
      with open(header, encoding='utf-8') as file:
         names.update(DECLARATION.findall(COMMENT.sub('', file.read())))
   return sorted(names)


def minor(version):
   return '.'.join(version.split('.')[:2])


def since(abi):
   """{function: version} as FILE says."""
   with open(abi, encoding='utf-8') as file:
      lines = [line.split() for line in file]
   return {words[1]: words[2] for words in lines if words and words[0] == 'function'}


def version_script(names, known, version):
   nodes = {}
   for name in names:
      nodes.setdefault(known.get(name, minor(version)), []).append(name)
   text, before = '', ''
   for node in sorted(nodes, key=lambda v: [int(part) for part in v.split('.')]):
      text += f'HEDDLE_{node} {{\n   global:\n' + ''.join(f'      {name};\n' for name in nodes[node])
      if not before:
         text += '   local:\n      *;\n'
      text += f'}}{before};\n'
      before = f' HEDDLE_{node}'
   return text


def main():
   parser = argparse.ArgumentParser(description='The version script of a shared library.')
   parser.add_argument('--abi', required=True)
   parser.add_argument('--version', required=True)
   parser.add_argument('--output', required=True)
   parser.add_argument('headers', nargs='+')
   options = parser.parse_args()
   text = version_script(declared(options.headers), since(options.abi), options.version)
   with open(options.output, 'w', encoding='utf-8') as file:
      file.write(text)


if __name__ == '__main__':
   main()
