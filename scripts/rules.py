#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The house rules that a program can check, over the files that git knows.

    rules.py [ROOT]

- floors:    a file of src/ includes only its own floor and lower ones (src/README.md); no circle among the headers;
             a public header includes public headers alone; README.md tells of each floor what src/README.md does
- rooms:     each folder of src/ says what lives there, in README.md or at the head of a header
- licence:   the first line (the second of a script) is the SPDX line
- words:     nothing that marks unfinished work, no path of one person's machine, no phrase for which the field has a
             word (RETIRED; doc/glossary.md has the words)
- heads:     the head of a C file gives its own name, and comments name files that exist
- sizes:     a source file has at most 800 lines, a function at most 100
- targets:   under tools/ only the files of a machine (NAME.c, NAME_*.c) and the table that lists them name one
- machines:  the folder of a machine on src/machine, isa/ and sim/ left out, has no more lines than MACHINE_LINES
- bounds:    doc/embedding.md says how large the library may be as tests/house/sizes.py does
- loops:     every hd_foreach macro is known to .clang-format, which else breaks its body
- order:     no two arguments of a call append code (argument_order.py)
- sinks:     diagnostics go out by hd_diag_send alone, which escapes what is not printable
- layout:    no tabs but in makefiles, no trailing blanks, a newline at the end
Each finding is a TAP case that failed, named file:line.
"""
import os
import re
import subprocess
import sys

import argument_order
import floors

MAX_FILE_LINES = 800
MAX_FUNCTION_LINES = 100

# A machine is small: so many lines besides its instruction set and its simulator.
MACHINE_LINES = 4000
SMALL_MACHINES = ('gen9', 'nyuzi', 'r700')

# Written so that these lines do not find themselves.
UNFINISHED = re.compile(r'\b((?i:TOD[O]|FIXM[E]|XX[X])|HAC[K]|hac[k])\b|(?i:not (yet )?implemente[d]|\bstu[b]\b|\bfor no[w]\b)')
MACHINE_PATH = re.compile(r'(?<![\w.])/(home/\w|work/|root/|tmp/w/)')
SPDX = re.compile(r'SPDX-License-Identifier: MIT\b')

# Phrases that were replaced, and the field's words for them. Brackets keep these lines from finding themselves.
RETIRED = [(re.compile(phrase, re.I), word) for phrase, word in (
    (r'an eye to which lane[s]', 'divergence-aware'),
    (r'in which it is said wher[e]', 'explicit reconvergence points'),
    (r'never ends the proces[s]', 'never calls abort() or exit()'),
    (r'silence is consen[t]|nothing to say is good new[s]', 'no output means that the input is valid'),
    (r'judge of the structurizer[s]', 'differential tester of the structurizers'),
    (r"a driver's da[y]", 'driver integration example'),
    (r'\blanes par[t]\b|\bparting (the|of) lane[s]', 'lanes diverge'),
    (r'\bis to blam[e]', 'is invalid'),
    (r'constants (are )?made agai[n]', 'rematerialised constants'),
    (r'costs a wave bu[t]', 'occupancy is lowered only by'),
    (r'could be had, and is no[t]', 'missed optimisations'),
    (r'%s cannot be ha[d]', 'unsupported intrinsic'),
    (r'and it goes to %[u]', 'expected, found'),
    (r'control 0x%x that is non[e]', 'invalid DPP control'),
    (r'as they must not b[e]\b', 'illegally'),
    (r'beginnings of (the|its|a) lis[t]', 'prefixes of the pass list'),
    (r'\b(runs?|running) (it |the result )?on symbol[s]', 'verifies symbolically'),
    (r'\b(may|in case they) run in vai[n]', 'may be speculated'),
    (r'(each|every|first) time roun[d]', 'in each iteration'),
    (r'read what was copie[d]', 'copy propagation'),
    (r'what nothing reads goe[s]', 'dead code elimination'),
    (r'would like to be in the same registe[r]', 'affinity'),
    (r'the mask phas[e]', 'control-flow lowering'),
    (r'how often the loop run[s]', 'trip count'),
    (r'besides the usua[l]', 'besides the defaults'),
    (r'compute once wha[t]', 'CSE, GVN'),
    (r'neighbouring memor[y]', 'load/store vectorisation'),
    (r'what is added to an addres[s]', 'address offsets'),
    (r'ways that can be take[n]', 'executable edges, SCCP'),
    (r'worth a constan[t]', 'propagate constant divisors'),
    (r'counted and shor[t]', 'short counted loops, full unrolling'),
    (r'named by constant[s]', 'with constant indices, SROA'),
    (r'become values and phi[s]', 'mem2reg'),
    (r'descriptors that diffe[r]', 'divergent descriptors, waterfall loop'),
    (r'ifs that are on[e]', 'merge adjacent ifs'),
    (r'say of what is divergent wh[y]', 'explain why values are divergent'),
    (r'which it is when not give[n]', 'default'),
    (r'as the implementation like[s]', 'fine or coarse'),
    (r'\bsink (was|is) tol[d]', 'a diagnostic was sent'),
    (r'\berrors? (was|were) tol[d]', 'reported'),
    (r'\b(both|either|the|each|this|which|one) roa[d]s?\b', 'control-flow lowering'),
    (r'\bgo(es)? in circle[s]', 'form cycles'),
)]

CODE = ('.c', '.h', '.cpp', '.py', '.build', '.sh')
TEXT = CODE + ('.md', '.hd', '.txt', '.cfg', '.1', '.yml')


def tracked(root):
   done = subprocess.run(['git', '-C', root, 'ls-files', '-z', '--cached', '--others',
                          '--exclude-standard'], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                         check=False)
   if done.returncode == 0:
      names = done.stdout.split('\0')
   else:  # an unpacked archive
      names = [os.path.relpath(os.path.join(folder, f), root)
               for folder, _, files in os.walk(root) for f in files
               if not os.path.relpath(folder, root).startswith(('build', '.git'))]
   return sorted(n for n in names if n and os.path.isfile(os.path.join(root, n)))


def is_script(name, text):
   return name.endswith(CODE) or text.startswith('#!')


def check_licence(name, text):
   if not is_script(name, text) or name.endswith('.md'):
      return
   lines = text.split('\n')
   first = 1 if lines[0].startswith('#!') else 0
   if len(lines) <= first or not SPDX.search(lines[first]):
      yield first + 1, 'the first line is not the SPDX line'


# In lower case with one blank between words: most files have nothing, which is found out quickly.
ANY_UNFINISHED = ('tod' 'o', 'fixm' 'e', 'xx' 'x', 'hac' 'k', 'implemente' 'd', 'stu' 'b', 'for no' 'w')


def literal(alternative):
   """The longest text that whatever this alternative of a phrase matches has in it."""
   fixed = re.sub(r'\([^)]*\)\??|\w\?|\\b|\[.[^]]+\]', '|', alternative)
   return max(re.sub(r'\[(.)\]', r'\1', fixed).split('|'), key=len).strip()


ANY_RETIRED = [literal(alternative) for rule, _ in RETIRED
               for alternative in re.sub(r'\([^)]*\)', lambda m: m[0].replace('|', '/'), rule.pattern).split('|')]


def check_words(name, text):
   words = ' '.join(text.lower().replace('*', ' ').split())
   if any(word in words for word in ANY_UNFINISHED) or MACHINE_PATH.search(text):
      for number, line in enumerate(text.split('\n'), 1):
         for rule, what in ((UNFINISHED, 'unfinished'), (MACHINE_PATH, 'a path of one machine')):
            found = rule.search(line)
            if found:
               yield number, f'{what}: {found[0]}'
   if not any(phrase in words for phrase in ANY_RETIRED):
      return
   for rule, word in RETIRED:
      # A phrase may continue on the next line of a comment or a page.
      for found in re.finditer(rule.pattern.replace(' ', r'[\s*]+'), text, re.I):
         yield text.count('\n', 0, found.start()) + 1, f"'{' '.join(found[0].split())}': say {word}"


HEAD = re.compile(r'\A/\* SPDX[^\n]*\n/\* ([\w.]+\.[ch]) - ')
COMMENT = re.compile(r'/\*.*?\*/', re.S)
MENTION = re.compile(r'(?<![\w*/.{}<$-])(?:\w+/)*([a-z]\w+\.(?:c|h|py))\b(?!\()')


def check_heads(name, text, known):
   if not name.endswith(('.c', '.h')) or not name.startswith(('src/', 'include/', 'tools/', 'bench/', 'examples/')):
      return
   head = HEAD.match(text)
   if head and head[1] != os.path.basename(name):
      yield 2, f'the head is that of {head[1]}'
   for comment in COMMENT.finditer(text):
      for found in MENTION.finditer(comment[0]):
         if found[1] not in known:
            yield text.count('\n', 0, comment.start() + found.start()) + 1, f'there is no file {found[1]}'


SINK = re.compile(r'\b(sink|diag)(\.|->)report\(')


def check_sinks(name, text):
   """A message may hold names of the input: hd_diag_send escapes them, whoever sends it."""
   if not name.startswith('src/') or name == 'src/util/quote.c':
      return
   for number, line in enumerate(text.split('\n'), 1):
      if SINK.search(line):
         yield number, 'a sink is called by hd_diag_send alone'


def check_layout(name, text):
   if not is_script(name, text):
      return
   if text and not text.endswith('\n'):
      yield text.count('\n') + 1, 'no newline at the end'
   for number, line in enumerate(text.split('\n'), 1):
      if line != line.rstrip():
         yield number, 'trailing blanks'
      if '\t' in line and name != 'debian/rules':
         yield number, 'a tab'


def check_sizes(name, text):
   if not name.endswith(('.c', '.h')):
      return
   lines = text.split('\n')
   if name.startswith('src/') and len(lines) > MAX_FILE_LINES + 1:
      yield MAX_FILE_LINES, f'{len(lines) - 1} lines, at most {MAX_FILE_LINES}'
   start = None
   for number, line in enumerate(lines, 1):
      # The house style puts both braces of a function in the first column.
      if line == '{':
         start = number
      elif line == '}' and start is not None:
         if number - start - 1 > MAX_FUNCTION_LINES:
            yield start, f'a function of {number - start - 1} lines, at most {MAX_FUNCTION_LINES}'
         start = None


INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.M)


def included(name, text, files):
   """The tracked files that `name` includes, as (line, file)."""
   for m in INCLUDE.finditer(text):
      line = text.count('\n', 0, m.start()) + 1
      for place in (os.path.dirname(name), 'include', 'src', 'tests'):
         path = os.path.normpath(os.path.join(place, m[1]))
         if path in files:
            yield line, path
            break
      else:
         # A generated header has no file; its floor is in its name all the same.
         yield line, m[1]


def floor_of(path, level):
   m = re.match(r'(?:src/)?(\w+)/', path)
   return m[1] if m and m[1] in level else None


def check_floor(name, text, files, level):
   if name.startswith('include/'):
      for line, path in included(name, text, files):
         if path.startswith('src/') or floor_of(path, level):
            yield line, f'a public header includes the private {path}'
      return
   # What generators write is of the floor that it is made for.
   own = floor_of(name, level) if name.startswith('src/') and not name.startswith('src/codegen/') else None
   for line, path in included(name, text, files):
      if not name.startswith('src/'):
         continue
      if path.startswith(('tests/', 'tools/', 'bench/', 'examples/')):
         yield line, f'the library includes {path}'
      floor = floor_of(path, level)
      if own and floor and floor != own and level[floor] >= level[own]:
         yield line, f'{own} includes {floor}, which is not below it'


def circles(texts):
   """Headers that include each other, as (file, path of the circle)."""
   graph = {name: [p for _, p in included(name, text, texts) if p in texts]
            for name, text in texts.items() if name.endswith('.h')}
   state = {}
   for root in sorted(graph):
      stack = [(root, iter(graph[root]))] if root not in state else []
      state.setdefault(root, 'open')
      while stack:
         name, rest = stack[-1]
         for target in rest:
            if state.get(target) == 'open':
               trail = [n for n, _ in stack]
               yield name, ' > '.join(trail[trail.index(target):] + [target])
            elif target not in state and target in graph:
               state[target] = 'open'
               stack.append((target, iter(graph[target])))
               break
         else:
            state[name] = 'done'
            stack.pop()


MIN_PAGE_LINES = 5


def says_what_it_is(text):
   """Has the head of a header, or a page, so many lines of text?"""
   head = COMMENT.search(text.partition('\n')[2]) if text.startswith('/*') else None
   lines = (head[0] if head else text).split('\n')
   return sum(len(line.strip(' */#')) > 3 for line in lines) >= MIN_PAGE_LINES


def check_rooms(texts, rows):
   """Each folder of src/ has a page, and README.md says of the floors what src/README.md says."""
   folders = {os.path.dirname(name) for name in texts
              if name.startswith('src/') and name.endswith(('.c', '.h', '.py'))}
   for folder in sorted(folders):
      pages = [f'{folder}/README.md']
      pages += [name for name in texts if os.path.dirname(name) == folder and name.endswith('.h')]
      pages += [f'{folder}/__init__.py', f'{folder}/README.md']
      if not any(page in texts and says_what_it_is(texts[page]) for page in pages):
         yield f'{folder}/README.md', 1, 'nothing says what lives in this folder, and in what order data goes through'
   for _, folder, what in rows:
      if 'README.md' in texts and f'| `src/{folder}` | {what} |' not in texts['README.md']:
         yield 'README.md', 1, f'it says of src/{folder} another thing than src/README.md'


def check_machines(texts):
   for machine in SMALL_MACHINES:
      folder = f'src/backend/{machine}/'
      lines = sum(text.count('\n') for name, text in texts.items()
                  if name.startswith(folder) and name.endswith(('.c', '.h')) and
                  not name.startswith((f'{folder}isa/', f'{folder}sim/')))
      if lines > MACHINE_LINES:
         yield f'{folder}README.md', 1, f'{lines} lines besides isa/ and sim/, at most {MACHINE_LINES}: what names nothing of it goes to src/machine'


def check_bounds(texts):
   """doc/embedding.md has the bounds of tests/house/sizes.py: without machines, with one, with all."""
   found = re.findall(r'^    (\(.*\)): ([\d_]+),$', texts.get('tests/house/sizes.py', ''), re.M)
   limits = {tuple(re.findall(r'\w+', names)): f'{int(limit):,}' for names, limit in found}
   names = {(): 'none', ('gcn',): 'GCN', max(limits, key=len, default=()): 'all'}
   for machines, limit in limits.items():
      row = names.get(machines) or (machines[0].capitalize() if len(machines) == 1 else None)
      if row and f'| {row} | {limit} |' not in texts['doc/embedding.md']:
         yield 'doc/embedding.md', 1, f'its row of {row} differs from tests/house/sizes.py, which has {limit}'


# Machines, their targets and makers.
MACHINE_NAMES = re.compile(r'(?i:gcn|gfx\d|gen\d|nyuzi|r700|\bradeon)|\bAMD\b')
MACHINE_TABLE = {'tools/targets.c', 'tools/targets.h', 'tools/meson.build'}


def check_tool(texts):
   machines = {name.split('/')[2] for name in texts if re.fullmatch(r'src/backend/\w+/backend\.c', name)}
   for name, text in texts.items():
      of_machine = re.split(r'[_.]', os.path.basename(name))[0] in machines
      if not name.startswith('tools/') or name in MACHINE_TABLE or of_machine:
         continue
      for m in MACHINE_NAMES.finditer(text):
         yield name, text.count('\n', 0, m.start()) + 1, f'{m[0]}: only its own files and the table of targets.c name a machine'


FOREACH = re.compile(r'^#define (hd_foreach_\w+)\(', re.M)


def check_foreach(name, text, formatting):
   if name.endswith('.h'):
      for m in FOREACH.finditer(text):
         if not re.search(rf'\b{m[1]}\b', formatting):
            yield text.count('\n', 0, m.start()) + 1, f'{m[1]} is not in .clang-format'


def findings(root):
   texts = {}
   for name in tracked(root):
      with open(os.path.join(root, name), 'rb') as file:
         data = file.read()
      # Corpora and inputs of tests may hold anything.
      if name.startswith(('tests/fuzz/corpus/',)) or b'\0' in data:
         continue
      text = data.decode('utf-8', errors='replace')
      if name.endswith(TEXT) or text.startswith('#!'):
         texts[name] = text
   # Files that are there, and those that the build makes.
   there = {os.path.basename(name) for name in texts}
   for name, text in texts.items():
      if name.endswith('.build') or name.startswith('src/codegen/'):
         there.update(re.findall(r'\w+\.(?:c|h|py)\b', text))
         there.update(word + ending for word in re.findall(r"'(\w+)'", text) if name.endswith('.build')
                      for ending in ('.c', '.h'))
   level = {}
   if 'src/README.md' in texts:
      level = floors.levels(root)
      yield from check_rooms(texts, floors.rows(root))
   yield from check_machines(texts)
   yield from check_tool(texts)
   yield from check_bounds(texts)
   formatting = os.path.join(root, '.clang-format')
   if os.path.exists(formatting):
      with open(formatting, encoding='utf-8') as file:
         known = file.read()
      for name, text in texts.items():
         for line, what in check_foreach(name, text, known):
            yield name, line, what
   for name, text in texts.items():
      for check in (check_licence, check_words, check_sinks, check_layout, check_sizes):
         for line, what in check(name, text):
            yield name, line, what
      for line, what in check_floor(name, text, texts, level):
         yield name, line, what
      for line, what in check_heads(name, text, there):
         yield name, line, what
   yield from argument_order.findings(texts)
   for name, circle in circles(texts):
      yield name, 1, f'headers in a circle: {circle}'


def main():
   root = sys.argv[1] if len(sys.argv) > 1 else '.'
   bad = list(findings(root))
   for number, (name, line, what) in enumerate(bad, 1):
      print(f'not ok {number} - {name}:{line}: {what}')
   if not bad:
      print('ok 1 - house rules')
   print(f'1..{max(1, len(bad))}')
   return 1 if bad else 0


if __name__ == '__main__':
   sys.exit(main())
