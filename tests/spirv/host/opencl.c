/* SPDX-License-Identifier: MIT */
/* opencl.c - runs OpenCL kernels on the first device of the first platform.
 *
 *    opencl_host [--timeout=S] JOBS
 *    opencl_host --device
 *
 * Words of a job:
 *
 *    name=NAME file=SOURCE kernel=NAME [options=WORD]... global=X,Y,Z local=X,Y,Z
 *    [arg=buffer:IN:[OUT] | arg=local:BYTES | arg=value:HEX |
 *     arg=image:OBJECT:ORDER:TYPE:TEXEL:WIDTH:HEIGHT:DEPTH:LAYERS:IN:[OUT] | arg=sampler:NORMALIZED:ADDRESS:FILTER]...
 *
 * Numbers of images and samplers are those of OpenCL; TEXEL has bytes.
 * The file is SPIR-V if its name ends so, else OpenCL C.
 */
#define CL_TARGET_OPENCL_VERSION 300
#include "jobs.h"

#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ARGUMENTS = 32, MAX_VALUE = 512 };

struct state {
   cl_device_id device;
   cl_context context;
   cl_command_queue queue;
};

struct argument {
   cl_mem buffer;
   cl_sampler sampler;
   const char *out;
   size_t size;
   size_t region[3]; /* of an image; else 0 */
};

static void *
start(void *options)
{
   struct state *s = calloc(1, sizeof *s);
   cl_platform_id platform;
   cl_int error;

   (void)options;
   if (!s || clGetPlatformIDs(1, &platform, NULL) ||
       clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &s->device, NULL)) {
      fprintf(stderr, "no OpenCL device\n");
      free(s);
      return NULL;
   }
   s->context = clCreateContext(NULL, 1, &s->device, NULL, NULL, &error);
   if (error) {
      fprintf(stderr, "no OpenCL context: %d\n", error);
      free(s);
      return NULL;
   }
   s->queue = clCreateCommandQueueWithProperties(s->context, s->device, NULL, &error);
   return s;
}

/* The job's program, built; NULL, answered, if it cannot be. */
static cl_program
build(struct state *s, struct job *job)
{
   const char *path = job_value(job, "file"), *options = job_value(job, "options");
   size_t size, length = strlen(path);
   char *data = file_read(path, &size);
   cl_program program = NULL;
   cl_int error = CL_INVALID_VALUE;

   if (data && length > 4 && !strcmp(path + length - 4, ".spv"))
      program = clCreateProgramWithIL(s->context, data, size, &error);
   else if (data)
      program = clCreateProgramWithSource(s->context, 1, (const char **)&data, &size, &error);
   free(data);
   if (error) {
      job_error(job, "cannot read %s: %d", path, error);
      return NULL;
   }
   error = clBuildProgram(program, 1, &s->device, options ? options : "", NULL, NULL);
   if (error) {
      char log[400] = "";
      char *all = NULL;
      size_t log_size = 0;
      clGetProgramBuildInfo(program, s->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &log_size);
      all = calloc(1, log_size + 1);
      if (all)
         clGetProgramBuildInfo(program, s->device, CL_PROGRAM_BUILD_LOG, log_size, all, NULL);
      snprintf(log, sizeof log, "%s", all ? all : "");
      free(all);
      job_error(job, "does not build (%d): %s", error, log);
      clReleaseProgram(program);
      return NULL;
   }
   return program;
}

/* The next of numbers with colons between. */
static cl_uint
next_number(char **text)
{
   const cl_uint n = (cl_uint)strtoul(*text, text, 0);

   *text += **text == ':';
   return n;
}

static cl_int
set_image(struct state *s, cl_kernel kernel, unsigned n, char *text, struct argument *a)
{
   cl_uint numbers[8];
   cl_int error;

   for (unsigned k = 0; k < 8; k++)
      numbers[k] = next_number(&text);
   const cl_image_format format = { numbers[1], numbers[2] };
   cl_image_desc desc = { .image_type = numbers[0],
                          .image_width = numbers[4],
                          .image_height = numbers[5],
                          .image_depth = numbers[6],
                          .image_array_size = numbers[7] };
   a->region[0] = numbers[4];
   a->region[1] = numbers[0] == CL_MEM_OBJECT_IMAGE1D_ARRAY ? numbers[7] : numbers[5];
   a->region[2] = numbers[0] == CL_MEM_OBJECT_IMAGE2D_ARRAY ? numbers[7] : numbers[6];
   char *out = strchr(text, ':');
   if (!out)
      return CL_INVALID_VALUE;
   *out++ = 0;
   a->out = out;
   void *data = file_read(text, &a->size);
   if (!data)
      return CL_INVALID_VALUE;
   a->buffer = clCreateImage(s->context, CL_MEM_COPY_HOST_PTR, &format, &desc, data, &error);
   free(data);
   return error ? error : clSetKernelArg(kernel, n, sizeof a->buffer, &a->buffer);
}

static cl_int
set_sampler(struct state *s, cl_kernel kernel, unsigned n, char *text, struct argument *a)
{
   const cl_sampler_properties normalized = next_number(&text), address = next_number(&text),
                               filter = next_number(&text);
   const cl_sampler_properties properties[] = { CL_SAMPLER_NORMALIZED_COORDS,
                                                normalized,
                                                CL_SAMPLER_ADDRESSING_MODE,
                                                address,
                                                CL_SAMPLER_FILTER_MODE,
                                                filter,
                                                0 };
   cl_int error;

   a->sampler = clCreateSamplerWithProperties(s->context, properties, &error);
   return error ? error : clSetKernelArg(kernel, n, sizeof a->sampler, &a->sampler);
}

/* buffer:IN:OUT, local:BYTES, value:HEX, image:..., sampler:... */
static cl_int
set_argument(struct state *s, cl_kernel kernel, unsigned n, char *text, struct argument *a)
{
   char *rest = strchr(text, ':');
   cl_int error;

   if (!rest)
      return CL_INVALID_VALUE;
   *rest++ = 0;
   if (!strcmp(text, "local"))
      return clSetKernelArg(kernel, n, strtoul(rest, NULL, 0), NULL);
   if (!strcmp(text, "value")) {
      _Alignas(16) uint8_t bytes[MAX_VALUE];
      return clSetKernelArg(kernel, n, hex_read(rest, bytes, sizeof bytes), bytes);
   }
   if (!strcmp(text, "image"))
      return set_image(s, kernel, n, rest, a);
   if (!strcmp(text, "sampler"))
      return set_sampler(s, kernel, n, rest, a);
   char *out = strchr(rest, ':');
   if (!out)
      return CL_INVALID_VALUE;
   *out++ = 0;
   a->out = out;
   void *data = file_read(rest, &a->size);
   if (!data)
      return CL_INVALID_VALUE;
   a->buffer =
       clCreateBuffer(s->context, CL_MEM_COPY_HOST_PTR, a->size ? a->size : 1, data, &error);
   free(data);
   return error ? error : clSetKernelArg(kernel, n, sizeof a->buffer, &a->buffer);
}

static cl_int
read_back(struct state *s, const struct argument *a, void *data)
{
   const size_t origin[3] = { 0 };

   if (a->region[0])
      return clEnqueueReadImage(s->queue, a->buffer, CL_TRUE, origin, a->region, 0, 0, data, 0,
                                NULL, NULL);
   return clEnqueueReadBuffer(s->queue, a->buffer, CL_TRUE, 0, a->size, data, 0, NULL, NULL);
}

static cl_int
write_outputs(struct state *s, struct argument *arguments, unsigned count)
{
   for (unsigned k = 0; k < count; k++) {
      struct argument *a = &arguments[k];
      if (!a->out || !*a->out)
         continue;
      void *data = malloc(a->size + 1);
      cl_int error = data ? read_back(s, a, data) : CL_OUT_OF_HOST_MEMORY;
      if (!error && !file_write(a->out, data, a->size))
         error = CL_INVALID_VALUE;
      free(data);
      if (error)
         return error;
   }
   return CL_SUCCESS;
}

static void
run_job(void *state, struct job *job)
{
   struct state *s = state;
   struct argument arguments[MAX_ARGUMENTS] = { 0 };
   unsigned count = 0;
   uint32_t sizes[2][3];
   cl_int error;

   cl_program program = build(s, job);
   if (!program)
      return;
   cl_kernel kernel = clCreateKernel(program, job_value(job, "kernel"), &error);
   for (unsigned k = 0; k < job->num_words && !error; k++) {
      if (strcmp(job->keys[k], "arg") || count == MAX_ARGUMENTS)
         continue;
      error = set_argument(s, kernel, count, job->values[k], &arguments[count]);
      count++;
   }
   if (!error) {
      job_sizes(job, "global", 3, sizes[0]);
      job_sizes(job, "local", 3, sizes[1]);
      const size_t global[3] = { sizes[0][0], sizes[0][1], sizes[0][2] };
      const size_t local[3] = { sizes[1][0], sizes[1][1], sizes[1][2] };
      error = clEnqueueNDRangeKernel(s->queue, kernel, 3, NULL, global, local, 0, NULL, NULL);
   }
   if (!error)
      error = clFinish(s->queue);
   if (!error)
      error = write_outputs(s, arguments, count);
   for (unsigned k = 0; k < count; k++) {
      if (arguments[k].buffer)
         clReleaseMemObject(arguments[k].buffer);
      if (arguments[k].sampler)
         clReleaseSampler(arguments[k].sampler);
   }
   if (kernel)
      clReleaseKernel(kernel);
   clReleaseProgram(program);
   if (error)
      job_error(job, "does not run: %d", error);
   else
      job_answer(job, " ");
}

static int
show_device(void)
{
   struct state *s = start(NULL);
   char name[256] = "", version[256] = "", extensions[8192] = "";

   if (!s)
      return 2;
   clGetDeviceInfo(s->device, CL_DEVICE_NAME, sizeof name, name, NULL);
   clGetDeviceInfo(s->device, CL_DEVICE_OPENCL_C_VERSION, sizeof version, version, NULL);
   clGetDeviceInfo(s->device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL);
   printf("{\"name\": ");
   job_print_string(name);
   printf(", \"version\": ");
   job_print_string(version);
   printf(", \"extensions\": ");
   job_print_string(extensions);
   printf("}\n");
   free(s);
   return 0;
}

int
main(int argc, char **argv)
{
   const char *jobs = NULL;
   unsigned timeout = 60;

   for (int k = 1; k < argc; k++) {
      if (!strcmp(argv[k], "--device"))
         return show_device();
      if (!strncmp(argv[k], "--timeout=", 10))
         timeout = (unsigned)strtoul(argv[k] + 10, NULL, 10);
      else
         jobs = argv[k];
   }
   if (!jobs) {
      fprintf(stderr, "usage: opencl_host [--timeout=S] JOBS\n");
      return 2;
   }
   return jobs_run(jobs, timeout, start, run_job, NULL);
}
