/* SPDX-License-Identifier: MIT */
/* fuzz_r700_code.c - any bytes as R700 code: the simulator runs them until they end or do what no program may,
 * and says what. fuzz_machine_code.c makes text of them.
 *
 * One byte chooses the lanes, one the entries of the stack; the rest is code.
 */
#include "heddle/r700_sim.h"

#include "entry.h"

#define NUM_REGISTERS (128u * 4u * HD_R700_LANES)
#define MAX_STEPS     300u

static void
count(void *user, const hd_diag *diag)
{
   must(diag->message && diag->message[0]);
   ++*(unsigned *)user;
}

/* A channel of all lanes. */
static void
note_register(void *user, const hd_wave_register *reg)
{
   must(user && reg->num == HD_R700_LANES && reg->name && reg->name[0] == 'T');
}

static void
run(unsigned lanes, uint32_t stack_size, const uint8_t *code, size_t size)
{
   static uint32_t registers[NUM_REGISTERS], exported[4 * HD_R700_LANES];
   static const uint32_t constants[64] = { 1, 2, 3, 0x3f800000 };
   unsigned heard = 0;
   const hd_config config = { .budget.memory = 1 << 26 };
   const hd_r700_sim_options options = {
      .max_steps = MAX_STEPS, .user = &heard, .wrote = note_register, .diag = { &heard, count }
   };
   const hd_r700_sim_bare bare = { .code = code,
                                   .code_size = size,
                                   .stack_size = stack_size,
                                   .lanes = lanes ? UINT64_MAX >> (lanes % 64) : 0,
                                   .registers = registers,
                                   .constants = { constants },
                                   .num_constants = { 64 },
                                   .exported = lanes & 128 ? exported : NULL };

   for (unsigned n = 0; n < NUM_REGISTERS; n++)
      registers[n] = n % HD_R700_LANES;
   const hd_result result = hd_r700_sim_run_bare(&config, &bare, &options, NULL);
   must(result == HD_OK ? heard == 0 : heard == 1);
   must(result == HD_OK || result == HD_INVALID || result == HD_BUDGET_EXCEEDED);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   if (size < 2)
      return 0;
   run(data[0], data[1], data + 2, size - 2);
   return 0;
}
