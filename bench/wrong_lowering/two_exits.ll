; SPDX-License-Identifier: MIT
;
; A loop that is left for the next pass of the outer one by some lanes, and for good by others,
; from different blocks.
target datalayout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()

define amdgpu_kernel void @main(ptr addrspace(1) %out, ptr addrspace(1) %in) "amdgpu-flat-work-group-size"="64,64" {
start:
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %before = mul i32 %group, 64
  %at = add i32 %before, %lane
  %firstw = zext i32 %at to i64
  %firsta = getelementptr i32, ptr addrspace(1) %in, i64 %firstw
  %first = load i32, ptr addrspace(1) %firsta, align 4
  %t2 = mul i32 %first, 3
  %t3 = add i32 %t2, 1000
  br label %b1

b1:
  %x.0 = phi i32 [ %t3, %start ], [ %t25, %b4 ]
  %n.0 = phi i32 [ 0, %start ], [ %t27, %b4 ]
  %t5 = mul i32 %x.0, 5
  %t6 = add i32 %t5, 1001
  br label %b2

b2:
  %x.1 = phi i32 [ %t6, %b1 ], [ %t36, %b6 ], [ %t17, %b3 ]
  %n.1 = phi i32 [ %n.0, %b1 ], [ %t27, %b6 ], [ %t19, %b3 ]
  %t8 = mul i32 %x.1, 7
  %t9 = add i32 %t8, 1002
  %t11 = add i32 %n.1, 1
  %t12 = lshr i32 %t9, 28
  %t13 = add i32 %t12, %n.1
  %t14 = icmp ult i32 %t13, 12
  br i1 %t14, label %b4, label %b3

b3:
  %t16 = mul i32 %t9, 9
  %t17 = add i32 %t16, 1003
  %t19 = add i32 %t11, 1
  %t20 = lshr i32 %t17, 28
  %t21 = add i32 %t20, %t11
  %t22 = icmp ult i32 %t21, 12
  br i1 %t22, label %b2, label %b5

b4:
  %t24 = mul i32 %t9, 11
  %t25 = add i32 %t24, 1004
  %t27 = add i32 %t11, 1
  %t28 = lshr i32 %t25, 28
  %t29 = add i32 %t28, %t11
  %t30 = icmp ult i32 %t29, 12
  br i1 %t30, label %b6, label %b1

b5:
  %t32 = mul i32 %t17, 13
  %t33 = add i32 %t32, 1005
  %t38 = mul i32 %t33, 17
  %t39 = add i32 %t38, 1007
  %r7w = zext i32 %at to i64
  %r7a = getelementptr i32, ptr addrspace(1) %out, i64 %r7w
  store i32 %t39, ptr addrspace(1) %r7a, align 4
  ret void

b6:
  %t35 = mul i32 %t25, 15
  %t36 = add i32 %t35, 1006
  br label %b2
}
