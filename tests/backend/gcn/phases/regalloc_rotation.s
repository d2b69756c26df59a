// A phi that is another's source lives beside it: each is where it begins, and nothing is exchanged before the loop.
// REQUIRES: phases, gcn
// RUN: %phases regalloc,verify_ra %s | %expect %S/regalloc_rotation.out
.target gfx900
b0:
   .logical -> b1
   .linear -> b1
   p_start %1:s1@s8, %2:v1@v0, %3:v1@v1 =
b1:
   .logical b0 b2 -> b2 b3
   .linear b0 b2 -> b3 b2
   .loop 1 header
   .condition src_scc uniform
   p_phi %4:s1 = 0, %7:s1
   p_phi %5:v1 = %2:v1, %6:v1
   p_phi %6:v1 = %3:v1, %8:v1
   .tail
   s_cmp_lt_i32 %4:s1, %1:s1
   s_cbranch_scc0 b3
b2:
   .logical b1 -> b1
   .linear b1 -> b1
   .loop 1
   v_add_f32_e32 %8:v1, %5:v1!, %6:v1
   s_add_u32 %7:s1, %4:s1!, 1
b3:
   .logical b1
   .linear b1
   v_mov_b32_e32 %9:v1, 0
   p_vector %10:v2 = %5:v1!, %6:v1!
   ds_write_b64 %9:v1!, %10:v2!
   s_endpgm
