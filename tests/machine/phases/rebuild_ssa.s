// Phis of one source become a copy, which has all of them; the others stay.
// REQUIRES: phases, nyuzi
// RUN: %phases rebuild_ssa %s | %expect %S/rebuild_ssa.out
.target nyuzi
b0:
   .logical -> b1
   .linear -> b1
   p_start %1:s1@s1, %2:v1@v0 =
b1:
   .logical b0 b1 -> b1 b2
   .linear b0 b3 -> b2 b3
   .loop 1 header
   p_phi %4:s1 = %1:s1, %5:s1
   add_i %5:s1 = %4:s1, 0x1
   move s31 = %5:s1
   .tail
   p_bz_flag s31 -> b2
b3:
   .linear b1 -> b1
   .loop 1
b2:
   .logical b1
   .linear b1
   p_phi %6:s1 = %5:s1
   p_phi %7:v1 = %2:v1
   store_v %7:v1, %6:s1
