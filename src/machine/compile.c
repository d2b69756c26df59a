/* SPDX-License-Identifier: MIT */
/* compile.c - compile a shader to a binary: the parts common to all machines. */
#include "machine/compile.h"

#include <string.h>

#include "heddle/clone.h"
#include "ir/private.h"
#include "machine/params.h"
#include "machine/text/program.h"

/* Binaries */

/* Behind it is what the caller sees. */
typedef struct kept {
   hd_config config;
   size_t size; /* of all */
   hd_blob blobs[HD_MACH_MAX_BLOBS];
} kept;

/* A multiple of what any member of a binary is aligned to. */
#define KEPT_SIZE ((sizeof(kept) + 15) & ~(size_t)15)

static kept *
kept_of(void *binary)
{
   return (kept *)(void *)((char *)binary - KEPT_SIZE);
}

static void *
create_binary(const hd_config *config, size_t binary_size)
{
   const size_t size = KEPT_SIZE + binary_size;
   hd_heap heap;

   hd_heap_init(&heap, config);
   kept *k = hd_heap_alloc(&heap, size);
   if (!k)
      return NULL;
   memset(k, 0, size);
   k->config = heap.config;
   k->size = size;
   for (unsigned n = 0; n < HD_MACH_MAX_BLOBS; n++)
      hd_blob_init(&k->blobs[n], config);
   return (char *)k + KEPT_SIZE;
}

void
hd_mach_binary_destroy(void *binary)
{
   hd_heap heap;

   if (!binary)
      return;
   kept *k = kept_of(binary);
   for (unsigned n = 0; n < HD_MACH_MAX_BLOBS; n++)
      hd_blob_finish(&k->blobs[n]);
   hd_heap_init(&heap, &k->config);
   heap.reserved = k->size;
   hd_heap_free(&heap, k, k->size);
}

static void
write_text(hd_mach_program *p, const hd_mach_compiler *compiler, const hd_blob *code, hd_blob *text)
{
   if (compiler->write_text)
      compiler->write_text(p, code, text);
   else
      hd_mach_list(compiler->listing, p->stack, (const unsigned char *)code->data, code->size, "  ",
                   false, text);
}

/* The encoded program, and what the caller sees of it. */
static hd_result
output(hd_mach_program *p, const hd_mach_compiler *compiler, const hd_mach_request *request,
       void *binary)
{
   hd_blob *blobs = kept_of(binary)->blobs;
   hd_result result = HD_OK;

   if (!compiler->encode(p, &blobs[HD_MACH_CODE]))
      return HD_UNSUPPORTED;
   if (request->keep_text && blobs[HD_MACH_CODE].result == HD_OK)
      write_text(p, compiler, &blobs[HD_MACH_CODE], &blobs[HD_MACH_TEXT]);
   if (compiler->buffers) {
      const hd_mach_buffers *buffers =
          (const hd_mach_buffers *)(const void *)((const char *)p + compiler->buffers);
      hd_blob_append(&blobs[HD_MACH_BINDINGS], buffers->bindings,
                     buffers->num_bindings * sizeof(hd_buffer_binding));
      hd_blob_append(&blobs[HD_MACH_CONSTANTS], p->shader->constants, p->shader->constants_size);
   }
   for (unsigned n = 0; n < HD_MACH_FIRST_OWN_BLOB && result == HD_OK; n++)
      result = blobs[n].result;
   return result == HD_OK ? compiler->finish(p, blobs, binary) : result;
}

/* Phases */

bool
hd_mach_is_tree(const hd_mach_program *p)
{
   return p->function->structured;
}

bool
hd_mach_is_flat(const hd_mach_program *p)
{
   return !p->function->structured;
}

static void
announce(const hd_mach_program *p, const hd_mach_request *request, const char *phase)
{
   hd_mach_before_phase(p, phase);
   if (request->before_phase)
      request->before_phase(request->user, phase);
}

static void
show(const hd_mach_program *p, const hd_mach_compiler *compiler, const hd_mach_request *request,
     const char *phase)
{
   hd_blob text;

   hd_blob_init(&text, hd_shader_config(p->shader));
   if (compiler->print)
      compiler->print(p, &text);
   else
      hd_mach_program_print(p, NULL, &text);
   if (text.result == HD_OK)
      request->after_phase(request->user, phase, text.data ? text.data : "");
   hd_blob_finish(&text);
}

static void
print_inst(const hd_mach_program *p, const hd_mach_inst *inst, hd_blob *out)
{
   hd_mach_inst_print(p, NULL, inst, out);
}

/* No phase does less than to look at each instruction. */
static void
count_steps(hd_mach_program *p)
{
   uint64_t num = 0;

   hd_mach_foreach_block(block, p)
   {
      num++;
      hd_mach_foreach_inst(inst, block) num++;
   }
   hd_heap_step(p->stack->heap, num);
}

static hd_result
run_phases(hd_mach_program *p, const hd_mach_compiler *compiler, const hd_mach_request *request)
{
   const hd_stack_mark empty = hd_stack_get_mark(p->scratch);

   for (size_t n = 0; n < compiler->num_phases; n++) {
      const hd_mach_phase *phase = &compiler->phases[n];
      if ((phase->checks && !request->check) || (phase->wanted && !phase->wanted(p)))
         continue;
      announce(p, request, phase->name);
      count_steps(p);
      if (!phase->run(p))
         return phase->checks ? HD_INVALID : HD_UNSUPPORTED;
      hd_stack_release(p->scratch, empty);
      hd_mach_after_phase(p, phase->name, compiler->print_inst ? compiler->print_inst : print_inst);
      if (request->after_phase)
         show(p, compiler, request, phase->name);
   }
   return HD_OK;
}

/* Passes */

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
run_passes(const hd_mach_program *p, const hd_mach_compiler *compiler,
           const hd_mach_request *request)
{
   hd_run_options run = { .diag = p->diag };
   hd_pass_list list = { .allocator = hd_shader_config(p->shader)->allocator };
   const hd_diag_sink diag = p->diag.report ? p->diag : hd_shader_config(p->shader)->diag;

   if (p->observer)
      run.watch = p->observer->passes;
   hd_result result = request->passes ? hd_pass_list_parse(&list, request->passes, diag)
                                      : compiler->standard_passes(p, request->quick, &list, diag);
   if (result == HD_OK)
      result = hd_run_passes(p->shader, list.steps, list.num_steps, &run, NULL);
   hd_pass_list_finish(&list);
   return result;
}

/* All */

/* Offsets in a wave's scratch memory are no more than 31 bits, so that they can be added. */
static bool
scratch_fits(hd_mach_program *p, uint32_t size)
{
   const uint32_t most = INT32_MAX / p->mach->lanes & ~UINT32_C(3);

   return size <= most ||
          hd_mach_refuse(p, NULL,
                         "expected at most %u bytes of scratch memory for each lane, found %u",
                         most, size);
}

static bool
memory_fits(hd_mach_program *p)
{
   const uint32_t most = p->mach->max_shared, shared = p->shader->shared_size;

   if (most && shared > most)
      return hd_mach_refuse(p, NULL,
                            "a workgroup has %u bytes of shared memory, the shader asks for %u",
                            most, shared);
   return scratch_fits(p, p->shader->scratch_size);
}

/* Inside of the unwinding point. */
static hd_result
compile(hd_mach_program *p, const hd_mach_compiler *compiler, const hd_mach_request *request,
        void *binary)
{
   p->function = p->shader->first_function;
   p->stack = hd_shader_stack(p->shader);
   if (!memory_fits(p))
      return HD_UNSUPPORTED;
   const hd_result result = run_phases(p, compiler, request);
   if (result != HD_OK)
      return result;
   if (!scratch_fits(p, p->scratch_size))
      return HD_UNSUPPORTED;
   announce(p, request, "output");
   return output(p, compiler, request, binary);
}

static hd_result
run_backend(hd_mach_program *p, const hd_mach_compiler *compiler, const hd_mach_request *request,
            void *binary)
{
   hd_heap *heap = hd_shader_heap(p->shader);
   volatile hd_result inside = HD_OK;
   hd_stack scratch;
   hd_unwind u;

   hd_heap_refill(heap);
   p->scratch = &scratch;
   hd_stack_init(p->scratch, heap);
   hd_stack_keep(p->scratch);
   if (HD_TRY(heap, &u))
      inside = compile(p, compiler, request, binary);
   const hd_result result = hd_heap_leave(heap, &u);
   hd_stack_finish(p->scratch);
   return result == HD_OK ? inside : result;
}

/* Before anything is done. */
static bool
can_be_compiled(hd_mach_program *p, const hd_mach_compiler *compiler)
{
   const hd_shader *shader = p->shader;
   const uint32_t stages =
       compiler->stages ? compiler->stages : 1u << HD_STAGE_COMPUTE | 1u << HD_STAGE_KERNEL;

   if (!shader->first_function)
      return hd_mach_refuse(p, NULL, "expected an entry function in the shader, found none");
   if (!(stages >> shader->stage & 1))
      return hd_mach_refuse(p, NULL, "only compute shaders and kernels can be compiled");
   if (shader->subgroup_size && shader->subgroup_size != p->mach->lanes)
      return hd_mach_refuse(p, NULL, "a wave has %u lanes, the shader requires %u", p->mach->lanes,
                            shader->subgroup_size);
   return true;
}

hd_result
hd_mach_compile(hd_mach_program *p, const hd_mach_compiler *compiler,
                const hd_mach_request *request, void **out)
{
   void *binary = NULL;
   hd_shader *copy;

   *out = NULL;
   p->diag = request->diag;
   p->observer = request->observer;
   if (!compiler->options_fit(p))
      return HD_INVALID;
   if (!can_be_compiled(p, compiler))
      return HD_UNSUPPORTED;
   hd_result result = hd_shader_clone(p->shader, NULL, &copy);
   if (result != HD_OK)
      return result;
   p->shader = copy;
   /* Lowerings over lanes take fewer steps when they know. */
   if (!copy->subgroup_size)
      copy->subgroup_size = p->mach->lanes;
   if (request->before_phase)
      request->before_phase(request->user, "passes");
   result = lower_params(copy);
   if (result == HD_OK)
      result = run_passes(p, compiler, request);
   if (result == HD_OK) {
      binary = create_binary(hd_shader_config(copy), compiler->binary_size);
      result = binary ? run_backend(p, compiler, request, binary) : HD_OUT_OF_MEMORY;
   }
   hd_shader_destroy(copy);
   if (result == HD_OK)
      *out = binary;
   else
      hd_mach_binary_destroy(binary);
   return result;
}

bool
hd_mach_limit_fits(hd_mach_program *p, const char *kind, unsigned limit, unsigned least,
                   unsigned most)
{
   if (limit > most)
      return hd_mach_refuse(p, NULL, "a limit of %u %s is given, the machine has %u", limit, kind,
                            most);
   if (limit && limit < least)
      return hd_mach_refuse(p, NULL, "a limit of %u %s is given, code needs at least %u", limit,
                            kind, least);
   return true;
}
