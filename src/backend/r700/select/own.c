/* SPDX-License-Identifier: MIT */
/* own.c - instructions that a driver's hook may append: those on channels that touch nothing else. */
#include <string.h>

#include "backend/r700/select/select.h"

typedef enum kind { NUMBERS, LOGIC, COMPARE } kind;

/* What they read, and in which groups they go, is in the table of instructions. */
static const struct {
   uint16_t op;
   uint8_t kind;
} rows[] = {
   { HD_R700_ADD, NUMBERS },         { HD_R700_ADD_INT, NUMBERS },
   { HD_R700_AND_INT, LOGIC },       { HD_R700_ASHR_INT, NUMBERS },
   { HD_R700_CEIL, NUMBERS },        { HD_R700_CNDE, NUMBERS },
   { HD_R700_CNDE_INT, NUMBERS },    { HD_R700_CNDGE, NUMBERS },
   { HD_R700_CNDGE_INT, NUMBERS },   { HD_R700_CNDGT, NUMBERS },
   { HD_R700_CNDGT_INT, NUMBERS },   { HD_R700_EXP_IEEE, NUMBERS },
   { HD_R700_FLOOR, NUMBERS },       { HD_R700_FLT_TO_INT, NUMBERS },
   { HD_R700_FLT_TO_UINT, NUMBERS }, { HD_R700_FRACT, NUMBERS },
   { HD_R700_INT_TO_FLT, NUMBERS },  { HD_R700_LOG_IEEE, NUMBERS },
   { HD_R700_LSHL_INT, NUMBERS },    { HD_R700_LSHR_INT, NUMBERS },
   { HD_R700_MAX, NUMBERS },         { HD_R700_MAX_DX10, NUMBERS },
   { HD_R700_MAX_INT, NUMBERS },     { HD_R700_MAX_UINT, NUMBERS },
   { HD_R700_MIN, NUMBERS },         { HD_R700_MIN_DX10, NUMBERS },
   { HD_R700_MIN_INT, NUMBERS },     { HD_R700_MIN_UINT, NUMBERS },
   { HD_R700_MOV, NUMBERS },         { HD_R700_MUL, NUMBERS },
   { HD_R700_MULADD, NUMBERS },      { HD_R700_MULADD_IEEE, NUMBERS },
   { HD_R700_MULHI_INT, NUMBERS },   { HD_R700_MULHI_UINT, NUMBERS },
   { HD_R700_MULLO_INT, NUMBERS },   { HD_R700_MULLO_UINT, NUMBERS },
   { HD_R700_MUL_IEEE, NUMBERS },    { HD_R700_NOT_INT, LOGIC },
   { HD_R700_OR_INT, LOGIC },        { HD_R700_RECIPSQRT_IEEE, NUMBERS },
   { HD_R700_RECIP_IEEE, NUMBERS },  { HD_R700_RECIP_UINT, NUMBERS },
   { HD_R700_RNDNE, NUMBERS },       { HD_R700_SETE_DX10, COMPARE },
   { HD_R700_SETE_INT, COMPARE },    { HD_R700_SETGE_DX10, COMPARE },
   { HD_R700_SETGE_INT, COMPARE },   { HD_R700_SETGE_UINT, COMPARE },
   { HD_R700_SETGT_DX10, COMPARE },  { HD_R700_SETGT_INT, COMPARE },
   { HD_R700_SETGT_UINT, COMPARE },  { HD_R700_SETNE_DX10, COMPARE },
   { HD_R700_SETNE_INT, COMPARE },   { HD_R700_SQRT_IEEE, NUMBERS },
   { HD_R700_SUB_INT, NUMBERS },     { HD_R700_TRUNC, NUMBERS },
   { HD_R700_UINT_TO_FLT, NUMBERS }, { HD_R700_XOR_INT, LOGIC },
};

hd_mach_own_op
hd_r700_find_own(const char *name)
{
   for (unsigned n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
      const hd_r700_op_info *info = &hd_r700_op_infos[rows[n].op];
      if (!strcmp(info->name, name))
         return (hd_mach_own_op){ .op = rows[n].op,
                                  .num_srcs = info->srcs,
                                  .logic = rows[n].kind == LOGIC,
                                  .compares = rows[n].kind == COMPARE };
   }
   return (hd_mach_own_op){ .num_srcs = 0 };
}

/* Three sources from lines of constants may be more than a group can lock: they are moved. */
val
hd_r700_emit_own(void *user, const hd_mach_own_op *own, bool booleans, const val v[3])
{
   sel *s = user;
   val srcs[3] = { { 0 } };

   (void)booleans;
   for (unsigned n = 0; n < own->num_srcs; n++)
      srcs[n] = own->num_srcs == 3 ? hd_r700_in_register(s, v[n]) : v[n];
   return hd_r700_emit(s, own->op, srcs[0], srcs[1], srcs[2]);
}
