#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The site of `./x docs`: no link of a page is broken, each public header has a page, and the search knows what is declared.

    test_site.py DIRECTORY INCLUDE_DIRECTORY

mkdocs itself does not look at what is after a `#`, nor at scripts. Where there is a browser, it searches.
"""
import functools
import http.server
import json
import os
import re
import subprocess
import sys
import threading
from urllib.parse import unquote, urldefrag

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..'))
sys.path[:0] = [os.path.join(ROOT, 'tests', 'house'), os.path.join(ROOT, 'tests', 'explore')]
import browser  # noqa: E402
from tap import Tap  # noqa: E402

LINK = re.compile(r'<(?:a|img|script|link)\b[^>]*?\b(?:href|src)="([^"]*)"')
LOADED = re.compile(r'<(?:img|script|link)\b[^>]*?\b(?:href|src)="([^"]*)"')
ANCHOR = re.compile(r'\b(?:id|name)="([^"]*)"')


def pages_of(site):
   for folder, _, files in os.walk(site):
      for name in files:
         if name.endswith('.html'):
            path = os.path.join(folder, name)
            with open(path, encoding='utf-8') as file:
               yield path, file.read()


def broken(site, pages):
   anchors = {path: set(ANCHOR.findall(text)) for path, text in pages.items()}
   for path, text in pages.items():
      for link in sorted(set(LINK.findall(text))):
         to, anchor = urldefrag(unquote(link))
         if re.match(r'[a-z]+:|//', to):
            continue
         base = site if to.startswith('/') else os.path.dirname(path)
         target = os.path.normpath(os.path.join(base, to.lstrip('/'))) if to else path
         if not os.path.exists(target):
            yield f'{os.path.relpath(path, site)}: {link}: no such file'
         elif anchor and target in anchors and anchor not in anchors[target]:
            yield f'{os.path.relpath(path, site)}: {link}: no such anchor'


class Quiet(http.server.SimpleHTTPRequestHandler):
   def log_message(self, *_):
      pass


def search(tap, site):
   with http.server.ThreadingHTTPServer(('127.0.0.1', 0), functools.partial(Quiet, directory=site)) as server:
      threading.Thread(target=server.serve_forever, daemon=True).start()
      with browser.Browser() as window:
         window.ask('POST', '/url', {'url': f'http://127.0.0.1:{server.server_port}/search.html?q=dominance'})
         found = window.wait("[...document.querySelectorAll('#mkdocs-search-results article a')].map(a => a.href).join(' ')",
                             seconds=60)
         tap.check('a search for dominance finds what computes it', 'api/analysis.html#hd_iterated_dominance_frontier' in (found or ''), found)
         bad = [entry['message'] for entry in window.console() if entry['level'] in ('SEVERE', 'WARNING')]
         tap.check('no script of the site complains', not bad, '\n'.join(bad))
      server.shutdown()


def main(site, include):
   tap = Tap()
   done = subprocess.run([sys.executable, '-B', os.path.join(ROOT, 'scripts', 'site.py'), site, include],
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
   tap.check('the site is made, strictly', done.returncode == 0, done.stdout)
   pages = dict(pages_of(site))
   # Where nothing is linked, nothing can be broken.
   tap.check('pages link each other', sum(len(LINK.findall(text)) for text in pages.values()) > 1000)
   lost = list(broken(site, pages))
   tap.check('each link leads to a page and a heading', not lost, '\n'.join(lost[:50]))

   with open(os.path.join(site, 'search', 'search_index.json'), encoding='utf-8') as file:
      found = {entry['location'] for entry in json.load(file)['docs']}
   folders = [os.path.join(ROOT, 'include', 'heddle'), os.path.join(include, 'heddle')]
   headers = sorted(name for folder in folders for name in os.listdir(folder) if name.endswith('.h'))
   missing = [name for name in headers if f'api/{name[:-2]}.html' not in found]
   tap.check('the search has each public header', headers and not missing, missing)
   for page in ('glossary.html', 'api/check.html#hd_validate', 'api/build_ops.html#hd_iadd', 'passes.html'):
      tap.check(f'the search has {page}', page in found)
   others = {link for text in pages.values() for link in LOADED.findall(text) if re.match(r'[a-z]+:|//', link)}
   tap.check('no page loads anything from another host', not others, '\n'.join(sorted(others)))
   if browser.is_there():
      search(tap, site)
   tap.finish()


if __name__ == '__main__':
   main(*sys.argv[1:])
