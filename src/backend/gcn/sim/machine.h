/* SPDX-License-Identifier: MIT */
/* machine.h - the simulated machine: interface between its files.
 *
 *    memory.c    regions of the address space
 *    fetch.c     decoded instructions, by word of the code
 *    in_flight.c    memory instructions in flight, and which registers wait for them
 *    hazard.c    wait states that software must keep
 *    cycles.c    when instructions issue
 *    exchange.c  undefined bits of registers that are exchanged
 *    initial_state.c     registers of a wave before its first instruction
 *    run.c       steps, barriers, workgroups: the entry
 */
#ifndef HEDDLE_BACKEND_GCN_SIM_MACHINE_H
#define HEDDLE_BACKEND_GCN_SIM_MACHINE_H

#include "backend/gcn/program.h"
#include "backend/gcn/sim/sim.h"
#include "heddle/gcn_sim.h"
#include "machine/sim/dispatch.h"

/* Sets of registers */

typedef struct vgpr_set {
   uint64_t word[4];
} vgpr_set;

/* By source operand number, below 128. */
typedef struct sgpr_set {
   uint64_t word[2];
} sgpr_set;

static inline bool
vgprs_meet(const vgpr_set *a, const vgpr_set *b)
{
   return ((a->word[0] & b->word[0]) | (a->word[1] & b->word[1]) | (a->word[2] & b->word[2]) |
           (a->word[3] & b->word[3])) != 0;
}

static inline bool
sgprs_meet(const sgpr_set *a, const sgpr_set *b)
{
   return ((a->word[0] & b->word[0]) | (a->word[1] & b->word[1])) != 0;
}

static inline bool
sgpr_in(const sgpr_set *s, unsigned reg)
{
   return s->word[reg / 64] >> reg % 64 & 1;
}

/* Memory */

typedef hd_mach_memory_region
    region; /* `changed`: dwords that vector stores wrote, and the scalar caches not
                                  invalidated since; `private_to_lane`: scratch */

/* The shadow of memory that had none. */
void hd_gcn_region_shadow(hd_gcn_machine *m, region *r);
/* All regions of the launch, and the code; unwinds with a diagnostic where they do not fit. */
void hd_gcn_machine_memory_start(hd_gcn_machine *m);
/* scalar_cache.c */
/* Would a scalar load of these bytes get old ones or new ones? */
bool hd_gcn_scalar_cache_is_stale(const region *r, uint64_t offset, unsigned size);
/* A vector store changes these bytes, of one region: the scalar caches do not know. */
void hd_gcn_scalar_cache_miss(hd_gcn_machine *m, region *r, uint64_t offset, unsigned size);
void hd_gcn_memory_mark(hd_gcn_machine *m, uint64_t address, unsigned size);
/* memory.c: the scalar caches forget what they have. */
void hd_gcn_scalar_cache_invalidate(hd_gcn_machine *m);

/* Code */

/* What the machine asks of an instruction again and again. */
enum {
   FETCHED_VALU = 1u << 0,
   FETCHED_SALU = 1u << 1,
   FETCHED_VMEM = 1u << 2, /* MUBUF, FLAT, GLOBAL, SCRATCH */
   FETCHED_FLAT = 1u << 3, /* FLAT alone */
   FETCHED_SMEM = 1u << 4,
   FETCHED_LDS = 1u << 5,
   FETCHED_LOADS = 1u << 6,
   FETCHED_STORES = 1u << 7,
   FETCHED_BRANCH = 1u << 8,
   FETCHED_DPP = 1u << 9,
   FETCHED_GDS = 1u << 10,
   FETCHED_MESSAGE = 1u << 11,
   FETCHED_EXPORT = 1u << 12,
};

typedef struct fetched {
   hd_gcn_decoded decoded;
   uint8_t num_words;
   uint8_t kind; /* hd_gcn_sim_class */
   uint16_t flags;
   uint32_t cost;            /* cycles from its issue to that of the next instruction */
   vgpr_set vreads, vwrites; /* as operands name them, tied ones on both sides */
   sgpr_set sreads, swrites;
   vgpr_set stored;             /* of vreads: data that goes to memory */
   uint16_t top_vgpr, top_sgpr; /* highest that is named, + 1; sgprs: vcc and the like apart */
   uint8_t extra_sgprs; /* that the chip keeps at the end of the allocation for what is named */
} fetched;

/* By word of the code, with room for an instruction at each. */
struct hd_gcn_sim_code {
   hd_heap heap;
   hd_stack stack;
   hd_gcn_gen target;
   const uint32_t *words;
   uint32_t num_words;
   fetched **code;
   fetched *room;
};

/* The instruction at an address; NULL: a fault of the wave was reported. */
const fetched *hd_gcn_fetch(hd_gcn_wave *wave, uint64_t pc);
/* The same with the vector registers that it touches where m0 moves them (s_set_gpr_idx_on). False:
 * a fault of the wave was reported.
 */
bool hd_gcn_fetch_moved(hd_gcn_wave *wave, const fetched *f, fetched *moved);
/* Its text. */
void hd_gcn_fetched_print(const hd_gcn_machine *m, const fetched *f, hd_blob *out);

/* In flight */

typedef struct hd_gcn_flight hd_gcn_flight;
hd_gcn_flight *hd_gcn_flight_create(hd_gcn_machine *m);
void hd_gcn_flight_reset(hd_gcn_wave *wave);
/* Before it runs: may it touch its registers? */
bool hd_gcn_flight_check(hd_gcn_wave *wave, const fetched *f);
/* A memory instruction begins (what it will touch is noted), and has begun. */
bool hd_gcn_flight_begin(hd_gcn_wave *wave, const fetched *f);
void hd_gcn_flight_end(hd_gcn_wave *wave, const fetched *f);
/* A store of this wave touches these bytes. */
void hd_gcn_flight_store(hd_gcn_wave *wave, uint64_t address, unsigned size);
/* Does another wave's store, in flight, touch these bytes? */
bool hd_gcn_flight_allows(hd_gcn_wave *wave, int lane, uint64_t address, unsigned size);
/* s_waitcnt with this immediate. */
void hd_gcn_flight_wait(hd_gcn_wave *wave, uint32_t imm);
/* s_barrier: others may go on while stores to LDS are in flight. */
void hd_gcn_flight_barrier(hd_gcn_wave *wave);
/* Is anything of vector memory or LDS in flight? */
bool hd_gcn_flight_has_vectors(const hd_gcn_wave *wave);
/* The wave has ended: all is done. */
void hd_gcn_flight_drain(hd_gcn_wave *wave);
/* Dwords that stores in flight have changed stay stale for the scalar caches. */
void hd_gcn_flight_mark_stores(hd_gcn_wave *wave);

/* Hazards */

typedef struct hd_gcn_states hd_gcn_states;
hd_gcn_states *hd_gcn_states_create(hd_gcn_machine *m);
void hd_gcn_states_reset(hd_gcn_states *h);
bool hd_gcn_states_check(hd_gcn_wave *wave, const fetched *f);
/* A vector instruction that MODE.vskip skips. */
bool hd_gcn_states_check_skipped(hd_gcn_wave *wave);
/* It has run, and with it so many wait states. */
void hd_gcn_states_note(hd_gcn_wave *wave, const fetched *f);

/* Cycles */

typedef struct hd_gcn_clock {
   uint64_t now;     /* when the next instruction can issue */
   uint64_t stalls;  /* cycles in which nothing issued */
   uint64_t free[3]; /* when the vector memory, LDS and scalar memory units take the next one */
} hd_gcn_clock;

enum unit { UNIT_VMEM, UNIT_LDS, UNIT_SMEM };

/* A memory instruction issues: when its data is there, and when stored data has been read. */
typedef struct completion {
   uint64_t done, read;
} completion;

completion hd_gcn_clock_memory(hd_gcn_wave *wave, const fetched *f, bool in_lds);
/* Nothing issues until then. */
void hd_gcn_clock_stall(hd_gcn_wave *wave, uint64_t until);
/* Any instruction: it occupies the wave. `taken`: it jumped. */
void hd_gcn_clock_issue(hd_gcn_wave *wave, const fetched *f, bool taken);
uint32_t hd_gcn_clock_cost(hd_gcn_gen gen, const hd_mach_inst *inst);
/* The wave has ended. */
void hd_gcn_clock_add(hd_gcn_wave *wave, hd_gcn_sim_stats *stats);

/* Exchanges */

typedef struct hd_gcn_exchange {
   uint64_t next_pc; /* where the next step would be */
   unsigned steps;   /* that were met so far: three are an exchange */
   unsigned reg[2];
   uint32_t undef[2][HD_GCN_LANES]; /* of both, before the first; scalars have one */
} hd_gcn_exchange;

/* Around the execution of each instruction. */
void hd_gcn_exchange_before(hd_gcn_wave *wave, const fetched *f);
void hd_gcn_exchange_after(hd_gcn_wave *wave);

/* Waves */

/* A wave with what the machine knows of it. */
typedef struct simulated {
   hd_gcn_wave wave;
   uint64_t scratch_offset; /* from the start of the dispatch's scratch */
   region *scratch;
   hd_gcn_states *hazards;
   hd_gcn_exchange exchange;
   uint32_t top_sgpr, extra_sgprs; /* named so far: see fetched */
   bool unwaited_lds;              /* it reached a barrier with stores to LDS in flight */
} simulated;

static inline simulated *
simulated_of(hd_gcn_wave *wave)
{
   return (simulated *)wave;
}

struct hd_gcn_machine {
   hd_heap heap;
   hd_stack stack;
   const hd_gcn_target *target;
   const hd_gcn_sim_launch *launch;
   const hd_gcn_sim_options *options;
   hd_gcn_sim_stats stats;
   hd_result result; /* why the run ended; HD_OK while it goes on */

   hd_mach_memory memory;
   /* Of the dispatch's scratch. That of wave n begins n + 1 strides further, so that a wave that
    * does not add its offset finds nothing.
    */
   uint64_t scratch_base;
   uint64_t hidden_base; /* gfx8: what flat_scratch counts from */
   uint64_t scratch_stride;
   uint64_t scratch_size; /* of a wave */

   uint64_t code_base; /* address of the first word */
   fetched **code;     /* by word; NULL: not yet decoded */
   fetched *room;      /* for each of them, or NULL: they are made one by one */

   uint32_t num_workgroups[3], workgroup_size[3];
   uint32_t group_lanes, num_waves;
   simulated *waves; /* of a workgroup */
   uint8_t *lds, *lds_undef;
   uint32_t unwaited;     /* stores of all waves to memory that are in flight */
   uint32_t unwaited_lds; /* waves that reached a barrier so */
   hd_mach_turns turns;
   uint64_t steps_left;
   uint64_t num_stores;            /* to memory, of vectors and scalars */
   struct hd_gcn_texture *texture; /* exec_sample.c */
};

/* Upper halves of the addresses by which FLAT finds LDS and scratch. */
#define HD_GCN_LDS_APERTURE     0x10000u
#define HD_GCN_PRIVATE_APERTURE 0x20000u

/* Registers of a wave as the launch and the chip set them. */
void hd_gcn_wave_start(hd_gcn_machine *m, simulated *s, uint32_t workgroup, uint32_t number);

#endif
