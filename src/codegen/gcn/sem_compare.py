# SPDX-License-Identifier: MIT
"""Vector compares: a bit for each lane, 0 for the lanes that do not run."""

from codegen.gcn.sem import row

INT = {'lt': '<', 'eq': '==', 'le': '<=', 'gt': '>', 'ne': '!=', 'ge': '>='}
FLOAT = {
   'lt': 'flt({n}, a, b)',
   'eq': 'feq({n}, a, b)',
   'le': 'fle({n}, a, b)',
   'gt': 'flt({n}, b, a)',
   'lg': 'flt({n}, a, b) || flt({n}, b, a)',
   'ge': 'fle({n}, b, a)',
   'o': '!hd_float_unordered({n}, a, b)',
   'u': 'hd_float_unordered({n}, a, b)',
   'nge': '!fle({n}, b, a)',
   'nlg': '!(flt({n}, a, b) || flt({n}, b, a))',
   'ngt': '!flt({n}, b, a)',
   'nle': '!fle({n}, a, b)',
   'neq': '!feq({n}, a, b)',
   'nlt': '!flt({n}, a, b)',
}


def compare(name, n, expression, undef='any'):
   for prefix in ('v_cmp', 'v_cmpx'):
      row(f'{prefix}_{name}', f'm : {n} {n}', expression, undef)


for n in (16, 32, 64):
   for kind in 'iu':
      for name, operator in INT.items():
         x = [f'sext{n}({v})' if kind == 'i' else v for v in 'ab']
         if name in ('eq', 'ne'):
            undef = 'equal_undef(a, ua, b, ub)'
         else:
            order = 'a, ua, b, ub' if name in ('lt', 'ge') else 'b, ub, a, ua'
            undef = f'less_undef_{kind}({n}, {order})'
         compare(f'{name}_{kind}{n}', n, f'{x[0]} {operator} {x[1]}', undef)
      compare(f'f_{kind}{n}', n, '0', '0')
      compare(f't_{kind}{n}', n, '1', '0')
   for name, expression in FLOAT.items():
      compare(f'{name}_f{n}', n, expression.format(n=n))
   compare(f'f_f{n}', n, '0', '0')
   compare(f'tru_f{n}', n, '1', '0')
   for prefix in ('v_cmp', 'v_cmpx'):
      row(f'{prefix}_class_f{n}', f'm : {n} {16 if n == 16 else 32}', f'fclass({n}, a) & b ? 1 : 0',
          'ub & 0x3ff || (ua && (b & 0x3ff) != 0 && (b & 0x3ff) != 0x3ff) ? 1 : 0')
