# SPDX-License-Identifier: MIT
"""The man page and the completions of bash and zsh, made without running the tool, which may be for another machine.

    help_pages.py VERSION MAN BASH ZSH C COMMANDS_C PASS_TABLE_C PIPELINE_C [MACHINE_C BACKEND_C]...

Read are the commands with their options, the passes, the standard lists, and for each machine of the build the file of
the tool and that of the library that describe it. C is the three texts as arrays of lines, which `heddle help --man`
and `heddle help --completion` print.
"""
import pathlib
import re
import sys

TOKEN = re.compile(r'\s+|/\*.*?\*/|(?P<string>"(?:\\.|[^"\\])*")|(?P<char>\'(?:\\.|[^\'\\])\')|(?P<word>\w+)'
                   r'|(?P<sign>[^\w\s])', re.S)
ESCAPES = {'n': '\n', 't': '\t', '"': '"', '\\': '\\', "'": "'"}


class TableError(Exception):
   pass


def tokens_of(text):
   """Pairs of kind and text; macros without parameters are replaced by what they stand for."""
   macros = {}
   for line in re.split(r'^(#(?:\\\n|[^\n])*)$', text, flags=re.M):
      define = re.match(r'#define (\w+)\s+(.*)', line.replace('\\\n', ' '), re.S)
      undefine = re.match(r'#undef (\w+)', line)
      if define:
         macros[define[1]] = list(scan(define[2]))
      elif undefine:
         macros.pop(undefine[1], None)
      elif not line.startswith('#'):
         for kind, token in scan(line):
            yield from macros.get(token, [(kind, token)]) if kind == 'word' else [(kind, token)]


def scan(text):
   for match in TOKEN.finditer(text):
      if match.lastgroup:
         yield match.lastgroup, match[0]


def unquoted(literal):
   return re.sub(r'\\(.)', lambda m: ESCAPES[m[1]], literal[1:-1])


def initialiser(tokens, at):
   """What stands between braces, as nested lists, and where it ends. Strings are str, all else is a tuple of tokens.

   What an initialiser is for ([NUMBER] or .name) is dropped.
   """
   items, item = [], None
   at += 1
   while True:
      kind, token = tokens[at]
      if token == '}' and kind == 'sign':
         return (items if item is None else items + [item]), at + 1
      if token == ',' and kind == 'sign':
         items.append(item)
         item = None
         at += 1
      elif token == '{' and kind == 'sign':
         item, at = initialiser(tokens, at)
      elif token == '=' and kind == 'sign':
         item = None
         at += 1
      else:
         value = unquoted(token) if kind in ('char', 'string') else token
         if kind == 'string' and not isinstance(item, tuple):
            item = (item or '') + value
         else:
            item = ((item,) if isinstance(item, str) else item or ()) + (value,)
         at += 1


def with_includes(path):
   """The text of a C file, and before it that of the headers beside it, whose macros it may use."""
   text = path.read_text(encoding='utf-8')
   headers = [path.parent / name for name in re.findall(r'^#include "([^"]+)"', text, re.M)]
   return '\n'.join([h.read_text(encoding='utf-8') for h in headers if h.exists()] + [text])


def tables_of(path):
   """Every initialised table of a C file: name -> nested lists."""
   tokens = list(tokens_of(with_includes(pathlib.Path(path))))
   tables = {}
   for at, (kind, token) in enumerate(tokens):
      if (kind, token) != ('sign', '{') or tokens[at - 1][1] != '=':
         continue
      name = next(word for kind, word in reversed(tokens[:at]) if kind == 'word')
      tables[name] = initialiser(tokens, at)[0]
   return tables


class Option:
   def __init__(self, row):
      name, letter, arg, meaning = row
      self.name = name
      self.letter = '' if letter == ('0',) else letter[0]
      self.arg = arg if isinstance(arg, str) else ''
      self.meaning = meaning
      self.optional = self.arg.startswith('[')
      # "=FILE", "[=FILE]" or nothing.
      self.shown = f'[={self.arg[1:]}' if self.optional else f'={self.arg}' if self.arg else ''


def options_of(rows):
   """The rows up to END_OF_OPTIONS, which has no name."""
   return [Option(row) for row in rows if isinstance(row, list) and isinstance(row[0], str)]


class Command:
   def __init__(self, row):
      self.name, self.operands, self.summary, self.details, options, _ = row
      self.options = options_of(options)


class Target:
   def __init__(self, row, lowerings):
      self.name, self.description = row[:2]
      self.lowerings = lowerings


def targets_of(machine_c, backend_c):
   lowerings = [word for name, words in tables_of(machine_c).items() if name.endswith('lowerings')
                for word in words if isinstance(word, str)]
   return [Target(row, lowerings) for row in tables_of(backend_c)['targets']]


def default_of(targets, machine_c):
   """What --target is where it is not given: as the first machine says, or its first target."""
   named = re.search(r'\.default_target = "(\w+)"', pathlib.Path(machine_c).read_text(encoding='utf-8'))
   return next((t for t in targets if named and t.name == named[1]), targets[0])


class Tool:
   def __init__(self, version, commands_c, pass_table_c, pipeline_table_c, *machines):
      tables = tables_of(commands_c)
      self.version = version
      self.common = options_of(tables['common_options'])
      self.commands = [Command(tables[c[1]]) for c in tables['commands'] if c != ('NULL',)]
      passes = tables_of(pass_table_c)
      self.passes = []
      for name, meaning in [row[:2] for row in passes['hd_pass_table']]:
         options = [[o[0], o[1]] + [int(number[0].rstrip('u'), 0) for number in o[2:5]]
                    for o in passes.get(f'{name}_option_rows', [])]
         self.passes.append((name, meaning, options))
      self.targets = [t for pair in zip(machines[::2], machines[1::2]) for t in targets_of(*pair)]
      if self.targets:
         default_of(self.targets, machines[0]).description += ' (default)'
      lists = tables_of(pipeline_table_c)
      self.pipelines = [(name, meaning, [step for step in lists[steps[0]] if isinstance(step, str)])
                        for name, meaning, steps in lists['hd_pipeline_table']]
      if len(self.commands) < 20 or not self.common or len(self.passes) < 20 or len(self.pipelines) < 3:
         raise TableError(f'{len(self.commands)} commands, {len(self.passes)} passes and {len(self.pipelines)} lists: '
                          f'the tables in {commands_c}, {pass_table_c} and {pipeline_table_c} have another form')


def capital(text):
   return text[0].upper() + text[1:]


def man_text(text):
   return re.sub(r'[-\\]', r'\\\g<0>', text)


def man_options(options):
   for o in options:
      letter = f'\\-{o.letter}, ' if o.letter else ''
      yield f'.TP\n.B {letter}{man_text("--" + o.name)}{o.shown}\n{man_text(o.meaning)}'


def man_page(tool):
   yield f"""\
.TH HEDDLE 1 "" "heddle {tool.version}"
.ds AD l
.ad l
.SH NAME
heddle \\- IR for shader compilers
.SH SYNOPSIS
.B heddle
.I command
[options] [file]
.SH DESCRIPTION
Parses, validates, transforms, compiles, runs and draws Heddle IR and SPIR\\-V.
Text, binary and SPIR\\-V are recognised by their first bytes;
\\- or no file is standard input.
.SH COMMANDS"""
   for c in tool.commands:
      yield f'.SS heddle {c.name} {c.operands}\n{capital(man_text(c.summary))}.'
      if c.details:
         yield man_text(c.details)
      yield from man_options(c.options)
   yield '.SH OPTIONS OF EVERY COMMAND'
   yield from man_options(tool.common)
   yield '.SH TARGETS'
   for t in tool.targets:
      yield f'.TP\n.B {t.name}\n{man_text(t.description)}; lowering: {", ".join(t.lowerings)}'
   if not tool.targets:
      yield 'None in this build.'
   yield '.SH PASSES'
   for name, meaning, options in tool.passes:
      yield f'.TP\n.B {name}\n{capital(man_text(meaning))}.'
      for option, words, value, low, high in options:
         yield f'.br\n.I {option}={value}\n: {man_text(words)} ({low} to {high}).'
   yield '.SH STANDARD LISTS'
   for name, meaning, steps in tool.pipelines:
      yield f'.TP\n.B {name}'
      yield capital(man_text(meaning)) + (':\n.I ' + ',\n.I '.join(s.replace(',', ',\\:') for s in steps) if steps else '')
   yield """\
.SH EXIT STATUS
.TP
.B 0
Done.
.TP
.B 1
The input is invalid; diagnostics say why.
.TP
.B 2
The command could not be carried out.
.SH ENVIRONMENT
.TP
.B HD_VALIDATE
When 1, check everything after each pass.
.TP
.B HD_DEBUG
Words that switch on what heddle opt checks, prints and leaves out;
HD_DEBUG=help lists them.
.TP
.B NO_COLOR
When set, no colors unless \\-\\-color=always."""


def option_words(options):
   return ''.join(f' --{o.name}{"=" if o.arg and not o.optional else ""}' for o in options)


# Bash splits words at '=' too, so a value that is being written is a word of its own.
def bash_completion(tool):
   names = ' '.join(c.name for c in tool.commands)
   yield f"""\
_heddle() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} words=
  if [ "$COMP_CWORD" = 1 ]; then
    words='{names}'
  elif [[ $word == -* ]]; then
    case ${{COMP_WORDS[1]}} in"""
   for c in tool.commands:
      yield f"    {c.name}) words='{option_words(c.options)}{option_words(tool.common)}' ;;"
   yield f"""\
    esac
  elif [ "${{COMP_WORDS[1]}}" = help ]; then
    words='{names}'
  fi
  [ "$word" = = ] && word=
  if [ -n "$words" ]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    if [[ ${{COMPREPLY[0]}} == *= ]]; then compopt -o nospace 2>/dev/null; fi
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
    compopt -o filenames 2>/dev/null
  fi
}}
complete -F _heddle heddle"""


def zsh_text(text):
   """In single quotes, in a specification in which brackets and colons have a meaning."""
   return re.sub(r'[\[\]:\\]', r'\\\g<0>', text).replace("'", "'\\''")


def zsh_option(o):
   value = f':{o.arg[1:-1]}' if o.optional else o.arg
   return (f"'--{o.name}{'=-' if o.optional else '=' if o.arg else ''}[{zsh_text(o.meaning)}]"
           f"{f':{value}:_files' if value else ''}'")


def zsh_completion(tool):
   names = ' '.join(f"'{c.name}:{zsh_text(c.summary)}'" for c in tool.commands)
   yield '#compdef heddle\nif (( CURRENT == 2 )); then'
   yield f'  local -a names=( {names} )\n  _describe command names\nelse\n  case $words[2] in'
   for c in tool.commands:
      options = ' '.join(zsh_option(o) for o in c.options + tool.common)
      yield f"  {c.name}) _arguments -S {options} '*:file:_files' ;;"
   yield '  esac\nfi'


def c_lines(name, text):
   yield f'const char *const {name}[] = {{'
   for line in text.splitlines():
      quoted = line.replace('\\', '\\\\').replace('"', '\\"')
      yield f'   "{quoted}",'
   yield '   NULL,\n};'


def main():
   version, man, bash, zsh, c = sys.argv[1:6]
   tool = Tool(version, *sys.argv[6:])
   code = ['/* SPDX-License-Identifier: MIT */', f'/* {pathlib.Path(c).name} - made by tools/help_pages.py. */',
           '#include "help_pages.h"\n', '#include <stddef.h>\n']
   for path, name, lines in ((man, 'man_page', man_page(tool)), (bash, 'bash_completion', bash_completion(tool)),
                             (zsh, 'zsh_completion', zsh_completion(tool))):
      text = '\n'.join(lines) + '\n'
      pathlib.Path(path).write_text(text, encoding='utf-8', newline='\n')
      code += c_lines(name, text)
   pathlib.Path(c).write_text('\n'.join(code) + '\n', encoding='utf-8', newline='\n')


if __name__ == '__main__':
   main()
