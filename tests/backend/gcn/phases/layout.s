// A block that falls through needs no branch, one that does not gets it, and a condition is inverted where that saves one.
// REQUIRES: phases, gcn
// RUN: %phases layout %s | %expect %S/layout.out
.target gfx900
b0:
   .linear -> b1 b2
   s_cmp_lg_u32 s0, 0
   .tail
   s_cbranch_scc1 b1
b1:
   .linear b0 -> b3
   s_mov_b32 s1, 1
b2:
   .linear b0 -> b3
   s_mov_b32 s1, 2
b4:
   .linear b3
   s_endpgm
b3:
   .linear b1 b2 b3 -> b4 b3
   s_sub_u32 s0, s0, 1
   .tail
   s_cbranch_scc0 b4
