// Blocks without instructions go, a branch to a branch goes where that goes, p_end ends the wave.
// REQUIRES: phases, gcn
// RUN: %phases straighten %s | %expect %S/straighten.out
.target gfx900
b0:
   .logical -> b1 b2
   .linear -> b1 b2
   s_cmp_lg_u32 s0, 0
   .tail
   s_cbranch_scc0 b2
b1:
   .logical b0 -> b3
   .linear b0 -> b3
b2:
   .logical b0 -> b3
   .linear b0 -> b3
b3:
   .logical b1 b2 -> b4
   .linear b1 b2 -> b4
b4:
   .logical b3
   .linear b3
   s_mov_b32 s1, s0
   .tail
   p_end
