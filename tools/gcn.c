/* SPDX-License-Identifier: MIT */
/* gcn.c - GCN as a machine of the tool. */
#include "gcn.h"

#include <stdlib.h>
#include <string.h>

#include "heddle/gcn_asm.h"
#include "heddle/gcn_object.h"
#include "heddle/gcn_sim.h"

const char *const gcn_lowerings[] = { "tree", "reconverging", NULL };

hd_gcn_gen
gen_of(const hd_target *target)
{
   return hd_gcn_gen_find(hd_target_get_name(target));
}

static hd_result
assemble(tool *t, const hd_target *target, const char *name, const char *text, size_t size,
         hd_blob *code)
{
   return hd_gcn_assemble(&t->config, gen_of(target), name, text, size, code);
}

/* The executable segments of a code object. */
static hd_result
list_object(tool *t, const char *name, const void *data, size_t size, bool words, hd_blob *text)
{
   hd_gcn_object *object;
   hd_result result = hd_gcn_object_read(&t->config, data, size, name, &object);

   if (result != HD_OK)
      return result;
   for (uint32_t n = 0; n < object->num_segments && result == HD_OK; n++) {
      const hd_gcn_segment *segment = &object->segments[n];
      const hd_gcn_disassemble_options options = { words, segment->address };
      if (segment->executable)
         result = hd_gcn_disassemble(&t->config, object->target, &options, segment->data,
                                     (size_t)segment->file_size, text, NULL);
   }
   hd_gcn_object_destroy(object);
   return result;
}

static hd_result
disassemble(tool *t, const hd_target *target, const char *name, const void *data, size_t size,
            hd_blob *text)
{
   const hd_gcn_disassemble_options options = { option_given(t, "words"), 0 };

   if (size >= 4 && memcmp(data, "\177ELF", 4) == 0)
      return list_object(t, name, data, size, options.words, text);
   return hd_gcn_disassemble(&t->config, gen_of(target), &options, data, size, text, NULL);
}

/* Where the addresses of images are nobody said to a kernel: it is one of a driver. */
static bool
uses_descriptors(const hd_shader *shader)
{
   hd_foreach_function(f, shader) {
      hd_foreach_block(b, f) {
         hd_foreach_instr(i, b) {
            if (i->kind == HD_INSTR_INTRINSIC &&
                hd_instr_intrinsic_info(i)->slots[HD_INDEX_BINDING])
               return true;
         }
      }
   }
   return false;
}

/* A kernel for HSA, anything else for the driver that `run` is. */
static hd_result
create_options(const hd_shader *shader, const hd_wave_launch *launch, unsigned lowering, void **own)
{
   const bool kernel = shader->stage == HD_STAGE_KERNEL && !launch && !uses_descriptors(shader);
   hd_gcn_driver_abi *abi = NULL;
   hd_gcn_options *options = calloc(1, sizeof(*options));

   if (!options)
      return HD_OUT_OF_MEMORY;
   const hd_result result = kernel ? HD_OK : hd_gcn_sim_abi_create(shader, launch, &abi);
   if (result != HD_OK) {
      free(options);
      return result;
   }
   options->abi = kernel ? HD_GCN_ABI_HSA : HD_GCN_ABI_DRIVER;
   options->driver = abi;
   options->lowering = (hd_gcn_lowering)lowering;
   options->full_subgroups = launch ? !launch->active : !kernel;
   *own = options;
   return HD_OK;
}

static void
destroy_options(const hd_shader *shader, void *own)
{
   const hd_gcn_options *options = own;

   if (options)
      hd_gcn_sim_abi_destroy(shader, (hd_gcn_driver_abi *)(uintptr_t)options->driver);
   free(own);
}

static void
tell_step(void *user, const hd_gcn_sim_step *step)
{
   hd_explore_trace_step(user, step->workgroup, step->wave, step->pc,
                         &(hd_wave_mask){ { step->exec, 0 } }, step->cycle);
}

static hd_result
simulate(void *own, const hd_shader *shader, const hd_target_binary *binary,
         const hd_wave_launch *launch, hd_explore_trace *trace)
{
   const hd_gcn_options *options = own;
   const hd_gcn_sim_options sim = { .seed = launch->seed,
                                    .max_steps = launch->max_steps,
                                    .user = trace,
                                    .trace = tell_step,
                                    .wrote = tell_register,
                                    .stored = tell_store };

   return hd_gcn_sim_run_wave(binary->own, options->driver, shader, launch, &sim, NULL);
}

static void
count(const hd_target_binary *binary, figures *out)
{
   const hd_gcn_stats *s = &((const hd_gcn_binary *)binary->own)->stats;

   *out = (figures){ s->instructions,
                     s->exec_reads,
                     s->branches,
                     s->sgprs,
                     s->vgprs,
                     s->code_size,
                     { s->valu, s->salu, s->smem, s->vmem, s->lds, s->scratch_size,
                       s->spilled_sgprs + s->spilled_vgprs } };
}

const machine gcn_machine = {
   .compile = compile_for_gcn,
   .compile_all = compile_all_for_gcn,
   .run = run_on_gcn,
   .run_object = run_gcn_object,
   .assemble_for = assemble,
   .disassemble_for = disassemble,
   .create_options = create_options,
   .destroy_options = destroy_options,
   .simulate = simulate,
   .lowerings = gcn_lowerings,
   .count = count,
#ifndef _WIN32 /* there is no verify-cfg: it needs fork() */
   .agrees = agrees_on_gcn,
#endif
   .default_target = "gfx900",
};
