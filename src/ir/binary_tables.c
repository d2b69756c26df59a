/* SPDX-License-Identifier: MIT */
/* binary_tables.c - writer of the binary form: tables of strings, locations, shapes.
 *
 * Entries are numbered in the order of their first use in the walk over the shader.
 */
#include "ir/binary_write.h"

#include "heddle/intrinsic.h"
#include "util/quote.h"

void
hd_binary_refuse(struct binary_writer *w, const char *what)
{
   const hd_diag_sink *sink = &w->heap->config.diag;
   char message[256];

   snprintf(message, sizeof(message), "cannot write function '@%.100s': %s", w->f->name, what);
   hd_diag_send(sink, &(hd_diag){ .severity = HD_ERROR, .message = message });
   w->heap->unwind->result = HD_INVALID;
   longjmp(w->heap->unwind->env, 1);
}

void
hd_binary_add_chunk(struct binary_writer *w, struct binary_section *s)
{
   struct binary_chunk *last = s->last;
   size_t size = 512;

   if (last) {
      last->used = (size_t)(s->next - last->data);
      size = (size_t)(s->end - last->data) * 2;
      size = size > 65536 ? 65536 : size;
   }
   struct binary_chunk *c = hd_stack_alloc(w->stack, sizeof(*c) + size);
   c->next = NULL;
   if (last)
      last->next = c;
   else
      s->first = c;
   s->last = c;
   s->next = c->data;
   s->end = c->data + size;
}

static void
put_bytes(struct binary_writer *w, struct binary_section *s, const void *data, size_t size)
{
   const uint8_t *p = data;

   while (size) {
      need(w, s, 1);
      size_t room = (size_t)(s->end - s->next), n = size < room ? size : room;
      memcpy(s->next, p, n);
      s->next += n;
      p += n;
      size -= n;
   }
}

/* Tables */

void *
hd_binary_grow(struct binary_writer *w, const void *array, size_t element, uint32_t count,
               uint32_t *capacity)
{
   uint32_t new_capacity = *capacity ? *capacity * 2 : 16;
   void *grown = hd_stack_alloc(w->stack, new_capacity * element);

   if (count)
      memcpy(grown, array, count * element);
   *capacity = new_capacity;
   return grown;
}

/* Double the slots; `hash` tells that of an entry by its number. */
static void
grow_seen(struct binary_writer *w, struct binary_seen *seen, uint32_t count,
          uint32_t (*hash)(const struct binary_writer *w, uint32_t number))
{
   uint32_t capacity = seen->capacity ? seen->capacity * 2 : 32;

   seen->slots = hd_stack_alloc_zero(w->stack, capacity * sizeof(*seen->slots));
   seen->capacity = capacity;
   for (uint32_t n = 0; n < count; n++) {
      uint32_t h = hash(w, n);
      while (seen->slots[h & (capacity - 1)])
         h++;
      seen->slots[h & (capacity - 1)] = n + 1;
   }
}

static uint32_t
hash_text(const char *text)
{
   uint64_t h = UINT64_C(0x9e3779b97f4a7c15);

   for (; *text; text++)
      h = (h ^ (uint8_t)*text) * UINT64_C(0x100000001b3);
   return (uint32_t)(h ^ h >> 32);
}

static uint32_t
hash_string(const struct binary_writer *w, uint32_t number)
{
   return hash_text(w->strings[number]);
}

uint32_t
hd_binary_string_number(struct binary_writer *w, const char *string)
{
   struct binary_section *s = &w->section[STRINGS];
   struct binary_seen *seen = &w->seen_strings;

   if (s->count >= seen->capacity / 2)
      grow_seen(w, seen, s->count, hash_string);
   uint32_t h = hash_text(string), mask = seen->capacity - 1;
   for (; seen->slots[h & mask]; h++) {
      uint32_t number = seen->slots[h & mask] - 1;
      if (!strcmp(w->strings[number], string))
         return number;
   }
   if (s->count == w->strings_capacity)
      w->strings =
          hd_binary_grow(w, w->strings, sizeof(*w->strings), s->count, &w->strings_capacity);
   w->strings[s->count] = string;
   seen->slots[h & mask] = s->count + 1;
   size_t length = strlen(string);
   need(w, s, 10);
   put_uint(s, length);
   put_bytes(w, s, string, length);
   return s->count++;
}

uint32_t
hd_binary_location_number(struct binary_writer *w, uint32_t loc)
{
   struct binary_section *s = &w->section[LOCATIONS];

   if (!loc)
      return 0;
   if (loc >= w->shader->num_locations)
      hd_binary_refuse(w, "a location is not among the shader's");
   if (!w->location_numbers)
      w->location_numbers =
          hd_stack_alloc_zero(w->stack, w->shader->num_locations * sizeof(uint32_t));
   if (!w->location_numbers[loc]) {
      const hd_location *l = &w->shader->locations[loc];
      uint32_t file = hd_binary_string_number(w, l->file);
      need(w, s, 20);
      put_uint(s, file);
      put_step(s, w->last_location.line, l->line);
      put_uint(s, l->column);
      w->last_location = *l;
      w->location_numbers[loc] = ++s->count;
   }
   return w->location_numbers[loc];
}

uint32_t
hd_binary_index_digest(const hd_intrinsic_info *info)
{
   uint8_t bytes[HD_DIGEST_SIZE];
   hd_digest d;

   hd_digest_init(&d, 0, 0);
   for (unsigned n = 0; n < info->num_indices; n++) {
      const hd_index_info *index = hd_index_get_info((hd_index)info->indices[n]);
      hd_digest_add(&d, index->name, strlen(index->name) + 1);
      hd_digest_add_u64(&d, index->kind);
      for (uint32_t i = 0; i < index->num_values; i++)
         hd_digest_add(&d, index->values[i].name, strlen(index->values[i].name) + 1);
   }
   hd_digest_finish(&d, bytes);
   return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* Shapes */

static struct binary_shape
instr_shape(const hd_instr *i)
{
   uint64_t key = (uint64_t)i->kind | (uint64_t)i->op << 8 | (uint64_t)i->flags << 24 |
                  (uint64_t)i->def.num_components << 32 | (uint64_t)i->def.bit_size << 40;

   return (struct binary_shape){ key, hd_instr_num_srcs(i) };
}

static inline uint32_t
hash_shape_value(struct binary_shape s)
{
   uint64_t h = (s.key ^ (uint64_t)s.num_srcs << 47) * UINT64_C(0x9e3779b97f4a7c15);

   return (uint32_t)(h >> 32);
}

static uint32_t
hash_shape(const struct binary_writer *w, uint32_t number)
{
   return hash_shape_value(w->shapes[number]);
}

static uint32_t
intrinsic_name(struct binary_writer *w, const hd_instr *i)
{
   const hd_intrinsic_info *info = hd_shader_intrinsic_info(w->shader, i->op);

   if (!info->name_length)
      hd_binary_refuse(w, "an intrinsic has a number that is registered nowhere");
   return hd_binary_string_number(w, info->name);
}

static void
put_shape(struct binary_writer *w, const hd_instr *i, uint32_t num_srcs)
{
   struct binary_section *s = &w->section[SHAPES];
   uint32_t name = 0;

   if (i->kind == HD_INSTR_ALU)
      name = hd_binary_string_number(w, hd_op_get_info((hd_op)i->op)->name);
   else if (i->kind == HD_INSTR_INTRINSIC)
      name = intrinsic_name(w, i);
   const bool own = i->kind == HD_INSTR_INTRINSIC && i->op >= HD_INTRINSIC_OWN;
   need(w, s, 64);
   put_byte(s, own ? BINARY_OWN_INTRINSIC : i->kind);
   if (i->kind == HD_INSTR_JUMP)
      put_byte(s, (uint8_t)i->op);
   else if (i->kind == HD_INSTR_ALU || i->kind == HD_INSTR_INTRINSIC)
      put_uint(s, name);
   put_byte(s, binary_type(i->def.num_components, i->def.bit_size));
   put_byte(s, i->flags);
   put_uint(s, num_srcs);
   if (own) {
      const hd_hash hash = hd_intrinsic_table_hash(hd_shader_config(w->shader)->intrinsics);
      for (unsigned n = 0; n < sizeof(hash.bytes); n++)
         put_byte(s, hash.bytes[n]);
   } else if (i->kind == HD_INSTR_INTRINSIC) {
      uint32_t digest = hd_binary_index_digest(hd_instr_intrinsic_info(i));
      for (unsigned n = 0; n < 4; n++)
         put_byte(s, (uint8_t)(digest >> 8 * n));
   }
}

uint32_t
hd_binary_shape_number(struct binary_writer *w, const hd_instr *i)
{
   struct binary_section *s = &w->section[SHAPES];
   struct binary_seen *seen = &w->seen_shapes;
   struct binary_shape shape = instr_shape(i);

   if (s->count >= seen->capacity / 2)
      grow_seen(w, seen, s->count, hash_shape);
   uint32_t h = hash_shape_value(shape), mask = seen->capacity - 1;
   for (; seen->slots[h & mask]; h++) {
      const struct binary_shape *known = &w->shapes[seen->slots[h & mask] - 1];
      if (known->key == shape.key && known->num_srcs == shape.num_srcs)
         return seen->slots[h & mask] - 1;
   }
   if (s->count == w->shapes_capacity)
      w->shapes = hd_binary_grow(w, w->shapes, sizeof(*w->shapes), s->count, &w->shapes_capacity);
   w->shapes[s->count] = shape;
   seen->slots[h & mask] = s->count + 1;
   put_shape(w, i, shape.num_srcs);
   return s->count++;
}
