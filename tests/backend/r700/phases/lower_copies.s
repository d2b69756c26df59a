// Copies become moves, those that form a circle by a register of lowering; a phi a move at the end of each
// predecessor, before its tail.
// REQUIRES: phases, r700
// RUN: %phases lower_copies %s | %expect %S/lower_copies.out
.target r700
b0:
   .logical -> b1 b2
   .linear -> b3 b1
   p_copy %4:v1@T2.Y, %5:v1@T2.X = T2.X, T2.Y imm:65535
   p_copy %6:v1@T2.Z = 0x5 imm:65535
   SETGT_INT %3:v1@T3.X = 0x7, T0.X
   .tail
   p_push %3:v1@T3.X
   p_none -> b3
b1:
   .logical b0 -> b4
   .linear b0 -> b3
   ADD_INT %8:v1@T3.W = %5:v1@T2.X, CB0[19]
b3:
   .linear b0 b1 -> b5 b2
   .tail
   p_invert
   p_none -> b5
b2:
   .logical b0 -> b4
   .linear b3 -> b5
b5:
   .linear b3 b2 -> b4
   .tail
   p_pop
b4:
   .logical b1 b2
   .linear b5
   p_phi %7:v1@T3.Z = %8:v1@T3.W, 0x7
   .tail
   p_end
