/* SPDX-License-Identifier: MIT */
/* gcn_verify.c - heddle verify-cfg for GCN: compile a program, run it in the simulator, compare with the interpreter.
 *
 * Each wave of a crew becomes a wave of 64 lanes of which only some start. What is compared is what
 * lanes stored in the end: their log, which depends on the way that they went and, where the
 * program has such features, on who went with them.
 */
#include "gcn.h"

#include <stdlib.h>
#include <string.h>

#include "heddle/gcn_sim.h"
#include "verify/observe.h"

#define LANES 64u

/* One way to compile. */
struct cell {
   hd_gcn_gen target;
   hd_gcn_lowering lowering;
   bool starved;
};

/* Registers of a starved cell: what calls of the ABI take, and a few. */
#define STARVED_SGPRS 32u
#define STARVED_VGPRS 12u
/* Some spill to both sides of what the offset of an instruction reaches. */
#define STARVED_SCRATCH 4000u

#define NUM_CELLS (HD_GCN_NUM_GENS * 4u)

static struct cell
cell_of(unsigned n)
{
   return (struct cell){ (hd_gcn_gen)(n % HD_GCN_NUM_GENS),
                         n / HD_GCN_NUM_GENS % 2 ? HD_GCN_LOWERING_RECONVERGING
                                                 : HD_GCN_LOWERING_TREE,
                         n / HD_GCN_NUM_GENS / 2 != 0 };
}

/* A wave of a crew, in a launch. */
struct launched {
   uint32_t words[LANES], wave_word;
   uint32_t log[LANES];
   uint8_t undefined[LANES * 4];
   uint32_t *visits;
   uint32_t num_visits;
   hd_wave_mask active;
   hd_wave_buffer buffers[NUM_BINDINGS];
   hd_wave_launch launch;
};

static void
hear(void *user, const hd_diag *diag)
{
   char *message = user;

   if (!message[0])
      snprintf(message, 256, "%s", diag->message);
}

/* The lanes of the crew's wave stand somewhere among the 64: there is no order in who starts. */
static void
prepare(struct launched *l, const crew *c, uint32_t wave, uint64_t seed)
{
   uint64_t state = random_state(seed, wave);

   memset(l->log, 0, sizeof(l->log));
   memset(l->undefined, 0, sizeof(l->undefined));
   memset(l->visits, 0, l->num_visits * sizeof(*l->visits));
   l->wave_word = c->wave_words[wave];
   l->active.word[0] = c->width == LANES ? ~UINT64_C(0) : 0;
   for (uint32_t n = 0; n < c->width; n++) {
      uint32_t lane = n;
      while (c->width < LANES && l->active.word[0] >> lane & 1)
         lane = graph_random_below(&state, LANES);
      l->active.word[0] |= UINT64_C(1) << lane;
      l->words[lane] = c->words[wave * c->width + n];
   }
}

static void
describe(struct launched *l, hd_diag_sink diag)
{
   l->buffers[0] =
       (hd_wave_buffer){ .binding = BINDING_WORDS, .memory = { l->words, NULL, sizeof(l->words) } };
   l->buffers[1] =
       (hd_wave_buffer){ .binding = BINDING_WAVES, .memory = { &l->wave_word, NULL, 4 } };
   l->buffers[2] = (hd_wave_buffer){ .binding = BINDING_LOG,
                                     .memory = { l->log, l->undefined, sizeof(l->log) } };
   l->buffers[3] = (hd_wave_buffer){ .binding = BINDING_VISITS,
                                     .memory = { l->visits, NULL, l->num_visits * 4 } };
   l->launch = (hd_wave_launch){
      .active = &l->active,
      .lanes = LANES,
      .workgroup_size = { LANES },
      .buffers = l->buffers,
      .num_buffers = NUM_BINDINGS,
      .undef_value = 0xa5a5a5a5a5a5a5a5u,
      .max_steps = 10000000,
      .diag = diag,
   };
}

/* What the interpreter made of a wave. */
struct expected {
   uint32_t log[LANES];
   uint8_t undefined[LANES * 4];
   hd_wave_stats stats;
};

struct judging {
   hd_shader *shader;
   const crew *crews;
   unsigned num_crews;
   struct launched now;
   struct expected *expected; /* of all waves of all crews */
   hd_gcn_driver_abi *abi;
   char *what;
   char message[256];
   uint64_t seed;
   unsigned crew, wave; /* that failed */
};

static const char *
cell_name(struct cell c, char name[64])
{
   snprintf(name, 64, "%s, %s%s", hd_gcn_gen_name(c.target),
            c.lowering == HD_GCN_LOWERING_TREE ? "tree" : "reconverging",
            c.starved ? ", starved" : "");
   return name;
}

static bool
interpret(struct judging *j)
{
   struct expected *e = j->expected;

   for (unsigned k = 0; k < j->num_crews; k++) {
      for (uint32_t w = 0; w < j->crews[k].num_waves; w++, e++) {
         prepare(&j->now, &j->crews[k], w, j->seed);
         if (hd_wave_run(j->shader, &j->now.launch, &e->stats) != HD_OK) {
            snprintf(j->what, 256, "the interpreter does not end: %.200s", j->message);
            return false;
         }
         memcpy(e->log, j->now.log, sizeof(e->log));
         memcpy(e->undefined, j->now.undefined, sizeof(e->undefined));
      }
   }
   return true;
}

static bool
is_expected(struct judging *j, const struct expected *e, const char *name)
{
   for (unsigned lane = 0; lane < LANES; lane++) {
      for (unsigned n = 0; n < 4; n++) {
         const unsigned at = lane * 4 + n;
         if (e->undefined[at])
            continue;
         const unsigned shift = n * 8;
         if (!j->now.undefined[at] && !((e->log[lane] ^ j->now.log[lane]) >> shift & 255))
            continue;
         snprintf(j->what, 256, "%s: lane %u logged %08x, not %08x%s", name, lane, j->now.log[lane],
                  e->log[lane], j->now.undefined[at] ? ", and it is undefined" : "");
         return false;
      }
   }
   return true;
}

static bool
run_cell(struct judging *j, struct cell cell)
{
   const hd_gcn_options options = {
      .target = cell.target,
      .abi = HD_GCN_ABI_DRIVER,
      .driver = j->abi,
      .lowering = cell.lowering,
      .max_sgprs = cell.starved ? STARVED_SGPRS : 0,
      .max_vgprs = cell.starved ? STARVED_VGPRS : 0,
      .extra_scratch = cell.starved && j->seed % 4 == 0 ? STARVED_SCRATCH : 0,
      .verify_regalloc = true,
      .diag = { j->message, hear },
   };
   const struct expected *e = j->expected;
   hd_gcn_sim_code *decoded = NULL;
   hd_gcn_binary *binary;
   char name[64];
   bool good = true;

   cell_name(cell, name);
   j->message[0] = 0;
   hd_result result = hd_gcn_compile(j->shader, &options, &binary);
   if (result != HD_OK) {
      snprintf(j->what, 256, "%s: %s: %.150s", name, hd_result_name(result), j->message);
      return false;
   }
   if (hd_gcn_sim_code_create(NULL, cell.target, binary->code, binary->code_words, &decoded) !=
       HD_OK) {
      snprintf(j->what, 256, "%s: out of memory", name);
      good = false;
   }
   for (unsigned k = 0; k < j->num_crews && good; k++) {
      for (uint32_t w = 0; w < j->crews[k].num_waves && good; w++, e++) {
         const hd_gcn_sim_options sim = { .max_steps =
                                              e->stats.instructions * 3000 + UINT64_C(5000000),
                                          .decoded = decoded,
                                          .diag = { j->message, hear } };
         prepare(&j->now, &j->crews[k], w, j->seed);
         j->message[0] = 0;
         result = hd_gcn_sim_run_wave(binary, j->abi, j->shader, &j->now.launch, &sim, NULL);
         if (result != HD_OK) {
            snprintf(j->what, 256, "%s: %.190s", name,
                     j->message[0] ? j->message : hd_result_name(result));
            good = false;
         } else {
            good = is_expected(j, e, name);
         }
         j->crew = k;
         j->wave = w;
      }
   }
   hd_gcn_sim_code_destroy(decoded);
   hd_gcn_binary_destroy(binary);
   return good;
}

static bool
judge_cells(struct judging *j, const program *p)
{
   /* All cells on the smallest graphs, which have an entry and an end besides; else one. */
   const bool all = p->graph.num_blocks <= 5;
   const unsigned first = all ? 0 : (unsigned)(random_state(p->seed, 3) % NUM_CELLS);

   if (hd_gcn_sim_abi_create(j->shader, &j->now.launch, &j->abi) != HD_OK) {
      snprintf(j->what, 256, "there is no interface for it: %.200s", j->message);
      return false;
   }
   bool good = interpret(j);
   for (unsigned n = first; n < (all ? NUM_CELLS : first + 1) && good; n++)
      good = run_cell(j, cell_of(n));
   hd_gcn_sim_abi_destroy(j->shader, j->abi);
   return good;
}

bool
agrees_on_gcn(const program *p, const crew *crews, unsigned num_crews, char what[256],
              unsigned *crew, unsigned *wave)
{
   struct judging *j = must_alloc(sizeof(*j));
   const hd_config config = { .diag = { j->message, hear } };
   uint32_t num_waves = 0;
   bool good = false;

   for (unsigned k = 0; k < num_crews; k++)
      num_waves += crews[k].num_waves;
   *j = (struct judging){ .crews = crews, .num_crews = num_crews, .what = what, .seed = p->seed };
   j->expected = must_alloc((num_waves + 1) * sizeof(*j->expected));
   j->now.num_visits = p->graph.num_blocks;
   j->now.visits = must_alloc(j->now.num_visits * sizeof(*j->now.visits));
   j->shader = program_build(p, &config);
   describe(&j->now, (hd_diag_sink){ j->message, hear });
   if (j->shader) {
      j->shader->workgroup_size[0] = LANES;
      j->shader->workgroup_size[1] = j->shader->workgroup_size[2] = 1;
      good = judge_cells(j, p);
   } else {
      snprintf(what, 256, "the program could not be built");
   }
   *crew = j->crew;
   *wave = j->wave;
   hd_shader_destroy(j->shader);
   free(j->now.visits);
   free(j->expected);
   free(j);
   return good;
}
