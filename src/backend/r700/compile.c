/* SPDX-License-Identifier: MIT */
/* compile.c - compile a shader to a binary: the order of the phases, and their results. */
#include <string.h>

#include "backend/r700/program.h"
#include "ir/private.h"
#include "machine/compile.h"
#include "machine/flow/flow.h"

static const hd_mach_phase phases[] = {
   { "select", hd_r700_select, NULL, false },
   { "stack", hd_mach_stack_flow, NULL, false },
   { "fuse_tests", hd_r700_fuse_tests, NULL, false },
   { "rebuild_ssa", hd_mach_rebuild_ssa, NULL, false },
   { "spill", hd_mach_spill, NULL, false },
   { "regalloc", hd_mach_regalloc, NULL, false },
   { "verify_ra", hd_mach_verify_ra, NULL, true },
   { "copy_propagate", hd_mach_copy_propagate, NULL, false },
   { "lower_copies", hd_r700_lower_copies, NULL, false },
};

/* The words as the assembler takes them, with their addresses. */
static void
write_text(hd_mach_program *p, const hd_blob *code, hd_blob *text)
{
   uint64_t *words;
   hd_r700_place *places;

   hd_r700_read_words(p->stack, code->data, code->size / 8, &words, &places);
   for (size_t n = 0; n < code->size / 8; n++) {
      if (places[n].inside)
         continue;
      hd_blob_printf(text, "  ");
      hd_r700_print_place(&words[n], &places[n], text);
      hd_blob_printf(text, "  ; %zu\n", n);
   }
}

static hd_result
finish(hd_mach_program *p, hd_blob *blobs, void *made)
{
   const hd_r700_program *r700 = hd_r700_of(p);
   hd_r700_binary *binary = made;

   binary->code = blobs[HD_MACH_CODE].data;
   binary->code_size = (uint32_t)blobs[HD_MACH_CODE].size;
   binary->text = blobs[HD_MACH_TEXT].data;
   binary->constants = blobs[HD_MACH_CONSTANTS].data;
   binary->constants_size = p->shader->constants_size;
   binary->bindings = (const hd_buffer_binding *)(const void *)blobs[HD_MACH_BINDINGS].data;
   binary->num_bindings = r700->buffers.num_bindings;
   binary->num_buffers = r700->buffers.num;
   binary->num_gprs = r700->num_gprs;
   binary->stack_size = r700->stack_size;
   binary->scratch_quads = r700->quads;
   binary->one_wave = r700->one_wave;
   binary->shared_size = p->shader->shared_size;
   memcpy(binary->workgroup_size, p->shader->workgroup_size, sizeof(binary->workgroup_size));
   binary->stats = r700->stats;
   binary->stats.registers = p->used[HD_R700_VECTOR];
   binary->stats.spilled = p->spilled[HD_R700_VECTOR];
   return HD_OK;
}

/* The least that a store of four dwords and its address take. */
#define LEAST_REGISTERS 8u

static bool
options_fit(hd_mach_program *p)
{
   return hd_mach_limit_fits(p, "registers", hd_r700_of(p)->options->max_registers, LEAST_REGISTERS,
                             HD_R700_MAX_VALUES);
}

static hd_result
standard_passes(const hd_mach_program *p, bool quick, hd_pass_list *list, hd_diag_sink diag)
{
   (void)p;
   return hd_pass_list_parse(list, quick ? "r700_quick" : "r700", diag);
}

const hd_mach_compiler hd_r700_compiler = {
   .phases = phases,
   .num_phases = sizeof(phases) / sizeof(phases[0]),
   .print = hd_r700_program_print,
   .print_inst = hd_r700_print_inst,
   .standard_passes = standard_passes,
   .options_fit = options_fit,
   .encode = hd_r700_encode_program,
   .write_text = write_text,
   .buffers = offsetof(hd_r700_program, buffers),
   .finish = finish,
   .binary_size = sizeof(hd_r700_binary),
};

hd_result
hd_r700_compile_as(const hd_shader *shader, unsigned variant, const void *own,
                   const hd_mach_request *request, void **binary)
{
   static const hd_r700_options none;
   hd_r700_program program = {
      .mach = { .shader = (hd_shader *)shader, .mach = &hd_r700_mach, .hooks = &hd_r700_hooks },
      .options = own ? own : &none
   };

   (void)variant;
   return hd_mach_compile(&program.mach, &hd_r700_compiler, request, binary);
}

hd_result
hd_r700_compile(const hd_shader *shader, const hd_r700_options *options, hd_r700_binary **out)
{
   static const hd_r700_options none;
   const hd_mach_request request = HD_MACH_REQUEST(options ? options : &none);
   void *binary;
   const hd_result result = hd_r700_compile_as(shader, 0, options, &request, &binary);

   *out = binary;
   return result;
}

void
hd_r700_binary_destroy(hd_r700_binary *binary)
{
   hd_mach_binary_destroy(binary);
}
