# SPDX-License-Identifier: MIT
"""Memory instructions of GCN: SMEM, DS, MUBUF, MTBUF, FLAT. The language is that of gcn/isa.py."""

from codegen.gcn.isa import table

# ---- scalar memory ----------------------------------------------------------------------------

# dwords: (name, type)
WIDTHS = ((1, '', 'b32'), (2, 'x2', 'b64'), (4, 'x4', 'b128'), (8, 'x8', 'b256'), (16, 'x16', 'b512'))
ATOMICS = ('swap', 'cmpswap', 'add', 'sub', 'smin', 'umin', 'smax', 'umax', 'and', 'or', 'xor',
           'inc', 'dec')
# Opcodes from the first: gfx6 has a hole (rsub) after sub.
GFX6_ATOMICS = (0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13)
TYPE_OF_ATOMIC = {'smin': 'i', 'smax': 'i', 'umin': 'u', 'umax': 'u', 'add': 'u', 'sub': 'u',
                  'inc': 'u', 'dec': 'u'}


def atomic_type(name, bits):
   return TYPE_OF_ATOMIC.get(name, 'b') + str(bits)


def smem():
   lines = []
   for n, (_, suffix, type) in enumerate(WIDTHS):
      lines += [f's_load_dword{suffix} {n:x} {n:x} {n:x} {type} = b64 s?:b32 | loads',
                f's_buffer_load_dword{suffix} {n + 8:x} {n + 8:x} {n + 8:x} {type} = b128 s?:b32'
                f' | loads']
      if n < 3:
         lines += [f's_scratch_load_dword{suffix} - - {n + 5:x} {type} = b64 s?:b32 | loads',
                   f's_store_dword{suffix} - {n + 0x10:x} {n + 0x10:x}'
                   f' s:{type}>sdata b64 s?:b32 | stores',
                   f's_scratch_store_dword{suffix} - - {n + 0x15:x}'
                   f' s:{type}>sdata b64 s?:b32 | stores',
                   f's_buffer_store_dword{suffix} - {n + 0x18:x} {n + 0x18:x}'
                   f' s:{type}>sdata b128 s?:b32 | stores']
   for place, base, first in (('s_buffer_atomic', 'b128', 0x40), ('s_atomic', 'b64', 0x80)):
      for suffix, bits, more in (('', 32, 0), ('_x2', 64, 0x20)):
         for n, name in enumerate(ATOMICS):
            type = atomic_type(name, bits)
            data = f'b{bits * 2}' if name == 'cmpswap' else type
            lines.append(f'{place}_{name}{suffix} - - {first + more + n:x}'
                         f' {type} = s:{data}>sdata@0 {base} s?:b32 | loads stores returns_if_glc')
   return '\n'.join(lines)


SMEM = table('smem', smem(), flags=['side_effect'], latency='smem', imm='smem') + table('smem', '''
   s_memtime             1e 24 24  b64 = .
   s_memrealtime          - 25 25  b64 = .
   s_dcache_inv          1f 20 20  .
   s_dcache_wb            - 21 21  .
   s_dcache_inv_vol       - 22 22  .
   s_dcache_wb_vol        - 23 23  .
   s_dcache_discard       -  - 28  b64 s?:b32                 | imm:smem
   s_dcache_discard_x2    -  - 29  b64 s?:b32                 | imm:smem
''', flags=['side_effect'], latency='smem')

for _row in SMEM:
   if 'loads' in _row.flags and 'stores' not in _row.flags:
      _row.flags.discard('side_effect')

# ---- LDS --------------------------------------------------------------------------------------

# name, sign of the type, opcode in 32 bits; 64 bits follow 0x40 later, the form that returns the
# old value 0x20.
DS_ATOMICS = (('add', 'u', 0), ('sub', 'u', 1), ('rsub', 'u', 2), ('inc', 'u', 3), ('dec', 'u', 4),
              ('min', 'i', 5), ('max', 'i', 6), ('min', 'u', 7), ('max', 'u', 8), ('and', 'b', 9),
              ('or', 'b', 10), ('xor', 'b', 11), ('min', 'f', 0x12), ('max', 'f', 0x13))


def ds_line(name, op, operands, notes, gens='689'):
   ops = ' '.join(f'{op:x}' if gen in gens else '-' for gen in '689')
   return f'{name} {ops} {operands} | {notes}'


def ds_atomics():
   lines = []
   both = 'loads stores'
   for bits, more in ((32, 0), (64, 0x40)):
      for name, sign, op in DS_ATOMICS + ((('add', 'f', 0x15),) if bits == 32 else ()):
         gens = '89' if (name, sign) == ('add', 'f') else '689'
         type = f'{sign}{bits}'
         lines += [ds_line(f'ds_{name}_{type}', op + more, f'b32 {type} [m0]', both, gens),
                   ds_line(f'ds_{name}_rtn_{type}', op + more + 0x20,
                           f'{type} = b32 {type} [m0]', both, gens),
                   ds_line(f'ds_{name}_src2_{type}', op + more + 0x80, 'b32 [m0]', both, gens)]
      b = f'b{bits}'
      two = f'b{bits * 2}'
      lines += [ds_line(f'ds_mskor_{b}', 0xc + more, f'b32 {b} {b} [m0]', both),
                ds_line(f'ds_write_{b}', 0xd + more, f'b32 {b} [m0]', 'stores'),
                ds_line(f'ds_write2_{b}', 0xe + more, f'b32 {b} {b} [m0]', 'stores two_offsets'),
                ds_line(f'ds_write2st64_{b}', 0xf + more, f'b32 {b} {b} [m0]',
                        'stores two_offsets'),
                ds_line(f'ds_cmpst_{b}', 0x10 + more, f'b32 {b} {b} [m0]', both),
                ds_line(f'ds_cmpst_f{bits}', 0x11 + more, f'b32 f{bits} f{bits} [m0]', both),
                ds_line(f'ds_mskor_rtn_{b}', 0x2c + more, f'{b} = b32 {b} {b} [m0]', both),
                ds_line(f'ds_wrxchg_rtn_{b}', 0x2d + more, f'{b} = b32 {b} [m0]', both),
                ds_line(f'ds_wrxchg2_rtn_{b}', 0x2e + more, f'{two} = b32 {b} {b} [m0]',
                        both + ' two_offsets'),
                ds_line(f'ds_wrxchg2st64_rtn_{b}', 0x2f + more, f'{two} = b32 {b} {b} [m0]',
                        both + ' two_offsets'),
                ds_line(f'ds_cmpst_rtn_{b}', 0x30 + more, f'{b} = b32 {b} {b} [m0]', both),
                ds_line(f'ds_cmpst_rtn_f{bits}', 0x31 + more,
                        f'f{bits} = b32 f{bits} f{bits} [m0]', both),
                ds_line(f'ds_read_{b}', 0x36 + more, f'{b} = b32 [m0]', 'loads'),
                ds_line(f'ds_read2_{b}', 0x37 + more, f'{two} = b32 [m0]', 'loads two_offsets'),
                ds_line(f'ds_read2st64_{b}', 0x38 + more, f'{two} = b32 [m0]',
                        'loads two_offsets'),
                ds_line(f'ds_write_src2_{b}', 0x8d + more, 'b32 [m0]', both)]
   return '\n'.join(lines)


DS = table('ds', ds_atomics() + '''
   ds_nop                 - 14 14  .                          | side_effect imm:none
   ds_write_addtid_b32    -  - 1d  v:b32>data0 [m0]           | stores
   ds_read_addtid_b32     -  - b6  b32 = [m0]                 | loads
   ds_write_b8           1e 1e 1e  b32 b32 [m0]               | stores
   ds_write_b16          1f 1f 1f  b32 b32 [m0]               | stores
   ds_wrap_rtn_b32        - 34 34  b32 = b32 b32 b32 [m0]     | loads stores
   ds_read_i8            39 39 39  i32 = b32 [m0]             | loads
   ds_read_u8            3a 3a 3a  u32 = b32 [m0]             | loads
   ds_read_i16           3b 3b 3b  i32 = b32 [m0]             | loads
   ds_read_u16           3c 3c 3c  u32 = b32 [m0]             | loads
   ds_swizzle_b32        35 3d 3d  b32 = b32                  | cross_lane imm:swizzle
   ds_permute_b32         - 3e 3e  b32 = b32 b32              | cross_lane
   ds_bpermute_b32        - 3f 3f  b32 = b32 b32              | cross_lane
   ds_write_b8_d16_hi     -  - 54  b32 b32 [m0]               | stores
   ds_write_b16_d16_hi    -  - 55  b32 b32 [m0]               | stores
   ds_read_u8_d16         -  - 56  b32 = b32 b32@0 [m0]       | loads
   ds_read_u8_d16_hi      -  - 57  b32 = b32 b32@0 [m0]       | loads
   ds_read_i8_d16         -  - 58  b32 = b32 b32@0 [m0]       | loads
   ds_read_i8_d16_hi      -  - 59  b32 = b32 b32@0 [m0]       | loads
   ds_read_u16_d16        -  - 5a  b32 = b32 b32@0 [m0]       | loads
   ds_read_u16_d16_hi     -  - 5b  b32 = b32 b32@0 [m0]       | loads
   ds_condxchg32_rtn_b64  - 7e 7e  b64 = b32 b64 [m0]         | loads stores
   ds_consume            3d bd bd  b32 = [m0]                 | loads stores cross_lane
   ds_append             3e be be  b32 = [m0]                 | loads stores cross_lane
   ds_write_b96           - de de  b32 b96 [m0]               | stores
   ds_write_b128          - df df  b32 b128 [m0]              | stores
   ds_read_b96            - fe fe  b96 = b32 [m0]             | loads
   ds_read_b128           - ff ff  b128 = b32 [m0]            | loads
''', flags=['reads_exec'], latency='lds', imm='ds')

# The limit of LDS stands in m0 before gfx9.
for _row in DS:
   for _src in _row.srcs:
      if _src.fixed == 'M0' and not _row.name.endswith(('addtid_b32', 'consume', 'append')):
         _src.kinds.append('before_gfx9')

# ---- buffers ----------------------------------------------------------------------------------


def loads_and_stores(prefix, line):
   """Rows of loads and stores of memory; line(name, (gfx6, gfx8, gfx9), type, store, tied)."""
   lines = []
   for n, name in enumerate(('ubyte', 'sbyte', 'ushort', 'sshort')):
      lines.append(line(f'{prefix}_load_{name}', (8 + n, 0x10 + n, 0x10 + n), 'b32', False, False)
                   + ' to_lds')
   for n, (suffix, type, gfx6) in enumerate((('', 'b32', 0), ('x2', 'b64', 1), ('x3', 'b96', 3),
                                             ('x4', 'b128', 2))):
      lines.append(line(f'{prefix}_load_dword{suffix}', (0xc + gfx6, 0x14 + n, 0x14 + n), type,
                        False, False) + (' to_lds' if n == 0 else ''))
      lines.append(line(f'{prefix}_store_dword{suffix}', (0x1c + gfx6, 0x1c + n, 0x1c + n), type,
                        True, False))
   for name, op in (('byte', 0x18), ('short', 0x1a)):
      lines.append(line(f'{prefix}_store_{name}', (op, op, op), 'b32', True, False))
      lines.append(line(f'{prefix}_store_{name}_d16_hi', (None, None, op + 1), 'b32', True, False))
   for n, name in enumerate(('ubyte_d16', 'ubyte_d16_hi', 'sbyte_d16', 'sbyte_d16_hi', 'short_d16',
                             'short_d16_hi')):
      lines.append(line(f'{prefix}_load_{name}', (None, None, 0x20 + n), 'b32', False, True))
   return lines


def atomics(prefix, line):
   """line(name, (gfx6, gfx8, gfx9), type of the result, type of the data)."""
   lines = []
   for suffix, bits, gfx6, gfx8 in (('', 32, 0x30, 0x40), ('_x2', 64, 0x50, 0x60)):
      for n, name in enumerate(ATOMICS):
         type = atomic_type(name, bits)
         data = f'b{bits * 2}' if name == 'cmpswap' else type
         lines.append(line(f'{prefix}_atomic_{name}{suffix}',
                           (gfx6 + GFX6_ATOMICS[n], gfx8 + n, gfx8 + n), type, data))
   return lines


def opcodes(ops):
   return ' '.join('-' if op is None else f'{op:x}' for op in ops)


BUFFER = 'v?:b64 b128 b32'


def buffer_line(name, ops, type, store, tied):
   if store:
      return f'{name} {opcodes(ops)} v:{type}>vdata {BUFFER} | stores'
   old = f' {type}@0' if tied else ''
   return f'{name} {opcodes(ops)} {type} = {BUFFER}{old} | loads'


def buffer_atomic(name, ops, type, data):
   return (f'{name} {opcodes(ops)} {type} = v:{data}>vdata@0 {BUFFER}'
           f' | loads stores returns_if_glc')


def buffer_formats(prefix='buffer', mubuf=True):
   lines = []
   for n, (suffix, type) in enumerate((('x', 'b32'), ('xy', 'b64'), ('xyz', 'b96'),
                                       ('xyzw', 'b128'))):
      lines += [buffer_line(f'{prefix}_load_format_{suffix}', (n, n, n), type, False, False)
                + (' to_lds' if n == 0 and mubuf else ''),
                buffer_line(f'{prefix}_store_format_{suffix}', (n + 4,) * 3, type, True, False)]
   # Halves are packed from gfx9 on.
   for n, (suffix, type) in enumerate((('x', 'b32'), ('xy', 'b32'), ('xyz', 'b64'),
                                       ('xyzw', 'b64'))):
      lines += [buffer_line(f'{prefix}_load_format_d16_{suffix}', (None, None, n + 8), type, False,
                            False),
                buffer_line(f'{prefix}_store_format_d16_{suffix}', (None, None, n + 12), type, True,
                            False)]
   if not mubuf:
      return lines
   lines += [buffer_line('buffer_load_format_d16_hi_x', (None, None, 0x26), 'b32', False, True),
             buffer_line('buffer_store_format_d16_hi_x', (None, None, 0x27), 'b32', True, False)]
   return lines


def hide_defs(rows):
   """The one field of the data is both the source and, with glc, the result: it is written once."""
   for row in rows:
      if 'returns_if_glc' in row.flags:
         row.defs[0].kinds.append('implicit')
   return rows


MUBUF = hide_defs(table('mubuf', '\n'.join(
   loads_and_stores('buffer', buffer_line) + buffer_formats() + atomics('buffer', buffer_atomic)),
   flags=['reads_exec'], latency='vmem', imm='mubuf')) + table('mubuf', '''
   buffer_wbinvl1        71 3e 3e  .                          | side_effect
   buffer_wbinvl1_vol     - 3f 3f  .                          | side_effect
   buffer_wbinvl1_sc     70  -  -  .                          | side_effect
''', latency='vmem')

# The format is in the instruction, and not in the resource.
MTBUF = table('mtbuf', '\n'.join(buffer_formats('tbuffer', False)), flags=['reads_exec'], latency='vmem',
              imm='mtbuf')

# ---- flat -------------------------------------------------------------------------------------

ADDRESS = {'flat': 'b64', 'global': 'b64', 'scratch': 'v?:b32'}
SCALAR = {'flat': '', 'global': ' s?:b64', 'scratch': ' s?:b32'}
IMPLICIT = {'flat': '', 'global': '', 'scratch': ' [flat_scratch]'}


def flat_rows(space):
   def ops_of(ops):
      return opcodes((None, ops[1] if space == 'flat' else None, ops[2]))

   def line(name, ops, type, store, tied):
      more = SCALAR[space] + (f' {type}@0' if tied else '') + IMPLICIT[space]
      if store:
         return f'{name} {ops_of(ops)} {ADDRESS[space]} {type}{more} | stores'
      return f'{name} {ops_of(ops)} {type} = {ADDRESS[space]}{more} | loads'

   def atomic(name, ops, type, data):
      return (f'{name} {ops_of(ops)} {type} = {ADDRESS[space]} {data}{SCALAR[space]}'
              f' | loads stores returns_if_glc')

   lines = loads_and_stores(space, line)
   if space != 'scratch':
      lines += atomics(space, atomic)
   return table(space, '\n'.join(lines), flags=['reads_exec'],
                latency='flat' if space == 'flat' else 'vmem', imm='flat')


# For a load, the scalar part of the address comes second, where a store has its data.
def place_saddr(rows):
   for row in rows:
      for src in row.srcs:
         if src.field == 'vdata' and 'stores' not in row.flags:
            src.field, src.kinds = 'saddr', ['sgpr', 'nothing']
   return rows


ROWS = (hide_defs(SMEM) + DS + MUBUF + MTBUF + flat_rows('flat') + place_saddr(flat_rows('global'))
        + place_saddr(flat_rows('scratch')))
