// A fetch waits until something reads its result, so that both are in one clause, behind all that may stand before them;
// the block that follows goes on with the clause, as nothing else comes there.
// REQUIRES: phases, r700
// RUN: %phases encode %s | %expect %S/clauses.out
.target r700
b0:
   .logical -> b1
   .linear -> b1
   LSHL_INT T2.X = T0.X, 0x2
   p_load T3.X = T2.X bits:1 form:4
   ADD_INT T2.Y = T2.X, 0x100
   p_load T3.Y = T2.Y bits:1 form:4
   MULLO_INT T2.Z = T0.X, T0.X
   MULADD_IEEE T3.Z = T3.X, T3.Y, 0x3f800000 bits:4
b1:
   .logical b0
   .linear b0
   ADD T3.W = T3.Z, T2.Z
   p_load T4.X = T3.W form:4
   p_load T4.Y = T4.X form:4
   .tail
   p_end
