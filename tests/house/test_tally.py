#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The count of cases and the house rules, each on inputs with known answers."""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'scripts'))
import rules  # noqa: E402
import tally  # noqa: E402
from tap import Tap  # noqa: E402

COUNTS = [
    # what a program printed, Meson's verdict, cases passed and failed
    ('a program without marks', 'no marks', 'OK', (1, 0)),
    ('a failed one without marks', '', 'FAIL', (0, 1)),
    ('TAP', 'ok 1 - a\nok 2 - b\n1..2\n', 'OK', (2, 0)),
    ('TAP with a failure', 'ok 1 - a\nnot ok 2 - b\n', 'FAIL', (1, 1)),
    ('TAP, skipped', 'ok 1 - a # SKIP no tool\nok 2 - b\n', 'OK', (1, 0)),
    ('a crash after two cases', '[       OK ] a\n[       OK ] b\n[ RUN      ] c\n', 'ERROR', (2, 1)),
    ('cmocka', '[       OK ] a\n[  FAILED  ] b\n[  FAILED  ] 1 test(s), listed below:\n', 'FAIL', (1, 1)),
    ('lit', 'PASS: Heddle :: a.hd (1 of 3)\nFAIL: Heddle :: b.hd (2 of 3)\nXFAIL: Heddle :: c.hd\n', 'FAIL', (2, 1)),
    ('a case that failed unnoticed', 'ok 1 - a\nnot ok 2 - b\n', 'OK', (1, 1)),
    ('a program that was skipped', '', 'SKIP', (0, 0)),
    ('a timeout', 'ok 1 - a\n', 'TIMEOUT', (1, 1)),
]

LICENCE = '/* SPDX-License-Identifier: MIT */\n'

RULES = [
    # a tree, and the words that must be in its one finding, or None where it has none
    ('lower floors may be included', {'src/ir/a.c': LICENCE + '#include "util/u.h"\n', 'src/util/u.h': LICENCE}, None),
    ('upward', {'src/util/a.c': LICENCE + '#include "ir/i.h"\n', 'src/ir/i.h': LICENCE}, 'util includes ir'),
    ('upward, by a relative path', {'src/util/a.c': LICENCE + '#include "../ir/i.h"\n', 'src/ir/i.h': LICENCE}, 'util includes ir'),
    ('sideways', {'src/wave/a.c': LICENCE + '#include "check/c.h"\n', 'src/check/c.h': LICENCE}, 'wave includes check'),
    ('a circle', {'src/ir/a.h': LICENCE + '#include "b.h"\n', 'src/ir/b.h': LICENCE + '#include "ir/a.h"\n'}, 'circle'),
    ('a private header in a public one', {'include/heddle/a.h': LICENCE + '#include "ir/i.h"\n', 'src/ir/i.h': LICENCE}, 'private'),
    ('no licence', {'src/ir/a.c': 'int a;\n'}, 'SPDX'),
    ('a licence after the interpreter', {'run.py': '#!/usr/bin/env python3\n# SPDX-License-Identifier: MIT\n'}, None),
    ('unfinished', {'src/ir/a.c': LICENCE + '/* TOD' + 'O: all of it */\n'}, 'unfinished'),
    ('a machine path', {'doc/a.md': 'see /ho' + 'me/me/heddle\n'}, 'path'),
    ('a retired phrase', {'doc/a.md': 'The library never ends the pro' + 'cess.\n'}, 'abort()'),
    ('a retired phrase over two lines', {'src/ir/a.c': LICENCE + '/* Where lanes\n * pa' + 'rt. */\n'}, 'diverge'),
    ('the head of another file', {'src/ir/a.c': LICENCE + '/* b.c - b. */\n', 'src/ir/b.c': LICENCE}, 'that of b.c'),
    ('a file that is not there', {'src/ir/a.c': LICENCE + '/* See other.c. */\n'}, 'no file other.c'),
    ('a trailing blank', {'src/ir/a.c': LICENCE + 'int a; \n'}, 'trailing'),
    ('a tab', {'src/ir/a.c': LICENCE + '\tint a;\n'}, 'tab'),
    ('an unknown loop', {'.clang-format': 'ForEachMacros: [hd_foreach_b]\n', 'src/ir/a.h': LICENCE + '#define hd_foreach_a(x)\n#define hd_foreach_b(x)\n'}, 'hd_foreach_a'),
    ('a long function', {'src/ir/a.c': LICENCE + 'void\nf(void)\n{\n' + '   ;\n' * 101 + '}\n'}, '101 lines'),
    ('arguments that append', {'src/ir/a.c': LICENCE + 'void\nf(hd_builder *b)\n{\n   hd_iadd(b, hd_x(b), hd_y(b, 1));\n}\n'},
     'hd_iadd() has arguments'),
    ('arguments that append, of a struct', {'src/ir/a.h': LICENCE + 'typedef struct maker {\n   hd_builder b;\n} maker;\n',
                                            'src/ir/a.c': LICENCE + 'static int\nx(maker *m);\nvoid\nf(maker *m)\n{\n   g(x(m),\n     k + x(m));\n}\n'},
     'g() has arguments'),
    ('arguments that append, in a page', {'doc/a.md': '```c\nhd_iadd(&b, hd_x(&b), hd_y(&b));\n```\n'}, 'hd_iadd() has arguments'),
    ('arguments that append, by pointers', {'src/ir/a.c': LICENCE + 'void\nf(hd_builder *b)\n{\n   p[1](b, p[0](b), (*q)(b, 1));\n}\n'},
     'a pointer() has arguments'),
    ('arguments that append, of functions that a macro defines',
     {'src/ir/a.h': LICENCE + 'typedef hd_builder bld;\n#define BINARY(name, op) \\\n   static inline int \\\n   name(bld *s, int x) \\\n   { \\\n'
                                '      return op; \\\n   }\nBINARY(add, 1)\n',
      'src/ir/a.c': LICENCE + 'void\nf(bld *s)\n{\n   add(s, add(s, 1), add(s, 2));\n}\n'}, 'add() has arguments'),
    ('arguments that append, by a macro',
     {'src/ir/a.c': LICENCE + '#define NOT(x) hd_inot(b, x)\nint hd_inot(hd_builder *b, int x);\nvoid\nf(hd_builder *b)\n{\n   g(NOT(1), NOT(2));\n}\n'},
     'g() has arguments'),
    ('a macro that only reads',
     {'src/ir/a.c': LICENCE + '#define IS(x) is(b, x)\nint is(const hd_builder *b, int x);\nvoid\nf(hd_builder *b)\n{\n   g(IS(1), IS(2));\n}\n'}, None),
    ('one argument that appends', {'src/ir/a.c': LICENCE + 'void\nf(hd_builder *b)\n{\n   hd_iadd(b, hd_x(b), y);\n}\n'}, None),
    ('arguments that only read', {'src/ir/a.c': LICENCE + 'static int\nx(const hd_builder *b);\nvoid\nf(hd_builder *b)\n{\n   g(x(b), x(b));\n}\n'}, None),
    ('a folder that says nothing', {'src/ir/a.c': LICENCE, 'src/ir/README.md': 'IR.\n'}, 'what lives in this folder'),
    ('a folder that says it in a header', {'src/ir/a.h': LICENCE + '/* a.h - one.\n * two is\n * three\n * four\n * five\n */\n',
                                           'src/ir/README.md': ''}, None),
    ('README.md says another thing', {'README.md': '| `src/util` | memory |\n', 'src/README.md': '| 1 | `util` | floats |\n'}, 'of src/util another'),
    ('README.md says the same', {'README.md': '| `src/util` | floats |\n', 'src/README.md': '| 1 | `util` | floats |\n'}, None),
    ('a long file', {'src/ir/a.c': LICENCE + 'int a;\n' * 800}, '801 lines'),
]

# What each made-up tree has besides: floors, and a page in each folder.
FLOORS = """
| 1 | `util` | memory |
| 2 | `ir` | shader |
| 3 | `analysis` | dominance |
| 4 | `check` | the validator |
| 4 | `wave` | the interpreter |
| 5 | `structurize` | trees |
| 6 | `passes` | passes |
"""
PAGE = 'what it is\nin which order\nwhat for\nwhat may be changed\nhow it is tested\n'


def made_up(files):
   pages = {os.path.join(os.path.dirname(name), 'README.md'): PAGE for name in files if name.startswith('src/')}
   return {'src/README.md': FLOORS, **pages, **files}


def main():
   tap = Tap()
   for name, output, verdict, expected in COUNTS:
      got = tally.count(output, verdict)
      tap.check(f'count: {name}', got == expected, f'{got}, expected {expected}')

   with tempfile.TemporaryDirectory() as folder:
      script = os.path.join(os.path.dirname(tally.__file__), 'tally.py')
      done = subprocess.run([sys.executable, script, folder], stdout=subprocess.PIPE, text=True, check=False)
      tap.check('count: a build without a log is a failure',
                done.returncode == 1 and done.stdout.endswith('0 passed, 1 failed\n'), done.stdout)

   for name, files, expected in RULES:
      with tempfile.TemporaryDirectory() as folder:
         for path, text in made_up(files).items():
            os.makedirs(os.path.join(folder, os.path.dirname(path)), exist_ok=True)
            with open(os.path.join(folder, path), 'w', encoding='utf-8') as file:
               file.write(text)
         found = [what for _, _, what in rules.findings(folder)]
         good = not found if expected is None else len(found) == 1 and expected in found[0]
         tap.check(f'rules: {name}', good, found)
   tap.finish()


if __name__ == '__main__':
   main()
