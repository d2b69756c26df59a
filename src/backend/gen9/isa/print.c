/* SPDX-License-Identifier: MIT */
/* print.c - the instruction printer, in our syntax and in that of Intel's assembler (IGA). */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "backend/gen9/isa/isa.h"
#include "ir/parse.h"
#include "util/float.h"

/* Columns */
enum {
   PREDICATE_WIDTH = 8,
   CONDITION_COLUMN = 14, /* from the name */
   OPERAND_COLUMN = 25,
   OPERAND_WIDTH = 18,
};

/* What was printed since `start` becomes so wide, and ends with a blank. */
static void
pad(hd_blob *out, size_t start, unsigned width)
{
   const size_t length = out->size - start;

   hd_blob_printf(out, "%*s", length < width ? (int)(width - length) : 1, "");
}

/* Numbers */

static unsigned
float_bits(unsigned type)
{
   return 8u * hd_gen9_type_infos[type].size;
}

/* A decimal number whose bits are these. Whatever the locale's point is, it is printed as one. */
static bool
print_decimal(const char *format, double value, unsigned bits, uint64_t expected, hd_blob *out)
{
   char text[40];
   uint64_t again;

   snprintf(text, sizeof(text), format, value);
   for (char *c = text; *c; c++) {
      if (!strchr("0123456789+-e", *c))
         *c = '.';
   }
   if (!strpbrk(text, ".e"))
      strcat(text, ".0");
   const bool minus = text[0] == '-';
   if (hd_parse_float(text + minus, strlen(text + minus), bits, &again) != HD_NUMBER_FITS)
      return false;
   if (((uint64_t)minus << (bits - 1) | again) != expected)
      return false;
   hd_blob_printf(out, "%s", text);
   return true;
}

static void
print_float(unsigned type, uint64_t value, hd_blob *out)
{
   const unsigned bits = float_bits(type), fraction = hd_float_fraction_bits(bits);
   /* Halves are found among floats of 32 bits, as they are written to them. */
   const unsigned width = bits == 16 ? 32 : bits;
   double host;

   if (hd_float_is_nan(bits, value) || hd_float_is_inf(bits, value)) {
      const uint64_t payload = value & ((UINT64_C(1) << fraction) - 1);
      const uint64_t quiet = UINT64_C(1) << (fraction - 1);
      hd_blob_printf(out, "%s", hd_float_sign(bits, value) ? "-" : "");
      if (!payload)
         hd_blob_printf(out, "inf");
      else
         hd_blob_printf(out, "%cnan(0x%" PRIX64 ")", payload & quiet ? 'q' : 's', payload & ~quiet);
      return;
   }
   const uint64_t exact = hd_float_convert(bits, 64, value, HD_ROUND_NEAREST_EVEN);
   const uint64_t wide = hd_float_convert(bits, width, value, HD_ROUND_NEAREST_EVEN);
   memcpy(&host, &exact, sizeof(host));
   if (!print_decimal("%g", host, width, wide, out) && !print_decimal("%e", host, width, wide, out))
      hd_blob_printf(out, "0x%" PRIX64, value);
}

static void
print_immediate(unsigned type, uint64_t imm, hd_blob *out)
{
   switch (type) {
   case HD_GEN9_TYPE_F:
   case HD_GEN9_TYPE_HF:
   case HD_GEN9_TYPE_DF:
      print_float(type, imm, out);
      break;
   case HD_GEN9_TYPE_W:
      hd_blob_printf(out, "%" PRId32, (int32_t)((imm & 0xffff) ^ 0x8000) - 0x8000);
      break;
   case HD_GEN9_TYPE_D:
      hd_blob_printf(out, "%" PRId64, (int64_t)(imm ^ UINT64_C(0x80000000)) - INT64_C(0x80000000));
      break;
   case HD_GEN9_TYPE_Q:
      hd_blob_printf(out, "%" PRId64, (int64_t)imm);
      break;
   default:
      hd_blob_printf(out, "0x%" PRIX64, imm);
      break;
   }
   hd_blob_printf(out, ":%s", hd_gen9_type_infos[type].name);
}

/* Registers */

static int
signed_offset(const hd_gen9_operand *o)
{
   return (int)(o->offset ^ 0x200u) - 0x200;
}

static void
print_register(const hd_gen9_operand *o, unsigned size, bool parts, hd_blob *out)
{
   const hd_gen9_architecture *a = &hd_gen9_architectures[o->reg >> 4];

   if (o->indirect) {
      hd_blob_printf(out, "r[a0.%u", o->subreg);
      if (o->offset)
         hd_blob_printf(out, ",%d", signed_offset(o));
      hd_blob_printf(out, "]");
      return;
   }
   if (o->file == HD_GEN9_GRF)
      hd_blob_printf(out, "r%u", o->reg);
   else if (a->is_numbered)
      hd_blob_printf(out, "%s%u", a->name, o->reg & 15);
   else
      hd_blob_printf(out, "%s", a->name);
   if (parts && (o->file == HD_GEN9_GRF || a->has_parts))
      hd_blob_printf(out, ".%u", o->subreg / size);
}

static unsigned
size_of(const hd_gen9_operand *o)
{
   return hd_gen9_type_infos[o->type].size;
}

static void
print_dst(const hd_gen9_word *w, hd_blob *out)
{
   if (w->sat)
      hd_blob_printf(out, "(sat)");
   print_register(&w->dst, size_of(&w->dst), true, out);
   hd_blob_printf(out, "<%u>:%s", hd_gen9_stride(w->dst.hstride),
                  hd_gen9_type_infos[w->dst.type].name);
}

static void
print_region(const hd_gen9_operand *o, unsigned of_three, hd_blob *out)
{
   if (of_three == 2)
      hd_blob_printf(out, "<%u>", o->rep ? 0 : 1);
   else if (of_three < 2)
      hd_blob_printf(out, o->rep ? "<0;0>" : "<2;1>");
   else if (o->vstride == HD_GEN9_STRIDE_INDIRECT)
      hd_blob_printf(out, "<%u,%u>", 1u << o->width, hd_gen9_stride(o->hstride));
   else
      hd_blob_printf(out, "<%u;%u,%u>", hd_gen9_stride(o->vstride), 1u << o->width,
                     hd_gen9_stride(o->hstride));
}

static void
print_src(const hd_gen9_word *w, unsigned n, bool three, hd_blob *out)
{
   const hd_gen9_operand *o = &w->src[n];
   const bool logic = (hd_gen9_info_of(w)->mach.flags & HD_GEN9_LOGIC) != 0;

   if (o->file == HD_GEN9_IMM) {
      print_immediate(o->type, w->imm, out);
      return;
   }
   hd_blob_printf(out, "%s%s", !o->neg ? "" : logic && !o->abs ? "~" : "-", o->abs ? "(abs)" : "");
   print_register(o, size_of(o), true, out);
   print_region(o, three ? n : 3, out);
   hd_blob_printf(out, ":%s", hd_gen9_type_infos[o->type].name);
}

/* The rest of the line */

static void
print_flag(unsigned flag, hd_blob *out)
{
   hd_blob_printf(out, "f%u.%u", flag >> 1, flag & 1);
}

static void
print_predicate(const hd_gen9_word *w, hd_blob *out)
{
   const char *name = hd_gen9_predicate_names[w->pred];

   if (!w->pred && !w->mask_off)
      return;
   hd_blob_printf(out, "(%s", w->mask_off ? "W" : "");
   if (w->pred) {
      hd_blob_printf(out, "%s%s", w->mask_off ? "&" : "", w->pred_inv ? "~" : "");
      print_flag(w->flag, out);
      hd_blob_printf(out, "%s%s", *name ? "." : "", name);
   }
   hd_blob_printf(out, ")");
}

static void
print_target(int32_t distance, uint64_t address, hd_blob *out)
{
   const int64_t to = (int64_t)address + distance;

   if (to >= 0)
      hd_blob_printf(out, "L%" PRId64, to);
   else
      hd_blob_printf(out, "%" PRId32, distance);
}

static void
print_send(const hd_gen9_word *w, bool split, hd_blob *out)
{
   size_t at = out->size;

   print_register(&w->dst, 1, false, out);
   if (split || w->dst.type != HD_GEN9_TYPE_UD)
      hd_blob_printf(out, ":%s", hd_gen9_type_infos[w->dst.type].name);
   pad(out, at, 9);
   at = out->size;
   print_register(&w->src[0], 1, false, out);
   if (!split && w->src[0].type != HD_GEN9_TYPE_UD)
      hd_blob_printf(out, ":%s", hd_gen9_type_infos[w->src[0].type].name);
   pad(out, at, 8);
   if (split) {
      at = out->size;
      print_register(&w->src[1], 1, false, out);
      pad(out, at, 8);
   }
   at = out->size;
   if (w->ex_desc_reg)
      hd_blob_printf(out, "a0.%" PRIu32, w->ex_desc & 15);
   else
      hd_blob_printf(out, "0x%" PRIX32, w->ex_desc);
   pad(out, at, 15);
   if (w->desc_reg)
      hd_blob_printf(out, "a0.0");
   else
      hd_blob_printf(out, "0x%08" PRIX32, w->desc);
}

static void
print_operands(const hd_gen9_word *w, uint64_t address, hd_blob *out)
{
   const unsigned shape = hd_gen9_info_of(w)->shape, num = hd_gen9_num_sources(shape);
   size_t at = out->size;

   if (num) {
      print_dst(w, out);
      for (unsigned n = 0; n < num; n++) {
         pad(out, at, n ? OPERAND_WIDTH : OPERAND_WIDTH - 3);
         at = out->size;
         print_src(w, n, num == 3, out);
      }
      return;
   }
   switch ((hd_gen9_class)shape) {
   case HD_GEN9_CLASS_BRANCH2:
   case HD_GEN9_CLASS_DIVERGE2:
      print_target(w->jip, address, out);
      pad(out, at, 21);
      print_target(w->uip, address, out);
      break;
   case HD_GEN9_CLASS_BRANCH:
   case HD_GEN9_CLASS_DIVERGE:
      print_target(w->jip, address, out);
      break;
   case HD_GEN9_CLASS_JUMP:
      print_target(w->jip, address + HD_GEN9_INST_BYTES, out);
      break;
   case HD_GEN9_CLASS_CALL:
      print_register(&w->dst, 4, true, out);
      pad(out, at, OPERAND_WIDTH);
      print_target(w->jip, address, out);
      break;
   case HD_GEN9_CLASS_RET:
      print_register(&w->src[0], 4, true, out);
      break;
   case HD_GEN9_CLASS_SEND:
   case HD_GEN9_CLASS_SENDS:
      print_send(w, shape == HD_GEN9_CLASS_SENDS, out);
      break;
   case HD_GEN9_CLASS_WAIT:
      print_register(&w->dst, 4, true, out);
      hd_blob_printf(out, "<0;1,0>:ud");
      break;
   default:
      break;
   }
}

static void
print_options(const hd_gen9_word *w, hd_blob *out)
{
   const hd_gen9_op_info *info = hd_gen9_info_of(w);
   const bool message = (info->mach.flags & HD_GEN9_MESSAGE) != 0;
   const bool branch = info->shape >= HD_GEN9_CLASS_BRANCH && info->shape <= HD_GEN9_CLASS_RET;
   const struct {
      bool has;
      const char *name;
   } options[] = {
      { w->option && !message && !branch, "AccWrEn" },
      { w->thread == HD_GEN9_THREAD_ATOMIC, "Atomic" },
      { w->breakpoint, "Breakpoint" },
      { w->compacted, "Compacted" },
      { message && (w->ex_desc & 0x20), "EOT" },
      { w->no_dd_chk, "NoDDChk" },
      { w->no_dd_clr, "NoDDClr" },
      { w->option && message, "NoSrcDepSet" },
      { w->thread == HD_GEN9_THREAD_SWITCH, "Switch" },
   };
   const char *before = " {";

   for (size_t n = 0; n < sizeof(options) / sizeof(options[0]); n++) {
      if (options[n].has) {
         hd_blob_printf(out, "%s%s", before, options[n].name);
         before = ",";
      }
   }
   if (*before == ',')
      hd_blob_printf(out, "}");
}

void
hd_gen9_print(const hd_gen9_word *w, uint64_t address, hd_blob *out)
{
   const hd_gen9_op_info *info = hd_gen9_info_of(w);
   size_t at = out->size;

   print_predicate(w, out);
   pad(out, at, PREDICATE_WIDTH);
   at = out->size;
   hd_blob_printf(out, "%s%s", info->name,
                  w->option && (info->mach.flags & HD_GEN9_CONTROL) ? ".b" : "");
   if (info->shape == HD_GEN9_CLASS_PLAIN)
      return;
   if (info->shape != HD_GEN9_CLASS_JUMP && info->shape != HD_GEN9_CLASS_WAIT)
      hd_blob_printf(out, " (%u|M%u)", 1u << w->exec, 4u * w->chan);
   if (w->cond) {
      pad(out, at, CONDITION_COLUMN);
      hd_blob_printf(out, "(%s)", hd_gen9_condition_names[w->cond]);
      print_flag(w->flag, out);
   }
   pad(out, at, OPERAND_COLUMN);
   print_operands(w, address, out);
   print_options(w, out);
}

unsigned
hd_gen9_targets(const hd_gen9_word *w, uint64_t address, uint64_t to[2])
{
   const hd_gen9_class shape = (hd_gen9_class)hd_gen9_info_of(w)->shape;
   const uint64_t from = address + (shape == HD_GEN9_CLASS_JUMP ? HD_GEN9_INST_BYTES : 0);

   to[0] = from + (uint64_t)(int64_t)w->jip;
   to[1] = from + (uint64_t)(int64_t)w->uip;
   if (shape == HD_GEN9_CLASS_BRANCH2 || shape == HD_GEN9_CLASS_DIVERGE2)
      return 2;
   return shape >= HD_GEN9_CLASS_BRANCH && shape <= HD_GEN9_CLASS_CALL;
}

static const char *
look(const unsigned char *bytes, size_t size, uint64_t address, hd_mach_listed *listed)
{
   hd_gen9_word w;
   const char *why = hd_gen9_decode(bytes, size, &w, &listed->length);

   listed->num_targets = why ? 0 : hd_gen9_targets(&w, address, listed->to);
   return why;
}

static void
print(const unsigned char *bytes, size_t size, uint64_t address, hd_blob *text)
{
   hd_gen9_word w;
   unsigned length;

   if (!hd_gen9_decode(bytes, size, &w, &length))
      hd_gen9_print(&w, address, text);
}

const hd_mach_listing hd_gen9_listing = { .unit = HD_GEN9_SHORT_BYTES,
                                          .directive = ".quad",
                                          .comment = " // ",
                                          .look = look,
                                          .print = print };
