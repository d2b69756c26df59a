# SPDX-License-Identifier: MIT
"""The judges: who else runs the corpus. Each takes cases with their SPIR-V and answers with what the outputs hold."""
import glob
import hashlib
import json
import os
import re
import subprocess

import cases
import images
import models

LAVAPIPE = glob.glob('/usr/share/vulkan/icd.d/lvp_icd*.json')
RADV = glob.glob('/usr/share/vulkan/icd.d/radeon_icd*.json')

# On these a judge ends by a signal in some of its versions: lavapipe from 25.0 on in exp2, log2, sin and cos of halves, of
# Debian testing in 64-bit values across lanes; PoCL from 6.0 on in copies by the group and in offsets of the grid.
CRASHES = {'lavapipe': {'type_float16_math.comp', 'subgroup_wide_types.comp'}, 'pocl': {'cl_async_copy.cl', 'cl_work_items.cl'}}


class Unable(Exception):
   """The judge is not there; why."""


def write(path, data):
   with open(path, 'wb') as file:
      file.write(data)


def read(path):
   with open(path, 'rb') as file:
      return file.read()


class Vulkan:
   """A driver behind tests/spirv/host/vulkan.c."""

   name = 'lavapipe'

   def __init__(self, host, icd=None, **environment):
      icd = icd or (LAVAPIPE[0] if LAVAPIPE else None)
      if not host or not os.path.exists(host):
         raise Unable('the Vulkan host was not built (libvulkan-dev)')
      if not icd:
         raise Unable('the driver is not installed (mesa-vulkan-drivers)')
      self.host = host
      self.environment = {**os.environ, 'VK_ICD_FILENAMES': icd, 'VK_DRIVER_FILES': icd, 'MESA_SHADER_CACHE_DISABLE': '1',
                          'LP_NUM_THREADS': '1', **environment}
      # Layers of the desktop have no say.
      self.environment['VK_LOADER_LAYERS_DISABLE'] = '~implicit~'
      self.device = json.loads(self.call('--device'))

   def call(self, *arguments):
      done = subprocess.run([self.host, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            stdin=subprocess.DEVNULL, env=self.environment, check=False)
      if done.returncode:
         raise Unable(f'{os.path.basename(self.host)} ended with {done.returncode}: {done.stderr.strip()}')
      return done.stdout

   def can(self, case):
      if case.is_kernel or case.is_graphics or (case.judges and self.name not in case.judges):
         return False
      return case.subgroup in (None, self.device['subgroup'])

   def job(self, case, path, base):
      words = [f'name={os.path.basename(base)}', f'file={path}', f"groups={','.join(map(str, case.groups))}"]
      if case.entry:
         words.append(f'entry={case.entry}')
      words += [f'spec={number}:{segment.bytes({}).hex()}' for number, segment in case.specs]
      if case.push:
         write(f'{base}.push', case.push.bytes(case.addresses))
         words.append(f'push={base}.push')
      for kind, buffers in (('buffer', case.buffers), ('memory', case.memory)):
         for b in buffers:
            at = case.addresses.get(b.place, b.place)
            write(f'{base}.{b.place}.in', b.bytes(case.addresses))
            words.append(f"{kind}={at}:{base}.{b.place}.in:{base + '.' + b.place + '.out' if b.compared else ''}")
      for b in case.images:
         write(f'{base}.{b.place}.in', b.bytes({}))
         words.append(b.shape.job(b.place, f'{base}.{b.place}.in', f'{base}.{b.place}.out' if b.compared else ''))
      words += [images.sampler_job(*s) for s in case.samplers]
      for b in case.buffers + case.memory + ([case.push] if case.push else []):
         where = f'@{case.addresses[b.place]}' if b in case.memory else b.place
         words += [f'patch={where}+{offset}:{case.addresses[name]}' for offset, name in b.references(case.addresses)]
      return ' '.join(words)

   def run(self, pairs, folder, known=None):
      """{key: {place: bytes}, or the words of an error} of (key, case, SPIR-V file).

      Answers are kept in the folder `known`, if given, and taken from there for what was run before.
      """
      os.makedirs(folder, exist_ok=True)
      found, left = {}, []
      for key, case, path in pairs:
         kept = known and os.path.join(known, self.digest(case, path))
         if kept and os.path.exists(kept):
            found[key] = {place: bytes.fromhex(text) for place, text in json.loads(read(kept)).items()}
         else:
            left.append((key, case, path, kept))
      jobs = os.path.join(folder, 'jobs')
      with open(jobs, 'w', encoding='utf-8') as file:
         for key, case, path, _ in left:
            file.write(self.job(case, path, os.path.join(folder, key)) + '\n')
      new = answers(self.call(jobs), [p[:3] for p in left], folder) if left else {}
      for key, _, _, kept in left:
         if kept and not isinstance(new[key], str):
            os.makedirs(known, exist_ok=True)
            write(kept, json.dumps({place: data.hex() for place, data in new[key].items()}).encode())
      return {**found, **new}

   def digest(self, case, path):
      """Names all that the answer depends on."""
      parts = [json.dumps(self.device), read(path).hex(), case.text]
      return hashlib.sha256('\n'.join(parts).encode()).hexdigest()

   def statistics(self, pairs, folder, seconds=0.02):
      """{key: the driver's statistics, 'ns', and 'assembly'} of (key, case, SPIR-V file); nothing is run."""
      os.makedirs(folder, exist_ok=True)
      jobs = os.path.join(folder, 'jobs')
      with open(jobs, 'w', encoding='utf-8') as file:
         for key, case, path in pairs:
            specs = ''.join(f' spec={number}:{segment.bytes({}).hex()}' for number, segment in case.specs)
            entry = f' entry={case.entry}' if case.entry else ''
            file.write(f'name={key} file={path}{entry}{specs}\n')
      found = {}
      for line in self.call('--statistics', f'--assembly={folder}', f'--seconds={seconds}', jobs).splitlines():
         row = json.loads(line)
         text = os.path.join(folder, row['name'] + '.s')
         if os.path.exists(text):
            row['assembly'] = assembly(text)
         found[row['name']] = row
      return found


def assembly(path):
   """What RADV printed of machine code, with every instruction: of equal ones in a row it prints one, and how many follow."""
   lines = []
   for line in read(path).decode().splitlines():
      more = re.match(r'\s*\(then repeated (\d+) times\)', line)
      lines += [lines[-1]] * int(more[1]) if more else [line]
   return '\n'.join(lines) + '\n'


def radv(host, family='vega10'):
   """ACO, for a chip that is not there."""
   if not RADV:
      raise Unable('the driver is not installed (mesa-vulkan-drivers)')
   return Vulkan(host, RADV[0], RADV_FORCE_FAMILY=family, RADV_DEBUG='nocache')


class OpenCL:
   """PoCL behind tests/spirv/host/opencl.c. Debian's takes no SPIR-V: kernels go in as source."""

   name = 'pocl'

   def __init__(self, host, folder):
      if not host or not os.path.exists(host):
         raise Unable('the OpenCL host was not built (ocl-icd-opencl-dev)')
      os.makedirs(folder, exist_ok=True)
      self.host = host
      self.environment = {**os.environ, 'POCL_DEVICES': 'basic', 'POCL_CACHE_DIR': os.path.abspath(folder)}
      self.device = json.loads(self.call('--device'))

   call = Vulkan.call
   run = Vulkan.run

   def digest(self, case, path):
      return hashlib.sha256(f'{json.dumps(self.device)}\n{case.text}'.encode()).hexdigest()

   def can(self, case):
      return case.kind == '.cl' and not (case.judges and self.name not in case.judges)

   def job(self, case, path, base):
      words = [f'name={os.path.basename(base)}', f'file={case.path}', f'kernel={case.entry_name()}',
               'options=-cl-std=CL1.2',
               f"global={','.join(map(str, case.size))}", f"local={','.join(map(str, case.local or [1, 1, 1]))}"]
      for n, argument in enumerate(case.arguments):
         if isinstance(argument, int):
            words.append(f'arg=local:{argument}')
         elif isinstance(argument, list):
            words.append(f"arg=value:{b''.join(s.bytes({}) for s in argument).hex()}")
         elif isinstance(argument, cases.Sampler):
            words.append(images.opencl_sampler(argument.words))
         elif isinstance(argument, cases.Image):
            write(f'{base}.{argument.place}.in', argument.bytes({}))
            words.append(argument.shape.opencl(f'{base}.{argument.place}.in', f'{base}.{argument.place}.out' if argument.compared else ''))
         else:
            write(f'{base}.arg{n}.in', argument.bytes({}))
            words.append(f"arg=buffer:{base}.arg{n}.in:{f'{base}.arg{n}.out' if argument.compared else ''}")
      return ' '.join(words)


def answers(text, pairs, folder):
   rows = {row['name']: row for row in map(json.loads, text.splitlines())}
   found = {}
   for key, case, _ in pairs:
      row = rows.get(key, {'error': 'no answer'})
      if 'error' in row:
         found[key] = row['error']
      else:
         found[key] = {b.place: read(os.path.join(folder, f'{key}.{b.place}.out')) for b in case.outputs()}
   return found


def difference(case, outputs, wanted, exactly=False):
   """What is wrong with outputs beside those of somebody else alone: words, or None."""
   return next(filter(None, (b.differ(outputs[b.place], wanted[b.place], exactly) for b in case.outputs())), None)


def fault(case, outputs, wanted=None, exactly=False):
   """What is wrong with outputs, by their own head and beside those of a judge: words, or None."""
   for b in case.outputs():
      found = b.expected(outputs[b.place])
      if not found and wanted is not None:
         found = b.differ(outputs[b.place], wanted[b.place], exactly)
      if found:
         return found
   return None


def present(vulkan, opencl, folder):
   """Those that are there; who is not is told, and why."""
   for name, make in (('lavapipe', lambda: Vulkan(vulkan)),
                      ('pocl', lambda: OpenCL(opencl, os.path.join(folder, 'pocl'))), ('model', models.Model)):
      try:
         judge = make()
      except Unable as error:
         print(f'# nothing is compared with {name}: {error}')
         continue
      print(f"# {judge.name}: {judge.device['name']}")
      yield judge


__all__ = ['OpenCL', 'Unable', 'Vulkan', 'cases', 'fault', 'present', 'radv']
