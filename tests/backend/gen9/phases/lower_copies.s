// Copies become moves, those that form a circle by a temporary; a phi a move at the end of each
// predecessor, before its tail. Spills stay: they are messages.
// REQUIRES: phases, gen9
// RUN: %phases lower_copies %s | %expect %S/lower_copies.out
.target gen9
b0:
   .logical -> b1 b2
   .linear -> b1 b2
   p_start %1:v1@r4, %2:v1@r5, %3:v1@r6 =
   p_copy %4:v1@r5, %5:v1@r4 = %1:v1@r4, %2:v1@r5 imm:65535
   p_copy %6:v1@r7 = 0x5 imm:65535
   .tail
   if %3:v1@r6 -> b2
b1:
   .logical b0 -> b3
   .linear b0 -> b3
   p_spill %5:v1@r4 imm:2
   .tail
   else -> b3
b2:
   .logical b0 -> b3
   .linear b0 -> b3
b3:
   .logical b1 b2
   .linear b1 b2
   p_phi %7:v1@r8 = %4:v1@r5, 0x7
   .tail
   p_end
