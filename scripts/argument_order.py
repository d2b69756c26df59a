# SPDX-License-Identifier: MIT
"""Calls whose arguments append code, in an order that C leaves to the compiler.

    hd_iadd(b, f(b), g(b))

C does not say which of f and g runs first, and compilers differ: the same shader would become different code. Such
operands are named in variables before the call.

What appends is found by types: a function whose first parameter is a pointer to a builder that it may change, or to
anything that holds one. The operations' own builders are generated and have no declaration in the tree; they are known
by an argument that is a builder, and so are functions that pointers name.
"""
import re

# Who has a pointer to one of these may append instructions, and so may whoever has a struct that holds one.
BUILDERS = {'hd_builder', 'tree_builder', 'hd_mach_program'}

BLANK = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
STRUCT = re.compile(r'^(typedef )?struct(?: (\w+))?\s*\{(.*?)^\}\s*(\w*)', re.M | re.S)
FIELD = re.compile(r'^\s+(const )?(?:struct )?(\w+) [^;()]*;', re.M)
# A function's name at the start of a line and its first parameter, or the same of a prototype on one line.
FUNCTION = re.compile(r'^(?:[\w *]*?[ *])?(\w+)\((const )?(?:struct )?(\w+) \*(\w*)[,)]', re.M)
VARIABLE = re.compile(r'(?<!const )(?<!const struct )\b(?:struct )?(\w+) (\*?)(\w+)\s*[,;)=]')
TOKEN = re.compile(r'\w+|->|.', re.S)
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
   types = set(known)
   while True:
      more = {name for name, fields in holds.items() if fields & types} - types
      if not more:
         return types
      types |= more


def functions(text, types):
   """Of each function of a text: whether it may change a builder."""
   return {m[1]: not m[2] and m[3] in types for m in FUNCTION.finditer(text)}


class Calls:
   """The calls of one text; those with arguments that append, more than one, are `found`: (offset, name)."""

   def __init__(self, text, appends, builders):
      self.tokens = [(m[0], m.start()) for m in TOKEN.finditer(text) if not m[0].isspace()]
      self.appends = appends
      self.builders = builders
      self.found = []

   def is_appending(self, name, argument):
      """Whether a call of this name and first argument appends; the argument is a list of tokens."""
      if name in self.appends:
         return self.appends[name]
      text = ''.join(argument)
      return re.fullmatch(r'&?(?:\w+(?:->|\.))*\w+', text) is not None and \
         re.split(r'->|\.|&', text)[-1] in self.builders

   def read(self, at, close):
      """Read up to the closing token; the arguments, each with whether it appends, and where the next token is."""
      arguments, words, appends = [], [], False
      while at < len(self.tokens):
         token, offset = self.tokens[at]
         if token == close:
            break
         if token in '([{':
            name, start = self.tokens[at - 1] if at else ('', 0)
            inner, at = self.read(at + 1, {'(': ')', '[': ']', '{': '}'}[token])
            appends |= any(a for _, a in inner)
            # What stands before may be an element of an array, or in parentheses: a pointer to a function.
            if token == '(' and re.fullmatch(r'[A-Za-z_]\w*|[])]', name) and name not in NO_CALLS:
               if sum(a for _, a in inner) > 1:
                  self.found.append((start, name))
               appends |= bool(inner) and self.is_appending(name, inner[0][0])
            words.append('()')
            continue
         if token == ',' or token == ';':
            arguments.append((words, appends))
            words, appends = [], False
         else:
            words.append(token)
         at += 1
      if words or arguments:
         arguments.append((words, appends))
      return arguments, at + 1


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
   shared = {}
   for text in headers:
      shared.update(functions(text, shared_types))
   for name, text in texts.items():
      types = builder_types([text], shared_types)
      builders = {m[3] for m in VARIABLE.finditer(text) if m[1] in types} | {'b'}
      calls = Calls(text, {**shared, **functions(text, types)}, builders)
      calls.read(0, None)
      for offset, function in sorted(calls.found):
         yield name, text.count('\n', 0, offset) + 1, \
            f'{"a pointer" if function in "])" else function}() has arguments that append code in an order that C does not say; name them before the call'
