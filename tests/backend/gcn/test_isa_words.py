# SPDX-License-Identifier: MIT
"""Random words, decoded here and by LLVM's disassembler.

Usage: test_isa_words.py ISA_CASES SRC_CODEGEN [SAMPLES [SEED]]

What is an instruction here must be one there, of the same length, and our text must be assembled by llvm-mc to these
words. What LLVM alone decodes is held against its own assembler: where that makes other words of LLVM's text, or
refuses it, the words have bits that LLVM ignores and the manuals reserve; where it makes the same words, the
instruction has no row (LEFT_OUT of isa.py) or the operands are refused for one of REASONS. LLVM has no
disassembler for gfx6: there our text alone is assembled.
"""

import collections
import os
import random
import re
import struct
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', '..', 'scripts'))
import llvm_programs  # noqa: E402
from test_isa import CHIPS, MC, STRICTER, assemble, Tests

OBJDUMP = llvm_programs.find('llvm-objdump')
SAMPLES = 30000
LINE = re.compile(r'^\t(.*?)\s*// ([0-9A-F]+): ([0-9A-F]{8}(?: [0-9A-F]{8})*)', re.M)
# What begins the words of each format, in binary: all are met equally often.
HEADS = ('0', '10', '1011', '101111101', '101111110', '101111111', '110000', '11000', '0111111', '0111110', '110100',
         '110100111', '110110', '110111', '111000', '111010', '111100', '110101', '110001')
SHORT = ('0', '10', '1011', '101111101', '101111110', '0111111', '0111110')
NOP = 0xbf800000
# Why the same words are refused here. Beside those of test_isa.py:
REASONS = {
   **STRICTER,
   'an operand has the wrong size': 'scc, vccz and execz as 64 bits',
   'the generation does not have the instruction in this form': 'v_nop with DPP',
}
# Operands without a name here, and why.
NO_OPERANDS = {'src_lds_direct': 'a dword of LDS as m0 says: for attributes of pixels'}


def sample(rng, n):
   head, turn = HEADS[n % len(HEADS)], n // len(HEADS) % 4
   low, high = rng.getrandbits(32 - len(head)), rng.getrandbits(32)
   if turn & 1:          # many fields are zero
      high &= rng.getrandbits(32) & rng.getrandbits(32)
   if turn & 2:
      low &= rng.getrandbits(32)
   if turn == 3 and head in ('0', '0111111', '0111110'):
      low = low & ~0x1ff | rng.choice((0xf9, 0xfa, 0xff))
   # A literal is one that no constant is, and that 16 bits hold: assemblers take the others for those, or refuse them.
   sources = (low & 0xff, low >> 8 & 0xff) if head[0] == '1' else (low & 0x1ff,)
   if 0xff in sources and head in SHORT:
      high = 0x4001 | high & 0x3ffe
   return int(head, 2) << 32 - len(head) | low, high


def ends_llvm(low, high):
   """Reserved parts in the SDWA form, and from LLVM 20 on literals where the words have no place: its printer does not
   survive them."""
   vop = low >> 31 == 0 and low & 0x1ff == 0xf9
   vop3 = low >> 26 == 0b110100
   buffer = low >> 26 in (0b111000, 0b111010)
   return (vop and (7 in (high >> 8 & 7, high >> 16 & 7, high >> 24 & 7) or high >> 11 & 3 == 3)
           or vop3 and 0xff in (high & 0x1ff, high >> 9 & 0x1ff, high >> 18 & 0x1ff) or buffer and high >> 24 == 0xff)


def by_llvm(chip, samples):
   """For each: (text, number of words), or None."""
   found = [None] * len(samples)
   with tempfile.TemporaryDirectory() as folder:
      binary, code = f'{folder}/words.bin', f'{folder}/words.o'
      with open(binary, 'wb') as file:
         for words in samples:
            file.write(struct.pack('<3I', *((NOP, NOP) if ends_llvm(*words) else words), NOP))
      subprocess.run([MC, '-triple=amdgcn-amd-amdhsa', f'-mcpu={chip}', '-filetype=obj', '-o', code],
                     input=f'.incbin "{binary}"\n', text=True, check=True)
      text = subprocess.run([OBJDUMP, '-d', '-z', f'--mcpu={chip}', code], capture_output=True, text=True, check=True).stdout
   for match in LINE.finditer(text):
      n, rest = divmod(int(match[2], 16), 12)
      # What is no instruction is a .long; an operand in /* */ is none that it knows.
      if rest == 0 and not ends_llvm(*samples[n]) and not match[1].startswith('.long'):
         found[n] = re.sub(r' <.*>$', '', match[1]), len(match[3].split())
   return found


def by_heddle(program, chip, samples):
   data = b''.join(struct.pack('<2I', *words) for words in samples)
   lines = subprocess.run([program, '--decode', chip], input=data, stdout=subprocess.PIPE, check=True).stdout.decode()
   for line in lines.splitlines():
      num, _, text = line.partition('\t')
      yield (text, int(num)) if int(num) else None


def hexadecimal(words, num):
   return ''.join(f'{word:08x}' for word in words[:num])


def refusals(program, chip, texts):
   return subprocess.run([program, '--read', chip], input='\n'.join(texts) + '\n', stdout=subprocess.PIPE, text=True,
                         check=True).stdout.splitlines()


def check(tests, program, chip, left_out, count, seed):
   rng = random.Random(f'{chip} {seed}')
   samples = [sample(rng, n) for n in range(count)]
   faults, texts, theirs = [], [], []
   seen = collections.Counter()
   answers = [None] * count if chip == 'gfx600' else by_llvm(chip, samples)
   for words, own, llvm in zip(samples, by_heddle(program, chip, samples), answers):
      if own and (chip == 'gfx600' or ends_llvm(*words)):
         texts.append((words, *own))
      elif not own and not llvm:
         seen['neither'] += 1
      elif not own:
         theirs.append((words, *llvm))
      elif not llvm or own[1] != llvm[1]:
         faults.append(f'{hexadecimal(words, 2)}: {own[0]} here, {llvm} by LLVM')
      elif own[0] == llvm[0]:
         seen['the same'] += 1
      else:
         texts.append((words, *own))
   for (words, text, num), answer in zip(texts, assemble(chip, [t[1] for t in texts])):
      seen['the same, in other words'] += 1
      if not answer or answer[0] != hexadecimal(words, num):
         faults.append(f'{hexadecimal(words, num)}: {text} here, which LLVM makes {answer}')
   same = []
   for (words, text, num), answer in zip(theirs, assemble(chip, [t[1] for t in theirs])):
      name = re.sub(r'_e(32|64)$', '', text.split()[0])
      if any(re.match(pattern, name) and chip[:4] in gens for pattern, gens, _ in left_out):
         seen['left out'] += 1
      elif any(operand in text for operand in NO_OPERANDS):
         seen['left out'] += 1
      elif answer and answer[0] == hexadecimal(words, num):
         same.append((hexadecimal(words, num), text))
      else:
         seen['reserved bits'] += 1
   for (words, text), why in zip(same, refusals(program, chip, [s[1] for s in same])):
      seen['refused'] += 1
      if why not in REASONS:
         faults.append(f'{words}: {text}: {why}')
   counts = ', '.join(f'{number} {what}' for what, number in sorted(seen.items()))
   tests.report(f'{chip}: {counts}', faults)


def main(program, src, count=SAMPLES, seed=1):
   if not MC or not OBJDUMP:
      print('1..0 # SKIP no tools of LLVM 19')
      return 0
   sys.path.insert(0, src)
   from codegen.gcn.isa import LEFT_OUT
   tests = Tests()
   for chip in CHIPS:
      check(tests, program, chip, LEFT_OUT, int(count), seed)
   print(f'1..{tests.count}')
   return bool(tests.failed)


if __name__ == '__main__':
   sys.exit(main(*sys.argv[1:]))
