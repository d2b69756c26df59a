/* SPDX-License-Identifier: MIT */
/* ptr_map.h - hash map from pointers to integers, for lookups only (no iteration order). */
#ifndef HEDDLE_UTIL_PTR_MAP_H
#define HEDDLE_UTIL_PTR_MAP_H

#include "util/memory.h"

#define HD_PTR_MAP_NONE UINT32_MAX

typedef struct hd_ptr_entry {
   const void *key; /* NULL in an empty slot */
   uint32_t value;
} hd_ptr_entry;

typedef struct hd_ptr_map {
   hd_ptr_entry *slots;
   uint32_t mask;
} hd_ptr_map;

/* Room for at most `count` keys, on the stack. False (or unwound) when memory runs out. */
static inline bool
hd_ptr_map_init(hd_ptr_map *map, hd_stack *stack, uint32_t count)
{
   size_t capacity = 4;

   while (capacity / 2 < count)
      capacity *= 2;
   map->mask = (uint32_t)(capacity - 1);
   map->slots = hd_stack_alloc_zero(stack, capacity * sizeof(*map->slots));
   return map->slots != NULL;
}

static inline hd_ptr_entry *
hd_ptr_map_slot(const hd_ptr_map *map, const void *key)
{
   uint32_t h = (uint32_t)((uint64_t)(uintptr_t)key * UINT64_C(0x9e3779b97f4a7c15) >> 32);

   while (map->slots[h & map->mask].key && map->slots[h & map->mask].key != key)
      h++;
   return &map->slots[h & map->mask];
}

static inline void
hd_ptr_map_set(hd_ptr_map *map, const void *key, uint32_t value)
{
   *hd_ptr_map_slot(map, key) = (hd_ptr_entry){ key, value };
}

static inline uint32_t
hd_ptr_map_get(const hd_ptr_map *map, const void *key)
{
   const hd_ptr_entry *e = hd_ptr_map_slot(map, key);

   return e->key ? e->value : HD_PTR_MAP_NONE;
}

#endif
