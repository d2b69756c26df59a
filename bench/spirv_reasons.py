# SPDX-License-Identifier: MIT
"""Why a peer's code is more than a tenth shorter, as the listings of both show it: by shader of the corpus. What
was not looked into is not here.
"""

WIDE_SCANS = 'reductions and scans of 64 bits by pointer doubling over ds_bpermute; ACO: DPP with all lanes on'
WRAPS = 'sums of 32-bit indexes may wrap, so neighbours stay apart; ACO: bounded numbers of workgroups'
FLAT_ARRAYS = 'an array of arrays is chosen from as one of all its elements'
ZERO_PRODUCTS = 'products by a constant zero stay, as an infinity would make them NaN'
UNPACKED = 'components of 16 bits one by one; ACO: packed instructions'
NORMS = 'quotients are rounded correctly, as the op is defined; ACO: a product by the reciprocal'

REASONS = {
   'algo_blur': 'shared memory is read dword by dword; ACO: ds_read2_b32',
   'array_of_arrays': FLAT_ARRAYS,
   'asm_dot_product': 'bytes are extracted one by one before they are multiplied',
   'asm_variable_pointers': 'each access tries the buffers in turn, in blocks; ACO: selects the descriptor',
   'atomic_scopes': 'caches are invalidated at acquire; v_xad_u32 is not used',
   'barrier_memory': 'caches are invalidated at acquire',
   'matrix_double': 'columns are chosen by selects; doubles are loaded one by one',
   'matrix_layouts': 'descriptors of matrices are read in parts of two and three dwords',
   'matrix_multiply': WRAPS,
   'matrix_transpose': ZERO_PRODUCTS,
   'math_pack': NORMS,
   'math_unpack': NORMS,
   'shared_struct': 'shared memory by components; ACO: ds_read2_b64, ds_write2_b64',
   'subgroup_wide_types': WIDE_SCANS,
   'type_float16': UNPACKED,
   'type_float16_math': UNPACKED,
   'type_int16': 'arithmetic of 16 bits in 32-bit instructions',
}
