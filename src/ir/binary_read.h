/* SPDX-License-Identifier: MIT */
/* binary_read.h - reader of the binary form: its state, and decoding of numbers. */
#ifndef HEDDLE_IR_BINARY_READ_H
#define HEDDLE_IR_BINARY_READ_H

#include "ir/binary_format.h"
#include "ir/private.h"

struct binary_shape {
   hd_instr instr; /* what each instruction of this shape begins as */
   size_t size;
   uint32_t num_srcs;
   unsigned num_indices;
};

/* The loops around the place that is read, innermost first. */
struct open_loop {
   struct open_loop *outer;
   hd_loop *loop;
   bool in_continue_list;
};

struct binary_reader {
   const char *file_name;
   const uint8_t *data, *p, *end;
   const uint8_t *at; /* the item that a diagnostic is about */
   hd_shader *shader;
   hd_heap *heap;
   hd_stack *stack;
   hd_slab slab; /* of instructions */

   const char **strings;
   bool *names_function; /* by string */
   uint32_t *names_var;  /* by string: 1 + the last function that has a variable of this name */
   uint32_t num_strings;
   struct binary_shape *shapes;
   uint32_t num_shapes;
   hd_function **functions;
   uint32_t *num_function_defs, *num_function_blocks;
   uint32_t num_functions;

   hd_function *f;
   hd_def **defs; /* by number */
   uint32_t num_defs, max_defs;
   hd_block **blocks; /* by number */
   uint32_t num_blocks, max_blocks;
   hd_var **vars;
   uint32_t num_vars;
   hd_block *block; /* the one being filled */
   hd_cf_list *list;
   struct open_loop *loop, *spare_loops;
   hd_loop **jump_loops; /* by block number: the loop that its break or continue is about */
   uint32_t loc, name;   /* of what comes next; name is 1 + a string, or 0 */
   hd_src *forward, *last_forward; /* sources to be defined, chained by next_link */
   struct succ_of {
      uint32_t from; /* 1 + the number of the block that was looked at last */
      uint32_t succ; /* which of its successors this is */
   } * succ_of;      /* by block number; for switches */
};

/* Say what is wrong with the item at r->at, and unwind. */
HD_NORETURN void hd_binary_stop(struct binary_reader *r, hd_result result, const char *format, ...)
    HD_PRINTF(3, 4);

/* The bytes break a rule of the format. */
#define bad(r, ...) hd_binary_stop((r), HD_INVALID, __VA_ARGS__)
/* The bytes ask for what this library does not have. */
#define unsupported(r, ...) hd_binary_stop((r), HD_UNSUPPORTED, __VA_ARGS__)

/* A number of several bytes. */
uint64_t hd_binary_long_uint(struct binary_reader *r);

/* How many things follow, of `size` bytes each or more. */
uint32_t hd_binary_count(struct binary_reader *r, size_t size, const char *what);

/* The body of function `number`, whose head has been read. */
void hd_binary_read_body(struct binary_reader *r, uint32_t number);

static inline size_t
left(const struct binary_reader *r)
{
   return (size_t)(r->end - r->p);
}

static inline uint8_t
get_byte(struct binary_reader *r)
{
   if (r->p == r->end)
      bad(r, "the data ends here, expected more");
   return *r->p++;
}

static inline uint64_t
get_uint64(struct binary_reader *r)
{
   if (r->p < r->end && *r->p < 0x80)
      return *r->p++;
   return hd_binary_long_uint(r);
}

static inline uint32_t
get_uint(struct binary_reader *r)
{
   uint64_t value = get_uint64(r);

   if (value > UINT32_MAX)
      bad(r, "a number exceeds 32 bits");
   return (uint32_t)value;
}

/* A number that counts or names one of `limit` things. */
static inline uint32_t
get_below(struct binary_reader *r, uint32_t limit, const char *what)
{
   uint64_t value = get_uint64(r);

   if (value >= limit)
      bad(r, "%s %llu does not exist, there are %u", what, (unsigned long long)value, limit);
   return (uint32_t)value;
}

static inline uint32_t
get_step(struct binary_reader *r, uint32_t from)
{
   uint64_t step = get_uint64(r), to;

   to = step & 1 ? from - (step >> 1) - 1 : from + (step >> 1);
   if (step >> 33 || to > UINT32_MAX)
      bad(r, "a step leads out of 32 bits");
   return (uint32_t)to;
}

static inline const char *
get_string(struct binary_reader *r)
{
   return r->strings[get_below(r, r->num_strings, "string")];
}

#endif
