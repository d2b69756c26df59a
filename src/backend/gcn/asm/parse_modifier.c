/* SPDX-License-Identifier: MIT */
/* parse_modifier.c - parser of the modifiers after the operands: offsets, flags, SDWA and DPP. */
#include "backend/gcn/asm/parse.h"
#include "backend/gcn/isa/names.h"

#include <string.h>

typedef struct context {
   hd_gcn_reader *r;
   hd_mach_inst *inst;
   hd_gcn_modifiers *m;
   hd_mach_word name;
} context;

static bool
read_colon(context *c)
{
   return hd_mach_expect(&c->r->c, ':');
}

/* "[0,1,1]", each from 0 to `high`. */
static bool
read_list(context *c, unsigned most, int64_t high, unsigned bits, unsigned *value, unsigned *num)
{
   *value = *num = 0;
   if (!read_colon(c) || !hd_mach_expect(&c->r->c, '['))
      return false;
   do {
      int64_t n;
      if (*num == most)
         return hd_mach_text_error(&c->r->c, c->r->c.at, 1, "too many numbers in a list");
      if (!hd_mach_read_range(&c->r->c, 0, high, &n))
         return false;
      *value |= (unsigned)n << bits * *num;
      ++*num;
   } while (hd_mach_accept(&c->r->c, ','));
   return hd_mach_expect(&c->r->c, ']');
}

static bool
read_sel(context *c, const char *const *names, unsigned count, unsigned bit, uint8_t *value)
{
   if (!read_colon(c))
      return false;
   hd_mach_word word = hd_mach_read_word(&c->r->c);
   for (unsigned n = 0; n < count; n++) {
      if (hd_mach_word_is(word, names[n])) {
         *value = (uint8_t)n;
         c->m->sdwa = true;
         c->m->sdwa_seen |= bit;
         return true;
      }
   }
   return hd_mach_text_error(&c->r->c, word.start, word.length, "expected %s, ... or %s", names[0],
                             names[count - 1]);
}

static bool
read_number(context *c, int64_t low, int64_t high, int64_t *value)
{
   return read_colon(c) && hd_mach_read_range(&c->r->c, low, high, value);
}

static bool
read_offset(context *c)
{
   hd_gcn_reader *r = c->r;
   int64_t value;

   if (!read_colon(c))
      return false;
   if (hd_mach_word_is(hd_mach_peek_word(&r->c), "swizzle")) {
      hd_mach_read_word(&r->c);
      if (!hd_mach_expect(&r->c, '(') || !hd_gcn_read_swizzle(r, &value))
         return false;
   } else if (!hd_mach_read_range(&r->c, -(1 << 20), (1 << 20) - 1, &value)) {
      return false;
   }
   c->m->offset = true;
   c->m->offset0 = (int32_t)value;
   return true;
}

static bool
read_flag(context *c, bool *found)
{
   const bool image = hd_gcn_op_info_of(c->inst)->format == HD_GCN_MIMG;

   for (const hd_gcn_flag_word *f = hd_gcn_flag_words; f->name; f++) {
      if (!hd_mach_word_is(c->name, f->name) || !(f->gens >> c->r->gen & 1) ||
          !(image ? f->image : f->other))
         continue;
      *found = true;
      if (c->inst->bits & f->bit)
         return hd_mach_text_error(&c->r->c, c->name.start, c->name.length,
                                   "the same modifier twice");
      c->inst->bits |= f->bit;
      return true;
   }
   return true;
}

/* What the immediate of an export says beside its target. */
static bool
read_export(context *c, bool *found)
{
   const unsigned bit = hd_gcn_op_info_of(c->inst)->format != HD_GCN_EXPORT ? 0
                        : hd_mach_word_is(c->name, "done")  ? (unsigned)HD_GCN_EXPORT_DONE
                        : hd_mach_word_is(c->name, "compr") ? (unsigned)HD_GCN_EXPORT_COMPR
                        : hd_mach_word_is(c->name, "vm")    ? (unsigned)HD_GCN_EXPORT_VM
                                                            : 0;

   *found = bit != 0;
   c->m->export_bits |= bit;
   return true;
}

/* dmask:0xf, format:[...] */
static bool
read_texel(context *c, bool *found)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(c->inst);
   int64_t value;

   if (info->format == HD_GCN_MIMG && hd_mach_word_is(c->name, "dmask")) {
      *found = true;
      if (!read_number(c, 0, 15, &value))
         return false;
      c->inst->imm = (int32_t)value;
   } else if (info->format == HD_GCN_MTBUF && hd_mach_word_is(c->name, "format")) {
      *found = true;
      return read_colon(c) && hd_gcn_read_formats(c->r, &c->inst->mods.bytes[HD_GCN_MOD_FORMAT]);
   }
   return true;
}

static bool
read_memory(context *c, bool *found)
{
   int64_t value;

   *found = true;
   if (hd_mach_word_is(c->name, "offset"))
      return read_offset(c);
   if (hd_mach_word_is(c->name, "offset0") || hd_mach_word_is(c->name, "offset1")) {
      if (!read_number(c, 0, 255, &value))
         return false;
      c->m->two_offsets = true;
      if (c->name.start[6] == '0')
         c->m->offset0 = (int32_t)value;
      else
         c->m->offset1 = (int32_t)value;
      return true;
   }
   *found = false;
   return true;
}

static bool
read_alu(context *c, bool *found)
{
   hd_gcn_modifiers *m = c->m;
   hd_mach_inst *inst = c->inst;
   unsigned bits;
   int64_t value;

   *found = true;
   if (hd_mach_word_is(c->name, "mul") || hd_mach_word_is(c->name, "div")) {
      bool div = c->name.start[0] == 'd';
      if (!read_number(c, div ? 2 : 1, div ? 2 : 4, &value))
         return false;
      if (value == 3 || inst->bits & HD_GCN_OMOD_MASK)
         return hd_mach_text_error(&c->r->c, c->name.start, c->name.length,
                                   "expected mul:2, mul:4 or div:2, once");
      inst->bits |= (uint16_t)((div          ? 3
                                : value == 4 ? 2
                                : value == 2 ? 1
                                             : 0)
                               << HD_GCN_OMOD_SHIFT);
      return true;
   }
   if (hd_mach_word_is(c->name, "op_sel")) {
      m->op_sel = c->name;
      if (!read_list(c, 4, 1, 1, &bits, &m->op_sel_num))
         return false;
      inst->mods.bytes[HD_GCN_MOD_OP_SEL] = (uint8_t)bits;
      return true;
   }
   if (hd_mach_word_is(c->name, "op_sel_hi")) {
      m->op_sel_hi = c->name;
      if (!read_list(c, 3, 1, 1, &bits, &m->op_sel_hi_num))
         return false;
      inst->mods.bytes[HD_GCN_MOD_OP_SEL_HI] = (uint8_t)bits;
      return true;
   }
   if (hd_mach_word_is(c->name, "neg_lo")) {
      m->neg_lo = c->name;
      return read_list(c, 3, 1, 1, &m->neg_lo_bits, &m->neg_lo_num);
   }
   if (hd_mach_word_is(c->name, "neg_hi")) {
      m->neg_hi = c->name;
      return read_list(c, 3, 1, 1, &m->neg_hi_bits, &m->neg_hi_num);
   }
   if (hd_mach_word_is(c->name, "dst_sel"))
      return read_sel(c, hd_gcn_sel_names, HD_GCN_SEL_DWORD + 1, 1,
                      &inst->mods.bytes[HD_GCN_MOD_DST_SEL]);
   if (hd_mach_word_is(c->name, "src0_sel"))
      return read_sel(c, hd_gcn_sel_names, HD_GCN_SEL_DWORD + 1, 4,
                      &inst->mods.bytes[HD_GCN_MOD_SRC_SEL]);
   if (hd_mach_word_is(c->name, "src1_sel"))
      return read_sel(c, hd_gcn_sel_names, HD_GCN_SEL_DWORD + 1, 8,
                      &inst->mods.bytes[HD_GCN_MOD_SRC_SEL + 1]);
   if (hd_mach_word_is(c->name, "dst_unused"))
      return read_sel(c, hd_gcn_unused_names, HD_GCN_PRESERVE + 1, 2,
                      &inst->mods.bytes[HD_GCN_MOD_DST_UNUSED]);
   *found = false;
   return true;
}

static bool
read_dpp(context *c, uint16_t *ctrl, int64_t masks[2], bool *found)
{
   int64_t value;
   unsigned bits, num;

   *found = true;
   if (hd_mach_word_is(c->name, "quad_perm")) {
      if (!read_list(c, 4, 3, 2, &bits, &num))
         return false;
      *ctrl = (uint16_t)bits;
      c->m->dpp = true;
      return num == 4 ||
             hd_mach_text_error(&c->r->c, c->name.start, c->name.length, "expected four lanes");
   }
   if (hd_mach_word_is(c->name, "row_mask") || hd_mach_word_is(c->name, "bank_mask")) {
      c->m->masks = true;
      return read_number(c, 0, 15, &masks[c->name.start[0] == 'b']);
   }
   if (hd_mach_word_is(c->name, "bound_ctrl")) {
      /* Both spellings mean the same. */
      if (!read_number(c, 0, 1, &value))
         return false;
      c->inst->bits |= HD_GCN_BOUND_CTRL;
      return true;
   }
   bool known = false;
   for (const hd_gcn_dpp_name *n = hd_gcn_dpp_names; n->name; n++) {
      if (!hd_mach_word_is(c->name, n->name))
         continue;
      /* row_bcast has two numbers, each its own row: the colon is read once. */
      if (n->first && !known && !read_number(c, 1, 31, &value))
         return false;
      known = true;
      if (n->first && (value < n->first || value > n->last))
         continue;
      *ctrl = (uint16_t)(n->ctrl + (n->first ? value - n->first : 0));
      c->m->dpp = true;
      return true;
   }
   *found = known;
   return !known ||
          hd_mach_text_error(&c->r->c, c->name.start, c->name.length, "no such DPP control");
}

/* "operand3:%7:s1@scc" */
static bool
read_extra(context *c, bool *found)
{
   static const char word[] = "operand";
   size_t length = sizeof(word) - 1;
   hd_gcn_text_arg arg;

   if (!c->r->values || c->name.length != length + 1 || memcmp(c->name.start, word, length) != 0 ||
       c->name.start[length] < '0' || c->name.start[length] > '9')
      return true;
   *found = true;
   unsigned n = (unsigned)(c->name.start[length] - '0');
   if (!read_colon(c) || !hd_gcn_read_arg(c->r, &arg))
      return false;
   if (arg.kind != HD_GCN_TEXT_OPERAND)
      return hd_mach_text_error(&c->r->c, arg.word.start, arg.word.length, "expected a value");
   c->m->extra_set |= 1u << n;
   c->m->extra[n] = arg.operand;
   return true;
}

bool
hd_gcn_read_modifiers(hd_gcn_reader *r, hd_mach_inst *inst, hd_gcn_modifiers *modifiers)
{
   context c = { .r = r, .inst = inst, .m = modifiers };
   int64_t masks[2] = { 15, 15 };
   uint16_t ctrl = 0;

   *modifiers = (hd_gcn_modifiers){ 0 };
   /* Bytes that are fractions, by default. */
   if (hd_gcn_op_info_of(inst)->format == HD_GCN_MTBUF)
      inst->mods.bytes[HD_GCN_MOD_FORMAT] = 1;
   while (!hd_mach_at_end(&r->c)) {
      bool found = false;
      c.name = hd_mach_read_word(&r->c);
      if (!c.name.length)
         return hd_mach_text_error(&r->c, r->c.at, 1, "expected a modifier or the end of the line");
      if (!read_flag(&c, &found) || (!found && !read_memory(&c, &found)) ||
          (!found && !read_texel(&c, &found)) || (!found && !read_export(&c, &found)) ||
          (!found && !read_alu(&c, &found)) || (!found && !read_dpp(&c, &ctrl, masks, &found)) ||
          (!found && !read_extra(&c, &found)))
         return false;
      if (!found)
         return hd_mach_text_error(&r->c, c.name.start, c.name.length, "unknown modifier");
   }
   /* They share their place in the instruction. */
   if (modifiers->dpp && modifiers->sdwa)
      return hd_mach_text_error(&r->c, c.name.start, c.name.length,
                                "SDWA and DPP exclude each other, found both");
   if (modifiers->dpp || (modifiers->masks && !modifiers->sdwa)) {
      inst->mods.halves[HD_GCN_MOD_DPP_CTRL] = ctrl;
      inst->mods.bytes[HD_GCN_MOD_ROW_MASK] = (uint8_t)masks[0];
      inst->mods.bytes[HD_GCN_MOD_BANK_MASK] = (uint8_t)masks[1];
   }
   return true;
}
