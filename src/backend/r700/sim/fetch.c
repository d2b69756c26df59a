/* SPDX-License-Identifier: MIT */
/* fetch.c - fetch clauses, and exports to memory. */
#include <inttypes.h>
#include <string.h>

#include "backend/r700/sim/sim.h"
#include "util/bytes.h"

/* Memory */

static bool
load(r700_sim *s, uint64_t address, unsigned size, uint32_t *value)
{
   const hd_mach_memory_region *r =
       address >> 32 ? NULL : hd_mach_memory_find(&s->memory, address, size);

   *value = 0;
   if (!r)
      return hd_r700_sim_fail(s, "there is no memory at address 0x%08" PRIx64, address);
   *value = (uint32_t)get_number(&r->data[address - r->address], size);
   return true;
}

/* `within` as of hd_wave_stored. */
static void
tell_stored(const r700_sim *s, unsigned lane, const char *within, uint32_t address,
            const uint8_t data[4])
{
   if (s->options->stored)
      s->options->stored(s->options->user, &(hd_wave_stored){ .workgroup = s->workgroup,
                                                              .wave = s->wave_number,
                                                              .lane = (int)lane,
                                                              .within = within,
                                                              .address = address,
                                                              .data = data,
                                                              .size = 4 });
}

static bool
store(r700_sim *s, unsigned lane, uint32_t address, uint32_t value)
{
   hd_mach_memory_region *r = hd_mach_memory_find(&s->memory, address, 4);

   if (!r)
      return hd_r700_sim_fail(s, "there is no memory at address 0x%08" PRIx32, address);
   if (r->read_only)
      return hd_r700_sim_fail(s, "memory at address 0x%08" PRIx32 " may only be read", address);
   put_number(&r->data[address - r->address], 4, value);
   if (r->undef)
      memset(r->undef + (address - r->address), 0, 4);
   tell_stored(s, lane, NULL, address, &r->data[address - r->address]);
   return true;
}

/* Fetches */

/* Units of a format, and the bytes of one; 0: another one. */
static unsigned
units_of(unsigned format, unsigned *bytes)
{
   *bytes = format == 1 ? 1 : format == 5 ? 2 : 4;
   switch (format) {
   case 1:
   case 5:
   case 13:
      return 1;
   case 29:
      return 2;
   case 47:
      return 3;
   case 34:
      return 4;
   default:
      return 0;
   }
}

/* A result by its selections. */
static void
write_channels(r700_wave *w, const hd_r700_inst *inst, unsigned lane, const uint32_t values[4])
{
   for (unsigned n = 0; n < 4; n++) {
      const unsigned sel = inst->f[HD_R700_F_DST_SEL_X + n];
      uint32_t *to = &w->gpr[inst->f[HD_R700_F_DST_GPR]][n][lane];
      if (sel < 4)
         *to = values[sel];
      else if (sel == HD_R700_SEL_0 || sel == HD_R700_SEL_1)
         *to = sel == HD_R700_SEL_1;
   }
}

static bool
fetch_vertex(r700_sim *s, const hd_r700_inst *inst, unsigned lane)
{
   const uint64_t index =
       s->wave->gpr[inst->f[HD_R700_F_SRC_GPR]][inst->f[HD_R700_F_SRC_SEL_X]][lane];
   const unsigned buffer = inst->f[HD_R700_F_BUFFER_ID];
   const uint64_t offset = index + inst->f[HD_R700_F_OFFSET];
   uint32_t values[4] = { 0 };
   unsigned bytes;
   const unsigned num = units_of(inst->f[HD_R700_F_DATA_FORMAT], &bytes);

   if (!num || inst->f[HD_R700_F_NUM_FORMAT_ALL] != 1 || inst->f[HD_R700_F_USE_CONST_FIELDS] ||
       inst->f[HD_R700_F_ENDIAN_SWAP] || inst->f[HD_R700_F_SRC_REL])
      return hd_r700_sim_fail(s, "%s: the simulator does not fetch data format %u",
                              hd_r700_op_infos[inst->op].name,
                              (unsigned)inst->f[HD_R700_F_DATA_FORMAT]);
   if (buffer > s->num_buffers)
      return hd_r700_sim_fail(s, "there is no resource %u", buffer);
   for (unsigned n = 0; n < num; n++) {
      const uint64_t at = offset + 4 * n;
      if (!buffer) {
         if (!load(s, at, bytes, &values[n]))
            return false;
      } else if (at + bytes <= s->buffers[buffer - 1].size &&
                 !load(s, s->buffers[buffer - 1].address + at, bytes, &values[n])) {
         return false;
      }
   }
   write_channels(s->wave, inst, lane, values);
   return true;
}

/* The quad of a lane; NULL: there is none. */
static uint32_t *
quad_of(r700_sim *s, uint64_t quad, unsigned lane)
{
   if (quad >= s->quads) {
      hd_r700_sim_fail(s, "quad %" PRIu64 " of scratch memory is not allocated", quad);
      return NULL;
   }
   return &s->scratch[4 * ((size_t)lane * s->quads + quad)];
}

static bool
fetch_scratch(r700_sim *s, const hd_r700_inst *inst, unsigned lane)
{
   const uint32_t index =
       inst->f[HD_R700_F_INDEXED]
           ? s->wave->gpr[inst->f[HD_R700_F_SRC_GPR]][inst->f[HD_R700_F_SRC_SEL_X]][lane]
           : 0;

   if (inst->f[HD_R700_F_ELEM_SIZE] != 3)
      return hd_r700_sim_fail(s, "READ_SCRATCH: expected elements of four dwords");
   const uint32_t *quad = quad_of(s, (uint64_t)inst->f[HD_R700_F_ARRAY_BASE] + index, lane);
   if (!quad)
      return false;
   write_channels(s->wave, inst, lane, quad);
   return true;
}

/* A fetch of the clause, from this one on, brings what the one at `at` reads. */
static bool
is_brought(const r700_sim *s, uint32_t first, uint32_t at, const hd_r700_inst *inst)
{
   for (uint32_t n = first; n < at; n += 2) {
      hd_r700_inst before;
      if (!hd_r700_decode(HD_R700_FETCH_WORDS, &s->words[n], &before) &&
          before.f[HD_R700_F_DST_GPR] == inst->f[HD_R700_F_SRC_GPR] &&
          before.f[HD_R700_F_DST_SEL_X + inst->f[HD_R700_F_SRC_SEL_X]] != HD_R700_SEL_MASK)
         return true;
   }
   return false;
}

static void
tell_channels(r700_sim *s, const hd_r700_inst *inst)
{
   const unsigned gpr = inst->f[HD_R700_F_DST_GPR];

   for (unsigned n = 0; n < 4; n++) {
      if (inst->f[HD_R700_F_DST_SEL_X + n] != HD_R700_SEL_MASK)
         hd_r700_sim_tell(s, gpr, n, s->wave->gpr[gpr][n]);
   }
}

bool
hd_r700_sim_run_fetches(r700_sim *s, const hd_r700_inst *cf)
{
   const uint32_t num = cf->f[HD_R700_F_COUNT] + 8 * cf->f[HD_R700_F_COUNT_3] + 1;
   const uint32_t first = cf->f[HD_R700_F_ADDR];
   hd_r700_inst inst;

   if (first % 2 || (uint64_t)first + 2 * (uint64_t)num > s->num_words)
      return hd_r700_sim_fail(
          s,
          "the clause of %u fetches at word %u: expected an even word, and its end within %u words",
          (unsigned)num, (unsigned)first, (unsigned)s->num_words);
   for (uint32_t at = first; at < first + 2 * num; at += 2) {
      if (!hd_r700_sim_decode(s, HD_R700_FETCH_WORDS, at, &inst) ||
          !hd_r700_sim_count(s, &inst, false))
         return false;
      if (inst.op != HD_R700_VFETCH && inst.op != HD_R700_READ_SCRATCH)
         return hd_r700_sim_fail(s, "the simulator does not run the fetch %s",
                                 hd_r700_op_infos[inst.op].name);
      if (!hd_r700_sim_check_gpr(s, inst.f[HD_R700_F_SRC_GPR]) ||
          !hd_r700_sim_check_gpr(s, inst.f[HD_R700_F_DST_GPR]))
         return false;
      if (is_brought(s, first, at, &inst))
         return hd_r700_sim_fail(
             s, "the address register T%u is written by an earlier fetch of the same clause",
             (unsigned)inst.f[HD_R700_F_SRC_GPR]);
      s->stats.fetches++;
      for (unsigned lane = 0; lane < HD_R700_LANES; lane++) {
         if (s->wave->active >> lane & 1 &&
             !(inst.op == HD_R700_VFETCH ? fetch_vertex(s, &inst, lane)
                                         : fetch_scratch(s, &inst, lane)))
            return false;
      }
      tell_channels(s, &inst);
   }
   return true;
}

/* Exports */

static bool
export_memory(r700_sim *s, const hd_r700_inst *cf, unsigned lane)
{
   const uint32_t index = cf->f[HD_R700_F_TYPE] == HD_R700_WRITE_IND
                              ? s->wave->gpr[cf->f[HD_R700_F_INDEX_GPR]][0][lane]
                              : 0;
   const uint64_t element = (uint64_t)cf->f[HD_R700_F_ARRAY_BASE] + index;
   const bool scratch = cf->op == HD_R700_MEM_SCRATCH;
   uint32_t *quad = scratch ? quad_of(s, element, lane) : NULL;

   if (scratch && !quad)
      return false;
   for (unsigned n = 0; n < 4; n++) {
      const uint32_t value = s->wave->gpr[cf->f[HD_R700_F_RW_GPR]][n][lane];
      if (!(cf->f[HD_R700_F_COMP_MASK] >> n & 1))
         continue;
      if (scratch) {
         uint8_t bytes[4];
         quad[n] = value;
         put_number(bytes, 4, value);
         tell_stored(s, lane, "scratch", (uint32_t)(16 * element + 4 * n), bytes);
      } else if (!store(s, lane, (uint32_t)(4 * (element + n)), value)) {
         return false;
      }
   }
   return true;
}

static void
export_target(r700_sim *s, const hd_r700_inst *cf, unsigned lane)
{
   for (unsigned n = 0; n < 4; n++) {
      const unsigned sel = cf->f[HD_R700_F_SEL_X + n];
      if (sel < 4)
         s->exported[4 * lane + n] = s->wave->gpr[cf->f[HD_R700_F_RW_GPR]][sel][lane];
      else if (sel == HD_R700_SEL_0 || sel == HD_R700_SEL_1)
         s->exported[4 * lane + n] = sel == HD_R700_SEL_1 ? 0x3f800000 : 0;
   }
}

bool
hd_r700_sim_export(r700_sim *s, const hd_r700_inst *cf)
{
   const bool memory = cf->op == HD_R700_MEM_SCRATCH || cf->op == HD_R700_MEM_EXPORT;
   const unsigned elements = cf->op == HD_R700_MEM_SCRATCH ? 3 : 0;

   if (memory ? cf->f[HD_R700_F_ELEM_SIZE] != elements || cf->f[HD_R700_F_TYPE] > HD_R700_WRITE_IND
              : !s->exported)
      return hd_r700_sim_fail(s, "the simulator does not run the export %s of type %u",
                              hd_r700_op_infos[cf->op].name, (unsigned)cf->f[HD_R700_F_TYPE]);
   if (cf->f[HD_R700_F_BURST_COUNT] || cf->f[HD_R700_F_RW_REL])
      return hd_r700_sim_fail(
          s,
          "%s: expected an export of one register at a fixed number, found a burst or a relative one",
          hd_r700_op_infos[cf->op].name);
   if (!hd_r700_sim_check_gpr(s, cf->f[HD_R700_F_RW_GPR]) ||
       !hd_r700_sim_check_gpr(s, memory ? cf->f[HD_R700_F_INDEX_GPR] : 0))
      return false;
   s->stats.exports++;
   for (unsigned lane = 0; lane < HD_R700_LANES; lane++) {
      if (!(s->wave->active >> lane & 1))
         continue;
      if (memory && !export_memory(s, cf, lane))
         return false;
      if (!memory && cf->f[HD_R700_F_ARRAY_BASE] == s->target)
         export_target(s, cf, lane);
   }
   return true;
}
