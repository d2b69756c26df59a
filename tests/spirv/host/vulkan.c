/* SPDX-License-Identifier: MIT */
/* vulkan.c - runs compute shaders on a Vulkan device, or only compiles them and tells of the code.
 *
 *    vulkan_host [--statistics] [--assembly=FOLDER] [--seconds=S] [--timeout=S] JOBS
 *    vulkan_host --device
 *
 * The device is the loader's first (VK_ICD_FILENAMES, RADV_FORCE_FAMILY). Words of a job:
 *
 *    name=NAME file=SPV [entry=NAME] [groups=X,Y,Z] [subgroup=N] [push=FILE] [spec=ID:HEX]...
 *    [buffer=PLACE:IN:[OUT]]...      PLACE is SET.BINDING or SET.BINDING.INDEX
 *    [image=...]... [sampler=...]... as vulkan_image.h says
 *    [vertex=SPV ...]                a draw: as vulkan_draw.h says
 *    [memory=ADDRESS:IN:[OUT]]...    what has no binding; other bytes name it by this address
 *    [patch=WHERE+OFFSET:ADDRESS]... the 64 bits at this offset of push, a PLACE or @ADDRESS are an
 *                                    address in the memory named; they become what it is here
 *
 * --statistics runs nothing: it compiles, answers with the driver's statistics, and with the
 * nanoseconds of CPU time of the fastest of the compilations that fit in S seconds. Those of a draw
 * are members `vertex` and `fragment`.
 */
#include "vulkan_draw.h"
#include "vulkan_inputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options {
   const char *assembly;
   double seconds;
   bool statistics;
};

struct state {
   struct device device;
   const struct options *options;
};

static VkResult
submit(struct device *d, struct program *p, struct inputs *x, VkPipeline pipeline,
       const uint32_t groups[3])
{
   VkCommandBuffer commands;

   VkResult result = commands_begin(d, &commands);
   if (result)
      return result;
   vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   inputs_bind(commands, p, x, VK_PIPELINE_BIND_POINT_COMPUTE);
   vkCmdDispatch(commands, groups[0], groups[1], groups[2]);
   inputs_read(commands, x);
   return commands_run(d, commands);
}

static void
run(struct device *d, struct job *job, struct program *p)
{
   struct inputs x = { 0 };
   VkPipeline pipeline = VK_NULL_HANDLE;
   uint32_t groups[3];

   job_sizes(job, "groups", 3, groups);
   VkResult result = program_pipeline(d, p, 0, &pipeline);
   if (result)
      job_error(job, "no pipeline: %s", vulkan_result(result));
   else if (!inputs_open(d, p, job, &x))
      job_error(job, "its inputs cannot be set up");
   else if ((result = submit(d, p, &x, pipeline, groups)))
      job_error(job, "does not run: %s", vulkan_result(result));
   else if (inputs_write(&x))
      job_answer(job, ", \"subgroup\": %u", d->subgroups.subgroupSize);
   else
      job_error(job, "its outputs cannot be written");
   vkDestroyPipeline(d->device, pipeline, NULL);
   inputs_close(d, &x);
}

static VkResult
make_pipeline(struct device *d, struct program *p, const struct draw *draw,
              VkPipelineCreateFlags flags, VkPipeline *pipeline)
{
   return draw ? draw_pipeline(d, p, draw, flags, pipeline)
               : program_pipeline(d, p, flags, pipeline);
}

/* `draw` is NULL for a compute shader. */
static void
compile(struct device *d, struct job *job, struct program *p, const struct draw *draw,
        const struct options *options)
{
   const VkPipelineCreateFlags capture =
       VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR |
       VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
   VkPipeline pipeline = VK_NULL_HANDLE, timed;
   double best = 1e30, end;
   unsigned runs = 0;

   VkResult result = make_pipeline(d, p, draw, d->executables ? capture : 0, &pipeline);
   if (result) {
      job_error(job, "no pipeline: %s", vulkan_result(result));
      return;
   }
   end = cpu_seconds() + options->seconds;
   do {
      double start = cpu_seconds();
      if (make_pipeline(d, p, draw, 0, &timed))
         break;
      double took = cpu_seconds() - start;
      vkDestroyPipeline(d->device, timed, NULL);
      best = took < best ? took : best;
      runs++;
   } while (cpu_seconds() < end || runs < 3);
   printf("{\"name\": ");
   job_print_string(job_value(job, "name"));
   printf(", \"ns\": %.0f", best * 1e9);
   pipeline_statistics(d, pipeline, job, options->assembly);
   printf("}\n");
   vkDestroyPipeline(d->device, pipeline, NULL);
}

static void
compile_draw(struct device *d, struct job *job, struct program *p, const struct options *options)
{
   struct draw *draw = draw_open(d, job);

   if (!draw)
      return;
   compile(d, job, p, draw, options);
   draw_close(d, draw);
}

static void *
start(void *options)
{
   struct state *s = calloc(1, sizeof *s);

   if (!s || !device_open(&s->device))
      return NULL;
   s->options = options;
   return s;
}

static void
run_job(void *state, struct job *job)
{
   struct state *s = state;
   struct program program;

   if (!program_open(&s->device, job, &program))
      return;
   if (job_value(job, "vertex") && s->options->statistics)
      compile_draw(&s->device, job, &program, s->options);
   else if (job_value(job, "vertex"))
      draw_run(&s->device, job, &program);
   else if (s->options->statistics)
      compile(&s->device, job, &program, NULL, s->options);
   else
      run(&s->device, job, &program);
   program_close(&s->device, &program);
}

static int
show_device(void)
{
   struct device d;

   if (!device_open(&d))
      return 2;
   printf("{\"name\": ");
   job_print_string(d.properties.deviceName);
   printf(", \"subgroup\": %u, \"operations\": %u, \"executables\": %s}\n",
          d.subgroups.subgroupSize, d.subgroups.supportedOperations,
          d.executables ? "true" : "false");
   return 0;
}

int
main(int argc, char **argv)
{
   struct options options = { .seconds = 0.02 };
   const char *jobs = NULL;
   unsigned timeout = 60;

   for (int k = 1; k < argc; k++) {
      if (!strcmp(argv[k], "--device"))
         return show_device();
      if (!strcmp(argv[k], "--statistics"))
         options.statistics = true;
      else if (!strncmp(argv[k], "--assembly=", 11))
         options.assembly = argv[k] + 11;
      else if (!strncmp(argv[k], "--seconds=", 10))
         options.seconds = strtod(argv[k] + 10, NULL);
      else if (!strncmp(argv[k], "--timeout=", 10))
         timeout = (unsigned)strtoul(argv[k] + 10, NULL, 10);
      else
         jobs = argv[k];
   }
   if (!jobs) {
      fprintf(stderr, "usage: vulkan_host [--statistics] [--assembly=FOLDER] [--seconds=S] "
                      "[--timeout=S] JOBS\n");
      return 2;
   }
   return jobs_run(jobs, timeout, start, run_job, &options);
}
