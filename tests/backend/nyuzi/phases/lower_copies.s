// Copies become moves, those that form a circle by a temporary; spills become memory accesses.
// REQUIRES: phases, nyuzi
// RUN: %phases lower_copies %s | %expect %S/lower_copies.out
.target nyuzi
b0:
   .logical -> b1
   .linear -> b1
   p_start %1:s1@s1, %2:s1@s2, %3:v1@v0 =
   p_copy %4:s1@s2, %5:s1@s1 = %1:s1@s1, %2:s1@s2 imm:65535
   p_copy %6:v1@v1 = %4:s1@s2 imm:65535
   p_copy %7:v1@v2 = 0x5 imm:65535
b1:
   .logical b0
   .linear b0
   store_v %6:v1@v1, %5:s1@s1
   .tail
   p_end
