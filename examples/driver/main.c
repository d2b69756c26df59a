/* SPDX-License-Identifier: MIT */
/* main.c - driver integration example.
 *
 *    driver CACHE_DIR SAXPY.spv BLUR.spv HISTOGRAM.spv VERTEX.spv FRAGMENT.spv [PIXELS LANES]
 *
 * Three applications create pipelines at once, each with its own constants; then all of them again,
 * from the cache; then with a damaged cache. Each pipeline runs, and its result is checked. A scene is drawn.
 * At the end a broken shader, too little memory. PIXELS gets the picture of the scene, 4 bytes a pixel, LANES what the
 * lanes of one of its waves did, as JSON.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"

#define NUM_SHADERS  3u
#define NUM_VARIANTS 4u /* of each, by a specialisation constant */
#define NUM_THREADS  3u

typedef struct module {
   const char *name;
   uint32_t *words;
   size_t num_words;
} module;

typedef struct application {
   device *dev;
   const module *modules;
   pipeline *pipelines; /* NUM_SHADERS x NUM_VARIANTS, shared: each is made by one thread */
   atomic_uint *next;
   unsigned failed;
} application;

static bool
read_module(const char *path, module *m)
{
   FILE *file = fopen(path, "rb");
   const char *slash = strrchr(path, '/');

   *m = (module){ .name = slash ? slash + 1 : path };
   if (!file || fseek(file, 0, SEEK_END))
      return false;
   long size = ftell(file);
   rewind(file);
   m->words = malloc(size > 0 ? (size_t)size : 1);
   m->num_words = size > 0 ? (size_t)size / 4 : 0;
   bool good = m->words && fread(m->words, 4, m->num_words, file) == m->num_words;
   fclose(file);
   return good;
}

/* Pipelines */

static hd_result
make(device *dev, const module *m, unsigned variant, pipeline *p, log *said)
{
   const hd_spirv_constant scale = { .id = 0, .bits = variant + 1 };
   const pipeline_info info = {
      .words = m->words,
      .num_words = m->num_words,
      .entry_point = "main",
      .constants = &scale,
      .num_constants = 1,
   };

   return pipeline_create(dev, &info, p, said);
}

static void *
run_application(void *user)
{
   application *app = user;
   log said;

   for (;;) {
      const unsigned n = atomic_fetch_add(app->next, 1);
      if (n >= NUM_SHADERS * NUM_VARIANTS)
         return NULL;
      if (make(app->dev, &app->modules[n / NUM_VARIANTS], n % NUM_VARIANTS, &app->pipelines[n],
               &said) != HD_OK) {
         fprintf(stderr, "%s: %s\n", app->modules[n / NUM_VARIANTS].name, said.text);
         app->failed++;
      }
   }
}

/* All variants of all modules, by several threads. */
static bool
make_all(device *dev, const module *modules, pipeline *pipelines)
{
   pthread_t threads[NUM_THREADS];
   application apps[NUM_THREADS];
   atomic_uint next = 0;
   unsigned failed = 0, started = 0;

   for (; started < NUM_THREADS; started++) {
      apps[started] = (application){ dev, modules, pipelines, &next, 0 };
      if (pthread_create(&threads[started], NULL, run_application, &apps[started]))
         break;
   }
   for (unsigned n = 0; n < started; n++) {
      pthread_join(threads[n], NULL);
      failed += apps[n].failed;
   }
   return started && !failed;
}

static void
destroy_all(pipeline *pipelines)
{
   for (unsigned n = 0; n < NUM_SHADERS * NUM_VARIANTS; n++)
      pipeline_destroy(&pipelines[n]);
}

static void
count_cache(device *dev, const char *when)
{
   printf("%s: %u hits, %u misses, %u damaged\n", when, atomic_exchange(&dev->hits, 0),
          atomic_exchange(&dev->misses, 0), atomic_exchange(&dev->damaged, 0));
}

/* Cut every second file of the cache short, and change a byte in the others. */
static void
damage_cache(const device *dev)
{
   DIR *dir = opendir(dev->cache_dir);
   const struct dirent *entry;
   unsigned n = 0;
   char path[512];

   while (dir && (entry = readdir(dir))) {
      if (entry->d_name[0] == '.' || (size_t)snprintf(path, sizeof(path), "%s/%s", dev->cache_dir,
                                                      entry->d_name) >= sizeof(path))
         continue;
      FILE *file = fopen(path, n % 2 ? "r+b" : "wb");
      if (file && !fseek(file, 200, SEEK_SET))
         fputc(n++ % 2 ? 0xff : 0, file);
      if (file)
         fclose(file);
   }
   if (dir)
      closedir(dir);
}

static void
report(const module *modules, const pipeline *pipelines)
{
   printf("pipeline           code  SGPRs  VGPRs  waves  LDS\n");
   for (unsigned n = 0; n < NUM_SHADERS; n++) {
      const hd_gcn_stats *s = &pipelines[n * NUM_VARIANTS].code.stats;
      printf("%-16s %5u B %6u %6u %6u %4u\n", modules[n].name, s->code_size, s->sgprs, s->vgprs,
             s->occupancy, s->lds_size);
   }
}

/* What goes wrong */

static bool
survive(device *dev, const module *m)
{
   module broken = { m->name, malloc(m->num_words * 4), m->num_words };
   pipeline p;
   log said;
   bool good = broken.words;

   if (!good)
      return false;
   memcpy(broken.words, m->words, m->num_words * 4);
   broken.words[m->num_words / 2] = 0xffffffff;
   hd_result result = make(dev, &broken, 0, &p, &said);
   printf("a broken shader: %s%s\n", hd_result_name(result),
          said.length ? ", and it says why" : "");
   good = result == HD_INVALID && said.length;
   free(broken.words);

   dev->memory_limit = 16384;
   result = make(dev, m, 0, &p, &said);
   printf("a limit of 16 KiB: %s\n", hd_result_name(result));
   good = good && result == HD_BUDGET_EXCEEDED;
   dev->memory_limit = 0;

   /* Each allocation of a pipeline in turn. */
   const char *cache = dev->cache_dir;
   unsigned failures = 0;
   dev->cache_dir = NULL;
   for (long n = 0; n < 100000; n++) {
      atomic_store(&dev->fail_after, n);
      result = make(dev, m, 0, &p, &said);
      pipeline_destroy(&p);
      if (result == HD_OK)
         break;
      failures++;
      good = good && result == HD_OUT_OF_MEMORY && !atomic_load(&dev->live);
   }
   atomic_store(&dev->fail_after, -1);
   dev->cache_dir = cache;
   good = good && failures && result == HD_OK;
   printf("memory that runs out, each time at the next allocation: %s\n",
          good ? "out of memory, nothing lost" : "wrong");
   return good;
}

/* What they are for */

#define NUM 1000u

static bool
run_saxpy(device *dev, const pipeline *p, unsigned variant)
{
   float x[NUM], y[NUM], wanted[NUM];
   const struct {
      float a;
      uint32_t count;
   } push = { 0.5f, NUM - 3 };
   const bound_buffer buffers[] = { { 0, 0, x, sizeof(x) }, { 0, 1, y, sizeof(y) } };
   const dispatch d = { buffers, 2, &push, sizeof(push), { (NUM + 63) / 64, 1, 1 } };
   hd_gcn_sim_stats stats;
   log said;

   for (unsigned n = 0; n < NUM; n++) {
      x[n] = (float)n;
      y[n] = 1;
      wanted[n] = n < push.count ? push.a * (float)(variant + 1) * x[n] + y[n] : y[n];
   }
   if (dispatch_run(dev, p, &d, &stats, &said) != HD_OK) {
      fprintf(stderr, "saxpy: %s\n", said.text);
      return false;
   }
   return !memcmp(y, wanted, sizeof(y));
}

/* Each word is the mean of itself and its neighbours, over a radius that is a constant. */
static bool
run_blur(device *dev, const pipeline *p, unsigned variant)
{
   uint32_t in[NUM], out[NUM] = { 0 };
   const uint32_t count = NUM;
   const bound_buffer buffers[] = { { 0, 0, in, sizeof(in) }, { 0, 1, out, sizeof(out) } };
   const dispatch d = { buffers, 2, &count, sizeof(count), { (NUM + 63) / 64, 1, 1 } };
   const int radius = (int)variant + 1;
   hd_gcn_sim_stats stats;
   log said;

   for (uint32_t n = 0; n < NUM; n++)
      in[n] = n * 2654435761u >> 16;
   if (dispatch_run(dev, p, &d, &stats, &said) != HD_OK) {
      fprintf(stderr, "blur: %s\n", said.text);
      return false;
   }
   for (int n = 0; n < (int)NUM; n++) {
      uint32_t sum = 0, taken = 0;
      for (int k = n - radius; k <= n + radius; k++) {
         if (k >= 0 && k < (int)NUM) {
            sum += in[k];
            taken++;
         }
      }
      if (out[n] != sum / taken)
         return false;
   }
   return true;
}

/* Counts in shared memory, then added to the buffer; the constant is a shift. */
static bool
run_histogram(device *dev, const pipeline *p, unsigned variant)
{
   uint32_t in[NUM], out[256] = { 0 }, wanted[256] = { 0 };
   const uint32_t count = NUM;
   const bound_buffer buffers[] = { { 0, 0, in, sizeof(in) }, { 1, 0, out, sizeof(out) } };
   const dispatch d = { buffers, 2, &count, sizeof(count), { 4, 1, 1 } };
   hd_gcn_sim_stats stats;
   log said;

   for (uint32_t n = 0; n < NUM; n++) {
      in[n] = n * 2654435761u;
      wanted[in[n] >> (variant + 1) & 255]++;
   }
   if (dispatch_run(dev, p, &d, &stats, &said) != HD_OK) {
      fprintf(stderr, "histogram: %s\n", said.text);
      return false;
   }
   return !memcmp(out, wanted, sizeof(out));
}

static bool
run_all(device *dev, const pipeline *pipelines)
{
   bool (*const run[NUM_SHADERS])(device *, const pipeline *, unsigned) = { run_saxpy, run_blur,
                                                                            run_histogram };
   bool good = true;

   for (unsigned n = 0; n < NUM_SHADERS * NUM_VARIANTS; n++)
      good = run[n / NUM_VARIANTS](dev, &pipelines[n], n % NUM_VARIANTS) && good;
   printf("%u dispatches: %s\n", NUM_SHADERS * NUM_VARIANTS,
          good ? "all as they should be" : "wrong");
   return good;
}

/* A pipeline for the scene, and again, from the cache. */
static bool
draw_scene(device *dev, const module *vertex, const module *fragment, const char *pixels,
           const char *lanes)
{
   const pipeline_info stages[] = {
      { vertex->words, vertex->num_words, "main", NULL, 0 },
      { fragment->words, fragment->num_words, "main", NULL, 0 },
   };
   graphics_pipeline p;
   bool good = true;

   for (unsigned n = 0; n < 2 && good; n++) {
      good = graphics_pipeline_create(dev, &stages[0], &stages[1], &p) == HD_OK;
      if (!good)
         fprintf(stderr, "the scene: %s\n", p.said.text);
      else if (n)
         good = scene_draw(dev, &p, pixels, lanes);
      graphics_pipeline_destroy(&p);
   }
   count_cache(dev, "the scene");
   return good;
}

int
main(int argc, char **argv)
{
   device dev = { .target = HD_GCN_GFX900, .fail_after = -1 };
   module modules[NUM_SHADERS + 2];
   pipeline pipelines[NUM_SHADERS * NUM_VARIANTS];
   const bool writes = argc == 6 + (int)NUM_SHADERS;
   bool good = true;

   if (argc != 4 + (int)NUM_SHADERS && argc != 6 + (int)NUM_SHADERS) {
      fprintf(
          stderr,
          "usage: %s CACHE_DIR SAXPY.spv BLUR.spv HISTOGRAM.spv VERTEX.spv FRAGMENT.spv [PIXELS LANES]\n",
          argv[0]);
      return 2;
   }
   dev.cache_dir = argv[1];
   for (unsigned n = 0; n < NUM_SHADERS + 2; n++) {
      if (!read_module(argv[2 + n], &modules[n])) {
         fprintf(stderr, "%s cannot be read\n", argv[2 + n]);
         return 2;
      }
   }

   good = make_all(&dev, modules, pipelines) && good;
   count_cache(&dev, "morning");
   report(modules, pipelines);
   destroy_all(pipelines);

   good = make_all(&dev, modules, pipelines) && good;
   count_cache(&dev, "noon");
   good = run_all(&dev, pipelines) && good;

   damage_cache(&dev);
   destroy_all(pipelines);
   good = make_all(&dev, modules, pipelines) && good;
   count_cache(&dev, "after an accident");
   good = run_all(&dev, pipelines) && good;
   destroy_all(pipelines);

   good =
       draw_scene(&dev, &modules[NUM_SHADERS], &modules[NUM_SHADERS + 1],
                  writes ? argv[4 + NUM_SHADERS] : NULL, writes ? argv[5 + NUM_SHADERS] : NULL) &&
       good;

   good = survive(&dev, &modules[0]) && good;
   printf("bytes left behind: %zu\n", atomic_load(&dev.live));
   for (unsigned n = 0; n < NUM_SHADERS + 2; n++)
      free(modules[n].words);
   return good && !atomic_load(&dev.live) ? 0 : 1;
}
