/* SPDX-License-Identifier: MIT */
/* vertex.c - vertex fetch: attributes to inputs of the vertex shader, its outputs to records of vertices. */
#include "heddle/intrinsic_enum.h"
#include "raster/raster.h"
#include "util/bytes.h"
#include "util/sizes.h"

/* Vertices of one launch. */
#define CHUNK 4096u

static const struct {
   hd_intrinsic_id id;
   uint32_t bytes;
} builtins[NUM_RECORDS] = {
   [RECORD_POSITION] = { HD_INTRINSIC_STORE_POSITION, 16 },
   [RECORD_SIZE] = { HD_INTRINSIC_STORE_POINT_SIZE, 4 },
   [RECORD_CLIP] = { HD_INTRINSIC_STORE_CLIP_DISTANCE, 4 * MAX_DISTANCES },
   [RECORD_CULL] = { HD_INTRINSIC_STORE_CULL_DISTANCE, 4 * MAX_DISTANCES },
   [RECORD_LAYER] = { HD_INTRINSIC_STORE_LAYER, 4 },
   [RECORD_VIEWPORT] = { HD_INTRINSIC_STORE_VIEWPORT_INDEX, 4 },
};

/* Vertex indices, the same for all instances. UINT32_MAX is a primitive restart. */
static void
read_indices(struct raster *r)
{
   const hd_raster_draw *d = r->draw;
   const uint32_t none = d->index_size == 4 ? UINT32_MAX : (1u << 8 * d->index_size) - 1;
   const uint8_t *data = d->indices ? d->indices->data : NULL;

   r->num_vertices = d->num_vertices;
   if (!data)
      return;
   r->indices = hd_stack_alloc(&r->stack, array_size(d->num_vertices, sizeof(uint32_t)) + 1);
   for (uint32_t n = 0; n < d->num_vertices; n++) {
      const uint32_t index = (uint32_t)get_number(data + (size_t)n * d->index_size, d->index_size);
      r->indices[n] = d->primitive_restart && index == none ? UINT32_MAX : index;
   }
}

void
hd_raster_prepare_vertices(struct raster *r)
{
   read_indices(r);
   for (unsigned n = 0; n < NUM_RECORDS; n++) {
      struct records *records = &r->records[n];
      records->bytes = n == RECORD_OUTPUTS ? r->num_locations * 16 : builtins[n].bytes;
      if (n != RECORD_OUTPUTS && !r->vertex.ids[builtins[n].id])
         continue;
      const size_t size = array_size(r->num_vertices, records->bytes);
      records->data = hd_stack_alloc(&r->stack, size + 1);
      records->undefined = hd_stack_alloc(&r->stack, size + 1);
   }
}

/* Attributes */

static uint32_t
vertex_index(const struct raster *r, uint32_t vertex)
{
   const hd_raster_draw *d = r->draw;

   if (!r->indices)
      return d->first_vertex + vertex;
   /* For a primitive restart vertex 0 is run; no primitive uses the result. */
   const bool begins = d->primitive_restart && r->indices[vertex] == UINT32_MAX;
   return (begins ? 0 : r->indices[vertex]) + (uint32_t)d->vertex_offset;
}

/* Up to `size` bytes of a buffer; bytes out of bounds are 0. */
static void
read_buffer(const hd_wave_memory *m, uint64_t at, unsigned size, uint8_t *bytes, uint8_t *undefined)
{
   for (unsigned n = 0; n < size; n++) {
      const bool there = at + n < m->size;
      bytes[n] = there ? ((const uint8_t *)m->data)[at + n] : 0;
      undefined[n] = there && m->undefined && m->undefined[at + n];
   }
}

static void
fetch_attribute(const struct raster *r, const hd_vertex_attribute *a, uint32_t vertex,
                hd_wave_memory *inputs, uint32_t record)
{
   const hd_vertex_buffer *buffer = &r->draw->buffers[a->buffer];
   const uint32_t number =
       buffer->per_instance ? r->draw->first_instance + r->instance : vertex_index(r, vertex);
   const uint64_t from = (uint64_t)number * buffer->stride + a->offset;
   const hd_texel_layout *layout = hd_texel_layout_of(a->format);
   uint8_t bytes[32], undefined[32], numbers[32] = { 0 };
   uint64_t out[4];

   if (a->location >= r->vertex.num_inputs)
      return;
   const unsigned size = layout ? layout->bytes : a->size;
   read_buffer(&buffer->memory, from, size, bytes, undefined);
   const uint32_t at = (record * r->vertex.num_inputs + a->location) * 16;
   unsigned length = (r->vertex.num_inputs - a->location) * 16;
   bool unknown = false;
   if (!layout || layout->bits[0] == 64) {
      length = size < length ? size : length;
      memcpy((uint8_t *)inputs->data + at, bytes, length);
      memcpy(inputs->undefined + at, undefined, length);
      return;
   }
   hd_texel_decode(layout, bytes, out);
   for (unsigned n = 0; n < size; n++)
      unknown |= undefined[n] != 0;
   for (unsigned c = 0; c < 4; c++)
      put_number(numbers + 4 * c, 4, out[c]);
   memcpy((uint8_t *)inputs->data + at, numbers, 16);
   memset(inputs->undefined + at, unknown, 16);
}

/* Launches */

static void
give(hd_wave_builtin *given, uint32_t *num, hd_intrinsic_id id, void *data, uint8_t *undefined,
     size_t size)
{
   given[(*num)++] = (hd_wave_builtin){ .id = id, .memory = { data, undefined, size } };
}

/* Built-in inputs of `count` vertices from `first` on, one memory after the other. */
static void
give_numbers(struct raster *r, uint32_t first, uint32_t count, hd_wave_builtin *given,
             uint32_t *num)
{
   const hd_raster_draw *d = r->draw;
   static const hd_intrinsic_id ids[6] = { HD_INTRINSIC_VERTEX_INDEX, HD_INTRINSIC_INSTANCE_INDEX,
                                           HD_INTRINSIC_BASE_VERTEX,  HD_INTRINSIC_BASE_INSTANCE,
                                           HD_INTRINSIC_DRAW_INDEX,   HD_INTRINSIC_VIEW_INDEX };

   for (unsigned k = 0; k < 6; k++) {
      if (!r->vertex.ids[ids[k]])
         continue;
      uint8_t *data = hd_stack_alloc(&r->stack, array_size(count, 4) + 1);
      for (uint32_t n = 0; n < count; n++) {
         const uint32_t values[6] = { vertex_index(r, first + n),
                                      d->first_instance + r->instance,
                                      r->indices ? (uint32_t)d->vertex_offset : d->first_vertex,
                                      d->first_instance,
                                      d->draw_index,
                                      d->view_index };
         put_number(data + 4 * (size_t)n, 4, values[k]);
      }
      give(given, num, ids[k], data, NULL, (size_t)count * 4);
   }
}

static hd_wave_memory
make_inputs(struct raster *r, uint32_t first, uint32_t count)
{
   const size_t size = array_size((uint64_t)count * r->vertex.num_inputs, 16);
   hd_wave_memory inputs = { hd_stack_alloc_zero(&r->stack, size + 1),
                             hd_stack_alloc(&r->stack, size + 1), size };

   memset(inputs.undefined, 1, size);
   for (uint32_t n = 0; n < count; n++) {
      hd_heap_step(&r->heap, 1);
      for (uint32_t k = 0; k < r->draw->num_attributes; k++)
         fetch_attribute(r, &r->draw->attributes[k], first + n, &inputs, n);
   }
   return inputs;
}

static hd_wave_memory
part_of(const struct records *records, uint32_t first, uint32_t count)
{
   const size_t at = (size_t)first * records->bytes;

   return (hd_wave_memory){ records->data + at, records->undefined + at,
                            (size_t)count * records->bytes };
}

static void
run_chunk(struct raster *r, uint32_t first, uint32_t count)
{
   const hd_stack_mark mark = hd_stack_get_mark(&r->stack);
   hd_wave_builtin given[12];
   uint32_t num = 0;

   give_numbers(r, first, count, given, &num);
   for (unsigned n = RECORD_OUTPUTS + 1; n < NUM_RECORDS; n++) {
      if (r->records[n].data)
         given[num++] = (hd_wave_builtin){ .id = builtins[n].id,
                                           .memory = part_of(&r->records[n], first, count) };
   }
   hd_wave_launch launch = {
      .workgroup_size = { count },
      .inputs = make_inputs(r, first, count),
      .num_input_locations = r->vertex.num_inputs,
      .outputs = part_of(&r->records[RECORD_OUTPUTS], first, count),
      .num_output_locations = r->num_locations,
      .given = given,
      .num_given = num,
   };
   hd_raster_launch(r, r->draw->vertex, &r->draw->vertex_runner, &launch);
   r->stats.vertices += count;
   hd_stack_release(&r->stack, mark);
}

void
hd_raster_run_vertices(struct raster *r)
{
   for (unsigned n = 0; n < NUM_RECORDS; n++) {
      struct records *records = &r->records[n];
      const size_t size = (size_t)r->num_vertices * records->bytes;
      if (!records->data)
         continue;
      memset(records->data, 0, size);
      memset(records->undefined, 1, size);
   }
   for (uint32_t n = 0; n < r->num_vertices; n += CHUNK)
      run_chunk(r, n, r->num_vertices - n < CHUNK ? r->num_vertices - n : CHUNK);
}

bool
hd_raster_read_record(const struct raster *r, unsigned record, uint32_t vertex, unsigned component,
                      uint32_t *bits)
{
   const struct records *records = &r->records[record];
   const size_t at = (size_t)vertex * records->bytes + component * 4;

   *bits = 0;
   if (!records->data || get_number(records->undefined + at, 4))
      return false;
   *bits = (uint32_t)get_number(records->data + at, 4);
   return true;
}
