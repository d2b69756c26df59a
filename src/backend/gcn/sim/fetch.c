/* SPDX-License-Identifier: MIT */
/* fetch.c - cache of decoded instructions and their properties, by address.
 */
#include "backend/gcn/sim/machine.h"
#include "util/bytes.h"

#include <inttypes.h>

/* The bits from `first` on; those past the set are left out. */
static void
add_bits(uint64_t *word, unsigned words, unsigned first, unsigned num)
{
   for (unsigned n = first; n < first + num && n < words * 64; n++)
      word[n / 64] |= UINT64_C(1) << n % 64;
}

/* What the chip keeps for special registers at the end of what is allocated: vcc last. */
static unsigned
kept_for(hd_gcn_gen gen, unsigned reg)
{
   if (reg >= HD_GCN_VCC && reg <= HD_GCN_VCC + 1)
      return 2;
   if (gen == HD_GCN_GFX600)
      return 0;
   if (reg >= HD_GCN_XNACK_MASK && reg <= HD_GCN_XNACK_MASK + 1)
      return 4;
   return reg >= HD_GCN_FLAT_SCRATCH && reg <= HD_GCN_FLAT_SCRATCH + 1 ? 6 : 0;
}

static void
add_operand(fetched *f, hd_gcn_gen gen, const hd_mach_operand *o, bool written)
{
   const unsigned named = gen == HD_GCN_GFX600 ? 104 : 102, end = o->reg + (unsigned)o->size;

   if (!o->size || o->reg == HD_MACH_NO_REG)
      return;
   if (o->reg >= HD_GCN_VGPR0) {
      add_bits(written ? f->vwrites.word : f->vreads.word, 4, o->reg - HD_GCN_VGPR0, o->size);
      if (end - HD_GCN_VGPR0 > f->top_vgpr)
         f->top_vgpr = (uint16_t)(end - HD_GCN_VGPR0);
   } else if (o->reg < 128) {
      add_bits(written ? f->swrites.word : f->sreads.word, 2, o->reg, o->size);
      for (unsigned reg = o->reg; reg < end; reg++) {
         const unsigned kept = kept_for(gen, reg);
         if (reg < named && reg + 1 > f->top_sgpr)
            f->top_sgpr = (uint16_t)(reg + 1);
         if (kept > f->extra_sgprs)
            f->extra_sgprs = (uint8_t)kept;
      }
   }
}

/* The operand with what a memory instruction stores: buffers and images name it first, FLAT after the address.
 */
static void
find_stored(fetched *f)
{
   const hd_mach_inst *inst = &f->decoded.inst;
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);
   const unsigned n = hd_gcn_is_buffer(info) || info->format == HD_GCN_MIMG ? 0 : 1;

   if (f->flags & FETCHED_EXPORT)
      f->stored = f->vreads;
   if (!(f->flags & FETCHED_VMEM) || !(f->flags & FETCHED_STORES) || n >= inst->num_srcs)
      return;
   const hd_mach_operand *o = hd_mach_src(inst, n);
   if (o->size && o->reg >= HD_GCN_VGPR0)
      add_bits(f->stored.word, 4, o->reg - HD_GCN_VGPR0, o->size);
}

static bool
jumps(const hd_mach_inst *inst)
{
   return hd_gcn_op_info_of(inst)->mach.flags & HD_MACH_BRANCHES ||
          inst->op == HD_GCN_S_SETPC_B64 || inst->op == HD_GCN_S_SWAPPC_B64 ||
          inst->op == HD_GCN_S_CBRANCH_G_FORK || inst->op == HD_GCN_S_CBRANCH_JOIN;
}

static void
classify(fetched *f)
{
   const hd_mach_inst *inst = &f->decoded.inst;
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);

   f->flags |= info->mach.flags & HD_MACH_LOADS ? FETCHED_LOADS : 0;
   f->flags |= info->mach.flags & HD_MACH_STORES ? FETCHED_STORES : 0;
   if (hd_gcn_is_salu(info)) {
      f->kind = HD_GCN_SIM_SALU;
      f->flags |= FETCHED_SALU;
   } else if (info->format == HD_GCN_SOPP) {
      f->kind = HD_GCN_SIM_WAIT;
      f->flags |= info->mach.latency == HD_GCN_LATENCY_MESSAGE ? FETCHED_MESSAGE : 0;
   } else if (info->format == HD_GCN_SMEM) {
      f->kind = HD_GCN_SIM_SMEM;
      f->flags |= FETCHED_SMEM;
   } else if (info->format == HD_GCN_DS) {
      f->kind = HD_GCN_SIM_LDS;
      f->flags |= FETCHED_LDS | (inst->bits & HD_GCN_GDS ? FETCHED_GDS : 0);
   } else if (info->format == HD_GCN_EXPORT) {
      f->kind = HD_GCN_SIM_VMEM;
      f->flags |= FETCHED_EXPORT;
   } else if (hd_gcn_is_vmem(info)) {
      f->kind = HD_GCN_SIM_VMEM;
      f->flags |= FETCHED_VMEM | (info->format == HD_GCN_FLAT ? FETCHED_FLAT : 0);
   } else {
      f->kind = HD_GCN_SIM_VALU;
      f->flags |= FETCHED_VALU | (inst->form == HD_GCN_FORM_DPP ? FETCHED_DPP : 0);
   }
   if (jumps(inst)) {
      f->kind = HD_GCN_SIM_BRANCH;
      f->flags |= FETCHED_BRANCH;
   }
}

static uint32_t
word_at(const hd_gcn_machine *m, uint32_t word)
{
   return (uint32_t)get_number((const uint8_t *)(m->launch->code + word), 4);
}

static fetched *
decode(hd_gcn_machine *m, uint32_t word)
{
   const hd_gcn_gen gen = m->target->gen;
   const uint32_t rest = m->launch->code_words - word;
   fetched *f = m->room ? &m->room[word] : hd_stack_alloc_zero(&m->stack, sizeof(*f));
   uint32_t words[HD_GCN_MAX_WORDS];
   unsigned num = 0;

   for (; num < HD_GCN_MAX_WORDS && num < rest; num++)
      words[num] = word_at(m, word + num);
   f->num_words = (uint8_t)hd_gcn_decode(gen, words, num, &f->decoded);
   if (!f->num_words)
      return f;
   const hd_mach_inst *inst = &f->decoded.inst;
   classify(f);
   for (unsigned n = 0; n < inst->num_defs; n++)
      add_operand(f, gen, hd_mach_def(inst, n), true);
   for (unsigned n = 0; n < inst->num_srcs; n++)
      add_operand(f, gen, hd_mach_src(inst, n), false);
   find_stored(f);
   f->cost = hd_gcn_clock_cost(gen, inst);
   return f;
}

const fetched *
hd_gcn_fetch(hd_gcn_wave *wave, uint64_t pc)
{
   hd_gcn_machine *m = wave->machine;
   const uint64_t offset = pc - m->code_base;

   wave->pc = pc;
   if (offset >= (uint64_t)m->launch->code_words * 4) {
      hd_gcn_tell_fault(wave, -1, "the wave ran past the end of the code");
      return NULL;
   }
   if (offset % 4) {
      hd_gcn_tell_fault(wave, -1, "the address of an instruction is not aligned to 4 bytes");
      return NULL;
   }
   fetched **f = &m->code[offset / 4];
   if (!*f)
      *f = decode(m, (uint32_t)(offset / 4));
   if ((*f)->num_words)
      return *f;
   hd_gcn_tell_fault(wave, -1, "0x%08" PRIx32 " is not an instruction of %s",
                     word_at(m, (uint32_t)(offset / 4)), m->target->mach.name);
   return NULL;
}

/* What the manuals leave out of this mode, and what they leave open of it: who reads its result. */
static bool
can_be_moved(const hd_mach_inst *inst)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);

   switch (inst->op) {
   case HD_GCN_V_READLANE_B32:
   case HD_GCN_V_WRITELANE_B32:
   case HD_GCN_V_READFIRSTLANE_B32:
   case HD_GCN_V_MOVRELD_B32:
   case HD_GCN_V_MOVRELS_B32:
   case HD_GCN_V_MOVRELSD_B32:
   case HD_GCN_V_SWAP_B32:
      return false;
   default:
      break;
   }
   for (unsigned n = 0; n < inst->num_srcs; n++) {
      if (info->mach.operands[inst->num_defs + n].tied >= 0)
         return false;
   }
   return inst->form != HD_GCN_FORM_SDWA && inst->form != HD_GCN_FORM_DPP;
}

bool
hd_gcn_fetch_moved(hd_gcn_wave *wave, const fetched *f, fetched *moved)
{
   const uint32_t m0 = wave->sgpr[HD_GCN_M0], by = m0 & 0xff, which = m0 >> 12 & 15;
   hd_mach_inst *inst = &moved->decoded.inst;

   *moved = *f;
   inst->operands = moved->decoded.operands;
   if (wave->sgpr_undef[HD_GCN_M0] & 0xf0ff)
      return hd_gcn_fault(wave, -1, "undefined bits of m0 reach a register index");
   if (!can_be_moved(inst))
      return hd_gcn_fault(wave, -1, "an instruction without support for register indexing by m0");
   moved->vreads = moved->vwrites = (vgpr_set){ { 0 } };
   moved->top_vgpr = 0;
   for (unsigned n = 0; n < inst->num_defs + inst->num_srcs; n++) {
      hd_mach_operand *o = &inst->operands[n];
      const bool is_def = n < inst->num_defs;
      const unsigned place = is_def ? 3 : n - inst->num_defs;
      if (o->reg < HD_GCN_VGPR0 || o->reg == HD_MACH_NO_REG || !o->size)
         continue;
      if (place < 4 && which >> place & 1)
         o->reg = (uint16_t)(o->reg + by);
      if (o->reg + o->size > HD_GCN_VGPR0 + 256)
         return hd_gcn_fault(wave, -1,
                             "register indexing by m0 is out of range of the vector registers");
      add_operand(moved, wave->machine->target->gen, o, is_def);
   }
   return true;
}

static __attribute__((noinline)) hd_result
make_room(hd_gcn_sim_code *c)
{
   hd_unwind u;

   if (HD_TRY(&c->heap, &u)) {
      c->code = hd_stack_alloc_zero(&c->stack, (c->num_words + (size_t)1) * sizeof(*c->code));
      c->room = hd_stack_alloc_zero(&c->stack, (c->num_words + (size_t)1) * sizeof(*c->room));
   }
   return hd_heap_leave(&c->heap, &u);
}

hd_result
hd_gcn_sim_code_create(const hd_config *config, hd_gcn_gen target, const uint32_t *code,
                       uint32_t code_words, hd_gcn_sim_code **out)
{
   hd_heap heap;

   *out = NULL;
   hd_heap_init(&heap, config);
   if (!hd_gcn_has_target(target, &heap.config.diag))
      return HD_INVALID;
   hd_gcn_sim_code *c = heap.config.allocator.alloc(heap.config.allocator.user, sizeof(*c));
   if (!c)
      return HD_OUT_OF_MEMORY;
   *c = (hd_gcn_sim_code){ .target = target, .words = code, .num_words = code_words };
   hd_heap_init(&c->heap, config);
   hd_stack_init(&c->stack, &c->heap);
   const hd_result result = make_room(c);
   if (result == HD_OK)
      *out = c;
   else
      hd_gcn_sim_code_destroy(c);
   return result;
}

void
hd_gcn_sim_code_destroy(hd_gcn_sim_code *c)
{
   if (!c)
      return;
   const hd_allocator allocator = c->heap.config.allocator;
   hd_stack_finish(&c->stack);
   allocator.free(allocator.user, c, sizeof(*c));
}
