// Phis and their sources share registers, the fixed one keeps its place, what dies makes room.
// REQUIRES: phases, nyuzi
// RUN: %phases regalloc,verify_ra %s | %expect %S/regalloc.out
.target nyuzi
b0:
   .logical -> b1
   .linear -> b1
   p_start %1:s1@s1, %2:v1@v0 =
   p_const %3:s1 = imm:0
b1:
   .logical b0 b1 -> b1 b2
   .linear b0 b3 -> b2 b3
   .loop 1 header
   p_phi %4:s1 = %3:s1, %5:s1
   p_phi %6:v1 = %2:v1, %7:v1
   add_i %5:s1 = %4:s1, 0x1
   add_i %7:v1 = %6:v1, %5:s1
   cmpge_u %8:s1 = %5:s1, 0x40
   move s31 = %8:s1
   .tail
   p_bnz_flag s31 -> b2
b3:
   .linear b1 -> b1
   .loop 1
b2:
   .logical b1
   .linear b1
   store_v %7:v1, %1:s1
