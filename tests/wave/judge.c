/* SPDX-License-Identifier: MIT */
#include "judge.h"

#include <string.h>

#include "../analysis/naive.h"

struct state {
   hd_function *f;
   const struct lanes *lanes;
   struct runs *out;
   unsigned made[HD_WAVE_MAX_LANES]; /* decisions so far */
   hd_wave_mask ended;
   /* flat */
   struct naive g;
   hd_wave_mask waiting[NAIVE_MAX];
};

static bool
has(hd_wave_mask m, unsigned l)
{
   return m.word[l / 64] >> l % 64 & 1;
}

static void
put(hd_wave_mask *m, unsigned l)
{
   m->word[l / 64] |= (uint64_t)1 << l % 64;
}

static bool
any(hd_wave_mask m)
{
   return m.word[0] || m.word[1];
}

static hd_wave_mask
both(hd_wave_mask a, hd_wave_mask b)
{
   return (hd_wave_mask){ { a.word[0] | b.word[0], a.word[1] | b.word[1] } };
}

/* False once too much was recorded. */
static bool
record(struct state *s, const hd_block *b, hd_wave_mask mask)
{
   if (s->out->num == JUDGE_MAX_RUNS) {
      s->out->cut = true;
      return false;
   }
   s->out->run[s->out->num].block = b->node.index;
   s->out->run[s->out->num++].mask = mask;
   return true;
}

static bool
decide(struct state *s, unsigned l, const hd_block *b)
{
   const unsigned k = s->made[l]++;

   return k < 16 ? s->lanes->words[l] >> k & 1 : s->lanes->later[b->node.index];
}

/* Trees */

struct leaving {
   hd_wave_mask broke, continued;
};

static hd_wave_mask run_list(struct state *s, const hd_cf_list *list, hd_wave_mask lanes,
                             struct leaving *leaving);

static hd_wave_mask
run_if(struct state *s, hd_if *nif, hd_wave_mask lanes, struct leaving *leaving)
{
   hd_wave_mask yes = { { 0, 0 } }, no = { { 0, 0 } };

   for (unsigned l = 0; l < s->lanes->num; l++) {
      if (has(lanes, l))
         put(decide(s, l, hd_node_prev_block(&nif->node)) ? &yes : &no, l);
   }
   yes = run_list(s, &nif->then_list, yes, leaving);
   no = run_list(s, &nif->else_list, no, leaving);
   return both(yes, no);
}

static hd_wave_mask
run_loop(struct state *s, hd_loop *loop, hd_wave_mask lanes)
{
   struct leaving leaving = { 0 };

   while (any(lanes) && !s->out->cut) {
      lanes = run_list(s, &loop->body, lanes, &leaving);
      lanes = both(lanes, leaving.continued);
      leaving.continued = (hd_wave_mask){ { 0, 0 } };
      lanes = run_list(s, &loop->continue_list, lanes, &leaving);
   }
   return leaving.broke;
}

/* The lanes that come to the end of the list. */
static hd_wave_mask
run_list(struct state *s, const hd_cf_list *list, hd_wave_mask lanes, struct leaving *leaving)
{
   for (hd_cf_node *n = list->first; n && any(lanes) && !s->out->cut; n = n->next) {
      if (n->kind == HD_CF_IF) {
         lanes = run_if(s, hd_node_as_if(n), lanes, leaving);
      } else if (n->kind == HD_CF_LOOP) {
         lanes = run_loop(s, hd_node_as_loop(n), lanes);
      } else {
         const hd_block *b = hd_node_as_block(n);
         const hd_jump *jump = hd_block_jump(b);
         record(s, b, lanes);
         if (!jump)
            continue;
         if (jump->instr.op == HD_JUMP_BREAK)
            leaving->broke = both(leaving->broke, lanes);
         else if (jump->instr.op == HD_JUMP_CONTINUE)
            leaving->continued = both(leaving->continued, lanes);
         return (hd_wave_mask){ { 0, 0 } };
      }
   }
   return lanes;
}

/* Flat functions */

static void
run_block(struct state *s, int b)
{
   const hd_wave_mask lanes = s->waiting[b];

   s->waiting[b] = (hd_wave_mask){ { 0, 0 } };
   if (!record(s, s->g.block[b], lanes))
      return;
   for (unsigned l = 0; l < s->lanes->num; l++) {
      if (!has(lanes, l))
         continue;
      int way = 0;
      if (s->g.num_succs[b] == 2)
         way = decide(s, l, s->g.block[b]) ? 0 : 1;
      put(&s->waiting[s->g.succ[b][way]], l);
   }
}

/* The blocks that stand for the item in which b is, at the level of cycle c. */
static set
item_of(const struct state *s, int b, int c)
{
   int inner = naive_inner(&s->g, b);

   if (inner == c)
      return (set)1 << b;
   while (s->g.cycle[inner].parent != c)
      inner = s->g.cycle[inner].parent;
   return s->g.cycle[inner].all;
}

static int
cycle_with(const struct state *s, set item, int c)
{
   for (int n = 0; n < s->g.num_cycles; n++) {
      if (s->g.cycle[n].parent == c && s->g.cycle[n].all == item)
         return n;
   }
   return -1;
}

static void run_cycle(struct state *s, int c);

/* Once through the items of a level, after its header. */
static void
sweep(struct state *s, int c)
{
   const set every = c < 0 ? ((set)1 << (s->g.num - 1)) - 1 : s->g.cycle[c].all;
   const set within = c < 0 ? every : every & ~((set)1 << s->g.cycle[c].header);

   for (;;) {
      int found = -1;
      for (int b = 0; b < s->g.num - 1 && found < 0; b++) {
         if (!(within >> b & 1) || !any(s->waiting[b]))
            continue;
         const set item = item_of(s, b, c);
         found = b;
         for (int other = 0; other < s->g.num - 1; other++) {
            if (!(within >> other & 1) || !any(s->waiting[other]) || item >> other & 1)
               continue;
            /* From anywhere in its item: a lane may go round in it first. */
            const set from = item_of(s, other, c);
            for (int k = 0; k < s->g.num - 1; k++) {
               if (from >> k & 1 && naive_reach(&s->g, k, within) & item)
                  found = -1;
            }
         }
      }
      if (found < 0 || s->out->cut)
         return;
      const set item = item_of(s, found, c);
      if (naive_inner(&s->g, found) == c)
         run_block(s, found);
      else
         run_cycle(s, cycle_with(s, item, c));
   }
}

static void
run_cycle(struct state *s, int c)
{
   const int header = s->g.cycle[c].header;

   do {
      if (any(s->waiting[header]))
         run_block(s, header);
      sweep(s, c);
   } while (any(s->waiting[header]) && !s->out->cut);
}

void
judge(hd_function *f, const struct lanes *lanes, struct runs *out)
{
   static struct state s;
   struct leaving leaving = { 0 };
   hd_wave_mask all = { { 0, 0 } };

   memset(&s, 0, sizeof(s));
   s.f = f;
   s.lanes = lanes;
   s.out = out;
   out->num = 0;
   out->cut = false;
   for (unsigned l = 0; l < lanes->num; l++)
      put(&all, l);
   if (f->structured) {
      run_list(&s, &f->body, all, &leaving);
      return;
   }
   naive_read(&s.g, f);
   s.waiting[naive_index(&s.g, hd_function_start(f))] = all;
   sweep(&s, -1);
}

/* The other side */

static void
keep(void *user, const hd_wave_step *step)
{
   struct runs *out = user;

   if (out->num == JUDGE_MAX_RUNS) {
      out->cut = true;
      return;
   }
   out->run[out->num].block = step->block->node.index;
   out->run[out->num++].mask = step->mask;
}

hd_result
observe_lanes(hd_shader *shader, const struct lanes *lanes, const hd_wave_launch *how,
              struct runs *out)
{
   uint32_t words[HD_WAVE_MAX_LANES];
   const hd_wave_buffer buffer = { .memory = { words, NULL, sizeof(words) } };
   hd_wave_launch launch = *how;

   launch.workgroup_size[0] = lanes->num;
   launch.buffers = &buffer;
   launch.num_buffers = 1;
   launch.max_steps = 12000;
   launch.user = out;
   launch.trace = keep;
   for (unsigned l = 0; l < lanes->num; l++)
      words[l] = lanes->words[l];
   out->num = 0;
   out->cut = false;
   hd_result result = hd_wave_run(shader, &launch, NULL);
   out->cut |= result == HD_BUDGET_EXCEEDED;
   return result;
}

void
cut_runs(struct runs *r, hd_wave_mask lanes)
{
   unsigned num = 0;

   for (unsigned n = 0; n < r->num; n++) {
      r->run[num] = r->run[n];
      r->run[num].mask.word[0] &= lanes.word[0];
      r->run[num].mask.word[1] &= lanes.word[1];
      num += any(r->run[num].mask);
   }
   r->num = num;
}

static unsigned
next_run(const struct runs *r, unsigned from, uint32_t block)
{
   while (from < r->num && r->run[from].block != block)
      from++;
   return from;
}

uint32_t
lanes_differ(const hd_function *f, const struct runs *a, const struct runs *b)
{
   hd_foreach_block(block, f) {
      const uint32_t index = block->node.index;
      unsigned x = next_run(a, 0, index), y = next_run(b, 0, index);
      for (; x < a->num && y < b->num;
           x = next_run(a, x + 1, index), y = next_run(b, y + 1, index)) {
         if (memcmp(&a->run[x].mask, &b->run[y].mask, sizeof(hd_wave_mask)))
            return index;
      }
      if ((x < a->num && !b->cut) || (y < b->num && !a->cut))
         return index;
   }
   return UINT32_MAX;
}
