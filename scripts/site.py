#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The pages of doc/ and a reference of the public headers as a static site with a search, by mkdocs.

    site.py DIRECTORY [INCLUDE_DIRECTORY]

Pages come from README.md, doc/*.md and tools/verify/README.md. Each header of include/heddle gives a page api/NAME.md:
every declaration with the comment before it; so do the generated headers in INCLUDE_DIRECTORY/heddle (ops.h). mkdocs
runs strictly: a link that leads nowhere ends in an error. The site asks no other host for anything.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import headers

ROOT = pathlib.Path(__file__).resolve().parents[1]

# Where a page of the tree is in the site, if it is not in doc/.
MOVED = {'README.md': 'index.md', 'doc/README.md': 'documents.md', 'tools/verify/README.md': 'verify.md', 'CHANGELOG.md': 'changes.md',
         'LICENSE': 'licence.md'}

FENCE = re.compile(r'^ *```.*?^ *```', re.M | re.S)
LINK = re.compile(r'(\[[^\]\n]*\])\(([^)\s#:]+)(#[^)\s]*)?\)')


def place_of(path):
   """The name in the site of a file of the tree, or None if it is no page."""
   if path in MOVED:
      return MOVED[path]
   return path[len('doc/'):] if re.fullmatch(r'doc/[\w-]+\.md', path) else None


def moved_links(path, text):
   """Links between the pages, as the site has them. What is no page is named, but not linked."""
   def target(m):
      to = (ROOT / path).parent.joinpath(m[2]).resolve()
      place = place_of(to.relative_to(ROOT).as_posix()) if to.is_relative_to(ROOT) else None
      return f'{m[1]}({place}{m[3] or ""})' if place else m[1][1:-1]

   parts, at = [], 0
   for fence in FENCE.finditer(text):
      parts += [LINK.sub(target, text[at:fence.start()]), fence[0]]
      at = fence.end()
   return ''.join(parts) + LINK.sub(target, text[at:])


def escaped(line):
   # An underscore inside of a word means nothing to Markdown.
   return re.sub(r'([\\`*<>\[\]#|]|(?<!\w)_|_(?!\w))', r'\\\1', line)


def prose(comment, names):
   """The text of a comment in Markdown."""
   for kind, text in headers.paragraphs(comment):
      if kind == 'list':
         yield '\n'.join(re.sub(r'^(\d+\\?\.|-)', r'\1', escaped(item)) for item in text)
      elif kind == 'listing':
         yield '```text\n' + text + '\n```'
      else:
         yield re.sub(r'\bhd_\w+', lambda m: linked(m[0], names), escaped(text))


def linked(word, names):
   return f'[{word}]({names[word]}.md#{word})' if word in names else word


def api_page(header, names):
   text = header.read_text(encoding='utf-8')
   yield f'# {header.name}\n\n`#include <heddle/{header.name}>`'
   yield from prose(headers.head_of(text)[1], names)
   done = set()
   for comment, declaration in headers.items_of(text):
      name = headers.name_of(declaration)
      if not declaration.strip():
         first, *rest = list(prose(comment, names)) or ['']
         short = len(first) < 70 and '\n' not in first
         yield from [f'## {first}'] + rest if short else [first] + rest
         continue
      if name and name not in done:
         done.add(name)
         yield f'### {name} {{: #{name} }}'
      anchors = ''.join(f'<a id="{n}"></a>' for n in headers.others_of(declaration, name) if n not in done)
      done.update(headers.others_of(declaration, name))
      if anchors:
         yield anchors
      yield f'```c\n{declaration}\n```'
      yield from prose(comment, names)


def navigation(index):
   """The sections of doc/README.md, with their pages in its order."""
   yield 'nav:\n  - Heddle: index.md\n  - All documents: documents.md'
   for section, body in re.findall(r'^([A-Z][^\n]*):\n\n(.*?)(?=\n\n|\Z)', index, re.M | re.S):
      yield f'  - "{section}":'
      for page in dict.fromkeys(re.findall(r'\(([\w-]+\.md)\)', body)):
         yield f'    - {page}'
   yield '  - glossary.md\n  - verify.md\n  - changes.md\n  - licence.md\n  - API:'


SCRIPT = re.compile(r' *<script src="([^":]*)"[^>]*></script>\n?')


def complete(site):
   """Debian's theme names scripts that it has in another version (jquery), or not at all (for browsers of old)."""
   there = {re.sub(r'-[\d.]+.*', '', p.name): p.name for p in (site / 'js').glob('*-*.js')}

   def script(m, page):
      path = (site / m[1].lstrip('/')) if m[1].startswith('/') else page.parent / m[1]
      other = there.get(re.sub(r'-[\d.]+.*', '', path.name))
      if path.exists():
         return m[0]
      return m[0].replace(path.name, other) if other else ''

   for page in site.rglob('*.html'):
      text = page.read_text(encoding='utf-8')
      page.write_text(SCRIPT.sub(lambda m, page=page: script(m, page), text), encoding='utf-8')


def main():
   site = pathlib.Path(sys.argv[1]).resolve()
   public = sorted((ROOT / 'include' / 'heddle').glob('*.h'))
   if len(sys.argv) > 2:
      public += sorted(h for h in (pathlib.Path(sys.argv[2]) / 'heddle').glob('*.h')
                        if h.name not in [x.name for x in public])
   names = headers.all_names(public)
   with tempfile.TemporaryDirectory() as folder:
      folder = pathlib.Path(folder)
      docs = folder / 'docs'
      (docs / 'api').mkdir(parents=True)
      pages = [*MOVED, *(f'doc/{p.name}' for p in sorted((ROOT / 'doc').glob('*.md')) if p.name != 'README.md')]
      for page in pages:
         text = (ROOT / page).read_text(encoding='utf-8')
         if page == 'LICENSE':
            text = f'# Licence\n\n```text\n{text}\n```\n'
         (docs / place_of(page)).write_text(moved_links(page, text), encoding='utf-8')
      for header in public:
         (docs / 'api' / f'{header.stem}.md').write_text('\n\n'.join(api_page(header, names)) + '\n', encoding='utf-8')
      index = (ROOT / 'doc' / 'README.md').read_text(encoding='utf-8')
      config = ['site_name: Heddle', f'docs_dir: {docs}', f'site_dir: {site}', 'theme:\n  name: readthedocs\n  highlightjs: false',
                'use_directory_urls: false', 'plugins:\n  - search',
                'markdown_extensions:\n  - tables\n  - fenced_code\n  - attr_list\n  - toc:\n      toc_depth: 3',
                *navigation(index), *(f'    - {h.name}: api/{h.stem}.md' for h in public)]
      (folder / 'mkdocs.yml').write_text('\n'.join(config) + '\n', encoding='utf-8')
      shutil.rmtree(site, ignore_errors=True)
      done = subprocess.run(['mkdocs', 'build', '--quiet', '--strict', '--config-file', str(folder / 'mkdocs.yml')],
                            check=False)
      if done.returncode:
         sys.exit(done.returncode)
      complete(site)
   print(f'{len(pages)} pages and {len(public)} headers: {site / "index.html"}')


if __name__ == '__main__':
   main()
