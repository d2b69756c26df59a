// RUN: %heddle as %s -o %t.bin
// RUN: %heddle dis --words %t.bin | FileCheck %s
// RUN: %heddle dis %t.bin | %heddle as | cmp - %t.bin
// RUN: %heddle as --target=gfx600 %s | %heddle dis --target=gfx600 --words | FileCheck %s --check-prefix=OLD
//
// Text becomes bytes, and bytes the same text: with labels of its own, and each instruction with the suffix of its form.

start:                               // a label
  v_add_f32 v0, -|v1|, s2 clamp      ; the long form, as it must be
  v_add_f32 v0, v1, v2
  s_waitcnt vmcnt(0) & lgkmcnt(1)    /* a comment
                                        of two lines */
  s_cbranch_scc1 start
  .long 0xffffffff
  s_endpgm

// CHECK:      L0:
// CHECK-NEXT: v_add_f32_e64 v0, -|v1|, s2 clamp ; 0: d1018100 20000501
// CHECK-NEXT: v_add_f32_e32 v0, v1, v2 ; 8: 02000501
// CHECK-NEXT: s_waitcnt vmcnt(0) lgkmcnt(1) ; c: bf8c0170
// CHECK-NEXT: s_cbranch_scc1 L0 ; 10: bf85fffb
// CHECK-NEXT: .long 0xffffffff ; 14:
// CHECK-NEXT: s_endpgm ; 18: bf810000

// OLD:      v_add_f32_e64 v0, -|v1|, s2 clamp ; 0: d2060900 20000501
// OLD-NEXT: v_add_f32_e32 v0, v1, v2 ; 8: 06000501
// OLD:      s_waitcnt vmcnt(0) lgkmcnt(1) ; c: bf8c0170
