# SPDX-License-Identifier: MIT
"""Blocks of SPIR-V functions in an order in which dominators come first, as the specification asks.

llvm-spirv writes them as LLVM has them, which is any order: newer ones sort.
"""
import struct

OP_FUNCTION, OP_FUNCTION_END, OP_LABEL = 54, 56, 248
OP_BRANCH, OP_BRANCH_CONDITIONAL, OP_SWITCH = 249, 250, 251


def instructions(words):
   at = 5
   while at < len(words):
      size = words[at] >> 16
      yield words[at:at + size]
      at += size


def successors(block):
   last = block[-1]
   opcode = last[0] & 0xffff
   if opcode == OP_BRANCH:
      return [last[1]]
   if opcode == OP_BRANCH_CONDITIONAL:
      return [last[2], last[3]]
   if opcode == OP_SWITCH:
      # Literals are among them if selectors have 32 bits or 64: only labels are looked up.
      return list(last[2:])
   return []


def in_order(blocks):
   """Reverse postorder; what is not reached comes last."""
   by_label = {b[0][1]: b for b in blocks}
   done, seen = [], {blocks[0][0][1]}
   stack = [(blocks[0], iter(successors(blocks[0])))]
   while stack:
      block, rest = stack[-1]
      label = next((s for s in rest if s in by_label and s not in seen), None)
      if label is None:
         done.append(block)
         stack.pop()
      else:
         seen.add(label)
         stack.append((by_label[label], iter(successors(by_label[label]))))
   return done[::-1] + [b for b in blocks if b[0][1] not in seen]


def sort_blocks(data):
   """The same module with blocks in order."""
   words = struct.unpack(f'<{len(data) // 4}I', data)
   out, blocks = list(words[:5]), None
   for i in instructions(words):
      opcode = i[0] & 0xffff
      if opcode == OP_FUNCTION:
         blocks = []
      if opcode == OP_LABEL:
         blocks.append([i])
      elif blocks and opcode != OP_FUNCTION_END:
         blocks[-1].append(i)
      else:
         if opcode == OP_FUNCTION_END:
            out += [w for b in (in_order(blocks) if blocks else []) for j in b for w in j]
            blocks = None
         out += i
   return struct.pack(f'<{len(out)}I', *out)
