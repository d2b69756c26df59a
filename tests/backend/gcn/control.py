# SPDX-License-Identifier: MIT
"""Of GCN assembly, what has to do with control flow, and the stores between: `%control` of text tests.

Registers lose their numbers, stores their operands, and labels are numbered as they come.
"""
import re
import sys

KEPT = re.compile(r'\w+:|.*(exec|vcc|scc|s_cmp|branch|_endpgm|_store_)')


def main():
   labels = {}

   def label(match):
      return labels.setdefault(match[0], f'L{len(labels)}')

   for line in sys.stdin:
      line = re.sub(r'^b\d+(?=:)|(?<=branch )b\d+|(?<=[01z] )b\d+$', label, line.rstrip('\n'))
      line = re.sub(r'\b([sv])(\[[0-9:]+\]|\d+)', r'\1', line)
      line = re.sub(r'( +buffer_store_[a-z]+).*', r'\1', line)
      if KEPT.match(line):
         print(line)


if __name__ == '__main__':
   main()
