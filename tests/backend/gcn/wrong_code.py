# SPDX-License-Identifier: MIT
"""Machine code of clang 19 that computes something else than its source, and the instructions that do.

Each is shown to be wrong by being mended: `changes` replace those instructions in clang's assembly for gfx900 at -O2,
and nothing else. test_wrong_code.py holds that the result is right then, and was not before.
"""
import re


class WrongCode:
   """`reason` says what is wrong; changes are (text, what stands for it), each found once."""

   def __init__(self, reason, *changes):
      self.reason, self.changes = reason, changes

   def mended(self, text):
      """The assembly with the changes; None where it is not the one that they were made for."""
      for old, new in self.changes:
         old, new = lines(old), lines(new)
         if text.count(old) != 1:
            return None
         text = text.replace(old, new)
      # Changes may use a few registers behind those that clang counted.
      text = re.sub(r'(next_free_vgpr) (\d+)', lambda m: f'{m[1]} {int(m[2]) + 4}', text)
      return re.sub(r'(next_free_sgpr) (\d+)', lambda m: f'{m[1]} {max(int(m[2]), 40)}', text)


def lines(text):
   return ''.join(f'{line.strip()}\n' if line.strip().endswith(':') else f'\t{line.strip()}\n'
                  for line in text.strip().splitlines())


WRONG_CODE = {
   # Two booleans of the loop's head are read behind the loop. Each is a mask in a pair of scalar registers, and the
   # head moves the next value there for all lanes: those that have left the loop lose the one they left with.
   'cl_goto_machine': WrongCode(
      'masks that are read behind a loop change for lanes that have left it',
      ('''s_mov_b64 s[24:25], s[12:13]
          s_mov_b64 s[16:17], s[14:15]''',
       '''s_andn2_b64 s[24:25], s[24:25], exec
          s_and_b64 s[30:31], s[12:13], exec
          s_or_b64 s[24:25], s[24:25], s[30:31]
          s_andn2_b64 s[16:17], s[16:17], exec
          s_and_b64 s[30:31], s[14:15], exec
          s_or_b64 s[16:17], s[16:17], s[30:31]''')),
   # The counter is uniform and lies in a scalar register. Lanes at the end of their text skip the sum and leave, but
   # take the register after those that stay have counted.
   'word_count': WrongCode(
      'lanes that leave a loop take its counter after it has counted for those that stay',
      ('''s_mov_b64 s[12:13], -1
          s_or_b64 s[8:9], s[8:9], exec
          v_mov_b32_e32 v2, v6''',
       '''s_mov_b64 s[12:13], -1
          s_or_b64 s[8:9], s[8:9], exec
          v_mov_b32_e32 v2, v6
          v_mov_b32_e32 v13, s33'''),
      ('''v_mov_b32_e32 v1, s33
          s_or_b64 s[6:7], s[6:7], s[10:11]''',
       '''v_mov_b32_e32 v1, v13
          s_or_b64 s[6:7], s[6:7], s[10:11]'''),
      ('s_orn2_b64 s[12:13], s[16:17], exec', '''s_orn2_b64 s[12:13], s[16:17], exec
          v_mov_b32_e32 v13, s33''')),
   # |c - d| of signed bytes. In the first component a compare chooses between both differences, in the second there
   # is only one of them.
   'cl_integer_small': WrongCode(
      'abs_diff of the second component is a difference alone',
      ('''v_ffbh_u32_sdwa v12, v0 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1
          v_add_u16_e32 v8, v11, v8''',
       '''v_sub_u16_sdwa v12, v0, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1 src1_sel:BYTE_1
          v_cmp_gt_i16_sdwa vcc, sext(v2), sext(v0) src0_sel:BYTE_1 src1_sel:BYTE_1
          v_cndmask_b32_e32 v12, v12, v11, vcc
          v_add_u16_e32 v8, v12, v8
          v_ffbh_u32_sdwa v12, v0 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1''')),
}
