/* SPDX-License-Identifier: MIT */
/* read.c - entry points of the reader: endianness, passes over the words, unwinding. */
#include "ir/builder.h"
#include "spirv/spirv.h"

#define MAGIC         0x07230203u
#define MAGIC_SWAPPED 0x03022307u

/* Steps that a module may cost when the host sets no budget: what each word may, and any module. A
 * valid module takes some ten steps a word; inlining and large composites multiply that.
 */
#define STEPS_PER_WORD 256u
#define STEPS_AT_LEAST (1u << 20)

/* The words in this machine's order. */
static void
order_bytes(struct spirv *s)
{
   if (s->num_words < 5)
      hd_spirv_invalid(s, "the header has 5 words, the module %zu", s->num_words);
   if (s->words[0] == MAGIC)
      return;
   if (s->words[0] != MAGIC_SWAPPED)
      hd_spirv_invalid(s, "the first word is 0x%08x, expected 0x%08x", s->words[0], MAGIC);

   hd_heap_step(s->heap, s->num_words / 16);
   uint32_t *words = hd_stack_alloc(s->stack, s->num_words * sizeof(*words));
   for (size_t n = 0; n < s->num_words; n++) {
      uint32_t w = s->words[n];
      words[n] = w >> 24 | (w >> 8 & 0xff00) | (w << 8 & 0xff0000) | w << 24;
   }
   s->words = words;
}

typedef void (*spirv_work)(struct spirv *s, void *user);

/* What the builder says of operands that do not fit: the module's fault, at the instruction that is
 * looked at.
 */
static void
relay(void *user, const hd_diag *diag)
{
   hd_spirv_say(user, "%s", diag->message);
}

/* Read the module on the heap of s->b.shader, do the work, and unwind to here. */
static hd_result
with_module(struct spirv *s, spirv_work work, void *user)
{
   hd_unwind u;

   s->shader = s->b.shader;
   s->heap = hd_shader_heap(s->shader);
   s->stack = hd_shader_stack(s->shader);
   hd_stack_mark mark = hd_stack_get_mark(s->stack);
   bool limited = s->heap->config.budget.steps != 0;

   s->sink = s->heap->config.diag;
   s->heap->config.diag = (hd_diag_sink){ s, relay };
   hd_heap_refill(s->heap);
   if (!limited)
      s->heap->steps_left = STEPS_AT_LEAST + (uint64_t)s->num_words * STEPS_PER_WORD;
   if (HD_TRY(s->heap, &u)) {
      if (s->options->num_constants && !s->options->constants)
         hd_spirv_invalid(s, "expected an array of %u constants, found NULL",
                          s->options->num_constants);
      if (s->num_words && !s->words)
         hd_spirv_invalid(s, "expected the words of a module, found NULL");
      order_bytes(s);
      hd_spirv_scan(s);
      hd_spirv_read_module(s);
      work(s, user);
   }
   hd_result result = hd_heap_leave(s->heap, &u);
   s->heap->config.diag = s->sink;
   if (result == HD_BUDGET_EXCEEDED && !s->heap->steps_left)
      hd_spirv_say(s, limited ? "the budget of steps is spent"
                              : "the module asks for far more than modules of its length do");
   hd_stack_release(s->stack, mark);
   hd_heap_refill(s->heap);
   return result;
}

static void
build(struct spirv *s, void *user)
{
   (void)user;
   hd_spirv_build(s);
}

static const hd_spirv_options defaults;

hd_result
hd_spirv_to_shader(const uint32_t *words, size_t num_words, const hd_spirv_options *options,
                   const hd_config *config, hd_shader **shader)
{
   struct spirv s = { .words = words,
                      .num_words = num_words,
                      .options = options ? options : &defaults,
                      .needs_entry = true,
                      .b = hd_builder_create_flat(config, HD_STAGE_COMPUTE, NULL) };

   *shader = NULL;
   if (s.b.result == HD_OK) {
      hd_result result = with_module(&s, build, NULL);
      if (result != HD_OK)
         hd_builder_fail(&s.b, result);
   }
   return hd_builder_finish(&s.b, shader);
}

hd_result
hd_spirv_get_info(const uint32_t *words, size_t num_words, const hd_spirv_options *options,
                  const hd_config *config, hd_spirv_info **info)
{
   struct spirv s = { .words = words,
                      .num_words = num_words,
                      .options = options ? options : &defaults,
                      .b = hd_builder_create_flat(config, HD_STAGE_COMPUTE, NULL) };
   hd_result result = s.b.result;

   *info = NULL;
   if (result == HD_OK)
      result = with_module(&s, hd_spirv_collect_info, info);
   if (result != HD_OK) { /* else hd_spirv_info_destroy frees the shader */
      hd_builder_fail(&s.b, result);
      hd_builder_finish(&s.b, NULL);
   }
   return result;
}
