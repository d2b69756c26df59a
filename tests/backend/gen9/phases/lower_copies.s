// Copies become moves, those that form a circle by a temporary; a phi a move at the end of each
// predecessor, before its tail. Scalars have a temporary of their own. Spills stay: they are messages.
// REQUIRES: phases, gen9
// RUN: %phases lower_copies %s | %expect %S/lower_copies.out
.target gen9
b0:
   .logical -> b1 b2
   .linear -> b1 b2
   p_start %1:v1@r9, %2:v1@r10, %3:v1@r11 =
   p_copy %4:v1@r10, %5:v1@r9 = %1:v1@r9, %2:v1@r10 imm:65535
   p_copy %6:v1@r12 = 0x5 imm:65535
   p_copy %8:s1@u1, %9:s1@u0 = u66, u67 imm:65535
   p_copy %10:s1@u0, %11:s1@u1, %12:v1@r14 = %8:s1@u1, %9:s1@u0, %9:s1@u0 imm:65535
   .tail
   if %3:v1@r11 -> b2
b1:
   .logical b0 -> b3
   .linear b0 -> b3
   p_spill %5:v1@r9 imm:2
   .tail
   else -> b3
b2:
   .logical b0 -> b3
   .linear b0 -> b3
b3:
   .logical b1 b2
   .linear b1 b2
   p_phi %7:v1@r13 = %4:v1@r10, 0x7
   .tail
   p_end
