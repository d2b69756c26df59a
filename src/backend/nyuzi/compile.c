/* SPDX-License-Identifier: MIT */
/* compile.c - from a shader to a binary: the phases in their order, and what is kept of them. */
#include <inttypes.h>
#include <string.h>

#include "backend/nyuzi/program.h"
#include "heddle/clone.h"
#include "heddle/pass.h"
#include "ir/private.h"
#include "machine/params.h"

typedef enum when { ALWAYS, IF_CHECKED } when;

static const struct phase {
   const char *name;
   bool (*run)(hd_mach_program *p);
   when when;
} phases[] = {
   { "select", hd_nyuzi_select, ALWAYS },
   { "exec_mask", hd_mach_exec_mask, ALWAYS },
   { "rebuild_ssa", hd_mach_rebuild_ssa, ALWAYS },
   { "spill", hd_mach_spill, ALWAYS },
   { "regalloc", hd_mach_regalloc, ALWAYS },
   { "verify_ra", hd_mach_verify_ra, IF_CHECKED },
   { "copy_propagate", hd_mach_copy_propagate, ALWAYS },
   { "lower_copies", hd_nyuzi_lower_copies, ALWAYS },
   { "assign_masks", hd_nyuzi_assign_masks, ALWAYS },
   { "straighten", hd_mach_straighten, ALWAYS },
   { "rename_masks", hd_nyuzi_rename_masks, ALWAYS },
};

/* What the caller sees, and the memory behind it. */
struct kept {
   hd_nyuzi_binary binary;
   hd_config config;
   hd_blob code, text, bindings, constants;
};

static struct kept *
create(const hd_config *config)
{
   hd_heap heap;

   hd_heap_init(&heap, config);
   struct kept *kept = hd_heap_alloc(&heap, sizeof(*kept));
   if (!kept)
      return NULL;
   memset(kept, 0, sizeof(*kept));
   kept->config = heap.config;
   hd_blob_init(&kept->code, config);
   hd_blob_init(&kept->text, config);
   hd_blob_init(&kept->bindings, config);
   hd_blob_init(&kept->constants, config);
   return kept;
}

void
hd_nyuzi_binary_destroy(hd_nyuzi_binary *binary)
{
   struct kept *kept = (struct kept *)binary;
   hd_heap heap;

   if (!binary)
      return;
   hd_blob_finish(&kept->code);
   hd_blob_finish(&kept->text);
   hd_blob_finish(&kept->bindings);
   hd_blob_finish(&kept->constants);
   hd_heap_init(&heap, &kept->config);
   heap.reserved = sizeof(*kept);
   hd_heap_free(&heap, kept, sizeof(*kept));
}

static void
show(const hd_mach_program *p, const char *phase)
{
   hd_blob text;

   hd_blob_init(&text, hd_shader_config(p->shader));
   hd_nyuzi_program_print(p, &text);
   if (text.result == HD_OK)
      hd_nyuzi_of(p)->options->after_phase(hd_nyuzi_of(p)->options->user, phase,
                                           text.data ? text.data : "");
   hd_blob_finish(&text);
}

static hd_result
run_phases(hd_mach_program *p)
{
   const hd_stack_mark empty = hd_stack_get_mark(p->scratch);
   const hd_nyuzi_options *options = hd_nyuzi_of(p)->options;

   for (size_t n = 0; n < sizeof(phases) / sizeof(phases[0]); n++) {
      if (phases[n].when == IF_CHECKED && !options->check)
         continue;
      /* What the checker finds is a fault of ours, not of the shader. */
      if (!phases[n].run(p))
         return phases[n].when == IF_CHECKED ? HD_INVALID : HD_UNSUPPORTED;
      hd_stack_release(p->scratch, empty);
      if (options->after_phase)
         show(p, phases[n].name);
   }
   return HD_OK;
}

/* Lines as the assembler takes them; labels where a branch goes. */
static void
write_text(hd_mach_program *p, const hd_blob *code, hd_blob *text)
{
   const uint32_t *words = (const uint32_t *)(const void *)code->data;
   const size_t num = code->size / 4;
   bool *is_target = hd_stack_alloc_zero(p->stack, num + 1);
   hd_nyuzi_word inst;

   for (size_t n = 0; n < num; n++) {
      if (!hd_nyuzi_decode(words[n], &inst) &&
          (inst.form == HD_NYUZI_FORM_TEST || inst.form == HD_NYUZI_FORM_BRANCH))
         is_target[(size_t)((int64_t)n + inst.imm)] = true;
   }
   for (size_t n = 0; n < num; n++) {
      if (is_target[n])
         hd_blob_printf(text, "L%zx:\n", 4 * n);
      hd_blob_printf(text, "  ");
      if (!hd_nyuzi_decode(words[n], &inst))
         hd_nyuzi_print(&inst, 4 * n, true, text);
      hd_blob_printf(text, "\n");
   }
}

static hd_result
output(hd_mach_program *p, struct kept *kept)
{
   hd_nyuzi_program *nyuzi = hd_nyuzi_of(p);
   hd_nyuzi_binary *binary = &kept->binary;

   if (!hd_nyuzi_encode_program(p, &kept->code))
      return HD_UNSUPPORTED;
   if (kept->code.result == HD_OK && nyuzi->options->keep_text)
      write_text(p, &kept->code, &kept->text);
   hd_blob_append(&kept->bindings, nyuzi->bindings, nyuzi->num_bindings * sizeof(hd_nyuzi_binding));
   binary->code = (const uint32_t *)(const void *)kept->code.data;
   binary->code_words = (uint32_t)(kept->code.size / 4);
   binary->text = nyuzi->options->keep_text ? kept->text.data : NULL;
   binary->bindings = (const hd_nyuzi_binding *)(const void *)kept->bindings.data;
   hd_blob_append(&kept->constants, p->shader->constants, p->shader->constants_size);
   binary->constants = kept->constants.data;
   binary->constants_size = p->shader->constants_size;
   binary->num_bindings = nyuzi->num_bindings;
   binary->num_buffers = nyuzi->num_buffers;
   binary->scratch_size =
       (p->scratch_size * HD_NYUZI_LANES + 4 * nyuzi->scalar_slots + 63) & ~UINT32_C(63);
   binary->shared_size = p->shader->shared_size;
   memcpy(binary->workgroup_size, p->shader->workgroup_size, sizeof(binary->workgroup_size));
   binary->stats = nyuzi->stats;
   binary->stats.scalars = p->used[HD_NYUZI_SCALAR];
   binary->stats.vectors = p->used[HD_NYUZI_VECTOR];
   binary->stats.spilled_scalars = p->spilled[HD_NYUZI_SCALAR];
   binary->stats.spilled_vectors = p->spilled[HD_NYUZI_VECTOR];
   if (kept->code.result != HD_OK)
      return kept->code.result;
   if (kept->constants.result != HD_OK)
      return kept->constants.result;
   return kept->text.result != HD_OK ? kept->text.result : kept->bindings.result;
}

/* The least that calls of one instruction and loops over lanes take. */
#define LEAST_SCALARS 12u
#define LEAST_VECTORS 6u

static bool
options_fit(const hd_nyuzi_options *o, hd_mach_program *p)
{
   if ((unsigned)o->skip > HD_NYUZI_SKIP_NEVER)
      return hd_mach_refuse(p, NULL, "an option has a value that it cannot have");
   if (o->max_scalars > HD_NYUZI_MAX_SCALARS || o->max_vectors > HD_NYUZI_MAX_VECTORS)
      return hd_mach_refuse(p, NULL, "more registers are allowed than there are: %u and %u",
                            HD_NYUZI_MAX_SCALARS, HD_NYUZI_MAX_VECTORS);
   if ((o->max_scalars && o->max_scalars < LEAST_SCALARS) ||
       (o->max_vectors && o->max_vectors < LEAST_VECTORS))
      return hd_mach_refuse(p, NULL, "fewer registers are allowed than must be: %u and %u",
                            LEAST_SCALARS, LEAST_VECTORS);
   return true;
}

/* Inside of the unwinding point. */
static hd_result
compile(hd_mach_program *p, struct kept *kept)
{
   p->function = p->shader->first_function;
   p->stack = hd_shader_stack(p->shader);
   if (p->shader->stage != HD_STAGE_COMPUTE && p->shader->stage != HD_STAGE_KERNEL) {
      hd_mach_refuse(p, NULL, "only compute shaders and kernels can be compiled");
      return HD_UNSUPPORTED;
   }
   p->scratch_size = (p->shader->scratch_size + 3) & ~UINT32_C(3);
   const hd_result result = run_phases(p);
   return result == HD_OK ? output(p, kept) : result;
}

/* Parameters first: passes shall see loads. */
static hd_result
lower_params(hd_shader *shader)
{
   hd_heap *heap = hd_shader_heap(shader);
   hd_unwind u;

   if (HD_TRY(heap, &u))
      hd_mach_lower_params(shader);
   return hd_heap_leave(heap, &u);
}

static hd_result
run_passes(hd_shader *shader, const hd_nyuzi_options *options)
{
   hd_run_options run = { .diag = options->diag };
   hd_pass_list list = { .allocator = hd_shader_config(shader)->allocator };
   const hd_diag_sink diag = options->diag.report ? options->diag : hd_shader_config(shader)->diag;

   const char *standard = options->quick ? "nyuzi_quick" : "nyuzi";

   hd_result result = hd_pass_list_parse(&list, options->passes ? options->passes : standard, diag);
   if (result == HD_OK)
      result = hd_run_passes(shader, list.steps, list.num_steps, &run, NULL);
   hd_pass_list_finish(&list);
   return result;
}

static hd_result
run_backend(hd_mach_program *p, struct kept *kept)
{
   hd_heap *heap = hd_shader_heap(p->shader);
   volatile hd_result inside = HD_OK;
   hd_unwind u;

   hd_heap_refill(heap);
   hd_stack_init(p->scratch, heap);
   hd_stack_keep(p->scratch);
   if (HD_TRY(heap, &u))
      inside = compile(p, kept);
   const hd_result result = hd_heap_leave(heap, &u);
   hd_stack_finish(p->scratch);
   return result == HD_OK ? inside : result;
}

hd_result
hd_nyuzi_compile(const hd_shader *shader, const hd_nyuzi_options *options, hd_nyuzi_binary **out)
{
   static const hd_nyuzi_options none;
   hd_stack scratch;
   hd_nyuzi_program program = { .mach = { .scratch = &scratch,
                                          .shader = (hd_shader *)shader,
                                          .mach = &hd_nyuzi_mach,
                                          .hooks = &hd_nyuzi_hooks },
                                .options = options ? options : &none };
   hd_mach_program *p = &program.mach;
   struct kept *kept = NULL;
   hd_shader *copy;

   *out = NULL;
   p->diag = program.options->diag;
   if (!options_fit(program.options, p))
      return HD_INVALID;
   if (!shader->first_function) {
      hd_mach_refuse(p, NULL, "the shader has no function to compile");
      return HD_UNSUPPORTED;
   }
   if (shader->subgroup_size && shader->subgroup_size != HD_NYUZI_LANES) {
      hd_mach_refuse(p, NULL, "a wave has %u lanes, the shader asks for %" PRIu32, HD_NYUZI_LANES,
                     shader->subgroup_size);
      return HD_UNSUPPORTED;
   }
   hd_result result = hd_shader_clone(shader, NULL, &copy);
   if (result != HD_OK)
      return result;
   p->shader = copy;
   /* Lowerings over lanes take fewer steps when they know. */
   copy->subgroup_size = HD_NYUZI_LANES;
   result = lower_params(copy);
   if (result == HD_OK)
      result = run_passes(copy, program.options);
   if (result == HD_OK) {
      kept = create(hd_shader_config(copy));
      result = kept ? run_backend(p, kept) : HD_OUT_OF_MEMORY;
   }
   hd_shader_destroy(copy);
   if (result == HD_OK)
      *out = &kept->binary;
   else if (kept)
      hd_nyuzi_binary_destroy(&kept->binary);
   return result;
}
