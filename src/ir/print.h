/* SPDX-License-Identifier: MIT */
/* print.h - the printer: state and interface of its files. */
#ifndef HEDDLE_IR_PRINT_H
#define HEDDLE_IR_PRINT_H

#include "ir/numbering.h"

#define PRINT_BUFFER 4096u

struct printer {
   hd_blob *out;
   const hd_shader *shader;              /* for names and locations; NULL when it is not known */
   const struct hd_numbering *numbering; /* NULL: values and blocks are named by their indices */
   hd_print_options options;
   hd_heap *heap; /* NULL where there is no numbering */

   /* The predecessors of a block in the order of their numbers, for all of its phis. */
   const hd_block *ordered;
   uint64_t *order; /* number << 32 | position among the predecessors */
   uint32_t order_capacity;

   const hd_src *mark; /* what the caller wants to find again */
   hd_text_span span;
   bool marked;

   size_t used;
   char buffer[PRINT_BUFFER]; /* what is not in `out` yet */
};

void hd_print_flush(struct printer *p);
void hd_print_bytes(struct printer *p, const char *bytes, size_t size);
void hd_print_number(struct printer *p, uint64_t value);
void hd_print_hex(struct printer *p, uint64_t value);
/* A string in quotes; what is not printable is escaped. */
void hd_print_quoted(struct printer *p, const char *string);
/* A name after its sigil: bare where the lexer would read it back, else in quotes. */
void hd_print_identifier(struct printer *p, char sigil, const char *name);

void hd_print_def(struct printer *p, const hd_def *def);
void hd_print_block(struct printer *p, const hd_block *block);
void hd_print_src(struct printer *p, const hd_src *src);
/* `:32x4` */
void hd_print_type(struct printer *p, unsigned num_components, unsigned bit_size);
/* ` "name"`, where there is one. */
void hd_print_def_name(struct printer *p, const hd_def *def);
/* ` @"file":12:3`, where there is one. */
void hd_print_location(struct printer *p, uint32_t loc);
/* An instruction without its location. */
void hd_print_one_instr(struct printer *p, const hd_instr *instr);
/* The first line of a node without its end and its location: `b3 header`, `if %2`, `loop`. */
void hd_print_node_head(struct printer *p, const hd_cf_node *node);

/* Read p->order[0 .. num_preds): see `ordered`. Allocates; unwinds. */
void hd_print_order_preds(struct printer *p, const hd_block *block);

static inline void
hd_print_char(struct printer *p, char c)
{
   if (p->used == PRINT_BUFFER)
      hd_print_flush(p);
   p->buffer[p->used++] = c;
}

#define hd_print_literal(p, s) hd_print_bytes((p), (s), sizeof(s) - 1)

static inline size_t
hd_print_position(const struct printer *p)
{
   return p->out->size + p->used;
}

#endif
