/* SPDX-License-Identifier: MIT */
/* cmd_explore.c - heddle explore: a page that shows what happened to a shader. */
#include "launch.h"
#include "targets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "heddle/explore.h"

/* What is explored, and what that needs. */
struct subject {
   bool against; /* it is what the first is compared with */
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

/* What an option says of a subject: of the second what --against-NAME says, if it is given. */
static const char *
value_for(const tool *t, const struct subject *s, const char *name)
{
   char other[32];

   snprintf(other, sizeof(other), "against-%s", name);
   return s->against && option_given(t, other) ? option_value(t, other) : option_value(t, name);
}

/* The number of the lowering that --lowering names; -1: there is none, and a message was printed. */
static int
find_lowering(const tool *t, const struct subject *s, const machine *machine)
{
   const char *name = value_for(t, s, "lowering");

   for (int n = 0; machine->lowerings[n]; n++) {
      if (!name || !strcmp(machine->lowerings[n], name))
         return n;
   }
   trouble("--lowering=%s: this target does not have it", name);
   return -1;
}

/* What is to be done with the shader: for a target, or by passes alone. */
static int
choose_work(tool *t, struct subject *s)
{
   hd_explore_input *input = &s->input;
   hd_result result = HD_OK;

   const char *target = value_for(t, s, "target");
   input->passes = value_for(t, s, "passes");
   if (!target && (input->passes || !hd_num_targets()))
      return 0;
   input->target = target ? find_named_target(target) : find_target(t);
   if (!input->target)
      return EXIT_TROUBLE;
   const machine *machine = machine_of(input->target);
   if (!machine->simulate)
      return trouble("explore is not for %s", hd_target_get_name(input->target));
   const int lowering = find_lowering(t, s, machine);
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
   input->measure = measure_binary;
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

/* 0, or the exit code: a message was printed. */
static int
prepare(tool *t, const char *path, struct subject *s)
{
   int status = load(t, path, s);

   if (!status)
      status = read_launch(t, s);
   return status ? status : choose_work(t, s);
}

static bool
is_compared(const tool *t)
{
   static const char *const options[] = { "against", "against-target", "against-passes",
                                          "against-lowering" };

   for (unsigned n = 0; n < sizeof(options) / sizeof(options[0]); n++) {
      if (option_given(t, options[n]))
         return true;
   }
   return false;
}

/* One, or two that are compared. */
static int
prepare_all(tool *t, struct subject subjects[2], unsigned *num)
{
   const char *path = t->num_operands ? t->operands[0] : "-";
   const char *other = option_given(t, "against") ? option_value(t, "against") : path;
   int status = prepare(t, path, &subjects[0]);

   *num = is_compared(t) ? 2 : 1;
   if (status || *num == 1)
      return status;
   if (!strcmp(path, "-") && !strcmp(other, "-"))
      return trouble("expected two inputs, found standard input twice: it can be read once only");
   hd_spirv_info_destroy(t->spirv_info);
   t->spirv_info = NULL;
   subjects[1].against = true;
   return prepare(t, other, &subjects[1]);
}

static int
explore(tool *t, struct subject subjects[2])
{
   const hd_explore_options options = { .clock = option_given(t, "no-times") ? NULL : nanoseconds };
   hd_explore_source source = { .name = option_value(t, "source") };
   hd_explore_input inputs[2];
   hd_blob json = { 0 };
   char *text = NULL;
   unsigned num;
   int status = prepare_all(t, subjects, &num);

   if (!status && source.name) {
      status = read_file(t, source.name, &text, &source.size);
      source.text = text;
   }
   for (unsigned n = 0; n < 2; n++) {
      inputs[n] = subjects[n].input;
      inputs[n].sources = &source;
      inputs[n].num_sources = text ? 1 : 0;
   }
   if (!status)
      status = explain(t, "explore", hd_explore(inputs, num, &options, &json));
   if (!status)
      status = write_result(t, &json);
   hd_blob_finish(&json);
   free(text);
   return status;
}

int
run_explore(tool *t)
{
   struct subject *subjects = calloc(2, sizeof(*subjects));
   int status;

   if (!subjects)
      return explain(t, "explore", HD_OUT_OF_MEMORY);
   t->wants_info = true;
   status = explore(t, subjects);
   hd_spirv_info_destroy(t->spirv_info);
   for (unsigned n = 0; n < 2; n++)
      finish(&subjects[n]);
   free(subjects);
   return status;
}
