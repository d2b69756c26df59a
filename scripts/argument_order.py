# SPDX-License-Identifier: MIT
"""Calls whose arguments append code, in an order that C leaves to the compiler.

    hd_iadd(b, f(b), g(b))

C does not say which of f and g runs first, and compilers differ: the same shader would become different code. Such
operands are named in variables before the call.

What appends is found by types: a function whose first parameter is a pointer to a builder that it may change, or to
anything that holds one. Functions that a macro defines are read where it is used, and a macro with parameters appends if
its text has a call that does. The operations' own builders are generated and have no declaration in the tree; they are known
by an argument that is a builder, and so are functions that pointers name.
"""
import functools
import re

# Who has a pointer to one of these may append instructions, and so may whoever has a struct that holds one.
BUILDERS = {'hd_builder', 'tree_builder', 'hd_mach_program'}

BLANK = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
STRUCT = re.compile(r'^(typedef )?struct(?: (\w+))?\s*\{(.*?)^\}\s*(\w*)', re.M | re.S)
FIELD = re.compile(r'^\s+(const )?(?:struct )?(\w+) [^;()]*;', re.M)
# A function's name at the start of a line and its first parameter, or the same of a prototype on one line.
FUNCTION = re.compile(r'^(?:[\w *]*?[ *])?(\w+)\((const )?(?:struct )?(\w+) \*(\w*)[,)]', re.M)
ALIAS = re.compile(r'^typedef (?:struct )?(\w+) (\w+);', re.M)
MACRO = re.compile(r'^#define (\w+)\(([^)]*)\)((?:[^\n]*\\\n)*[^\n]*)', re.M)
VARIABLE = re.compile(r'(?<!const )(?<!const struct )\b(?:struct )?(\w+) (\*?)(\w+)\s*[,;)=]')
TOKEN = re.compile(r'\w+|->|\S')
CALLED = re.compile(r'\b(\w+) ?\(')
AT_LINE_START = re.compile(r'^(\w+)\(', re.M)
IS_VALUE = re.compile(r'&?(?:\w+(?:->|\.))*\w+')
IS_CALLEE = re.compile(r'[A-Za-z_]\w*|[])]')
NO_CALLS = {'if', 'while', 'for', 'switch', 'return', 'sizeof', 'defined', 'alignof', '_Alignof', 'HD_PRINTF'}


def without_comments(text):
   """The text with comments and strings made blank; lines stay where they are."""
   return BLANK.sub(lambda m: re.sub(r'[^\n]', ' ', m[0]), text)


def builder_types(texts, known):
   """The names of structs of these texts that hold a builder or one of the known types, however deep."""
   holds = {}
   for text in texts:
      for m in STRUCT.finditer(text):
         fields = {f[2] for f in FIELD.finditer(m[3]) if not f[1]}
         for name in (m[2], m[4] if m[1] else None):
            if name:
               holds.setdefault(name, set()).update(fields)
      for m in ALIAS.finditer(text):
         holds.setdefault(m[2], set()).add(m[1])
   types = set(known)
   while True:
      more = {name for name, fields in holds.items() if fields & types} - types
      if not more:
         return types
      types |= more


def functions(text, types):
   """Of each function of a text: whether it may change a builder."""
   return {m[1]: not m[2] and m[3] in types for m in FUNCTION.finditer(text)}


def macros(text):
   """The macros with parameters of a text: (name, parameters, what they become)."""
   return [(m[1], [p.strip() for p in m[2].split(',')], m[3].replace('\\\n', '\n')) for m in MACRO.finditer(text)]


def defined_by_macros(text, known, types):
   """Of each function that a use of a macro defines in a text: whether it may change a builder."""
   found = {}
   used = set(AT_LINE_START.findall(text))
   for name, parameters, body in known:
      if name not in used or not re.search(r'\)\s*\{', body):
         continue
      for use in re.finditer(rf'^{name}\(([^()]*)\)', text, re.M):
         values = dict(zip(parameters, (a.strip() for a in use[1].split(','))))
         became = re.sub(r'\w+', lambda m: values.get(m[0], m[0]), body).replace('##', '')
         found.update(functions(re.sub(r'^\s+', '', became, flags=re.M), types))
   return found


@functools.lru_cache(maxsize=None)
def called(body):
   return CALLED.findall(body)


def appending_macros(known, appends):
   """Those macros that call what appends, or one another that does."""
   found = {name: False for name, _, _ in known}
   for _ in range(2):
      for name, _, body in known:
         found[name] |= any(appends.get(m) or found.get(m) for m in called(body))
   return found


class Calls:
   """The calls of one text; those with arguments that append, more than one, are `found`: (offset, name)."""

   def __init__(self, text, appends, builders):
      self.tokens = [(m[0], m.start()) for m in TOKEN.finditer(text)]
      self.appends = appends
      self.builders = builders
      self.found = []

   def is_appending(self, name, argument):
      """Whether a call of this name and first argument appends; the argument is a list of tokens."""
      if name in self.appends:
         return self.appends[name]
      text = ''.join(argument)
      return IS_VALUE.fullmatch(text) is not None and \
         re.split(r'->|\.|&', text)[-1] in self.builders

   def read(self, at, close):
      """Read up to the closing token; the arguments, each with whether it appends, whether they are statements, and
      where the next token is."""
      arguments, words, appends, statements = [], [], False, False
      while at < len(self.tokens):
         token, offset = self.tokens[at]
         if token == close:
            break
         if token in '([{':
            name, start = self.tokens[at - 1] if at else ('', 0)
            inner, _, at = self.read(at + 1, {'(': ')', '[': ']', '{': '}'}[token])
            appends |= any(a for _, a in inner)
            several = sum(a for _, a in inner) > 1
            # What stands before may be an element of an array, or in parentheses: a pointer to a function.
            if token == '(' and IS_CALLEE.fullmatch(name) and name not in NO_CALLS:
               if several:
                  self.found.append((start, 'a pointer()' if name in '])' else f'{name}()'))
               appends |= bool(inner) and self.is_appending(name, inner[0][0])
            words.append('()')
            continue
         if token == ',' or token == ';':
            arguments.append((words, appends))
            words, appends = [], False
            statements |= token == ';'
         else:
            words.append(token)
         at += 1
      if words or arguments:
         arguments.append((words, appends))
      return arguments, statements, at + 1


def fenced(text):
   """What stands in the C listings of a page; the lines stay where they are."""
   lines, inside = [], False
   for line in text.split('\n'):
      if line.startswith('```'):
         inside = line.split() == ['```c']
         line = ''
      lines.append(line if inside else '')
   return '\n'.join(lines)


def findings(texts):
   """(file, line, what) of C texts and of pages with listings in C, by name."""
   texts = {name: without_comments(fenced(text) if name.endswith('.md') else text)
            for name, text in texts.items() if name.endswith(('.c', '.h', '.cpp', '.md'))}
   headers = [text for name, text in texts.items() if name.endswith('.h')]
   shared_types = builder_types(headers, BUILDERS)
   shared_macros = [m for text in headers for m in macros(text)]
   shared = {}
   for text in headers:
      shared.update(functions(text, shared_types))
      shared.update(defined_by_macros(text, macros(text), shared_types))
   for name, text in texts.items():
      types = builder_types([text], shared_types)
      builders = {m[3] for m in VARIABLE.finditer(text) if m[1] in types} | {'b'}
      own = macros(text)
      appends = {**shared, **functions(text, types), **defined_by_macros(text, shared_macros + own, types)}
      appends = {**appending_macros(shared_macros + own, appends), **appends}
      # Most files have no call that appends.
      first = rf'\(\s*&?(?:\w+\s*(?:->|\.)\s*)*(?:{"|".join(sorted(builders))})\s*[,)]'
      if not any(appends.get(name) for name in CALLED.findall(text)) and not re.search(first, text):
         continue
      calls = Calls(text, appends, builders)
      calls.read(0, None)
      for offset, what in sorted(calls.found):
         yield name, text.count('\n', 0, offset) + 1, \
            f'{what} has arguments that append code in an order that C does not say; name them before'
