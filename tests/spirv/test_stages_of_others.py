#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Vertex and fragment shaders of Debian's packages: all that is not refused by name compiles, for each chip, in both lowerings.

    test_stages_of_others.py --heddle=TOOL --scratch=FOLDER [--share=K/N] [--jobs=N] [--chips=CHIP,...] [NAME...]

The packages are downloaded by apt-get into the folder, where they stay, and only taken apart. glslang makes SPIR-V of
their shaders, those in old GLSL after the words that Vulkan lacks were replaced; what glslang refuses does not count, as
it may be wrong on purpose. Each module is validated as it is read and after O2, and becomes machine code. A refusal says
what is not supported; everything else that goes wrong is a failure, whose line tells how to repeat it. A share takes
each N-th file, the K-th first.
"""
import collections
import concurrent.futures
import glob
import hashlib
import os
import re
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'house')]
from tap import Tap  # noqa: E402
from test_packages import REFUSED, Unusable, Wrong, arguments, fetch, run  # noqa: E402

PACKAGES = ('piglit', 'glmark2-data', 'minetest-data', 'kwin-data', 'kitty', 'endless-sky-data', 'dolphin-emu-data',
            'neverball-data')
STAGES = {'vert': 'vert', 'vs': 'vert', 'vsh': 'vert', 'frag': 'frag', 'fs': 'frag', 'fsh': 'frag'}
LOWERINGS = ('tree', 'reconverging')
SECTIONS = {'vertex shader': 'vert', 'fragment shader': 'frag'}
# Samplings by the names that had the dimension in them; shadows gave four numbers.
SAMPLED = re.compile(r'\b(texture|shadow)(1D|2D|3D|Cube|2DRect|1DArray|2DArray)(Proj|Lod|ProjLod|Grad|ProjGrad|GradARB|ProjGradARB|LodEXT)?\s*\(')
MATRICES = ('gl_ModelViewProjectionMatrix', 'gl_ModelViewMatrix', 'gl_ProjectionMatrix', 'gl_ModelViewMatrixInverse')
VECTORS = ('gl_Vertex', 'gl_Color', 'gl_SecondaryColor', 'gl_FogCoord') + tuple(f'gl_MultiTexCoord{n}' for n in range(8))


def renewed(text, stage):
   """GLSL before 1.40 or of ES as GLSL 4.50: what OpenGL had built in is an input, an output or a uniform."""
   out, inward = [], stage == 'frag'
   body = re.sub(r'^\s*#\s*version[^\n]*$', '', text, flags=re.M)
   body = re.sub(r'^\s*#\s*extension[^\n]*$', '', body, flags=re.M)
   body = re.sub(r'\battribute\b', 'in', body)
   body = re.sub(r'\bvarying\b', 'in' if inward else 'out', body)
   body = SAMPLED.sub(lambda m: ('vec4(texture%s(' if m[1] == 'shadow' else 'texture%s(') % re.sub('ARB|EXT', '', m[3] or ''), body)
   body = close_shadows(body)
   body = re.sub(r'\bftransform\s*\(\s*\)', '(gl_ModelViewProjectionMatrix * gl_Vertex)', body)
   for name in MATRICES:
      if re.search(rf'\b{name}\b', body):
         out.append(f'uniform mat4 old_{name[3:]};')
   if re.search(r'\bgl_NormalMatrix\b', body):
      out.append('uniform mat3 old_NormalMatrix;')
   if stage == 'vert':
      out += [f'in vec4 old_{name[3:]};' for name in VECTORS if re.search(rf'\b{name}\b', body)]
      if 'gl_Normal' in body:
         out.append('in vec3 old_Normal;')
   elif re.search(r'\bgl_Color\b', body):
      out.append('in vec4 old_Color;')
   for name in ('gl_FrontColor', 'gl_BackColor') if stage == 'vert' else ():
      if re.search(rf'\b{name}\b', body):
         out.append(f'out vec4 old_{name[3:]};')
   if re.search(r'\bgl_TexCoord\b', body):
      out.append(f"{'in' if inward else 'out'} vec4 old_TexCoord[8];")
   if re.search(r'\bgl_FragColor\b', body):
      out.append('layout(location = 0) out vec4 old_FragColor;')
   if re.search(r'\bgl_FragData\b', body):
      out.append('layout(location = 0) out vec4 old_FragData[8];')
   body = re.sub(r'\bgl_(\w*Matrix\w*|Vertex|Color|SecondaryColor|FogCoord|MultiTexCoord\d|Normal|FrontColor|BackColor|TexCoord'
                 r'|FragColor|FragData)\b', r'old_\1', body)
   return '#version 450\n' + '\n'.join(out) + '\n' + body


def close_shadows(body):
   """vec4(texture(...) has one bracket too few."""
   at = 0
   while True:
      at = body.find('vec4(texture', at)
      if at < 0:
         return body
      start = body.index('(', at + 5)
      depth, end = 1, start + 1
      while depth and end < len(body):
         depth += {'(': 1, ')': -1}.get(body[end], 0)
         end += 1
      # A call that was there already is closed.
      if body[end:].lstrip()[:1] not in (')', ','):
         body = body[:end] + ')' + body[end:]
      at += 12


def shaders_of(path):
   """(stage, text) of each stage that a file has."""
   with open(path, encoding='utf-8', errors='replace') as file:
      text = file.read()
   kind = path.rsplit('.', 1)[1]
   if kind == 'shader_test':
      needs = re.search(r'GLSL\s*(ES)?\s*>=\s*(\d)\.(\d+)', text)
      for name, body in re.findall(r'^\[([^\]\n]+)\]\s*$(.*?)(?=^\[[^\]\n]+\]\s*$|\Z)', text, re.M | re.S):
         if name in SECTIONS:
            version = f"#version {needs[2]}{needs[3]}{' es' if needs[1] else ''}\n" if needs and '#version' not in body else ''
            yield SECTIONS[name], version + body
   elif kind in STAGES:
      # Those that a compiler must refuse say so.
      if not re.search(r'expect_result:\s*fail', text):
         yield STAGES[kind], text
   elif kind == 'glsl' and re.search(r'_?(vertex|vert|vs|fragment|frag|fs)\.glsl$', path):
      yield 'vert' if re.search(r'_?(vertex|vert|vs)\.glsl$', path) else 'frag', text


def gather(scratch, names, share):
   """(name, stage, text) of each shader, once; of the files in a slice."""
   seen = set()
   root = fetch(scratch, PACKAGES)
   kinds = tuple('.' + kind for kind in (*STAGES, 'glsl', 'shader_test'))
   paths = [p for p in sorted(glob.glob(root + '/**/*.*', recursive=True))
            if p.endswith(kinds) and not os.path.isdir(p) and (not names or any(name in p for name in names))]
   for path in paths[share]:
      for n, (stage, text) in enumerate(shaders_of(path)):
         key = (stage, hashlib.sha256(text.encode()).digest())
         if key not in seen:
            seen.add(key)
            yield f'{os.path.relpath(path, root)}:{stage}{n}', stage, text


class Runner:
   def __init__(self, args):
      self.heddle, self.scratch, self.chips = args.heddle, args.scratch, args.chips.split(',')

   def module(self, name, stage, text):
      """The path of SPIR-V, by the text as it is or renewed."""
      base = os.path.join(self.scratch, 'made', re.sub(r'\W', '_', name.replace('usr/', '')))
      said = ''
      for way, source in enumerate((text, renewed(text, stage))):
         path = f'{base}.{way}.{stage}'
         with open(path, 'w', encoding='utf-8') as file:
            file.write(source)
         done = run(['glslangValidator', '--quiet', '-R', '--target-env', 'vulkan1.3', '--auto-map-locations', '--auto-map-bindings',
                     '-o', base + '.spv', path])
         if not done.returncode:
            return base + '.spv'
         os.remove(path)
         said = next((l for l in done.stdout.splitlines() if 'ERROR' in l), 'no error').split(': ', 2)[-1]
      raise Unusable('glslang: ' + said)

   def is_no_module(self, path):
      """glslang makes some that are not valid: members with and without BuiltIn in one block."""
      return bool(run(['spirv-val', '--target-env', 'vulkan1.3', path]).returncode)

   def call(self, words):
      try:
         done = run(words)
      except TimeoutError as error:
         raise Wrong(f'{error}') from error
      if done.returncode:
         line = next((l for l in done.stderr.splitlines() if 'error' in l), done.stderr.strip()[:200])
         if done.returncode == 1 and REFUSED.search(line):
            raise Unusable('refused: ' + line)
         raise Wrong(f"{done.returncode}: {line}\n{' '.join(words)}")

   def shader(self, item):
      """[(name, fault or None or Unusable)]"""
      name, stage, text = item
      try:
         path = self.module(name, stage, text)
      except Unusable as error:
         return [(name, error)]
      ways = [('O2', [self.heddle, 'opt', '-O2', '-o', os.devnull, path])]
      ways += [(f'{chip} {lowering}', [self.heddle, 'compile', f'--target={chip}', f'--lowering={lowering}', '--check', '--to=code',
                                       '-o', os.devnull, path]) for chip in self.chips for lowering in LOWERINGS]
      results = []
      for way, words in ways:
         try:
            self.call(words)
            results.append((f'{name} {way}', None))
         except (Unusable, Wrong) as error:
            # What crashes is wrong whatever the module is.
            if str(error).startswith('1: ') and self.is_no_module(path):
               return [(name, Unusable('spirv-val: no valid module'))]
            results.append((f'{name} {way}', error))
      return results


def main():
   args = arguments(__doc__.splitlines()[0])
   for tool in ('glslangValidator', 'spirv-val'):
      if not shutil.which(tool):
         print(f'1..0 # SKIP {tool}')
         return
   os.makedirs(os.path.join(args.scratch, 'made'), exist_ok=True)
   tap, runner = Tap(), Runner(args)
   items = list(gather(args.scratch, args.names, args.share))
   counts, reasons, modules = collections.Counter(), collections.Counter(), collections.Counter()
   with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
      for results in pool.map(runner.shader, items):
         faults = [fault for _, fault in results]
         refused = [str(f) for f in faults if isinstance(f, Unusable)]
         wrong = any(f and not isinstance(f, Unusable) for f in faults)
         state = ('no module' if refused and len(results) == 1 else 'failed' if wrong else 'refused' if refused else 'whole')
         modules[state] += 1
         for text in set(re.sub(r'^.*?error: |[%\d]+', '', t)[:110] for t in refused if state != 'no module'):
            reasons[text] += 1
         for name, fault in results:
            if not isinstance(fault, Unusable):
               counts['wrong' if fault else 'right'] += 1
               tap.check(name, not fault, fault)
   for text, count in reasons.most_common(30):
      print(f'# {count} modules: {text}')
   print(f"# {len(items)} shaders: {', '.join(f'{v} {k}' for k, v in sorted(modules.items()))}; "
         f"{', '.join(f'{v} {k}' for k, v in sorted(counts.items()))}")
   tap.finish()


if __name__ == '__main__':
   main()
