// Scratch memory of one dword, and two slots; spills that nothing lowered.
// REQUIRES: phases, gcn
// RUN: not %phases note_slots,lower_pseudo,verify_slots %s 2>&1 | FileCheck %s
// CHECK: block 0, buffer_store_dword: past the end of scratch memory (4, not 4)
// CHECK: refused by verify_slots
// RUN: not %phases note_slots,verify_slots %s 2>&1 | FileCheck %s --check-prefix=LEFT
// LEFT: block 0, end: dwords without an access (0, not 4)
.target gfx900
.scratch 4
.slots 2
b0:
   .linear -> b1
   p_start %1:v1@v0, %2:s4@s[0:3], %3:s1@s6, %4:s2@s[4:5] =
   p_spill %1:v1@v0!, %2:s4@s[0:3], %3:s1@s6
   v_mov_b32_e32 %5:v1@v0, 1.0
   p_spill %5:v1@v0!, %2:s4@s[0:3], %3:s1@s6 imm:1
   p_reload %1:v1@v1 = %2:s4@s[0:3], %3:s1@s6
   p_reload %5:v1@v2 = %2:s4@s[0:3]!, %3:s1@s6! imm:1
   v_add_f32_e32 %6:v1@v3, %1:v1@v1!, %5:v1@v2!
   global_store_dword %6:v1@v3!, %6:v1@v3, %4:s2@s[4:5]!
b1:
   .linear b0
   s_endpgm
