/* SPDX-License-Identifier: MIT */
/* arguments.c - instruction selection: merged scalar loads of kernel arguments and push constants.
 *
 *    bytes 0 to 7 a pointer, 8 to 15 a pointer, 16 to 19 a number
 *    =>   s_load_dwordx4 0, s_load_dword 16
 *
 * The dwords that are used are sorted and loaded in runs; a run is split where a load of the shader
 * begins or ends, so that each load is one value. What is in user SGPRs needs no load.
 */
#include <stdlib.h>

#include "backend/gcn/select/smem.h"

/* Most dwords that are loaded at the start, of either memory: they stay in SGPRs until their last
 * use.
 */
#define MOST_FIRST 24u
/* Dwords that nothing asks for are loaded along where that saves an instruction. */
#define MOST_GAP 2u

/* A part of a run: dwords that are one value. */
typedef struct segment {
   uint32_t first, size; /* in dwords */
   hd_mach_operand value;
} segment;

typedef struct arguments {
   hd_gcn_selector *s;
   unsigned memory;
   hd_mach_operand base; /* size 0: all is in user SGPRs */
   uint32_t limit;       /* of the segment in memory, in dwords */
   uint32_t *cuts;       /* dwords where a load begins or ends, ascending, each once */
   uint8_t *wanted;      /* by cut: what lies after it is read */
   uint32_t num_cuts;
   segment *segments; /* ascending */
   uint32_t num_segments;
} arguments;

/* Dwords of a load. */
typedef struct range {
   uint32_t first, end;
} range;

static range
range_of(const hd_mach_ir_access *a, uint32_t address)
{
   return (range){ address / 4, (address + a->components * a->bits / 8 + 3) / 4 };
}

static int
ascending(const void *a, const void *b)
{
   const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

   return x < y ? -1 : x > y;
}

static uint32_t
find_cut(const arguments *args, uint32_t dword)
{
   const uint32_t *found =
       bsearch(&dword, args->cuts, args->num_cuts, sizeof(*args->cuts), ascending);

   return (uint32_t)(found - args->cuts);
}

static void
find_cuts(arguments *args, uint32_t num, const hd_intrinsic *const *loads)
{
   hd_stack *stack = args->s->p->stack;
   uint32_t kept = 0, address = 0;

   args->cuts = hd_stack_alloc(stack, 2 * (size_t)num * sizeof(*args->cuts));
   args->wanted = hd_stack_alloc_zero(stack, 2 * (size_t)num);
   for (uint32_t n = 0; n < num; n++) {
      const hd_mach_ir_access a = hd_mach_ir_access_of(loads[n]);
      hd_gcn_is_known_argument(args->s, &a, &address);
      const range r = range_of(&a, address);
      args->cuts[2 * n] = r.first;
      args->cuts[2 * n + 1] = r.end;
   }
   qsort(args->cuts, 2 * (size_t)num, sizeof(*args->cuts), ascending);
   for (uint32_t n = 0; n < 2 * num; n++) {
      if (!kept || args->cuts[kept - 1] != args->cuts[n])
         args->cuts[kept++] = args->cuts[n];
   }
   args->num_cuts = kept;
   for (uint32_t n = 0; n < num; n++) {
      const hd_mach_ir_access a = hd_mach_ir_access_of(loads[n]);
      hd_gcn_is_known_argument(args->s, &a, &address);
      const range r = range_of(&a, address);
      for (uint32_t k = find_cut(args, r.first); args->cuts[k] < r.end; k++)
         args->wanted[k] = 1;
   }
}

static void
add_segment(arguments *args, uint32_t first, uint32_t size, hd_mach_operand value)
{
   args->segments[args->num_segments++] = (segment){ first, size, value };
}

/* `size` dwords from `first`, of which those before `end` are wanted, cut where there are cuts. What nobody reads is
 * dwords: parts that are aligned otherwise than what was loaded would have to be moved.
 */
static void
load_window(arguments *args, uint32_t first, uint32_t size, uint32_t end)
{
   hd_gcn_selector *s = args->s;
   hd_mach_operand parts[16];
   uint32_t starts[17], num = 0, cut = 0;
   uint32_t read = 0; /* by part: a bit */
   const hd_mach_operand whole =
       hd_gcn_load_scalar(s, args->base, 4 * first, size, HD_MACH_MEMORY_CONSTANT);

   for (uint32_t at = first; at < first + size; at++) {
      while (cut + 1 < args->num_cuts && args->cuts[cut + 1] <= at)
         cut++;
      const bool is_read = at < end && args->wanted[cut];
      if (at != first && args->cuts[cut] != at && is_read)
         continue;
      read |= (uint32_t)is_read << num;
      starts[num++] = at;
   }
   starts[num] = first + size;
   if (num == 1) {
      add_segment(args, first, size, whole);
      return;
   }
   for (uint32_t n = 0; n < num; n++)
      parts[n] = hd_gcn_new(s, HD_GCN_SGPR, starts[n + 1] - starts[n]);
   hd_gcn_emit_full(s, HD_MACH_P_SPLIT, num, parts, 1, &whole, 0);
   for (uint32_t n = 0; n < num; n++) {
      if (read >> n & 1)
         add_segment(args, starts[n], starts[n + 1] - starts[n], parts[n]);
   }
}

/* A run of dwords. Its end is rounded up where that saves a load and the memory is there. */
static void
load_run(arguments *args, uint32_t first, uint32_t end)
{
   while (first < end) {
      uint32_t size = 16;
      while (size > end - first)
         size /= 2;
      const bool nearly = 2 * size <= 16 && end - first >= size + (size + 1) / 2 && size >= 2;
      if (nearly && first + 2 * size <= args->limit)
         size *= 2;
      load_window(args, first, size, end);
      first += size;
   }
}

static void
load_all(arguments *args)
{
   uint32_t first = 0, end = 0;

   for (uint32_t n = 0; n + 1 < args->num_cuts; n++) {
      if (!args->wanted[n])
         continue;
      if (end && args->cuts[n] > end + MOST_GAP) {
         load_run(args, first, end);
         end = 0;
      }
      if (!end)
         first = args->cuts[n];
      end = args->cuts[n + 1];
   }
   load_run(args, first, end);
}

/* The segments that begin at a dword; one begins there. */
static const segment *
segment_at(const arguments *args, uint32_t dword)
{
   uint32_t low = 0, high = args->num_segments;

   while (high - low > 1) {
      const uint32_t mid = low + (high - low) / 2;
      if (args->segments[mid].first <= dword)
         low = mid;
      else
         high = mid;
   }
   return &args->segments[low];
}

/* Components of 8 and 16 bits, none of which lies across dwords. */
static void
set_small(arguments *args, const hd_mach_ir_access *a, uint32_t address)
{
   hd_gcn_selector *s = args->s;
   hd_mach_operand parts[HD_MAX_COMPONENTS], dwords[16];
   const segment *split = NULL;

   for (unsigned c = 0; c < a->components; c++) {
      const uint32_t at = address + c * a->bits / 8;
      const segment *seg = segment_at(args, at / 4);
      if (seg != split)
         hd_gcn_parts(s, seg->value, 1, dwords);
      split = seg;
      parts[c] = dwords[at / 4 - seg->first];
      if (at % 4) {
         const hd_mach_operand shifted = hd_gcn_new(s, HD_GCN_SGPR, 1);
         hd_gcn_emit2(s, HD_GCN_S_LSHR_B32, shifted, parts[c], hd_gcn_imm(s, at % 4 * 8));
         parts[c] = shifted;
      }
   }
   hd_gcn_set_parts(s, &a->intrinsic->instr.def, parts);
}

static void
set_load(arguments *args, const hd_intrinsic *load)
{
   const hd_mach_ir_access a = hd_mach_ir_access_of(load);
   hd_mach_access_piece pieces[HD_MACH_MAX_PIECES];
   hd_mach_operand loaded[HD_MACH_MAX_PIECES];
   uint32_t address = 0;
   unsigned num = 0;

   hd_gcn_is_known_argument(args->s, &a, &address);
   args->s->memory->loaded[load->instr.def.index] = 1;
   if (a.bits < 32) {
      set_small(args, &a, address);
      return;
   }
   const range r = range_of(&a, address);
   for (uint32_t at = r.first; at < r.end; num++) {
      const segment *seg = segment_at(args, at);
      pieces[num] =
          (hd_mach_access_piece){ (uint8_t)(4 * (at - r.first)), (uint8_t)(4 * seg->size) };
      loaded[num] = seg->value;
      at += seg->size;
   }
   hd_gcn_set_loaded(args->s, &a, num, pieces, loaded);
}

/* Push constants that lie in user SGPRs, all that are asked for: a segment for each dword. */
static bool
are_inline(arguments *args)
{
   const hd_gcn_driver_abi *abi = hd_gcn_of(args->s->p)->options->driver;
   const uint32_t end = args->cuts[args->num_cuts - 1];

   if (args->memory != HD_MEMORY_PUSH || hd_gcn_of(args->s->p)->options->abi != HD_GCN_ABI_DRIVER ||
       abi->push_inline == HD_GCN_NO_SGPR || args->cuts[0] < abi->push_inline_first ||
       end > (uint32_t)abi->push_inline_first + abi->push_inline_count)
      return false;
   for (uint32_t n = 0; n + 1 < args->num_cuts; n++) {
      for (uint32_t d = args->cuts[n]; args->wanted[n] && d < args->cuts[n + 1]; d++)
         add_segment(args, d, 1,
                     hd_gcn_abi_get(args->s->p, (hd_gcn_start)(HD_GCN_START_PUSH_INLINE + d -
                                                               abi->push_inline_first)));
   }
   return true;
}

bool
hd_gcn_load_arguments(hd_gcn_selector *s, uint32_t num, const hd_intrinsic *const *loads)
{
   arguments args = { .s = s, .memory = hd_mach_ir_access_of(loads[0]).memory };
   const bool push = args.memory == HD_MEMORY_PUSH;

   find_cuts(&args, num, loads);
   const uint32_t dwords = args.cuts[args.num_cuts - 1] - args.cuts[0];
   args.segments = hd_stack_alloc(s->p->stack, (dwords + 32) * sizeof(*args.segments));
   if (!are_inline(&args)) {
      args.limit = hd_gcn_segment_size(s, args.memory) / 4;
      args.base = hd_gcn_abi_get(s->p, push ? HD_GCN_START_PUSH : HD_GCN_START_KERNARG);
      if (!args.base.size)
         return hd_mach_refuse(s->p, &loads[0]->instr, "the ABI does not provide a pointer to %s",
                               push ? "the push constants" : "the arguments");
      load_all(&args);
   }
   for (uint32_t n = 0; n < num; n++)
      set_load(&args, loads[n]);
   return true;
}

/* At the start */

/* Loads of one memory by their offset alone, and the dwords of all together. */
static const hd_intrinsic **
collect(hd_gcn_selector *s, unsigned memory, uint32_t *num)
{
   const hd_intrinsic **loads =
       hd_stack_alloc(s->p->stack, (s->p->function->num_defs + 1) * sizeof(*loads));
   uint32_t dwords = 0, address;

   *num = 0;
   hd_foreach_block(b, s->p->function) {
      hd_foreach_instr(instr, b) {
         const hd_intrinsic *i = hd_instr_as_intrinsic(instr);
         if (!i || hd_instr_intrinsic_info(instr)->reads != memory || !instr->def.uses ||
             !hd_block_is_reachable(b))
            continue;
         const hd_mach_ir_access a = hd_mach_ir_access_of(i);
         if (!hd_gcn_is_known_argument(s, &a, &address))
            continue;
         const range r = range_of(&a, address);
         dwords += r.end - r.first;
         loads[(*num)++] = i;
         /* Those that come first in the code; of the others each is loaded where it stands. */
         if (dwords > MOST_FIRST) {
            --*num;
            return loads;
         }
      }
   }
   return loads;
}

bool
hd_gcn_load_arguments_first(hd_gcn_selector *s)
{
   static const unsigned memories[] = { HD_MEMORY_KERNARG, HD_MEMORY_PUSH };

   for (unsigned n = 0; n < 2; n++) {
      uint32_t num;
      const hd_intrinsic **loads = collect(s, memories[n], &num);
      s->instr = num ? &loads[0]->instr : NULL;
      if (num && !hd_gcn_load_arguments(s, num, loads))
         return false;
   }
   return true;
}
