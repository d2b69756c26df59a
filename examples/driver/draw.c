/* SPDX-License-Identifier: MIT */
/* draw.c - a draw: the fixed parts of the chip (raster.h) ask for vertices and for quads of fragments; here waves of
 * the compiled shaders are started for them on the simulated GPU, and what they export is handed back.
 *
 *    vertex     v0: the number of the vertex           exports   position, a parameter a location
 *    fragment   v0, v1: place in the primitive         exports   a colour, and who is kept
 *               LDS: of each parameter and quad P0, P1 - P0, P2 - P0; m0: where primitives begin
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"
#include "heddle/intrinsic_enum.h"

#define LANES        64u
#define QUADS        16u
#define MAX_VGPRS    2u
#define INPUT_BYTES  48u /* of a parameter of a quad */
#define MAX_LDS      (HD_GCN_MAX_PARAMETERS * QUADS * INPUT_BYTES)
#define RECORD_BYTES 16u /* of a location */

#define PS_PERSPECTIVE_CENTER 2u /* SPI_PS_INPUT_ENA: the only thing that is given here */

enum export_target { EXPORT_POSITION = 12, EXPORT_PARAMETER = 32 };

typedef struct drawing {
   device *dev;
   const graphics_pipeline *p;
   const hd_raster_draw *draw;
   lanes_log *lanes;
   space space;
   uint64_t vertex_buffers;
} drawing;

/* The waves of one launch of the rasteriser. */
typedef struct launched {
   const drawing *d;
   const hd_wave_launch *from;
   const hd_gcn_graphics *graphics;
   uint32_t count; /* invocations */
   hd_gcn_sim_start *starts;
   uint32_t (*vgprs)[MAX_VGPRS][LANES], (*undefined)[MAX_VGPRS][LANES];
   uint8_t *lds, *lds_undefined;
   /* Of the lanes that are told: the wave that runs. */
   hd_blob text;
   uint32_t wave;
   uint64_t helpers;
} launched;

static float
read_float(const hd_wave_memory *m, size_t at)
{
   float f = 0;

   if (at + sizeof(f) <= m->size)
      memcpy(&f, (const uint8_t *)m->data + at, sizeof(f));
   return f;
}

static void
write_word(const hd_wave_memory *m, size_t at, uint32_t word)
{
   if (!m->data || at + sizeof(word) > m->size)
      return;
   memcpy((uint8_t *)m->data + at, &word, sizeof(word));
   if (m->undefined)
      memset(m->undefined + at, 0, sizeof(word));
}

static const hd_wave_memory *
find_given(const hd_wave_launch *from, hd_intrinsic_id id)
{
   for (uint32_t n = 0; n < from->num_given; n++) {
      if (from->given[n].id == id)
         return &from->given[n].memory;
   }
   return NULL;
}

/* Exports */

static void
take_channels(const launched *l, const hd_gcn_sim_export *e, const hd_wave_memory *to,
              uint32_t record, uint32_t offset)
{
   for (unsigned c = 0; c < 4; c++) {
      for (unsigned lane = 0; e->values[c] && lane < LANES; lane++) {
         const uint32_t n = e->workgroup * LANES + lane;
         if (e->lanes >> lane & 1 && n < l->count)
            write_word(to, (size_t)n * record + offset + 4 * c, e->values[c][lane]);
      }
   }
}

static void
take_export(void *receiver, const hd_gcn_sim_export *e)
{
   const launched *l = receiver;
   const uint32_t record = l->from->num_output_locations * RECORD_BYTES;
   const hd_wave_memory *position = find_given(l->from, HD_INTRINSIC_STORE_POSITION);

   if (e->target >= EXPORT_PARAMETER)
      take_channels(l, e, &l->from->outputs, record,
                    l->graphics->parameters[e->target - EXPORT_PARAMETER].location * RECORD_BYTES);
   else if (e->target == EXPORT_POSITION && position)
      take_channels(l, e, position, RECORD_BYTES, 0);
   else if (e->target < l->from->num_output_locations)
      take_channels(l, e, &l->from->outputs, record, e->target * RECORD_BYTES);
   for (unsigned lane = 0; e->done && e->valid && lane < LANES; lane++) {
      const uint64_t n = e->workgroup * LANES + lane;
      if (e->lanes >> lane & 1 && n < l->from->num_survivors)
         l->from->survivors[n] = 1;
   }
}

/* Lanes that are told */

/* The wave that ran before is kept, if it has more helpers than the one that was. */
static void
finish_wave(launched *l)
{
   lanes_log *log = l->d->lanes;

   log->waves++;
   if (l->helpers > log->helpers && l->text.result == HD_OK) {
      hd_blob_finish(&log->kept);
      log->kept = l->text;
      log->helpers = l->helpers;
      hd_blob_init(&l->text, NULL);
   }
   l->text.size = 0;
   l->helpers = 0;
}

static unsigned
count(uint64_t lanes)
{
   unsigned num = 0;

   for (; lanes; lanes &= lanes - 1)
      num++;
   return num;
}

static void
tell_step(void *user, const hd_gcn_sim_step *step)
{
   launched *l = user;
   const uint64_t covered = l->starts[step->workgroup].lanes;
   const uint64_t helpers = step->exec & ~covered;

   if (step->workgroup != l->wave)
      finish_wave(l);
   l->wave = step->workgroup;
   l->helpers += count(helpers);
   l->d->lanes->steps++;
   l->d->lanes->active += count(step->exec);
   l->d->lanes->all_helpers += count(helpers);
   hd_blob_printf(&l->text,
                  "{\"workgroup\":0,\"wave\":0,\"mask\":\"%016" PRIx64
                  "\",\"covered\":\"%016" PRIx64 "\",\"text\":",
                  step->exec, covered);
   hd_blob_json(&l->text, step->text, strlen(step->text));
   hd_blob_append(&l->text, "}\n", 2);
}

/* Waves */

static void
finish_launch(launched *l)
{
   free(l->starts);
   free(l->vgprs);
   free(l->undefined);
   free(l->lds);
   free(l->lds_undefined);
   hd_blob_finish(&l->text);
}

/* Lanes of invocations, nothing in their registers. */
static bool
start_waves(launched *l, unsigned num_vgprs, size_t lds_size)
{
   const uint32_t num = (l->count + LANES - 1) / LANES;

   l->starts = calloc(num + 1, sizeof(*l->starts));
   l->vgprs = calloc(num + 1, sizeof(*l->vgprs));
   l->undefined = calloc(num + 1, sizeof(*l->undefined));
   l->lds = calloc(num + 1, lds_size + 1);
   l->lds_undefined = calloc(1, lds_size + 1);
   if (!l->starts || !l->vgprs || !l->undefined || !l->lds || !l->lds_undefined)
      return false;
   for (uint32_t n = 0; n < l->count; n++) {
      const bool helper = n < l->from->num_helpers && l->from->helpers[n];
      l->starts[n / LANES].lanes |= (uint64_t)!helper << n % LANES;
   }
   for (uint32_t n = 0; n < num; n++) {
      l->starts[n].vgprs = l->vgprs[n];
      l->starts[n].undefined = l->undefined[n];
      l->starts[n].num_vgprs = num_vgprs;
      l->starts[n].lds = l->lds + n * lds_size;
      l->starts[n].lds_undefined = l->lds_undefined;
   }
   return true;
}

static hd_result
run(launched *l, const hd_config *config, hd_gcn_sim_launch *launch)
{
   launch->starts = l->starts;
   launch->num_workgroups[0] = (l->count + LANES - 1) / LANES;
   launch->workgroup_size[0] = LANES;
   launch->receive = take_export;
   launch->receiver = l;
   launch->options.diag = config->diag;
   return hd_gcn_sim_run(config, launch, NULL);
}

static hd_result
run_vertices(void *user, hd_shader *shader, const hd_wave_launch *from)
{
   const drawing *d = user;
   const code *c = &d->p->vertex_code;
   launched l = {
      .d = d, .from = from, .graphics = &c->graphics, .count = from->workgroup_size[0]
   };
   hd_result result = HD_OUT_OF_MEMORY;

   /* Of so many vertices the rasteriser makes several launches. */
   if (l.count != d->draw->num_vertices)
      return HD_UNSUPPORTED;
   if (start_waves(&l, 1, 0)) {
      hd_gcn_sim_launch launch = space_launch(&d->space, d->dev, c);
      for (uint32_t n = 0; n < l.count; n++)
         l.vgprs[n / LANES][0][n % LANES] = n;
      set_pointer(&launch, SGPR_VERTEX_BUFFERS, d->vertex_buffers);
      launch.user_sgprs[SGPR_BASE_VERTEX] = launch.user_sgprs[SGPR_BASE_INSTANCE] = 0;
      launch.sends_positions = true;
      result = run(&l, hd_shader_config(shader), &launch);
   }
   finish_launch(&l);
   return result;
}

/* What the three vertices of a quad's primitive have: as much as the shader reads. */
static void
load_parameters(launched *l, uint32_t quad)
{
   const uint32_t record = l->from->num_input_locations * RECORD_BYTES;
   hd_gcn_sim_start *start = &l->starts[quad / QUADS];

   for (uint32_t p = 0; p < l->graphics->num_parameters; p++) {
      const uint32_t location = l->graphics->parameters[p].location;
      for (unsigned c = 0; c < 4; c++) {
         float values[3];
         for (unsigned v = 0; v < 3; v++)
            values[v] = read_float(&l->from->corners, ((size_t)quad * 4 * 3 + v) * record +
                                                          location * RECORD_BYTES + 4 * c);
         values[1] -= values[0];
         values[2] -= values[0];
         for (unsigned v = 0; v < 3; v++)
            memcpy(start->lds + (p * QUADS + quad % QUADS) * INPUT_BYTES + v * 16 + 4 * c,
                   &values[v], sizeof(float));
      }
   }
}

static hd_result
run_fragments(void *user, hd_shader *shader, const hd_wave_launch *from)
{
   const drawing *d = user;
   const code *c = &d->p->fragment_code;
   const hd_wave_memory *places = find_given(from, HD_INTRINSIC_BARYCENTRIC);
   const uint32_t lds_size = c->graphics.num_parameters * QUADS * INPUT_BYTES;
   launched l = {
      .d = d, .from = from, .graphics = &c->graphics, .count = from->workgroup_size[0]
   };
   hd_result result = HD_OUT_OF_MEMORY;

   hd_blob_init(&l.text, NULL);
   if (c->graphics.ps_input_ena != PS_PERSPECTIVE_CENTER || !places || lds_size > MAX_LDS)
      return HD_UNSUPPORTED;
   if (start_waves(&l, 2, lds_size)) {
      hd_gcn_sim_launch launch = space_launch(&d->space, d->dev, c);
      launch.lds_size = lds_size;
      for (uint32_t n = 0; n < l.count; n++) {
         for (unsigned k = 0; k < 2; k++) {
            const float place = read_float(places, (size_t)n * 8 + 4 * k);
            memcpy(&l.vgprs[n / LANES][k][n % LANES], &place, sizeof(place));
         }
      }
      for (uint32_t quad = 0; quad < l.count / 4; quad++)
         load_parameters(&l, quad);
      /* Each quad begins a primitive. */
      for (uint32_t n = 0; n * LANES < l.count; n++) {
         l.starts[n].num_sgprs = 1;
         l.starts[n].sgprs[0] = 0x7fffu << 16;
      }
      if (d->lanes) {
         launch.options.user = &l;
         launch.options.trace = tell_step;
      }
      result = run(&l, hd_shader_config(shader), &launch);
      if (d->lanes)
         finish_wave(&l);
   }
   finish_launch(&l);
   return result;
}

/* What the application bound, as descriptors. */
static hd_result
bind_resources(space *s, const hd_wave_launch *resources)
{
   hd_result result = HD_OK;

   for (uint32_t n = 0; n < resources->num_buffers && result == HD_OK; n++) {
      const hd_wave_buffer *b = &resources->buffers[n];
      result = bind_buffer(
          s, &(bound_buffer){ b->set, b->binding, b->memory.data, (uint32_t)b->memory.size });
   }
   for (uint32_t n = 0; n < resources->num_images && result == HD_OK; n++)
      result = bind_image(s, &resources->images[n]);
   for (uint32_t n = 0; n < resources->num_samplers && result == HD_OK; n++)
      result = bind_sampler(s, &resources->samplers[n]);
   return result;
}

hd_result
graphics_draw(device *dev, graphics_pipeline *p, const hd_raster_draw *draw, lanes_log *lanes,
              hd_raster_stats *stats)
{
   drawing d = { .dev = dev, .p = p, .draw = draw, .lanes = lanes };
   hd_raster_draw own = *draw;

   if (dev->target != HD_GCN_GFX900 || draw->indices || draw->num_instances != 1 ||
       draw->first_vertex)
      return HD_UNSUPPORTED;
   space_init(&d.space, &p->layout);
   hd_result result = space_push(&d.space, draw->resources->push.data, draw->resources->push.size)
                          ? bind_resources(&d.space, draw->resources)
                          : HD_UNSUPPORTED;
   if (result == HD_OK)
      result = bind_attributes(&d.space, draw, &d.vertex_buffers);
   own.vertex = p->vertex;
   own.fragment = p->fragment;
   own.vertex_runner = (hd_raster_runner){ &d, run_vertices };
   own.fragment_runner = (hd_raster_runner){ &d, run_fragments };
   if (result == HD_OK)
      result = hd_raster_run(&own, stats);
   space_finish(&d.space);
   return result;
}
