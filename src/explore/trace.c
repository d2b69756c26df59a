/* SPDX-License-Identifier: MIT */
/* trace.c - explorer: execution traces: which instruction a wave executed with which active lanes, and the
 * results.
 *
 * The number of waves, steps and values that are kept is limited; executed instructions are counted for
 * all.
 */
#include <inttypes.h>
#include <string.h>

#include "explore/explore.h"
#include "heddle/clone.h"
#include "util/ptr_map.h"

#define MAX_WAVES  8u
#define MAX_STEPS  3000u
#define MAX_VALUES 400000u
#define MAX_STORED 64u
#define OF_WAVE    UINT64_MAX

struct hd_explore_trace {
   side *s;
   bool is_machine;
   unsigned lanes;
   run_wave waves[MAX_WAVES];
   unsigned num_waves;
   const hd_wave_launch *launch;
   uint32_t num_values;
   run_wave *now;                /* of the step that was reported last; NULL: it is not kept */
   GROWING(hd_wave_mask) masks;  /* each once */
   uint64_t *times, *lane_times; /* by node or by instruction */
   uint32_t num_counted;
   hd_explore_lane_use use;
   uint32_t *at_word; /* machine: the instruction that begins at each word, + 1 */
   uint32_t num_words;
   hd_ptr_map nodes; /* interpreter: of instructions */
   hd_blob message;
   hd_result result;
};

static unsigned
count_lanes(hd_wave_mask mask)
{
   unsigned num = 0;

   for (unsigned n = 0; n < 2; n++) {
      for (uint64_t rest = mask.word[n]; rest; rest &= rest - 1)
         num++;
   }
   return num;
}

static bool
has_lane(hd_wave_mask mask, unsigned lane)
{
   return mask.word[lane / 64] >> lane % 64 & 1;
}

/* Masks are few; the last ones come again. */
static uint32_t
mask_number(struct hd_explore_trace *t, hd_wave_mask mask)
{
   for (uint32_t n = t->masks.num; n-- > 0;) {
      if (!memcmp(&t->masks.at[n], &mask, sizeof(mask)))
         return n;
   }
   *PUSH(t->s->x, t->masks) = mask;
   return t->masks.num - 1;
}

static run_wave *
find_wave(struct hd_explore_trace *t, uint32_t workgroup, uint32_t number)
{
   for (unsigned n = 0; n < t->num_waves; n++) {
      if (t->waves[n].workgroup == workgroup && t->waves[n].number == number)
         return &t->waves[n];
   }
   if (t->num_waves == MAX_WAVES)
      return NULL;
   run_wave *w = &t->waves[t->num_waves++];
   *w = (run_wave){ .workgroup = workgroup, .number = number };
   hd_blob_init(&w->values, &t->s->x->heap.config);
   return w;
}

static void
count_run(struct hd_explore_trace *t, uint32_t what, const hd_wave_mask *mask)
{
   t->use.issued++;
   if (mask) {
      t->use.lanes += count_lanes(*mask);
      t->use.room += t->lanes;
   }
   if (what >= t->num_counted)
      return;
   t->times[what]++;
   if (mask)
      t->lane_times[what] += count_lanes(*mask);
   else
      t->lane_times[what] = OF_WAVE;
}

/* A step, of `what`: a node or an instruction of the code. `mask` NULL: it is for the wave. */
static void
add_step(struct hd_explore_trace *t, uint32_t workgroup, uint32_t number, uint32_t what,
         const hd_wave_mask *mask, uint64_t cycle)
{
   run_wave *w = find_wave(t, workgroup, number);

   count_run(t, what, mask);
   t->now = NULL;
   if (!w || w->steps.num == MAX_STEPS) {
      if (w)
         w->cut = true;
      else
         t->s->waves_cut = true;
      return;
   }
   const uint32_t number_of_mask = mask ? mask_number(t, *mask) : NO_MASK;
   *PUSH(t->s->x, w->steps) = (run_step){ what, number_of_mask, cycle };
   t->now = w;
}

static void
write_number(hd_blob *out, uint64_t value)
{
   hd_blob_printf(out, value >> 53 ? "\"0x%" PRIx64 "\"" : "%" PRIu64, value);
}

/* The values of lanes, of which some may be none: one number where it is the same in all. */
static void
write_values(hd_blob *out, const uint64_t *values, const bool *known, unsigned num)
{
   unsigned first = 0;
   bool same = true;

   while (first < num && !known[first])
      first++;
   if (first == num) {
      hd_blob_printf(out, "null");
      return;
   }
   for (unsigned n = first; n < num; n++)
      same &= known[n] ? values[n] == values[first] : num == 1;
   if (same) {
      write_number(out, values[first]);
      return;
   }
   for (unsigned n = 0; n < num; n++) {
      hd_blob_append(out, n ? "," : "[", 1);
      if (known[n])
         write_number(out, values[n]);
      else
         hd_blob_append(out, "null", 4);
   }
   hd_blob_append(out, "]", 1);
}

/* Begin a member of `values`, of this step. False: there is no room for it. */
static bool
begin_value(struct hd_explore_trace *t, run_wave *w, uint32_t step, unsigned num)
{
   if (!w || step >= MAX_STEPS)
      return false;
   if (t->num_values + num > MAX_VALUES) {
      t->s->values_cut = true;
      return false;
   }
   t->num_values += num;
   hd_blob_printf(&w->values, "%s[%" PRIu32 ",", w->values.size ? ",\n" : "", step);
   return true;
}

/* Callbacks: nothing may be unwound through those who call them. */

static void
note_step(struct hd_explore_trace *t, uint32_t workgroup, uint32_t number, uint32_t what,
          const hd_wave_mask *mask, uint64_t cycle)
{
   struct explorer *x = t->s->x;
   hd_unwind u;

   if (t->s->failed != HD_OK)
      return;
   if (HD_TRY(&x->heap, &u))
      add_step(t, workgroup, number, what, mask, cycle);
   t->s->failed = hd_heap_leave(&x->heap, &u);
}

void
hd_explore_trace_step(hd_explore_trace *t, uint32_t workgroup, uint32_t number, uint64_t pc,
                      const hd_wave_mask *lanes, uint64_t cycle)
{
   const uint32_t at = pc / 4 < t->num_words ? t->at_word[pc / 4] : 0;

   note_step(t, workgroup, number, at ? at - 1 : UINT32_MAX, lanes, cycle);
}

void
hd_explore_trace_register(hd_explore_trace *t, const hd_wave_register *reg)
{
   uint64_t values[HD_WAVE_MAX_LANES];
   bool known[HD_WAVE_MAX_LANES];
   const unsigned num = reg->num < HD_WAVE_MAX_LANES ? reg->num : HD_WAVE_MAX_LANES;

   if (!t->now || !begin_value(t, t->now, t->now->steps.num - 1, num))
      return;
   for (unsigned n = 0; n < num; n++) {
      values[n] = reg->values[n];
      known[n] = !reg->undefined || !reg->undefined[n];
   }
   hd_explore_string(&t->now->values, reg->name);
   hd_blob_append(&t->now->values, ",", 1);
   write_values(&t->now->values, values, known, num);
   hd_blob_append(&t->now->values, "]", 1);
}

static bool
is_within(const void *at, const hd_wave_memory *memory)
{
   const uint8_t *data = at, *first = memory->data;

   return memory->size && data >= first && data < first + memory->size;
}

/* Where in what the launch gave; false: it is elsewhere. */
static bool
name_place(const hd_wave_launch *launch, const void *data, char *name, size_t size)
{
   for (uint32_t n = 0; n < launch->num_buffers; n++) {
      const hd_wave_buffer *b = &launch->buffers[n];
      if (is_within(data, &b->memory)) {
         snprintf(name, size, "buffer %" PRIu32 ".%" PRIu32 " byte %zu", b->set, b->binding,
                  (size_t)((const uint8_t *)data - (const uint8_t *)b->memory.data));
         return true;
      }
   }
   for (uint32_t n = 0; n < launch->num_regions; n++) {
      const hd_wave_region *r = &launch->regions[n];
      if (is_within(data, &r->memory)) {
         snprintf(name, size, "memory 0x%" PRIx64,
                  r->address + (uint64_t)((const uint8_t *)data - (const uint8_t *)r->memory.data));
         return true;
      }
   }
   return false;
}

static void
write_store(run_wave *w, int lane, const char *where, const uint8_t *bytes, uint32_t size)
{
   hd_blob_printf(&w->values, "\"%s\",\"0x", where);
   for (uint32_t n = size < MAX_STORED ? size : MAX_STORED; n-- > 0;)
      hd_blob_printf(&w->values, "%02x", bytes[n]);
   hd_blob_printf(&w->values, "\",%d]", lane);
}

void
hd_explore_trace_store(hd_explore_trace *t, const hd_wave_stored *store)
{
   char where[64];

   if (!t->now || !begin_value(t, t->now, t->now->steps.num - 1, store->size / 4 + 1))
      return;
   if (!name_place(t->launch, store->data, where, sizeof(where)))
      snprintf(where, sizeof(where), "%s%s0x%" PRIx64, store->within ? store->within : "memory",
               store->within ? " byte " : " ", store->address);
   write_store(t->now, store->lane, where, store->data, store->size);
}

/* The interpreter */

static void
ran(void *user, const hd_wave_ran *event)
{
   struct hd_explore_trace *t = user;
   const uint32_t node = hd_ptr_map_get(&t->nodes, event->instr);
   bool known[HD_WAVE_MAX_LANES];

   if (node == HD_PTR_MAP_NONE)
      return;
   note_step(t, event->workgroup, event->wave, node, &event->lanes, 0);
   for (unsigned c = 0; t->now && c < event->num_components; c++) {
      if (!begin_value(t, t->now, t->now->steps.num - 1, t->lanes))
         return;
      for (unsigned n = 0; n < t->lanes; n++)
         known[n] = has_lane(event->lanes, n) && !has_lane(event->undefined[c], n);
      hd_blob_printf(&t->now->values, "\"%%%" PRIu32, t->s->nodes.at[node].number);
      if (event->num_components > 1)
         hd_blob_printf(&t->now->values, ".%u", c);
      hd_blob_append(&t->now->values, "\",", 2);
      write_values(&t->now->values, event->values + c * event->stride, known, t->lanes);
      hd_blob_append(&t->now->values, "]", 1);
   }
}

static void
entered(void *user, const hd_wave_step *step)
{
   struct hd_explore_trace *t = user;

   count_run(t, hd_ptr_map_get(&t->nodes, step->block), &step->mask);
}

/* The instruction that stores is reported after this: it is the next step of its wave. */
static void
wrote(void *user, const hd_wave_write *write)
{
   struct hd_explore_trace *t = user;
   run_wave *w = find_wave(t, write->workgroup, write->wave);
   char where[64];

   if (!w || !begin_value(t, w, w->steps.num, write->size / 4 + 1))
      return;
   if (!name_place(t->launch, write->data, where, sizeof(where)))
      snprintf(where, sizeof(where), "other memory");
   write_store(w, (int)write->lane, where, write->data, write->size);
}

/* What the launch gave, as it was before the first run. */

static unsigned
list_memories(const hd_wave_launch *l, const hd_wave_memory **list, unsigned num)
{
   unsigned n = 0;

   for (uint32_t k = 0; k < l->num_buffers && n < num; k++)
      list[n++] = &l->buffers[k].memory;
   for (uint32_t k = 0; k < l->num_regions && n < num; k++)
      list[n++] = &l->regions[k].memory;
   for (uint32_t k = 0; k < l->num_images && n < num; k++)
      list[n++] = &l->images[k].memory;
   for (uint32_t k = 0; k < l->num_given && n < num; k++)
      list[n++] = &l->given[k].memory;
   if (n < num)
      list[n++] = &l->outputs;
   return n;
}

struct saved {
   const hd_wave_memory **list;
   uint8_t **data, **undefined;
   unsigned num;
};

static uint8_t *
copy_bytes(hd_stack *stack, const void *from, uint64_t size)
{
   uint8_t *copy = from ? hd_stack_alloc(stack, (size_t)size + 1) : NULL;

   if (copy)
      memcpy(copy, from, (size_t)size);
   return copy;
}

static void
save(side *s, struct saved *saved)
{
   const hd_wave_launch *l = s->input->launch;
   const unsigned most = l->num_buffers + l->num_regions + l->num_images + l->num_given + 1;
   hd_stack *stack = &s->x->stack;

   saved->list = hd_stack_alloc(stack, most * sizeof(*saved->list));
   saved->data = hd_stack_alloc(stack, most * sizeof(*saved->data));
   saved->undefined = hd_stack_alloc(stack, most * sizeof(*saved->undefined));
   saved->num = list_memories(l, saved->list, most);
   for (unsigned n = 0; n < saved->num; n++) {
      saved->data[n] = copy_bytes(stack, saved->list[n]->data, saved->list[n]->size);
      saved->undefined[n] = copy_bytes(stack, saved->list[n]->undefined, saved->list[n]->size);
   }
}

static void
restore(const struct saved *saved)
{
   for (unsigned n = 0; n < saved->num; n++) {
      const hd_wave_memory *m = saved->list[n];
      if (saved->data[n])
         memcpy(m->data, saved->data[n], (size_t)m->size);
      if (saved->undefined[n])
         memcpy(m->undefined, saved->undefined[n], (size_t)m->size);
   }
}

/* The runs */

static void
hear(void *user, const hd_diag *diag)
{
   struct hd_explore_trace *t = user;

   if (diag->severity == HD_ERROR && !t->message.size)
      hd_blob_printf(&t->message, "%s", diag->message);
}

static struct hd_explore_trace *
begin(side *s, bool is_machine, uint32_t num_counted)
{
   struct hd_explore_trace *t = hd_stack_alloc_zero(&s->x->stack, sizeof(*t));
   const hd_wave_launch *l = s->input->launch;
   const uint32_t wanted = s->input->shader->subgroup_size;

   t->s = s;
   t->launch = l;
   t->is_machine = is_machine;
   /* Waves of both are the same, if they can be. */
   if (is_machine || (s->input->target && !l->lanes && !wanted))
      t->lanes = hd_target_get_lanes(s->input->target);
   else
      t->lanes = l->lanes ? l->lanes : wanted ? wanted : 64;
   t->num_counted = num_counted;
   t->times = hd_stack_alloc_zero(&s->x->stack, (num_counted + (size_t)1) * sizeof(uint64_t));
   t->lane_times = hd_stack_alloc_zero(&s->x->stack, (num_counted + (size_t)1) * sizeof(uint64_t));
   hd_blob_init(&t->message, &s->x->heap.config);
   return t;
}

/* Nodes of the first step were made in the order of its rows. */
static void
find_nodes(struct hd_explore_trace *t, hd_shader *shader)
{
   uint32_t node = 0;
   rows r = { 0 };

   hd_explore_rows(t->s, shader, &r);
   hd_ptr_map_init(&t->nodes, &t->s->x->stack, r.num);
   for (uint32_t n = 0; n < r.num; n++) {
      const row *at = &r.at[n];
      if (at->kind == ROW_INSTR)
         hd_ptr_map_set(&t->nodes, at->object.instr, node++);
      else if (at->kind == ROW_BLOCK)
         hd_ptr_map_set(&t->nodes, hd_node_as_block(at->object.cf), node++);
      else
         node += at->kind == ROW_IF || at->kind == ROW_LOOP;
   }
}

static void
interpret(side *s)
{
   const hd_config config = { .allocator = s->x->heap.config.allocator };
   struct hd_explore_trace *t = begin(s, false, s->nodes.num);
   hd_wave_launch launch = *s->input->launch;
   hd_result result;

   s->interpreted = t;
   hd_shader_destroy(s->copy);
   s->copy = NULL;
   result = hd_shader_clone(s->input->shader, &config, &s->copy);
   if (result != HD_OK)
      hd_heap_fail(&s->x->heap, result);
   find_nodes(t, s->copy);
   launch.lanes = t->lanes;
   launch.user = t;
   launch.trace = entered;
   launch.ran = ran;
   launch.on_write = wrote;
   launch.diag = (hd_diag_sink){ t, hear };
   t->result = hd_wave_run(s->copy, &launch, NULL);
}

static void
simulate(side *s)
{
   const struct machine *m = &s->machine;
   struct hd_explore_trace *t = begin(s, true, m->num_offsets);
   /* Simulators report to the shader's sink. */
   const hd_config config = { .allocator = s->x->heap.config.allocator, .diag = { t, hear } };

   s->simulated = t;
   t->num_words = (uint32_t)(s->binary->code_size / 4);
   t->at_word = hd_stack_alloc_zero(&s->x->stack, (t->num_words + (size_t)1) * sizeof(uint32_t));
   for (uint32_t n = 0; n < m->num_offsets; n++)
      t->at_word[m->offsets[n] / 4] = n + 1;
   hd_wave_launch launch = *s->input->launch;
   launch.lanes = 0;
   launch.user = NULL;
   launch.trace = NULL;
   launch.ran = NULL;
   launch.on_write = NULL;
   launch.diag = (hd_diag_sink){ t, hear };
   hd_shader_destroy(s->copy);
   s->copy = NULL;
   const hd_result result = hd_shader_clone(s->input->shader, &config, &s->copy);
   if (result != HD_OK)
      hd_heap_fail(&s->x->heap, result);
   t->result = s->input->simulate(s->input->user, s->copy, s->binary, &launch, t);
}

static void
check_run(side *s, const struct hd_explore_trace *t)
{
   const hd_result result = s->failed != HD_OK ? s->failed : t->result;

   if (result == HD_OUT_OF_MEMORY)
      hd_heap_fail(&s->x->heap, result);
}

void
hd_explore_launch(side *s)
{
   struct saved saved;

   if (!s->input->launch)
      return;
   save(s, &saved);
   if (!s->x->machine_only) {
      interpret(s);
      restore(&saved);
      check_run(s, s->interpreted);
   }
   if (s->binary && s->input->simulate) {
      simulate(s);
      restore(&saved);
      check_run(s, s->simulated);
   }
}

/* JSON */

static void
write_wave(const struct hd_explore_trace *t, const run_wave *w, hd_blob *out)
{
   hd_blob_printf(out, "{\"workgroup\":%" PRIu32 ",\"wave\":%" PRIu32 ",\"cut\":%s,\"steps\":[",
                  w->workgroup, w->number, w->cut ? "true" : "false");
   for (uint32_t n = 0; n < w->steps.num; n++) {
      const run_step *at = &w->steps.at[n];
      hd_blob_printf(out, "%s%" PRIu32 ",%" PRId64, n ? "," : "", at->what,
                     at->mask == NO_MASK ? -1 : (int64_t)at->mask);
   }
   if (t->is_machine)
      hd_blob_printf(out, "],\"cycles\":[");
   for (uint32_t n = 0; t->is_machine && n < w->steps.num; n++)
      hd_blob_printf(out, "%s%" PRIu64, n ? "," : "", w->steps.at[n].cycle);
   hd_blob_printf(out, "],\"values\":[");
   hd_blob_append(out, w->values.data ? w->values.data : "", w->values.size);
   hd_blob_printf(out, "]}");
}

static void
write_run(const struct hd_explore_trace *t, hd_blob *out)
{
   const char *between = "";

   hd_blob_printf(out, "{\"lanes\":%u,\"result\":\"%s\"", t->lanes, hd_result_name(t->result));
   if (t->message.size) {
      hd_blob_printf(out, ",\"message\":");
      hd_blob_json(out, t->message.data, t->message.size);
   }
   hd_blob_printf(out, ",\"waves\":[");
   for (unsigned n = 0; n < t->num_waves; n++) {
      hd_blob_printf(out, n ? ",\n" : "");
      write_wave(t, &t->waves[n], out);
   }
   hd_blob_printf(out, "],\"masks\":[");
   for (uint32_t n = 0; n < t->masks.num; n++)
      hd_blob_printf(out, "%s\"%016" PRIx64 "%016" PRIx64 "\"", n ? "," : "",
                     t->masks.at[n].word[1], t->masks.at[n].word[0]);
   hd_blob_printf(out, "],\"totals\":[");
   for (uint32_t n = 0; n < t->num_counted; n++) {
      if (!t->times[n])
         continue;
      hd_blob_printf(out, "%s[%" PRIu32 ",%" PRIu64 ",%" PRId64 "]", between, n, t->times[n],
                     t->lane_times[n] == OF_WAVE ? -1 : (int64_t)t->lane_times[n]);
      between = ",";
   }
   hd_blob_printf(out, "]}");
}

void
hd_explore_write_launch(const side *s, hd_blob *out)
{
   hd_blob_printf(out, "\"run\":{\"interpreter\":");
   write_run(s->interpreted, out);
   if (s->simulated) {
      hd_blob_printf(out, ",\n\"machine\":");
      write_run(s->simulated, out);
   }
   hd_blob_printf(out, "}");
}

void
hd_explore_get_run(const struct hd_explore_trace *t, run *out)
{
   *out = (run){
      .lanes = t->lanes,
      .waves = t->waves,
      .num_waves = t->num_waves,
      .masks = t->masks.at,
      .use = t->use,
      .result = t->result,
      .message = t->message.size ? t->message.data : NULL,
   };
}

void
hd_explore_free_trace(struct hd_explore_trace *t)
{
   if (!t)
      return;
   hd_blob_finish(&t->message);
   for (unsigned n = 0; n < t->num_waves; n++) {
      hd_blob_finish(&t->waves[n].values);
   }
}
