/* SPDX-License-Identifier: MIT */
/* run_draw.c - heddle run --draw: shaders, their memories and a scene become a picture. */
#include "run_draw.h"

#include "png.h"
#include "scene.h"
#include "targets.h"

#include "heddle/pass.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Results */

static bool
write_picture(const struct scene *s, const char *path)
{
   hd_blob png = { 0 };
   uint8_t *rgba = malloc((size_t)s->width * s->height * 4 + 1);
   bool written = false;

   if (!s->draw.num_colors)
      trouble("--output: expected a color attachment in the scene, found none");
   else if (!rgba || hd_raster_picture(&s->targets[0].image, 0, rgba) != HD_OK)
      trouble("no memory for a picture");
   else
      png_append(&png, rgba, s->width, s->height);
   if (png.size)
      written = png.result == HD_OK ? write_file(path, png.data, png.size)
                                    : trouble("no memory for a picture") == 0;
   hd_blob_finish(&png);
   free(rgba);
   return written;
}

/* A texel as its bytes, the highest first; `?` where it is undefined. */
static void
print_texel(const hd_wave_image *image, size_t at)
{
   const unsigned size = hd_texel_format_size(image->format);
   const uint8_t *data = image->memory.data;

   for (unsigned n = size; n-- > 0;) {
      if (image->memory.undefined[at])
         fputs("??", stdout);
      else
         printf("%02x", data[at + n]);
   }
}

/* A line a row of pixels, with the samples of each one after the other. */
static void
print_target(const struct scene *s, const struct target *target, const char *name)
{
   const unsigned size = hd_texel_format_size(target->image.format);
   const size_t row = (size_t)s->width * s->samples;

   printf("%s =\n", name);
   for (size_t n = 0; n < row * s->height * s->layers; n++) {
      fputs(n % row ? " " : "   ", stdout);
      print_texel(&target->image, n * size);
      if (n % row == row - 1)
         putchar('\n');
   }
}

/* Each attachment to its file, or to standard output where there is no picture. */
static bool
give_target(const struct scene *s, const struct target *target, const char *name)
{
   if (target->file)
      return write_file(target->file, target->image.memory.data, target->image.memory.size);
   if (!option_given(s->t, "output"))
      print_target(s, target, name);
   return true;
}

static bool
give_targets(const struct scene *s)
{
   bool given = true;

   for (uint32_t n = 0; n < s->draw.num_colors; n++) {
      char name[32];
      snprintf(name, sizeof(name), "color %u", n);
      given &= give_target(s, &s->targets[n], name);
   }
   if (s->draw.depth)
      given &= give_target(s, &s->targets[DEPTH_TARGET], "depth");
   if (s->draw.stencil)
      given &= give_target(s, &s->targets[STENCIL_TARGET], "stencil");
   return given;
}

/* What both stages may have changed. */
static bool
give_memories(const struct launch_arguments *a)
{
   bool given = true;

   for (unsigned n = 0; n < a->num_memories; n++) {
      const struct memory *m = &a->memories[n];
      if (m->file)
         given &= write_memory(m);
      else if (!is_sampler(m) && !is_memory_of(m, "push") && m->operand[0] >= '0' &&
               m->operand[0] <= '9')
         print_memory(m, a->t->json);
   }
   return given;
}

static void
print_stats(const hd_raster_stats *stats)
{
   printf("vertices: %" PRIu64 "\nprimitives: %" PRIu64 "\nvisible: %" PRIu64
          "\nfragments: %" PRIu64 "\nhelpers: %" PRIu64 "\nsamples: %" PRIu64 "\n",
          stats->vertices, stats->primitives, stats->visible, stats->fragments, stats->helpers,
          stats->samples);
}

/* The shaders */

/* A file is SPIR-V of both stages or of one; the entry point of this one is chosen. */
static hd_shader *
load_stage(tool *t, const char *path, hd_stage stage, int *status)
{
   t->stages = 1u << stage;
   hd_shader *shader = load_shader(t, path, status);
   t->stages = 0;
   if (shader && shader->stage != stage) {
      *status = trouble("'%s': expected a %s shader, found another stage", path,
                        stage == HD_STAGE_VERTEX ? "vertex" : "fragment");
      hd_shader_destroy(shader);
      return NULL;
   }
   return shader;
}

/* What the module says of its fragment shader: when tests are done. */
static void
apply_modes(const tool *t, const hd_shader *fragment, hd_raster_draw *draw)
{
   const hd_spirv_info *info = t->spirv_info;

   for (uint32_t n = 0; t->was_spirv && info && n < info->num_entry_points; n++) {
      const hd_spirv_entry_point *e = &info->entry_points[n];
      if (e->stage != HD_STAGE_FRAGMENT || strcmp(e->name, fragment->name) != 0)
         continue;
      draw->early_fragment_tests |= (e->modes & HD_SPIRV_EARLY_FRAGMENT_TESTS) != 0;
      draw->post_depth_coverage |= (e->modes & HD_SPIRV_POST_DEPTH_COVERAGE) != 0;
   }
}

static int
optimize(const tool *t, hd_shader *shader)
{
   const char *level = option_value(t, "optimize");
   char name[16];

   if (!level || !shader)
      return 0;
   snprintf(name, sizeof(name), "O%s", level);
   const hd_result result = hd_run_pipeline(shader, name, NULL, NULL);
   return result == HD_OK ? 0 : explain(t, "run", result);
}

/* A shader as machine code in the simulator. */
struct compiled {
   tool *t;
   const hd_target *target;
   int status; /* not 0: an option does not fit, a message was printed */
};

static hd_result
run_compiled(void *user, hd_shader *shader, const hd_wave_launch *launch)
{
   struct compiled *c = user;
   hd_result result = HD_OK;

   c->status = machine_of(c->target)->run(c->t, c->target, shader, launch, &result);
   return c->status ? HD_BAD_LAUNCH : result;
}

static int
draw(struct launch_arguments *a, struct scene *s)
{
   struct compiled c = { .t = a->t };
   const char *path = option_value(a->t, "output");
   hd_raster_stats stats;

   s->draw.vertex = a->shader;
   s->draw.resources = &a->launch;
   if (option_given(a->t, "target")) {
      c.target = find_target(a->t);
      if (!c.target)
         return EXIT_TROUBLE;
      s->draw.vertex_runner = s->draw.fragment_runner = (hd_raster_runner){ &c, run_compiled };
   }
   const hd_result result = hd_raster_run(&s->draw, &stats);
   if (c.status)
      return c.status;
   if (result != HD_OK)
      return a->t->num_errors ? EXIT_BAD_INPUT : explain(a->t, "run", result);
   if ((path && !write_picture(s, path)) || !give_targets(s) || !give_memories(a))
      return EXIT_TROUBLE;
   if (option_given(a->t, "stats"))
      print_stats(&stats);
   return 0;
}

static int
load_and_draw(struct launch_arguments *a, struct scene *s)
{
   tool *t = a->t;
   int status = 0;
   const bool has_fragment = t->num_operands > 1 && !strchr(t->operands[1], '=');

   if (!t->num_operands)
      return trouble("--draw wants a vertex shader");
   a->num_shaders = has_fragment ? 2 : 1;
   a->shader = load_stage(t, t->operands[0], HD_STAGE_VERTEX, &status);
   if (!a->shader)
      return status;
   hd_spirv_info_destroy(t->spirv_info);
   t->spirv_info = NULL;
   hd_shader *fragment =
       has_fragment ? load_stage(t, t->operands[1], HD_STAGE_FRAGMENT, &status) : NULL;
   if (fragment)
      apply_modes(t, fragment, &s->draw);
   s->draw.fragment = fragment;
   if (!status)
      status = read_launch_memories(a) && check_push(a, fragment) ? optimize(t, a->shader)
                                                                  : EXIT_TROUBLE;
   if (!status)
      status = optimize(t, fragment);
   if (!status)
      status = draw(a, s);
   hd_shader_destroy(fragment);
   return status;
}

int
run_draw_scene(struct launch_arguments *a)
{
   struct scene *s = calloc(1, sizeof(*s));
   int status = EXIT_TROUBLE;

   if (!s)
      return explain(a->t, "run", HD_OUT_OF_MEMORY);
   if (read_scene(a->t, option_value(a->t, "draw"), s))
      status = load_and_draw(a, s);
   free_scene(s);
   free(s);
   return status;
}
