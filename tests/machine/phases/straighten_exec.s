// What narrows exec reads the register that a move before it makes exec; not if it makes another mask of it, or
// the move is of a constant, or a block is entered between them.
// REQUIRES: phases, gcn
// RUN: %phases straighten %s | %expect %S/straighten_exec.out
.target gfx900
b0:
   .logical -> b1
   .linear -> b1 b2
   s_mov_b64 exec, s[0:1]
   s_andn2_b64 exec, exec, s[2:3]
   v_mov_b32_e32 v0, 1
   s_mov_b64 exec, s[0:1]
   s_and_b64 exec, exec, s[2:3]
   v_mov_b32_e32 v0, 2
   s_mov_b64 exec, s[0:1]
   s_andn2_b64 s[2:3], exec, s[2:3]
   v_mov_b32_e32 v0, 3
   s_mov_b64 exec, -1
   s_and_b64 exec, exec, s[2:3]
   .tail
   s_cbranch_execz b2
b1:
   .logical b0 -> b2
   .linear b0 -> b2
   v_mov_b32_e32 v0, 4
   .tail
   s_mov_b64 exec, s[0:1]
b2:
   .logical b1
   .linear b0 b1
   .tail
   s_andn2_b64 exec, exec, s[2:3]
   v_mov_b32_e32 v1, v0
   p_end
