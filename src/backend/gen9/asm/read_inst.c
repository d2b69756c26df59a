/* SPDX-License-Identifier: MIT */
/* read_inst.c - parser of an instruction: predicate, name, channels, condition, operands, options. */
#include "backend/gen9/asm/reader.h"

#include <string.h>

/* f0.0 */
static bool
read_flag(hd_mach_assembler *r, uint8_t *flag)
{
   uint64_t reg, part;

   if (!hd_mach_line_accept(r, "f") || !hd_mach_line_number(r, 1, &reg) ||
       !hd_mach_line_accept(r, ".") || !hd_mach_line_number(r, 1, &part))
      return hd_mach_line_fail(r, "expected a flag: f0.0, f0.1, f1.0 or f1.1");
   *flag = (uint8_t)(2 * reg + part);
   return true;
}

/* (W&~f0.0.any8h), after the parenthesis */
static bool
read_predicate(hd_mach_assembler *r, hd_gen9_word *w)
{
   w->mask_off = hd_mach_line_accept(r, "W");
   if (w->mask_off && hd_mach_line_accept(r, ")"))
      return true;
   if (w->mask_off && !hd_mach_line_expect(r, "&"))
      return false;
   w->pred_inv = hd_mach_line_accept(r, "~");
   w->pred = 1;
   if (!read_flag(r, &w->flag))
      return false;
   if (hd_mach_line_accept(r, ".")) {
      const hd_mach_word name = hd_mach_line_name(r);
      w->pred = 2;
      while (w->pred < 16 && !(hd_gen9_predicate_names[w->pred] &&
                               hd_mach_word_is(name, hd_gen9_predicate_names[w->pred])))
         w->pred++;
      if (w->pred == 16) {
         r->at = name.start;
         return hd_mach_line_fail(
             r,
             "expected a predicate: any2h to any32h, all2h to all32h, anyv, allv, or x, y, z, w of align16");
      }
   }
   return hd_mach_line_expect(r, ")");
}

/* (8|M0) */
static bool
read_channels(hd_mach_assembler *r, hd_gen9_word *w)
{
   uint64_t number;

   if (!hd_mach_line_expect(r, "("))
      return false;
   if (!hd_mach_line_number(r, 32, &number) || !number || (number & (number - 1)))
      return hd_mach_line_fail(r, "expected how many channels: a power of two up to 32");
   while (number > 1u << w->exec)
      w->exec++;
   if (!hd_mach_line_expect(r, "|") || !hd_mach_line_expect(r, "M"))
      return false;
   if (!hd_mach_line_number(r, 28, &number) || number % 4)
      return hd_mach_line_fail(r, "expected the first channel: a multiple of 4 up to 28");
   w->chan = (uint8_t)(number / 4);
   return hd_mach_line_expect(r, ")");
}

/* (gt)f0.0, if there is one */
static bool
read_condition(hd_mach_assembler *r, hd_gen9_word *w)
{
   const char *before = r->at;
   uint8_t flag;

   if (!hd_mach_line_accept(r, "("))
      return true;
   const hd_mach_word name = hd_mach_line_name(r);
   for (w->cond = 1; w->cond < 16; w->cond++) {
      if (hd_gen9_condition_names[w->cond] &&
          hd_mach_word_is(name, hd_gen9_condition_names[w->cond]))
         break;
   }
   if (w->cond == 16) { /* (sat), (abs) */
      w->cond = 0;
      r->at = before;
      return true;
   }
   if (!hd_mach_line_expect(r, ")") || !read_flag(r, &flag))
      return false;
   if (w->pred && flag != w->flag)
      return hd_mach_line_fail(r, "expected the flag of the predicate, f%u.%u, found another one",
                               w->flag / 2u, w->flag % 2u);
   w->flag = flag;
   return true;
}

/* Where a branch goes: a label, or a distance in bytes. */
static bool
read_target(hd_mach_assembler *r, uint64_t address, int32_t *distance)
{
   uint64_t number;
   int64_t value;

   hd_mach_line_skip_blanks(r);
   const bool minus = hd_mach_line_accept(r, "-");
   if (minus || (r->at < r->end && *r->at >= '0' && *r->at <= '9')) {
      if (!hd_mach_line_number(r, INT32_MAX, &number))
         return hd_mach_line_fail(r, "expected a distance in bytes");
      value = minus ? -(int64_t)number : (int64_t)number;
   } else {
      const hd_mach_word name = hd_mach_line_name(r);
      if (!name.length)
         return hd_mach_line_fail(r, "expected a label or a distance in bytes");
      if (!hd_mach_assembler_find(r, name, &number)) {
         r->at = name.start;
         return hd_mach_line_fail(r, "there is no label '%.*s'",
                                  name.length < 40 ? (int)name.length : 40, name.start);
      }
      value = (int64_t)(number - address);
   }
   if (value != (int32_t)value)
      return hd_mach_line_fail(r, "the label is too far: expected a distance of 32 bits");
   *distance = (int32_t)value;
   return true;
}

static bool
read_message_register(hd_mach_assembler *r, hd_gen9_operand *o, bool typed)
{
   if (!hd_gen9_read_register(r, o))
      return false;
   if (!typed || r->at == r->end || *r->at != ':')
      return true;
   return hd_gen9_read_type(r, &o->type);
}

static bool
read_send(hd_mach_assembler *r, hd_gen9_word *w, bool split)
{
   uint64_t number;

   if (!read_message_register(r, &w->dst, true) || !read_message_register(r, &w->src[0], !split) ||
       (split && !read_message_register(r, &w->src[1], false)))
      return false;
   if (split && hd_mach_line_accept(r, "a0.")) {
      w->ex_desc_reg = 1;
      if (!hd_mach_line_number(r, 15, &number))
         return hd_mach_line_fail(r, "expected an address register from 0 to 15");
   } else if (!hd_mach_line_number(r, UINT32_MAX, &number)) {
      return hd_mach_line_fail(r, "expected the extended descriptor");
   }
   w->ex_desc = (uint32_t)number;
   if (hd_mach_line_accept(r, "a0.0")) {
      w->desc_reg = 1;
      return true;
   }
   if (!hd_mach_line_number(r, INT32_MAX, &number))
      return hd_mach_line_fail(r, "expected a descriptor of 31 bits");
   w->desc = (uint32_t)number;
   return true;
}

static bool
read_operands(hd_mach_assembler *r, uint64_t address, hd_gen9_word *w)
{
   const unsigned shape = hd_gen9_info_of(w)->shape, num = hd_gen9_num_sources(shape);

   if (num) {
      if (!hd_gen9_read_dst(r, w, num == 3))
         return false;
      for (unsigned n = 0; n < num; n++) {
         if (!hd_gen9_read_src(r, w, n, num == 3))
            return false;
      }
      return true;
   }
   switch ((hd_gen9_class)shape) {
   case HD_GEN9_CLASS_BRANCH2:
   case HD_GEN9_CLASS_DIVERGE2:
      return read_target(r, address, &w->jip) && read_target(r, address, &w->uip);
   case HD_GEN9_CLASS_BRANCH:
   case HD_GEN9_CLASS_DIVERGE:
      return read_target(r, address, &w->jip);
   case HD_GEN9_CLASS_JUMP:
      return read_target(r, address + HD_GEN9_INST_BYTES, &w->jip);
   case HD_GEN9_CLASS_CALL:
   case HD_GEN9_CLASS_RET: {
      hd_gen9_operand *o = shape == HD_GEN9_CLASS_CALL ? &w->dst : &w->src[0];
      if (!hd_gen9_read_register(r, o))
         return false;
      hd_gen9_scale_subreg(o);
      return shape == HD_GEN9_CLASS_RET || read_target(r, address, &w->jip);
   }
   case HD_GEN9_CLASS_SEND:
   case HD_GEN9_CLASS_SENDS:
      return read_send(r, w, shape == HD_GEN9_CLASS_SENDS);
   case HD_GEN9_CLASS_WAIT:
      if (!hd_gen9_read_register(r, &w->dst))
         return false;
      hd_gen9_scale_subreg(&w->dst);
      hd_mach_line_accept(r, "<0;1,0>");
      return hd_mach_line_expect(r, ":ud");
   default:
      return true;
   }
}

static bool
set_option(hd_gen9_word *w, hd_mach_word name)
{
   const uint32_t flags = hd_gen9_info_of(w)->mach.flags;
   const struct {
      const char *name;
      uint8_t *member;
      uint8_t value;
   } options[] = {
      { "AccWrEn", flags & (HD_GEN9_MESSAGE | HD_MACH_BRANCHES) ? NULL : &w->option, 1 },
      { "Atomic", &w->thread, HD_GEN9_THREAD_ATOMIC },
      { "Breakpoint", &w->breakpoint, 1 },
      { "Compacted", &w->compacted, 1 },
      { "NoDDChk", &w->no_dd_chk, 1 },
      { "NoDDClr", &w->no_dd_clr, 1 },
      { "NoSrcDepSet", flags & HD_GEN9_MESSAGE ? &w->option : NULL, 1 },
      { "Switch", &w->thread, HD_GEN9_THREAD_SWITCH },
   };

   for (size_t n = 0; n < sizeof(options) / sizeof(options[0]); n++) {
      if (options[n].member && hd_mach_word_is(name, options[n].name)) {
         *options[n].member = options[n].value;
         return true;
      }
   }
   /* The extended descriptor has it already. */
   if (hd_mach_word_is(name, "EOT") && flags & HD_GEN9_MESSAGE) {
      w->ex_desc |= 0x20;
      return true;
   }
   return false;
}

static bool
read_options(hd_mach_assembler *r, hd_gen9_word *w)
{
   if (!hd_mach_line_accept(r, "{"))
      return true;
   do {
      const hd_mach_word name = hd_mach_line_name(r);
      if (!set_option(w, name)) {
         r->at = name.start;
         return hd_mach_line_fail(r, "the instruction has no option '%.*s'",
                                  name.length < 40 ? (int)name.length : 40, name.start);
      }
   } while (hd_mach_line_accept(r, ","));
   return hd_mach_line_expect(r, "}");
}

/* The row of a name and what stands after its point: a function, or the branch control. */
static bool
find_op(hd_mach_assembler *r, hd_gen9_word *w)
{
   hd_mach_word name = hd_mach_line_name(r);

   if (!name.length)
      return hd_mach_line_fail(r, "expected an instruction");
   if (r->at < r->end && *r->at == '.') {
      r->at++;
      hd_mach_line_name(r);
      name.length = (size_t)(r->at - name.start);
   }
   for (unsigned op = HD_GEN9_FIRST_OP; op < HD_GEN9_NUM_OPS; op++) {
      const hd_gen9_op_info *info = &hd_gen9_op_infos[op];
      const size_t length = strlen(info->name);
      const bool control = info->mach.flags & HD_GEN9_CONTROL && name.length == length + 2 &&
                           !memcmp(name.start + length, ".b", 2);
      if ((name.length == length || control) && !memcmp(name.start, info->name, length)) {
         w->op = (uint16_t)op;
         w->option = control;
         return true;
      }
   }
   r->at = name.start;
   return hd_mach_line_fail(r, "there is no instruction '%.*s'",
                            name.length < 40 ? (int)name.length : 40, name.start);
}

bool
hd_gen9_read_inst(hd_mach_assembler *r, uint64_t address, hd_gen9_word *w)
{
   memset(w, 0, sizeof(*w));
   if (hd_mach_line_accept(r, "(") && !read_predicate(r, w))
      return false;
   if (!find_op(r, w))
      return false;
   const unsigned shape = hd_gen9_info_of(w)->shape;
   if (shape == HD_GEN9_CLASS_JUMP)
      w->mask_off = 1;
   else if (shape != HD_GEN9_CLASS_PLAIN && shape != HD_GEN9_CLASS_WAIT && !read_channels(r, w))
      return false;
   if (!read_condition(r, w) || !read_operands(r, address, w) || !read_options(r, w))
      return false;
   return hd_mach_line_at_end(r) || hd_mach_line_fail(r, "expected the end of the line");
}
