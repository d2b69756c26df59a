// gfx6: a store reads its data late, and vccz is spoiled by a scalar load in flight.
// REQUIRES: phases, gcn
// RUN: %phases insert_waits %s | %expect %S/insert_waits_gfx6.out
.target gfx600
b0:
   .linear -> b1 b2
   buffer_store_dword v1, v0, s[4:7], 0 offen
   v_mov_b32_e32 v1, 0
   s_load_dword s0, s[8:9], 0x0
   v_cmp_lt_u32_e32 vcc, v0, v1
   .tail
   s_cbranch_vccz b2
b1:
   .linear b0
   s_endpgm
b2:
   .linear b0
   s_endpgm
