/* SPDX-License-Identifier: MIT */
/* metadata_read.c - read kernel metadata from the note of a code object: kernels and their arguments.
 *
 * Unknown keys are ignored: later versions add some.
 */
#include <inttypes.h>
#include <string.h>

#include "backend/gcn/object/arg_kinds.h"
#include "object/elf_read.h"
#include "object/msgpack.h"

struct note {
   elf_file *e;
   hd_msgpack_reader r;
};

static HD_NORETURN void
bad(struct note *n, const char *what)
{
   hd_elf_refuse(n->e, HD_INVALID, (uint64_t)(n->r.at - n->e->data), "the note: %s", what);
}

static hd_msgpack_value
next(struct note *n, hd_msgpack_kind kind, const char *what)
{
   hd_msgpack_value v;

   if (!hd_msgpack_read(&n->r, &v) || v.kind != kind)
      bad(n, what);
   return v;
}

static void
skip(struct note *n)
{
   if (!hd_msgpack_skip(&n->r))
      bad(n, "its end is missing");
}

static uint32_t
next_uint(struct note *n)
{
   const hd_msgpack_value v = next(n, HD_MSGPACK_UINT, "a number was expected");

   if (v.number > UINT32_MAX)
      bad(n, "a number is too large");
   return (uint32_t)v.number;
}

static const char *
next_string(struct note *n)
{
   const hd_msgpack_value v = next(n, HD_MSGPACK_STRING, "a string was expected");
   char *s = hd_stack_alloc(&n->e->stack, (size_t)v.size + 1);

   if (memchr(v.bytes, 0, v.size))
      bad(n, "a string with a 0 in it");
   memcpy(s, v.bytes, v.size);
   s[v.size] = 0;
   return s;
}

/* Elements of an array that is about to come: each takes a byte at least. */
static uint32_t
next_count(struct note *n, hd_msgpack_kind kind, const char *what)
{
   const hd_msgpack_value v = next(n, kind, what);

   if (v.number > (uint64_t)(n->r.end - n->r.at))
      bad(n, "its end is missing");
   return (uint32_t)v.number;
}

static hd_gcn_arg_kind
kind_of(struct note *n, const char *name)
{
   for (unsigned k = 0; k < HD_GCN_NUM_ARG_ROWS; k++) {
      if (!strcmp(hd_gcn_arg_rows[k].name, name))
         return hd_gcn_arg_rows[k].kind;
   }
   if (strncmp(name, "hidden_", 7))
      bad(n, "an argument of an unknown kind");
   return HD_GCN_ARG_NONE;
}

static void
read_arg(struct note *n, hd_gcn_arg *arg)
{
   uint32_t left = next_count(n, HD_MSGPACK_MAP, "an argument was expected");

   *arg = (hd_gcn_arg){ .kind_name = NULL };
   while (left--) {
      const hd_msgpack_value key = next(n, HD_MSGPACK_STRING, "a key was expected");
      if (hd_msgpack_is(&key, ".name"))
         arg->name = next_string(n);
      else if (hd_msgpack_is(&key, ".type_name"))
         arg->type_name = next_string(n);
      else if (hd_msgpack_is(&key, ".offset"))
         arg->offset = next_uint(n);
      else if (hd_msgpack_is(&key, ".size"))
         arg->size = next_uint(n);
      else if (hd_msgpack_is(&key, ".value_kind"))
         arg->kind_name = next_string(n);
      else if (hd_msgpack_is(&key, ".access") || hd_msgpack_is(&key, ".actual_access"))
         arg->access = next_string(n);
      else
         skip(n);
   }
   if (!arg->kind_name)
      bad(n, "an argument without a kind");
   arg->kind = kind_of(n, arg->kind_name);
}

static void
read_args(struct note *n, hd_gcn_kernel *k)
{
   const uint32_t num = next_count(n, HD_MSGPACK_ARRAY, "arguments were expected");
   hd_gcn_arg *args = hd_stack_alloc_zero(&n->e->stack, num * sizeof(*args) + 1);

   for (uint32_t i = 0; i < num; i++) {
      read_arg(n, &args[i]);
      if (args[i].kind > HD_GCN_ARG_QUEUE)
         continue;
      if (i != k->num_explicit_args)
         bad(n, "a hidden argument before one that is none");
      k->num_explicit_args++;
   }
   k->args = args;
   k->num_args = num;
}

static void
read_three(struct note *n, uint32_t out[3])
{
   if (next_count(n, HD_MSGPACK_ARRAY, "three numbers were expected") != 3)
      bad(n, "three numbers were expected");
   for (unsigned k = 0; k < 3; k++)
      out[k] = next_uint(n);
}

static bool
read_number(struct note *n, const hd_msgpack_value *key, hd_gcn_kernel *k)
{
   const struct {
      const char *name;
      uint32_t *to;
   } numbers[] = {
      { ".kernarg_segment_align", &k->kernarg_align },
      { ".kernarg_segment_size", &k->kernarg_size },
      { ".group_segment_fixed_size", &k->lds_size },
      { ".private_segment_fixed_size", &k->scratch_size },
      { ".wavefront_size", &k->wavefront_size },
      { ".max_flat_workgroup_size", &k->max_workgroup },
      { ".sgpr_count", &k->sgprs },
      { ".vgpr_count", &k->vgprs },
      { ".sgpr_spill_count", &k->spilled_sgprs },
      { ".vgpr_spill_count", &k->spilled_vgprs },
   };

   for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
      if (hd_msgpack_is(key, numbers[i].name)) {
         *numbers[i].to = next_uint(n);
         return true;
      }
   }
   return false;
}

static void
read_kernel(struct note *n, hd_gcn_kernel *k)
{
   uint32_t left = next_count(n, HD_MSGPACK_MAP, "a kernel was expected");

   k->described = true;
   while (left--) {
      const hd_msgpack_value key = next(n, HD_MSGPACK_STRING, "a key was expected");
      if (hd_msgpack_is(&key, ".name"))
         k->name = next_string(n);
      else if (hd_msgpack_is(&key, ".symbol"))
         k->symbol = next_string(n);
      else if (hd_msgpack_is(&key, ".args"))
         read_args(n, k);
      else if (hd_msgpack_is(&key, ".reqd_workgroup_size"))
         read_three(n, k->workgroup_size);
      else if (!read_number(n, &key, k))
         skip(n);
   }
   if (!k->name || !k->symbol)
      bad(n, "a kernel without a name or a symbol");
}

static void
read_map(struct note *n, hd_gcn_object *object)
{
   uint32_t left = next_count(n, HD_MSGPACK_MAP, "a map was expected");

   while (left--) {
      const hd_msgpack_value key = next(n, HD_MSGPACK_STRING, "a key was expected");
      if (!hd_msgpack_is(&key, "amdhsa.kernels")) {
         skip(n);
         continue;
      }
      if (object->kernels)
         bad(n, "two lists of kernels");
      const uint32_t num = next_count(n, HD_MSGPACK_ARRAY, "kernels were expected");
      hd_gcn_kernel *kernels = hd_stack_alloc_zero(&n->e->stack, num * sizeof(*kernels) + 1);
      for (uint32_t k = 0; k < num; k++)
         read_kernel(n, &kernels[k]);
      object->kernels = kernels;
      object->num_kernels = num;
   }
}

static uint64_t
up_to_4(uint64_t n)
{
   return (n + 3) & ~UINT64_C(3);
}

/* The note of this kind in a section of notes. */
static bool
find_note(elf_file *e, const elf_section *s, struct note *n)
{
   const uint8_t *p = hd_elf_bytes(e, s->offset, s->size, "a section of notes");
   uint64_t left = s->size;

   while (left >= 12) {
      const uint64_t name = elf_get(p, 4), size = elf_get(p + 4, 4), type = elf_get(p + 8, 4);
      const uint64_t all = 12 + up_to_4(name) + up_to_4(size);
      if (all > left && 12 + up_to_4(name) + size > left)
         hd_elf_refuse(e, HD_INVALID, (uint64_t)(p - e->data), "a note that ends before its end");
      if (type == ELF_NOTE_METADATA && name == 7 && !memcmp(p + 12, "AMDGPU", 7)) {
         n->r.at = p + 12 + up_to_4(name);
         n->r.end = n->r.at + size;
         return true;
      }
      p += all < left ? all : left;
      left -= all < left ? all : left;
   }
   return false;
}

static size_t
is_descriptor(const elf_symbol *s)
{
   const size_t length = strlen(s->name);

   return s->type == ELF_SYMBOL_OBJECT && length > 3 && !strcmp(s->name + length - 3, ".kd")
              ? length - 3
              : 0;
}

/* Without a note: a kernel for each symbol "f.kd". */
static void
find_descriptors(elf_file *e, hd_gcn_object *object)
{
   hd_gcn_kernel *kernels;
   uint32_t num = 0;

   for (uint32_t n = 0; n < e->num_named; n++)
      num += is_descriptor(e->by_name[n]) != 0;
   if (!num)
      hd_elf_refuse(
          e, HD_INVALID, 0,
          "expected kernel metadata in a note, or a kernel descriptor NAME.kd, found neither");
   kernels = hd_stack_alloc_zero(&e->stack, num * sizeof(*kernels));
   for (uint32_t n = 0; n < e->num_named; n++) {
      const elf_symbol *s = e->by_name[n];
      const size_t length = is_descriptor(s);
      if (!length)
         continue;
      char *name = hd_stack_alloc_zero(&e->stack, length + 1);
      memcpy(name, s->name, length);
      kernels[object->num_kernels++] = (hd_gcn_kernel){ .name = name, .symbol = s->name };
   }
   object->kernels = kernels;
}

void
hd_gcn_metadata_read(elf_file *e, hd_gcn_object *object)
{
   struct note n = { .e = e };

   for (uint32_t s = 0; s < e->num_sections; s++) {
      if (e->sections[s].type == ELF_SECTION_NOTE && find_note(e, &e->sections[s], &n)) {
         read_map(&n, object);
         if (!object->kernels)
            hd_elf_refuse(e, HD_INVALID, e->sections[s].offset, "the note has no kernels");
         return;
      }
   }
   find_descriptors(e, object);
}
