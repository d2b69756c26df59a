// The exit of the loop moves behind its body.
// REQUIRES: phases, gcn
// RUN: %phases rotate_loops %s | %expect %S/rotate_loops.out
.target gfx900
b0:
   .linear -> b1
   s_mov_b32 s0, 0
b1:
   .linear b0 b2 -> b3 b2
   .loop 1 header
   s_cmp_lt_u32 s0, s1
   .tail
   s_cbranch_scc0 b3
b2:
   .linear b1 -> b1
   .loop 1
   s_add_u32 s0, s0, 1
b3:
   .linear b1
   s_endpgm
