// DPP: two wait states after a vector instruction that wrote what it reads of other lanes, which is its first source; five
// after one that wrote exec. The other source, and exec from a scalar instruction, need none.
// REQUIRES: phases, gcn
// RUN: %phases hazards %s | %expect %S/hazards_dpp.out
.target gfx900
b0:
   v_mov_b32_e32 v0, v9
   v_add_f32_dpp v1, v0, v2 quad_perm:[1,1,3,3] row_mask:0xf bank_mask:0xf
   v_mov_b32_e32 v3, v9
   s_mov_b32 s0, 0
   v_add_f32_dpp v4, v3, v2 row_shr:1 row_mask:0xf bank_mask:0xf
   v_mov_b32_e32 v5, v9
   v_add_f32_dpp v6, v9, v5 quad_perm:[1,1,3,3] row_mask:0xf bank_mask:0xf
   v_cmpx_lt_f32_e32 vcc, v7, v8
   v_mov_b32_e32 v10, v9
   v_mov_b32_dpp v11, v9 quad_perm:[1,1,3,3] row_mask:0xf bank_mask:0xf
   s_mov_b64 exec, -1
   v_mov_b32_dpp v12, v9 quad_perm:[1,1,3,3] row_mask:0xf bank_mask:0xf
   v_interp_mov_f32 v13, p0, attr0.x
   v_mov_b32_dpp v14, v13 quad_perm:[1,1,3,3] row_mask:0xf bank_mask:0xf
   s_endpgm
