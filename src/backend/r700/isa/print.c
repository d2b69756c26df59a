/* SPDX-License-Identifier: MIT */
/* print.c - the instruction printer: operands, then the fields that are not 0. */
#include <inttypes.h>

#include "backend/r700/isa/isa.h"

typedef struct printer {
   const hd_r700_inst *inst;
   hd_blob *out;
   bool told[HD_R700_NUM_FIELDS]; /* in the operands */
} printer;

static uint32_t
get(printer *p, unsigned field)
{
   p->told[field] = true;
   return p->inst->f[field];
}

static void
print_gpr(printer *p, unsigned gpr, bool relative)
{
   hd_blob_printf(p->out, relative ? "T[%u+AR]" : "T%u", gpr);
}

/* A source of an ALU instruction. */
static void
print_source(printer *p, unsigned n)
{
   static const uint8_t fields[3][5] = {
      { HD_R700_F_SRC0_SEL, HD_R700_F_SRC0_REL, HD_R700_F_SRC0_CHAN, HD_R700_F_SRC0_NEG,
        HD_R700_F_SRC0_ABS },
      { HD_R700_F_SRC1_SEL, HD_R700_F_SRC1_REL, HD_R700_F_SRC1_CHAN, HD_R700_F_SRC1_NEG,
        HD_R700_F_SRC1_ABS },
      { HD_R700_F_SRC2_SEL, HD_R700_F_SRC2_REL, HD_R700_F_SRC2_CHAN, HD_R700_F_SRC2_NEG,
        HD_R700_NUM_FIELDS },
   };
   const unsigned sel = get(p, fields[n][0]), chan = get(p, fields[n][2]);
   const bool relative = get(p, fields[n][1]), negated = get(p, fields[n][3]);
   const bool magnitude = n < 2 && get(p, fields[n][4]);
   bool with_channel = true;

   hd_blob_printf(p->out, "%s%s", negated ? "-" : "", magnitude ? "|" : "");
   if (sel < HD_R700_SRC_KC0) {
      print_gpr(p, sel, relative);
   } else if (sel < HD_R700_SRC_KC0 + 64) {
      hd_blob_printf(p->out, relative ? "KC%u[%u+AR]" : "KC%u[%u]", (sel - HD_R700_SRC_KC0) / 32,
                     sel % 32);
   } else if (sel >= HD_R700_SRC_C0) {
      hd_blob_printf(p->out, relative ? "C[%u+AR]" : "C%u", sel - HD_R700_SRC_C0);
   } else {
      with_channel = chan || sel == HD_R700_SRC_LITERAL || sel == HD_R700_SRC_PV;
      hd_blob_printf(p->out, "%s%s", negated && sel == HD_R700_SRC_1 && !magnitude ? "+" : "",
                     hd_r700_source_names[sel]);
      if (relative)
         hd_blob_printf(p->out, "[AR]");
   }
   if (with_channel)
      hd_blob_printf(p->out, ".%c", (sel == HD_R700_SRC_LITERAL ? "xyzw" : "XYZW")[chan]);
   hd_blob_printf(p->out, "%s", magnitude ? "|" : "");
}

static void
print_alu(printer *p)
{
   const hd_r700_op_info *info = &hd_r700_op_infos[p->inst->op];
   const bool three = info->layout == HD_R700_LAYOUT_OP3;

   hd_blob_printf(p->out, "%s ", get(p, HD_R700_F_LAST) ? " *" : "");
   print_gpr(p, get(p, HD_R700_F_DST_GPR), get(p, HD_R700_F_DST_REL));
   hd_blob_printf(p->out, ".%c", "XYZW"[get(p, HD_R700_F_DST_CHAN)]);
   if (!three && !get(p, HD_R700_F_WRITE_MASK))
      hd_blob_printf(p->out, " (MASKED)");
   for (unsigned n = 0; n < info->srcs; n++) {
      hd_blob_printf(p->out, ", ");
      print_source(p, n);
   }
   const unsigned pred = get(p, HD_R700_F_PRED_SEL), swizzle = get(p, HD_R700_F_BANK_SWIZZLE);
   if (pred)
      hd_blob_printf(p->out, " %s", pred == HD_R700_PRED_ONE ? "Pred_sel_one" : "Pred_sel_zero");
   if (swizzle)
      hd_blob_printf(p->out, " BS:%s", hd_r700_swizzles[swizzle]);
}

/* Four channels side by side. */
static void
print_channels(printer *p, unsigned first)
{
   hd_blob_printf(p->out, ".");
   for (unsigned n = 0; n < 4; n++)
      hd_blob_printf(p->out, "%c", "XYZW01?_"[get(p, first + n)]);
}

static void
print_fetch(printer *p)
{
   const unsigned layout = hd_r700_op_infos[p->inst->op].layout;

   hd_blob_printf(p->out, " ");
   if (layout == HD_R700_LAYOUT_VTX_SEM)
      hd_blob_printf(p->out, "S%u", get(p, HD_R700_F_SEMANTIC_ID));
   else
      print_gpr(p, get(p, HD_R700_F_DST_GPR), get(p, HD_R700_F_DST_REL));
   print_channels(p, HD_R700_F_DST_SEL_X);
   hd_blob_printf(p->out, ", ");
   print_gpr(p, get(p, HD_R700_F_SRC_GPR), get(p, HD_R700_F_SRC_REL));
   if (layout != HD_R700_LAYOUT_TEX)
      hd_blob_printf(p->out, ".%c", "XYZW"[get(p, HD_R700_F_SRC_SEL_X)]);
}

static void
print_export(printer *p, bool swizzled)
{
   hd_blob_printf(p->out, " ");
   print_gpr(p, get(p, HD_R700_F_RW_GPR), get(p, HD_R700_F_RW_REL));
   if (swizzled) {
      print_channels(p, HD_R700_F_SEL_X);
      return;
   }
   const unsigned mask = get(p, HD_R700_F_COMP_MASK);
   hd_blob_printf(p->out, ".");
   for (unsigned n = 0; n < 4; n++)
      hd_blob_printf(p->out, "%c", mask >> n & 1 ? "XYZW"[n] : '_');
}

/* LLVM's form of it, with no word for a range that is not locked. */
static void
print_kcache(printer *p, unsigned n)
{
   const unsigned mode = get(p, n ? HD_R700_F_KCACHE_MODE1 : HD_R700_F_KCACHE_MODE0);
   const unsigned bank = p->inst->f[n ? HD_R700_F_KCACHE_BANK1 : HD_R700_F_KCACHE_BANK0];
   const unsigned line = p->inst->f[n ? HD_R700_F_KCACHE_ADDR1 : HD_R700_F_KCACHE_ADDR0];

   if (!mode)
      return;
   get(p, n ? HD_R700_F_KCACHE_BANK1 : HD_R700_F_KCACHE_BANK0);
   get(p, n ? HD_R700_F_KCACHE_ADDR1 : HD_R700_F_KCACHE_ADDR0);
   hd_blob_printf(p->out, ", KC%u[CB%u:%u:%u]", n, bank, line, mode);
}

static void
print_cf(printer *p)
{
   const hd_r700_op_info *info = &hd_r700_op_infos[p->inst->op];

   if (info->layout == HD_R700_LAYOUT_CF_ALU) {
      hd_blob_printf(p->out, " %u, @%u", get(p, HD_R700_F_COUNT), get(p, HD_R700_F_ADDR));
      print_kcache(p, 0);
      print_kcache(p, 1);
   } else if (info->mach.flags & HD_R700_CLAUSE) {
      const unsigned high = get(p, HD_R700_F_COUNT_3);
      hd_blob_printf(p->out, " %u, @%u", get(p, HD_R700_F_COUNT) + 8 * high,
                     get(p, HD_R700_F_ADDR));
   } else if (info->mach.flags & HD_R700_JUMPS) {
      hd_blob_printf(p->out, " @%u", get(p, HD_R700_F_ADDR));
   }
   if (!get(p, HD_R700_F_BARRIER))
      hd_blob_printf(p->out, " NO_BARRIER");
}

void
hd_r700_print(const hd_r700_inst *inst, hd_blob *out)
{
   const hd_r700_op_info *info = &hd_r700_op_infos[inst->op];
   const hd_r700_layout_info *layout = hd_r700_layout_of(inst);
   printer p = { .inst = inst, .out = out };

   p.told[HD_R700_F_INST] = p.told[HD_R700_F_MEM_OP] = true;
   if (info->layout == HD_R700_LAYOUT_LITERAL) {
      hd_blob_printf(out, ".literal 0x%" PRIx32 ", 0x%" PRIx32, inst->f[HD_R700_F_LITERAL_X],
                     inst->f[HD_R700_F_LITERAL_Y]);
      return;
   }
   hd_blob_printf(out, "%s", info->name);
   switch (info->layout) {
   case HD_R700_LAYOUT_OP2:
   case HD_R700_LAYOUT_OP3:
      print_alu(&p);
      break;
   case HD_R700_LAYOUT_CF:
   case HD_R700_LAYOUT_CF_ALU:
      print_cf(&p);
      break;
   case HD_R700_LAYOUT_EXPORT:
   case HD_R700_LAYOUT_MEM:
      print_export(&p, info->layout == HD_R700_LAYOUT_EXPORT);
      if (!get(&p, HD_R700_F_BARRIER))
         hd_blob_printf(out, " NO_BARRIER");
      break;
   default:
      print_fetch(&p);
      break;
   }
   for (unsigned n = 0; n < layout->num_fields; n++) {
      const hd_r700_field_info *f = &layout->fields[n];
      if (p.told[f->field] || !inst->f[f->field])
         continue;
      hd_blob_printf(out, " %s", hd_r700_field_names[f->field]);
      if (f->width > 1)
         hd_blob_printf(out, ":%" PRIu32, inst->f[f->field]);
   }
}

static void
print_long(uint64_t word, hd_blob *out)
{
   hd_blob_printf(out, ".long 0x%08" PRIx32 ", 0x%08" PRIx32, (uint32_t)word,
                  (uint32_t)(word >> 32));
}

void
hd_r700_print_place(const uint64_t *words, const hd_r700_place *place, hd_blob *out)
{
   const bool known = place->kind && !place->error;
   hd_r700_inst inst;

   if (!known)
      print_long(words[0], out);
   else if (place->literal)
      hd_blob_printf(out, ".literal 0x%" PRIx32 ", 0x%" PRIx32, (uint32_t)words[0],
                     (uint32_t)(words[0] >> 32));
   else if (!hd_r700_decode((hd_r700_kind)(place->kind - 1), words, &inst))
      hd_r700_print(&inst, out);
   /* What is wrong with a fetch is of both words. */
   if (!known && place->kind == HD_R700_FETCH_WORDS + 1) {
      hd_blob_printf(out, "\n  ");
      print_long(words[1], out);
   }
}
