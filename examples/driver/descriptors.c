/* SPDX-License-Identifier: MIT */
/* descriptors.c - the address space of a launch, and what its descriptor sets hold, as gfx900 reads it. */
#include <stdlib.h>
#include <string.h>

#include "driver.h"

#define SETS_AT     UINT64_C(0x10000)
#define PUSH_AT     UINT64_C(0x20000)
#define VERTICES_AT UINT64_C(0x30000)
#define MEMORY_AT   UINT64_C(0x100000000)
#define ROOM        UINT64_C(0x10000)
#define SET_BYTES   (MAX_DESCRIPTOR * MAX_BINDINGS)

#define CHANNELS_XYZW 0xfacu
#define ROW_ALIGN     256u /* of linear images */

/* Regions */

static void
map(space *s, uint64_t address, void *data, uint64_t size, bool read_only, const char *name)
{
   s->regions[s->num_regions++] = (hd_gcn_sim_region){
      .address = address,
      .memory = { .data = data, .size = size },
      .read_only = read_only,
      .name = name,
   };
}

/* The address that it gets. */
static uint64_t
place(space *s, void *data, uint64_t size, bool read_only, const char *name)
{
   const uint64_t address = s->next;

   map(s, address, data, size, read_only, name);
   s->next += ((size + ROOM) & ~(ROOM - 1)) + ROOM;
   return address;
}

void
space_init(space *s, const layout *l)
{
   *s = (space){ .layout = l, .next = MEMORY_AT };
   for (uint32_t n = 0; n < MAX_SETS; n++)
      map(s, SETS_AT + n * SET_BYTES, s->sets[n], SET_BYTES, true, "a descriptor set");
   map(s, PUSH_AT, s->push, MAX_PUSH, true, "push constants");
}

void
space_finish(space *s)
{
   for (uint32_t n = 0; n < s->num_images; n++)
      free(s->images[n]);
}

bool
space_push(space *s, const void *push, size_t size)
{
   if (size > MAX_PUSH)
      return false;
   if (size)
      memcpy(s->push, push, size);
   return true;
}

void
set_pointer(hd_gcn_sim_launch *launch, unsigned sgpr, uint64_t address)
{
   launch->user_sgprs[sgpr] = (uint32_t)address;
   launch->user_sgprs[sgpr + 1] = (uint32_t)(address >> 32);
}

hd_gcn_sim_launch
space_launch(const space *s, const device *dev, const code *c)
{
   hd_gcn_sim_launch launch = {
      .target = dev->target,
      .code = c->words,
      .code_words = c->num_words,
      .regions = s->regions,
      .num_regions = s->num_regions,
      .pgm_rsrc1 = c->pgm_rsrc1,
      .pgm_rsrc2 = c->pgm_rsrc2,
      .lds_size = c->stats.lds_size,
      .scratch_size = c->stats.scratch_size,
      .scratch_resource = SGPR_SCRATCH,
      .flat_scratch_init = HD_GCN_NO_SGPR,
      .options = { .max_steps = 100000000 },
   };

   for (uint32_t n = 0; n < MAX_SETS; n++)
      set_pointer(&launch, n ? SGPR_SET_1 : SGPR_SET_0, SETS_AT + n * SET_BYTES);
   set_pointer(&launch, SGPR_PUSH, PUSH_AT);
   return launch;
}

/* Descriptors */

static const hd_gcn_binding *
find_binding(const space *s, uint32_t set, uint32_t binding)
{
   for (uint32_t n = 0; n < s->layout->num_bindings; n++) {
      const hd_gcn_binding *b = &s->layout->bindings[n];
      if (b->set == set && b->binding == binding)
         return b;
   }
   return NULL;
}

static bool
is_full(const space *s)
{
   return s->num_regions == MAX_REGIONS || s->num_images == MAX_BINDINGS;
}

/* A raw buffer: address, no stride, bytes, dwords as they are. */
hd_result
bind_buffer(space *s, const bound_buffer *b)
{
   const hd_gcn_binding *binding = find_binding(s, b->set, b->binding);

   if (!binding)
      return HD_OK;
   if (is_full(s))
      return HD_UNSUPPORTED;
   const uint64_t address = place(s, b->data, b->size, false, "a buffer");
   uint32_t *words = &s->sets[b->set][binding->offset / 4];
   words[0] = (uint32_t)address;
   words[1] = (uint32_t)(address >> 32) & 0xffff;
   words[2] = b->size;
   words[3] = 0x24000 | CHANNELS_XYZW;
   return HD_OK;
}

static uint32_t
extent(uint32_t size, uint32_t level)
{
   return size >> level ? size >> level : 1;
}

/* The application's image has no gaps; the chip wants rows of a multiple of 256 bytes. With no `to` only the size is
 * told.
 */
static size_t
upload(const hd_wave_image *image, uint8_t *to)
{
   const unsigned texel = hd_texel_format_size(image->format);
   const uint8_t *from = image->memory.data;
   size_t size = 0;

   for (uint32_t level = 0; level < image->num_levels; level++) {
      const size_t row = (size_t)extent(image->width, level) * texel;
      const size_t pitch = (row + ROW_ALIGN - 1) & ~(size_t)(ROW_ALIGN - 1);
      for (uint32_t y = 0; y < extent(image->height, level); y++, size += pitch, from += row) {
         if (to)
            memcpy(to + size, from, row);
      }
   }
   return size;
}

/* Two dimensions, with levels, of four bytes a texel: address, format, sizes, channels and levels, pitch. */
hd_result
bind_image(space *s, const hd_wave_image *image)
{
   const hd_gcn_binding *binding = find_binding(s, image->set, image->binding);
   const uint32_t data_8_8_8_8 = 10, type_2d = 9, last_level = image->num_levels - 1;

   if (!binding)
      return HD_OK;
   if (is_full(s) || image->format != HD_TEXEL_RGBA8_UNORM || image->num_levels < 1)
      return HD_UNSUPPORTED;
   const size_t size = upload(image, NULL);
   uint8_t *data = calloc(1, size);
   if (!data)
      return HD_OUT_OF_MEMORY;
   upload(image, data);
   s->images[s->num_images++] = data;
   const uint64_t address = place(s, data, size, true, "an image");
   const uint32_t pitch = (image->width + ROW_ALIGN / 4 - 1) & ~(ROW_ALIGN / 4 - 1);
   uint32_t *words = &s->sets[image->set][binding->offset / 4];
   words[0] = (uint32_t)(address >> 8);
   words[1] = (uint32_t)(address >> 40) | data_8_8_8_8 << 20;
   words[2] = (image->width - 1) | (image->height - 1) << 14;
   words[3] = CHANNELS_XYZW | last_level << 16 | type_2d << 28;
   words[4] = (pitch - 1) << 13;
   return HD_OK;
}

/* How coordinates are taken, the range of levels in 1/256, filters. */
hd_result
bind_sampler(space *s, const hd_wave_sampler *sampler)
{
   static const uint8_t modes[HD_NUM_ADDRESS_MODES] = {
      [HD_ADDRESS_REPEAT] = 0,          [HD_ADDRESS_MIRRORED_REPEAT] = 1,
      [HD_ADDRESS_CLAMP_TO_EDGE] = 2,   [HD_ADDRESS_MIRROR_CLAMP_TO_EDGE] = 3,
      [HD_ADDRESS_CLAMP_TO_BORDER] = 6,
   };
   const hd_gcn_binding *binding = find_binding(s, sampler->set, sampler->binding);

   if (!binding)
      return HD_OK;
   if (sampler->lod_bias != 0 || sampler->min_lod < 0 || sampler->max_lod >= 16)
      return HD_UNSUPPORTED;
   uint32_t *words = &s->sets[sampler->set][(binding->offset + binding->sampler) / 4];
   words[0] = (uint32_t)sampler->compare << 12 | (sampler->unnormalized ? 1u << 15 : 0);
   for (unsigned n = 0; n < 3; n++)
      words[0] |= (uint32_t)modes[sampler->address[n]] << 3 * n;
   words[1] = (uint32_t)(sampler->min_lod * 256) | (uint32_t)(sampler->max_lod * 256) << 12;
   words[2] = (sampler->mag == HD_FILTER_LINEAR ? 1u << 20 : 0) |
              (sampler->min == HD_FILTER_LINEAR ? 1u << 22 : 0) |
              (sampler->mip == HD_FILTER_LINEAR ? 2u : 1u) << 26;
   words[3] = (uint32_t)sampler->border << 30;
   return HD_OK;
}

/* Elements of a vertex buffer: the vertices, with the format that the attribute has in them. */
hd_result
bind_attributes(space *s, const hd_raster_draw *draw, uint64_t *table)
{
   const uint32_t number_float = 7;
   uint64_t addresses[MAX_ATTRIBUTES];

   if (draw->num_buffers > MAX_ATTRIBUTES || draw->num_attributes > MAX_ATTRIBUTES)
      return HD_UNSUPPORTED;
   for (uint32_t n = 0; n < draw->num_buffers; n++) {
      const hd_wave_memory *m = &draw->buffers[n].memory;
      if (is_full(s) || draw->buffers[n].per_instance || !draw->buffers[n].stride)
         return HD_UNSUPPORTED;
      addresses[n] = place(s, m->data, m->size, true, "vertices");
   }
   for (uint32_t n = 0; n < draw->num_attributes; n++) {
      const hd_vertex_attribute *a = &draw->attributes[n];
      const uint32_t data = a->format == HD_TEXEL_RG32_FLOAT     ? 11
                            : a->format == HD_TEXEL_RGB32_FLOAT  ? 13
                            : a->format == HD_TEXEL_RGBA32_FLOAT ? 14
                                                                 : 0;
      if (!data || a->location >= MAX_ATTRIBUTES)
         return HD_UNSUPPORTED;
      const hd_vertex_buffer *buffer = &draw->buffers[a->buffer];
      const uint64_t address = addresses[a->buffer] + a->offset;
      uint32_t *words = s->vertex_buffers[a->location];
      words[0] = (uint32_t)address;
      words[1] = (uint32_t)(address >> 32) | buffer->stride << 16;
      words[2] = (uint32_t)(buffer->memory.size / buffer->stride);
      /* x, y, z or 0, 1 */
      words[3] = (data == 11   ? 0x22cu
                  : data == 13 ? 0x3acu
                               : CHANNELS_XYZW) |
                 number_float << 12 | data << 15;
   }
   map(s, VERTICES_AT, s->vertex_buffers, sizeof(s->vertex_buffers), true, "vertex buffers");
   *table = VERTICES_AT;
   return HD_OK;
}
