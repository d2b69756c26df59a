/* SPDX-License-Identifier: MIT */
/* exec.c - execution: scalar operands. */
#include "backend/gcn/sim/exec.h"

#include "backend/gcn/sim/exec_memory.h"
#include "backend/gcn/sim/machine.h"

#include <assert.h>
#include <inttypes.h>

/* Halves of the addresses of apertures, as source operands of gfx9. */
enum { SRC_SHARED_BASE = 235, SRC_SHARED_LIMIT, SRC_PRIVATE_BASE, SRC_PRIVATE_LIMIT };

hd_gcn_gen
hd_gcn_wave_gen(const hd_gcn_wave *wave)
{
   return wave->machine->target->gen;
}

bool
hd_gcn_read_sgprs(hd_gcn_wave *wave, hd_mach_operand operand, unsigned num, uint32_t *value,
                  uint32_t *undef)
{
   const unsigned align = num == 1 ? 1 : num == 2 ? 2 : 4;

   if (operand.reg % align != 0 || operand.reg + num > 128)
      return hd_gcn_fault(wave, -1, "invalid operand: %u scalar registers from s%u on", num,
                          operand.reg);
   for (unsigned n = 0; n < num; n++) {
      value[n] = wave->sgpr[operand.reg + n];
      undef[n] = wave->sgpr_undef[operand.reg + n];
   }
   return true;
}

bool
hd_gcn_write_sgprs(hd_gcn_wave *wave, hd_mach_operand operand, unsigned num, const uint32_t *value,
                   const uint32_t *undef)
{
   const unsigned align = num == 1 ? 1 : num == 2 ? 2 : 4;

   if (operand.reg % align != 0 || operand.reg + num > 128)
      return hd_gcn_fault(wave, -1, "invalid operand: %u scalar registers from s%u on", num,
                          operand.reg);
   for (unsigned n = 0; n < num; n++) {
      const unsigned reg = operand.reg + n;
      if (reg >= HD_GCN_EXEC && undef[n])
         return hd_gcn_fault(wave, -1, "undefined bits 0x%08" PRIx32 " reach exec_%s", undef[n],
                             reg == HD_GCN_EXEC ? "lo" : "hi");
      wave->sgpr[reg] = value[n];
      wave->sgpr_undef[reg] = undef[n];
   }
   return true;
}

bool
hd_gcn_write_scalar(hd_gcn_wave *wave, hd_mach_operand operand, hd_gcn_scalar s)
{
   const uint32_t value[2] = { (uint32_t)s.value, (uint32_t)(s.value >> 32) };
   const uint32_t undef[2] = { (uint32_t)s.undef, (uint32_t)(s.undef >> 32) };
   assert(operand.size <= 2);
   return hd_gcn_write_sgprs(wave, operand, operand.size, value, undef);
}

bool
hd_mach_need(hd_gcn_wave *wave, hd_gcn_scalar s, const char *what)
{
   return s.undef == 0 ||
          hd_gcn_fault(wave, -1, "undefined bits 0x%" PRIx64 " reach %s", s.undef, what);
}

/* Constants: 0.5, 1, 2, 4 with either sign, and 1 / (2 pi). */
static const uint16_t floats16[] = { 0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000,
                                     0xc000, 0x4400, 0xc400, 0x3118 };
static const uint32_t floats32[] = { 0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000,
                                     0xc0000000, 0x40800000, 0xc0800000, 0x3e22f983 };
static const uint64_t floats64[] = { UINT64_C(0x3fe0000000000000), UINT64_C(0xbfe0000000000000),
                                     UINT64_C(0x3ff0000000000000), UINT64_C(0xbff0000000000000),
                                     UINT64_C(0x4000000000000000), UINT64_C(0xc000000000000000),
                                     UINT64_C(0x4010000000000000), UINT64_C(0xc010000000000000),
                                     UINT64_C(0x3fc45f306dc9c882) };

enum { LAST_POSITIVE = 192, LAST_NEGATIVE = 208 };

static bool
read_float_constant(hd_gcn_wave *wave, unsigned n, hd_gcn_type type, uint64_t *out)
{
   if (n == 8 && hd_gcn_wave_gen(wave) == HD_GCN_GFX600)
      return hd_gcn_fault(wave, -1, "invalid operand: gfx6 does not have the constant 1 / (2 pi)");
   switch (type) {
   case HD_GCN_F16:
   case HD_GCN_V2F16:
      *out = floats16[n];
      return true;
   case HD_GCN_B16:
   case HD_GCN_I16:
   case HD_GCN_U16:
   case HD_GCN_V2I16:
      return hd_gcn_fault(wave, -1, "invalid operand: a float constant for 16-bit integers");
   case HD_GCN_B64:
   case HD_GCN_I64:
   case HD_GCN_U64:
   case HD_GCN_F64:
   case HD_GCN_MASK:
      *out = floats64[n];
      return true;
   default:
      *out = floats32[n];
      return true;
   }
}

/* A literal has 32 bits: of a double the upper ones, of a signed number those that give the sign.
 */
static uint64_t
literal(uint32_t bits, hd_gcn_type type)
{
   if (type == HD_GCN_F64)
      return (uint64_t)bits << 32;
   return type == HD_GCN_I64 ? (uint64_t)(int64_t)(int32_t)bits : bits;
}

static bool
read_special(hd_gcn_wave *wave, hd_mach_operand operand, hd_gcn_scalar *out)
{
   const hd_gcn_scalar vcc = hd_gcn_read_pair(wave, HD_GCN_VCC);
   uint64_t aperture;

   switch (operand.reg) {
   case HD_GCN_SCC:
      *out = (hd_gcn_scalar){ wave->scc, wave->scc_undef };
      return true;
   case HD_GCN_EXECZ:
      *out = (hd_gcn_scalar){ hd_gcn_exec(wave) == 0, 0 };
      return true;
   case HD_GCN_VCCZ:
      *out = (hd_gcn_scalar){ vcc.value == 0, vcc.undef && (vcc.value & ~vcc.undef) == 0 };
      return true;
   case SRC_SHARED_BASE:
   case SRC_SHARED_LIMIT:
   case SRC_PRIVATE_BASE:
   case SRC_PRIVATE_LIMIT:
      aperture = operand.reg <= SRC_SHARED_LIMIT ? wave->lds_aperture : wave->private_aperture;
      /* An address of 64 bits; where only 32 are read, it is the half that says which aperture. */
      out->value = operand.size == 2 ? aperture << 32 : aperture;
      if (operand.reg == SRC_SHARED_LIMIT || operand.reg == SRC_PRIVATE_LIMIT)
         out->value |= operand.size == 2 ? UINT32_MAX : 0;
      out->undef = 0;
      return hd_gcn_wave_gen(wave) == HD_GCN_GFX900 ||
             hd_gcn_fault(wave, -1, "invalid source operand %u", operand.reg);
   default:
      return hd_gcn_fault(wave, -1, "invalid source operand %u", operand.reg);
   }
}

bool
hd_gcn_read_scalar(hd_gcn_wave *wave, hd_mach_operand operand, hd_gcn_type type, hd_gcn_scalar *out)
{
   if (operand.reg < 128) {
      if (operand.size == 2 && operand.reg % 2 != 0)
         return hd_gcn_fault(wave, -1, "a pair of scalar registers that begins at number %u",
                             operand.reg);
      if (operand.size == 2) {
         *out = hd_gcn_read_pair(wave, operand.reg);
         return true;
      }
      *out = (hd_gcn_scalar){ wave->sgpr[operand.reg], wave->sgpr_undef[operand.reg] };
      return true;
   }
   out->undef = 0;
   if (operand.reg >= HD_GCN_CONST_0 && operand.reg <= LAST_POSITIVE)
      out->value = operand.reg - (uint64_t)HD_GCN_CONST_0;
   else if (operand.reg > LAST_POSITIVE && operand.reg <= LAST_NEGATIVE)
      out->value = LAST_POSITIVE - (uint64_t)operand.reg;
   else if (operand.reg >= HD_GCN_CONST_FLOAT && operand.reg < HD_GCN_CONST_FLOAT + 9)
      return read_float_constant(wave, operand.reg - HD_GCN_CONST_FLOAT, type, &out->value);
   else if (operand.reg == HD_GCN_LITERAL)
      out->value = literal(operand.value, type);
   else
      return read_special(wave, operand, out);
   return true;
}
