/* SPDX-License-Identifier: MIT */
/* names.c - interned strings, names of values and blocks, source locations. */
#include "ir/private.h"
#include "util/digest.h"

/* Only for looking up: nothing is ever listed in this order, so addresses do no harm. */
static uint32_t
hash_pointer(const void *ptr)
{
   uint64_t h = (uint64_t)(uintptr_t)ptr * 0x9e3779b97f4a7c15u;

   return (uint32_t)(h >> 32);
}

static bool
grow_strings(struct hd_memory *m)
{
   uint32_t capacity = m->strings_capacity ? m->strings_capacity * 2 : 16;
   const char **slots = hd_pool_alloc(&m->pool, capacity * sizeof(*slots));

   if (!slots)
      return false;
   for (uint32_t i = 0; i < m->strings_capacity; i++) {
      const char *s = m->strings[i];
      if (!s)
         continue;
      uint32_t h = hd_hash_name(m, s, strlen(s));
      while (slots[h & (capacity - 1)])
         h++;
      slots[h & (capacity - 1)] = s;
   }
   hd_pool_free(&m->pool, m->strings, m->strings_capacity * sizeof(*slots));
   m->strings = slots;
   m->strings_capacity = capacity;
   return true;
}

const char *
hd_shader_intern(hd_shader *shader, const char *string, size_t length)
{
   struct hd_memory *m = shader->memory;
   /* A string ends at its first NUL, wherever it came from. */
   const char *nul = memchr(string, 0, length);

   if (nul)
      length = (size_t)(nul - string);
   if (m->num_strings + 1 > m->strings_capacity / 2 && !grow_strings(m))
      return NULL;
   uint32_t mask = m->strings_capacity - 1, h = hd_hash_name(m, string, length);
   for (; m->strings[h & mask]; h++) {
      const char *s = m->strings[h & mask];
      if (!strncmp(s, string, length) && !s[length])
         return s;
   }
   char *copy = hd_pool_alloc(&m->pool, length + 1);
   if (!copy)
      return NULL;
   memcpy(copy, string, length);
   m->strings[h & mask] = copy;
   m->num_strings++;
   return copy;
}

static bool
grow_names(struct hd_memory *m)
{
   uint32_t capacity = m->names_capacity ? m->names_capacity * 2 : 16;
   hd_name_entry *slots = hd_pool_alloc(&m->pool, capacity * sizeof(*slots));

   if (!slots)
      return false;
   for (uint32_t i = 0; i < m->names_capacity; i++) {
      if (!m->names[i].object)
         continue;
      uint32_t h = hash_pointer(m->names[i].object);
      while (slots[h & (capacity - 1)].object)
         h++;
      slots[h & (capacity - 1)] = m->names[i];
   }
   hd_pool_free(&m->pool, m->names, m->names_capacity * sizeof(*slots));
   m->names = slots;
   m->names_capacity = capacity;
   return true;
}

static hd_name_entry *
find_name(const struct hd_memory *m, const void *object)
{
   if (!m->names_capacity)
      return NULL;
   uint32_t mask = m->names_capacity - 1, h = hash_pointer(object);
   for (; m->names[h & mask].object; h++) {
      if (m->names[h & mask].object == object)
         return &m->names[h & mask];
   }
   return NULL;
}

const char *
hd_name_get(const hd_shader *shader, const void *object)
{
   const hd_name_entry *e = find_name(shader->memory, object);

   return e ? e->name : NULL;
}

/* Open addressing without tombstones: what follows the removed entry moves up until a gap. */
void
hd_name_remove(hd_shader *shader, const void *object)
{
   struct hd_memory *m = shader->memory;
   hd_name_entry *e = find_name(m, object);

   if (!e)
      return;
   uint32_t mask = m->names_capacity - 1, gap = (uint32_t)(e - m->names);
   for (uint32_t i = (gap + 1) & mask; m->names[i].object; i = (i + 1) & mask) {
      uint32_t home = hash_pointer(m->names[i].object) & mask;
      if (((i - home) & mask) >= ((i - gap) & mask)) {
         m->names[gap] = m->names[i];
         gap = i;
      }
   }
   m->names[gap].object = NULL;
   m->num_names--;
}

bool
hd_name_reserve(hd_shader *shader, uint32_t num)
{
   struct hd_memory *m = shader->memory;

   while (num && m->num_names + num > m->names_capacity / 2) {
      if (!grow_names(m))
         return false;
   }
   return true;
}

void
hd_name_put(hd_shader *shader, const void *object, const char *interned)
{
   struct hd_memory *m = shader->memory;
   uint32_t mask = m->names_capacity - 1, h = hash_pointer(object);

   while (m->names[h & mask].object)
      h++;
   m->names[h & mask] = (hd_name_entry){ object, interned };
   m->num_names++;
}

bool
hd_name_set(hd_shader *shader, const void *object, const char *name)
{
   struct hd_memory *m = shader->memory;
   const char *interned = hd_shader_intern(shader, name, strlen(name));

   if (!interned)
      return false;
   hd_name_entry *e = find_name(m, object);
   if (e) {
      e->name = interned;
      return true;
   }
   if (!hd_name_reserve(shader, 1))
      return false;
   hd_name_put(shader, object, interned);
   return true;
}

bool
hd_def_set_name(hd_function *f, hd_def *def, const char *name)
{
   if (!name) {
      if (def->flags & HD_DEF_NAMED)
         hd_name_remove(f->shader, def);
      def->flags &= (uint8_t)~HD_DEF_NAMED;
      return true;
   }
   if (!hd_name_set(f->shader, def, name))
      return false;
   def->flags |= HD_DEF_NAMED;
   return true;
}

bool
hd_block_set_name(hd_function *f, hd_block *block, const char *name)
{
   if (!name) {
      if (block->node.named)
         hd_name_remove(f->shader, block);
      block->node.named = 0;
      return true;
   }
   if (!hd_name_set(f->shader, block, name))
      return false;
   block->node.named = 1;
   return true;
}

const char *
hd_def_name(const hd_function *f, const hd_def *def)
{
   return def->flags & HD_DEF_NAMED ? hd_name_get(f->shader, def) : NULL;
}

const char *
hd_block_name(const hd_function *f, const hd_block *block)
{
   return block->node.named ? hd_name_get(f->shader, block) : NULL;
}

/* Locations: an array, and a hash index over it so that equal ones are kept once. */

#define MAX_LOCATIONS (1u << 24)

static uint32_t
hash_location(const hd_location *l)
{
   uint64_t h = hash_pointer(l->file);

   h = (h ^ l->line) * 0x9e3779b97f4a7c15u;
   h = (h ^ h >> 32 ^ l->column) * 0x9e3779b97f4a7c15u;
   return (uint32_t)(h >> 32);
}

static bool
grow_locations(hd_shader *shader)
{
   struct hd_memory *m = shader->memory;
   uint32_t capacity = m->locations_capacity ? m->locations_capacity * 2 : 8;
   hd_location *locations = hd_pool_alloc(&m->pool, capacity * sizeof(*locations));
   uint32_t *slots = locations ? hd_pool_alloc(&m->pool, 2 * capacity * sizeof(*slots)) : NULL;

   if (!slots) {
      hd_pool_free(&m->pool, locations, capacity * sizeof(*locations));
      return false;
   }
   if (m->locations)
      memcpy(locations, m->locations, shader->num_locations * sizeof(*locations));
   for (uint32_t i = 1; i < shader->num_locations; i++) {
      uint32_t h = hash_location(&locations[i]);
      while (slots[h & (2 * capacity - 1)])
         h++;
      slots[h & (2 * capacity - 1)] = i;
   }
   hd_pool_free(&m->pool, m->locations, m->locations_capacity * sizeof(*locations));
   hd_pool_free(&m->pool, m->location_slots, m->location_slots_capacity * sizeof(*slots));
   m->locations = locations;
   m->locations_capacity = capacity;
   m->location_slots = slots;
   m->location_slots_capacity = 2 * capacity;
   shader->locations = locations;
   return true;
}

uint32_t
hd_shader_location(hd_shader *shader, const char *file, uint32_t line, uint32_t column)
{
   struct hd_memory *m = shader->memory;
   hd_location l = { hd_shader_intern(shader, file, strlen(file)), line, column };

   if (!l.file)
      return 0;
   if (shader->num_locations == m->locations_capacity && shader->num_locations < MAX_LOCATIONS &&
       !grow_locations(shader))
      return 0;
   uint32_t mask = m->location_slots_capacity - 1, h = hash_location(&l);
   for (; m->location_slots[h & mask]; h++) {
      uint32_t i = m->location_slots[h & mask];
      const hd_location *known = &m->locations[i];
      if (known->file == l.file && known->line == line && known->column == column)
         return i;
   }
   if (shader->num_locations == MAX_LOCATIONS)
      return 0;
   m->location_slots[h & mask] = shader->num_locations;
   m->locations[shader->num_locations] = l;
   return shader->num_locations++;
}
