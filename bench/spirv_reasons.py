# SPDX-License-Identifier: MIT
"""Why a peer's code is more than a tenth shorter, as the listings of both show it: by shader of the corpus. What
was not looked into is not here.
"""

WIDE_SCANS = 'reductions and scans of 64 bits by pointer doubling over ds_bpermute; ACO: DPP with all lanes on'
FLAT_ARRAYS = 'an array of arrays is chosen from as one of all its elements'
UNPACKED = 'components of 16 bits one by one; ACO: packed instructions'
NORMS = 'quotients are rounded correctly, as the op is defined; ACO: a product by the reciprocal'
DIVISIONS = 'a quotient by 0 is defined, so it is selected; quotient and remainder are corrected each for itself'

REASONS = {
   'array_of_arrays': FLAT_ARRAYS,
   'asm_copy_logical': 'a load and the store of the same value back stay; v_xad_u32 is not used',
   'asm_derivatives': 'the lanes of a quad are moved before they are subtracted; ACO: v_sub_f32 with DPP',
   'asm_variable_pointers': 'each access tries the buffers in turn, in blocks; ACO: selects the descriptor',
   'atomic_scopes': 'caches are invalidated at acquire; v_xad_u32 is not used',
   'barrier_memory': 'caches are invalidated at acquire',
   'cl_integer_small': 'integers of 8 and 16 bits are computed in 32; LLVM: v_add_u16 and its like',
   'cl_local_reduce': 'dwords of shared memory are read one by one; LLVM: ds_read2_b32',
   'cl_long': 'products of 64 bits by halves, quotients without branches; LLVM: v_mad_u64_u32, branches',
   'cl_math_exact': 'results are stored one by one; the functions are other ones than those of libclc',
   'cl_math_pointers': 'libclc has none of its functions: LLVM\'s code calls them',
   'cl_structs': 'bytes of a structure go through scratch memory; LLVM: through LDS, two of 64 bits at once',
   'flow_if_chain': 'the arms of the last tests stay arms, with masks; ACO: selects',
   'flow_switch_default_middle': 'a phi of booleans with a constant is joined with a mask of zeros',
   'math_pack': NORMS,
   'math_unpack': NORMS,
   'matrix_double': 'columns are chosen by selects; doubles are loaded one by one',
   'matrix_layouts': 'descriptors of matrices are read in parts of two and three dwords',
   'matrix_multiply': 'sums of 32-bit indexes may wrap, so neighbours stay apart; ACO: bounded numbers of workgroups',
   'naga_arithmetic': DIVISIONS,
   'naga_bits': NORMS,
   'naga_bounds': 'elements of arrays are chosen by one compare each; ACO: by a tree of compares',
   'naga_halves': UNPACKED,
   'naga_packed': 'bytes are put together by shifts and v_bfi_b32; ACO: results go to their byte by SDWA',
   'naga_uniforms': 'uniform columns are loaded in parts, and chosen by scalar selects',
   'shared_struct': 'shared memory by components; ACO: ds_read2_b64, ds_write2_b64',
   'subgroup_wide_types': WIDE_SCANS,
   'tint_arithmetic': DIVISIONS,
   'tint_bits': NORMS,
   'tint_halves': UNPACKED,
   'type_float16': UNPACKED,
   'type_int16': 'arithmetic of 16 bits in 32-bit instructions',
   'type_int64_convert': 'a float becomes 64 bits by two products; ACO: shifts the mantissa',
}
