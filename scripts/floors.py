#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The floors of the library, as the table of src/README.md has them.

    floors.py [ROOT]     prints the folders, lowest first
"""
import os
import re
import sys

ROW = re.compile(r'^\| (\d+) \| `(\w+)` \| (.*) \|$', re.M)


def read(root):
   with open(os.path.join(root, 'src', 'README.md'), encoding='utf-8') as file:
      return file.read()


def rows(root):
   """(floor, folder, what lives there), in their order."""
   return [(int(floor), folder, what) for floor, folder, what in ROW.findall(read(root))]


def levels(root):
   """The floor of each folder."""
   return {folder: floor for floor, folder, _ in rows(root)}


if __name__ == '__main__':
   print('\n'.join(folder for _, folder, _ in rows(sys.argv[1] if len(sys.argv) > 1 else '.')))
