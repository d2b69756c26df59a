/* SPDX-License-Identifier: MIT */
/* abi.h - the calling convention: registers at the start of a wave.
 *
 *    SGPRs   user SGPRs, as the caller of the shader sets them
 *            workgroup ids x, y, z; the wave's offset in scratch: those that pgm_rsrc2 enables
 *            fragments: before the latter the primitives of the wave, for m0
 *    VGPRs   v0, v1, v2: local invocation id; number of the vertex and the instance;
 *            fragments: what SPI_PS_INPUT_ENA enables, stage.c
 *
 * The user SGPRs of an HSA kernel are: scratch resource (4), address of the kernarg segment (2),
 * each only if requested. After the kernel's arguments, at the next multiple of 8, the segment has
 * the hidden arguments of code object version 5.
 *
 * A requested input becomes a definition of p_start, the first instruction of the program, fixed to
 * its register. Inputs can be requested until registers are allocated.
 */
#ifndef HEDDLE_BACKEND_GCN_ABI_ABI_H
#define HEDDLE_BACKEND_GCN_ABI_ABI_H

#include "backend/gcn/program.h"

/* The value, which is there from now on; size 0 where the ABI does not have it. */
hd_mach_operand hd_gcn_abi_get(hd_mach_program *p, hd_gcn_start which);

/* stage.c: the VGPR that has it, as things are. */
unsigned hd_gcn_start_vgpr(const hd_mach_program *p, hd_gcn_start which);
/* How many VGPRs are set at the start. */
unsigned hd_gcn_num_start_vgprs(const hd_mach_program *p);
/* SPI_PS_INPUT_ENA of a fragment shader. */
uint32_t hd_gcn_ps_input_ena(const hd_mach_program *p);
bool hd_gcn_is_graphics(const hd_shader *shader);

/* Lanes that are helpers when the wave starts, as a mask; they run from the start on. */
hd_mach_operand hd_gcn_abi_helpers(hd_mach_program *p);

/* The resource of scratch, and the offset of the wave in it (for `soffset`). False: the ABI has
 * none.
 */
bool hd_gcn_abi_scratch(hd_mach_program *p, hd_mach_operand *resource, hd_mach_operand *offset);

/* The address of the shader's constant data, which is there from the start on. */
hd_mach_operand hd_gcn_abi_constants(hd_mach_program *p);

/* HSA: where the hidden arguments begin in the kernarg segment, and its size with them if they are
 * read.
 */
uint32_t hd_gcn_abi_hidden_offset(const hd_mach_program *p);
uint32_t hd_gcn_abi_kernarg_size(const hd_mach_program *p);

/* HSA: KERNEL_CODE_PROPERTIES of the kernel descriptor. */
uint16_t hd_gcn_abi_properties(const hd_mach_program *p);
unsigned hd_gcn_abi_num_user_sgprs(const hd_mach_program *p);

/* Invocations of a workgroup; 0 where the launch decides. */
uint32_t hd_gcn_workgroup_lanes(const hd_shader *shader);

/* resources.c: COMPUTE_PGM_RSRC1 and 2. */
uint32_t hd_gcn_rsrc1(const hd_mach_program *p, unsigned sgprs, unsigned vgprs);
uint32_t hd_gcn_rsrc2(const hd_mach_program *p);
/* How many registers of the file a wave can have if its workgroup shall fit on a compute unit, and
 * the options' `waves` and limits are kept.
 */
unsigned hd_gcn_max_registers(const hd_mach_program *p, hd_gcn_file file);
/* Waves per SIMD that so many registers and so much LDS leave room for. */
unsigned hd_gcn_occupancy(const hd_gcn_target *target, unsigned sgprs, unsigned vgprs,
                          uint32_t lds_size, uint32_t workgroup_lanes);

#endif
