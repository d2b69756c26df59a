// Copies whose sources others write come in an order that keeps them, a circle takes a swap.
// REQUIRES: phases, gcn
// RUN: %phases lower_pseudo %s | %expect %S/lower_pseudo.out
.target gfx900
b0:
   .linear -> b1
   p_start %1:s1@s0, %2:s1@s1, %3:v1@v0, %4:v1@v1 =
   p_copy %5:s1@s2, %6:s1@s1 = %2:s1@s1, %1:s1@s0 imm:65535
   p_copy %7:v1@v1, %8:v1@v0 = %3:v1@v0, %4:v1@v1 imm:65535
   p_vector %9:s2@s[4:5] = %5:s1@s2, 7 imm:65535
b1:
   .linear b0
   s_endpgm
