// Slots become accesses, each to the address of its own.
// REQUIRES: phases, gcn
// RUN: %phases note_slots,lower_pseudo,verify_slots %s | %expect %S/verify_slots.out
.target gfx900
.scratch 8
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
