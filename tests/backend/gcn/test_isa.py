# SPDX-License-Identifier: MIT
"""The table of GCN instructions against LLVM's assembler.

Usage: test_isa.py ISA_CASES SRC_CODEGEN

Each case of isa_cases.c is assembled by llvm-mc, in one batch a chip: what is an instruction here
must become the same words there, and llvm-mc must print it as we do; what is none here must be
refused there, or the reason is one of STRICTER. Then all opcodes of all formats are disassembled:
what LLVM knows must be in the table or in its list of what is left out.
"""

import os
import re
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', '..', 'scripts'))
import llvm_programs  # noqa: E402

MC = llvm_programs.find('llvm-mc')
CHIPS = ('gfx600', 'gfx803', 'gfx900')

# Where LLVM takes more: what it encodes there the manuals do not define, or it is the same
# instruction in other words.
STRICTER = {
   'a constant that the operand does not take': 'pc or offset from a constant; a literal as K',
   'a modifier that the encoding has no place for': 'LLVM negates constants itself',
   'sext is for integer sources in SDWA form': 'LLVM drops it from constants',
   'a value without a register': 'writes to scc, vccz, apertures',
   'abs has no place where there is a second result': 'v_div_scale: the bits are those of sdst',
   'an offset or number out of range': 'MUBUF offsets are cut to 12 bits',
   'neg and abs are for sources that are floats': 'neg_lo of packed integers',
   'the instruction has no clamp': 'v_div_scale on gfx6: LLVM drops it',
   'the instruction has no output modifier': 'integer results; f16 on gfx8',
   'op_sel has a bit for each source': 'bits beyond the sources: the text does not say them',
   'the instruction has no op_sel': 'likewise',
   'tfe tells of loads': 'image stores with a register more',
   'exec is no address': 'LLVM before 20',
   'vector instructions do not write m0': 'LLVM before 21',
   'an atomic is of 32 or 64 bits': 'components that an atomic does not have',
}
# What LLVM 21 does not take, though its words for it were these: the sign of an exponent's 16 bits.
DROPPED = re.compile(r'v_ldexp_f16_sdwa .*sext')
# Immediates whose text LLVM prints though it does not say all bits; we print a number then.
LOSSY = ('s_sendmsg', 's_sendmsghalt', 's_waitcnt', 'ds_swizzle_b32')


def words_of(encoding):
   data = bytes(int(byte, 16) for byte in encoding.split(','))
   return ''.join(f'{int.from_bytes(data[n:n + 4], "little"):08x}' for n in range(0, len(data), 4))


def assemble(chip, texts):
   """For each text: (words, how LLVM prints it), or None where it is refused."""
   run = subprocess.run([MC, '-arch=amdgcn', f'-mcpu={chip}', '-show-encoding'],
                        input='\n'.join(texts) + '\n', capture_output=True, text=True)
   refused = {int(n) for n in re.findall(r'^<stdin>:(\d+):\d+: error:', run.stderr, re.M)}
   # A remark on v_cndmask and the like with exec as the mask, which it takes nevertheless.
   output = re.sub(r'/\*Invalid register[^*]*\*/', '', run.stdout)
   lines = iter(re.findall(r'^\s*(.*?)\s*; encoding: \[(.*?)\]$', output, re.M))
   return [None if n in refused else (lambda t, e: (words_of(e), t))(*next(lines))
           for n in range(1, len(texts) + 1)]


class Tests:
   def __init__(self):
      self.count = self.failed = 0

   def report(self, name, faults):
      self.count += 1
      self.failed += bool(faults)
      for fault in faults[:20]:
         print(f'# {fault}')
      print(f'{"not ok" if faults else "ok"} {self.count} - {name}')


def check_cases(tests, program, chip):
   run = subprocess.run([program, chip], capture_output=True, text=True)
   cases = [line.split('\t') for line in run.stdout.splitlines() if line.count('\t') == 3]
   said = {text for why, _, _, text in cases if why == 'ok'}
   faults, rows, stricter, same = [], set(), 0, 0
   for (why, row, words, text), answer in zip(cases, assemble(chip, [c[3] for c in cases])):
      if why != 'ok':
         # The same words may be an instruction for other reasons: then it was a case of its own.
         if answer and text not in said and why not in STRICTER:
            faults.append(f'{text}: refused ({why}), but LLVM takes it as {answer[1]}')
         stricter += bool(answer)
         continue
      rows.add(row)
      if not answer and DROPPED.match(text):
         same += 1
      elif not answer:
         faults.append(f'{text}: {words} here, refused by LLVM')
      elif answer[0] != words:
         faults.append(f'{text}: {words} here, {answer[0]} by LLVM')
      elif answer[1] != text and not text.startswith(LOSSY):
         faults.append(f'{text}: printed by LLVM as {answer[1]}')
      else:
         same += 1
   if not cases or run.returncode:
      faults.append(f'isa_cases failed: {run.stdout[-300:]}{run.stderr[-300:]}')
   tests.report(f'{chip}: {len(rows)} instructions, {same} cases equal to llvm-mc, '
                f'{stricter} where it takes more', faults)


def opcode_words(chip):
   """A few words for each opcode of each format, so that one of them may be an instruction."""
   gfx9 = chip == 'gfx900'
   for op in range(256):
      yield (0xbe800000 | 8 << 16 | op << 8 | 12,)
      yield (0xbe800000 | op << 8 | 12,)
      yield (0xbe800000 | 8 << 16 | op << 8,)
      for vdst, src in ((8, 0x102), (0, 0), (8, 2)):
         yield (0x7e000000 | vdst << 17 | op << 9 | src,)
      yield (0x7c000000 | op << 17 | 2 << 9 | 0x104,)
      for low, high in ((1 << 17 | 16 << 6 | 4, 16), (1 << 17 | 4, 16), (0, 0), (16 << 6, 0)):
         yield (0xc0000000 | op << 18 | low, high)
      for gds in (0, 1):
         for regs in (0x06030201, 0x06000201, 0x00030201, 0x201, 0x06000001, 0x06000000, 1, 0):
            for offset in (16, 0):
               yield (0xd8000000 | op << 17 | gds << 16 | offset, regs)
   for op in range(128):
      yield (0x80000000 | op << 23 | 8 << 16 | 12 << 8 | 16,)
      yield (0x80000000 | op << 23 | 12 << 8 | 16,)
      yield (0xbf000000 | op << 16 | 12 << 8 | 16,)
      yield (0xbf800000 | op << 16 | 1,)
      yield (0xbf800000 | op << 16,)
      for low, high in ((1 << 12 | 4, 0x03020402), (4, 0x03020402), (0, 0), (1 << 16, 0x03020000)):
         yield (0xe0000000 | op << 18 | low, high)
      for seg in (0, 1, 2) if gfx9 else (0,):
         for saddr in (0x7f, 0):
            for data, dst in ((0, 0), (4, 0), (0, 6), (4, 6)):
               yield (0xdc000000 | op << 18 | seg << 14, 2 | data << 8 | saddr << 16 | dst << 24)
      if gfx9:
         for low in (0x4000, 0):
            yield (0xd3800000 | op << 16 | 6 | low, 0x102 | 0x104 << 9 | 0x108 << 18 | 3 << 27)
            yield (0xd3800000 | op << 16 | 6 | low, 0x102 | 0x104 << 9 | 3 << 27)
      for glc in (0, 1 << 13):
         for mask in (1, 3, 15):
            yield (0xf0000000 | op << 18 | mask << 8 | glc, 0x00030204)
   for op in range(16):
      yield (0xe8000000 | op << (15 if chip != 'gfx600' else 16) | 1 << 19 | 1 << 12, 0x03020402)
   for op in range(4):
      yield (0xd4000000 | op << 16 | 3 << 18 | 2,)
      yield (0xd4000000 | op << 16 | 3 << 18,)
   yield (0xc400000f, 0x04030201)
   for op in range(64):
      yield (op << 25 | 3 << 17 | 2 << 9 | 0x101,)
      yield (op << 25 | 3 << 17 | 2 << 9 | 0x101, 0x42280000)
   for op in range(32):
      yield (0xb0000000 | op << 23 | 8 << 16 | 4,)
      yield (0xb0000000 | op << 23 | 8 << 16 | 0xf801,)
      yield (0xb0000000 | op << 23 | 0xf801, 0x42280000)
   for op in range(1024):
      for low, high in ((6, 0x102 | 0x104 << 9 | 0x108 << 18), (6, 0x102 | 0x104 << 9), (6, 0x102),
                        (0x806, 0x102 | 0x104 << 9 | 12 << 18), (0x806, 0x102 | 0x104 << 9),
                        (6, 0x102 | 12 << 9), (6, 14 | 12 << 9), (0, 0)):
         yield (0xd0000000 | op << 16 | low, high)


def check_opcodes(tests, program, chip, left_out):
   words = list(opcode_words(chip))
   lines = [' '.join(f'0x{byte:02x}' for word in ws for byte in word.to_bytes(4, 'little'))
            for ws in words]
   llvm = subprocess.run([MC, '-arch=amdgcn', f'-mcpu={chip}', '-disassemble', '-show-encoding'],
                         input='\n'.join(lines) + '\n', capture_output=True, text=True).stdout
   known = {}
   for text, encoding in re.findall(r'^\s*(.*?)\s*; encoding: \[(.*?)\]$', llvm, re.M):
      if 'nvalid' not in text:
         known.setdefault(re.sub(r'_e(32|64)$', '', text.split()[0]), words_of(encoding))
   ours = subprocess.run([program, '--names', chip], capture_output=True, text=True).stdout.split()
   faults, missing = [], 0
   for name, encoding in sorted(known.items()):
      reasons = [r for pattern, gens, r in left_out
                 if re.match(pattern, name) and chip[:4] in gens]
      if name in ours and reasons:
         faults.append(f'{name} is in the table, but in the list of what is not')
      elif name not in ours and not reasons:
         faults.append(f'{name} ({encoding}) is neither in the table nor in LEFT_OUT')
      missing += name not in ours
   if len(known) < 800:
      faults.append(f'LLVM knows {len(known)} instructions only')
   tests.report(f'{chip}: of {len(known)} names that LLVM knows {missing} are left out, '
                'each with a reason', faults)


def main(program, src):
   if not MC:
      print('1..0 # SKIP no llvm-mc')
      return 0
   sys.path.insert(0, src)
   from codegen.gcn.isa import LEFT_OUT
   tests = Tests()
   for chip in CHIPS:
      check_cases(tests, program, chip)
   for chip in CHIPS[1:]:
      check_opcodes(tests, program, chip, LEFT_OUT)
   print(f'1..{tests.count}')
   return bool(tests.failed)


if __name__ == '__main__':
   sys.exit(main(*sys.argv[1:]))
