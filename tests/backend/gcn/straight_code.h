/* SPDX-License-Identifier: MIT */
/* straight_code.h - select code without control flow, give it registers, and run it on a wave of
 * the simulator: nothing but selection and the meaning of instructions takes part.
 *
 * Inputs of the function are loads: of scratch memory, whose results differ between lanes, and of
 * push constants, whose results are uniform. What it stores to scratch memory is its output. None
 * of them becomes an instruction.
 */
#ifndef TESTS_BACKEND_GCN_STRAIGHT_CODE_H
#define TESTS_BACKEND_GCN_STRAIGHT_CODE_H

#include "backend/gcn/select/alu.h"

#define STRAIGHT_INPUTS 8

typedef struct straight_code {
   hd_gcn_program gcn;
   hd_mach_operand inputs[STRAIGHT_INPUTS]; /* by the offset of the load, in units of 256 bytes */
   hd_mach_operand outputs[HD_MAX_COMPONENTS];
   unsigned num_outputs; /* components */
   unsigned output_bits;
   bool refused;
} straight_code;

/* Select the entry function of a shader to which the pipeline was applied. False: refused. */
bool straight_select(straight_code *code, hd_shader *shader, hd_gcn_gen gen);

/* Values by input, dword and lane; results by component and lane, with undefined bits. Inputs
 * that are uniform are read in lane 0. NULL, or why it did not run.
 */
const char *straight_execute(const straight_code *code, const uint32_t in[STRAIGHT_INPUTS][8][64],
                             uint64_t out[HD_MAX_COMPONENTS][64],
                             uint64_t undefined[HD_MAX_COMPONENTS][64]);

/* The operations in order, for messages. */
void straight_print(const straight_code *code);

#endif
