/* SPDX-License-Identifier: MIT */
/* clone_map.c - map values and blocks of a function to those of its clone. */
#include "ir/copy.h"

hd_clone_map *
hd_clone_map_create(hd_function *from)
{
   hd_pool *pool = hd_shader_pool(from->shader);
   hd_clone_map *map = hd_pool_alloc(pool, sizeof(*map));

   if (!map)
      return NULL;
   map->from = from;
   map->defs = hd_pool_alloc(pool, from->num_defs * sizeof(*map->defs));
   map->blocks = hd_pool_alloc(pool, from->num_blocks * sizeof(*map->blocks));
   map->num_defs = map->defs ? from->num_defs : 0;
   map->num_blocks = map->blocks ? from->num_blocks : 0;
   if (!map->defs || !map->blocks) {
      hd_clone_map_destroy(map);
      return NULL;
   }
   return map;
}

void
hd_clone_map_destroy(hd_clone_map *map)
{
   if (!map)
      return;
   hd_pool *pool = hd_shader_pool(map->from->shader);
   hd_pool_free(pool, map->defs, map->num_defs * sizeof(*map->defs));
   hd_pool_free(pool, map->blocks, map->num_blocks * sizeof(*map->blocks));
   hd_pool_free(pool, map, sizeof(*map));
}

hd_def *
hd_clone_map_def(const hd_clone_map *map, hd_def *def)
{
   hd_def *to = def->index < map->num_defs ? map->defs[def->index] : NULL;

   return to ? to : def;
}

hd_block *
hd_clone_map_block(const hd_clone_map *map, hd_block *block)
{
   uint32_t index = block->node.index;
   hd_block *to =
       index < map->num_blocks && !hd_block_is_end(block) ? map->blocks[index].copy : NULL;

   return to ? to : block;
}

/* More room in an array, doubling so that the cost of all growth is linear. */
static void *
grow_array(hd_pool *pool, void *array, size_t element, uint32_t *num, uint32_t need)
{
   uint32_t new_num = *num * 2 > need ? *num * 2 : need;
   void *grown = hd_pool_alloc(pool, new_num * element);

   if (!grown)
      return NULL;
   memcpy(grown, array, *num * element);
   hd_pool_free(pool, array, *num * element);
   *num = new_num;
   return grown;
}

/* The function has grown since the map was made. */
bool
hd_clone_map_cover(hd_clone_map *map)
{
   hd_pool *pool = hd_shader_pool(map->from->shader);
   void *grown;

   if (map->from->num_defs > map->num_defs) {
      grown = grow_array(pool, map->defs, sizeof(*map->defs), &map->num_defs, map->from->num_defs);
      if (!grown)
         return false;
      map->defs = grown;
   }
   if (map->from->num_blocks > map->num_blocks) {
      grown = grow_array(pool, map->blocks, sizeof(*map->blocks), &map->num_blocks,
                         map->from->num_blocks);
      if (!grown)
         return false;
      map->blocks = grown;
   }
   return true;
}

bool
hd_clone_map_set_def(hd_clone_map *map, hd_def *from, hd_def *to)
{
   if (!hd_clone_map_cover(map))
      return false;
   map->defs[from->index] = to;
   return true;
}
