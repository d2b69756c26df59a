// Groups of what does not depend on each other: a second instruction of a channel and products of integers take the
// transcendental slot; what nothing reads behind the block is in other registers; what the group before computed is PV or PS.
// REQUIRES: phases, r700
// RUN: %phases encode %s | %expect %S/pack.out
.target r700
b0:
   ADD_INT T3.X = T2.X, T2.Y
   AND_INT T3.Y = T2.Y, T2.Z
   XOR_INT T3.Z = T2.Z, 0x12345
   MOV T3.W = CB0[5]
   MULLO_INT T2.W = T2.X, T2.Z
   ADD_INT T4.X = T3.X, T2.W
   ADD_INT T2.X = T3.Y, 0x1
   ADD_INT T5.Y = T2.X, T3.Z
   ADD_INT T2.X = T3.W, 0x2
   ADD_INT T5.X = T2.X, T4.X
   .tail
   p_end
