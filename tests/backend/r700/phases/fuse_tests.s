// A push tests what a compare of its block compares, and the compare goes if nothing else reads it; where it is negated, by
// the opposite, for which sources may change places. Floats that are not ordered have none.
// REQUIRES: phases, r700
// RUN: %phases fuse_tests %s | %expect %S/fuse_tests.out
.target r700
b0:
   .linear -> b2 b1
   SETGT_INT %1:v1 = T0.X, 0x5
   SETGE_UINT %2:v1 = T0.X, T0.Y
   SETGT_DX10 %3:v1 = T1.X, T1.Y
   SETE_DX10 %4:v1 = T1.X, T1.Y
   .tail
   p_push %1:v1
   p_none -> b2
b1:
   .linear b0 -> b2
   ADD_INT %5:v1 = %4:v1, T0.X
   p_store T0.X, %5:v1
b2:
   .linear b0 b1 -> b4 b3
   SETGE_UINT %6:v1 = T0.X, T0.Y
   .tail
   p_push %6:v1 bits:1
   p_none -> b4
b3:
   .linear b2 -> b4
b4:
   .linear b2 b3 -> b6 b5
   SETGT_DX10 %7:v1 = T1.X, T1.Y
   .tail
   p_push %7:v1 bits:1
   p_none -> b6
b5:
   .linear b4 -> b6
b6:
   .linear b4 b5
   SETE_DX10 %8:v1 = T1.X, T1.Y
   p_store T0.X, %8:v1
   .tail
   p_push %8:v1 bits:1
   p_pop
   p_end
