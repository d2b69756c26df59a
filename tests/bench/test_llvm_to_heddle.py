#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""LLVM IR that the bench converts: each construct is converted, validated and run, and what it stores
must be what the language reference of LLVM says; what is not read is told with its line.

    test_llvm_to_heddle.py HEDDLE ROOT
"""
import os
import re
import struct
import subprocess
import sys
import tempfile

TOOL, ROOT = sys.argv[1], sys.argv[2]
sys.path[:0] = [os.path.join(ROOT, 'bench'), os.path.join(ROOT, 'tests', 'house')]
import llvm_ir  # noqa: E402
import llvm_to_heddle  # noqa: E402
from tap import Tap  # noqa: E402


def f32(number):
   return struct.unpack('<I', struct.pack('<f', number))[0]


A, B = 0xfffffff0, 7    # -16 and 7
STEP = 64               # bytes of memory of a case

# (code over i32 %a and %b, the type of %r, what %r is as a number without sign)
VALUES = [
   ('%r = add nuw nsw i32 %a, %b', 'i32', 0xfffffff7),
   ('%r = sub i32 %b, %a', 'i32', 23),
   ('%r = mul i32 %a, %b', 'i32', (-112) & 0xffffffff),
   ('%r = udiv i32 %a, %b', 'i32', 0xfffffff0 // 7),
   ('%r = sdiv exact i32 %a, 4', 'i32', (-4) & 0xffffffff),
   ('%r = sdiv i32 %a, %b', 'i32', (-2) & 0xffffffff),
   ('%r = urem i32 %a, %b', 'i32', 0xfffffff0 % 7),
   ('%r = srem i32 %a, %b', 'i32', (-2) & 0xffffffff),
   ('%r = shl i32 %b, 3', 'i32', 56),
   ('%r = lshr i32 %a, %b', 'i32', 0xfffffff0 >> 7),
   ('%r = ashr i32 %a, 2', 'i32', (-4) & 0xffffffff),
   ('%r = and i32 %a, 48', 'i32', 48),
   ('%r = or disjoint i32 %a, %b', 'i32', 0xfffffff7),
   ('%r = xor i32 %a, -1', 'i32', 15),
   ('%x = zext i32 %a to i64 %y = shl i64 %x, 8 %r = add i64 %y, 1', 'i64', 0xfffffff001),
   ('%x = sext i32 %a to i64 %r = lshr i64 %x, 60', 'i64', 15),
   ('%r = zext nneg i32 %b to i64', 'i64', 7),
   ('%r = trunc i32 %a to i8', 'i8', 0xf0),
   ('%x = trunc i32 %b to i1 %r = zext i1 %x to i32', 'i32', 1),
   ('%x = icmp slt i32 %a, %b %r = sext i1 %x to i32', 'i32', 0xffffffff),
   ('%x = trunc i32 %a to i16 %r = sext i16 %x to i32', 'i32', 0xfffffff0),
   # Odd sizes, in which closed forms of sums come.
   ('%x = zext i32 %a to i33 %y = mul i33 %x, %x %z = lshr i33 %y, 1 %r = trunc i33 %z to i32', 'i32',
    ((0xfffffff0 * 0xfffffff0) % 2**33 >> 1) & 0xffffffff),
   ('%x = trunc i32 %a to i5 %r = sext i5 %x to i32', 'i32', 0xfffffff0),
   ('%x = trunc i32 %a to i7 %y = trunc i32 %b to i7 %z = icmp slt i7 %x, %y %r = zext i1 %z to i32', 'i32', 1),
   ('%x = trunc i32 %a to i7 %y = ashr i7 %x, 2 %r = zext i7 %y to i32', 'i32', 0x7c),
   # Compares.
   *((f'%x = icmp {p} i32 %a, %b %r = zext i1 %x to i32', 'i32', int(t)) for p, t in (
      ('eq', 0), ('ne', 1), ('slt', 1), ('sle', 1), ('sgt', 0), ('sge', 0), ('ult', 0), ('ule', 0), ('ugt', 1),
      ('uge', 1))),
   *((f'%x = sitofp i32 %a to float %y = sitofp i32 %b to float %k = fcmp {p} float %x, %y '
      '%r = zext i1 %k to i32', 'i32', int(t)) for p, t in (
         ('oeq', 0), ('one', 1), ('olt', 1), ('ole', 1), ('ogt', 0), ('oge', 0), ('ord', 1), ('uno', 0), ('ueq', 0),
         ('une', 1), ('ult', 1), ('ule', 1), ('ugt', 0), ('uge', 0), ('true', 1), ('false', 0))),
   *((f'%k = fcmp {p} float 0x7FF8000000000000, 1.0 %r = zext i1 %k to i32', 'i32', int(t)) for p, t in (
         ('oeq', 0), ('one', 0), ('olt', 0), ('oge', 0), ('ord', 0), ('uno', 1), ('ueq', 1), ('une', 1), ('ult', 1),
         ('uge', 1))),
   ('%x = icmp eq i32 %a, 4 %r = select i1 %x, i32 1, i32 %b', 'i32', 7),
   # Floats. The decimal ones and the hexadecimal ones, which are doubles.
   ('%r = fadd float 1.500000e+00, 0x3FB99999A0000000', 'float', f32(1.6)),
   ('%x = uitofp i32 %b to float %r = fdiv float %x, 2.0', 'float', f32(3.5)),
   ('%x = sitofp i32 %a to float %r = fneg float %x', 'float', f32(16)),
   ('%x = sitofp i32 %a to double %y = fmul double %x, 0.5 %r = fptosi double %y to i32', 'i32', 0xfffffff8),
   ('%x = uitofp i32 %a to double %r = fptoui double %x to i32', 'i32', 0xfffffff0),
   ('%x = fptrunc double 3.0 to float %y = fpext float %x to double %r = fptoui double %y to i64', 'i64', 3),
   ('%r = fptrunc float 1.0 to half', 'half', 0x3c00),
   ('%x = icmp ne i32 %a, 0 %r = uitofp i1 %x to float', 'float', f32(1)),
   ('%x = icmp ne i32 %a, 0 %r = sitofp i1 %x to float', 'float', f32(-1)),
   ('%r = bitcast float 1.0 to i32', 'i32', 0x3f800000),
   ('%r = fsub float 0x36A0000000000000, 0x36A0000000000000', 'float', 0),
   ('%r = fadd float 0x36A0000000000000, 0.0', 'float', 1),
   # Intrinsics.
   *((f'%r = call i32 @llvm.{name}(i32 %a, i32 %b)', 'i32', value) for name, value in (
      ('umin.i32', 7), ('umax.i32', A), ('smin.i32', A), ('smax.i32', 7), ('uadd.sat.i32', 0xfffffff7),
      ('usub.sat.i32', 0xffffffe9), ('sadd.sat.i32', 0xfffffff7), ('ssub.sat.i32', 0xffffffe9),
      ('scmp.i32.i32', 0xffffffff), ('ucmp.i32.i32', 1))),
   ('%r = call i32 @llvm.abs.i32(i32 %a, i1 false)', 'i32', 16),
   ('%r = call i32 @llvm.ctpop.i32(i32 %a)', 'i32', 28),
   ('%r = call i32 @llvm.ctlz.i32(i32 %b, i1 true)', 'i32', 29),
   ('%r = call i32 @llvm.ctlz.i32(i32 0, i1 false)', 'i32', 32),
   ('%r = call i64 @llvm.ctlz.i64(i64 1, i1 false)', 'i64', 63),
   ('%r = call i32 @llvm.cttz.i32(i32 %a, i1 true)', 'i32', 4),
   ('%r = call i32 @llvm.cttz.i32(i32 0, i1 false)', 'i32', 32),
   ('%r = call i8 @llvm.ctlz.i8(i8 0, i1 false)', 'i8', 8),
   ('%r = call i32 @llvm.bitreverse.i32(i32 %b)', 'i32', 0xe0000000),
   ('%x = trunc i32 %b to i4 %y = shl i4 %x, 1 %z = call i4 @llvm.bitreverse.i4(i4 %y) %r = zext i4 %z to i32', 'i32', 7),
   ('%r = call i32 @llvm.bswap.i32(i32 305419896)', 'i32', 0x78563412),
   ('%r = call i16 @llvm.bswap.i16(i16 4660)', 'i16', 0x3412),
   ('%r = call i32 @llvm.fshl.i32(i32 %a, i32 %a, i32 %b)', 'i32', 0xfffff87f),
   ('%r = call i32 @llvm.fshr.i32(i32 %a, i32 %a, i32 4)', 'i32', 0x0fffffff),
   ('%r = call i32 @llvm.fshl.i32(i32 %b, i32 %a, i32 8)', 'i32', 0x7ff),
   ('%r = call i32 @llvm.fshl.i32(i32 %b, i32 %a, i32 32)', 'i32', 7),
   ('%r = call i32 @llvm.fshl.i32(i32 %b, i32 %a, i32 %b)', 'i32', 7 << 7 | 0x7f),
   ('%x = add i32 %b, 25 %r = call i32 @llvm.fshl.i32(i32 %b, i32 %a, i32 %x)', 'i32', 7),
   ('%r = call i32 @llvm.fshr.i32(i32 %b, i32 %a, i32 8)', 'i32', 0x07ffffff),
   ('%x = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %a, i32 16) '
    '%y = extractvalue { i32, i1 } %x, 0 %z = extractvalue { i32, i1 } %x, 1 '
    '%w = zext i1 %z to i32 %r = or i32 %w, %y', 'i32', 1),
   *((f'%x = call {{ i32, i1 }} @llvm.{name}.with.overflow.i32(i32 %a, i32 %b) '
      '%z = extractvalue { i32, i1 } %x, 1 %r = zext i1 %z to i32', 'i32', value) for name, value in (
         ('uadd', 0), ('usub', 0), ('umul', 1), ('sadd', 0), ('ssub', 0), ('smul', 0))),
   ('%x = call { i32, i1 } @llvm.smul.with.overflow.i32(i32 %a, i32 268435456) '
    '%z = extractvalue { i32, i1 } %x, 1 %r = zext i1 %z to i32', 'i32', 1),
   ('%x = call { i32, i1 } @llvm.usub.with.overflow.i32(i32 %b, i32 %a) '
    '%r = extractvalue { i32, i1 } %x, 0', 'i32', 23),
   ('%r = call float @llvm.fma.f32(float 2.0, float 3.0, float 1.0)', 'float', f32(7)),
   ('%r = call float @llvm.sqrt.f32(float 2.25)', 'float', f32(1.5)),
   ('%r = call float @llvm.fabs.f32(float -2.25)', 'float', f32(2.25)),
   ('%r = call float @llvm.minnum.f32(float -2.25, float 1.0)', 'float', f32(-2.25)),
   ('%r = call float @llvm.maxnum.f32(float -2.25, float 0x7FF8000000000000)', 'float', f32(-2.25)),
   ('%r = call float @llvm.copysign.f32(float 2.5, float -1.0)', 'float', f32(-2.5)),
   ('%r = call float @llvm.floor.f32(float -2.5)', 'float', f32(-3)),
   ('%r = call float @llvm.rint.f32(float 2.5)', 'float', f32(2)),
   ('%r = call float @llvm.ldexp.f32.i32(float 2.5, i32 %b)', 'float', f32(320)),
   ('%r = call float @llvm.amdgcn.fmed3.f32(float 2.5, float 1.0, float 9.0)', 'float', f32(2.5)),
   ('%x = call i1 @llvm.is.fpclass.f32(float 0x7FF8000000000000, i32 3) %r = zext i1 %x to i32', 'i32', 1),
   ('%x = call i1 @llvm.is.fpclass.f32(float 0xFFF0000000000000, i32 516) %r = zext i1 %x to i32', 'i32', 1),
   # Copies.
   ('%r = freeze i32 %a', 'i32', A),
   ('%x = freeze i32 undef %r = and i32 %x, 0', 'i32', 0),
   ('%x = bitcast i32 %a to i32 %r = add i32 %x, 1', 'i32', A + 1),
   # Vectors.
   ('%x = insertelement <2 x i32> poison, i32 %a, i64 0 %y = insertelement <2 x i32> %x, i32 %b, i64 1 '
    '%z = add <2 x i32> %y, <i32 1, i32 2> %r = extractelement <2 x i32> %z, i32 1', 'i32', 9),
   ('%x = insertelement <4 x i32> zeroinitializer, i32 5, i32 %c %r = extractelement <4 x i32> %x, i32 %c', 'i32', 5),
   ('%x = insertelement <2 x i32> poison, i32 %a, i64 0 '
    '%y = shufflevector <2 x i32> %x, <2 x i32> <i32 3, i32 4>, <3 x i32> <i32 0, i32 3, i32 2> '
    '%r = extractelement <3 x i32> %y, i32 1', 'i32', 4),
   ('%x = shufflevector <2 x i32> <i32 8, i32 9>, <2 x i32> poison, <4 x i32> zeroinitializer '
    '%r = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %x)', 'i32', 32),
   ('%x = icmp ult <2 x i32> <i32 1, i32 5>, splat (i32 3) %y = select <2 x i1> %x, <2 x i32> <i32 1, i32 2>, '
    '<2 x i32> <i32 3, i32 4> %r = extractelement <2 x i32> %y, i32 1', 'i32', 4),
   ('%x = icmp ult i32 %b, 8 %y = select i1 %x, <2 x i32> <i32 1, i32 2>, <2 x i32> zeroinitializer '
    '%r = extractelement <2 x i32> %y, i32 1', 'i32', 2),
   ('%r = bitcast <2 x i32> <i32 1, i32 2> to i64', 'i64', 0x200000001),
   ('%x = bitcast i32 %a to <4 x i8> %y = extractelement <4 x i8> %x, i32 0 %r = zext i8 %y to i32', 'i32', 0xf0),
   ('%x = bitcast <2 x i16> <i16 1, i16 2> to <4 x i8> %r = bitcast <4 x i8> %x to i32', 'i32', 0x20001),
   # Variables.
   ('%p = alloca i32 store i32 %a, ptr %p store i32 %b, ptr %p %r = load i32, ptr %p', 'i32', 7),
   ('%p = alloca i1 store i1 true, ptr %p %x = load i1, ptr %p %r = zext i1 %x to i32', 'i32', 1),
   ('%p = alloca [4 x i32] %q = getelementptr inbounds [4 x i32], ptr %p, i64 0, i64 2 '
    'store i32 %a, ptr %q %s = getelementptr i8, ptr %p, i64 8 %r = load i32, ptr %s', 'i32', A),
   ('%p = alloca [4 x i32] %q = getelementptr [4 x i32], ptr %p, i64 0, i32 %c store i32 %a, ptr %q '
    '%s = getelementptr i32, ptr %q, i64 -1 store i32 %b, ptr %s '
    '%t = getelementptr i32, ptr %p, i64 1 %r = load i32, ptr %t', 'i32', 7),
   ('%p = alloca [3 x [5 x i16]] %q = getelementptr [3 x [5 x i16]], ptr %p, i64 0, i32 %c, i64 4 '
    'store i16 9, ptr %q %s = getelementptr i16, ptr %p, i64 14 %r = load i16, ptr %s', 'i16', 9),
   ('%p = alloca [2 x { i8, float }] %q = getelementptr [2 x { i8, float }], ptr %p, i64 0, i64 1, i32 1 '
    'store float 2.0, ptr %q %s = getelementptr i8, ptr %p, i64 12 %r = load float, ptr %s', 'float', f32(2)),
   ('%p = alloca <4 x float> store <4 x float> <float 1.0, float 2.0, float 3.0, float 4.0>, ptr %p '
    '%x = load <4 x float>, ptr %p %r = extractelement <4 x float> %x, i64 3', 'float', f32(4)),
   ('%p = alloca { i32, [2 x i32] } call void @llvm.memset.p0.i64(ptr %p, i8 1, i64 12, i1 false) '
    '%q = getelementptr { i32, [2 x i32] }, ptr %p, i64 0, i32 1, i64 1 %r = load i32, ptr %q', 'i32', 0x01010101),
   ('%p = alloca { i32, i32 } %q = alloca { i32, i32 } store i32 %a, ptr %p %s = getelementptr i32, ptr %p, i64 1 '
    'store i32 %b, ptr %s call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 8, i1 false) '
    '%t = getelementptr i32, ptr %q, i64 1 %r = load i32, ptr %t', 'i32', 7),
   ('%p = alloca [4 x i32] call void @llvm.memcpy.p0.p4.i64(ptr %p, ptr addrspace(4) @table, i64 16, i1 false) '
    '%q = getelementptr i32, ptr %p, i64 3 %r = load i32, ptr %q', 'i32', 40),
   ('%p = alloca [4 x i32] %s = alloca ptr %q = getelementptr i32, ptr %p, i32 %c store ptr %q, ptr %s '
    '%t = load ptr, ptr %s store i32 %a, ptr %t %u = load ptr, ptr %s %v = getelementptr i32, ptr %u, i64 -1 '
    'store i32 %b, ptr %v %w = getelementptr i32, ptr %p, i64 2 %x = load i32, ptr %w '
    '%y = getelementptr i32, ptr %p, i64 1 %z = load i32, ptr %y %r = add i32 %x, %z', 'i32', (A + B) & 0xffffffff),
   ('call void @llvm.lifetime.start.p0(i64 4, ptr %out) %r = add i32 %a, 0', 'i32', A),
   # Memory.
   ('%q = getelementptr i32, ptr addrspace(4) @table, i32 %c %r = load i32, ptr addrspace(4) %q, align 4', 'i32', 30),
   ('%q = getelementptr i8, ptr addrspace(4) @bytes, i32 %c %r = load i8, ptr addrspace(4) %q', 'i8', 0x0a),
   ('%r = load i32, ptr addrspace(4) getelementptr inbounds ([4 x i32], ptr addrspace(4) @table, i64 0, i64 1)', 'i32',
    20),
   ('%q = getelementptr i32, ptr %out, i64 5 store i32 %a, ptr %q %x = ptrtoint ptr %q to i64 '
    '%y = inttoptr i64 %x to ptr %r = load i32, ptr %y', 'i32', A),
   ('%q = getelementptr i64, ptr %out, i32 %c %s = getelementptr i32, ptr %q, i64 1 store i32 %a, ptr %s '
    '%x = icmp eq ptr %s, null %t = select i1 %x, ptr null, ptr %s %r = load i32, ptr %t', 'i32', A),
   ('store i32 %a, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @shared, i32 8) '
    '%q = getelementptr [4 x i32], ptr addrspace(3) @shared, i32 0, i32 %c '
    '%r = load i32, ptr addrspace(3) %q', 'i32', A),
   ('%p = alloca [4 x i32], align 4, addrspace(5) %q = getelementptr i32, ptr addrspace(5) %p, i32 %c '
    'store i64 -2, ptr addrspace(5) %p %s = getelementptr i32, ptr addrspace(5) %p, i32 1 '
    '%r = load i32, ptr addrspace(5) %s', 'i32', 0xffffffff),
   ('%p = alloca [4 x i32], align 4, addrspace(5) %q = call i32 @through(ptr addrspace(5) %p, i32 %a) '
    '%s = getelementptr i32, ptr addrspace(5) %p, i32 1 %x = load i32, ptr addrspace(5) %s '
    '%r = add i32 %x, %q', 'i32', (A + A + 1) & 0xffffffff),
   ('%q = getelementptr i32, ptr %out, i64 4 store i32 3, ptr %q %x = atomicrmw add ptr %q, i32 %b syncscope("agent") '
    'monotonic, align 4 %y = load i32, ptr %q %z = mul i32 %y, 16 %r = or i32 %z, %x', 'i32', 163),
   ('%q = getelementptr i32, ptr %out, i64 4 store i32 3, ptr %q %x = cmpxchg ptr %q, i32 3, i32 %b monotonic '
    'monotonic %y = extractvalue { i32, i1 } %x, 1 %z = zext i1 %y to i32 %w = load i32, ptr %q '
    '%r = add i32 %w, %z', 'i32', 8),
   ('fence syncscope("workgroup") release call void @llvm.amdgcn.s.barrier() %r = add i32 %a, 1', 'i32', A + 1),
   # Lanes: there is one.
   ('%r = call i32 @llvm.amdgcn.workitem.id.x()', 'i32', 0),
   ('%r = call i32 @llvm.amdgcn.workgroup.id.y()', 'i32', 0),
   ('%r = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %a)', 'i32', A),
   ('%x = icmp eq i32 %b, 7 %r = call i64 @llvm.amdgcn.ballot.i64(i1 %x)', 'i64', 1),
   ('%x = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 5) %r = call i32 @llvm.amdgcn.mbcnt.hi(i32 -1, i32 %x)', 'i32',
    5),
]

# (name, whole body of @main, words at the start of the memory)
BODIES = [
   ('a loop with phis', '''
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %more = add i32 %sum, %n
  %next = add i32 %n, 1
  %done = icmp eq i32 %next, 10
  br i1 %done, label %end, label %loop, !llvm.loop !0
end:
  store i32 %more, ptr %out, align 4
  ret void''', [45]),
   ('a switch; two cases and the default go to one block, whose phi names it twice', '''
  switch i32 %b, label %other [
    i32 1, label %one
    i32 7, label %seven
    i32 -1, label %one
    i32 9, label %other
  ]
one:
  br label %end
seven:
  br label %end
other:
  br label %end
end:
  %x = phi i32 [ 1, %one ], [ 70, %seven ], [ 3, %other ]
  store i32 %x, ptr %out
  ret void''', [70]),
   ('a phi with equal edges of a switch', '''
  switch i32 %b, label %no [
    i32 1, label %end
    i32 7, label %end
  ]
no:
  br label %end
end:
  %x = phi i32 [ 5, %entry ], [ 5, %entry ], [ 6, %no ]
  store i32 %x, ptr %out
  ret void''', [5]),
   ('a phi of vectors that are constants, some components undefined', '''
  %x = icmp eq i32 %b, 7
  br i1 %x, label %yes, label %end
yes:
  br label %end
end:
  %v = phi <2 x i32> [ zeroinitializer, %entry ], [ <i32 undef, i32 5>, %yes ]
  %y = extractelement <2 x i32> %v, i64 1
  store i32 %y, ptr %out
  ret void''', [5]),
   ('both ways lead to one block', '''
  %c1 = icmp eq i32 %a, 0
  br i1 %c1, label %end, label %end
end:
  store i32 4, ptr %out
  ret void''', [4]),
   ('a pointer that a phi chooses, one of them with an offset', '''
  %x = icmp eq i32 %b, 7
  %far = getelementptr i32, ptr %out, i64 2
  br i1 %x, label %yes, label %end
yes:
  br label %end
end:
  %p = phi ptr [ %out, %entry ], [ %far, %yes ]
  store i32 6, ptr %p
  %q = getelementptr i32, ptr %p, i64 -2
  store i32 8, ptr %q
  ret void''', [8, 0, 6]),
   ('an address computed in a block that stands later', '''
  br label %first
second:
  store i32 1, ptr %q
  %s = getelementptr i32, ptr %q, i64 1
  store i32 2, ptr %s
  ret void
first:
  %i = sub i32 %b, 6
  %q = getelementptr i32, ptr %out, i32 %i
  br label %second''', [0, 1, 2]),
   ('code that nothing reaches, and an end that is not', '''
  %x = icmp eq i32 %b, 7
  br i1 %x, label %good, label %bad
lost:
  br label %good
bad:
  unreachable
good:
  %y = phi i32 [ 1, %lost ], [ 2, %entry ]
  store i32 %y, ptr %out
  ret void''', [2]),
]

MODULE = '''
@table = private unnamed_addr addrspace(4) constant [4 x i32] [i32 10, i32 20, i32 30, i32 40], align 4
@bytes = internal addrspace(4) constant [4 x i8] c"a\\00\\0Ab", align 1
@shared = internal addrspace(3) global [4 x i32] undef, align 4

define internal i32 @through(ptr addrspace(5) nocapture noundef %p, i32 noundef %x) unnamed_addr #0 {{
  %q = getelementptr inbounds i32, ptr addrspace(5) %p, i32 1
  store i32 %x, ptr addrspace(5) %q, align 4
  %y = add i32 %x, 1
  ret i32 %y
}}

{functions}
define amdgpu_kernel void @main(ptr noundef %out, i32 noundef %a, i32 noundef %b, i32 %c) local_unnamed_addr #1 {{
entry:
{body}
}}

attributes #0 = {{ nounwind }}
!0 = !{{i32 1}}
'''

# What is not read: (body, what the message says)
REFUSED = [
   ('%x = va_arg ptr %out, i32', 'cannot read: %x = va_arg ptr %out, i32'),
   ('%x = frem float 1.0, 2.0', 'cannot read: %x = frem float 1.0, 2.0'),
   ('%x = add i128 1, 2', 'an integer of 128 bits'),
   ('%x = call float @llvm.sin.f32(float 1.0)', 'cannot call: %x = call float @llvm.sin.f32(float 1.0)'),
   ('%x = call i32 @nowhere()', 'no such function: @nowhere'),
   ('%x = addrspacecast ptr addrspace(3) @shared to ptr store i32 1, ptr %x', 'cannot read: %x = addrspacecast'),
   ('%x = zext i32 %a to i33 %y = udiv i33 %x, 3 %z = call i33 @llvm.smax.i33(i33 %y, i33 1)', 'integers of 33 bits'),
   ('%x = alloca i32, i32 %a', 'cannot read: %x = alloca i32, i32 %a'),
   ('call void %out()', 'cannot read: call void %out()'),
]


def lines(code):
   """Code on one line: an instruction begins where a result or one without a result does."""
   return re.sub(r' (?=%\w+ = |store |fence |call void )', '\n', code)


def run(folder, body, functions='', size=STEP):
   """The words that a kernel leaves, None where they are undefined; and what was said."""
   text, data = llvm_to_heddle.convert(MODULE.format(body=body, functions=functions), (1, 1, 1))
   path = os.path.join(folder, 'case.hd')
   with open(path, 'w', encoding='utf-8') as file:
      file.write(text)
   command = [TOOL, 'run', path, '--lanes=1', f'global@0x1000=zero:{size}', f'params=u64:0x1000,{A},{B},2']
   if data:
      with open(os.path.join(folder, 'data'), 'wb') as file:
         file.write(data)
      command.append(f'global@{llvm_to_heddle.DATA_ADDRESS:#x}=@{os.path.join(folder, "data")}')
   done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
   found = re.search(r'^global@0x1000 = (.*)$', done.stdout, re.MULTILINE)
   words = [None if w == '?' else int(w, 0) for w in found[1].split()] if found and not done.returncode else []
   return words, f'{text}\n{done.stdout}'


def check(tap, name, folder, body, expected):
   try:
      have, said = run(folder, body)
      tap.check(name, have[:len(expected)] == expected, f'expected {expected}, have {have}\n{said}')
   except llvm_ir.Unsupported as error:
      tap.check(name, False, error)


def check_values(tap, folder):
   """All of them in one program, each a function that leaves its number in memory of its own; one by one
   where that does not run."""
   bodies = [lines(code) + f'\nstore {type_} %r, ptr %out, align 1\nret void' for code, type_, _ in VALUES]
   expected = [[number & 0xffffffff, number >> 32] for _, _, number in VALUES]
   functions, calls = [], []
   for n, body in enumerate(bodies):
      functions.append(f'define internal void @value{n}(ptr %out, i32 %a, i32 %b, i32 %c) {{\n{body}\n}}\n')
      calls.append(f'%p{n} = getelementptr i8, ptr %out, i64 {n * STEP}\n'
                   f'call void @value{n}(ptr %p{n}, i32 %a, i32 %b, i32 %c)')
   try:
      words, _ = run(folder, '\n'.join(calls) + '\nret void', '\n'.join(functions), len(VALUES) * STEP)
   except llvm_ir.Unsupported:
      words = []
   for n, (code, _, _) in enumerate(VALUES):
      if words[n * STEP // 4:n * STEP // 4 + 2] == expected[n]:
         tap.check(code, True)
      else:
         check(tap, code, folder, bodies[n], expected[n])


def main():
   tap = Tap()
   with tempfile.TemporaryDirectory() as folder:
      check_values(tap, folder)
      for name, body, expected in BODIES:
         check(tap, name, folder, body, expected)
      for code, message in REFUSED:
         try:
            llvm_to_heddle.convert(MODULE.format(body=lines(code) + '\nret void', functions=''), (1, 1, 1))
            told = 'nothing'
         except llvm_ir.Unsupported as error:
            told = str(error)
         tap.check(f'not read: {code}', message in told, f'expected {message}, have {told}')
   tap.finish()


if __name__ == '__main__':
   main()
