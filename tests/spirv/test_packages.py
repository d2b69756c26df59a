#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""OpenCL kernels of Debian's packages: all that is not refused by name compiles, and gives the results that are known.

    test_packages.py --heddle=TOOL --scratch=FOLDER [--share=K/N] [--jobs=N] [--chips=CHIP,...] [NAME...]

The packages are downloaded by apt-get into the folder, where they stay, and only taken apart. Their kernels become
SPIR-V by clang and its translator; what these refuse does not count. `heddle compile` makes a code object of each
kernel, for each chip. piglit's programs say what their kernels are given and what they leave in memory: the
interpreter and the simulators run them. A refusal says what is not supported; everything else that goes wrong is a
failure, whose line tells how to repeat it. It takes hours for all: --share takes each N-th file, the K-th first.
"""
import argparse
import collections
import concurrent.futures
import glob
import json
import math
import os
import re
import shlex
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'house'), os.path.join(HERE, '..', '..', 'scripts')]
import llvm_programs  # noqa: E402
from block_order import sort_blocks  # noqa: E402
from tap import Tap  # noqa: E402

# Package, where its kernels are, and what clang is told besides.
PIGLIT = 'usr/lib/*/piglit'
HASHCAT = ['-DKERNEL_STATIC', '-DVENDOR_ID=8', '-DCUDA_ARCH=0', '-DHAS_ADD=0', '-DHAS_VPERM=0', '-DVECT_SIZE=1',
           '-DDEVICE_TYPE=4', '-DDGST_R0=0', '-DDGST_R1=1', '-DDGST_R2=2', '-DDGST_R3=3', '-DDGST_ELEM=8',
           '-DKERN_TYPE=0', '-DATTACK_EXEC=11', '-DATTACK_KERN=0', '-D_unroll', '-DXM2S(x)=#x', '-DM2S(x)=XM2S(x)',
           '-DFIXED_LOCAL_SIZE=64', '-DLOCAL_MEM_TYPE=1', '-DMAX_THREADS_PER_BLOCK=64']
PACKAGES = [
   ('piglit', PIGLIT + '/tests/cl/program/execute', []),
   ('piglit', PIGLIT + '/generated_tests/cl', []),
   ('darktable', 'usr/share/darktable/kernels', []),
   ('hashcat-data', 'usr/share/hashcat/OpenCL', HASHCAT),
   ('libgegl-0.4-0|libgegl-0.4-0t64', 'gegl', []),  # the second since Debian 13
]
SECONDS = 300
SPARE = 64
TYPES = {'char': 'b', 'uchar': 'B', 'short': 'h', 'ushort': 'H', 'int': 'i', 'uint': 'I', 'long': 'q', 'ulong': 'Q',
         'float': 'f', 'double': 'd', 'half': 'e'}
# What a diagnostic of a refusal says.
REFUSED = re.compile(r'not supported|unsupported|cannot be read|needs more|are requested|too many|too large|out of steps'
                     r'|budget|more than|inlining makes')
# What files say wrong by their test: the place in the output, and what OpenCL C says: 4 / 0 is infinity, for one.
MISTAKEN = {'fdiv 4.0, y': (10, math.inf), 'copysign': (5, 4.0), 'fmod': (5, 3.0), 'lgamma': (3, math.inf), 'lgamma_r': (3, math.inf),
            'pow': (5, 0.0), 'tgamma': (3, math.inf)}
# Not what a program can rely on: piglit's own precision is that of a GPU's divisions and functions.
LEAST_ULP = 4


class Wrong(Exception):
   pass


class Unusable(Exception):
   """Neither right nor wrong: the compiler before refuses it, or the file says nothing."""


def run(words, **kwargs):
   return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True,
                         errors='replace', timeout=SECONDS, check=False, **kwargs)


def arguments(description):
   """The command line of the tests of packages; args.share is a slice."""
   parser = argparse.ArgumentParser(description=description)
   parser.add_argument('--heddle', required=True)
   parser.add_argument('--scratch', required=True)
   parser.add_argument('--share', default='0/1')
   parser.add_argument('--jobs', type=int, default=os.cpu_count())
   parser.add_argument('--chips', default='gfx900,gfx803,gfx600')
   parser.add_argument('names', nargs='*')
   args = parser.parse_args()
   args.heddle, args.scratch = os.path.abspath(args.heddle), os.path.abspath(args.scratch)
   first, step = map(int, args.share.split('/'))
   args.share = slice(first, None, step)
   return args


def downloaded(debs, name):
   return [path for one in name.split('|') for path in glob.glob(f'{debs}/{one}_*.deb')]


def fetch(scratch, names):
   """The folder in which these packages were taken apart; of NAME|NAME the one that the release has."""
   root, debs = os.path.join(scratch, 'root'), os.path.join(scratch, 'packages')
   os.makedirs(debs, exist_ok=True)
   for name in names:
      if downloaded(debs, name):
         continue
      for one in name.split('|'):
         done = run(['apt-get', 'download', '-q', one], cwd=debs)
         if not done.returncode:
            break
      files = downloaded(debs, name)
      if done.returncode or not files:
         print(f'# {name} cannot be downloaded: {done.stderr.strip()[-100:]}')
         continue
      run(['dpkg-deb', '-x', files[0], root])
   return root


def write_gegl(root):
   """GEGL has its kernels as texts in libraries, and puts one of functions for random numbers before each."""
   libraries = glob.glob(f'{root}/usr/lib/*/libgegl-*.so.*.*') + glob.glob(f'{root}/usr/lib/*/gegl-*/*.so')
   texts = {}
   for path in sorted(libraries):
      with open(path, 'rb') as file:
         texts.update((text, None) for text in file.read().split(b'\0') if len(text) > 200 and text.isascii())
   before = b''.join(t for t in texts if b'gegl_cl_random_float' in t and b'kernel' not in t)
   os.makedirs(os.path.join(root, 'gegl'), exist_ok=True)
   for text in texts:
      kernel = re.search(rb'\b(?:__)?kernel\s+(?:__attribute__\S*\s+)?void\s+(\w+)', text)
      if kernel:
         with open(os.path.join(root, 'gegl', kernel[1].decode() + '.cl'), 'wb') as file:
            file.write(before + b'\n' + text)


def write_hashcat(root):
   """hashcat makes functions static for some drivers, and for others leaves it to the compiler which are used: clang would
   compile all that the included files have, in each of its kernels.
   """
   for path in glob.glob(f'{root}/usr/share/hashcat/OpenCL/inc_vendor.h'):
      with open(path, encoding='utf-8') as file:
         text = file.read()
      with open(path, 'w', encoding='utf-8') as file:
         file.write(re.sub('^#define DECLSPEC$', '#define DECLSPEC inline static', text, flags=re.M))


def unpack(scratch):
   """Folders of kernels, with flags."""
   root = fetch(scratch, sorted({p[0] for p in PACKAGES}))
   write_gegl(root)
   write_hashcat(root)
   for _, folder, flags in PACKAGES:
      for found in glob.glob(os.path.join(root, folder)):
         for path in sorted(glob.glob(found + '/**/*.cl', recursive=True)):
            yield os.path.relpath(path, root), path, [*flags, f'-I{found}', f'-DINCLUDE_PATH={found}']


def compile_module(path, flags, options, out):
   """At -O0 what the translator cannot write otherwise: integers of odd sizes."""
   try:
      compile_at('-O1', path, flags, options, out)
   except Unusable as error:
      if str(error).startswith('clang'):
         raise
      compile_at('-O0', path, flags, options, out)


def widen_switches(text):
   """LLVM cuts what a switch reads to the bits that can be set, i2 of i32: here they stay where they are."""
   def widened(function):
      cut = {}

      def keep(found):
         name, size, source, bits = found.groups()
         cut[name] = size, bits
         return f'{name} = and i{size} {source}, {(1 << int(bits)) - 1}'

      def switch(found):
         bits, name, cases = found.groups()
         if name not in cut:
            return found[0]
         size, mask = cut[name][0], (1 << int(bits)) - 1
         return f'switch i{size} {name}, ' + re.sub(rf'\bi{bits} (-?\d+)', lambda c: f'i{size} {int(c[1]) & mask}', cases)
      function = re.sub(r'(%\S+) = trunc i(32|64) (%\S+) to i(?!(?:1|8|16|32)\b)(\d+)\b', keep, function)
      return re.sub(r'switch i(\d+) (%[^\s,]+), ([^]]*\])', switch, function)
   return '\n}\n'.join(map(widened, text.split('\n}\n')))


def compile_at(level, path, flags, options, out):
   clang, translate = llvm_programs.translator()
   target = [clang, '-target', 'spir64-unknown-unknown', '-w', '-emit-llvm']
   text, bitcode = out + '.ll', out + '.bc'
   done = run([*target, level, '-cl-std=CL1.2', '-Xclang', '-finclude-default-header', '-fno-vectorize',
               '-fno-slp-vectorize', *flags, *options, '-S', '-o', text, path])
   if not done.returncode:
      with open(text, encoding='utf-8', errors='surrogateescape') as file:
         widened = widen_switches(file.read())
      with open(text, 'w', encoding='utf-8', errors='surrogateescape') as file:
         file.write(widened)
      done = run([*target, '-O0', '-Xclang', '-disable-llvm-passes', '-c', '-o', bitcode, text])
      if done.returncode:
         raise Unusable('translator: odd sizes')
   if done.returncode:
      raise Unusable('clang: ' + (re.findall(r'error: .*', done.stderr) or ['no error'])[0])
   os.remove(text)
   done = run([translate, '--spirv-max-version=1.2', bitcode, '-o', out])
   os.remove(bitcode)
   if done.returncode:
      raise Unusable('translator: ' + (done.stderr.strip().splitlines() or [''])[-1])
   with open(out, 'rb') as file:
      data = sort_blocks(file.read())
   with open(out, 'wb') as file:
      file.write(data)


def kernels_of(module):
   """Names of the entry points."""
   with open(module, 'rb') as file:
      words = struct.unpack(f'<{os.path.getsize(module) // 4}I', file.read())
   at = 5
   while at < len(words):
      if words[at] & 0xffff == 15:
         name = b''.join(w.to_bytes(4, 'little') for w in words[at + 3:at + (words[at] >> 16)])
         yield name.split(b'\0')[0].decode()
      at += words[at] >> 16 or 1


# piglit's heads


def sections(text):
   """[config] and the [test]s, each a list of (key, value)."""
   head = re.match(r'\s*/\*!(.*?)!\*/', text, re.S)
   if not head:
      return {}, []
   lines = re.sub(r'\\[ \t]*\n', ' ', head[1])
   config, tests = {}, []
   here = None
   for line in lines.splitlines():
      line = line.split('#')[0].strip()
      if line in ('[config]', '[program]'):
         here = config
      elif line == '[test]':
         here = collections.defaultdict(list)
         tests.append(here)
      elif ':' in line and here is not None:
         key, value = (part.strip() for part in line.split(':', 1))
         if here is config:
            config.setdefault(key, []).append(value)
         else:
            here[key].append(value)
   return config, tests


class Values:
   """An argument: TYPE VALUE..., or buffer TYPE[N] VALUE... with `repeat`, `random`, `tolerance`."""

   def __init__(self, text):
      self.tolerance, self.by_ulp = 0, False
      found = re.search(r'\s*tolerance\s+(\S+)(\s+ulp)?\s*$', text)
      if found:
         text = text[:found.start()]
         self.tolerance, self.by_ulp = float(found[1]), bool(found[2])
      words = text.split()
      self.is_buffer = words[0] == 'buffer'
      words = words[1:] if self.is_buffer else words
      kind = re.match(r'([a-z_]+?)(_t)?(\d*)(?:\[(\d+)\])?$', words[0])
      if not kind or kind[1] not in TYPES:
         raise Unusable(f'a type {words[0]}')
      self.code, self.width = TYPES[kind[1]], int(kind[3] or 1)
      self.stored = 4 if self.width == 3 else self.width
      self.count = int(kind[4] or 1)
      values = words[1:]
      if 'random' in values:
         raise Unusable('random values')
      if values and values[0] == 'repeat':
         values = values[1:] * (self.count * self.width)
      total = self.count * self.width
      self.values = [self.number(v) for v in values[:total]]
      if values and values[0] == 'NULL' or len(self.values) < total and self.values:
         raise Unusable('too few values')

   def number(self, word):
      if self.code in 'fde':
         low = word.lower().rstrip('f')
         if low.startswith(('0x', '-0x')):
            return float.fromhex(word) if 'p' in low or '.' in low else self.from_bits(int(word, 16))
         return float(low if low.lstrip('-') != 'in' else word)
      return int(word.lower().rstrip('ul'), 0)

   def from_bits(self, bits):
      return struct.unpack('<' + self.code, bits.to_bytes(struct.calcsize(self.code), 'little'))[0]

   def padded(self):
      for n in range(self.count):
         part = self.values[n * self.width:(n + 1) * self.width] or [0] * self.width
         yield from part + [0] * (self.stored - self.width)

   def pack(self, value):
      if self.code in 'fde':
         try:
            return struct.pack('<' + self.code, value)
         except OverflowError:
            return struct.pack('<' + self.code, math.copysign(math.inf, value))
      size = struct.calcsize('<' + self.code)
      return (value & ((1 << 8 * size) - 1)).to_bytes(size, 'little')

   def bytes(self):
      return b''.join(map(self.pack, self.padded()))

   def differ(self, words):
      """In words, or None."""
      got = b''.join((w or 0).to_bytes(4, 'little') for w in words)
      size = struct.calcsize('<' + self.code)
      for n in range(self.count * self.width if self.values else 0):
         at = (n // self.width * self.stored + n % self.width) * size
         # A word of which a byte is undefined, which is that between vectors of three: simulators know the others.
         if words[at // 4] is None and self.stored != self.width:
            continue
         value = struct.unpack('<' + self.code, got[at:at + size])[0]
         wanted = struct.unpack('<' + self.code, self.pack(self.values[n]))[0]
         if value == wanted or (value != value and wanted != wanted):
            continue
         if self.code in 'fde' and math.isfinite(wanted) and math.isfinite(value):
            # Denormals may be flushed.
            if wanted == 0 and abs(value) < {'f': 2.0 ** -126, 'd': 2.0 ** -1022, 'e': 2.0 ** -14}[self.code]:
               continue
            step = max(abs(wanted), 1e-38) * 2.0 ** -{'f': 23, 'd': 52, 'e': 10}[self.code]
            if abs(value - wanted) <= max(self.tolerance * step if self.by_ulp else self.tolerance, LEAST_ULP * step):
               continue
         elif self.code not in 'fde' and abs(value - wanted) <= self.tolerance:
            continue
         return f'element {n} is {value}, not {wanted}'
      return None


class Image(Values):
   """An argument: image TYPE VALUE... image_type 2d image_width W image_height H ...; its texels are a buffer's elements."""

   FORMATS = {'FLOAT': '32_float', 'SIGNED_INT8': '8_sint', 'UNSIGNED_INT8': '8_uint'}

   def __init__(self, text):
      said = dict(re.findall(r'image_(\w+)\s+(\w+)', text))
      try:
         self.sizes = [int(said['width']), int(said['height'])]
         self.format = said['channel_order'].lower() + self.FORMATS[said['channel_data_type']]
      except KeyError as error:
         raise Unusable(f'an image without {error}') from error
      texel, _, values = re.sub(r'image_\w+\s+\w+', '', text).removeprefix('image').strip().partition(' ')
      super().__init__(f'buffer {texel}[{math.prod(self.sizes)}] {values}')

   def name(self, number):
      return f"image@0.{number}:{'x'.join(map(str, self.sizes))}:{self.format}"


class Sampler:
   """An argument: sampler normalized_coords N addressing_mode MODE filter_mode MODE."""

   MODES = {'NONE': 'clamp_to_edge', 'CLAMP_TO_EDGE': 'clamp_to_edge', 'CLAMP': 'clamp_to_border', 'REPEAT': 'repeat',
            'MIRRORED_REPEAT': 'mirrored_repeat'}

   def __init__(self, text):
      said = dict(re.findall(r'(\w+)\s+(\w+)', text.removeprefix('sampler')))
      self.words = [self.MODES[said['addressing_mode']], said['filter_mode'].lower()]
      self.words += [] if said['normalized_coords'] == '1' else ['unnormalized']

   def name(self, number):
      return f"sampler@0.{number}={','.join(self.words)}"


def argument_of(text):
   kind = text.split()[0]
   return Image(text) if kind == 'image' else Sampler(text) if kind == 'sampler' else Values(text)


def numbers(texts, otherwise):
   values = [int(w) for w in texts[-1].split()] if texts else otherwise
   return [v or 1 for v in (values + [1, 1])[:3]]


class Launch:
   """A [test] of piglit's."""

   def __init__(self, config, test):
      get = lambda key: test.get(key) or config.get(key) or []
      self.name, self.kernel = (get('name') or ['?'])[-1], get('kernel_name')[-1] if get('kernel_name') else None
      sizes, local = numbers(get('global_size'), [1]), get('local_size')
      self.local = numbers(local, [1])
      if not local or not local[-1].strip('0 '):
         # Where lanes share a variable, each writes it and reads it: they must be alone.
         self.local = [1 if 'local' in (self.kernel or '') else math.gcd(sizes[0], 64), 1, 1]
      if any(a % b for a, b in zip(sizes, self.local)):
         raise Unusable('a partial workgroup')
      self.groups = [a // b for a, b in zip(sizes, self.local)]
      self.dimensions = int((get('dimensions') or ['3'])[-1])
      self.offset = [int(w) for w in get('global_offset')[-1].split()][:self.dimensions] if get('global_offset') else []
      self.inputs, self.outputs = {}, {}
      for key, into in (('arg_in', self.inputs), ('arg_out', self.outputs)):
         for text in get(key):
            number, _, rest = text.partition(' ')
            if rest.split()[0] in ('image', 'sampler', 'image2d_t'):
               raise Unusable('images')
            into[int(number)] = None if rest.strip() == 'buffer NULL' else Values(rest)
      of_test = re.match(r'(.*?)(?:_(?:private|local|global))?(?: float(\d+))?$', self.name)
      if of_test[1] in MISTAKEN:
         (place, value), width = MISTAKEN[of_test[1]], int(of_test[2] or 1)
         self.outputs[0].values[place * width:(place + 1) * width] = [value] * width

   def words(self, folder):
      for n in sorted({**self.inputs, **self.outputs}):
         value = self.inputs.get(n) or self.outputs.get(n)
         if value is None:
            yield f'arg@{n}=u64:0'
            continue
         if isinstance(value, Sampler):
            yield value.name(n)
            continue
         data = value.bytes() if n in self.inputs else bytes(len(value.bytes()))
         path = os.path.join(folder, f'arg{n}.bin')
         with open(path, 'wb') as file:
            # Some read a vector that is not whole.
            file.write(data + bytes(-len(data) % 4 + SPARE) if value.is_buffer else data)
         if isinstance(value, Image):
            yield f'{value.name(n)}=@{path}'
            continue
         yield f"arg@{n}={'&' if value.is_buffer else ''}@{path}"

   def check(self, printed):
      for n, wanted in self.outputs.items():
         words = printed.get(wanted.name(n) if isinstance(wanted, Image) else f'arg@{n}')
         if words is None or wanted is None:
            continue
         fault = wanted.differ(words)
         if fault:
            raise Wrong(f'argument {n}: {fault}')


class Runner:
   def __init__(self, args):
      self.heddle, self.scratch, self.chips = args.heddle, args.scratch, args.chips.split(',')

   def call(self, words):
      """What it printed; a refusal is Unusable."""
      try:
         done = run(words)
      except subprocess.TimeoutExpired as error:
         raise Wrong(f'more than {SECONDS} seconds\n{shlex.join(words)}') from error
      text = (done.stderr.strip() or done.stdout.strip())
      if done.returncode < 0:
         raise Wrong(f'signal {-done.returncode}\n{shlex.join(words)}')
      if done.returncode:
         line = next((l for l in text.splitlines() if 'error' in l or 'rror:' in l or l), '')
         if REFUSED.search(text):
            raise Unusable('refused: ' + line)
         raise Wrong(f'{line}\n{shlex.join(words)}')
      return done.stdout

   def file(self, item):
      """[(name, fault or None or Unusable)]"""
      name, path, flags = item
      folder = os.path.join(self.scratch, 'made', re.sub(r'\W', '_', name))
      os.makedirs(folder, exist_ok=True)
      module = os.path.join(folder, 'module.spv')
      with open(path, encoding='utf-8', errors='replace') as file:
         config, tests = sections(file.read())
      try:
         if any('true' in v for v in config.get('expect_build_fail', [])):
            raise Unusable('it must not compile')
         compile_module(path, flags, [w for v in config.get('build_options', []) for w in v.split()], module)
      except (Unusable, subprocess.TimeoutExpired) as error:
         return [(name, error if isinstance(error, Unusable) else Unusable('clang takes too long'))]
      results = []
      for kernel in kernels_of(module):
         for chip in self.chips:
            results.append(self.attempt(f'{name} {kernel} {chip}', self.call, [
               self.heddle, 'compile', f'--entry={kernel}', f'--target={chip}', '-o', os.path.join(folder, f'{chip}.o'), module]))
      for test in tests:
         results += self.launch(name, config, test, module, folder)
      return results

   def attempt(self, name, call, *args):
      try:
         call(*args)
      except (Wrong, Unusable) as error:
         return name, error
      return name, None

   def launch(self, name, config, test, module, folder):
      try:
         launch = Launch(config, test)
         if not launch.kernel:
            raise Unusable('no kernel is named')
         words = [self.heddle, 'run', '--json', f'--entry={launch.kernel}', module,
                  f"--groups={','.join(map(str, launch.groups))}", f"--group-size={','.join(map(str, launch.local))}",
                  f'--work-dim={launch.dimensions}', *([f"--offset={','.join(map(str, launch.offset))}"] if launch.offset else []), *launch.words(folder)]
      except (Unusable, ValueError, IndexError) as error:
         return [(f'{name} {test.get("name")}', Unusable(str(error)))]

      def judge(how):
         done = self.call([*words, *how])
         try:
            launch.check(json.loads(done.strip().splitlines()[-1])['memory'])
         except Wrong as error:
            raise Wrong(f'{error}\n{shlex.join([*words, *how])}') from error
      ways = [[]] + [[f'--target={chip}'] for chip in self.chips]
      return [self.attempt(f'{name}: {launch.name} {how}', judge, how) for how in ways]


def main():
   args = arguments(__doc__.splitlines()[0])
   tap = Tap()
   items = [i for i in unpack(args.scratch) if not args.names or any(name in i[0] for name in args.names)][args.share]
   runner, counts, refusals = Runner(args), collections.Counter(), collections.Counter()
   with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
      for results in pool.map(runner.file, items):
         for name, fault in results:
            if isinstance(fault, Unusable):
               counts['refused' if str(fault).startswith('refused') else 'unusable'] += 1
               refusals[re.sub(r'.*?error: ', '', str(fault))[:100]] += 1
            else:
               counts['wrong' if fault else 'right'] += 1
               tap.check(name, not fault, fault)
   for text, count in refusals.most_common(30):
      print(f'# {count} times: {text}')
   print(f"# {len(items)} files: {', '.join(f'{v} {k}' for k, v in sorted(counts.items()))}")
   tap.finish()


if __name__ == '__main__':
   main()
