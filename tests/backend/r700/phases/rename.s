// What nothing reads behind the pending instructions is renamed, also where only another arm writes its register again. Not
// renamed: T2.Y, which b3 reads for lanes that do not go through b1; T3.X, which a fetch of the clause after reads.
// REQUIRES: phases, r700
// RUN: %phases encode %s | %expect %S/rename.out
.target r700
b0:
   .logical -> b1 b2
   .linear -> b1 b2
   ADD_INT T2.X = T0.X, 0x1
   ADD_INT T2.Y = T0.X, 0x2
   ADD_INT T2.Z = T2.X, T2.Y
   ADD_INT T3.X = T2.Z, 0x3
   p_load T4.X = T3.X bits:1 form:4
   ADD_INT T3.Y = T3.X, 0x4
   ADD_INT T3.Z = T3.Y, T4.X
   p_push T3.Z form:0
   .tail
   p_none -> b2
b1:
   .logical b0 -> b3
   .linear b0 -> b2
   ADD_INT T2.Y = T0.X, 0x5
   p_store T0.X, T2.Y
   MOV T2.Y = 0x6
b2:
   .logical b0 -> b3
   .linear b0 b1 -> b3
   .tail
   p_pop
b3:
   .logical b1 b2
   .linear b2
   p_store T0.X, T2.Y
   .tail
   p_end
