/* SPDX-License-Identifier: MIT */
/* cmd_explore.c - heddle explore: a page that shows what happened to a shader. */
#include "launch.h"
#include "targets.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "heddle/explore.h"

/* What is explored, and what that needs. */
struct subject {
   char *data;
   size_t size;
   hd_shader *shader;
   hd_spirv_constant constants[MAX_SPIRV_CONSTANTS];
   hd_spirv_options spirv;
   hd_explore_input input;
   hd_compile_options compile;
   void *own;                       /* of the machine */
   struct launch_arguments *launch; /* NULL: it is not run */
};

static uint64_t
nanoseconds(void)
{
   struct timespec now;

   clock_gettime(CLOCK_MONOTONIC, &now);
   return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

/* Words in the order of this host, as they are to be read again. */
static void
turn_words(char *data, size_t size)
{
   uint32_t magic;

   memcpy(&magic, data, sizeof(magic));
   for (size_t n = 0; magic == 0x03022307 && n + 4 <= size; n += 4) {
      const char word[4] = { data[n + 3], data[n + 2], data[n + 1], data[n] };
      memcpy(data + n, word, sizeof(word));
   }
}

/* 0, or the exit code: a message was printed. */
static int
load(tool *t, const char *path, struct subject *s)
{
   const bool standard = !strcmp(path, "-");
   const char *slash = strrchr(path, '/');
   int status = read_file(t, path, &s->data, &s->size);

   if (status)
      return status;
   s->shader = read_shader(t, standard ? "<stdin>" : path, s->data, s->size, &status);
   if (!s->shader)
      return status;
   s->input = (hd_explore_input){
      .title = standard ? "standard input"
               : slash  ? slash + 1
                        : path,
      .shader = s->shader,
      .data = s->data,
      .size = s->size,
   };
   if (t->was_spirv) {
      turn_words(s->data, s->size);
      if (!read_spirv_options(t, path, s->size, s->constants, &s->spirv))
         return EXIT_TROUBLE;
      s->input.spirv = &s->spirv;
   }
   return 0;
}

static void
finish(struct subject *s)
{
   if (s->own)
      machine_of(s->input.target)->destroy_options(s->shader, s->own);
   if (s->launch)
      free_launch(s->launch);
   free(s->launch);
   hd_shader_destroy(s->shader);
   free(s->data);
}

/* Memories, or how many workgroups: then it is run. */
static int
read_launch(tool *t, struct subject *s)
{
   if (t->num_operands < 2 && !option_given(t, "groups") && !option_given(t, "grid"))
      return 0;
   s->launch = calloc(1, sizeof(*s->launch));
   if (!s->launch)
      return explain(t, "explore", HD_OUT_OF_MEMORY);
   s->launch->t = t;
   s->launch->shader = s->shader;
   s->input.launch = &s->launch->launch;
   return read_launch_options(s->launch) && read_launch_memories(s->launch) ? 0 : EXIT_TROUBLE;
}

/* The number of the lowering that --lowering names; -1: there is none, and a message was printed. */
static int
find_lowering(const tool *t, const machine *machine)
{
   const char *name = option_value(t, "lowering");

   for (int n = 0; machine->lowerings[n]; n++) {
      if (!name || !strcmp(machine->lowerings[n], name))
         return n;
   }
   trouble("--lowering is not '%s' for this target", name);
   return -1;
}

/* What is to be done with the shader: for a target, or by passes alone. */
static int
choose_work(tool *t, struct subject *s)
{
   hd_explore_input *input = &s->input;
   hd_result result = HD_OK;

   input->passes = option_value(t, "passes");
   if (!option_given(t, "target") && (input->passes || !hd_num_targets()))
      return 0;
   input->target = find_target(t);
   if (!input->target)
      return EXIT_TROUBLE;
   const machine *machine = machine_of(input->target);
   if (!machine->simulate)
      return trouble("explore is not for %s", hd_target_get_name(input->target));
   const int lowering = find_lowering(t, machine);
   if (lowering < 0)
      return EXIT_TROUBLE;
   if (machine->create_options)
      result = machine->create_options(s->shader, s->input.launch, (unsigned)lowering, &s->own);
   s->compile = (hd_compile_options){
      .passes = input->passes,
      .optimization = option_given(t, "quick") ? HD_OPTIMIZE_QUICK : HD_OPTIMIZE_FULL,
      .own = s->own,
   };
   input->compile = &s->compile;
   input->user = s->own;
   input->simulate = machine->simulate;
   return explain(t, "explore", result);
}

static int
write_result(tool *t, const hd_blob *json)
{
   const char *path = option_value(t, "output");
   hd_blob page = { 0 };
   int status = 0;

   if (t->json)
      return write_file(path, json->data, json->size) ? 0 : EXIT_TROUBLE;
   status = explain(t, "explore", hd_explore_page(json, &page));
   if (!status && !write_file(path, page.data, page.size))
      status = EXIT_TROUBLE;
   hd_blob_finish(&page);
   return status;
}

static int
explore(tool *t, struct subject *s)
{
   const hd_explore_options options = { .clock = option_given(t, "no-times") ? NULL : nanoseconds };
   hd_explore_source source = { .name = option_value(t, "source") };
   hd_blob json = { 0 };
   char *text = NULL;
   int status = load(t, t->num_operands ? t->operands[0] : "-", s);

   if (!status)
      status = read_launch(t, s);
   if (!status)
      status = choose_work(t, s);
   if (!status && source.name) {
      status = read_file(t, source.name, &text, &source.size);
      source.text = text;
      s->input.sources = &source;
      s->input.num_sources = 1;
   }
   if (!status)
      status = explain(t, "explore", hd_explore(&s->input, 1, &options, &json));
   if (!status)
      status = write_result(t, &json);
   hd_blob_finish(&json);
   free(text);
   return status;
}

int
run_explore(tool *t)
{
   struct subject s = { 0 };

   t->wants_info = true;
   const int status = explore(t, &s);
   hd_spirv_info_destroy(t->spirv_info);
   finish(&s);
   return status;
}
