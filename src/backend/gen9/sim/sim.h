/* SPDX-License-Identifier: MIT */
/* sim.h - the simulator: interface between its files.
 *
 *    flow.c      which channels are active, and where the others wait
 *    operand.c   elements of register regions
 *    exec.c      execution of ALU instructions
 *    message.c   execution of send
 *    memory.c    surfaces, shared memory, the address space
 *    fail.c      messages
 *    run.c       turns of threads
 *
 * Each channel has an instruction pointer: it is active if that equals the thread's. Intel's manuals
 * describe structured branches this way: channels wait at the ends of blocks. `break` and `continue`
 * both wait at the `while`, so channels that broke are marked.
 */
#ifndef HEDDLE_BACKEND_GEN9_SIM_SIM_H
#define HEDDLE_BACKEND_GEN9_SIM_SIM_H

#include "backend/gen9/isa/isa.h"
#include "heddle/gen9_sim.h"
#include "util/float.h"
#include "util/memory.h"

#define GEN9_CHANNELS 32u
#define GEN9_SURFACES 256u

/* Bytes that are read and written by their place in a surface, or by addresses from `address` on. */
typedef struct gen9_memory {
   uint64_t address;
   uint8_t *data, *undefined; /* the latter may be NULL */
   uint64_t size;
   bool read_only;
} gen9_memory;

typedef struct gen9_thread {
   uint8_t grf[HD_GEN9_NUM_GRFS * HD_GEN9_GRF_BYTES];
   uint64_t acc[64];    /* elements of the accumulators: of integers all bits of a sum or product */
   uint8_t address[32]; /* a0 */
   uint8_t flags[8];    /* f0, f1 */
   uint32_t control;    /* cr0.0 */
   uint32_t notified;   /* n0.0 */
   uint32_t ip;
   uint32_t waits[GEN9_CHANNELS]; /* where the channel goes on; if not active */
   uint32_t active;               /* a bit each */
   uint32_t present;              /* channels that the thread began with */
   uint32_t broke;                /* of those that wait: by a break */
   uint32_t scratch;              /* where its scratch memory begins in the surface of all */
   bool came;                     /* to a barrier */
   bool at_barrier;               /* waits for a notification */
   bool done;
} gen9_thread;

/* What a thread is given: registers from r0 on. */
typedef struct gen9_start {
   const uint8_t *grf;
   uint32_t num_grfs;
   uint32_t channels;
} gen9_start;

typedef struct gen9_sim_stats {
   uint64_t instructions, branches, messages, channels;
} gen9_sim_stats;

typedef struct gen9_sim {
   const hd_diag_sink *sink;
   const uint8_t *code;
   uint32_t code_size;
   hd_gen9_word *insts; /* by half of an instruction: at address / 8; op 0: none begins there */
   uint8_t *lengths;
   const gen9_memory *surfaces[GEN9_SURFACES];
   const gen9_memory *regions; /* the address space, ascending */
   uint32_t num_regions;
   gen9_memory shared, scratch;
   gen9_thread *threads;
   uint32_t num_threads;
   uint32_t workgroup, thread; /* that run */
   int channel;                /* at hand, or -1 */
   uint64_t seed, random;
   uint64_t max_steps;
   void *user;
   /* As those of hd_gen9_sim_options. */
   void (*trace)(void *user, const hd_gen9_sim_step *step);
   void (*wrote)(void *user, const hd_wave_register *reg);
   void (*stored)(void *user, const hd_wave_stored *store);
   gen9_sim_stats stats;
   hd_result result; /* HD_OK until something is wrong */
} gen9_sim;

/* The instruction that begins there; NULL: none does. */
static inline const hd_gen9_word *
hd_gen9_sim_inst_at(const gen9_sim *s, uint32_t ip)
{
   return ip % 8 == 0 && ip < s->code_size && s->insts[ip / 8].op ? &s->insts[ip / 8] : NULL;
}

/* fail.c. The run ends; the message is about the instruction at hand. Returns false. */
bool hd_gen9_sim_fail(gen9_sim *s, const char *format, ...) HD_PRINTF(2, 3);
void hd_gen9_sim_text(const gen9_sim *s, uint32_t ip, char text[160]);

/* run.c */
/* Decode the code. */
void hd_gen9_sim_load(gen9_sim *s, hd_stack *stack, const void *code, uint32_t size);
void hd_gen9_sim_start(gen9_sim *s, uint32_t thread, const gen9_start *start);
/* Until all threads have ended. False: a diagnostic says why not. */
bool hd_gen9_sim_run(gen9_sim *s);

/* flow.c: a branch; the instruction pointer goes on. `taken`: channels whose predicate holds. */
bool hd_gen9_sim_branch(gen9_sim *s, gen9_thread *t, const hd_gen9_word *w, uint32_t length,
                        uint32_t taken);
/* Before an instruction: channels that wait here are active. */
void hd_gen9_sim_arrive(gen9_thread *t);

/* operand.c */
typedef enum gen9_kind { GEN9_INT, GEN9_HALF, GEN9_FLOAT, GEN9_DOUBLE } gen9_kind;

static inline unsigned
gen9_kind_bits(gen9_kind kind)
{
   return kind == GEN9_HALF ? 16 : kind == GEN9_FLOAT ? 32 : 64;
}

static inline unsigned
gen9_type_size(unsigned type)
{
   return hd_gen9_type_infos[type].size;
}

bool hd_gen9_type_is_signed(unsigned type);
gen9_kind hd_gen9_kind_of_type(unsigned type);
/* What the sources are computed in. */
gen9_kind hd_gen9_kind_of(const hd_gen9_word *w);
/* Source n of a channel as a number of the kind; integers have 64 bits. */
bool hd_gen9_sim_read(gen9_sim *s, gen9_thread *t, const hd_gen9_word *w, unsigned n,
                      unsigned channel, gen9_kind kind, uint64_t *value);
/* A number to the destination, converted to its type. */
bool hd_gen9_sim_write(gen9_sim *s, gen9_thread *t, const hd_gen9_word *w, unsigned channel,
                       gen9_kind kind, uint64_t value);
/* Bits of the type of the destination. */
bool hd_gen9_sim_write_bits(gen9_sim *s, gen9_thread *t, const hd_gen9_word *w, unsigned channel,
                            uint64_t bits);
/* What a number becomes in a type; `sat`: integers are clamped, floats between 0 and 1. */
uint64_t hd_gen9_convert(const gen9_thread *t, unsigned type, gen9_kind kind, bool sat,
                         uint64_t value);
hd_round hd_gen9_round(const gen9_thread *t);
uint64_t hd_gen9_flush(const gen9_thread *t, gen9_kind kind, uint64_t value);
/* Channels of the instruction whose predicate holds, by their numbers. */
uint32_t hd_gen9_sim_predicate(const gen9_thread *t, const hd_gen9_word *w, uint32_t channels);
bool hd_gen9_flag(const gen9_thread *t, unsigned flag, unsigned channel);
void hd_gen9_set_flag(gen9_thread *t, unsigned flag, unsigned channel, bool value);

/* exec.c: not branches, not messages. `channels`: those that it writes. */
bool hd_gen9_sim_exec(gen9_sim *s, gen9_thread *t, const hd_gen9_word *w, uint32_t channels);

/* message.c */
bool hd_gen9_sim_send(gen9_sim *s, gen9_thread *t, const hd_gen9_word *w, uint32_t channels);

/* memory.c. A surface gives 0 for what is outside of it, and ignores what is written there. */
#define GEN9_BTI_SHARED    254u
#define GEN9_BTI_STATELESS 255u
bool hd_gen9_sim_load_surface(gen9_sim *s, unsigned index, uint32_t offset, uint32_t size,
                              uint64_t *value);
bool hd_gen9_sim_store_surface(gen9_sim *s, unsigned index, uint32_t offset, uint32_t size,
                               uint64_t value);
bool hd_gen9_sim_load_address(gen9_sim *s, uint64_t address, uint32_t size, uint64_t *value);
bool hd_gen9_sim_store_address(gen9_sim *s, uint64_t address, uint32_t size, uint64_t value);
/* To bytes that are there; it is observed. `within` as of hd_wave_stored. */
void hd_gen9_sim_store(gen9_sim *s, const gen9_memory *m, const char *within, uint64_t offset,
                       uint32_t size, uint64_t value);

#endif
