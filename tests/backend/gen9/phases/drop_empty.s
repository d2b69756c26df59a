// A block that no lane does anything in goes, with its head and with the number that lanes were given for it: lanes are sent
// where it led.
// REQUIRES: phases, gen9
// RUN: %phases drop_empty %s | %expect %S/drop_empty.out
.target gen9
b0:
   .logical -> b1
   .linear -> b8
   p_payload %1:v1@r4 = imm:4
   shl %2:v1@r5 = %1:v1@r4, 0x2
   mov r6 = 0x0
   .tail
   p_send
b8:
   .linear b0 b13 -> b1
   .loop 1
   .tail
   p_enter
b1:
   .logical b0 b5 -> b2 b3
   .linear b8 -> b9
   .loop 1
   .condition %4:v1
   p_compare %4:v1@r7 = %1:v1@r4, %3:v1@r6 bits:5
   .tail
   p_send imm:2
   p_send_if %4:v1@r7! imm:1
b9:
   .linear b1 -> b10 b2
   .loop 1
   .tail
   p_enter imm:1
   p_none -> b10
b2:
   .logical b1 -> b6
   .linear b9 -> b14 b15
   .loop 1
   .tail
   p_send imm:5
   p_all_from imm:5 -> b14
b15:
   .linear b2 -> b10
   .loop 1
b10:
   .linear b9 b15 -> b14 b3
   .loop 1
   .tail
   p_enter imm:2
   p_none -> b14
b3:
   .logical b1 -> b4
   .linear b10 -> b11
   .loop 1
   .tail
   p_send imm:3
b11:
   .linear b3 -> b4
   .loop 1
   .tail
   p_enter imm:3
b4:
   .logical b3 -> b5
   .linear b11 -> b12
   .loop 1
   .tail
   p_send imm:4
b12:
   .linear b4 -> b5
   .loop 1
   .tail
   p_enter imm:4
b5:
   .logical b4 -> b1
   .linear b12 -> b13
   .loop 1
   add %5:v1@r6 = %3:v1@r6!, 0x1 form:1
   .tail
   p_send
b13:
   .linear b5 -> b8 b16
   .loop 1
   .tail
   p_any -> b8
b16:
   .linear b13 -> b14
   .loop 1
b14:
   .linear b2 b10 b16 -> b6
   .tail
   p_enter imm:5 bits:1
b6:
   .logical b2
   .linear b14 -> b7
   p_store %2:v1@r5!, %3:v1@r6! imm:5 bits:4
b7:
   .linear b6
   .tail
   p_end
