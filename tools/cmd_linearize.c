/* SPDX-License-Identifier: MIT */
/* cmd_linearize.c - heddle linearize: the order of a flat function's blocks, with joins. */
#include "restructure.h"

#include "heddle/structurize.h"

static void
put_place(const hd_function *f, const hd_linear *linear, uint32_t n)
{
   const hd_linear_step *step = &linear->steps[n];
   const hd_block *b = step->block ? step->block : linear->steps[step->header].block;
   const char *name = hd_block_name(f, b);

   printf("%sb%u", step->block ? "" : "latch of ", b->node.index);
   if (name) {
      fputs(" (", stdout);
      print_name(stdout, 0, name);
      putchar(')');
   }
}

static void
put_step(const hd_function *f, const hd_linear *linear, uint32_t n)
{
   const hd_linear_step *step = &linear->steps[n];

   printf("%5u  ", n);
   put_place(f, linear, n);
   if (!step->block) {
      printf(": while a lane waits at %u, back to it", step->header);
   } else if (step->may_be_empty && step->join == HD_LINEAR_END) {
      printf(": if no lane waits, to the end");
   } else if (step->may_be_empty) {
      printf(": if no lane waits, to %u, ", step->join);
      put_place(f, linear, step->join);
   }
   printf("\n");
}

static void
put_json_step(const hd_linear *linear, uint32_t n)
{
   const hd_linear_step *step = &linear->steps[n];

   printf(n ? "," : "");
   if (!step->block) {
      printf("{\"latch\":%u}", step->header);
      return;
   }
   printf("{\"block\":%u", step->block->node.index);
   if (step->may_be_empty && step->join == HD_LINEAR_END)
      printf(",\"join\":null");
   else if (step->may_be_empty)
      printf(",\"join\":%u", step->join);
   printf("}");
}

static void
put_line(const tool *t, const hd_function *f, const hd_linear *linear)
{
   if (t->json) {
      printf("{\"function\":");
      print_json_string(stdout, f->name);
      printf(",\"steps\":[");
   } else {
      print_name(stdout, '@', f->name);
      putchar('\n');
   }
   for (uint32_t n = 0; n < linear->num_steps; n++) {
      if (t->json)
         put_json_step(linear, n);
      else
         put_step(f, linear, n);
   }
   if (t->json)
      printf("]}\n");
}

int
run_linearize(tool *t)
{
   hd_result result = HD_OK;
   unsigned num_flat = 0;
   int status;
   hd_shader *shader = load_only_shader(t, &status);

   if (!shader)
      return status;
   hd_foreach_function(f, shader) {
      hd_linear *linear = NULL;
      if (f->structured || result != HD_OK)
         continue;
      num_flat++;
      /* Blocks are spoken of by the numbers with which they would be printed. */
      hd_function_reindex(f);
      result = hd_linearize(f, &linear, t, option_given(t, "explain") ? put_explanation : NULL);
      if (result == HD_OK)
         put_line(t, f, linear);
      hd_linear_destroy(shader, linear);
   }
   hd_shader_destroy(shader);
   if (result == HD_OK && !num_flat) {
      trouble("all functions are structured; `heddle unstructure` makes them flat");
      return EXIT_BAD_INPUT;
   }
   return explain(t, "linearize", result);
}
