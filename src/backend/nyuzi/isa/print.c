/* SPDX-License-Identifier: MIT */
/* print.c - the instruction printer, in the syntax of the assembler. */
#include <inttypes.h>

#include "backend/nyuzi/isa/isa.h"
#include "util/bytes.h"

static void
print_target(const hd_nyuzi_word *i, uint64_t address, bool labels, hd_blob *out)
{
   const int64_t bytes = (int64_t)i->imm * 4;

   if (labels)
      hd_blob_printf(out, "L%" PRIx64, address + (uint64_t)bytes);
   else
      hd_blob_printf(out, ".%+" PRId64, bytes);
}

static void
print_memory(const hd_nyuzi_word *i, const hd_nyuzi_op_info *info, hd_blob *out)
{
   hd_blob_printf(out, "%c%u, ", info->mach.flags & HD_NYUZI_WIDE ? 'v' : 's', i->dest);
   if (hd_nyuzi_form_has_mask(i->form))
      hd_blob_printf(out, "s%u, ", i->mask);
   if (i->imm)
      hd_blob_printf(out, "%" PRId32, i->imm);
   hd_blob_printf(out, "(%c%u)", info->mach.flags & HD_NYUZI_BY_LANES ? 'v' : 's', i->src1);
}

static void
print_arithmetic(const hd_nyuzi_word *i, const hd_nyuzi_op_info *info, hd_blob *out)
{
   const bool vector = hd_nyuzi_form_is_vector(i->form);
   const bool second = i->form == HD_NYUZI_FORM_VV || i->form == HD_NYUZI_FORM_VV_MASK;

   hd_blob_printf(out, "%c%u, ", hd_nyuzi_writes_vector(i) ? 'v' : 's', i->dest);
   if (hd_nyuzi_form_has_mask(i->form))
      hd_blob_printf(out, "s%u, ", i->mask);
   if (info->shape != HD_NYUZI_SHAPE_UNARY)
      hd_blob_printf(out, "%c%u, ", vector ? 'v' : 's', i->src1);
   if (hd_nyuzi_form_has_imm(i->form))
      hd_blob_printf(out, "%" PRId32, i->imm);
   else
      hd_blob_printf(out, "%c%u", second ? 'v' : 's', i->src2);
}

void
hd_nyuzi_print(const hd_nyuzi_word *i, uint64_t address, bool labels, hd_blob *out)
{
   const hd_nyuzi_op_info *info = &hd_nyuzi_op_infos[i->op];
   const bool arithmetic = i->form <= HD_NYUZI_FORM_VI_MASK;
   uint32_t word;

   if (hd_nyuzi_encode(i, &word) && !word) {
      hd_blob_printf(out, "nop");
      return;
   }
   /* The names of memory instructions have it already. */
   hd_blob_printf(out, "%s%s%s", info->name,
                  arithmetic && hd_nyuzi_form_has_mask(i->form) ? "_mask" : "",
                  info->shape == HD_NYUZI_SHAPE_PLAIN ? "" : " ");
   switch ((hd_nyuzi_shape)info->shape) {
   case HD_NYUZI_SHAPE_PLAIN:
      break;
   case HD_NYUZI_SHAPE_HIGH:
      hd_blob_printf(out, "s%u, 0x%" PRIx32, i->dest, (uint32_t)i->imm);
      break;
   case HD_NYUZI_SHAPE_LOAD:
   case HD_NYUZI_SHAPE_STORE:
      print_memory(i, info, out);
      break;
   case HD_NYUZI_SHAPE_CONTROL:
      hd_blob_printf(out, "s%u, %" PRId32, i->dest, i->imm);
      break;
   case HD_NYUZI_SHAPE_TEST:
      hd_blob_printf(out, "s%u, ", i->dest);
      print_target(i, address, labels, out);
      break;
   case HD_NYUZI_SHAPE_BRANCH:
      print_target(i, address, labels, out);
      break;
   case HD_NYUZI_SHAPE_REGISTER:
      hd_blob_printf(out, "s%u", i->dest);
      break;
   default:
      print_arithmetic(i, info, out);
      break;
   }
}

/* A branch to outside of the code has no label. */
static bool
has_label(const hd_nyuzi_word *i, size_t size, uint64_t address, uint64_t *to)
{
   const unsigned shape = hd_nyuzi_op_infos[i->op].shape;

   *to = address + 4 * (uint64_t)(int64_t)i->imm;
   return (shape == HD_NYUZI_SHAPE_TEST || shape == HD_NYUZI_SHAPE_BRANCH) &&
          *to < address + size / 4 * 4;
}

static const char *
look(const unsigned char *bytes, size_t size, uint64_t address, hd_mach_listed *listed)
{
   hd_nyuzi_word i;

   listed->length = size < 4 ? (unsigned)size : 4;
   if (size < 4)
      return "no whole word";
   const char *why = hd_nyuzi_decode((uint32_t)get_number(bytes, 4), &i);
   listed->num_targets = !why && has_label(&i, size, address, &listed->to[0]);
   return why;
}

static void
print(const unsigned char *bytes, size_t size, uint64_t address, hd_blob *text)
{
   hd_nyuzi_word i;
   uint64_t to;

   if (!hd_nyuzi_decode((uint32_t)get_number(bytes, 4), &i))
      hd_nyuzi_print(&i, address, has_label(&i, size, address, &to), text);
}

const hd_mach_listing hd_nyuzi_listing = { .unit = 4,
                                           .directive = ".long",
                                           .comment = "  ; ",
                                           .hex_labels = true,
                                           .look = look,
                                           .print = print };
