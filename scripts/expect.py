#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare standard input with a file that holds the whole expected text.

    COMMAND | expect.py FILE

Text tests call it `%expect`. Under HD_BLESS=1 (`./x bless`) the file is rewritten instead.
"""
import difflib
import os
import sys


def main():
   path = sys.argv[1]
   got = sys.stdin.read()
   if os.environ.get('HD_BLESS') == '1':
      with open(path, 'w', encoding='utf-8') as file:
         file.write(got)
      return 0
   try:
      with open(path, encoding='utf-8') as file:
         expected = file.read()
   except FileNotFoundError:
      print(f'{path} is missing; `./x bless` makes it')
      return 1
   if got == expected:
      return 0
   sys.stdout.writelines(difflib.unified_diff(
      expected.splitlines(True), got.splitlines(True), path, 'what came out'))
   return 1


if __name__ == '__main__':
   sys.exit(main())
