# SPDX-License-Identifier: MIT
"""Programs that do what no program may, each beside one that does it right, for test_strict.py.

A row is (name, chips, wrong program, message, right program). In a program

    {load V}     loads a dword of the buffer at s[4:5] into v<V>, {load V OFFSET} of another place
    {store V}    stores v<V> there, to the lane's own dword
    {lds}        what LDS needs to be set up
    {jump}       the rest of a branch over the next instruction
    {wait N}     as many wait states

s[0:1] has the address of the arguments, s[4:5] that of a buffer of 256 bytes, v0 the number of the lane; v[2:3]
has the address of the buffer, v[4:5] that of the lane's dword, and v6 its offset.
"""

ALL = ('gfx600', 'gfx803', 'gfx900')
OLD, NEW = ('gfx600',), ('gfx803', 'gfx900')
GFX9 = ('gfx900',)

FLIGHT = [
   ('load', ALL,
    '{load 7}\n v_mov_b32 v8, v7', r'reads v7, which the load at 0x\w+ will write: vmcnt was not waited for',
    '{load 7}\n s_waitcnt vmcnt(0)\n v_mov_b32 v8, v7'),
   ('load_overwritten', ALL,
    '{load 7}\n v_mov_b32 v7, 0', r'writes v7, which the load',
    '{load 7}\n s_waitcnt vmcnt(0)\n v_mov_b32 v7, 0'),
   ('load_of_two', ALL,
    '{load 7}\n {load 8}\n s_waitcnt vmcnt(1)\n v_mov_b32 v9, v8', r'reads v8, which the load',
    '{load 7}\n {load 8}\n s_waitcnt vmcnt(1)\n v_mov_b32 v9, v7'),
   ('load_address', ALL,
    '{load 4}\n {load 7}\n v_mov_b32 v8, v4', r'reads v4, which the load',
    '{load 4}\n s_waitcnt vmcnt(0)\n v_mov_b32 v8, v4'),
   ('loads_in_order', ALL,
    '{load 7}\n {load 7}\n s_waitcnt vmcnt(1)\n v_mov_b32 v8, v7', r'reads v7, which the load',
    '{load 7}\n {load 7}\n s_waitcnt vmcnt(0)\n v_mov_b32 v8, v7'),
   ('store_counts', ALL,
    '{load 7}\n {store 6}\n s_waitcnt vmcnt(2)\n v_mov_b32 v8, v7', r'reads v7, which the load',
    '{load 7}\n {store 6}\n s_waitcnt vmcnt(1)\n v_mov_b32 v8, v7'),
   ('scalar_load', ALL,
    's_load_dword s10, s[4:5], 0x0\n s_mov_b32 s11, s10', r'reads scalar register 10, which the load .* lgkmcnt',
    's_load_dword s10, s[4:5], 0x0\n s_waitcnt lgkmcnt(0)\n s_mov_b32 s11, s10'),
   ('scalar_load_overwritten', ALL,
    's_load_dword s10, s[4:5], 0x0\n s_mov_b32 s10, 0', r'writes scalar register 10, which the load',
    's_load_dword s10, s[4:5], 0x0\n s_waitcnt lgkmcnt(0)\n s_mov_b32 s10, 0'),
   # Scalar loads end in any order: only 0 says which.
   ('scalar_loads', ALL,
    's_load_dword s10, s[4:5], 0x0\n s_load_dword s11, s[4:5], 0x0\n s_waitcnt lgkmcnt(1)\n s_mov_b32 s12, s10',
    r'reads scalar register 10',
    's_load_dword s10, s[4:5], 0x0\n s_load_dword s11, s[4:5], 0x0\n s_waitcnt lgkmcnt(0)\n s_mov_b32 s12, s10'),
   ('scalar_load_into_vcc', ALL,
    's_load_dwordx2 vcc, s[4:5], 0x0\n v_cndmask_b32 v7, v6, v6, vcc', r'reads scalar register 106',
    's_load_dwordx2 vcc, s[4:5], 0x0\n s_waitcnt lgkmcnt(0)\n v_cndmask_b32 v7, v6, v6, vcc'),
   ('lds', ALL,
    '{lds}\n ds_write_b32 v6, v6\n ds_read_b32 v7, v6\n v_mov_b32 v8, v7', r'reads v7, .* lgkmcnt',
    '{lds}\n ds_write_b32 v6, v6\n ds_read_b32 v7, v6\n s_waitcnt lgkmcnt(0)\n v_mov_b32 v8, v7'),
   ('lds_in_order', ALL,
    '{lds}\n ds_read_b32 v7, v6\n ds_read_b32 v8, v6\n s_waitcnt lgkmcnt(1)\n v_mov_b32 v9, v8', r'reads v8,',
    '{lds}\n ds_read_b32 v7, v6\n ds_read_b32 v8, v6\n s_waitcnt lgkmcnt(1)\n v_mov_b32 v9, v7'),
   ('lds_and_scalar_load', ALL,
    '{lds}\n ds_read_b32 v7, v6\n s_load_dword s10, s[4:5], 0x0\n s_waitcnt lgkmcnt(1)\n v_mov_b32 v8, v7',
    r'reads v7,',
    '{lds}\n ds_read_b32 v7, v6\n s_load_dword s10, s[4:5], 0x0\n s_waitcnt lgkmcnt(0)\n v_mov_b32 v8, v7'),
   ('lds_over_load', ALL,
    '{lds}\n {load 7}\n ds_read_b32 v7, v6', r'writes v7, which the load',
    '{lds}\n {load 7}\n s_waitcnt vmcnt(0)\n ds_read_b32 v7, v6'),
   ('stored_data', OLD,
    '{store 6}\n v_mov_b32 v6, 0', r'writes v6, which the store at 0x\w+ may not have read yet: expcnt',
    '{store 6}\n s_waitcnt expcnt(0)\n v_mov_b32 v6, 0'),
   ('stored_data_of_two', OLD,
    '{store 6}\n {store 0}\n s_waitcnt expcnt(1)\n v_mov_b32 v0, 0', r'writes v0, which the store',
    '{store 6}\n {store 0}\n s_waitcnt expcnt(1)\n v_mov_b32 v6, 0'),
   ('stored_data_after_vmcnt', OLD,
    '{store 6}\n s_waitcnt vmcnt(1)\n v_mov_b32 v6, 0', r'writes v6, which the store',
    '{store 6}\n s_waitcnt vmcnt(0)\n v_mov_b32 v6, 0'),
   # The chip holds back the load that its counter has no room for, until the oldest one is back.
   ('full_counter', ('gfx803',),
    ''.join(f'{{load {n}}}\n' for n in range(8, 24)) + 'v_mov_b32 v30, v9', r'reads v9, which the load',
    ''.join(f'{{load {n}}}\n' for n in range(8, 24)) + 'v_mov_b32 v30, v8'),
   ('flat_to_lds', GFX9,
    's_mov_b64 s[10:11], src_shared_base\n v_mov_b32 v9, s11\n v_mov_b32 v8, v6\n'
    'flat_store_dword v[8:9], v6\n s_waitcnt lgkmcnt(0)\n flat_load_dword v7, v[8:9]\n'
    's_waitcnt vmcnt(0)\n v_mov_b32 v10, v7', r'reads v7, which the load .* lgkmcnt',
    's_mov_b64 s[10:11], src_shared_base\n v_mov_b32 v9, s11\n v_mov_b32 v8, v6\n'
    'flat_store_dword v[8:9], v6\n s_waitcnt lgkmcnt(0)\n flat_load_dword v7, v[8:9]\n'
    's_waitcnt lgkmcnt(0)\n v_mov_b32 v10, v7'),
   ('stale_scalar_load', ALL,
    '{store 6}\n s_waitcnt vmcnt(0)\n s_load_dword s10, s[4:5], 0x0',
    r'through the scalar cache, but a vector store of this dispatch wrote there',
    '{store 6}\n s_waitcnt vmcnt(0)\n s_dcache_inv\n s_load_dword s10, s[4:5], 0x0'),
   ('scalar_load_before_store_ends', ALL,
    '{store 6}\n s_dcache_inv\n s_load_dword s10, s[4:5], 0x0', r'through the scalar cache',
    '{store 6}\n s_waitcnt vmcnt(0)\n s_dcache_inv\n s_load_dword s10, s[4:5], 0x0'),
]

# Two waves, each with its own dwords; both read the last, which the second wave wrote.
WAVES = [
   ('store_before_barrier', ALL,
    '{store 6}\n s_barrier\n {base 7 508}', r'where the store at 0x\w+ of wave \d is still in flight',
    '{store 6}\n s_waitcnt vmcnt(0)\n s_barrier\n {base 7 508}'),
   ('lds_before_barrier', ALL,
    '{lds}\n ds_write_b32 v6, v6\n s_barrier\n ds_read_b32 v7, v6', r'reads LDS while stores of wave \d to it are in flight',
    '{lds}\n ds_write_b32 v6, v6\n s_waitcnt lgkmcnt(0)\n s_barrier\n ds_read_b32 v7, v6'),
]

MEMORY = [
   ('past_the_end', ALL,
    '{load 7 256}', r'reads 4 bytes at 0x\w+, where no memory is: byte (256|508) of argument 0',
    '{base 7 252}'),
   ('one_byte_past', ALL,
    '{byte 7 256}', r'reads 1 bytes at 0x\w+, where no memory is: byte 256',
    '{byte 7 255}'),
   # The buffer lies across a multiple of 4 GiB: the upper half of its first address is not that of its last.
   ('lost_carry', ALL,
    '{add v8, 128, v2}\n v_mov_b32 v9, v3\n {loadat 7 8}', r'reads 4 bytes at 0x\w+, where no memory is',
    '{add v8, 128, v2}\n {addc v9, 0, v3}\n {loadat 7 8}'),
   ('write_to_arguments', ALL,
    'v_mov_b32 v4, s0\n v_mov_b32 v5, s1\n {storeat 6 4}', r'which may only be read',
    '{store 6}'),
   ('scalar_load_past_the_end', ALL,
    's_load_dwordx4 s[8:11], s[4:5], {smem 244}', r'reads 16 bytes at 0x\w+, where no memory is',
    's_load_dwordx4 s[8:11], s[4:5], {smem 240}'),
]

UNDEFINED = [
   ('branch', ALL,
    's_cmp_eq_u32 s20, 0\n s_cbranch_scc1 {jump}', r'undefined',
    's_mov_b32 s20, 0\n s_cmp_eq_u32 s20, 0\n s_cbranch_scc1 {jump}'),
   ('address', ALL,
    'v_mov_b32 v8, v20\n v_mov_b32 v9, v3\n {loadat 7 8}', r'undefined',
    'v_mov_b32 v8, v2\n v_mov_b32 v9, v3\n {loadat 7 8}'),
   ('exec', ALL,
    's_mov_b64 exec, s[20:21]', r'undefined',
    's_mov_b64 exec, -1'),
   ('lds_at_the_start', ALL,
    '{lds}\n ds_read_b32 v7, v6\n s_waitcnt lgkmcnt(0)\n v_readfirstlane_b32 s10, v7\n s_nop 4\n'
    's_cmp_eq_u32 s10, 0\n s_cbranch_scc1 {jump}', r'undefined',
    '{lds}\n ds_write_b32 v6, v6\n ds_read_b32 v7, v6\n s_waitcnt lgkmcnt(0)\n v_readfirstlane_b32 s10, v7\n'
    's_nop 4\n s_cmp_eq_u32 s10, 0\n s_cbranch_scc1 {jump}'),
   # Three steps exchange what is undefined; two do not, nor do three of which one is another's.
   ('exchange', ALL,
    's_mov_b32 s10, 0\n s_xor_b32 s10, s10, s20\n s_xor_b32 s20, s20, s10\n s_cmp_eq_u32 s20, 0\n'
    's_cbranch_scc1 {jump}', r'undefined',
    's_mov_b32 s10, 0\n s_xor_b32 s10, s10, s20\n s_xor_b32 s20, s20, s10\n s_xor_b32 s10, s10, s20\n'
    's_cmp_eq_u32 s20, 0\n s_cbranch_scc1 {jump}'),
   ('exchange_of_others', ALL,
    's_mov_b32 s10, 0\n s_xor_b32 s10, s10, s20\n s_xor_b32 s20, s20, s10\n s_xor_b32 s11, s10, s20\n'
    's_cmp_eq_u32 s20, 0\n s_cbranch_scc1 {jump}', r'undefined',
    's_mov_b32 s10, 0\n s_xor_b32 s10, s20, s10\n s_nop 0\n s_xor_b32 s20, s10, s20\n s_xor_b32 s10, s10, s20\n'
    's_cmp_eq_u32 s20, 0\n s_cbranch_scc1 {jump}'),
   ('exchange_of_vectors', ALL,
    'v_mov_b32 v7, 0\n v_xor_b32 v7, v7, v20\n v_xor_b32 v20, v20, v7\n v_cmp_eq_u32 vcc, 0, v20\n'
    's_nop 4\n s_and_b64 exec, exec, vcc', r'undefined',
    'v_mov_b32 v7, 0\n v_xor_b32 v7, v7, v20\n v_xor_b32 v20, v20, v7\n v_xor_b32 v7, v7, v20\n'
    'v_cmp_eq_u32 vcc, 0, v20\n s_nop 4\n s_and_b64 exec, exec, vcc'),
]

REGISTERS = [
   ('vector_register', ALL,
    'v_mov_b32 v40, 0', r'v40, but only 32 vector registers are allocated', 'v_mov_b32 v31, 0'),
   ('scalar_register', ALL,
    's_mov_b32 s90, 0', r's90 and \d scalar registers for vcc and the like, but only \d+ are allocated',
    's_mov_b32 s30, 0'),
   # vcc lies in the last two of the allocation.
   *((f'vcc_{chip}', (chip,),
      f's_mov_b32 s{last}, 0\n s_mov_b64 vcc, 0',
      rf's{last} and 2 scalar registers for vcc and the like, but only {last + 1} are allocated',
      f's_mov_b32 s{last - 2}, 0\n s_mov_b64 vcc, 0')
     for chip, last in (('gfx600', 55), ('gfx803', 47), ('gfx900', 63))),
   ('no_instruction', ALL, '.long 0xc0ffffff', r'is not an instruction of gfx', 's_nop 0'),
]

# (name, chips, wait states, before, after, message)
HAZARDS = [
   ('scalar_by_vector_to_memory', ALL, 5,
    'v_readfirstlane_b32 s8, v2', 'buffer_load_dword v7, v6, s[12:15], s8 offen', 'a memory instruction reads'),
   ('lane_select', ALL, 4,
    'v_readfirstlane_b32 s8, v0', 'v_readlane_b32 s9, v0, s8', 'selects a lane'),
   ('lane_select_of_write', ALL, 4,
    'v_readfirstlane_b32 s8, v0', 'v_writelane_b32 v7, 1, s8', 'selects a lane'),
   ('div_fmas', ALL, 4,
    'v_cmp_eq_u32 vcc, v0, v0', 'v_div_fmas_f32 v7, v6, v6, v6', 'v_div_fmas reads vcc'),
   ('vccz_as_data', ALL, 5,
    'v_cmp_eq_u32 vcc, v0, v0', 'v_mov_b32 v7, vccz', 'reads vccz or execz'),
   ('execz_as_data', ALL, 5,
    'v_cmpx_eq_u32 exec, v0, v0', 'v_mov_b32 v7, execz', 'reads vccz or execz'),
   ('getreg', ALL, 2,
    's_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 0', 's_getreg_b32 s8, hwreg(HW_REG_MODE)', 's_getreg after s_setreg'),
   ('setreg', NEW, 2,
    's_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 0', 's_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 4), 15',
    's_setreg after s_setreg'),
   ('setreg_gfx6', OLD, 1,
    's_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 0', 's_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 4), 15',
    's_setreg after s_setreg'),
   ('message', ALL, 1,
    's_mov_b32 m0, 0', 's_sendmsg sendmsg(MSG_INTERRUPT)', 'reads m0'),
   ('movrel', GFX9, 1,
    's_mov_b32 m0, 0', 's_movrels_b32 s8, s0', 'reads m0'),
   ('addtid', GFX9, 1,
    's_mov_b32 m0, 0', 'ds_write_addtid_b32 v6', 'reads m0'),
   ('getreg_after_setvskip', ALL, 2,
    's_mov_b32 s20, 0\n s_setvskip s20, 0', 's_getreg_b32 s8, hwreg(HW_REG_MODE)', 's_getreg after s_setvskip'),
   ('vskip', NEW, 2,
    's_setreg_imm32_b32 hwreg(HW_REG_MODE, 28, 1), 0', 'v_mov_b32 v7, v6', 's_setreg of MODE.vskip'),
   ('dpp_data', NEW, 2,
    'v_mov_b32 v7, 1', 'v_mov_b32_dpp v8, v7 quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf', 'DPP reads'),
   ('dpp_exec', NEW, 5,
    'v_cmpx_eq_u32 exec, v0, v0', 'v_mov_b32_dpp v8, v0 quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf',
    'DPP runs with an exec'),
   ('wide_store', NEW, 1,
    '{store4 8}', 'v_mov_b32 v11, 0', 'writes data that the store before'),
   ('scalar_by_vector_to_scalar_load', OLD, 4,
    'v_readfirstlane_b32 s4, v2', 's_load_dword s8, s[4:5], 0x0', 'a scalar load reads'),
   ('resource_of_scalar_load', OLD, 4,
    's_mov_b32 s15, 0x24fac', 's_buffer_load_dword s8, s[12:15], 0x0', 'a scalar buffer load reads'),
]

VCCZ = [
   ('vccz_of_a_half', ALL,
    's_mov_b64 vcc, 0\n s_mov_b32 vcc_lo, 0\n s_cbranch_vccz {jump}', r'is stale: a scalar instruction wrote only half of vcc',
    's_mov_b32 vcc_lo, 0\n s_mov_b32 vcc_hi, 0\n s_mov_b64 vcc, vcc\n s_cbranch_vccz {jump}'),
   ('vccz_after_scalar_load', OLD,
    's_mov_b64 vcc, 0\n s_load_dword s8, s[4:5], 0x0\n s_waitcnt lgkmcnt(0)\n s_cbranch_vccz {jump}',
    r'which a scalar load may have corrupted',
    's_load_dword s8, s[4:5], 0x0\n s_waitcnt lgkmcnt(0)\n s_mov_b64 vcc, 0\n s_cbranch_vccz {jump}'),
   ('vccz_before_scalar_load_ends', OLD,
    's_load_dword s8, s[4:5], 0x0\n s_mov_b64 vcc, 0\n s_cbranch_vccz {jump}', r'which a scalar load may have corrupted',
    's_load_dword s8, s[4:5], 0x0\n s_waitcnt lgkmcnt(0)\n s_mov_b64 vcc, 0\n s_cbranch_vccz {jump}'),
]

# m0 moves the registers of vector instructions: gfx8, gfx9.
INDEXED = [
   ('indexed_unallocated', NEW,
    's_movk_i32 s10, 0x7f\n s_set_gpr_idx_on s10, 1\n v_mov_b32 v7, v6\n s_set_gpr_idx_off',
    r'v133, but only \d+ vector registers are allocated',
    's_mov_b32 s10, 0\n s_set_gpr_idx_on s10, 1\n v_mov_b32 v7, v6\n s_set_gpr_idx_off'),
   ('indexed_past_all', NEW,
    's_movk_i32 s10, 0xff\n s_set_gpr_idx_on s10, 8\n v_mov_b32 v7, v6\n s_set_gpr_idx_off',
    r'register indexing by m0 is out of range of the vector registers',
    's_movk_i32 s10, 0xff\n s_set_gpr_idx_on s10, 0\n v_mov_b32 v7, v6\n s_set_gpr_idx_off'),
   ('indexed_undefined', NEW,
    'v_mov_b32 v8, v6\n s_set_gpr_idx_on s40, 1\n v_mov_b32 v7, v6\n s_set_gpr_idx_off',
    r'undefined bits of m0 reach a register index',
    's_mov_b32 s40, 0\n s_set_gpr_idx_on s40, 1\n v_mov_b32 v7, v6\n s_set_gpr_idx_off'),
   ('indexed_lane', NEW,
    's_mov_b32 s10, 0\n s_set_gpr_idx_on s10, 1\n v_readlane_b32 s11, v6, 0\n s_set_gpr_idx_off',
    r'an instruction without support for register indexing by m0',
    's_mov_b32 s10, 0\n s_set_gpr_idx_on s10, 1\n s_set_gpr_idx_off\n v_readlane_b32 s11, v6, 0'),
   # The load goes to the register that is meant.
   ('indexed_load', NEW,
    '{load 8}\n s_mov_b32 s10, 1\n s_set_gpr_idx_on s10, 1\n v_mov_b32 v9, v7\n s_set_gpr_idx_off',
    r'reads v8, which the load',
    '{load 8}\n s_mov_b32 s10, 1\n s_set_gpr_idx_on s10, 8\n v_mov_b32 v9, v7\n s_set_gpr_idx_off'),
]

# What no compiler uses: the switch for vector instructions, branches on a stack, traps.
STATE = [
   ('skipped', ALL,
    's_mov_b32 s20, 2\n s_setvskip s20, 0\n s_nop 1\n v_mov_b32 v7, v200', r'v200, but only \d+ vector registers',
    's_mov_b32 s20, 1\n s_setvskip s20, 0\n s_nop 1\n v_mov_b32 v7, v200\n s_setvskip s20, 1'),
   ('skipped_by_setreg', NEW,
    's_setreg_imm32_b32 hwreg(HW_REG_MODE, 28, 1), 1\n s_nop 0\n v_mov_b32 v7, v200', r'2 wait states are needed',
    's_setreg_imm32_b32 hwreg(HW_REG_MODE, 28, 1), 1\n s_nop 1\n v_mov_b32 v7, v200\n'
    ' s_setreg_imm32_b32 hwreg(HW_REG_MODE, 28, 1), 0\n s_nop 1'),
   ('skip_under_way', ALL,
    '{load 7}\n s_mov_b32 s20, 0\n s_setvskip s20, 0', r'vector memory instructions are in flight',
    '{load 7}\n s_mov_b32 s20, 0\n s_waitcnt vmcnt(0)\n s_setvskip s20, 0'),
   ('join', ALL,
    's_mov_b32 s20, 1\n s_cbranch_join s20', r'empty branch stack',
    's_mov_b32 s20, 0\n s_cbranch_join s20'),
   ('trap', ALL, 's_trap 2', r'the program executes trap 2', 's_trap 3'),
   ('halt', ALL, 's_sethalt 1', r'does not support s_sethalt: a debugger would have to go on', 's_nop 0'),
]

# (name, program, cycles that it takes besides what is around it): doc/gcn_simulator.md.
CYCLES = [
   ('vector', 'v_mov_b32 v7, v6', 4),
   ('scalar', 's_mov_b32 s20, 0', 4),
   ('dependent', 'v_mov_b32 v7, v6\n v_mov_b32 v8, v7\n s_mov_b32 s20, 0\n s_mov_b32 s21, s20', 16),
   ('quarter', 'v_rcp_f32 v7, v6', 16),
   ('nops', 's_nop 3', 16),
   ('wait_for_nothing', 's_waitcnt lgkmcnt(0)', 4),
   ('branch_taken', 's_cmp_eq_u32 s4, s4\n s_cbranch_scc1 {jump}', 4 + 16),
   ('branch_not_taken', 's_cmp_lg_u32 s4, s4\n s_cbranch_scc1 {jump}', 4 + 4 + 4),
   ('scalar_load', 's_load_dword s20, s[4:5], 0x0\n s_waitcnt lgkmcnt(0)', 128 + 4 + 4),
   ('hidden', 's_load_dword s20, s[4:5], 0x0\n s_nop 7\n s_nop 7\n s_waitcnt lgkmcnt(0)', 128 + 4 + 4),
   ('buffer_load', 'buffer_load_dword v7, v6, s[12:15], 0 offen\n s_waitcnt vmcnt(0)', 320 + 16 + 4),
   ('two_loads', 'buffer_load_dword v7, v6, s[12:15], 0 offen\n buffer_load_dword v8, v6, s[12:15], 0 offen\n'
    's_waitcnt vmcnt(0)', 320 + 16 + 16 + 4),
   ('wide_load', 'buffer_load_dwordx2 v[7:8], v6, s[12:15], 0 offen\n s_waitcnt vmcnt(0)', 320 + 32 + 4),
   ('lds', 's_mov_b32 m0, -1\n ds_read_b32 v7, v6\n s_waitcnt lgkmcnt(0)', 4 + 64 + 8 + 4),
]

ROWS = FLIGHT + MEMORY + UNDEFINED + REGISTERS + VCCZ + INDEXED + STATE
