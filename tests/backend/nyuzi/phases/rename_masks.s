// Where the saved mask is dead when exec is restored, the two change their roles and the move goes.
// REQUIRES: phases, nyuzi
// RUN: %phases rename_masks %s | %expect %S/rename_masks.out
.target nyuzi
b0:
   .linear -> b1 b2
   cmplt_u s2 = v0, 0x8
   .tail
   p_and_save s2, s0 = s2, s0
   add_i v1 = v0, 0x1 mod0:1
   p_bz_exec s0 -> b2
b1:
   .linear b0 -> b2
   add_i v1 = v1, 0x2 mod0:1
b2:
   .linear b0 b1
   .tail
   move s0 = s2
   store_v_mask v1, s1 mod0:1
