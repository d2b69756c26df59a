/* SPDX-License-Identifier: MIT */
/* own.c - instructions that a driver's hook may append: those on registers that touch nothing else. */
#include <string.h>

#include "backend/gen9/select/select.h"

enum { D = 1, UD = 2, F = 4, INTEGER = D | UD, ANY = D | UD | F };

static const struct {
   const char *name; /* in front of the type */
   uint16_t op;
   uint8_t types, num_srcs;
   uint8_t condition; /* of a compare */
   bool logic;
} rows[] = {
   { "add", HD_GEN9_ADD, ANY, 2, 0, false },
   { "and", HD_GEN9_AND, INTEGER, 2, 0, true },
   { "asr", HD_GEN9_ASR, D, 2, 0, false },
   { "avg", HD_GEN9_AVG, INTEGER, 2, 0, false },
   { "bfe", HD_GEN9_BFE, INTEGER, 3, 0, false },
   { "bfi1", HD_GEN9_BFI1, INTEGER, 2, 0, false },
   { "bfi2", HD_GEN9_BFI2, INTEGER, 3, 0, false },
   { "bfrev", HD_GEN9_BFREV, UD, 1, 0, false },
   { "cbit", HD_GEN9_CBIT, UD, 1, 0, false },
   { "cmp.eq", HD_GEN9_P_COMPARE, ANY, 2, HD_GEN9_CONDITION_EQ, false },
   { "cmp.gt", HD_GEN9_P_COMPARE, ANY, 2, HD_GEN9_CONDITION_GT, false },
   { "cmp.ge", HD_GEN9_P_COMPARE, ANY, 2, HD_GEN9_CONDITION_GE, false },
   { "cmp.lt", HD_GEN9_P_COMPARE, ANY, 2, HD_GEN9_CONDITION_LT, false },
   { "cmp.le", HD_GEN9_P_COMPARE, ANY, 2, HD_GEN9_CONDITION_LE, false },
   { "cmp.ne", HD_GEN9_P_COMPARE, ANY, 2, HD_GEN9_CONDITION_NE, false },
   { "fbh", HD_GEN9_FBH, INTEGER, 1, 0, false },
   { "fbl", HD_GEN9_FBL, UD, 1, 0, false },
   { "frc", HD_GEN9_FRC, F, 1, 0, false },
   { "lzd", HD_GEN9_LZD, UD, 1, 0, false },
   { "mad", HD_GEN9_MAD, F, 3, 0, false },
   { "math.cos", HD_GEN9_MATH_COS, F, 1, 0, false },
   { "math.exp", HD_GEN9_MATH_EXP, F, 1, 0, false },
   { "math.fdiv", HD_GEN9_MATH_FDIV, F, 2, 0, false },
   { "math.inv", HD_GEN9_MATH_INV, F, 1, 0, false },
   { "math.log", HD_GEN9_MATH_LOG, F, 1, 0, false },
   { "math.pow", HD_GEN9_MATH_POW, F, 2, 0, false },
   { "math.rsqt", HD_GEN9_MATH_RSQT, F, 1, 0, false },
   { "math.sin", HD_GEN9_MATH_SIN, F, 1, 0, false },
   { "math.sqt", HD_GEN9_MATH_SQT, F, 1, 0, false },
   { "mul", HD_GEN9_MUL, D | F, 2, 0, false },
   { "not", HD_GEN9_NOT, INTEGER, 1, 0, true },
   { "or", HD_GEN9_OR, INTEGER, 2, 0, true },
   { "rndd", HD_GEN9_RNDD, F, 1, 0, false },
   { "rnde", HD_GEN9_RNDE, F, 1, 0, false },
   { "rndu", HD_GEN9_RNDU, F, 1, 0, false },
   { "rndz", HD_GEN9_RNDZ, F, 1, 0, false },
   { "shl", HD_GEN9_SHL, INTEGER, 2, 0, false },
   { "shr", HD_GEN9_SHR, UD, 2, 0, false },
   { "xor", HD_GEN9_XOR, INTEGER, 2, 0, true },
};

static unsigned
type_of(const char *name, unsigned *bit)
{
   static const struct {
      const char *name;
      uint8_t type, bit;
   } types[] = { { ":d", HD_GEN9_TYPE_D, D },
                 { ":ud", HD_GEN9_TYPE_UD, UD },
                 { ":f", HD_GEN9_TYPE_F, F } };

   *bit = 0;
   for (unsigned n = 0; n < 3; n++) {
      if (!strcmp(types[n].name, name)) {
         *bit = types[n].bit;
         return types[n].type;
      }
   }
   return 0;
}

hd_mach_own_op
hd_gen9_find_own(const char *name)
{
   const size_t length = strcspn(name, ":");
   unsigned bit;
   const unsigned type = type_of(name + length, &bit);

   for (unsigned n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
      if (rows[n].types & bit && strlen(rows[n].name) == length &&
          !memcmp(rows[n].name, name, length))
         return (hd_mach_own_op){ .op = n,
                                  .type = type,
                                  .num_srcs = rows[n].num_srcs,
                                  .logic = rows[n].logic,
                                  .compares = rows[n].op == HD_GEN9_P_COMPARE };
   }
   return (hd_mach_own_op){ .num_srcs = 0 };
}

val
hd_gen9_emit_own(void *user, const hd_mach_own_op *own, bool booleans, const val v[3])
{
   sel *s = user;
   const unsigned op = rows[own->op].op;
   const val none = { 0 };

   (void)booleans;
   if (own->compares)
      return hd_gen9_compare(s, rows[own->op].condition, own->type, v[0], v[1]);
   /* Functions and what has three operands take registers alone. */
   if (own->num_srcs < 3 && hd_gen9_op_infos[op].function == 0)
      return hd_gen9_emit(s, op, own->type, v[0], v[1]);
   const val a = hd_gen9_in_register(s, v[0]);
   const val b = own->num_srcs > 1 ? hd_gen9_in_register(s, v[1]) : none;
   const val c = own->num_srcs > 2 ? hd_gen9_in_register(s, v[2]) : none;
   const val d = hd_gen9_new(s, hd_gen9_file_of(s, a, b, c));
   hd_gen9_append(s, op, own->type, d, a, b, c);
   return d;
}
