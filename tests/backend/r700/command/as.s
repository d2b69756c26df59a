// RUN: %heddle as --target=r700 %s -o %t.bin
// RUN: %heddle dis --target=r700 --words %t.bin | FileCheck %s
// RUN: %heddle dis --target=r700 %t.bin | %heddle as --target=r700 | cmp - %t.bin
//
// Text becomes bytes, and bytes the same text, by what the control flow says of them.

  ALU_PUSH_BEFORE 2, @4               ; three words
  TEX 0, @8 NO_BARRIER                // a fetch
  JUMP @3 POP_COUNT:1
  CF_NOP END_OF_PROGRAM
  ADD_INT T1.X, -T0.W, KC0[3].Y BS:VEC_120/SCL_212
  MULADD_IEEE * T1.Y, T1.X, literal.y, 1.0 CLAMP
  .literal 0x11, 0x3f800001
  .long 0xffffffff, 0xffffffff
  VFETCH T2.XY_0, T1.Z DATA_FORMAT:29 OFFSET:8

// CHECK:      ALU_PUSH_BEFORE 2, @4 ; 0000: a408000000000004
// CHECK-NEXT: TEX 0, @8 NO_BARRIER ; 0008: 0080000000000008
// CHECK-NEXT: JUMP @3 POP_COUNT:1 ; 0010: 8500000100000003
// CHECK-NEXT: CF_NOP END_OF_PROGRAM ; 0018: 8020000000000000
// CHECK-NEXT: ADD_INT T1.X, -T0.W, KC0[3].Y BS:VEC_120/SCL_212 ; 0020:
// CHECK-NEXT: MULADD_IEEE * T1.Y, T1.X, literal.y, 1.0 CLAMP ; 0028:
// CHECK-NEXT: .literal 0x11, 0x3f800001 ; 0030: 3f80000100000011
// CHECK-NEXT: .long 0xffffffff, 0xffffffff ; 0038: ffffffffffffffff
// CHECK-NEXT: VFETCH T2.XY_0, T1.Z DATA_FORMAT:29 OFFSET:8 ; 0040:
