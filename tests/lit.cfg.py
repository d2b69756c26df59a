# SPDX-License-Identifier: MIT
"""Text tests: *.hd files whose `// RUN:` lines are run by a shell and say what must hold.

    %heddle      the tool, validating after every step
    %s %t %S     the file, a scratch name, the file's folder
    FileCheck    compares with the `// CHECK` lines of the file
    %expect F    compares standard input with all of file F, which `./x bless` rewrites
    %control     leaves of GCN assembly what has to do with control flow, and the stores between
    %phases P    runs phases P of machine code (tests/machine/run_phases.c)
    %spirv-as    the assembler of SPIR-V; files in its language are passed over where it is missing
    %lanes       memory for `heddle run`: numbers below 4 for 64 lanes in 0.0 and 0.2, zeros elsewhere

A test that needs a machine stands in its folder of backend/, or says REQUIRES with its name.

Meson passes --param: tool, filecheck, scratch, sanitized, spirv, backends, phases.
"""
import os
import shutil
import sys

# Tests are handed to worker processes by the name of their format's module.
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import run_lines  # noqa: E402

param = lit_config.params

config.name = 'Heddle'
config.suffixes = ['.hd', '.s', '.spvasm']
config.test_format = run_lines.RunLines(execute_external=False)
config.test_source_root = os.path.dirname(os.path.abspath(__file__))
config.test_exec_root = param['scratch']
config.excludes = ['inputs', 'corpus']
backends = [name for name in param['backends'].split(',') if name]
config.available_features.update(backends)
if param['phases']:
   config.available_features.add('phases')
backend = os.path.join(config.test_source_root, 'backend')
config.excludes += [folder for folder in os.listdir(backend)
                    if os.path.isdir(os.path.join(backend, folder)) and folder not in backends]

config.environment['HD_VALIDATE'] = '1'
for name in ('HD_BLESS', 'ASAN_OPTIONS', 'UBSAN_OPTIONS', 'LSAN_OPTIONS', 'TMPDIR'):
   if name in os.environ:
      config.environment[name] = os.environ[name]

config.substitutions.append(('%heddle', param['tool']))
config.substitutions.append(('%phases', param['phases']))
expect = os.path.join(config.test_source_root, '..', 'scripts', 'expect.py')
config.substitutions.append(('%expect', f'{sys.executable} {os.path.normpath(expect)}'))
config.substitutions.append((r'\bFileCheck\b', param['filecheck'] + ' --dump-input-context=20'))
config.substitutions.append(
   ('%control', f"{sys.executable} {os.path.join(config.test_source_root, 'backend', 'gcn', 'control.py')}"))
config.substitutions.append(('%lanes', ' '.join(
   ['0.0=u32:' + ','.join(str((7 * n + n // 5) % 4) for n in range(64)),
    '0.2=u32:' + ','.join(str((3 * n + 1) % 4) for n in range(64)),
    '0.1=zero:4'] + [f'0.{n}=zero:256' for n in (3, 4, 5, 6)])))
assembler = shutil.which('spirv-as')
# Later assemblers refuse an option that is given twice.
config.substitutions.append(('%spirv-as --target-env', f'{assembler} --target-env'))
config.substitutions.append(('%spirv-as', f'{assembler} --target-env spv1.6'))
if not assembler or param['spirv'] != 'true':
   config.suffixes.remove('.spvasm')
if param['sanitized'] == 'true':
   config.available_features.add('sanitized')
