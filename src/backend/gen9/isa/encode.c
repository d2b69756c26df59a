/* SPDX-License-Identifier: MIT */
/* encode.c - the instruction encoder and decoder.
 *
 * The table says which bits are which member. What is represented differently in the bits than in
 * hd_gen9_word (type codes, regions of three-source instructions) is translated in both directions.
 * Each checks the other: encoded bits must decode to the same members, decoded members must encode to
 * the same bits.
 */
#include <string.h>

#include "backend/gen9/isa/tables.h"
#include "util/bytes.h"

/* Members */

static uint64_t
get_member(const hd_gen9_word *w, const hd_gen9_field *f)
{
   const unsigned char *at = (const unsigned char *)w + f->offset;
   uint64_t u64;
   uint32_t u32;
   uint16_t u16;

   switch (f->size) {
   case 1:
      return *at;
   case 2:
      memcpy(&u16, at, 2);
      return u16;
   case 4:
      memcpy(&u32, at, 4);
      return u32;
   default:
      memcpy(&u64, at, 8);
      return u64;
   }
}

static void
put_member(hd_gen9_word *w, const hd_gen9_field *f, uint64_t value)
{
   unsigned char *at = (unsigned char *)w + f->offset;
   const uint32_t u32 = (uint32_t)value;
   const uint16_t u16 = (uint16_t)value;

   switch (f->size) {
   case 1:
      *at = (unsigned char)value;
      break;
   case 2:
      memcpy(at, &u16, 2);
      break;
   case 4:
      memcpy(at, &u32, 4);
      break;
   default:
      memcpy(at, &value, 8);
      break;
   }
}

/* One direction or the other, part by part. `word` has codes as the bits have them. */
typedef struct coder {
   hd_gen9_word *word;
   hd_gen9_bits *bits;
   bool reads;
   const char *error;
} coder;

static void
part(coder *c, hd_gen9_part which)
{
   const hd_gen9_part_fields *p = &hd_gen9_parts[which];

   for (unsigned n = 0; n < p->num; n++) {
      const hd_gen9_field *f = &p->fields[n];
      if (c->reads && f->size)
         put_member(c->word, f,
                    get_member(c->word, f) | hd_gen9_get_bits(c->bits, f->low, f->bits) << f->at);
      else if (!c->reads)
         hd_gen9_put_bits(c->bits, f->low, f->bits,
                          f->size ? get_member(c->word, f) >> f->at : f->at);
   }
}

static bool
is_wide_code(unsigned code)
{
   return code == hd_gen9_type_infos[HD_GEN9_TYPE_Q].imm ||
          code == hd_gen9_type_infos[HD_GEN9_TYPE_UQ].imm ||
          code == hd_gen9_type_infos[HD_GEN9_TYPE_DF].imm;
}

static void
dst_parts(coder *c)
{
   part(c, HD_GEN9_PART_DST_KIND);
   part(c, c->word->dst.indirect ? HD_GEN9_PART_DST_INDIRECT : HD_GEN9_PART_DST_DIRECT);
}

static void
src0_parts(coder *c, bool immediate)
{
   const hd_gen9_operand *src = &c->word->src[0];

   part(c, HD_GEN9_PART_SRC0_KIND);
   if (src->file == HD_GEN9_IMM) {
      if (!immediate)
         c->error = "the first source is an immediate";
      part(c, is_wide_code(src->type) ? HD_GEN9_PART_IMM64 : HD_GEN9_PART_IMM32);
      return;
   }
   part(c, HD_GEN9_PART_SRC0_MODS);
   part(c, src->indirect ? HD_GEN9_PART_SRC0_INDIRECT : HD_GEN9_PART_SRC0_DIRECT);
}

static void
src1_parts(coder *c)
{
   const hd_gen9_operand *src = &c->word->src[1];

   part(c, HD_GEN9_PART_SRC1_KIND);
   if (src->file == HD_GEN9_IMM) {
      if (is_wide_code(src->type))
         c->error = "a second source of 64 bits is an immediate";
      part(c, HD_GEN9_PART_IMM32);
      return;
   }
   part(c, HD_GEN9_PART_SRC1_MODS);
   part(c, src->indirect ? HD_GEN9_PART_SRC1_INDIRECT : HD_GEN9_PART_SRC1_DIRECT);
}

static void
send_parts(coder *c)
{
   part(c, HD_GEN9_PART_SEND);
   if (c->reads)
      c->word->desc_reg = hd_gen9_get_bits(c->bits, 89, 2) != HD_GEN9_IMM;
   part(c, c->word->desc_reg ? HD_GEN9_PART_SEND_DESC_REG : HD_GEN9_PART_SEND_DESC);
}

static void
sends_parts(coder *c)
{
   part(c, HD_GEN9_PART_SENDS);
   part(c, c->word->ex_desc_reg ? HD_GEN9_PART_SENDS_EX_DESC_REG : HD_GEN9_PART_SENDS_EX_DESC);
   if (!c->word->desc_reg)
      part(c, HD_GEN9_PART_SENDS_DESC);
}

/* What most instructions have besides operands. */
static void
modifier_parts(coder *c)
{
   const hd_gen9_op_info *info = hd_gen9_info_of(c->word);
   const bool math = (info->mach.flags & HD_GEN9_MATH) != 0;
   const unsigned num = hd_gen9_num_sources(info->shape);

   if (info->shape >= HD_GEN9_CLASS_WAIT)
      return;
   part(c, info->shape == HD_GEN9_CLASS_JUMP ? HD_GEN9_PART_THREAD_HEADER : HD_GEN9_PART_HEADER);
   if (!(info->mach.flags & HD_GEN9_NO_PREDICATE))
      part(c, HD_GEN9_PART_PREDICATE);
   if (num && !math && !(info->mach.flags & HD_GEN9_NO_CONDITION))
      part(c, HD_GEN9_PART_CONDITION);
   if (num && !(info->mach.flags & HD_GEN9_NO_SATURATE))
      part(c, HD_GEN9_PART_SATURATE);
}

static void
all_parts(coder *c)
{
   const hd_gen9_class shape = (hd_gen9_class)hd_gen9_info_of(c->word)->shape;

   modifier_parts(c);
   switch (shape) {
   case HD_GEN9_CLASS_UNARY:
   case HD_GEN9_CLASS_BINARY:
   case HD_GEN9_CLASS_MATH1:
   case HD_GEN9_CLASS_MATH2:
      dst_parts(c);
      src0_parts(c, shape == HD_GEN9_CLASS_UNARY || shape == HD_GEN9_CLASS_MATH1);
      if (shape == HD_GEN9_CLASS_BINARY || shape == HD_GEN9_CLASS_MATH2)
         src1_parts(c);
      break;
   case HD_GEN9_CLASS_TERNARY:
      part(c, HD_GEN9_PART_TERNARY);
      break;
   case HD_GEN9_CLASS_BRANCH:
      part(c, HD_GEN9_PART_BRANCH_OPERANDS);
      part(c, HD_GEN9_PART_JIP);
      break;
   case HD_GEN9_CLASS_BRANCH2:
      part(c, HD_GEN9_PART_BRANCH2_OPERANDS);
      part(c, HD_GEN9_PART_JIP);
      part(c, HD_GEN9_PART_UIP);
      break;
   case HD_GEN9_CLASS_DIVERGE:
   case HD_GEN9_CLASS_DIVERGE2:
      part(c, HD_GEN9_PART_DIVERGE_OPERANDS);
      part(c, HD_GEN9_PART_JIP);
      if (shape == HD_GEN9_CLASS_DIVERGE2)
         part(c, HD_GEN9_PART_UIP);
      break;
   case HD_GEN9_CLASS_JUMP:
      part(c, HD_GEN9_PART_JUMP_OPERANDS);
      part(c, HD_GEN9_PART_JIP);
      break;
   case HD_GEN9_CLASS_CALL:
      part(c, HD_GEN9_PART_CALL_OPERANDS);
      part(c, HD_GEN9_PART_JIP);
      break;
   case HD_GEN9_CLASS_RET:
      part(c, HD_GEN9_PART_RET_OPERANDS);
      break;
   case HD_GEN9_CLASS_SEND:
      send_parts(c);
      break;
   case HD_GEN9_CLASS_SENDS:
      sends_parts(c);
      break;
   case HD_GEN9_CLASS_WAIT:
      part(c, HD_GEN9_PART_WAIT_OPERANDS);
      break;
   case HD_GEN9_CLASS_PLAIN:
      break;
   }
}

unsigned
hd_gen9_num_sources(unsigned shape)
{
   switch (shape) {
   case HD_GEN9_CLASS_UNARY:
   case HD_GEN9_CLASS_MATH1:
      return 1;
   case HD_GEN9_CLASS_BINARY:
   case HD_GEN9_CLASS_MATH2:
      return 2;
   case HD_GEN9_CLASS_TERNARY:
      return 3;
   default:
      return 0;
   }
}

/* Types */

static unsigned
code_of(unsigned type, const hd_gen9_operand *o, bool three)
{
   const hd_gen9_type_info *info = &hd_gen9_type_infos[type];

   return three ? info->three : o->file == HD_GEN9_IMM ? info->imm : info->reg;
}

static const char *
type_to_code(hd_gen9_operand *o, bool three)
{
   if (o->type >= HD_GEN9_NUM_TYPES)
      return "invalid type";
   o->type = (uint8_t)code_of(o->type, o, three);
   return o->type == HD_GEN9_NO_CODE ? "an operand cannot have this type" : NULL;
}

static const char *
code_to_type(hd_gen9_operand *o, bool three)
{
   for (unsigned type = 0; type < HD_GEN9_NUM_TYPES; type++) {
      if (code_of(type, o, three) == o->type) {
         o->type = (uint8_t)type;
         return NULL;
      }
   }
   return "invalid type";
}

/* Three sources
 *
 * These are read as vectors of four dwords are: all lanes read one element where `rep` is set, or,
 * where it has 8 bytes, by a swizzle. One channel alone is one of four that are written.
 */

#define SWIZZLE_ALL  0xe4u
#define SWIZZLE_LOW  0x44u
#define SWIZZLE_HIGH 0xeeu

static bool
is_wide(const hd_gen9_operand *o)
{
   return o->type == HD_GEN9_TYPE_DF;
}

static void
ternary_to_code(hd_gen9_word *w)
{
   const unsigned size = w->dst.type < HD_GEN9_NUM_TYPES ? hd_gen9_type_infos[w->dst.type].size : 4;

   for (unsigned n = 0; n < 3; n++) {
      hd_gen9_operand *src = &w->src[n];
      src->half = n && src->type == HD_GEN9_TYPE_HF;
      src->swizzle = SWIZZLE_ALL;
      if (src->rep && is_wide(src)) {
         src->swizzle = src->subreg & 8 ? SWIZZLE_HIGH : SWIZZLE_LOW;
         src->subreg &= 16;
         src->rep = 0;
      }
   }
   w->dst.lanes = 15;
   if (w->exec == 0) {
      const unsigned at = w->dst.subreg / size % (size == 8 ? 2 : 4);
      w->dst.lanes = (uint8_t)(size == 8 ? 3u << 2 * at : 1u << at);
      w->dst.subreg = (uint8_t)(w->dst.subreg - at * size);
      w->exec = size == 8 ? 1 : 2;
   }
}

static const char *
ternary_from_code(hd_gen9_word *w)
{
   const unsigned size = hd_gen9_type_infos[w->dst.type].size;
   const unsigned exec = size == 8 ? 1 : 2;

   for (unsigned n = 0; n < 3; n++) {
      hd_gen9_operand *src = &w->src[n];
      if (is_wide(src) && src->swizzle != SWIZZLE_ALL) {
         src->rep = 1;
         src->subreg = (uint8_t)(src->subreg | (src->swizzle == SWIZZLE_HIGH ? 8 : 0));
      }
      src->swizzle = src->half = 0;
   }
   if (w->dst.lanes != 15 && w->exec == exec) {
      unsigned at = 0;
      while (at < (size == 8 ? 1u : 3u) && !(w->dst.lanes >> (size == 8 ? 2 * at : at) & 1))
         at++;
      w->dst.subreg = (uint8_t)(w->dst.subreg + at * size);
      w->exec = 0;
   }
   w->dst.lanes = 0;
   return NULL;
}

/* The types of sources: that of the first one, or half of it. */
static const char *
ternary_types_from_code(hd_gen9_word *w)
{
   const uint8_t half = hd_gen9_type_infos[HD_GEN9_TYPE_HF].three, code = w->src[0].type;
   const char *error = code_to_type(&w->dst, true);

   for (unsigned n = 0; !error && n < 3; n++) {
      w->src[n].type = n == 0           ? code
                       : w->src[n].half ? half
                       : code == half   ? HD_GEN9_TYPE_UD
                                        : code;
      if (n && code == half && !w->src[n].half)
         w->src[n].type = HD_GEN9_TYPE_F;
      else
         error = code_to_type(&w->src[n], true);
   }
   return error;
}

/* Which operands have a type and a file of their own. */
static bool
has_dst_type(unsigned shape)
{
   return hd_gen9_num_sources(shape) || shape == HD_GEN9_CLASS_SEND || shape == HD_GEN9_CLASS_SENDS;
}

static const char *
to_codes(hd_gen9_word *w)
{
   const unsigned shape = hd_gen9_info_of(w)->shape, num = hd_gen9_num_sources(shape);
   const bool three = num == 3;
   const char *error = NULL;

   for (unsigned n = 0; n < num; n++) {
      if (w->src[n].file == HD_GEN9_IMM && w->src[n].type < HD_GEN9_NUM_TYPES &&
          hd_gen9_type_infos[w->src[n].type].size == 2)
         w->imm |= w->imm << 16;
   }
   if (three)
      ternary_to_code(w);
   if (has_dst_type(shape))
      error = type_to_code(&w->dst, three);
   for (unsigned n = 0; !error && n < (shape == HD_GEN9_CLASS_SEND ? 1 : num); n++)
      error = type_to_code(&w->src[n], three);
   if (shape == HD_GEN9_CLASS_WAIT)
      w->src[0] = w->dst;
   return error;
}

static const char *
from_codes(hd_gen9_word *w)
{
   const unsigned shape = hd_gen9_info_of(w)->shape, num = hd_gen9_num_sources(shape);
   const char *error = NULL;

   if (num == 3) {
      w->dst.file = HD_GEN9_GRF;
      w->dst.hstride = 1;
      for (unsigned n = 0; n < 3; n++)
         w->src[n].file = HD_GEN9_GRF;
      error = ternary_types_from_code(w);
      return error ? error : ternary_from_code(w);
   }
   if (has_dst_type(shape))
      error = code_to_type(&w->dst, false);
   for (unsigned n = 0; !error && n < (shape == HD_GEN9_CLASS_SEND ? 1 : num); n++)
      error = code_to_type(&w->src[n], false);
   for (unsigned n = 0; !error && n < num; n++) {
      if (w->src[n].file == HD_GEN9_IMM && hd_gen9_type_infos[w->src[n].type].size == 2)
         w->imm &= 0xffff;
   }
   switch (shape) {
   case HD_GEN9_CLASS_SEND:
   case HD_GEN9_CLASS_SENDS:
   case HD_GEN9_CLASS_RET:
      w->src[0].file = HD_GEN9_GRF;
      break;
   case HD_GEN9_CLASS_CALL:
      w->dst.file = HD_GEN9_GRF;
      break;
   case HD_GEN9_CLASS_JUMP:
      w->mask_off = 1;
      break;
   case HD_GEN9_CLASS_WAIT:
      memset(&w->src[0], 0, sizeof(w->src[0]));
      break;
   default:
      break;
   }
   return error;
}

/* Operands that no instruction has */

static const char *
check_register(const hd_gen9_operand *o, unsigned size)
{
   const hd_gen9_architecture *a = &hd_gen9_architectures[o->reg >> 4];

   if (o->indirect)
      return o->file == HD_GEN9_GRF ? NULL : "an indirect operand is no register of the file";
   if (o->file != HD_GEN9_ARF && o->file != HD_GEN9_GRF)
      return "invalid register file";
   if (o->file == HD_GEN9_GRF ? o->reg >= HD_GEN9_NUM_GRFS : !a->name || (o->reg & 15) >= a->num)
      return "invalid register number";
   if (o->subreg % size || (o->file == HD_GEN9_ARF && !a->has_parts && o->subreg))
      return "invalid subregister: misaligned, or past the end of the register";
   return NULL;
}

static const char *
check_source(const hd_gen9_word *w, const hd_gen9_operand *o, bool three)
{
   const uint32_t flags = hd_gen9_info_of(w)->mach.flags;
   const unsigned size = hd_gen9_type_infos[o->type].size;

   if (o->file == HD_GEN9_IMM)
      return NULL;
   if (!three && (o->width > 4 || (o->vstride > 6 && o->vstride != HD_GEN9_STRIDE_INDIRECT)))
      return "invalid region";
   if (o->vstride == HD_GEN9_STRIDE_INDIRECT && !o->indirect)
      return "a direct operand has the region of an indirect one";
   if (flags & HD_GEN9_NO_MODIFIERS && (o->abs || o->neg))
      return "invalid source modifier";
   if (!o->indirect && flags & HD_GEN9_INDIRECT)
      return "the source is not indirect";
   if (o->file == HD_GEN9_ARF && o == &w->src[1])
      return "the second source is a register of the architecture";
   return check_register(o, size);
}

/* The unit for functions reads its first source and writes in registers of the file. */
static const char *
check_math(const hd_gen9_word *w)
{
   const hd_gen9_operand *src = &w->src[0];

   return w->dst.file == HD_GEN9_GRF && !w->dst.indirect && src->file != HD_GEN9_ARF &&
                  !src->indirect
              ? NULL
              : "math does not take such an operand";
}

static const char *
check_operands(const hd_gen9_word *w)
{
   const unsigned shape = hd_gen9_info_of(w)->shape, num = hd_gen9_num_sources(shape);
   const char *error = NULL;

   if (num) {
      error = check_register(&w->dst, hd_gen9_type_infos[w->dst.type].size);
      for (unsigned n = 0; !error && n < num; n++)
         error = check_source(w, &w->src[n], num == 3);
      if (!error && hd_gen9_info_of(w)->mach.flags & HD_GEN9_MATH)
         error = check_math(w);
      return error;
   }
   switch (shape) {
   case HD_GEN9_CLASS_SENDS:
      error = w->src[1].file == HD_GEN9_ARF && w->src[1].reg ? "invalid register number"
                                                             : check_register(&w->src[1], 1);
      if (error)
         return error;
      /* fallthrough */
   case HD_GEN9_CLASS_SEND:
      error = check_register(&w->src[0], 1);
      if (!error && w->dst.file == HD_GEN9_ARF && w->dst.reg)
         error = "a message is written to a register of the architecture";
      return error ? error : check_register(&w->dst, 1);
   case HD_GEN9_CLASS_CALL:
      return check_register(&w->dst, 4);
   case HD_GEN9_CLASS_RET:
      return check_register(&w->src[0], 4);
   case HD_GEN9_CLASS_WAIT:
      return w->dst.reg == HD_GEN9_ARF_NOTIFICATION ? check_register(&w->dst, 4)
                                                    : "wait is for notifications";
   default:
      return NULL;
   }
}

static const char *
check(const hd_gen9_word *w)
{
   const unsigned shape = hd_gen9_info_of(w)->shape;

   if (w->exec > 5)
      return "invalid execution size: expected 1 to 32 channels";
   if (!hd_gen9_predicate_names[w->pred] || (shape == HD_GEN9_CLASS_TERNARY && w->pred > 1))
      return "invalid predicate control";
   if (!hd_gen9_condition_names[w->cond])
      return "invalid condition modifier";
   if (!w->pred && (w->pred_inv || (!w->cond && w->flag)))
      return "a flag that nothing reads";
   if (w->thread > HD_GEN9_THREAD_SWITCH)
      return "invalid thread control";
   return check_operands(w);
}

static bool
is_same_operand(const hd_gen9_operand *a, const hd_gen9_operand *b)
{
   return a->file == b->file && a->type == b->type && a->reg == b->reg && a->subreg == b->subreg &&
          a->vstride == b->vstride && a->width == b->width && a->hstride == b->hstride &&
          a->abs == b->abs && a->neg == b->neg && a->indirect == b->indirect &&
          a->offset == b->offset && a->rep == b->rep && a->swizzle == b->swizzle &&
          a->half == b->half && a->lanes == b->lanes;
}

static bool
is_same(const hd_gen9_word *a, const hd_gen9_word *b)
{
   return a->op == b->op && a->exec == b->exec && a->chan == b->chan && a->pred == b->pred &&
          a->pred_inv == b->pred_inv && a->flag == b->flag && a->cond == b->cond &&
          a->mask_off == b->mask_off && a->sat == b->sat && a->option == b->option &&
          a->no_dd_clr == b->no_dd_clr && a->no_dd_chk == b->no_dd_chk && a->thread == b->thread &&
          a->breakpoint == b->breakpoint && a->imm == b->imm && a->jip == b->jip &&
          a->uip == b->uip && a->desc == b->desc && a->ex_desc == b->ex_desc &&
          a->desc_reg == b->desc_reg && a->ex_desc_reg == b->ex_desc_reg &&
          is_same_operand(&a->dst, &b->dst) && is_same_operand(&a->src[0], &b->src[0]) &&
          is_same_operand(&a->src[1], &b->src[1]) && is_same_operand(&a->src[2], &b->src[2]);
}

static const char *
write_members(const hd_gen9_word *word, hd_gen9_bits *bits)
{
   const hd_gen9_op_info *info = hd_gen9_info_of(word);
   hd_gen9_word raw = *word;
   const char *error = to_codes(&raw);
   coder c = { .word = &raw, .bits = bits, .error = error };

   *bits = (hd_gen9_bits){ 0, 0 };
   if (error)
      return error;
   hd_gen9_put_bits(bits, 0, 7, info->opcode);
   hd_gen9_put_bits(bits, 24, 4, info->function);
   all_parts(&c);
   return c.error;
}

static const char *
read_members(hd_gen9_bits *bits, hd_gen9_word *w)
{
   coder c = { .word = w, .bits = bits, .reads = true };

   memset(w, 0, sizeof(*w));
   w->op = hd_gen9_op_of_opcode[hd_gen9_get_bits(bits, 0, 7)];
   if (hd_gen9_info_of(w)->mach.flags & HD_GEN9_MATH) {
      const unsigned function = (unsigned)hd_gen9_get_bits(bits, 24, 4);
      while (w->op < HD_GEN9_NUM_OPS && hd_gen9_info_of(w)->function != function)
         w->op++;
      if (w->op == HD_GEN9_NUM_OPS)
         w->op = HD_MACH_OP_NONE;
   }
   if (w->op == HD_MACH_OP_NONE)
      return "invalid opcode";
   all_parts(&c);
   if (!c.error)
      c.error = from_codes(w);
   return c.error;
}

bool
hd_gen9_encode(const hd_gen9_word *word, unsigned char bytes[16])
{
   hd_gen9_bits bits;
   hd_gen9_word again;

   if (word->op < HD_GEN9_FIRST_OP || word->op >= HD_GEN9_NUM_OPS || write_members(word, &bits) ||
       read_members(&bits, &again) || !is_same(word, &again) || check(&again))
      return false;
   hd_gen9_write_bits(&bits, bytes);
   return true;
}

const char *
hd_gen9_decode(const unsigned char *bytes, size_t size, hd_gen9_word *word, unsigned *length)
{
   hd_gen9_bits bits, again;
   const char *error = NULL;

   memset(word, 0, sizeof(*word));
   *length = (unsigned)size;
   if (size < HD_GEN9_SHORT_BYTES)
      return "truncated instruction";
   const uint64_t low = get_number(bytes, 8);
   const bool is_short = low >> 29 & 1;
   *length = is_short ? HD_GEN9_SHORT_BYTES : HD_GEN9_INST_BYTES;
   if (size < *length) {
      *length = (unsigned)size;
      return "truncated instruction";
   }
   if (is_short)
      error = hd_gen9_expand(low, &bits);
   else
      bits = hd_gen9_read_bits(bytes);
   if (!error)
      error = read_members(&bits, word);
   if (!error)
      error = check(word);
   if (!error)
      error = write_members(word, &again);
   if (!error && (bits.low != again.low || bits.high != again.high))
      error = "a field that the op does not have is not 0";
   word->compacted = is_short;
   return error;
}
