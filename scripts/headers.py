# SPDX-License-Identifier: MIT
"""What the public headers say: their declarations, each with the comment before it. site.py and packaging/man_pages.py
make pages of it."""
import re

COMMENT = re.compile(r'/\*(.*?)\*/', re.S)
NAMES = (re.compile(r'^(?:HD_API\b.*?|static inline\b.*?)\b(hd_\w+)\(', re.S),
         re.compile(r'^typedef (?:struct|enum|union) (hd_\w+)'),
         re.compile(r'^(?:struct|enum|union) (hd_\w+)'),
         re.compile(r'^#define (\w+)'),
         re.compile(r'^typedef .*?\b(hd_\w+)\)?(?:\(.*?\))?;', re.S))


def head_of(text):
   """What the comment at the head says: one line, and all of it."""
   for comment in COMMENT.finditer(text.split('#ifndef', 1)[0]):
      if 'SPDX' not in comment[1]:
         body = re.sub(r'^\s*[\w.]+ - ', '', comment[1])
         first = ' '.join(re.sub(r'^ *\* ?', '', line) for line in re.split(r'\n[ *]*\n', body)[0].split('\n'))
         return re.split(r'(?<=\.)\s', ' '.join(first.split()))[0].rstrip('.'), body
   return '', ''


def items_of(text):
   """The comments and declarations of a header, in order: (comment, declaration). Either may be ''."""
   begin = r'^HD_BEGIN_DECLS$' if re.search(r'^HD_BEGIN_DECLS$', text, re.M) else r'^#define HEDDLE_\w+_H$'
   body = re.split(begin, text, maxsplit=1, flags=re.M)[-1]
   body = re.split(r'^HD_END_DECLS$|^#endif\n\Z', body, flags=re.M)[0]
   for chunk in re.split(r'\n\s*\n(?![ ])', body):
      chunk = chunk.strip('\n')
      if not chunk.strip() or re.match(r'#(include|ifdef|ifndef|endif|if)\b', chunk):
         continue
      comment = re.match(r'/\*(.*?)\*/[ \t]*(?:\n|$)', chunk, re.S)
      yield (comment[1] if comment else ''), chunk[comment.end():] if comment else chunk


def paragraphs(comment):
   """The text of a comment: ('text', string), ('list', items) or, as it stands, ('listing', string)."""
   lines = [re.sub(r'^ *\* ?', '', line).rstrip() for line in ('* ' + comment.strip()).split('\n')]
   for paragraph in re.split(r'\n\s*\n', '\n'.join(lines)):
      if not paragraph.strip():
         continue
      if re.match(r' *(\d+\.|-) ', paragraph):
         yield 'list', [' '.join(item.split()) for item in re.split(r'\n(?= *(?:\d+\.|-) )', paragraph)]
      elif re.search(r'^ {3}', paragraph, re.M):
         yield 'listing', paragraph
      else:
         yield 'text', paragraph


def others_of(declaration, name):
   """The further functions that stand in one piece with the first."""
   return [n for n in dict.fromkeys(re.findall(r'^HD_API\b[^;]*?\b(hd_\w+)\(', declaration, re.M)) if n != name]


def name_of(declaration):
   for pattern in NAMES:
      found = pattern.search(declaration)
      if found:
         return found[1]
   return None


def all_names(headers):
   """The header that declares each name."""
   names = {}
   for header in headers:
      for _, declaration in items_of(header.read_text(encoding='utf-8')):
         name = name_of(declaration)
         for n in [name] * bool(name) + others_of(declaration, name):
            names.setdefault(n, header.stem)
   return names
