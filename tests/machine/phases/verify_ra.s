// A value whose register is overwritten before its last use is found, and by whom.
// REQUIRES: phases, nyuzi
// RUN: not %phases verify_ra %s 2>&1 | FileCheck %s
// CHECK: block 0, add_i: the register was overwritten (value 3, register 2)
// CHECK: refused by verify_ra
.target nyuzi
b0:
   .logical -> b1
   .linear -> b1
   p_start %1:s1@s1, %2:v1@v0 =
   p_const %3:s1@s2 = imm:5
   add_i %4:s1@s2 = %3:s1@s2, 0x1
   store_32 %4:s1@s2!, %1:s1@s1
   store_32 %3:s1@s2!, %1:s1@s1!
b1:
   .logical b0
   .linear b0
