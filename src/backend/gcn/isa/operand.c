/* SPDX-License-Identifier: MIT */
/* operand.c - inline constants and literals; which scalar registers a generation has. */
#include "backend/gcn/isa/encoding.h"

/* The inline constants that are floats, from HD_GCN_CONST_FLOAT on: 0.5, -0.5, 1, -1, 2, -2, 4, -4,
 * 1 / (2 pi).
 */
#define NUM_FLOATS 9u
static const uint16_t floats16[NUM_FLOATS] = { 0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000,
                                               0xc000, 0x4400, 0xc400, 0x3118 };
static const uint32_t floats32[NUM_FLOATS] = { 0x3f000000, 0xbf000000, 0x3f800000,
                                               0xbf800000, 0x40000000, 0xc0000000,
                                               0x40800000, 0xc0800000, 0x3e22f983 };
static const uint64_t floats64[NUM_FLOATS] = {
   UINT64_C(0x3fe0000000000000), UINT64_C(0xbfe0000000000000), UINT64_C(0x3ff0000000000000),
   UINT64_C(0xbff0000000000000), UINT64_C(0x4000000000000000), UINT64_C(0xc000000000000000),
   UINT64_C(0x4010000000000000), UINT64_C(0xc010000000000000), UINT64_C(0x3fc45f306dc9c882),
};

static unsigned
bits_of(hd_gcn_type type)
{
   switch (type) {
   case HD_GCN_B16:
   case HD_GCN_I16:
   case HD_GCN_U16:
   case HD_GCN_F16:
      return 16;
   case HD_GCN_B64:
   case HD_GCN_I64:
   case HD_GCN_U64:
   case HD_GCN_F64:
   case HD_GCN_MASK:
      return 64;
   default:
      return 32;
   }
}

static uint64_t
cut(uint64_t value, unsigned bits)
{
   return bits == 64 ? value : value & ((UINT64_C(1) << bits) - 1);
}

/* What the float constant `n` is where `type` is read. Integers of 16 bits get the low half of the
 * 32-bit float, pairs of halves the constant in the low one.
 */
static uint64_t
float_value(hd_gcn_type type, unsigned n)
{
   switch (type) {
   case HD_GCN_F16:
   case HD_GCN_V2F16:
      return floats16[n];
   case HD_GCN_B16:
   case HD_GCN_I16:
   case HD_GCN_U16:
      return floats32[n] & 0xffff;
   default:
      return bits_of(type) == 64 ? floats64[n] : floats32[n];
   }
}

static uint64_t
int_value(hd_gcn_type type, unsigned reg)
{
   int64_t value = reg <= HD_GCN_CONST_0 + 64 ? (int64_t)reg - HD_GCN_CONST_0
                                              : HD_GCN_CONST_0 + 64 - (int64_t)reg;

   return cut((uint64_t)value, bits_of(type));
}

static bool
is_int_const(unsigned reg)
{
   return reg >= HD_GCN_CONST_0 && reg <= HD_GCN_CONST_0 + 80;
}

static bool
is_float_const(unsigned reg)
{
   return reg >= HD_GCN_CONST_FLOAT && reg < HD_GCN_CONST_FLOAT + NUM_FLOATS;
}

bool
hd_gcn_is_inline(hd_gcn_gen gen, unsigned reg)
{
   if (reg == HD_GCN_CONST_FLOAT + NUM_FLOATS - 1)
      return gen >= HD_GCN_GFX803;
   return is_int_const(reg) || is_float_const(reg);
}

hd_mach_operand
hd_gcn_operand_const(hd_gcn_gen gen, hd_gcn_type type, uint64_t value)
{
   unsigned bits = bits_of(type);
   uint8_t size = bits == 64 ? 2 : 1;
   hd_mach_operand operand = { .reg = HD_GCN_LITERAL, .size = size };
   bool half_int = type == HD_GCN_B16 || type == HD_GCN_I16 || type == HD_GCN_U16;

   value = cut(value, bits);
   for (unsigned reg = HD_GCN_CONST_0; reg <= HD_GCN_CONST_0 + 80; reg++) {
      /* Small numbers are at their place; the loop is for the negative ones. */
      if (value <= 64)
         reg = HD_GCN_CONST_0 + (unsigned)value;
      else if (reg <= HD_GCN_CONST_0 + 64)
         reg = HD_GCN_CONST_0 + 65;
      if (int_value(type, reg) == value) {
         operand.reg = (uint16_t)reg;
         return operand;
      }
   }
   for (unsigned n = 0; n < NUM_FLOATS && !half_int; n++) {
      if (hd_gcn_is_inline(gen, HD_GCN_CONST_FLOAT + n) && float_value(type, n) == value) {
         operand.reg = (uint16_t)(HD_GCN_CONST_FLOAT + n);
         return operand;
      }
   }
   operand.value = (uint32_t)value;
   if (type == HD_GCN_F64)
      operand.value = (uint32_t)(value >> 32);
   uint64_t read = 0;
   (void)hd_gcn_operand_value(operand, type, &read);
   if (read != value)
      return (hd_mach_operand){ .reg = HD_MACH_NO_REG };
   return operand;
}

bool
hd_gcn_operand_value(hd_mach_operand operand, hd_gcn_type type, uint64_t *value)
{
   if (operand.flags & HD_MACH_OPERAND_TEMP)
      return false;
   if (is_int_const(operand.reg))
      *value = int_value(type, operand.reg);
   else if (is_float_const(operand.reg))
      *value = float_value(type, operand.reg - HD_GCN_CONST_FLOAT);
   else if (operand.reg != HD_GCN_LITERAL)
      return false;
   else if (type == HD_GCN_F64)
      *value = (uint64_t)operand.value << 32;
   else if (type == HD_GCN_I64)
      *value = (uint64_t)(int64_t)(int32_t)operand.value;
   else
      *value = cut(operand.value, bits_of(type));
   return true;
}

void
hd_gcn_shorten_literals(hd_gcn_gen gen, hd_mach_inst *inst)
{
   for (unsigned n = inst->num_defs; n < inst->num_defs + inst->num_srcs; n++) {
      const hd_mach_operand_info *row = hd_gcn_row_operand(inst, n);
      hd_mach_operand *o = &inst->operands[n];
      uint64_t value;
      if (!row || !o->size || o->flags & HD_MACH_OPERAND_TEMP || o->reg != HD_GCN_LITERAL ||
          row->kinds == HD_GCN_TAKES_LITERAL ||
          !hd_gcn_operand_value(*o, (hd_gcn_type)row->type, &value))
         continue;
      hd_mach_operand shorter = hd_gcn_operand_const(gen, (hd_gcn_type)row->type, value);
      if (!shorter.size || shorter.reg == HD_GCN_LITERAL)
         continue;
      o->reg = shorter.reg;
      o->value = 0;
   }
}

/* Runs of scalar registers: an operand lies within one. */
typedef struct run {
   uint16_t first, num;
} run;

static const run runs6[] = {
   { HD_GCN_SGPR0, 104 }, { HD_GCN_VCC, 2 }, { 108, 2 },         { 110, 2 },
   { 112, 12 },           { HD_GCN_M0, 1 },  { HD_GCN_EXEC, 2 }, { HD_GCN_VCCZ, 1 },
   { HD_GCN_EXECZ, 1 },   { HD_GCN_SCC, 1 }, { 0, 0 },
};
static const run runs8[] = {
   { HD_GCN_SGPR0, 102 },
   { HD_GCN_FLAT_SCRATCH, 2 },
   { HD_GCN_VCC, 2 },
   { 108, 2 },
   { 110, 2 },
   { 112, 12 },
   { HD_GCN_M0, 1 },
   { HD_GCN_EXEC, 2 },
   { HD_GCN_VCCZ, 1 },
   { HD_GCN_EXECZ, 1 },
   { HD_GCN_SCC, 1 },
   { 0, 0 },
};
/* 235 to 238: where LDS and scratch lie in the space of flat addresses. */
static const run runs9[] = {
   { HD_GCN_SGPR0, 102 },
   { HD_GCN_FLAT_SCRATCH, 2 },
   { HD_GCN_XNACK_MASK, 2 },
   { HD_GCN_VCC, 2 },
   { 108, 16 },
   { HD_GCN_M0, 1 },
   { HD_GCN_EXEC, 2 },
   { HD_GCN_APERTURES, 1 },
   { HD_GCN_APERTURES + 1, 1 },
   { HD_GCN_APERTURES + 2, 1 },
   { HD_GCN_APERTURES + 3, 1 },
   { HD_GCN_APERTURES + 4, 1 },
   { HD_GCN_VCCZ, 1 },
   { HD_GCN_EXECZ, 1 },
   { HD_GCN_SCC, 1 },
   { 0, 0 },
};

bool
hd_gcn_scalar_exists(hd_gcn_gen gen, unsigned reg, unsigned size)
{
   static const run *const tables[] = { runs6, runs8, runs9 };

   /* The address of an aperture is its upper half: as 64 bits it is complete. */
   if (size == 2 && gen >= HD_GCN_GFX900 && reg >= HD_GCN_APERTURES && reg < HD_GCN_APERTURES + 4)
      return true;
   for (const run *r = tables[gen]; r->num; r++) {
      unsigned from = reg - r->first;
      if (reg < r->first || from >= r->num)
         continue;
      return from + size <= r->num && from % (size >= 4 ? 4 : size == 2 ? 2 : 1) == 0;
   }
   return false;
}
