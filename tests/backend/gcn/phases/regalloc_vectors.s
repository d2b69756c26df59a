// The registers of a vector are for others again when all of it is there: the texel comes to where the coordinates
// were, and the second pair as well.
// REQUIRES: phases, gcn
// RUN: %phases regalloc,verify_ra %s | %expect %S/regalloc_vectors.out
.target gfx900
b0:
   p_start %1:v1@v0, %2:v1@v1, %9:s8@s[8:15], %10:s4@s[16:19] =
   v_add_f32_e32 %3:v1, %1:v1, %2:v1
   v_mul_f32_e32 %4:v1, %1:v1, %2:v1
   p_vector %5:v2 = %3:v1!, %4:v1!
   image_sample %6:v4, %5:v2!, %9:s8, %10:s4 dmask:0xf
   v_sub_f32_e32 %7:v1, %1:v1, %2:v1
   v_max_f32_e32 %8:v1, %1:v1!, %2:v1!
   p_vector %11:v2 = %7:v1!, %8:v1!
   image_sample %12:v4, %11:v2!, %9:s8!, %10:s4! dmask:0xf
   p_split %13:v1, %14:v1, %15:v1, %16:v1 = %6:v4!
   p_split %17:v1, %18:v1, %19:v1, %20:v1 = %12:v4!
   exp mrt0 %13:v1!, %14:v1!, %15:v1!, %16:v1!
   exp mrt1 %17:v1!, %18:v1!, %19:v1!, %20:v1! done vm
   s_endpgm
