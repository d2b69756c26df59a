# SPDX-License-Identifier: MIT
"""The cases of the corpus: their heads read, their sources compiled, their inputs laid out.

corpus/README.md tells what a head can say.
"""
import os
import re
import shutil
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'scripts'))
import llvm_programs  # noqa: E402
import images  # noqa: E402
import patterns  # noqa: E402
from block_order import sort_blocks  # noqa: E402
from patterns import BadCase, Segment  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
CORPUS = os.path.join(HERE, 'corpus')
LIBRARIES = os.path.join(CORPUS, 'libraries')
KINDS = ('.comp', '.vert', '.frag', '.hlsl', '.spvasm', '.cl')
# Where memory without a binding lies in the eyes of a case; who runs it elsewhere puts it there.
FIRST_ADDRESS, ADDRESS_STEP = 0x2_0010_0000, 0x10_0000


class Buffer:
   """Bytes that a shader reads or writes. `place` is SET.BINDING, a name of memory, or the number of an argument."""

   def __init__(self, mode, place, words):
      self.mode, self.place = mode, place
      self.segments = segments(words)

   @property
   def size(self):
      return sum(s.size for s in self.segments)

   @property
   def compared(self):
      return self.mode != 'in'

   def bytes(self, addresses):
      return b''.join(s.bytes(addresses) for s in self.segments)

   def references(self, addresses):
      """(offset, memory) of each address that the bytes hold."""
      at = 0
      for s in self.segments:
         if s.is_reference():
            name, _ = s.references(addresses)
            yield from ((at + 8 * k, name) for k in range(s.count))
         at += s.size

   def differ(self, got, wanted, exactly=False):
      """What is wrong with the bytes `got`, in words, or None."""
      if len(got) != len(wanted):
         return f'{len(got)} bytes instead of {len(wanted)}'
      at = 0
      for s in self.segments:
         fault = s.differ(got[at:at + s.size], wanted[at:at + s.size], exactly)
         if fault:
            return f'{self.place}: {fault}'
         at += s.size
      return None

   def expected(self, got):
      """What the head itself says of the bytes in the end: a fault, or None."""
      at = 0
      for s in self.segments:
         if s.equals is not None:
            fault = s.differ(got[at:at + s.size], s.pack(s.values(s.equals, {})))
            if fault:
               return f'{self.place}: {fault}'
         at += s.size
      return None

   def exactly_known(self):
      return any(s.equals is not None for s in self.segments)


def segments(words):
   found = []
   for word in words:
      if found and re.match(r'(ulp|abs|equals)=|skip$', word):
         found[-1].option(word)
      else:
         found.append(Segment(word))
   return found


class Image(Buffer):
   """An image: its bytes are texels, level by level."""

   def __init__(self, mode, place, words):
      self.shape = images.Shape(words)
      super().__init__(mode, place, self.shape.rest)
      if self.size != self.shape.bytes():
         raise BadCase(f'{place}: {self.size} bytes, an image of this shape has {self.shape.bytes()}')


class Sampler:
   """An argument of a kernel."""

   def __init__(self, place, words):
      self.place, self.words = place, words


def read_text(path):
   with open(path, encoding='utf-8') as file:
      return file.read()


def source_variants(text):
   """{name: {macro: value}} of the lines `variant` of a head."""
   return {name: dict(word.split('=', 1) for word in words.split())
           for name, words in re.findall(r'^//:\s*variant\s+(\w+)(.*)$', text, re.M)}


class Case:
   """A source, or a variant of it: NAME.VARIANT, whose macros the compiler is given and the head names as $MACRO."""

   def __init__(self, path, variant=None):
      self.path = path
      self.file = os.path.basename(path)
      self.name, self.kind = os.path.splitext(self.file)
      self.macros = {}
      self.text = read_text(path)
      if variant:
         self.macros = source_variants(self.text)[variant]
         self.name = f'{self.name}.{variant}'
         self.file = self.name + self.kind
         self.text = re.sub(r'\$(\w+)', lambda found: self.macros[found[1]], self.text)
      self.groups, self.entry, self.subgroup = [1, 1, 1], None, None
      self.specs, self.push, self.buffers, self.memory, self.arguments = [], None, [], [], []
      self.size, self.local = None, None
      self.images, self.samplers, self.stage, self.lanes = [], [], [], 0
      self.runs = True
      self.judges, self.flags, self.levels, self.unlike = None, [], ['O0', 'O2'], []
      self.env = None
      for number, line in enumerate(self.text.splitlines(), 1):
         head = re.match(r'(?://|;):\s*(.*)', line)
         if not head:
            continue
         try:
            self.line(head[1].split())
         except (BadCase, ValueError, IndexError) as error:
            raise BadCase(f'{self.file}:{number}: {error}') from error
      self.addresses = {m.place: FIRST_ADDRESS + k * ADDRESS_STEP for k, m in enumerate(self.memory)}

   def line(self, words):
      key, *rest = words
      if key in ('groups', 'global', 'local'):
         sizes = [int(w) for w in rest] + [1] * (3 - len(rest))
         setattr(self, {'groups': 'groups', 'global': 'size', 'local': 'local'}[key], sizes)
      elif key == 'entry':
         self.entry = rest[0]
      elif key == 'env':
         self.env = rest[0]
      elif key == 'subgroup':
         self.subgroup = int(rest[0])
      elif key == 'spec':
         self.specs.append((int(rest[0]), Segment(rest[1])))
      elif key == 'push':
         self.push = Buffer('in', 'push', rest)
      elif key in ('in', 'io', 'out'):
         self.buffers.append(Buffer(key, rest[0], rest[1:]))
      elif key == 'image':
         self.images.append(Image(rest[0], rest[1], rest[2:]))
      elif key == 'sampler':
         self.samplers.append((rest[0], rest[1:]))
      elif key == 'stage':
         self.stage.append(Buffer(*rest[:2], rest[2:]))
      elif key == 'lanes':
         self.lanes = int(rest[0])
      elif key == 'read':
         self.runs = False
      elif key == 'mem':
         self.memory.append(Buffer('io', rest[0], rest[1:]))
      elif key == 'arg':
         self.argument(rest)
      elif key == 'judge':
         self.judges = rest
      elif key == 'flags':
         self.flags = rest
      elif key == 'levels':
         self.levels = rest
      elif key == 'unlike':
         self.unlike = rest
      elif key == 'variant':
         if self.kind != '.comp':
            raise BadCase('only GLSL has variants')
      else:
         raise BadCase(f'{key}: what is this?')

   def argument(self, words):
      number = len(self.arguments)
      if words[0] == 'image':
         self.arguments.append(Image(words[1], f'0.{number}', words[2:]))
      elif words[0] == 'sampler':
         self.arguments.append(Sampler(f'0.{number}', words[1:]))
      elif words[0] in ('in', 'io', 'out'):
         self.arguments.append(Buffer(words[0], f'arg{number}', words[1:]))
      elif words[0] == 'local':
         self.arguments.append(int(words[1]))
      else:
         self.arguments.append(segments(words))

   @property
   def is_graphics(self):
      return self.kind in ('.vert', '.frag')

   @property
   def is_kernel(self):
      return self.size is not None

   def outputs(self):
      """What is compared, in order."""
      every = self.buffers + self.images + self.stage + self.memory + [a for a in self.arguments if isinstance(a, Buffer)]
      return [b for b in every if b.compared]

   def entry_name(self):
      if self.entry:
         return self.entry
      if not self.is_kernel:
         return 'main'
      if self.kind == '.spvasm':
         return re.search(r'OpEntryPoint\s+Kernel\s+\S+\s+"(\w+)"', self.text)[1]
      return re.search(r'kernel\s+(?:__attribute__\(\(.*?\)\)\)?\s+)?void\s+(\w+)', self.text)[1]

   def workgroups(self):
      """How many of them there are."""
      return [g // l for g, l in zip(self.size, self.local)] if self.is_kernel else self.groups


def share(every, which):
   """Of a list each N-th, the K-th first; WHICH is K/N, or `none`."""
   if which == 'none':
      return []
   part, of = map(int, which.split('/'))
   return every[part - 1::of]


def all_cases(names=None, libraries='1/1'):
   """Those whose name is given, or all; in the order of their names. LIBRARIES is the share of the folder of that name."""
   found, shared = [], []
   for folder in (CORPUS, os.path.join(CORPUS, 'compilers'), LIBRARIES):
      for path in sorted(os.path.join(folder, file) for file in os.listdir(folder)):
         stem, kind = os.path.splitext(os.path.basename(path))
         if kind not in KINDS:
            continue
         for variant in source_variants(read_text(path)) or [None]:
            case = Case(path, variant)
            if not names or {stem, case.name, case.file} & set(names):
               (shared if folder == LIBRARIES else found).append(case)
   return sorted(found + share(shared, '1/1' if names else libraries), key=lambda c: c.file)


# Compilers

class Failed(Exception):
   """A program that said no; its words."""


def tool(*names):
   """The first of these programs that is installed, or None."""
   for name in names:
      path = shutil.which(name)
      if path:
         return path
   return None


def run(command):
   done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors='replace',
                         stdin=subprocess.DEVNULL, check=False)
   if done.returncode:
      raise Failed(f"{' '.join(command)}: exit status {done.returncode}\n{done.stdout}")
   return done.stdout


def variants(case):
   """The ways to compile it, by name."""
   return case.levels if case.kind == '.cl' else ['']


def missing_tools():
   needed = {'glslang-tools': 'glslangValidator', 'spirv-tools': 'spirv-as'}
   missing = [package for package, name in needed.items() if not tool(name)]
   return missing if llvm_programs.translator() else [*missing, 'clang and llvm-spirv of one version']


def compile_case(case, variant, folder):
   """Its SPIR-V, in a file of this folder; not made again where it is newer than the source."""
   path = os.path.join(folder, f"{case.file}{'.' + variant if variant else ''}.spv")
   if os.path.exists(path) and os.path.getmtime(path) > os.path.getmtime(case.path):
      return path
   made = path + '.new'
   if case.kind in ('.comp', '.vert', '.frag'):
      run([tool('glslangValidator'), '--quiet', '--target-env', 'vulkan1.3', *case.flags,
           *(f'-D{name}={value}' for name, value in case.macros.items()), '-o', made, case.path])
   elif case.kind == '.hlsl':
      run([tool('glslangValidator'), '-D', '--quiet', '--target-env', 'vulkan1.1', '-S', 'comp', '-e', case.entry_name(),
           *case.flags, '-o', made, case.path])
   elif case.kind == '.spvasm':
      run([tool('spirv-as'), '--target-env', environment(case), '-o', made, case.path])
   else:
      bitcode = path + '.bc'
      clang, translate = llvm_programs.translator()
      run([clang, f'-{variant}', '-target', 'spir64-unknown-unknown', '-cl-std=CL2.0', '-Xclang',
           '-finclude-default-header', '-fno-vectorize', '-fno-slp-vectorize', *case.flags, '-emit-llvm', '-c', '-o', bitcode, case.path])
      run([translate, '--spirv-max-version=1.2', bitcode, '-o', made])
      os.remove(bitcode)
      with open(made, 'rb') as file:
         data = sort_blocks(file.read())
      with open(made, 'wb') as file:
         file.write(data)
   os.replace(made, path)
   return path


# What other programs make of a module on its way to a driver: what spirv-opt is told.
REWRITERS = {
   'O': ['-O'],
   'Os': ['-Os'],
   'inlined': ['--inline-entry-points-exhaustive', '--eliminate-dead-functions'],
   'ssa': ['--merge-return', '--inline-entry-points-exhaustive', '--private-to-local', '--scalar-replacement=0', '--ssa-rewrite'],
   'unrolled': ['--loop-unroll-partial=3', '--ssa-rewrite', '--loop-unroll', '--simplify-instructions'],
   # Not its loop-invariant code motion and fission: they change what a program does.
   'loops': ['--inline-entry-points-exhaustive', '--ssa-rewrite', '--loop-peeling', '--loop-unswitch', '--loop-fusion=8'],
   'legal': ['--legalize-hlsl'],
   'robust': ['--graphics-robust-access'],
   'model': ['--upgrade-memory-model'],
   'wrapped': ['--wrap-opkill', '--merge-return', '--merge-blocks', '--cfg-cleanup'],
   'reduced': ['--strip-debug', '--unify-const', '--flatten-decorations', '--eliminate-dead-code-aggressive',
               '--if-conversion', '--strength-reduction', '--redundancy-elimination', '--vector-dce', '--compact-ids'],
   'arrays': ['--copy-propagate-arrays', '--reduce-load-size=1.1', '--combine-access-chains',
              '--convert-local-access-chains', '--descriptor-scalar-replacement'],
}


def rewrite(path, how):
   """The module after spirv-opt, in a file beside; not made again where it is newer."""
   made = f'{path[:-4]}.{how}.spv'
   if not os.path.exists(made) or os.path.getmtime(made) < os.path.getmtime(path):
      run([tool('spirv-opt'), '--skip-validation', *REWRITERS[how], '-o', made, path])
   return made


def environment(case):
   return case.env or ('opencl2.0' if case.is_kernel else 'vulkan1.3')


# What newer versions of spirv-val refuse, though translators write it: layouts of what is in no buffer (Naga), a counter
# that comes after its buffer (DXC), and a predecessor that a phi lists once for each edge and a second type of samplers (llvm-spirv).
TOLERATED = re.compile(r'\[VUID-StandaloneSpirv-None-10684\]|must appear earlier in the binary than the target\s+OpDecorateId|'
                       r"OpPhi's number of incoming blocks \((\d+)\) does not match block's predecessor count \(\1\)|"
                       r'Duplicate non-aggregate type declarations are not allowed. Opcode: TypeSampler')


def validate(case, path):
   options = [] if case.is_kernel else ['--scalar-block-layout']
   try:
      run([tool('spirv-val'), '--target-env', environment(case), *options, path])
   except Failed as failed:
      if not TOLERATED.search(str(failed)):
         raise


__all__ = ['BadCase', 'Buffer', 'Case', 'Failed', 'Image', 'Sampler', 'all_cases', 'compile_case', 'missing_tools', 'patterns', 'rewrite', 'share', 'tool',
           'validate', 'variants']
