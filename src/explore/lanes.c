/* SPDX-License-Identifier: MIT */
/* lanes.c - explorer: the runs of several machines as one picture, in SVG.
 *
 *    title            title            title
 *    wave 0 lanes |   wave 0 lanes |   refused: ...
 *           steps -   wave 1 lanes |
 *    figures          figures
 */
#include <inttypes.h>
#include <string.h>

#include "draw/draw.h"
#include "explore/explore.h"

#define LANE_HEIGHT 3
#define LINE_HEIGHT 14
#define CHAR_WIDTH  8
#define PAD         14
#define WAVE_GAP    5
#define SHEET_WIDTH 2000 /* as many pictures beside each other as fit */
#define MIN_WIDTH   300  /* of a picture: for figures */
#define ROOM        480  /* of the longest run */
#define VALUE_AT    200
#define MAX_DRAWN   960u /* steps */
#define NUM_COLOURS 8u
#define MAX_LINES   6u /* of a message */
/* What a side may keep of text, which is not shown. */
#define TEXT_BYTES ((size_t)1 << 20)

typedef struct picture {
   const side *s;
   run run; /* all 0: it was not run */
   hd_explore_statistic figures[HD_EXPLORE_MAX_STATISTICS];
   unsigned num_figures;
} picture;

/* All pictures, and where the next one goes. */
typedef struct sheet {
   struct explorer x;
   side *sides;
   picture *pictures;
   unsigned num;
   long step_width, width; /* of a step, of each picture */
   unsigned columns;
} sheet;

static const char style[] =
    "<style>text{font:12px monospace}.title{font-weight:bold}.why{fill:#b00}.off{fill:#e8e8e8}"
    ".wave{opacity:0.25}.c0{fill:#0072b2}.c1{fill:#e69f00}.c2{fill:#009e73}.c3{fill:#cc79a7}"
    ".c4{fill:#56b4e9}.c5{fill:#d55e00}.c6{fill:#b8a800}.c7{fill:#777}</style>\n";

static uint32_t
num_drawn(const run_wave *w)
{
   return w->steps.num < MAX_DRAWN ? w->steps.num : MAX_DRAWN;
}

static uint32_t
longest(const picture *p)
{
   uint32_t most = 0;

   for (unsigned n = 0; n < p->run.num_waves; n++) {
      const uint32_t steps = num_drawn(&p->run.waves[n]);
      most = steps > most ? steps : most;
   }
   return most;
}

static long
runs_height(const picture *p)
{
   return (long)p->run.num_waves * ((long)p->run.lanes * LANE_HEIGHT + WAVE_GAP);
}

/* Why there is no code, or no end of the run; NULL: there are both. */
static const char *
reason(const picture *p)
{
   if (p->s->refused)
      return p->s->refusal.size ? p->s->refusal.data : "refused";
   if (p->run.result != HD_OK)
      return p->run.message ? p->run.message : hd_result_name(p->run.result);
   return NULL;
}

static const char *
cut_note(const picture *p)
{
   for (unsigned n = 0; n < p->run.num_waves; n++) {
      if (p->run.waves[n].cut || p->run.waves[n].steps.num > MAX_DRAWN)
         return "only the first steps are drawn";
   }
   return p->s->waves_cut ? "only the first waves are drawn" : NULL;
}

/* Of the pictures beside this one, the first of its row: title, runs, reason, note, figures with two of
 * the run.
 */
static long
row_height(const sheet *s, unsigned first)
{
   long height = 0;

   for (unsigned n = first; n < s->num && n < first + s->columns; n++) {
      const picture *p = &s->pictures[n];
      const unsigned lines = (reason(p) ? MAX_LINES : 0) + p->num_figures + 4;
      const long own = runs_height(p) + (long)lines * LINE_HEIGHT + 2 * PAD;
      height = own > height ? own : height;
   }
   return height;
}

static void
lay_out(sheet *s)
{
   uint32_t most = 1;

   for (unsigned n = 0; n < s->num; n++) {
      const uint32_t steps = longest(&s->pictures[n]);
      most = steps > most ? steps : most;
   }
   s->step_width = ROOM / (long)most;
   s->step_width = s->step_width < 1 ? 1 : s->step_width > 8 ? 8 : s->step_width;
   s->width = (long)most * s->step_width;
   s->width = (s->width < MIN_WIDTH ? MIN_WIDTH : s->width) + PAD;
   s->columns = (unsigned)(SHEET_WIDTH / s->width);
   s->columns = s->columns < 1 ? 1 : s->columns > s->num ? s->num : s->columns;
}

/* Lanes of a mask that stand together, from `lane` on; false: there are none. */
static bool
next_lanes(const hd_wave_mask *mask, unsigned num, unsigned *lane, unsigned *count)
{
   while (*lane < num && !(mask->word[*lane / 64] >> *lane % 64 & 1))
      ++*lane;
   *count = 0;
   while (*lane + *count < num && mask->word[(*lane + *count) / 64] >> (*lane + *count) % 64 & 1)
      ++*count;
   return *count != 0;
}

static unsigned
colour(const picture *p, const run_step *step)
{
   const struct machine *m = &p->s->machine;

   return step->what < m->num_offsets ? m->blocks_of[step->what] % NUM_COLOURS : NUM_COLOURS - 1;
}

/* So many steps with the same lanes in the same colour. */
static void
draw_steps(const picture *p, const run_step *step, long x, long y, long width, hd_blob *out)
{
   const bool for_wave = step->mask == NO_MASK;
   unsigned lane = 0, count;

   hd_blob_printf(out, "<path class=\"c%u%s\" d=\"", colour(p, step), for_wave ? " wave" : "");
   if (for_wave) {
      hd_blob_printf(out, "M%ld,%ldh%ldv%uh-%ldz", x, y, width, p->run.lanes * LANE_HEIGHT, width);
   } else {
      while (next_lanes(&p->run.masks[step->mask], p->run.lanes, &lane, &count)) {
         hd_blob_printf(out, "M%ld,%ldh%ldv%uh-%ldz", x, y + (long)lane * LANE_HEIGHT, width,
                        count * LANE_HEIGHT, width);
         lane += count;
      }
   }
   hd_blob_printf(out, "\"/>\n");
}

static void
draw_wave(const sheet *s, const picture *p, const run_wave *w, long x, long y, hd_blob *out)
{
   const uint32_t num = num_drawn(w);
   uint32_t end;

   hd_blob_printf(out, "<rect class=\"off\" x=\"%ld\" y=\"%ld\" width=\"%ld\" height=\"%u\"/>\n", x,
                  y, (long)num * s->step_width, p->run.lanes * LANE_HEIGHT);
   for (uint32_t n = 0; n < num; n = end) {
      const run_step *step = &w->steps.at[n];
      for (end = n + 1; end < num && w->steps.at[end].mask == step->mask &&
                        colour(p, &w->steps.at[end]) == colour(p, step);)
         end++;
      draw_steps(p, step, x + (long)n * s->step_width, y, (long)(end - n) * s->step_width, out);
   }
}

/* A message in lines as wide as the picture; what is more than these is cut. Returns where the next line goes.
 */
static long
draw_message(const sheet *s, const char *text, long x, long y, hd_blob *out)
{
   const size_t columns = (size_t)(s->width / CHAR_WIDTH);
   char line[256];

   for (unsigned n = 0; *text && n < MAX_LINES; n++, y += LINE_HEIGHT) {
      size_t used = 0;
      for (size_t column = 0; *text && column + 2 < columns; column++) {
         size_t size = hd_picture_char(text);
         size = size ? size : 1;
         if (used + size >= sizeof(line))
            break;
         memcpy(line + used, text, size);
         used += size;
         text += size;
      }
      line[used] = 0;
      hd_picture_text(out, x, y, "why", line);
   }
   return y;
}

static long
draw_figure(const char *name, const char *value, long x, long y, hd_blob *out)
{
   hd_picture_text(out, x, y, "name", name);
   hd_picture_text(out, x + VALUE_AT, y, "value", value);
   return y + LINE_HEIGHT;
}

static void
draw_figures(const picture *p, long x, long y, hd_blob *out)
{
   const hd_explore_lane_use *use = &p->run.use;
   char value[40];

   for (unsigned n = 0; n < p->num_figures; n++) {
      snprintf(value, sizeof(value), "%" PRIu64, p->figures[n].value);
      y = draw_figure(p->figures[n].name, value, x, y, out);
   }
   if (!p->run.lanes)
      return;
   snprintf(value, sizeof(value), "%" PRIu64, use->issued);
   y = draw_figure("issued instructions", value, x, y, out);
   /* Per mille, rounded down. */
   const uint64_t part = use->room ? use->lanes * 1000 / use->room : 0;
   snprintf(value, sizeof(value), "%" PRIu64 ".%u %%", part / 10, (unsigned)(part % 10));
   draw_figure("lane use", value, x, y, out);
}

static void
draw_picture(const sheet *s, const picture *p, long x, long y, hd_blob *out)
{
   const char *title = p->s->input->title, *why = reason(p), *note = cut_note(p);

   hd_blob_printf(out, "<g class=\"picture\">\n");
   y += LINE_HEIGHT;
   hd_picture_text(out, x, y, "title", title ? title : hd_target_get_name(p->s->input->target));
   y += LINE_HEIGHT / 2;
   for (unsigned n = 0; n < p->run.num_waves; n++) {
      draw_wave(s, p, &p->run.waves[n], x, y, out);
      y += (long)p->run.lanes * LANE_HEIGHT + WAVE_GAP;
   }
   y += LINE_HEIGHT;
   if (why)
      y = draw_message(s, why, x, y, out);
   if (note) {
      hd_picture_text(out, x, y, "note", note);
      y += LINE_HEIGHT;
   }
   draw_figures(p, x, y, out);
   hd_blob_printf(out, "</g>\n");
}

static void
draw_sheet(sheet *s, hd_blob *out)
{
   long y = 0, height = 0;

   lay_out(s);
   for (unsigned n = 0; n < s->num; n += s->columns)
      height += row_height(s, n);
   hd_blob_printf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%ld\" height=\"%ld\">\n",
                  s->columns * (s->width + PAD) + PAD, height + PAD);
   hd_blob_append(out, style, sizeof(style) - 1);
   for (unsigned n = 0; n < s->num; n++) {
      if (n && n % s->columns == 0)
         y += row_height(s, n - s->columns);
      draw_picture(s, &s->pictures[n], PAD + (long)(n % s->columns) * (s->width + PAD), y, out);
   }
   hd_blob_printf(out, "</svg>\n");
   hd_explore_check(&s->x, out);
}

static void
run_all(sheet *s, const hd_explore_input *inputs)
{
   s->sides = hd_stack_alloc_zero(&s->x.stack, s->num * sizeof(*s->sides));
   s->pictures = hd_stack_alloc_zero(&s->x.stack, s->num * sizeof(*s->pictures));
   for (unsigned n = 0; n < s->num; n++)
      hd_explore_begin(&s->sides[n], &s->x, &inputs[n]);
   for (unsigned n = 0; n < s->num; n++) {
      side *one = &s->sides[n];
      picture *p = &s->pictures[n];
      hd_explore_run(one);
      p->s = one;
      if (one->simulated)
         hd_explore_get_run(one->simulated, &p->run);
      if (one->binary && inputs[n].measure)
         p->num_figures = inputs[n].measure(one->binary, p->figures);
   }
}

static bool
have_targets(const hd_explore_input *inputs, unsigned num)
{
   for (unsigned n = 0; n < num; n++) {
      if (!inputs[n].target)
         return false;
   }
   return num > 0;
}

/* Not inlined: a jump back into it must find no loop of its caller half done. */
static __attribute__((noinline)) hd_result
run_and_draw(sheet *s, const hd_explore_input *inputs, hd_blob *svg)
{
   hd_unwind u;

   if (HD_TRY(&s->x.heap, &u)) {
      run_all(s, inputs);
      if (svg)
         draw_sheet(s, svg);
   }
   return hd_heap_leave(&s->x.heap, &u);
}

hd_result
hd_explore_lanes(const hd_explore_input *inputs, unsigned num_inputs, hd_explore_lane_use *uses,
                 hd_blob *svg)
{
   static const hd_explore_options options = { .max_bytes = TEXT_BYTES };
   sheet s = { .x = { .options = &options, .machine_only = true, .num_inputs = num_inputs },
               .num = num_inputs };

   if (!have_targets(inputs, num_inputs))
      return HD_INVALID;
   hd_heap_init(&s.x.heap, hd_shader_config(inputs[0].shader));
   s.x.heap.config.budget.steps = 0;
   hd_stack_init(&s.x.stack, &s.x.heap);
   const hd_result result = run_and_draw(&s, inputs, svg);
   for (unsigned n = 0; n < num_inputs && uses; n++)
      uses[n] = result == HD_OK ? s.pictures[n].run.use : (hd_explore_lane_use){ 0 };
   for (unsigned n = 0; n < num_inputs && s.sides; n++) {
      if (s.sides[n].x)
         hd_explore_finish(&s.sides[n]);
   }
   hd_stack_finish(&s.x.stack);
   return result;
}
