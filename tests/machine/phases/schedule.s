// A load is issued before the arithmetic that does not need it.
// REQUIRES: phases, gcn
// RUN: %phases schedule %s | %expect %S/schedule.out
.target gfx900
b0:
   .logical -> b1
   .linear -> b1
   p_start %1:s2@s[4:5], %2:v1@v0 =
   v_add_u32_e32 %3:v1, 1, %2:v1
   v_mul_u32_u24_e32 %4:v1, %3:v1, %3:v1
   v_xor_b32_e32 %5:v1, %4:v1, %2:v1
   s_load_dword %6:s1, %1:s2, 0x0
   v_add_u32_e32 %7:v1, %6:s1, %5:v1
   v_lshlrev_b32_e32 %8:v1, 2, %2:v1
   global_store_dword %8:v1, %7:v1, %1:s2
b1:
   .logical b0
   .linear b0
   s_endpgm
