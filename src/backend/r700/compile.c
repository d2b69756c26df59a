/* SPDX-License-Identifier: MIT */
/* compile.c - from a shader to a binary: the phases in their order, and what is kept of them. */
#include <inttypes.h>
#include <string.h>

#include "backend/r700/program.h"
#include "ir/private.h"
#include "machine/compile.h"
#include "machine/flow/flow.h"

static const hd_mach_phase phases[] = {
   { "select", hd_r700_select, NULL, false },
   { "stack", hd_mach_stack_flow, NULL, false },
   { "rebuild_ssa", hd_mach_rebuild_ssa, NULL, false },
   { "spill", hd_mach_spill, NULL, false },
   { "regalloc", hd_mach_regalloc, NULL, false },
   { "verify_ra", hd_mach_verify_ra, NULL, true },
   { "copy_propagate", hd_mach_copy_propagate, NULL, false },
   { "lower_copies", hd_r700_lower_copies, NULL, false },
};

/* What the caller sees, and the memory behind it. */
struct kept {
   hd_r700_binary binary;
   hd_config config;
   hd_blob code, text, bindings, constants;
};

/* The words as the assembler takes them, with their addresses. */
static void
write_text(hd_mach_program *p, const hd_blob *code, hd_blob *text)
{
   const size_t num = code->size / 8;
   uint64_t *words = hd_stack_alloc(p->stack, (num + 2) * sizeof(*words));
   hd_r700_place *places = hd_stack_alloc_zero(p->stack, (num + 1) * sizeof(*places));
   hd_r700_inst inst;

   for (size_t n = 0; n < num; n++)
      words[n] = hd_r700_word_at(code->data, n);
   words[num] = 0;
   hd_r700_find_places(words, num, places);
   for (size_t n = 0; n < num; n++) {
      if (places[n].inside)
         continue;
      hd_blob_printf(text, "  ");
      if (!places[n].kind || places[n].literal)
         hd_blob_printf(text, "%s 0x%" PRIx32 ", 0x%" PRIx32, places[n].kind ? ".literal" : ".long",
                        (uint32_t)words[n], (uint32_t)(words[n] >> 32));
      else if (!hd_r700_decode((hd_r700_kind)(places[n].kind - 1), &words[n], &inst))
         hd_r700_print(&inst, text);
      hd_blob_printf(text, "  ; %zu\n", n);
   }
}

static hd_result
output(hd_mach_program *p, void *made)
{
   struct kept *kept = made;
   hd_r700_program *r700 = hd_r700_of(p);
   hd_r700_binary *binary = &kept->binary;

   if (!hd_r700_encode_program(p, &kept->code))
      return HD_UNSUPPORTED;
   if (kept->code.result == HD_OK && r700->options->keep_text)
      write_text(p, &kept->code, &kept->text);
   hd_blob_append(&kept->bindings, r700->buffers.bindings,
                  r700->buffers.num_bindings * sizeof(hd_buffer_binding));
   binary->code = kept->code.data;
   binary->code_size = (uint32_t)kept->code.size;
   binary->text = r700->options->keep_text ? kept->text.data : NULL;
   binary->bindings = (const hd_buffer_binding *)(const void *)kept->bindings.data;
   hd_blob_append(&kept->constants, p->shader->constants, p->shader->constants_size);
   binary->constants = kept->constants.data;
   binary->constants_size = p->shader->constants_size;
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
   if (kept->code.result != HD_OK)
      return kept->code.result;
   if (kept->constants.result != HD_OK)
      return kept->constants.result;
   return kept->text.result != HD_OK ? kept->text.result : kept->bindings.result;
}

/* The least that a store of four dwords and its address take. */
#define LEAST_REGISTERS 8u

static bool
options_fit(const hd_r700_options *o, hd_mach_program *p)
{
   if (o->max_registers > HD_R700_MAX_VALUES)
      return hd_mach_refuse(p, NULL, "more registers are allowed than there are: %u",
                            HD_R700_MAX_VALUES);
   if (o->max_registers && o->max_registers < LEAST_REGISTERS)
      return hd_mach_refuse(p, NULL, "fewer registers are allowed than must be: %u",
                            LEAST_REGISTERS);
   return true;
}

static hd_result
standard_passes(const hd_mach_program *p, hd_pass_list *list, hd_diag_sink diag)
{
   return hd_pass_list_parse(list, hd_r700_of(p)->options->quick ? "r700_quick" : "r700", diag);
}

const hd_mach_compiler hd_r700_compiler = {
   .phases = phases,
   .num_phases = sizeof(phases) / sizeof(phases[0]),
   .print = hd_r700_program_print,
   .print_inst = hd_r700_print_inst,
   .standard_passes = standard_passes,
   .output = output,
   .binary_size = sizeof(struct kept),
   .config = offsetof(struct kept, config),
   .blobs = offsetof(struct kept, code),
   .num_blobs = 4,
};

void
hd_r700_binary_destroy(hd_r700_binary *binary)
{
   hd_mach_binary_destroy(&hd_r700_compiler, binary);
}

hd_result
hd_r700_compile(const hd_shader *shader, const hd_r700_options *options, hd_r700_binary **out)
{
   static const hd_r700_options none;
   hd_stack scratch;
   hd_r700_program program = { .mach = { .scratch = &scratch,
                                         .shader = (hd_shader *)shader,
                                         .mach = &hd_r700_mach,
                                         .hooks = &hd_r700_hooks },
                               .options = options ? options : &none };
   hd_mach_program *p = &program.mach;
   void *binary;

   *out = NULL;
   p->diag = program.options->diag;
   if (!options_fit(program.options, p))
      return HD_INVALID;
   const hd_mach_request request = { .passes = program.options->passes,
                                     .observer = program.options->observer,
                                     .check = program.options->verify_regalloc,
                                     .user = program.options->user,
                                     .after_phase = program.options->after_phase };
   const hd_result result = hd_mach_compile(p, &hd_r700_compiler, &request, &binary);
   *out = binary;
   return result;
}
