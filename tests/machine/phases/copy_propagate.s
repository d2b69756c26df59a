// Parts of a pair that lives on stay in it; a copy whose source is written meanwhile stays.
// REQUIRES: phases, gcn
// RUN: %phases unfix,copy_propagate %s | %expect %S/copy_propagate.out
.target gfx900
b0:
   .logical -> b1
   .linear -> b1
   p_start %1:s2@s[2:3], %2:v1@v0 =
   p_split %3:s1@s8, %4:s1@s9 = %1:s2@s[2:3] imm:10
   v_add_f32_e64 %5:v1@v1, %3:s1@s8!, %2:v1@v0
   v_add_f32_e64 %6:v1@v2, %4:s1@s9!, %2:v1@v0
   s_load_dword %7:s1@s0, %1:s2@s[2:3]!, 0x0
   p_copy %8:v1@v3 = %2:v1@v0!
   v_mov_b32_e32 %9:v1@v0, 1.0
   v_add_f32_e64 %10:v1@v2, %8:v1@v3!, %9:v1@v0!
b1:
   .logical b0
   .linear b0
   s_endpgm
