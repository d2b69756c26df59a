/* SPDX-License-Identifier: MIT */
/* twins.c - own intrinsics that say and do what some of the library's do. */
#include "twins.h"

#include <assert.h>
#include <string.h>

#include "heddle/wave.h"

enum {
   ADD,
   BROADCAST,
   FIRST,
   LANE,
   LOAD_GLOBAL,
   LOAD_SCRATCH,
   LOAD_SHARED,
   SHUFFLE_XOR,
   STORE_GLOBAL,
   STORE_SCRATCH,
   STORE_SHARED,
   NUM_TWINS
};

static bool
has_lane(hd_wave_mask m, unsigned lane)
{
   return lane < HD_WAVE_MAX_LANES && m.word[lane >> 6] >> (lane & 63) & 1;
}

#define FOREACH_LANE(lane, call)                                                                   \
   for (unsigned lane = 0; lane < hd_own_call_width(call); lane++)                                 \
      if (has_lane(hd_own_call_lanes(call), lane))

static unsigned
num_components(const hd_own_call *call)
{
   return hd_own_call_instr(call)->instr.def.num_components;
}

static void
run_add(void *user, hd_own_call *call)
{
   (void)user;
   FOREACH_LANE(l, call)
   hd_own_call_set(call, 0, l,
                   hd_own_call_src(call, 0, 0, l, NULL) + hd_own_call_src(call, 1, 0, l, NULL));
}

/* The value of another lane, where that runs it, too. */
static void
take(hd_own_call *call, unsigned lane, unsigned from)
{
   for (unsigned c = 0; c < num_components(call); c++) {
      bool defined;
      const uint64_t value = hd_own_call_src(call, 0, c, from, &defined);
      if (defined)
         hd_own_call_set(call, c, lane, value);
   }
}

static void
run_first(void *user, hd_own_call *call)
{
   const hd_wave_mask lanes = hd_own_call_lanes(call);
   unsigned first = 0;

   (void)user;
   while (!has_lane(lanes, first))
      first++;
   FOREACH_LANE(l, call)
   take(call, l, first);
}

static void
run_broadcast(void *user, hd_own_call *call)
{
   (void)user;
   FOREACH_LANE(l, call)
   take(call, l, (unsigned)hd_own_call_src(call, 1, 0, l, NULL));
}

static void
run_xor(void *user, hd_own_call *call)
{
   (void)user;
   FOREACH_LANE(l, call)
   take(call, l, l ^ (unsigned)hd_own_call_src(call, 1, 0, l, NULL));
}

static void
run_lane(void *user, hd_own_call *call)
{
   (void)user;
   FOREACH_LANE(l, call)
   hd_own_call_set(call, 0, l, l);
}

static uint64_t
address_of(const hd_own_call *call, unsigned operand, unsigned lane)
{
   return hd_own_call_src(call, operand, 0, lane, NULL) +
          (uint64_t)(int64_t)(int32_t)hd_own_call_index(call, HD_INDEX_OFFSET);
}

static void
run_load(void *user, hd_own_call *call)
{
   const hd_intrinsic *i = hd_own_call_instr(call);
   const hd_memory_class memory = (hd_memory_class)hd_instr_intrinsic_info(&i->instr)->reads;
   const unsigned size = i->instr.def.bit_size / 8u;

   (void)user;
   FOREACH_LANE(l, call)
   {
      for (unsigned c = 0; c < num_components(call); c++) {
         uint8_t bytes[8] = { 0 };
         uint64_t value = 0;
         bool defined;
         if (!hd_own_call_load(call, l, memory, address_of(call, 0, l) + c * size, bytes, size,
                               &defined))
            return;
         for (unsigned n = 0; n < size; n++)
            value |= (uint64_t)bytes[n] << 8 * n;
         if (defined)
            hd_own_call_set(call, c, l, value);
      }
   }
}

static void
run_store(void *user, hd_own_call *call)
{
   const hd_intrinsic *i = hd_own_call_instr(call);
   const hd_memory_class memory = (hd_memory_class)hd_instr_intrinsic_info(&i->instr)->writes;
   const hd_def *value = i->src[0].def;
   const unsigned size = value->bit_size / 8u;

   (void)user;
   FOREACH_LANE(l, call)
   {
      for (unsigned c = 0; c < value->num_components; c++) {
         const uint64_t word = hd_own_call_src(call, 0, c, l, NULL);
         uint8_t bytes[8];
         for (unsigned n = 0; n < size; n++)
            bytes[n] = (uint8_t)(word >> 8 * n);
         if (!hd_own_call_store(call, l, memory, address_of(call, 1, l) + c * size, bytes, size))
            return;
      }
   }
}

static const struct twin {
   const char *name;
   hd_intrinsic_id id;
   void (*run)(void *user, hd_own_call *call);
} twins[NUM_TWINS] = {
   [ADD] = { "twin_add", HD_INTRINSIC_NONE, run_add },
   [BROADCAST] = { "twin_broadcast", HD_INTRINSIC_BROADCAST, run_broadcast },
   [FIRST] = { "twin_first", HD_INTRINSIC_READ_FIRST, run_first },
   [LANE] = { "twin_lane", HD_INTRINSIC_SUBGROUP_INVOCATION, run_lane },
   [LOAD_GLOBAL] = { "twin_load_global", HD_INTRINSIC_LOAD_GLOBAL, run_load },
   [LOAD_SCRATCH] = { "twin_load_scratch", HD_INTRINSIC_LOAD_SCRATCH, run_load },
   [LOAD_SHARED] = { "twin_load_shared", HD_INTRINSIC_LOAD_SHARED, run_load },
   [SHUFFLE_XOR] = { "twin_shuffle_xor", HD_INTRINSIC_SHUFFLE_XOR, run_xor },
   [STORE_GLOBAL] = { "twin_store_global", HD_INTRINSIC_STORE_GLOBAL, run_store },
   [STORE_SCRATCH] = { "twin_store_scratch", HD_INTRINSIC_STORE_SCRATCH, run_store },
   [STORE_SHARED] = { "twin_store_shared", HD_INTRINSIC_STORE_SHARED, run_store },
};

static const hd_type_info add_srcs[] = { HD_TYPE("x", RAW, 32, 1, 0), HD_TYPE("y", RAW, 32, 1, 0) };

const hd_intrinsic_table *
twin_table(void)
{
   static hd_own_intrinsic rows[NUM_TWINS];
   static const hd_intrinsic_table table = { .rows = rows, .num_rows = NUM_TWINS };

   for (unsigned n = 0; n < NUM_TWINS && !rows[n].run; n++) {
      hd_intrinsic_info *info = &rows[n].info;
      *info = *hd_intrinsic_get_info(twins[n].id);
      if (n == ADD)
         *info = (hd_intrinsic_info){ .flags = HD_HAS_RESULT | HD_CAN_ELIMINATE | HD_CAN_SPECULATE,
                                      .divergence = HD_DIVERGENCE_OPERANDS,
                                      .stages = HD_ALL_STAGES,
                                      .num_srcs = 2,
                                      .result = HD_TYPE("result", RAW, 32, 1, 0),
                                      .src = add_srcs };
      info->name = twins[n].name;
      info->name_length = (uint8_t)strlen(info->name);
      rows[n].run = twins[n].run;
   }
   return &table;
}

static unsigned
twin_of(const hd_instr *i)
{
   unsigned n = 0;

   if (i->kind == HD_INSTR_ALU)
      return i->op == HD_OP_IADD && i->def.bit_size == 32 && i->def.num_components == 1 ? ADD
                                                                                        : NUM_TWINS;
   if (i->kind != HD_INSTR_INTRINSIC)
      return NUM_TWINS;
   while (n < NUM_TWINS && (!twins[n].id || twins[n].id != i->op))
      n++;
   return n;
}

static void
replace(hd_shader *shader, hd_instr *i, unsigned n)
{
   const hd_intrinsic_info *info = &twin_table()->rows[n].info;
   hd_intrinsic *twin =
       hd_intrinsic_create(shader, HD_INTRINSIC_OWN + n, i->num_srcs, info->num_indices,
                           i->def.num_components, i->def.bit_size);

   assert(twin);
   for (unsigned k = 0; k < i->num_srcs; k++)
      hd_instr_set_src(&twin->instr, k, hd_instr_src(i, k)->def);
   for (unsigned k = 0; k < info->num_indices; k++)
      hd_intrinsic_indices(twin)[k] = hd_intrinsic_indices((const hd_intrinsic *)i)[k];
   if (n != ADD)
      twin->instr.flags = i->flags;
   hd_instr_insert(hd_before_instr(i), &twin->instr);
   if (i->def.bit_size)
      hd_def_replace_uses(&i->def, &twin->instr.def);
   hd_instr_remove(i);
}

unsigned
make_twins(hd_shader *shader, uint64_t seed, unsigned part)
{
   unsigned num = 0;

   hd_foreach_function(f, shader) {
      hd_foreach_block(b, f) {
         hd_foreach_instr_safe(i, b) {
            const unsigned n = twin_of(i);
            seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            if (n == NUM_TWINS || (seed >> 40) % 4 >= part)
               continue;
            replace(shader, i, n);
            num++;
         }
      }
      f->meta_valid = 0;
   }
   return num;
}
