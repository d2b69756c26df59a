// Wait states between a vector write of a scalar and its reader in memory, also over the end of a block.
// REQUIRES: phases, gcn
// RUN: %phases hazards %s | %expect %S/hazards.out
.target gfx900
b0:
   .linear -> b1
   v_readfirstlane_b32 s4, v0
   v_mov_b32_e32 v1, 0
   buffer_load_dword v2, v1, s[4:7], 0 offen
   v_readfirstlane_b32 s8, v0
b1:
   .linear b0
   s_mov_b32 m0, 0
   buffer_load_dword v3, v1, s[8:11], 0 offen
   s_sendmsg 3
   s_endpgm
