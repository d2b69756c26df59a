// Neighbours of memory that may be written stay as they are; what becomes one load is in backend/gcn/merge_smem.hd.
// REQUIRES: phases, gcn
// RUN: %phases merge_smem %s | %expect %S/merge_smem.out
.target gfx900
b0:
   .logical -> b1
   .linear -> b1
   p_start %1:s4@s[0:3], %2:s4@s[4:7] =
   s_buffer_load_dwordx4 %4:s4, %1:s4, 0x40
   s_buffer_load_dwordx4 %5:s4, %1:s4, 0x50
   s_buffer_load_dwordx4 %6:s4, %2:s4, 0x60
b1:
   .logical b0
   .linear b0
   s_endpgm
