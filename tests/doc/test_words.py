#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Who searches for a term of the field finds it, and pages name only what is there.

    test_words.py ROOT

- `grep -ril TERM src doc` lists the file that TERMS names, and the term is in its head; doc/glossary.md has the term
- a path or page that doc/glossary.md names exists, and has each term in it that TERMS gives it
- a link of a page, with its anchor, leads somewhere; doc/README.md lists every page
"""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'house'))
from tap import Tap  # noqa: E402

# What one would search for, and the file that does it.
TERMS = (
    ('dominance', 'src/analysis/dominance.c'),
    ('liveness', 'src/machine/liveness.c'),
    ('live range', 'src/machine/liveness.h'),
    ('spill', 'src/machine/spill.c'),
    ('rematerialise', 'src/machine/spill_walk.c'),
    ('register pressure', 'src/machine/register_pressure.c'),
    ('coalescing', 'src/machine/regalloc_affinity.c'),
    ('phi', 'src/passes/opt_phi.c'),
    ('LICM', 'src/passes/opt_licm.c'),
    ('GVN', 'src/passes/opt_cse.c'),
    ('CSE', 'src/passes/opt_cse.c'),
    ('SROA', 'src/passes/opt_vars_split.c'),
    ('mem2reg', 'src/passes/opt_vars_to_ssa.c'),
    ('SCCP', 'src/passes/opt_sccp.c'),
    ('if-conversion', 'src/passes/opt_if_convert.c'),
    ('waterfall', 'src/passes/lower_nonuniform.c'),
    ('WQM', 'src/passes/lower_helpers.c'),
    ('waitcnt', 'src/backend/gcn/insert_waits.c'),
    ('occupancy', 'src/backend/gcn/abi/resources.c'),
    ('reconvergence', 'src/structurize/reconverge.c'),
    ('divergence', 'src/analysis/divergence.c'),
    ('uniform', 'src/analysis/divergence.c'),
    ('list scheduling', 'src/machine/schedule.c'),
    ('register allocation', 'src/machine/regalloc.c'),
    ('copy propagation', 'src/passes/opt_copy.c'),
    ('loop rotation', 'src/machine/rotate_loops.c'),
    ('SSA construction', 'src/ir/variables.c'),
    ('parallel copies', 'src/ir/parallel_copy.c'),
    ('memory SSA', 'src/analysis/memory_ssa.c'),
    ('trip count', 'src/analysis/induction.c'),
    ('delta debugging', 'src/reduce/reduce.c'),
)

FENCE = re.compile(r'^ *```.*?^ *```', re.M | re.S)
LINK = re.compile(r'\[[^\]\n]*\]\(([^)\s]+)\)')
PATH = re.compile(r'`((?:src|include|doc|tests|tools|examples|bench|scripts)/[\w./-]*)`')


def read(path):
   with open(path, encoding='utf-8', errors='replace') as file:
      return file.read()


def head(path):
   """What says what a file does: its first comment, or all of a page."""
   text = read(path)
   if path.endswith('.md'):
      return text
   comments = re.findall(r'/\*.*?\*/', text, re.S)
   return ' '.join(re.sub(r'^ \* ?', '', '\n'.join(comments[:2]), flags=re.M).split())


def anchors(text):
   """As GitHub makes them of headings."""
   titles = re.findall(r'^#+ (.*)$', FENCE.sub('', text), re.M)
   return {re.sub(r'[^\w\- ]', '', re.sub(r'\[([^\]]*)\]\([^)]*\)', r'\1', t).lower()).strip().replace(' ', '-') for t in titles}


def check_links(tap, root, page):
   text = FENCE.sub('', read(os.path.join(root, page)))
   lost = []
   for link in LINK.findall(text):
      if re.match(r'[a-z]+:', link):
         continue
      path, _, anchor = link.partition('#')
      target = os.path.normpath(os.path.join(root, os.path.dirname(page), path)) if path else os.path.join(root, page)
      if not os.path.exists(target):
         lost.append(f'{link}: no such file')
      elif anchor and anchor not in anchors(read(target)):
         lost.append(f'{link}: no such heading')
   lost += [f'{path}: no such file' for path in PATH.findall(text)
            if not os.path.exists(os.path.join(root, path)) and not re.search(r'[A-Z]{4}|opt_x|/\.$', path)]
   tap.check(f'{page}: links and paths', not lost, '\n'.join(lost))


def main():
   root = sys.argv[1]
   tap = Tap()
   for term, name in TERMS:
      path = os.path.join(root, name)
      found = os.path.exists(path) and term.lower() in head(path).lower()
      tap.check(f'{term}: {name} says so', found, 'no such file' if not os.path.exists(path) else head(path)[:300])

   glossary = read(os.path.join(root, 'doc', 'glossary.md')).lower()
   missing = [term for term, _ in TERMS if term.lower() not in glossary]
   tap.check('doc/glossary.md has each term', not missing, missing)

   pages = sorted(f'doc/{name}' for name in os.listdir(os.path.join(root, 'doc')) if name.endswith('.md'))
   for page in [*pages, 'README.md', 'CHANGELOG.md', 'tools/verify/README.md']:
      check_links(tap, root, page)

   index = read(os.path.join(root, 'doc', 'README.md'))
   missing = [p for p in pages if p != 'doc/README.md' and f'({os.path.basename(p)})' not in index]
   tap.check('doc/README.md lists every page', not missing, missing)
   tap.finish()


if __name__ == '__main__':
   main()
