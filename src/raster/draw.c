/* SPDX-License-Identifier: MIT */
/* draw.c - the entry point: check the draw, then draw instance by instance. */
#include "raster/raster.h"

void
hd_raster_launch(struct raster *r, hd_shader *shader, const hd_raster_runner *runner,
                 hd_wave_launch *launch)
{
   const hd_wave_launch *from = r->draw->resources;

   if (from) {
      launch->lanes = from->lanes;
      launch->regions = from->regions;
      launch->num_regions = from->num_regions;
      launch->buffers = from->buffers;
      launch->num_buffers = from->num_buffers;
      launch->images = from->images;
      launch->num_images = from->num_images;
      launch->samplers = from->samplers;
      launch->num_samplers = from->num_samplers;
      launch->push = from->push;
      launch->undef_value = from->undef_value;
      launch->freeze_undefined = from->freeze_undefined;
      launch->seed = from->seed;
      launch->max_steps = from->max_steps;
      launch->check_uniform = from->check_uniform;
      launch->user = from->user;
      launch->trace = from->trace;
      launch->ran = from->ran;
      launch->on_write = from->on_write;
      launch->diag = from->diag;
   }
   hd_wave_stats stats;
   const hd_result result = runner->run ? runner->run(runner->user, shader, launch)
                                        : hd_wave_run(shader, launch, &stats);
   if (result != HD_OK)
      hd_heap_fail(&r->heap, result);
}

static void
check_shaders(struct raster *r)
{
   const hd_raster_draw *d = r->draw;

   if (!d->vertex || d->vertex->stage != HD_STAGE_VERTEX)
      hd_heap_refuse(&r->heap, HD_BAD_LAUNCH,
                     "hd_raster_draw.vertex: expected a vertex shader, found %s",
                     d->vertex ? "another stage" : "none");
   if (d->fragment && d->fragment->stage != HD_STAGE_FRAGMENT)
      hd_heap_refuse(&r->heap, HD_BAD_LAUNCH,
                     "hd_raster_draw.fragment: expected a fragment shader, found another stage");
   if (d->topology >= HD_NUM_TOPOLOGIES)
      hd_heap_refuse(&r->heap, HD_BAD_LAUNCH, "topology %u, expected one below %u",
                     (unsigned)d->topology, (unsigned)HD_NUM_TOPOLOGIES);
}

static void
check_counts(struct raster *r)
{
   const hd_raster_draw *d = r->draw;

   if (d->indices && d->index_size != 1 && d->index_size != 2 && d->index_size != 4)
      hd_heap_refuse(&r->heap, HD_BAD_LAUNCH, "indices of %u bytes, expected 1, 2 or 4",
                     d->index_size);
   if (d->indices && d->indices->size / d->index_size < d->num_vertices)
      hd_heap_refuse(&r->heap, HD_BAD_LAUNCH,
                     "%u vertices to draw, but the index buffer has %llu indices", d->num_vertices,
                     (unsigned long long)(d->indices->size / d->index_size));
   if (!d->num_viewports || !d->viewports)
      hd_heap_refuse(&r->heap, HD_BAD_LAUNCH, "expected one viewport or more, found none");
   for (uint32_t n = 0; n < d->num_viewports; n++) {
      const hd_viewport *v = &d->viewports[n];
      const float numbers[6] = { v->x, v->y, v->width, v->height, v->min_depth, v->max_depth };
      for (unsigned k = 0; k < 6; k++) {
         if (!(numbers[k] >= -16384.0f && numbers[k] <= 16384.0f))
            hd_heap_refuse(&r->heap, HD_BAD_LAUNCH,
                           "viewport %u: expected numbers from -16384 to 16384, found %g", n,
                           (double)numbers[k]);
      }
   }
   for (uint32_t n = 0; n < d->num_attributes; n++) {
      const hd_vertex_attribute *a = &d->attributes[n];
      const unsigned size = a->format == HD_TEXEL_RAW ? a->size : hd_texel_format_size(a->format);
      if (a->location >= HD_RASTER_MAX_LOCATIONS)
         hd_heap_refuse(&r->heap, HD_BAD_LAUNCH, "attribute %u: location %u, expected one below %u",
                        n, a->location, HD_RASTER_MAX_LOCATIONS);
      if (a->buffer >= d->num_buffers)
         hd_heap_refuse(&r->heap, HD_BAD_LAUNCH, "attribute %u: vertex buffer %u, but there are %u",
                        n, a->buffer, d->num_buffers);
      if (!size || size > 32)
         hd_heap_refuse(&r->heap, HD_BAD_LAUNCH,
                        "attribute %u: a format of %u bytes, expected 1 to 32", n, size);
   }
   for (uint32_t n = 0; n < d->num_buffers; n++) {
      if (d->buffers[n].memory.size && !d->buffers[n].memory.data)
         hd_heap_refuse(&r->heap, HD_BAD_LAUNCH, "vertex buffer %u has no memory", n);
   }
}

static void
prepare(struct raster *r)
{
   check_shaders(r);
   check_counts(r);
   hd_raster_check_attachments(r);
   hd_raster_find_usage(r, r->draw->vertex, &r->vertex);
   hd_raster_find_usage(r, r->draw->fragment, &r->fragment);
   r->per_sample = r->fragment.per_sample || r->draw->sample_shading;
   r->num_locations = r->vertex.num_outputs > r->fragment.num_inputs ? r->vertex.num_outputs
                                                                     : r->fragment.num_inputs;
   if (!r->num_locations)
      r->num_locations = 1;
   hd_raster_prepare_vertices(r);
   hd_raster_prepare_fragments(r);
}

static void
draw_instances(struct raster *r)
{
   for (uint32_t n = 0; n < r->draw->num_instances && r->num_vertices; n++) {
      r->instance = n;
      hd_raster_run_vertices(r);
      hd_raster_assemble(r);
      hd_raster_flush(r);
   }
}

/* All arithmetic on the host's floats: apart, so that the compiler does not move it over the calls around it. */
static __attribute__((noinline)) hd_result
run_guarded(struct raster *r)
{
   hd_unwind u;

   if (HD_TRY(&r->heap, &u)) {
      prepare(r);
      draw_instances(r);
   }
   return hd_heap_leave(&r->heap, &u);
}

hd_result
hd_raster_run(const hd_raster_draw *draw, hd_raster_stats *stats)
{
   struct raster r = { .draw = draw };

   hd_heap_init(&r.heap, draw->vertex ? hd_shader_config(draw->vertex) : NULL);
   if (draw->resources && draw->resources->diag.report)
      r.heap.config.diag = draw->resources->diag;
   hd_heap_refill(&r.heap);
   hd_stack_init(&r.stack, &r.heap);
   const hd_float_env env = hd_float_host_enter();
   const hd_result result = run_guarded(&r);
   hd_float_host_leave(env);
   hd_stack_finish(&r.stack);
   if (stats)
      *stats = r.stats;
   return result;
}
