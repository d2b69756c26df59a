// A scalar that is undefined on every way, and read by a phi, has a register all the same.
//
// RUN: %heddle compile %S/../../gcn/command/undefined_phi.hd --passes=opt_dce --check --target=nyuzi -o - | FileCheck %s
//
// CHECK: setcr
