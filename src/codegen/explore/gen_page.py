# SPDX-License-Identifier: MIT
"""The page of the explorer as strings of C: styles and scripts are put into the document, and their hashes into its
content security policy, so that a browser runs these and nothing else.

    gen_page.py OUTPUT FOLDER
"""
import base64
import hashlib
import pathlib

from codegen import emit

# One script of these, in this order.
SCRIPTS = ['data.js', 'links.js', 'list.js', 'text.js', 'panels.js', 'machine.js', 'curves.js', 'graph.js', 'why.js', 'lanes.js', 'compare.js', 'below.js',
           'search.js', 'main.js']
STYLES = ['style.css']
# Compilers need not take longer strings.
MOST = 4000


def read(folder, names):
   parts = [(pathlib.Path(folder) / name).read_text(encoding='utf-8') for name in names]
   text = ''.join(part.split('*/\n', 1)[1] if part.startswith('/* SPDX') else part for part in parts)
   assert '</' not in text or '</s' not in text.lower(), 'a script or style must not end its element'
   return '\n' + text


def digest(text):
   return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def literals(text):
   """Strings of C, each of no more than MOST bytes."""
   parts, part, size = [], '', 0
   for char in text:
      raw = char.encode()
      escaped = {'\n': '\\n', '"': '\\"', '\\': '\\\\', '?': '\\?'}.get(char) or \
         (char if 32 <= ord(char) < 127 else ''.join(f'\\{byte:03o}' for byte in raw))
      if size + len(raw) > MOST:
         parts.append(part)
         part, size = '', 0
      part += escaped
      size += len(raw)
      if char == '\n' and len(part) > MOST - 400:
         parts.append(part)
         part, size = '', 0
   return parts + [part]


def array(name, text):
   yield f'const char *const {name}[] = {{'
   for part in literals(text):
      yield f'   "{part}",'
   yield '   NULL,'
   yield '};'


def main(output, folder):
   page = (pathlib.Path(folder) / 'page.html').read_text(encoding='utf-8')
   page = page.split('-->\n', 1)[1]
   style, script = read(folder, STYLES), read(folder, SCRIPTS)
   policy = f"default-src 'none'; script-src {digest(script)}; style-src {digest(style)}; base-uri 'none'; " \
      "form-action 'none'"
   page = page.replace('@POLICY@', policy).replace('@STYLE@', style).replace('@SCRIPT@', script)
   head, tail = page.split('@DATA@')
   emit.write(output, [*emit.opening('explore_page.c', 'the page around the data.', 'explore/gen_page.py'),
                       '#include "explore/explore.h"', '', *array('hd_explore_page_head', head), '',
                       *array('hd_explore_page_tail', tail)])


emit.run(main, 2)
