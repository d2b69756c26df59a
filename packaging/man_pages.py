#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Man pages of the interface: what the public headers say, a page for each.

    man_pages.py pages VERSION FOLDER HEADER...     heddle-NAME.3 for each NAME.h, in FOLDER
    man_pages.py rules VERSION OUTPUT RULES_PY      heddle-rules.1 from the program's own help
    man_pages.py links FOLDER                       in FOLDER below $MESON_INSTALL_DESTDIR_PREFIX, a page for each function and
                                                    type that leads to that of its header
"""
import ast
import os
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / 'scripts'))
import headers  # noqa: E402

# A page says at its head which names lead to it.
NAMES = '.\\" Names: '


def escaped(text):
   """Text that roff takes as it is."""
   text = text.replace('\\', '\\e').replace('-', '\\-')
   return re.sub(r"^([.'])", r'\\&\1', text, flags=re.M)


def prose(comment):
   for kind, text in headers.paragraphs(comment):
      if kind == 'list':
         for item in text:
            sign, _, rest = item.partition(' ')
            yield f'.IP {escaped(sign)} 4\n{escaped(rest)}'
         yield '.PP'
      elif kind == 'listing':
         yield f'.PP\n.nf\n{escaped(text)}\n.fi'
      else:
         yield f'.PP\n{escaped(text)}'


def declared(declaration):
   """A declaration without the body of a function."""
   if declaration.startswith('static inline'):
      return declaration.split('\n{', 1)[0] + ';'
   return declaration


def title(name, section, version):
   return f'.TH {name} {section} "" "heddle {version}" "Heddle"\n.ds AD l\n.ad l'


def page(header, names, version):
   text = header.read_text(encoding='utf-8')
   short, whole = headers.head_of(text)
   own = [name for name in names if names[name] == header.stem and name.startswith('hd_')]
   yield NAMES + ' '.join(own)
   yield title(f'heddle-{header.stem}', 3, version)
   yield f'.SH NAME\nheddle\\-{header.stem} \\- {escaped(short)}'
   yield f'.SH SYNOPSIS\n.nf\n#include <heddle/{header.name}>\n.fi'
   yield '.SH DESCRIPTION'
   whole = whole.strip('* \n')
   yield from prose(whole[:1].upper() + whole[1:])
   for comment, declaration in headers.items_of(text):
      if not declaration.strip():
         first, *rest = list(prose(comment)) or ['']
         heading = first.removeprefix('.PP\n')
         yield from [f'.SS {heading}'] + rest if len(heading) < 70 and '\n' not in heading else [first] + rest
         continue
      yield f'.PP\n.nf\n{escaped(declared(declaration))}\n.fi'
      said = list(prose(comment))
      if said:
         yield from ['.RS 4', *said, '.RE']
   others = sorted({names[word] for word in re.findall(r'\bhd_\w+', text) if names.get(word, header.stem) != header.stem})
   see = ['heddle(1)'] + [f'heddle-{name}(3)' for name in others]
   yield '.SH SEE ALSO\n' + ',\n'.join(re.sub(r'(.*)(\(\d\))', r'\\fB\1\\fR\2', escaped(word)) for word in see)


def write_pages(version, folder, paths):
   paths = [pathlib.Path(path) for path in paths]
   names = headers.all_names(paths)
   for path in paths:
      text = '\n'.join(page(path, names, version)) + '\n'
      (pathlib.Path(folder) / f'heddle-{path.stem}.3').write_text(text, encoding='utf-8')


def write_rules(version, output, program):
   """The head of its help says how it is called, the rest what it does."""
   tree = ast.parse(pathlib.Path(program).read_text(encoding='utf-8'))
   usage = next(ast.literal_eval(node.value) for node in tree.body
                if isinstance(node, ast.Assign) and node.targets[0].id == 'USAGE')
   call, _, rest = usage.partition('\n\n')
   example = ast.get_docstring(tree).partition('\n\n')[2]
   pathlib.Path(output).write_text('\n'.join([
      title('heddle-rules', 1, version), '.SH NAME\nheddle\\-rules \\- C of rewrite rules for shaders',
      '.SH SYNOPSIS\n' + escaped(call.removeprefix('usage: ')), '.SH DESCRIPTION\n' + escaped(rest),
      '.SH EXAMPLES\n.nf\n' + escaped(example) + '\n.fi',
      '.SH SEE ALSO\n\\fBheddle\\fR(1), \\fBheddle\\-rules\\fR(3)']) + '\n', encoding='utf-8')


def write_links(folder):
   folder = pathlib.Path(os.environ['MESON_INSTALL_DESTDIR_PREFIX']) / folder
   for path in sorted(folder.glob('heddle-*.3')):
      names = path.read_text(encoding='utf-8').split('\n', 1)[0].removeprefix(NAMES)
      for name in names.split():
         (folder / f'{name}.3').write_text(f'.so man3/{path.name}\n', encoding='utf-8')


def main():
   what, *arguments = sys.argv[1:]
   if what == 'pages':
      write_pages(arguments[0], arguments[1], arguments[2:])
   elif what == 'rules':
      write_rules(*arguments)
   else:
      write_links(*arguments)


if __name__ == '__main__':
   main()
