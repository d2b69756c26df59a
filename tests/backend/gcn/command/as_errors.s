// RUN: not %heddle as %s 2>&1 | FileCheck %s
// RUN: not %heddle as %s -o %t.bin 2> %t
// RUN: test ! -e %t.bin
// RUN: not %heddle as < %s 2>&1 | FileCheck %s --check-prefix=STDIN
// RUN: not %heddle as --target=gfx90 %s 2>&1 | FileCheck %s --check-prefix=TARGET
//
// All faults of a text in one run, each with its line and a caret.

// CHECK:      {{.*}}as_errors.s:[[#@LINE+3]]:3: error: expected an instruction
// CHECK-NEXT:   v_add_f33 v0, v1, v2
// CHECK-NEXT:   ^~~~~~~~~
  v_add_f33 v0, v1, v2
// CHECK-NEXT: {{.*}}as_errors.s:[[#@LINE+1]]:17: error: gfx900 has no such register
  v_add_f32 v0, v256, v2
// CHECK:      {{.*}}as_errors.s:[[#@LINE+1]]:19: error: expected a number from 0 to 63
  s_waitcnt vmcnt(64)
// CHECK:      {{.*}}as_errors.s:[[#@LINE+1]]:12: error: expected a label of this text
  s_branch nowhere

// STDIN: <stdin>:12:3: error: expected an instruction
// TARGET: heddle: --target is gfx600, gfx803{{.*}}, not 'gfx90'
