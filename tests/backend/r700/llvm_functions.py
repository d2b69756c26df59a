# SPDX-License-Identifier: MIT
"""Functions of LLVM IR that are compiled for R700 and for the host: name, body.

They have floats %a to %d, integers %i and %j, and constants %k0 to %k3, and return a float.
"""

PROGRAMS = {
   'sums': '''
  %s = fadd float %a, %b
  %t = fmul float %s, %c
  %u = fsub float %t, %d
  %r = fadd float %u, 1.5
  ret float %r
''',
   'if_else': '''
  %p = fcmp ogt float %a, %b
  br i1 %p, label %t, label %f
t:
  %x0 = fmul float %a, %a
  %x = fsub float %x0, %b
  br label %e
f:
  %y0 = fmul float %b, %b
  %y = fsub float %y0, %a
  br label %e
e:
  %r = phi float [ %x, %t ], [ %y, %f ]
  ret float %r
''',
   'loop': '''
  br label %h
h:
  %n = phi i32 [ 0, %0 ], [ %n1, %l ]
  %s = phi i32 [ %j, %0 ], [ %s1, %l ]
  %p = icmp slt i32 %n, %i
  br i1 %p, label %l, label %x
l:
  %m = xor i32 %n, %s
  %s1 = add i32 %m, 7
  %n1 = add i32 %n, 3
  br label %h
x:
  %r = bitcast i32 %s to float
  ret float %r
''',
   'loop_break': '''
  br label %h
h:
  %n = phi i32 [ 0, %0 ], [ %n1, %m ]
  %s = phi float [ %a, %0 ], [ %s1, %m ]
  %p = icmp slt i32 %n, 40
  br i1 %p, label %l, label %x
l:
  %q = fcmp ogt float %s, %b
  br i1 %q, label %y, label %m
m:
  %s0 = fmul float %s, 1.25
  %s1 = fadd float %s0, %c
  %n1 = add i32 %n, 1
  br label %h
y:
  %t = fadd float %s, 100.0
  br label %e
x:
  %u = fsub float %s, 100.0
  br label %e
e:
  %r = phi float [ %t, %y ], [ %u, %x ]
  ret float %r
''',
   'nested': '''
  br label %o
o:
  %n = phi i32 [ 0, %0 ], [ %n1, %z ]
  %s = phi i32 [ 1, %0 ], [ %v, %z ]
  %p = icmp slt i32 %n, %i
  br i1 %p, label %h, label %x
h:
  %m = phi i32 [ 0, %o ], [ %m1, %w ]
  %t = phi i32 [ %s, %o ], [ %t2, %w ]
  %q = icmp slt i32 %m, %j
  br i1 %q, label %l, label %z
l:
  %odd = and i32 %t, 1
  %is = icmp eq i32 %odd, 0
  br i1 %is, label %u, label %k
u:
  %t0 = sub i32 %t, %m
  br label %w
k:
  %t1 = add i32 %t, %n
  br label %w
w:
  %t2 = phi i32 [ %t0, %u ], [ %t1, %k ]
  %m1 = add i32 %m, 1
  br label %h
z:
  %v = add i32 %t, 5
  %n1 = add i32 %n, 1
  br label %o
x:
  %r = bitcast i32 %s to float
  ret float %r
''',
   'nested_ifs': '''
  %p = icmp sgt i32 %i, 3
  br i1 %p, label %t, label %f
t:
  %q = icmp slt i32 %j, 6
  br i1 %q, label %tt, label %tf
tt:
  %x0 = fadd float %a, %k0
  br label %e
tf:
  %x1 = fmul float %a, %k1
  br label %e
f:
  %q2 = icmp eq i32 %i, %j
  br i1 %q2, label %ft, label %e
ft:
  %x2 = fsub float %b, %k2
  br label %e
e:
  %r = phi float [ %x0, %tt ], [ %x1, %tf ], [ %d, %f ], [ %x2, %ft ]
  ret float %r
''',
   'integers': '''
  %m = mul i32 %i, %j
  %sh = and i32 %j, 31
  %l = shl i32 %m, 3
  %g = lshr i32 %m, %sh
  %h = ashr i32 %l, %sh
  %x = xor i32 %g, %h
  %o = or i32 %x, 5
  %u = icmp ult i32 %o, %l
  %s = select i1 %u, i32 %o, i32 %l
  %n = sub i32 %s, %i
  %r = bitcast i32 %n to float
  ret float %r
''',
   'converts': '''
  %f = sitofp i32 %i to float
  %g = uitofp i32 %j to float
  %s = fadd float %f, %g
  %t = fmul float %s, 0.75
  %n = fptosi float %t to i32
  %m = add i32 %n, %j
  %r = bitcast i32 %m to float
  ret float %r
''',
   'compares': '''
  %p0 = fcmp oge float %a, %b
  %p1 = fcmp une float %c, %d
  %p2 = fcmp olt float %a, 0.5
  %s0 = select i1 %p0, float %a, float %b
  %s1 = select i1 %p1, float %c, float 4.0
  %s2 = select i1 %p2, float %s0, float %s1
  %p3 = icmp uge i32 %i, %j
  %s3 = select i1 %p3, float %s2, float %k3
  %r = fadd float %s3, %s0
  ret float %r
''',
   'wide': '''
  %a0 = fadd float %a, %k0
  %a1 = fadd float %b, %k1
  %a2 = fadd float %c, %k2
  %a3 = fadd float %d, %k3
  %b0 = fmul float %a0, %a1
  %b1 = fmul float %a1, %a2
  %b2 = fmul float %a2, %a3
  %b3 = fmul float %a3, %a0
  %c0 = fsub float %b0, %b1
  %c1 = fsub float %b2, %b3
  %r = fadd float %c0, %c1
  ret float %r
''',
   'unstructured': '''
  %p = icmp sgt i32 %i, %j
  br i1 %p, label %one, label %two
one:
  %q = icmp sgt i32 %i, 5
  br i1 %q, label %three, label %four
two:
  %q2 = icmp slt i32 %j, 9
  br i1 %q2, label %four, label %three
three:
  %x = phi float [ %a, %one ], [ %b, %two ]
  %y = fadd float %x, 2.0
  br label %e
four:
  %z = phi float [ %c, %one ], [ %d, %two ]
  %w = fmul float %z, 3.0
  br label %e
e:
  %r = phi float [ %y, %three ], [ %w, %four ]
  ret float %r
''',
}

FLOATS, INTEGERS, CONSTANTS = ('a', 'b', 'c', 'd'), ('i', 'j'), ('k0', 'k1', 'k2', 'k3')


def for_r700(body):
   lines = ['define amdgpu_ps void @main(<4 x float> inreg %reg0, <4 x float> inreg %reg1) {']
   lines += [f'  %{n} = extractelement <4 x float> %reg0, i32 {k}' for k, n in enumerate(FLOATS)]
   for k, n in enumerate(INTEGERS):
      lines += [f'  %{n}f = extractelement <4 x float> %reg1, i32 {k}', f'  %{n} = bitcast float %{n}f to i32']
   if '%k' in body:
      lines += ['  %ks = load <4 x float>, ptr addrspace(8) null']
      lines += [f'  %{n} = extractelement <4 x float> %ks, i32 {k}' for k, n in enumerate(CONSTANTS)]
   body = body.replace('  ret float %r\n', '''  %vec = insertelement <4 x float> undef, float %r, i32 0
  call void @llvm.r600.store.swizzle(<4 x float> %vec, i32 0, i32 0)
  ret void
''')
   return '\n'.join(lines) + body + '}\ndeclare void @llvm.r600.store.swizzle(<4 x float>, i32, i32)\n'


def for_host(body):
   params = [f'float %{n}' for n in FLOATS] + [f'i32 %{n}' for n in INTEGERS] + [f'float %{n}' for n in CONSTANTS]
   return f'define float @f({", ".join(params)}) {{\n{body}}}\n'
