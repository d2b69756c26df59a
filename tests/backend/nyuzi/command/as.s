// RUN: %heddle as --target=nyuzi %s -o %t.bin
// RUN: %heddle dis --target=nyuzi --words %t.bin | FileCheck %s
// RUN: %heddle dis --target=nyuzi %t.bin | %heddle as --target=nyuzi | cmp - %t.bin
//
// Text becomes bytes, and bytes the same text, with labels of its own.

start:                                // a label
  sub_f_mask v2, s2, v2, v1           ; lanes of s2
  load_gath_mask v0, s1, 8(v2)        # and these
  bnz s1, start
  b .+8
  .long 0xe0000000

// CHECK:      L0:
// CHECK-NEXT: sub_f_mask v2, s2, v2, v1 ; 0000: d6108842
// CHECK-NEXT: load_gath_mask v0, s1, 8(v2) ; 0004: bc040402
// CHECK-NEXT: bnz s1, L0 ; 0008: f5ffffc1
// CHECK-NEXT: b .+8 ; 000c: f6000002
// CHECK-NEXT: .long 0xe0000000 ; 0010: e0000000, unsupported: cache control instruction
