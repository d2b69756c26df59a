/* SPDX-License-Identifier: MIT */
/* layout.h - layout and encoding: interface of layout.c (registers, flags, control flow) and messages.c
 * (send messages, address registers).
 */
#ifndef HEDDLE_BACKEND_GEN9_LAYOUT_H
#define HEDDLE_BACKEND_GEN9_LAYOUT_H

#include "backend/gen9/program.h"
#include "machine/observe.h"

/* Of 16 lanes: both halves by one instruction, or only the first or the second one. */
enum { HD_GEN9_WHOLE = 2 };

typedef struct hd_gen9_entry {
   hd_gen9_word word;
   hd_mach_block *jip, *uip; /* where it goes; NULL: as it is, of a jump over one instruction */
   const hd_mach_inst *inst; /* what it comes from */
   const hd_mach_block *block;
} hd_gen9_entry;

typedef struct hd_gen9_layout {
   hd_mach_program *p;
   const hd_gen9_width *width;
   unsigned half; /* that words are for: HD_GEN9_WHOLE, or 0 or 1 */
   hd_gen9_entry *words;
   uint32_t num, capacity;
   const hd_mach_block *block; /* that is being written, and which instruction of it */
   const hd_mach_inst *inst;
   uint32_t *begin;   /* by index of a block: its first word */
   uint32_t *control; /* and its `else`, `endif` or `while`, or the first word */
   unsigned flag_of;  /* the register whose boolean is in the flag; HD_MACH_NO_REG: none */
   bool flag_inverse; /* the flag has where it is false */
   bool flag_single;  /* in its first bit alone */
   bool numbers;      /* lanes have block numbers; */
   bool lanes_end;    /* some before others */
   bool masked;       /* instructions have the predicate HD_GEN9_FLAG_ACTIVE */
} hd_gen9_layout;

/* Which channels a word is for: of the half, those of active lanes or all; or one, whichever lanes are active. */
typedef enum hd_gen9_channels { HD_GEN9_ACTIVE, HD_GEN9_ALL, HD_GEN9_ONE } hd_gen9_channels;

/* words.c: append a word, to be filled in; */
hd_gen9_word *hd_gen9_append_word(hd_gen9_layout *l, hd_gen9_channels channels, unsigned op);
/* one with a source; with another one behind it that is a constant of its type; a move of a constant. */
hd_gen9_word *hd_gen9_write(hd_gen9_layout *l, hd_gen9_channels channels, unsigned op,
                            hd_gen9_operand dst, hd_gen9_operand src);
hd_gen9_word *hd_gen9_write_imm(hd_gen9_layout *l, hd_gen9_channels channels, unsigned op,
                                hd_gen9_operand dst, hd_gen9_operand src, uint32_t imm);
hd_gen9_word *hd_gen9_write_constant(hd_gen9_layout *l, hd_gen9_channels channels,
                                     hd_gen9_operand dst, unsigned type, uint32_t imm);
/* What writes this: a word of the active lanes, or of one channel. Its destination is filled in. */
hd_gen9_word *hd_gen9_append_result(hd_gen9_layout *l, unsigned op, const hd_mach_operand *def,
                                    unsigned type);
hd_gen9_operand hd_gen9_result_operand(const hd_gen9_layout *l, const hd_mach_operand *def,
                                       unsigned type);
/* A register, a scalar or a constant; all of an instruction, by its form. */
void hd_gen9_put_source(const hd_gen9_layout *l, hd_gen9_word *w, unsigned n,
                        const hd_mach_operand *o, unsigned type);
void hd_gen9_put_sources(const hd_gen9_layout *l, hd_gen9_word *w, const hd_mach_inst *inst);

/* Operands: a dword of each lane, a scalar that all read, an architecture register. */

static inline hd_gen9_operand
hd_gen9_grf_operand(unsigned reg, unsigned type)
{
   return (hd_gen9_operand){ .file = HD_GEN9_GRF,
                             .type = (uint8_t)type,
                             .reg = (uint8_t)reg,
                             .vstride = 4,
                             .width = 3,
                             .hstride = 1 };
}

static inline hd_gen9_operand
hd_gen9_dst_operand(unsigned reg, unsigned type)
{
   return (hd_gen9_operand){
      .file = HD_GEN9_GRF, .type = (uint8_t)type, .reg = (uint8_t)reg, .hstride = 1
   };
}

static inline hd_gen9_operand
hd_gen9_scalar_operand(unsigned reg, unsigned byte, unsigned type)
{
   return (hd_gen9_operand){
      .file = HD_GEN9_GRF, .type = (uint8_t)type, .reg = (uint8_t)reg, .subreg = (uint8_t)byte
   };
}

static inline hd_gen9_operand
hd_gen9_arf_operand(unsigned reg, unsigned type)
{
   return (hd_gen9_operand){ .file = HD_GEN9_ARF, .type = (uint8_t)type, .reg = (uint8_t)reg };
}

static inline hd_gen9_operand
hd_gen9_arf_dst_operand(unsigned reg, unsigned type)
{
   hd_gen9_operand o = hd_gen9_arf_operand(reg, type);

   o.hstride = 1;
   return o;
}

static inline hd_gen9_operand
hd_gen9_imm_operand(unsigned type)
{
   return (hd_gen9_operand){ .file = HD_GEN9_IMM, .type = (uint8_t)type };
}

/* Every second or fourth element of a smaller type: the low bits of dwords. */
static inline hd_gen9_operand
hd_gen9_low_operand(unsigned reg, unsigned type)
{
   hd_gen9_operand o = hd_gen9_grf_operand(reg, type);

   if (hd_gen9_type_infos[type].size < 4) {
      const bool byte = hd_gen9_type_infos[type].size == 1;
      o.vstride = byte ? 6 : 5;
      o.hstride = byte ? 3 : 2;
   }
   return o;
}

/* Three sources have no regions: each lane reads its own element, or all one. */
static inline void
hd_gen9_drop_region(hd_gen9_operand *o, bool one)
{
   o->vstride = o->width = o->hstride = 0;
   o->rep = one;
}

static inline unsigned
hd_gen9_grf_of(const hd_gen9_layout *l, const hd_mach_operand *o)
{
   return hd_gen9_grf_number(l->width, o->reg) + (l->half == 1);
}

/* One dword, or what begins there. */
static inline hd_gen9_operand
hd_gen9_single_operand(const hd_mach_operand *o, unsigned type)
{
   const bool given = o->reg >= HD_GEN9_PAYLOAD;
   const unsigned dword = given ? o->reg - (unsigned)HD_GEN9_PAYLOAD
                                : HD_GEN9_GRF_UNIFORM * HD_GEN9_GRF_DWORDS + o->reg;

   return hd_gen9_scalar_operand(dword / HD_GEN9_GRF_DWORDS, dword % HD_GEN9_GRF_DWORDS * 4, type);
}

static inline unsigned
hd_gen9_def_reg(const hd_gen9_layout *l, const hd_mach_inst *inst)
{
   return hd_gen9_grf_of(l, hd_mach_def(inst, 0));
}

static inline unsigned
hd_gen9_src_reg(const hd_gen9_layout *l, const hd_mach_inst *inst, unsigned n)
{
   return hd_gen9_grf_of(l, hd_mach_src(inst, n));
}

/* number_ops.c: the operand whose first part is `part`; if it is not read where it is, it is moved to registers from `reg` on.
 * The result in `temp` to where its parts are, or its upper one. p_float, p_convert, p_high.
 */
hd_gen9_operand hd_gen9_join(hd_gen9_layout *l, unsigned reg, const hd_mach_operand *part,
                             unsigned type, bool three, bool single);
void hd_gen9_take_apart(hd_gen9_layout *l, const hd_mach_inst *inst, unsigned type, bool high);
void hd_gen9_write_number_op(hd_gen9_layout *l, const hd_mach_inst *inst);

/* flags.c: a compare of the active lanes alone, or of one channel; f0.0 is where the boolean is true, or
 * false, of each lane or in its first bit.
 */
hd_gen9_word *hd_gen9_append_compare(hd_gen9_layout *l, unsigned condition, bool single);
void hd_gen9_need_flag(hd_gen9_layout *l, const hd_mach_operand *boolean, bool inverse,
                       bool single);
/* The thread jumps if the flag says so: a bit, or by a predicate of all lanes. */
void hd_gen9_write_jump(hd_gen9_layout *l, unsigned flag, unsigned pred, bool inverse,
                        hd_mach_block *target);

/* block_numbers.c: at the start of the thread, and of a block in code order; the word, a selection,
 * writes the active lanes alone.
 */
enum { HD_GEN9_FLAG_ACTIVE = 2 }; /* f1.0 */
void hd_gen9_begin_numbers(hd_gen9_layout *l);
void hd_gen9_begin_numbered_block(hd_gen9_layout *l, const hd_mach_block *block);
void hd_gen9_write_selected(hd_gen9_layout *l, hd_gen9_word *w);
/* Words from `first` on that are for the active lanes get the predicate. */
void hd_gen9_mask_words(hd_gen9_layout *l, uint32_t first);
/* False: the instruction is none of this lowering's. */
bool hd_gen9_write_number(hd_gen9_layout *l, const hd_mach_inst *inst);

/* messages.c: one instruction each. */
void hd_gen9_write_first(hd_gen9_layout *l, const hd_mach_inst *inst);
void hd_gen9_write_shuffle(hd_gen9_layout *l, const hd_mach_inst *inst);
void hd_gen9_write_access(hd_gen9_layout *l, const hd_mach_inst *inst);
void hd_gen9_write_slot(hd_gen9_layout *l, const hd_mach_inst *inst);
void hd_gen9_write_barrier(hd_gen9_layout *l);
void hd_gen9_write_end(hd_gen9_layout *l);

#endif
