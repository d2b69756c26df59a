/* SPDX-License-Identifier: MIT */
/* run.c - fetch, check, execute; barriers, workgroups: the entry of the simulator. */
#include "backend/gcn/isa/print.h"
#include "backend/gcn/sim/exec.h"
#include "backend/gcn/sim/machine.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "util/float_host.h"
#include "util/quote.h"
#include "util/refuse.h"

/* One instruction */

static void
call_trace(hd_gcn_wave *w, const fetched *f)
{
   const hd_gcn_machine *m = w->machine;
   const uint64_t offset = w->pc - m->code_base;
   hd_blob text;

   hd_blob_init(&text, &m->heap.config);
   hd_gcn_fetched_print(m, f, &text);
   const hd_gcn_sim_step step = {
      .workgroup = w->workgroup,
      .wave = w->number,
      .cycle = w->clock->now,
      .pc = offset,
      .exec = w->sgpr[HD_GCN_EXEC] | (uint64_t)w->sgpr[HD_GCN_EXEC + 1] << 32,
      .scc = w->scc != 0,
      .words = m->launch->code + offset / 4,
      .num_words = f->num_words,
      .text = text.result == HD_OK && text.data ? text.data : "?",
   };
   m->options->trace(m->options->user, &step);
   hd_blob_finish(&text);
}

/* Register by register. */
static void
tell_writes(const hd_gcn_wave *w, const hd_mach_inst *inst)
{
   const hd_gcn_machine *m = w->machine;
   hd_blob name;

   hd_blob_init(&name, &m->heap.config);
   for (unsigned n = 0; n < inst->num_defs; n++) {
      const hd_mach_operand *def = hd_mach_def(inst, n);
      for (unsigned k = 0; def->reg != HD_MACH_NO_REG && k < def->size; k++) {
         const unsigned reg = def->reg + k, v = reg - HD_GCN_VGPR0;
         const uint32_t scc[2] = { w->scc, w->scc_undef };
         hd_wave_register event = { .workgroup = w->workgroup, .wave = w->number, .num = 1 };
         name.size = 0;
         if (reg >= HD_GCN_VGPR0 && v < 256) {
            event.values = w->vgpr[v], event.undefined = w->vgpr_undef[v];
            event.num = HD_GCN_LANES;
         } else if (reg < 128) {
            event.values = &w->sgpr[reg], event.undefined = &w->sgpr_undef[reg];
         } else if (reg == HD_GCN_SCC) {
            event.values = &scc[0], event.undefined = &scc[1];
         } else {
            continue;
         }
         hd_gcn_register_print(m->launch->target, reg, 1, &name);
         event.name = name.result == HD_OK && name.data ? name.data : "?";
         m->options->wrote(m->options->user, &event);
      }
   }
   hd_blob_finish(&name);
}

/* Are its registers allocated? What is kept for vcc and the like lies after those that are named.
 */
static bool
check_allocated(hd_gcn_wave *w, const fetched *f)
{
   simulated *s = simulated_of(w);

   if (f->top_vgpr > w->num_vgprs)
      return hd_gcn_fault(w, -1, "v%u, but only %u vector registers are allocated",
                          f->top_vgpr - 1u, w->num_vgprs);
   if (f->top_sgpr > s->top_sgpr)
      s->top_sgpr = f->top_sgpr;
   if (f->extra_sgprs > s->extra_sgprs)
      s->extra_sgprs = f->extra_sgprs;
   if (s->top_sgpr + s->extra_sgprs > w->num_sgprs)
      return hd_gcn_fault(w, -1,
                          "s%u and %u scalar registers for vcc and the like, but only %u are "
                          "allocated",
                          s->top_sgpr ? s->top_sgpr - 1 : 0, s->extra_sgprs, w->num_sgprs);
   return true;
}

/* What waits, ends or is there for the machine alone. False: `inst` is none of these. */
static bool
run_special(hd_gcn_wave *w, const hd_mach_inst *inst)
{
   switch (inst->op) {
   case HD_GCN_S_WAITCNT:
      hd_gcn_flight_wait(w, (uint32_t)inst->imm);
      return true;
   case HD_GCN_S_BARRIER:
      hd_gcn_flight_barrier(w);
      w->at_barrier = true;
      return true;
   case HD_GCN_S_ENDPGM:
      hd_gcn_check_last_export(w);
      hd_gcn_flight_drain(w);
      w->ended = true;
      return true;
   case HD_GCN_S_NOP:
   case HD_GCN_S_SLEEP:
      return true;
   default:
      return false;
   }
}

static bool
execute(hd_gcn_wave *w, const fetched *f)
{
   const hd_mach_inst *inst = &f->decoded.inst;
   const bool memory =
       f->flags & (FETCHED_VMEM | FETCHED_SMEM | FETCHED_LDS | FETCHED_MESSAGE | FETCHED_EXPORT);

   if (run_special(w, inst))
      return w->machine->result == HD_OK;
   if (inst->op == HD_GCN_S_SETVSKIP && hd_gcn_flight_has_vectors(w))
      return hd_gcn_fault(w, -1, "vector memory instructions are in flight: s_waitcnt is missing");
   if (memory && !hd_gcn_flight_begin(w, f))
      return false;
   /* Nobody hears messages. */
   if (inst->op != HD_GCN_S_SENDMSG && !hd_gcn_execute(w, inst))
      return false;
   if (w->machine->result != HD_OK)
      return false;
   if (memory)
      hd_gcn_flight_end(w, f);
   if (inst->op == HD_GCN_S_DCACHE_INV)
      hd_gcn_scalar_cache_invalidate(w->machine);
   return true;
}

static void
count(hd_gcn_wave *w, const fetched *f)
{
   hd_gcn_sim_stats *stats = &w->machine->stats;
   const unsigned lanes = (unsigned)(__builtin_popcount(w->sgpr[HD_GCN_EXEC]) +
                                     __builtin_popcount(w->sgpr[HD_GCN_EXEC + 1]));

   stats->instructions++;
   stats->issued[f->kind]++;
   if (f->flags & (FETCHED_VALU | FETCHED_VMEM | FETCHED_LDS))
      stats->lane_ops += lanes;
   stats->exec_writes += sgpr_in(&f->swrites, HD_GCN_EXEC) || sgpr_in(&f->swrites, HD_GCN_EXEC + 1);
}

static bool
out_of_steps(hd_gcn_wave *w)
{
   hd_gcn_machine *m = w->machine;

   hd_gcn_tell_fault(w, -1, "the launch ran %" PRIu64 " instructions and has not ended",
                     m->options->max_steps);
   m->result = HD_BUDGET_EXCEEDED;
   return false;
}

/* MODE.vskip: what is no scalar instruction does nothing. */
static bool
is_skipped(const hd_gcn_wave *w, const fetched *f)
{
   return w->mode >> HD_GCN_MODE_VSKIP & 1 &&
          f->flags & (FETCHED_VALU | FETCHED_VMEM | FETCHED_LDS);
}

/* It is issued, and touches no register. */
static bool
skip(hd_gcn_wave *w, const fetched *f)
{
   const fetched nothing = { .num_words = f->num_words, .kind = HD_GCN_SIM_WAIT, .cost = 4 };

   if (!w->machine->options->no_hazards && !hd_gcn_states_check_skipped(w))
      return false;
   count(w, &nothing);
   hd_gcn_states_note(w, &nothing);
   hd_gcn_clock_issue(w, &nothing, false);
   return true;
}

static bool
step(hd_gcn_wave *w)
{
   hd_gcn_machine *m = w->machine;
   const fetched *f = hd_gcn_fetch(w, w->next_pc);
   fetched moved;

   if (!f)
      return false;
   if (!m->steps_left--)
      return out_of_steps(w);
   const uint64_t following = w->pc + f->num_words * 4u;
   w->next_pc = following;
   if (m->options->trace)
      call_trace(w, f);
   if (is_skipped(w, f))
      return skip(w, f);
   if (w->mode >> HD_GCN_MODE_GPR_IDX & 1 && f->flags & FETCHED_VALU) {
      if (!hd_gcn_fetch_moved(w, f, &moved))
         return false;
      f = &moved;
   }
   if (!check_allocated(w, f) || !hd_gcn_flight_check(w, f) ||
       (!m->options->no_hazards && !hd_gcn_states_check(w, f)))
      return false;
   /* Counted with the lanes that it runs for. */
   count(w, f);
   hd_gcn_exchange_before(w, f);
   if (!execute(w, f))
      return false;
   hd_gcn_exchange_after(w);
   if (m->options->wrote)
      tell_writes(w, &f->decoded.inst);
   const bool taken = f->flags & FETCHED_BRANCH && w->next_pc != following;
   m->stats.taken += taken;
   hd_gcn_states_note(w, f);
   hd_gcn_clock_issue(w, f, taken);
   return true;
}

/* Waves and workgroups */

static bool
is_ready(void *user, uint32_t n)
{
   const hd_gcn_wave *w = &((hd_gcn_machine *)user)->waves[n].wave;

   return !w->ended && !w->at_barrier;
}

/* Until it meets a barrier, ends, or its turn is over. */
static bool
go_on(void *user, uint32_t n, uint64_t steps)
{
   hd_gcn_machine *m = user;
   hd_gcn_wave *w = &m->waves[n].wave;

   while (steps-- && m->result == HD_OK && step(w) && !w->ended && !w->at_barrier)
      ;
   if (w->ended && m->result == HD_OK)
      hd_gcn_clock_add(w, &m->stats);
   return m->result == HD_OK;
}

/* When no wave can go on, all that did not end are at the barrier: it opens. */
static bool
open_barrier(void *user)
{
   hd_gcn_machine *m = user;
   bool any = false;

   for (uint32_t n = 0; n < m->num_waves; n++) {
      hd_gcn_wave *w = &m->waves[n].wave;
      any |= w->at_barrier;
      w->at_barrier = false;
   }
   return any;
}

static void
run_workgroup(hd_gcn_machine *m, uint32_t workgroup)
{
   memset(m->lds, 0, m->launch->lds_size);
   memset(m->lds_undef, 0xff, m->launch->lds_size);
   for (uint32_t n = 0; n < m->num_waves; n++) {
      hd_gcn_wave_start(m, &m->waves[n], workgroup, n);
      m->stats.waves += !m->waves[n].wave.ended;
   }
   m->unwaited = m->unwaited_lds = 0;
   m->turns.num_waves = m->num_waves;
   m->turns.user = m;
   if (m->result == HD_OK)
      hd_mach_turns_run(&m->turns);
}

/* The launch */

static void
choose_grid(hd_gcn_machine *m)
{
   const hd_gcn_sim_launch *l = m->launch;
   uint64_t lanes = 1, groups = 1;

   for (unsigned n = 0; n < 3; n++) {
      m->workgroup_size[n] = l->workgroup_size[n] ? l->workgroup_size[n] : 1;
      m->num_workgroups[n] = l->num_workgroups[n] ? l->num_workgroups[n] : 1;
      lanes *= m->workgroup_size[n];
      groups *= m->num_workgroups[n];
      if (lanes > 1024)
         hd_heap_refuse(&m->heap, HD_BAD_LAUNCH,
                        "a workgroup of %" PRIu64 " lanes or more, expected at most 1024", lanes);
      if (groups > UINT32_MAX)
         hd_heap_refuse(&m->heap, HD_BAD_LAUNCH, "expected fewer than 2^32 workgroups, found more");
   }
   m->group_lanes = (uint32_t)lanes;
   m->num_waves = ((uint32_t)lanes + HD_GCN_LANES - 1) / HD_GCN_LANES;
}

static void
check_launch(hd_gcn_machine *m)
{
   const hd_gcn_sim_launch *l = m->launch;
   const unsigned user = l->pgm_rsrc2 >> 1 & 31;

   if (!l->code_words || l->entry % 4 || l->entry / 4 >= l->code_words)
      hd_heap_refuse(&m->heap, HD_BAD_LAUNCH, "the code has no instruction at %u", l->entry);
   if (user > HD_GCN_MAX_USER_SGPRS)
      hd_heap_refuse(&m->heap, HD_BAD_LAUNCH, "%u user SGPRs are requested, the machine has %u",
                     user, HD_GCN_MAX_USER_SGPRS);
   if (l->lds_size > m->target->max_lds)
      hd_heap_refuse(&m->heap, HD_BAD_LAUNCH, "%u bytes of LDS are asked for, the machine has %u",
                     l->lds_size, m->target->max_lds);
   if ((l->scratch_resource != HD_GCN_NO_SGPR && l->scratch_resource + 4u > user) ||
       (l->flat_scratch_init != HD_GCN_NO_SGPR && l->flat_scratch_init + 2u > user))
      hd_heap_refuse(&m->heap, HD_BAD_LAUNCH,
                     "the scratch resource or flat_scratch_init is outside of the %u user SGPRs",
                     user);
}

/* All but vector registers: those that are allocated are set when the wave starts, the others are
 * not touched.
 */
static void
forget(simulated *s)
{
   const size_t first = offsetof(simulated, wave.vgpr);
   const size_t behind = offsetof(simulated, wave.vgpr_undef) + sizeof(s->wave.vgpr_undef);

   memset(s, 0, first);
   memset((char *)s + behind, 0, sizeof(*s) - behind);
}

static void
prepare(hd_gcn_machine *m)
{
   choose_grid(m);
   check_launch(m);
   m->waves = hd_stack_alloc(&m->stack, m->num_waves * sizeof(simulated));
   hd_gcn_machine_memory_start(m);
   const hd_gcn_sim_code *decoded = m->options->decoded;
   if (decoded) {
      assert(decoded->target == m->launch->target && decoded->words == m->launch->code &&
             decoded->num_words == m->launch->code_words);
      m->code = decoded->code;
      m->room = decoded->room;
   } else {
      m->code = hd_stack_alloc_zero(&m->stack, m->launch->code_words * sizeof(fetched *));
   }
   m->lds = hd_stack_alloc_zero(&m->stack, m->launch->lds_size + 1);
   m->lds_undef = hd_stack_alloc_zero(&m->stack, m->launch->lds_size + 1);
   for (uint32_t n = 0; n < m->num_waves; n++) {
      simulated *s = &m->waves[n];
      forget(s);
      s->wave.machine = m;
      s->scratch_offset = (n + 1) * m->scratch_stride;
      s->wave.flight = hd_gcn_flight_create(m);
      s->wave.clock = hd_stack_alloc_zero(&m->stack, sizeof(hd_gcn_clock));
      s->hazards = hd_gcn_states_create(m);
   }
}

static __attribute__((noinline)) hd_result
run_guarded(hd_gcn_machine *m)
{
   hd_unwind u;

   if (HD_TRY(&m->heap, &u)) {
      prepare(m);
      const uint64_t groups =
          (uint64_t)m->num_workgroups[0] * m->num_workgroups[1] * m->num_workgroups[2];
      for (uint64_t n = 0; n < groups && m->result == HD_OK; n++)
         run_workgroup(m, (uint32_t)n);
   }
   const hd_result result = hd_heap_leave(&m->heap, &u);
   return result != HD_OK ? result : m->result;
}

hd_result
hd_gcn_sim_run(const hd_config *config, const hd_gcn_sim_launch *launch, hd_gcn_sim_stats *stats)
{
   hd_gcn_machine m = {
      .launch = launch,
      .options = &launch->options,
      .steps_left = launch->options.max_steps ? launch->options.max_steps : UINT64_MAX,
      .turns = { .is_ready = is_ready, .run = go_on, .open_barrier = open_barrier },
   };

   hd_mach_turns_seed(&m.turns, launch->options.seed);
   hd_heap_init(&m.heap, config);
   if (launch->options.diag.report)
      m.heap.config.diag = launch->options.diag;
   hd_stack_init(&m.stack, &m.heap);
   hd_result result = HD_BAD_LAUNCH;
   if (hd_gcn_has_target(launch->target, &m.heap.config.diag)) {
      m.target = hd_gcn_target_of(launch->target);
      const hd_float_env env = hd_float_host_enter();
      result = run_guarded(&m);
      hd_float_host_leave(env);
   }
   hd_stack_finish(&m.stack);
   if (stats)
      *stats = m.stats;
   return result;
}
