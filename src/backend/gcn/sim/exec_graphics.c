/* SPDX-License-Identifier: MIT */
/* exec_graphics.c - VINTRP and EXP: attributes of pixels from LDS, what leaves the shader.
 *
 * LDS has the attributes of the primitives of the wave: from where the low half of m0 says, of each attribute
 * each primitive's, twelve dwords: P0, P10 = P1 - P0, P20 = P2 - P0 with four channels each. Bits 16 to 30 of m0 say
 * of quads 1 to 15 whether they begin a new primitive.
 *
 *    v_interp_p1_f32    P10 i + P0
 *    v_interp_p2_f32    P20 j + that        each rounded once
 */
#include <inttypes.h>

#include "backend/gcn/sim/exec.h"
#include "backend/gcn/sim/machine.h"
#include "util/bytes.h"

enum { VERTEX_P10, VERTEX_P20, VERTEX_P0 };

#define BYTES_OF_ATTRIBUTE 48u

typedef struct parameters {
   uint32_t offset, new_primitives; /* bit n: quad n begins one */
   uint32_t num_primitives;
} parameters;

static bool
read_m0(hd_gcn_wave *wave, parameters *p)
{
   const uint32_t m0 = wave->sgpr[HD_GCN_M0];

   if (wave->sgpr_undef[HD_GCN_M0])
      return hd_gcn_fault(wave, -1,
                          "undefined bits 0x%" PRIx32 " reach the place of attributes in m0",
                          wave->sgpr_undef[HD_GCN_M0]);
   p->offset = m0 & 0xffff;
   p->new_primitives = m0 >> 16 << 1 & 0xfffe;
   p->num_primitives = 1 + (uint32_t)__builtin_popcount(p->new_primitives);
   return true;
}

/* One number of the primitive of a lane. */
static bool
read_parameter(hd_gcn_wave *wave, const parameters *p, unsigned lane, uint32_t attribute,
               unsigned vertex, uint32_t *value, uint32_t *undef)
{
   static const uint8_t place[] = { [VERTEX_P0] = 0, [VERTEX_P10] = 1, [VERTEX_P20] = 2 };
   const uint32_t up_to = (UINT32_C(2) << lane / 4) - 1;
   const uint32_t primitive = (uint32_t)__builtin_popcount(p->new_primitives & up_to);
   const uint64_t at =
       p->offset +
       ((uint64_t)(attribute >> 2) * p->num_primitives + primitive) * BYTES_OF_ATTRIBUTE +
       place[vertex] * 16u + (attribute & 3) * 4;

   if (at + 4 > wave->lds_size)
      return hd_gcn_fault(wave, (int)lane,
                          "an attribute at 0x%" PRIx64 " of LDS, which has %u bytes", at,
                          wave->lds_size);
   *value = (uint32_t)get_number(wave->lds + at, 4);
   *undef = (uint32_t)get_number(wave->lds_undef + at, 4);
   return true;
}

bool
hd_gcn_execute_interpolation(hd_gcn_wave *wave, const hd_mach_inst *inst)
{
   const unsigned dst = hd_gcn_vgpr_of(*hd_mach_def(inst, 0));
   const uint32_t attribute = (uint32_t)inst->imm & 0xff;
   const bool first = inst->op == HD_GCN_V_INTERP_P1_F32;
   parameters p;

   if (!read_m0(wave, &p))
      return false;
   hd_gcn_foreach_lane(l, hd_gcn_exec(wave))
   {
      uint32_t *const d = &wave->vgpr[dst][l], *const u = &wave->vgpr_undef[dst][l];
      uint32_t slope, base, slope_undef, base_undef;
      if (inst->op == HD_GCN_V_INTERP_MOV_F32) {
         if (!read_parameter(wave, &p, (unsigned)l, attribute, (unsigned)inst->imm >> 8, d, u))
            return false;
         continue;
      }
      const unsigned src = hd_gcn_vgpr_of(*hd_mach_src(inst, 0));
      if (!read_parameter(wave, &p, (unsigned)l, attribute, first ? VERTEX_P10 : VERTEX_P20, &slope,
                          &slope_undef))
         return false;
      base = *d;
      base_undef = *u;
      if (first && !read_parameter(wave, &p, (unsigned)l, attribute, VERTEX_P0, &base, &base_undef))
         return false;
      *u = slope_undef | base_undef | wave->vgpr_undef[src][l] ? UINT32_MAX : 0;
      *d = (uint32_t)hd_float_fma(32, slope, wave->vgpr[src][l], base, HD_ROUND_NEAREST_EVEN);
   }
   return true;
}

/* Kinds of targets of which one export is the last. */
static unsigned
kind_of(unsigned target)
{
   return target >= HD_GCN_EXPORT_PARAM0 ? 0 : target >= HD_GCN_EXPORT_POS0 ? 1 : 2;
}

/* Has the wave sent what must be its last export? */
bool
hd_gcn_check_last_export(hd_gcn_wave *wave)
{
   const hd_gcn_sim_launch *l = wave->machine->launch;
   const unsigned kind = 1u << (l->sends_positions ? 1 : 2);

   return !l->starts || wave->exports_done & kind ||
          hd_gcn_fault(wave, -1, "the wave ends without the last export of %s",
                       l->sends_positions ? "a position" : "colours or depth");
}

bool
hd_gcn_execute_export(hd_gcn_wave *wave, const hd_mach_inst *inst)
{
   const hd_gcn_sim_options *options = wave->machine->options;
   const unsigned target = (unsigned)inst->imm >> HD_GCN_EXPORT_TARGET_SHIFT & 63;
   const unsigned kind = 1u << kind_of(target);
   hd_gcn_sim_export e = {
      .workgroup = wave->workgroup,
      .wave = wave->number,
      .target = target,
      .channels = (unsigned)inst->imm & HD_GCN_EXPORT_CHANNELS,
      .pairs = inst->imm & HD_GCN_EXPORT_COMPR,
      .done = inst->imm & HD_GCN_EXPORT_DONE,
      .valid = inst->imm & HD_GCN_EXPORT_VM,
      .lanes = hd_gcn_exec(wave),
   };

   if (wave->exports_done & kind)
      return hd_gcn_fault(wave, -1, "an export to %s after the one that was the last of them",
                          kind == 2   ? "a position"
                          : kind == 4 ? "colours or depth"
                                      : "parameters");
   if (e.done)
      wave->exports_done |= (uint8_t)kind;
   for (unsigned n = 0; n < 4; n++) {
      const hd_mach_operand *o = hd_mach_src(inst, n);
      if (!o->size)
         continue;
      e.values[n] = wave->vgpr[hd_gcn_vgpr_of(*o)];
      e.undefined[n] = wave->vgpr_undef[hd_gcn_vgpr_of(*o)];
   }
   if (wave->machine->launch->receive)
      wave->machine->launch->receive(wave->machine->launch->receiver, &e);
   if (options->exported)
      options->exported(options->user, &e);
   return true;
}
