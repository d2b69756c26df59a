/* SPDX-License-Identifier: MIT */
/* stage.c - the calling convention of vertex and fragment shaders: initial VGPRs.
 *
 *    vertex     v0 the number of the vertex, without the base; v1 that of the instance
 *    fragment   v0 ... what SPI_PS_INPUT_ENA enables, in the order of its bits
 *
 * Of a pair of barycentric coordinates both are there if one is asked for. The chip wants at least one
 * pair; without need it is that of the center, with perspective.
 */
#include "backend/gcn/abi/abi.h"

/* By bit of SPI_PS_INPUT_ENA: its VGPRs, and the first start of it. Without one: never enabled. */
static const struct ps_input {
   uint8_t num;
   uint8_t start;
} ps_inputs[] = {
   { 2, HD_GCN_START_PERSPECTIVE },     { 2, HD_GCN_START_PERSPECTIVE + 2 },
   { 2, HD_GCN_START_PERSPECTIVE + 4 }, { 3, 0 }, /* a model to compute others from */
   { 2, HD_GCN_START_LINEAR },          { 2, HD_GCN_START_LINEAR + 2 },
   { 2, HD_GCN_START_LINEAR + 4 },      { 1, 0 }, /* the stipple of lines */
   { 1, HD_GCN_START_FRAG_COORD },      { 1, HD_GCN_START_FRAG_COORD + 1 },
   { 1, HD_GCN_START_FRAG_COORD + 2 },  { 1, HD_GCN_START_FRAG_COORD + 3 },
   { 1, HD_GCN_START_FRONT_FACE },      { 1, HD_GCN_START_ANCILLARY },
   { 1, HD_GCN_START_SAMPLE_COVERAGE },
};

#define NUM_PS_INPUTS (sizeof(ps_inputs) / sizeof(ps_inputs[0]))
#define PAIRS         0x77u
#define CENTER        0x2u

bool
hd_gcn_is_graphics(const hd_shader *shader)
{
   return shader->stage == HD_STAGE_VERTEX || shader->stage == HD_STAGE_FRAGMENT;
}

uint32_t
hd_gcn_ps_input_ena(const hd_mach_program *p)
{
   const uint32_t *temps = hd_gcn_of(p)->abi.temps;
   uint32_t ena = 0;

   for (unsigned bit = 0; bit < NUM_PS_INPUTS; bit++) {
      for (unsigned n = 0; ps_inputs[bit].start && n < ps_inputs[bit].num; n++)
         ena |= (uint32_t)(temps[ps_inputs[bit].start + n] != 0) << bit;
   }
   return ena & PAIRS ? ena : ena | CENTER;
}

/* VGPRs of the inputs below this bit. */
static unsigned
vgprs_below(uint32_t ena, unsigned bit)
{
   unsigned num = 0;

   for (unsigned n = 0; n < bit; n++)
      num += ena >> n & 1 ? ps_inputs[n].num : 0;
   return num;
}

unsigned
hd_gcn_start_vgpr(const hd_mach_program *p, hd_gcn_start which)
{
   if (which < HD_GCN_START_VERTEX_ID)
      return HD_GCN_VGPR0 + (which - HD_GCN_START_LOCAL_ID);
   if (which < HD_GCN_START_PERSPECTIVE)
      return HD_GCN_VGPR0 + (which - HD_GCN_START_VERTEX_ID);
   const uint32_t ena = hd_gcn_ps_input_ena(p);
   for (unsigned bit = 0; bit < NUM_PS_INPUTS; bit++) {
      const struct ps_input *in = &ps_inputs[bit];
      if (in->start && which >= in->start && which < in->start + in->num)
         return HD_GCN_VGPR0 + vgprs_below(ena, bit) + (which - in->start);
   }
   return HD_MACH_NO_REG;
}

unsigned
hd_gcn_num_start_vgprs(const hd_mach_program *p)
{
   const uint32_t *temps = hd_gcn_of(p)->abi.temps;

   switch (p->shader->stage) {
   case HD_STAGE_FRAGMENT:
      return vgprs_below(hd_gcn_ps_input_ena(p), NUM_PS_INPUTS);
   case HD_STAGE_VERTEX:
      return temps[HD_GCN_START_INSTANCE_ID] ? 2 : 1;
   default:
      return temps[HD_GCN_START_LOCAL_ID + 2] ? 3 : temps[HD_GCN_START_LOCAL_ID + 1] ? 2 : 1;
   }
}

hd_mach_operand
hd_gcn_abi_helpers(hd_mach_program *p)
{
   hd_mach_inst *start = hd_gcn_of(p)->abi.start;
   uint32_t *temp = &hd_gcn_of(p)->abi.temps[HD_GCN_START_HELPERS];

   if (!*temp) {
      *temp = hd_mach_temp_create(p, HD_GCN_SGPR, 2, HD_MACH_TEMP_MASK);
      p->temps[*temp].def = start;
      start->operands[start->num_defs++] = hd_mach_operand_temp(p, *temp);
   }
   return hd_mach_operand_temp(p, *temp);
}
