/* SPDX-License-Identifier: MIT */
/* dispatch.c - dispatch a kernel of a code object, as a runtime and the command processor do.
 *
 *    code      the object's image, where its code lies across a multiple of 4 GiB
 *    kernarg   explicit arguments, then those that the runtime fills in
 *    packet    of the dispatch, as a kernel may read it; of the queue, the apertures of LDS and
 *              scratch
 */
#include <inttypes.h>
#include <string.h>

#include "backend/gcn/sim/image_launch.h"
#include "backend/gcn/sim/machine.h"
#include "backend/gcn/sim/open_args.h"
#include "backend/gcn/sim/regions.h"
#include "backend/gcn/sim/sampler.h"
#include "object/elf_read.h"
#include "util/refuse.h"

#define MAX_ALIGN     128u
#define PACKET_SIZE   64u
#define QUEUE_SIZE    256u
#define MAX_KERNARG   (1u << 20) /* bytes; what asks for more is no kernel */
#define DYNAMIC_STACK 16384u /* bytes of a lane, where a kernel does not know how much it needs */

/* An image of an argument, as the machine has it. */
struct copied {
   hd_gcn_image image;
   hd_wave_memory memory; /* size 0: the argument is none */
};

struct setup {
   hd_heap heap;
   hd_stack stack;
   const hd_gcn_object_file *file;
   const hd_gcn_kernel *kernel;
   const hd_gcn_sim_dispatch_info *info;
   hd_gcn_sim_launch to;
   places places;
   uint32_t grid[3], workgroup[3];
   hd_wave_memory kernarg, packet, queue;
   uint64_t kernarg_address, packet_address, queue_address;
   uint64_t base;         /* where the image is */
   struct copied *copied; /* by argument */
};

/* Sizes */

static void
choose_grid(struct setup *s)
{
   const hd_gcn_kernel *k = s->kernel;
   const bool open = !s->info->workgroup[0] && !s->info->workgroup[1] && !s->info->workgroup[2];
   uint64_t lanes = 1;

   for (unsigned n = 0; n < 3; n++) {
      const uint32_t given = s->info->workgroup[n], fixed = k->workgroup_size[n];
      if (given && fixed && given != fixed)
         hd_heap_refuse(&s->heap, HD_BAD_LAUNCH,
                        "a workgroup of %u along %c, but the kernel wants %u", given, "xyz"[n],
                        fixed);
      s->grid[n] = s->info->grid[n] ? s->info->grid[n] : 1;
      s->workgroup[n] = fixed ? fixed : given ? given : open && !n ? HD_GCN_LANES : 1;
      lanes *= s->workgroup[n];
      if (lanes > (k->max_workgroup ? k->max_workgroup : 1024))
         hd_heap_refuse(&s->heap, HD_BAD_LAUNCH,
                        "expected a workgroup of at most %u lanes, found more",
                        k->max_workgroup ? k->max_workgroup : 1024);
      s->to.grid[n] = s->grid[n];
      s->to.workgroup_size[n] = s->workgroup[n];
      s->to.num_workgroups[n] =
          (uint32_t)(((uint64_t)s->grid[n] + s->workgroup[n] - 1) / s->workgroup[n]);
   }
}

static uint32_t
work_dim(const struct setup *s)
{
   if (s->info->work_dim)
      return s->info->work_dim;
   return s->grid[2] > 1 || s->workgroup[2] > 1 ? 3 : s->grid[1] > 1 || s->workgroup[1] > 1 ? 2 : 1;
}

/* Memory */

static uint64_t
align_of(uint64_t size)
{
   uint64_t align = 1;

   while (align < MAX_ALIGN && align * 2 <= size)
      align *= 2;
   return align;
}

static uint64_t
add(struct setup *s, hd_wave_memory m, bool read_only, const char *name)
{
   return hd_gcn_regions_add(&s->places, m, align_of(m.size), read_only, name);
}

static const hd_gcn_segment *
segment_of_code(const struct setup *s)
{
   const hd_gcn_object *o = &s->file->object;

   for (uint32_t n = 0; n < o->num_segments; n++) {
      const hd_gcn_segment *g = &o->segments[n];
      if (g->executable && s->kernel->entry >= g->address &&
          s->kernel->entry - g->address < g->size)
         return g;
   }
   return NULL;
}

static void
load_image(struct setup *s)
{
   const elf_file *e = &s->file->elf;
   const hd_gcn_segment *code = segment_of_code(s);

   if (code->address % 4)
      hd_heap_refuse(&s->heap, HD_BAD_LAUNCH, "code at 0x%" PRIx64 ", which is not a multiple of 4",
                     code->address);
   const uint64_t middle = (code->address + code->size / 2 + MAX_ALIGN) & ~(uint64_t)255;
   s->base = (UINT64_C(0xe0) << 32) - middle;
   const hd_wave_memory image = hd_mach_memory_bytes(&s->stack, e->image_size, false);
   memcpy(image.data, e->image, (size_t)e->image_size);
   for (uint32_t n = 0; n < e->num_fixups; n++) {
      const elf_fixup *f = &e->fixups[n];
      const uint64_t value = s->base + f->target;
      hd_mach_memory_put(image, f->at, f->type == ELF_RELOC_ABS64 ? 8 : 4,
                         f->type == ELF_RELOC_ABS32_HI ? value >> 32 : value);
   }
   for (uint32_t n = 0; n < e->num_segments; n++) {
      const hd_gcn_segment *g = &e->segments[n];
      const hd_wave_memory m = { (uint8_t *)image.data + g->address, image.undefined + g->address,
                                 g->size };
      if (g != code && g->size)
         hd_gcn_regions_give(&s->places, s->base + g->address, m,
                             g->executable ? "code"
                             : g->writable ? "variables"
                                           : "constants");
      if (g != code && g->size && !g->writable)
         s->places.regions[s->places.num - 1].read_only = true;
   }
   s->to.code = (const uint32_t *)(const void *)((const uint8_t *)image.data + code->address);
   s->to.code_words = (uint32_t)(code->size / 4);
   s->to.code_address = s->base + code->address;
   s->to.entry = (uint32_t)(s->kernel->entry - code->address);
}

/* Arguments */

static void
put_arg(struct setup *s, const hd_gcn_arg *a, uint64_t value)
{
   for (uint32_t n = 0; n < a->size; n++)
      hd_mach_memory_put(s->kernarg, a->offset + n, 1, n < 8 ? value >> 8 * n : 0);
}

static const char *
name_of(struct setup *s, uint32_t n)
{
   const hd_gcn_arg *a = &s->kernel->args[n];
   char *name = hd_stack_alloc(&s->stack, 64);

   snprintf(name, 64, a->name ? "argument %u, %s" : "argument %u", n, a->name ? a->name : "");
   return name;
}

static void
put_buffer(struct setup *s, uint32_t n, const hd_gcn_sim_arg *from)
{
   const hd_gcn_arg *a = &s->kernel->args[n];
   const bool read_only = a->access && !strcmp(a->access, "read_only");
   const bool null = !from->buffer.data && !from->buffer.size;

   if (from->buffer.size >= UINT64_C(1) << 32)
      hd_heap_refuse(&s->heap, HD_BAD_LAUNCH, "argument %u: a buffer of 4 GiB or more", n);
   put_arg(s, a, null ? 0 : add(s, from->buffer, read_only, name_of(s, n)));
}

static void
put_descriptor(struct setup *s, uint32_t n, const uint32_t *words, unsigned num)
{
   const hd_wave_memory m = hd_mach_memory_bytes(&s->stack, 4 * num, true);

   for (unsigned k = 0; k < num; k++)
      hd_mach_memory_put(m, 4 * k, 4, words[k]);
   put_arg(s, &s->kernel->args[n], add(s, m, true, name_of(s, n)));
}

/* It has as many dimensions as the launch gives it sizes. */
static void
put_image(struct setup *s, uint32_t n, const hd_wave_image *from)
{
   struct copied *c = &s->copied[n];
   uint32_t words[8];

   if (!from)
      hd_heap_refuse(&s->heap, HD_BAD_LAUNCH, "argument %u: expected an image", n);
   const hd_gcn_image_shape shape = { .is_image = true,
                                      .dim = from->depth    ? HD_DIM_D3
                                             : from->height ? HD_DIM_D2
                                                            : HD_DIM_D1,
                                      .array = from->num_layers != 0,
                                      .ms = from->num_samples > 1,
                                      .sampled = true };
   const char *why = hd_gcn_image_from_launch(&shape, from, &c->image);
   const uint64_t size = why ? 0 : hd_gcn_image_size(&c->image);
   if (why || size > UINT32_MAX / 2)
      hd_heap_refuse(&s->heap, HD_UNSUPPORTED, "argument %u: %s", n,
                     why ? why : "expected fewer than 2 GiB");
   c->memory = hd_mach_memory_bytes(&s->stack, size, true);
   hd_gcn_image_copy(&c->image, from, c->memory, false);
   c->image.base =
       hd_gcn_regions_add(&s->places, c->memory, HD_GCN_IMAGE_ALIGN, false, name_of(s, n));
   hd_gcn_image_write(s->file->object.target, &c->image, words);
   put_descriptor(s, n, words, 8);
}

static void
put_sampler(struct setup *s, uint32_t n, const hd_wave_sampler *from)
{
   uint32_t words[4];

   if (!from)
      hd_heap_refuse(&s->heap, HD_BAD_LAUNCH, "argument %u: expected a sampler", n);
   hd_gcn_sampler_write(from, words);
   put_descriptor(s, n, words, 4);
}

/* What the kernel left in images. */
static void
take_images(struct setup *s)
{
   for (uint32_t n = 0; s->copied && n < s->info->num_args; n++) {
      if (s->copied[n].memory.size)
         hd_gcn_image_copy(&s->copied[n].image, s->info->args[n].image, s->copied[n].memory, true);
   }
}

static void
put_explicit(struct setup *s, uint32_t n)
{
   const hd_gcn_arg *a = &s->kernel->args[n];
   const hd_gcn_sim_arg *from = &s->info->args[n];

   if ((from->image && a->kind != HD_GCN_ARG_IMAGE) ||
       (from->sampler && a->kind != HD_GCN_ARG_SAMPLER))
      hd_heap_refuse(&s->heap, HD_BAD_LAUNCH, "argument %u: found an image or a sampler", n);
   if (from->shared && a->kind != HD_GCN_ARG_SHARED_POINTER)
      hd_heap_refuse(&s->heap, HD_BAD_LAUNCH,
                     "argument %u: found LDS, expected a value or a buffer", n);
   switch (a->kind) {
   case HD_GCN_ARG_VALUE:
      if (!from->value) {
         /* A pointer that its kernel does not know as one. */
         if (a->size != 8)
            hd_heap_refuse(&s->heap, HD_BAD_LAUNCH,
                           "argument %u: found a buffer, expected a value of %u bytes", n, a->size);
         put_buffer(s, n, from);
         return;
      }
      if (from->size != a->size)
         hd_heap_refuse(&s->heap, HD_BAD_LAUNCH, "argument %u has %u bytes, the kernel wants %u", n,
                        from->size, a->size);
      for (uint32_t k = 0; k < a->size; k++)
         hd_mach_memory_put(s->kernarg, a->offset + k, 1, ((const uint8_t *)from->value)[k]);
      return;
   case HD_GCN_ARG_GLOBAL_BUFFER:
      if (from->value)
         hd_heap_refuse(&s->heap, HD_BAD_LAUNCH, "argument %u: found a value, expected a buffer",
                        n);
      put_buffer(s, n, from);
      return;
   case HD_GCN_ARG_SHARED_POINTER:
      if (from->value)
         hd_heap_refuse(&s->heap, HD_BAD_LAUNCH,
                        "argument %u: found a value, expected a size of LDS", n);
      s->to.lds_size = (s->to.lds_size + 15) & ~UINT32_C(15);
      put_arg(s, a, s->to.lds_size);
      if (from->buffer.size > 65536 - (uint64_t)(s->to.lds_size & 0xffff))
         hd_heap_refuse(&s->heap, HD_BAD_LAUNCH, "argument %u: LDS exceeds 65536 bytes", n);
      s->to.lds_size += (uint32_t)from->buffer.size;
      return;
   case HD_GCN_ARG_IMAGE:
      put_image(s, n, from->image);
      return;
   case HD_GCN_ARG_SAMPLER:
      put_sampler(s, n, from->sampler);
      return;
   default:
      hd_heap_refuse(&s->heap, HD_UNSUPPORTED,
                     "argument %u of kernel %s is of kind %s, which cannot be given", n,
                     s->kernel->name, a->kind_name);
   }
}

static uint64_t
hidden_value(const struct setup *s, hd_gcn_arg_kind kind)
{
   const unsigned first[] = { HD_GCN_ARG_BLOCK_COUNT_X, HD_GCN_ARG_GROUP_SIZE_X,
                              HD_GCN_ARG_REMAINDER_X, HD_GCN_ARG_GLOBAL_OFFSET_X };
   unsigned group = 0;

   while (group < 4 && ((unsigned)kind < first[group] || (unsigned)kind >= first[group] + 3))
      group++;
   const unsigned n = group < 4 ? (unsigned)kind - first[group] : 0;
   switch (group) {
   case 0: /* whole ones */
      return s->grid[n] / s->workgroup[n];
   case 1:
      return s->workgroup[n];
   case 2:
      return s->grid[n] % s->workgroup[n];
   case 3:
      return s->info->global_offset[n];
   default:
      break;
   }
   switch (kind) {
   case HD_GCN_ARG_GRID_DIMS:
      return work_dim(s);
   case HD_GCN_ARG_PRIVATE_BASE:
      return HD_GCN_PRIVATE_APERTURE;
   case HD_GCN_ARG_SHARED_BASE:
      return HD_GCN_LDS_APERTURE;
   case HD_GCN_ARG_QUEUE_PTR:
      return s->queue_address;
   case HD_GCN_ARG_DYNAMIC_LDS_SIZE:
      return s->to.lds_size - s->kernel->lds_size;
   default: /* printf, heaps and queues of a host that is not there */
      return 0;
   }
}

static void
fill_kernarg(struct setup *s)
{
   const hd_gcn_kernel *k = s->kernel;

   if (s->info->num_args != k->num_explicit_args)
      hd_heap_refuse(&s->heap, HD_BAD_LAUNCH, "kernel %s takes %u arguments, %u are given", k->name,
                     k->num_explicit_args, s->info->num_args);
   s->copied = hd_stack_alloc_zero(&s->stack, (s->info->num_args + 1u) * sizeof(*s->copied));
   for (uint32_t n = 0; n < k->num_explicit_args; n++)
      put_explicit(s, n);
   for (uint32_t n = k->num_explicit_args; n < k->num_args; n++)
      put_arg(s, &k->args[n], hidden_value(s, k->args[n].kind));
}

/* The packet, the queue, user SGPRs */

static void
fill_packet(struct setup *s)
{
   const hd_wave_memory p = s->packet;

   hd_mach_memory_put(p, 0, 2, 2); /* a kernel */
   hd_mach_memory_put(p, 2, 2, work_dim(s));
   for (unsigned n = 0; n < 3; n++) {
      hd_mach_memory_put(p, 4 + n * 2, 2, s->workgroup[n]);
      hd_mach_memory_put(p, 12 + n * 4, 4, s->grid[n]);
   }
   hd_mach_memory_put(p, 10, 2, 0); /* reserved: clang takes it for the rest of the third size */
   hd_mach_memory_put(p, 24, 4, s->to.scratch_size);
   hd_mach_memory_put(p, 28, 4, s->to.lds_size);
   hd_mach_memory_put(p, 40, 8, s->kernarg_address);
   hd_mach_memory_put(s->queue, 64, 4, HD_GCN_LDS_APERTURE);
   hd_mach_memory_put(s->queue, 68, 4, HD_GCN_PRIVATE_APERTURE);
}

static unsigned
take(struct setup *s, unsigned *next, uint16_t property, unsigned num)
{
   const unsigned first = *next;

   if (!(s->kernel->properties & property))
      return HD_GCN_NO_SGPR;
   *next += num;
   if (*next > HD_GCN_MAX_USER_SGPRS)
      hd_heap_refuse(&s->heap, HD_BAD_LAUNCH, "kernel %s asks for more than %u user SGPRs",
                     s->kernel->name, HD_GCN_MAX_USER_SGPRS);
   return first;
}

static void
put_pointer(struct setup *s, unsigned first, uint64_t value)
{
   if (first == HD_GCN_NO_SGPR)
      return;
   s->to.user_sgprs[first] = (uint32_t)value;
   s->to.user_sgprs[first + 1] = (uint32_t)(value >> 32);
}

static void
set_user_sgprs(struct setup *s)
{
   unsigned next = 0;

   s->to.scratch_resource = (uint8_t)take(s, &next, KD_PRIVATE_SEGMENT_BUFFER, 4);
   put_pointer(s, take(s, &next, KD_DISPATCH_PTR, 2), s->packet_address);
   put_pointer(s, take(s, &next, KD_QUEUE_PTR, 2), s->queue_address);
   put_pointer(s, take(s, &next, KD_KERNARG_SEGMENT_PTR, 2), s->kernarg_address);
   put_pointer(s, take(s, &next, KD_DISPATCH_ID, 2), 0);
   s->to.flat_scratch_init = (uint8_t)take(s, &next, KD_FLAT_SCRATCH_INIT, 2);
   const unsigned size = take(s, &next, KD_PRIVATE_SEGMENT_SIZE, 1);
   if (size != HD_GCN_NO_SGPR)
      s->to.user_sgprs[size] = s->to.scratch_size;
}

static void
set_up(struct setup *s)
{
   if (!s->kernel->described)
      s->kernel = hd_gcn_open_args(&s->stack, &s->file->object, s->kernel, s->info);

   const hd_gcn_kernel *k = s->kernel;
   if (k->properties & KD_WAVE32 || (k->wavefront_size && k->wavefront_size != HD_GCN_LANES))
      hd_heap_refuse(&s->heap, HD_UNSUPPORTED,
                     "kernel %s: expected waves of 64 lanes, found another size", k->name);
   if (k->kernarg_preload)
      hd_heap_refuse(&s->heap, HD_UNSUPPORTED,
                     "kernel %s: expected arguments in memory, found preloaded registers", k->name);
   if (k->kernarg_size > MAX_KERNARG)
      hd_heap_refuse(&s->heap, HD_BAD_LAUNCH, "kernel %s asks for %u bytes of arguments", k->name,
                     k->kernarg_size);
   hd_gcn_regions_init(&s->places, &s->stack);
   choose_grid(s);
   load_image(s);
   s->to.target = s->file->object.target;
   s->to.pgm_rsrc1 = k->pgm_rsrc1;
   s->to.pgm_rsrc2 = k->pgm_rsrc2;
   s->to.lds_size = k->lds_size;
   s->to.scratch_size = k->scratch_size + (k->properties & KD_DYNAMIC_STACK ? DYNAMIC_STACK : 0);
   s->to.active = s->info->active;
   s->to.options = s->info->options;
   /* Runtimes hand out whole lines of the cache, and compilers load more than they need in one. */
   s->kernarg =
       hd_mach_memory_bytes(&s->stack, (k->kernarg_size + UINT64_C(63)) & ~UINT64_C(63), true);
   s->packet = hd_mach_memory_bytes(&s->stack, PACKET_SIZE, true);
   s->queue = hd_mach_memory_bytes(&s->stack, QUEUE_SIZE, true);
   s->queue_address = add(s, s->queue, true, "the queue");
   fill_kernarg(s);
   s->kernarg_address =
       hd_gcn_regions_add(&s->places, s->kernarg, MAX_ALIGN, true, "the kernel's arguments");
   s->packet_address = add(s, s->packet, true, "the dispatch packet");
   fill_packet(s);
   set_user_sgprs(s);
   s->to.regions = s->places.regions;
   s->to.num_regions = s->places.num;
}

hd_result
hd_gcn_sim_dispatch(const hd_gcn_object *object, const hd_gcn_kernel *kernel,
                    const hd_gcn_sim_dispatch_info *info, hd_gcn_sim_stats *stats)
{
   struct setup s = {
      .file = (const hd_gcn_object_file *)object,
      .kernel = kernel,
      .info = info,
   };
   hd_unwind u;

   if (stats)
      *stats = (hd_gcn_sim_stats){ 0 };
   hd_heap_init(&s.heap, &s.file->elf.heap.config);
   if (info->options.diag.report)
      s.heap.config.diag = info->options.diag;
   hd_stack_init(&s.stack, &s.heap);
   if (HD_TRY(&s.heap, &u))
      set_up(&s);
   hd_result result = hd_heap_leave(&s.heap, &u);
   if (result == HD_OK)
      result = hd_gcn_sim_run(&s.heap.config, &s.to, stats);
   take_images(&s);
   hd_stack_finish(&s.stack);
   return result;
}
