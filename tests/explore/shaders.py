# SPDX-License-Identifier: MIT
"""Shaders for the tests of the explorer, and what they are compiled for."""

# A target of each backend that shaders are compiled for.
TARGETS = {'gcn': 'gfx900', 'gen9': 'gen9', 'nyuzi': 'nyuzi', 'r700': 'r700'}

# What becomes of each instruction is known: see test_data.py.
KNOWN = '''shader compute "known" {
  workgroup 64 1 1
  function @main {
    b0:
      %0:32 = const 8
      %1:32 = const 0
      %2:32 "lane" = local_invocation_index @"known.comp":3:1
      %3:32 "product" = imul %2, %0 @"known.comp":4:1
      %4:32 "unused" = ixor %3, %2 @"known.comp":5:1
      %5:32 = iadd %3, %2 @"known.comp":6:1
      %6:32 = iadd %3, %2 @"known.comp":7:1
      %7:32 = ixor %6, %0 @"known.comp":8:1
      %8:32 = umax %5, %7 @"known.comp":9:1
      store_buffer %8, %1, %1 align_mul=4 @"known.comp":10:1
  }
}
'''

# A divergent branch, a load in it, lanes that are counted.
BRANCHY = '''shader compute "branchy" {
  workgroup 16 1 1
  function @main {
    b0:
      %0:32 = const 0
      %1:32 = const 2
      %2:32 "lane" = local_invocation_index @"branchy.comp":1:1
      %3:32 = const 5
      %4:32 = ishl %2, %1
      %5:1 = ult %2, %3 @"branchy.comp":2:1
      %6:1 = ult %1, %2
      if %5 {
        b1:
          %7:32 "loaded" = load_buffer %0, %4 align_mul=4 @"branchy.comp":3:1
          %8:32 "sum" = iadd %7, %2 @"branchy.comp":4:1
          %9:32x4 = ballot %6 @"branchy.comp":5:1
          %10:32 = const 0
          %11:32 = channel %9, %10
          %12:32 = ixor %8, %11 @"branchy.comp":6:1
          store_buffer %12, %0, %4 align_mul=4 @"branchy.comp":7:1
      } else {
        b2:
      }
    b3:
  }
}
'''

# The same without a look at other lanes, which R700 does not have.
BALLOT = '''          %9:32x4 = ballot %6 @"branchy.comp":5:1
          %10:32 = const 0
          %11:32 = channel %9, %10
'''
ALONE = BRANCHY.replace(BALLOT, '          %11:32 = const 24\n')


def branchy(*targets):
   return ALONE if 'r700' in targets else BRANCHY


# A thousand iterations.
LOOP = '''shader compute "loop" {
  workgroup 16 1 1
  function @main {
    b0:
      %0:32 = const 0
      %1:32 = const 1
      %2:32 = const 1000
      loop {
        b1:
          %3:32 = phi b0: %0, b5: %5
          %4:1 = ult %3, %2
          if %4 {
            b2:
          } else {
            b3:
              break
          }
        b4:
      } continue {
        b5:
          %5:32 = iadd %3, %1
      }
    b6:
  }
}
'''

# A loop with two entries: structurizing it takes tests.
IRREDUCIBLE = '''shader compute "irreducible" {
  workgroup 16 1 1
  flat function @main {
    b0:
      %0:32 = local_invocation_index
      %1:32 = const 3
      %2:1 = ult %0, %1
      goto_if %2, b1, b2
    b1:
      %3:1 = ult %1, %0
      goto_if %3, b2, b3
    b2:
      %4:32 = const 7
      %5:1 = ult %4, %0
      goto_if %5, b1, b3
    b3:
      return
  }
}
'''

# Names that a careless page would run or be broken by.
NASTY = ['<script>window.owned = 1</script>', '</script><script>window.owned = 2</script>',
         '<img src=x onerror=\\"window.owned = 3\\">', '\\x01\\x02\\x1b[31m', "';window.owned=4;'", '${window.owned=5}',
         '<!--', ']]>', 'a b1 %1 %2', '&lt;b&gt;', '\\xff\\xfe', 'javascript:window.owned=6', '__proto__', 'constructor']


def hostile():
   lines = ['shader compute "<b onclick=window.owned=9>" {', '  workgroup 64 1 1', '  function @main {', '    b0:',
            '      %0:32 = local_invocation_index']
   for n, name in enumerate(NASTY):
      lines.append(f'      %{n + 1}:32 "{name}" = iadd %{n}, %0 @"{name}":{n + 1}:1')
   end = len(NASTY) + 1
   lines += [f'      %{end}:32 = const 0', f'      store_buffer %{end - 1}, %{end}, %0 align_mul=1', '  }', '}']
   return '\n'.join(lines) + '\n'


HOSTILE = hostile()


def spilling(num):
   """So many loads whose values live over a store that they may not pass."""
   lines = ['shader compute "spilling" {', '  workgroup 64 1 1', '  function @main {', '    b0:', '      %zero:32 = const 0',
            '      %two:32 = const 2', '      %lane:32 = local_invocation_index', '      %at:32 = ishl %lane, %two',
            '      %square:32 = imul %lane, %at']
   lines += [f'      %v{n}:32 = load_buffer %zero, %at offset={256 * n} align_mul=4' for n in range(num)]
   lines += ['      store_buffer %lane, %zero, %square align_mul=4', '      %s0:32 = iadd %lane, %two']
   lines += [f'      %s{n + 1}:32 = {"imul" if n % 2 else "ixor"} %s{n}, %v{n}' for n in range(num)]
   return '\n'.join(lines + [f'      store_buffer %s{num}, %zero, %at align_mul=4', '  }', '}', ''])


def large(num):
   """So many instructions, on which passes find something to do, in blocks of some hundred."""
   lines = ['shader compute "large" {', '  workgroup 64 1 1', '  function @main {', '    b0:',
            '      %0:32 "lane" = local_invocation_index', '      %1:32 = const 3', '      %2:32 = const 2',
            '      %3:32 = ishl %0, %2', '      %4:32 = const 0']
   value, block, last = 5, 1, 0
   while value < num:
      condition = value
      lines += [f'      %{value}:1 = ult %{last}, %3', f'      if %{condition} {{',
                f'        b{block}:']
      value += 1
      inner = last
      for n in range(150):
         op = ('iadd', 'imul', 'ixor', 'isub')[n % 4]
         lines.append(f'          %{value}:32 = {op} %{inner}, %{3 if n % 3 else 1} @"large.comp":{value % 4000 + 1}:1')
         inner = value
         value += 1
      lines += [f'          store_buffer %{inner}, %4, %3 align_mul=4', '      } else {', f'        b{block + 1}:', '      }',
                f'    b{block + 2}:']
      block += 3
   lines += ['  }', '}']
   return '\n'.join(lines) + '\n'
