/* SPDX-License-Identifier: MIT */
/* tested.c - Gen9, for the tests that machines share: with all registers or few. TESTED_LOWERING is the
 * control-flow lowering, TESTED_LANES how many lanes a thread has.
 */
#include "machine/tested.h"

#include "heddle/gen9_sim.h"

#ifndef TESTED_LANES
#define TESTED_LANES 8
#endif
#ifndef TESTED_LOWERING
#define TESTED_LOWERING HD_GEN9_LOWERING_STRUCTURED
#endif

hd_select_own *tested_select_own;
static const char *const unary[] = { "bfrev:ud",   "cbit:ud",    "fbh:d",      "fbh:ud",
                                     "fbl:ud",     "frc:f",      "lzd:ud",     "math.cos:f",
                                     "math.exp:f", "math.inv:f", "math.log:f", "math.rsqt:f",
                                     "math.sin:f", "math.sqt:f", "not:d",      "not:ud",
                                     "rndd:f",     "rnde:f",     "rndu:f",     "rndz:f",
                                     NULL };
static const char *const binary[] = { "add:d",       "add:ud",     "add:f",  "and:d",  "and:ud",
                                      "asr:d",       "avg:d",      "avg:ud", "bfi1:d", "bfi1:ud",
                                      "math.fdiv:f", "math.pow:f", "mul:d",  "mul:f",  "or:d",
                                      "or:ud",       "shl:d",      "shl:ud", "shr:ud", "xor:d",
                                      "xor:ud",      NULL };
static const char *const ternary[] = { "bfe:d", "bfe:ud", "bfi2:d", "bfi2:ud", "mad:f", NULL };
const tested_ops tested_own_ops = {
   "add:d", "xor:ud", "cmp.lt:d", "send:ud", { unary, binary, ternary }, false
};

static hd_result
compile(const hd_shader *shader, uint64_t variant, const char *passes, const hd_diag_sink *sink,
        void **binary)
{
   static const uint8_t few[] = { 8, 10, 16, 24 };
   const hd_gen9_options options = {
      .lowering = TESTED_LOWERING,
      .lanes = TESTED_LANES,
      .max_registers = variant % 2 ? few[variant / 2 % 4] * (TESTED_LANES / 8u) : 0,
      .max_scalars = variant % 2 ? few[variant / 2 % 4] : 0,
      .quick = variant / 8 % 3 == 2,
      .passes = passes,
      .verify_regalloc = true,
      .diag = *sink,
      .select_own = tested_select_own
   };
   hd_gen9_binary *made;
   const hd_result result = hd_gen9_compile(shader, &options, &made);

   *binary = made;
   return result;
}

static hd_result
run(const void *binary, const hd_shader *shader, const hd_wave_launch *launch, uint64_t seed,
    uint64_t max_steps, const hd_diag_sink *sink)
{
   const hd_gen9_sim_options options = { .max_steps = max_steps, .seed = seed, .diag = *sink };

   return hd_gen9_sim_run_wave(binary, shader, launch, &options, NULL);
}

static hd_result
watch(const void *binary, const hd_shader *shader, const hd_wave_launch *launch, void *user,
      void (*wrote)(void *user, const hd_wave_register *reg),
      void (*stored)(void *user, const hd_wave_stored *store))
{
   const hd_gen9_sim_options options = { .user = user, .wrote = wrote, .stored = stored };

   return hd_gen9_sim_run_wave(binary, shader, launch, &options, NULL);
}

static void
destroy(void *binary)
{
   hd_gen9_binary_destroy(binary);
}

const tested_machine tested = { .lanes = TESTED_LANES,
                                .passes = "lower_builtins(local=2),lower_idiv(quotient=0),opt_dce",
                                .functions =
                                    "lower_float_functions(div=0,rcp=0,sqrt=0,rsq=0,exp2=1,"
                                    "log2=1,sin=1,cos=1)",
                                .compile = compile,
                                .run = run,
                                .watch = watch,
                                .destroy = destroy };
