// The 64-bit form becomes the 32-bit one where its result can be vcc or its constant can be elsewhere.
// REQUIRES: phases, gcn
// RUN: %phases shrink %s | %expect %S/shrink.out
.target gfx900
b0:
   v_add_f32_e64 v0, v1, v2
   v_add_f32_e64 v0, v1, -v2
   v_add_f32_e64 v0, v1, s2
   v_cmp_lt_u32_e64 vcc, v0, v1
   v_cmp_lt_u32_e64 s[4:5], v0, v1
   s_add_u32 s0, s0, 0x7fff
   s_mov_b32 s1, 0xffff8000
   s_mov_b64 s[6:7], s[4:5]
   s_endpgm
