/* SPDX-License-Identifier: MIT */
/* compare.c - the inverse of a compare, and its v_cmpx form, which writes exec.
 *
 * Ops of a family are in the order of their truth tables, so the inverse is at the same distance
 * from the other end; the v_cmpx forms follow.
 */
#include "backend/gcn/isa/isa.h"

static const struct family {
   hd_gcn_op first;
   unsigned size;
} families[] = {
   { HD_GCN_V_CMP_F_F16, 16 }, { HD_GCN_V_CMP_F_F32, 16 }, { HD_GCN_V_CMP_F_F64, 16 },
   { HD_GCN_V_CMP_F_I16, 8 },  { HD_GCN_V_CMP_F_U16, 8 },  { HD_GCN_V_CMP_F_I32, 8 },
   { HD_GCN_V_CMP_F_U32, 8 },  { HD_GCN_V_CMP_F_I64, 8 },  { HD_GCN_V_CMP_F_U64, 8 },
};

static const struct family *
family_of(unsigned op)
{
   for (unsigned n = 0; n < sizeof(families) / sizeof(families[0]); n++) {
      if (op >= families[n].first && op < families[n].first + families[n].size)
         return &families[n];
   }
   return NULL;
}

unsigned
hd_gcn_inverse_compare(unsigned op)
{
   const struct family *f = family_of(op);

   return f ? (2 * f->first + f->size - 1 - op) : HD_GCN_OP_NONE;
}

unsigned
hd_gcn_exec_compare(unsigned op)
{
   const struct family *f = family_of(op);

   return f ? (op + f->size) : HD_GCN_OP_NONE;
}
