/* SPDX-License-Identifier: MIT */
/* object_read.c - read an HSA code object: kernels and their kernel descriptors. */
#include <inttypes.h>
#include <string.h>

#include "object/elf_read.h"

static hd_gcn_gen
target_of(elf_file *e)
{
   for (unsigned gen = 0; gen < HD_GCN_NUM_GENS; gen++) {
      if ((e->flags & ELF_MACH_MASK) == elf_mach_of((hd_gcn_gen)gen))
         return (hd_gcn_gen)gen;
   }
   hd_elf_refuse(e, HD_UNSUPPORTED, 48,
                 "code for chip 0x%x; gfx600, gfx803 and gfx900 are 0x20, 0x2a and 0x2c",
                 (unsigned)(e->flags & ELF_MACH_MASK));
}

static bool
is_executable(const elf_file *e, uint64_t address)
{
   for (uint32_t n = 0; n < e->num_segments; n++) {
      const hd_gcn_segment *s = &e->segments[n];
      if (s->executable && address >= s->address && address - s->address < s->size)
         return true;
   }
   return false;
}

static void
read_descriptor(elf_file *e, hd_gcn_kernel *k)
{
   const elf_symbol *s = hd_elf_find_symbol(e, k->symbol, strlen(k->symbol));
   uint64_t at;

   if (!s || !hd_elf_symbol_address(e, s, &at))
      hd_elf_refuse(e, HD_INVALID, 0, "kernel %s has no descriptor %s", k->name, k->symbol);
   if (at % KD_SIZE)
      hd_elf_refuse(e, HD_INVALID, 0,
                    "the kernel descriptor %s is at 0x%" PRIx64
                    ": it must be aligned to 64 bytes (.p2align 6, .amdhsa_kernel)",
                    k->symbol, at);
   if (e->image_size < KD_SIZE || at > e->image_size - KD_SIZE)
      hd_elf_refuse(e, HD_INVALID, 0,
                    "the kernel descriptor %s is at 0x%" PRIx64 ", where nothing is loaded",
                    k->symbol, at);
   const uint8_t *p = e->image + at;
   k->lds_size = (uint32_t)elf_get(p + KD_LDS_SIZE, 4);
   k->scratch_size = (uint32_t)elf_get(p + KD_SCRATCH_SIZE, 4);
   /* Older versions left it 0. */
   const uint32_t kernarg_size = (uint32_t)elf_get(p + KD_KERNARG_SIZE, 4);
   if (kernarg_size)
      k->kernarg_size = kernarg_size;
   k->entry = at + elf_get(p + KD_ENTRY, 8);
   k->pgm_rsrc1 = (uint32_t)elf_get(p + KD_RSRC1, 4);
   k->pgm_rsrc2 = (uint32_t)elf_get(p + KD_RSRC2, 4);
   k->pgm_rsrc3 = (uint32_t)elf_get(p + KD_RSRC3, 4);
   k->properties = (uint16_t)elf_get(p + KD_PROPERTIES, 2);
   k->kernarg_preload = (uint16_t)elf_get(p + KD_PRELOAD, 2);
   if (k->entry % 256 || !is_executable(e, k->entry))
      hd_elf_refuse(e, HD_INVALID, 0,
                    "kernel %s begins at 0x%" PRIx64
                    ", which is not a multiple of 256 or is not executable",
                    k->name, k->entry);
}

static void
check_args(elf_file *e, const hd_gcn_kernel *k)
{
   for (uint32_t n = 0; n < k->num_args; n++) {
      const hd_gcn_arg *a = &k->args[n];
      if (a->size > k->kernarg_size || a->offset > k->kernarg_size - a->size)
         hd_elf_refuse(e, HD_INVALID, 0,
                       "kernel %s: argument %u has %u bytes at %u, but there are only %u", k->name,
                       n, a->size, a->offset, k->kernarg_size);
   }
}

static void
read_object(hd_gcn_object_file *file)
{
   elf_file *e = &file->elf;
   hd_gcn_object *o = &file->object;

   hd_elf_read(e);
   o->target = target_of(e);
   o->version = e->abi_version + 2;
   hd_elf_make_image(e);
   o->segments = e->segments;
   o->num_segments = e->num_segments;
   hd_gcn_metadata_read(e, o);
   for (uint32_t n = 0; n < o->num_kernels; n++) {
      hd_gcn_kernel *k = (hd_gcn_kernel *)&o->kernels[n];
      read_descriptor(e, k);
      check_args(e, k);
   }
}

hd_result
hd_gcn_object_read(const hd_config *config, const void *data, size_t size, const char *name,
                   hd_gcn_object **out)
{
   hd_heap heap;
   hd_unwind u;

   *out = NULL;
   hd_heap_init(&heap, config);
   hd_gcn_object_file *file = hd_heap_alloc(&heap, sizeof(*file));
   if (!file)
      return HD_OUT_OF_MEMORY;
   memset(file, 0, sizeof(*file));
   file->elf.heap = heap;
   file->elf.name = name;
   file->elf.data = data;
   file->elf.size = size;
   hd_stack_init(&file->elf.stack, &file->elf.heap);
   if (HD_TRY(&file->elf.heap, &u))
      read_object(file);
   const hd_result result = hd_heap_leave(&file->elf.heap, &u);
   if (result == HD_OK)
      *out = &file->object;
   else
      hd_gcn_object_destroy(&file->object);
   return result;
}

void
hd_gcn_object_destroy(hd_gcn_object *object)
{
   hd_gcn_object_file *file = (hd_gcn_object_file *)object;

   if (!file)
      return;
   hd_heap heap = file->elf.heap;
   file->elf.stack.heap = &heap;
   hd_stack_finish(&file->elf.stack);
   hd_heap_free(&heap, file, sizeof(*file));
}

uint32_t
hd_gcn_kernel_find_arg(const hd_gcn_kernel *kernel, const char *name)
{
   for (uint32_t n = 0; n < kernel->num_explicit_args; n++) {
      if (kernel->args[n].name && !strcmp(kernel->args[n].name, name))
         return n;
   }
   return UINT32_MAX;
}

const hd_gcn_kernel *
hd_gcn_object_find(const hd_gcn_object *object, const char *name)
{
   if (!name)
      return object->num_kernels == 1 ? &object->kernels[0] : NULL;
   for (uint32_t n = 0; n < object->num_kernels; n++) {
      if (!strcmp(object->kernels[n].name, name))
         return &object->kernels[n];
   }
   return NULL;
}
