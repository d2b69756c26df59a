/* SPDX-License-Identifier: MIT */
/* binary_write.h - writer of the binary form: its state, and encoding of numbers. */
#ifndef HEDDLE_IR_BINARY_WRITE_H
#define HEDDLE_IR_BINARY_WRITE_H

#include "ir/binary_format.h"
#include "ir/private.h"
#include "util/ptr_map.h"

struct binary_chunk {
   struct binary_chunk *next;
   size_t used;
   uint8_t data[];
};

/* Bytes that grow at the end, in chunks on the scratch stack. */
struct binary_section {
   uint8_t *next, *end;
   struct binary_chunk *first, *last;
   uint32_t count; /* of entries, written before the section */
};

enum { STRINGS, SHADER, LOCATIONS, SHAPES, FUNCTIONS, BODIES, NUM_SECTIONS };

/* A table of what was seen, to its number by order of first appearance: open addressing. */
struct binary_seen {
   uint32_t *slots; /* number + 1; 0 is empty */
   uint32_t capacity;
};

/* What instructions have in common, written once: everything but operands and constants. */
struct binary_shape {
   uint64_t key;
   uint32_t num_srcs;
};

struct binary_writer {
   hd_heap *heap;
   hd_stack *stack;
   const hd_shader *shader;
   bool meaning; /* leave out names and locations */
   struct binary_section section[NUM_SECTIONS];

   struct binary_seen seen_strings;
   const char **strings;
   uint32_t strings_capacity;
   struct binary_seen seen_shapes;
   struct binary_shape *shapes;
   uint32_t shapes_capacity;
   uint32_t *location_numbers; /* by location: its number in the file; 0 is none yet */
   hd_location last_location;  /* the one written before, for the steps of lines */
   hd_ptr_map functions;

   const hd_function *f;
   uint32_t *def_numbers; /* by index: 1 + the number in order; 0 is none yet */
   uint32_t num_defs;
   uint32_t *block_numbers; /* by index: the number in order, or LATER; see number_all_blocks */
   uint32_t num_blocks;
   uint32_t *var_numbers; /* by index: the number in order */
   uint32_t block;        /* the number of the one being written */
   uint32_t loc;          /* the last BINARY_LOC, by its number in the file */
   const hd_def **forward;
   uint32_t num_forward, forward_capacity;
   uint32_t *pred_offsets, *pred_orders; /* see order_all_preds; NULL until asked for */
};

/* The shader breaks a rule that writing presumes: say which, and unwind. */
HD_NORETURN void hd_binary_refuse(struct binary_writer *w, const char *what);

/* Go on in a new chunk. */
void hd_binary_add_chunk(struct binary_writer *w, struct binary_section *s);

/* An array on the scratch stack with twice the room. */
void *hd_binary_grow(struct binary_writer *w, const void *array, size_t element, uint32_t count,
                     uint32_t *capacity);

/* The number that a string, a location or the shape of an instruction has in the file; it is
 * entered there if it is new. Locations are numbered from 1: 0 is none.
 */
uint32_t hd_binary_string_number(struct binary_writer *w, const char *string);
uint32_t hd_binary_location_number(struct binary_writer *w, uint32_t loc);
uint32_t hd_binary_shape_number(struct binary_writer *w, const hd_instr *i);

/* More than any instruction takes without wide sources: 16 components of 9 bytes are the most. */
#define ITEM_BYTES 256u

/* Make room for `size` bytes, at most ITEM_BYTES. */
static inline void
need(struct binary_writer *w, struct binary_section *s, size_t size)
{
   if ((size_t)(s->end - s->next) < size)
      hd_binary_add_chunk(w, s);
}

static inline uint8_t *
encode_uint(uint8_t *p, uint64_t value)
{
   for (; value >= 0x80; value >>= 7)
      *p++ = (uint8_t)(value | 0x80);
   *p++ = (uint8_t)value;
   return p;
}

static inline void
put_byte(struct binary_section *s, uint8_t byte)
{
   *s->next++ = byte;
}

static inline void
put_uint(struct binary_section *s, uint64_t value)
{
   s->next = encode_uint(s->next, value);
}

/* The difference of two numbers, small whichever is larger. */
static inline void
put_step(struct binary_section *s, uint32_t from, uint32_t to)
{
   put_uint(s, to >= from ? (uint64_t)(to - from) << 1 : ((uint64_t)(from - to) << 1) - 1);
}

#endif
