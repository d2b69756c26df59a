// Loads come back in order, scalar ones in any; in a loop the nearest load counts.
// REQUIRES: phases, gcn
// RUN: %phases insert_waits %s | %expect %S/insert_waits.out
.target gfx900
b0:
   .linear -> b1
   s_load_dword s0, s[4:5], 0x0
   global_load_dword v1, v0, s[2:3]
   global_load_dword v2, v0, s[2:3] offset:4
   v_add_u32_e32 v3, s0, v1
b1:
   .linear b0 b1 -> b1 b2
   .loop 1 header
   v_add_u32_e32 v3, v3, v2
   global_load_dword v2, v3, s[2:3]
   s_sub_u32 s6, s6, 1
   s_cmp_lg_u32 s6, 0
   .tail
   s_cbranch_scc1 b1
b2:
   .linear b1
   ds_read_b32 v4, v2
   s_endpgm
