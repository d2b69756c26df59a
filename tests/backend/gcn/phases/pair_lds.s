// Two loads of one address, two stores of one; what may alias, is too far or waits stays.
// REQUIRES: phases, gcn
// RUN: %phases pair_lds %s | %expect %S/pair_lds.out
.target gfx900
b0:
   .logical -> b1
   .linear -> b1
   p_start %1:v1@v0, %2:v1@v1 =
   // Neighbours in no order; the second moves up.
   ds_read_b32 %3:v1, %1:v1 offset:36
   v_add_u32_e32 %4:v1, 1, %2:v1
   ds_read_b32 %5:v1, %1:v1 offset:4
   // Another address stays.
   ds_read_b32 %6:v1, %2:v1 offset:8
   // A store ends what loads may move across.
   ds_read_b64 %7:v2, %1:v1 offset:64
   ds_write_b32 %2:v1, %3:v1
   ds_read_b64 %8:v2, %1:v1 offset:128
   // The first moves down across one that is elsewhere.
   ds_write_b32 %1:v1, %3:v1 offset:16
   ds_write_b32 %1:v1, %5:v1 offset:20
   // The same bytes: the first stays where it is.
   ds_write_b32 %2:v1, %5:v1 offset:16
   ds_write_b32 %2:v1, %6:v1 offset:16
   ds_write_b32 %2:v1, %4:v1 offset:32
   // Across a barrier nothing moves.
   ds_read_b32 %9:v1, %1:v1
   s_barrier
   ds_read_b32 %10:v1, %1:v1 offset:4
   // Too far for the offsets: an addition serves two pairs.
   ds_read_b32 %11:v1, %2:v1 offset:4096
   ds_read_b32 %12:v1, %2:v1 offset:4132
   ds_read_b32 %13:v1, %2:v1 offset:4168
   ds_read_b32 %14:v1, %2:v1 offset:4204
   // And one pair is not worth it.
   ds_read_b32 %15:v1, %1:v1 offset:8192
   ds_read_b32 %16:v1, %1:v1 offset:8200
   // Far apart by multiples of 64 elements; and not.
   ds_write_b64 %1:v1, %7:v2 offset:1024
   ds_write_b64 %1:v1, %8:v2 offset:9216
   ds_read_b32 %17:v1, %2:v1
   ds_read_b32 %18:v1, %2:v1 offset:16384
   ds_read_b32 %19:v1, %1:v1 offset:512
   ds_read_b32 %20:v1, %1:v1 offset:8196
b1:
   .logical b0
   .linear b0
   s_endpgm
