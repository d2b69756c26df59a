// A push for lanes that break, and nothing else, is a clause that breaks with the lanes that its test excludes. Where they do
// something else before, it stays. The opposite of a test may have its sources the other way round, which are read in the same
// cycles as before.
// REQUIRES: phases, r700
// RUN: %phases encode %s | %expect %S/breaks.out
.target r700
b0:
   .linear -> b1
   MOV T2.X = 0x0
   .tail
   p_loop_begin
b1:
   .linear b0 b7 -> b3 b2
   .loop 1 header
   .tail
   p_push T2.X, T3.X form:3
   p_none -> b3
b2:
   .linear b1 -> b3
   .loop 1
   .tail
   p_break
b3:
   .linear b1 b2 -> b7 b4
   .loop 1
   .tail
   p_pop
   p_none -> b7
b4:
   .linear b3 -> b6 b5
   .loop 1
   AND_INT T2.Z = T2.X, 0x8
   .tail
   p_push T2.Z
   p_none -> b6
b5:
   .linear b4 -> b6
   .loop 1
   MOV T2.W = 0x7
   .tail
   p_break
b6:
   .linear b4 b5 -> b7
   .loop 1
   .tail
   p_pop
b7:
   .linear b3 b6 -> b1 b8
   .loop 1
   ADD_INT T2.X = T2.X, 0x1
   .tail
   p_loop_end -> b1
b8:
   .linear b7
   .tail
   p_end
