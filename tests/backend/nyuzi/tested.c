/* SPDX-License-Identifier: MIT */
/* tested.c - Nyuzi, for the tests that machines share: with all registers or few, and with branches
 * around empty masks as the cost model says, always and only where they must be.
 */
#include "machine/tested.h"

#include "heddle/nyuzi_sim.h"

/* What starved programs have to do with: few of both, or of one and all of the other. */
static const struct {
   uint8_t scalars, vectors;
} few[] = { { 12, 6 }, { 14, 9 }, { 0, 6 }, { 12, 0 }, { 16, 12 } };

hd_select_own *tested_select_own;
static const char *const unary[] = { "clz",    "ctz",     "move", "ftoi", "reciprocal",
                                     "sext_8", "sext_16", "itof", NULL };
static const char *const binary[] = { "or",     "and",   "xor",     "add_i",   "sub_i",  "mull_i",
                                      "mulh_u", "ashr",  "shr",     "shl",     "mulh_i", "add_f",
                                      "sub_f",  "mul_f", "getlane", "shuffle", NULL };
static const char *const ternary[] = { NULL };
const tested_ops tested_own_ops = {
   "add_i", "xor", "cmplt_i", "load_32", { unary, binary, ternary }, false
};

static hd_result
compile(const hd_shader *shader, uint64_t variant, const char *passes, const hd_diag_sink *sink,
        void **binary)
{
   const bool starved = variant % 2;
   const hd_nyuzi_options options = { .skip = (hd_nyuzi_skip)(variant / 2 % 3),
                                      .max_scalars = starved ? few[variant / 6 % 5].scalars : 0,
                                      .max_vectors = starved ? few[variant / 6 % 5].vectors : 0,
                                      .quick = variant / 30 % 3 == 2,
                                      .passes = passes,
                                      .verify_regalloc = true,
                                      .diag = *sink,
                                      .select_own = tested_select_own };
   hd_nyuzi_binary *made;
   const hd_result result = hd_nyuzi_compile(shader, &options, &made);

   *binary = made;
   return result;
}

static hd_result
run(const void *binary, const hd_shader *shader, const hd_wave_launch *launch, uint64_t seed,
    uint64_t max_steps, const hd_diag_sink *sink)
{
   const hd_nyuzi_sim_options options = { .max_steps = max_steps, .seed = seed, .diag = *sink };

   return hd_nyuzi_sim_run_wave(binary, shader, launch, &options, NULL);
}

static hd_result
watch(const void *binary, const hd_shader *shader, const hd_wave_launch *launch, void *user,
      void (*wrote)(void *user, const hd_wave_register *reg),
      void (*stored)(void *user, const hd_wave_stored *store))
{
   const hd_nyuzi_sim_options options = { .user = user, .wrote = wrote, .stored = stored };

   return hd_nyuzi_sim_run_wave(binary, shader, launch, &options, NULL);
}

static void
destroy(void *binary)
{
   hd_nyuzi_binary_destroy(binary);
}

const tested_machine tested = { .lanes = HD_NYUZI_LANES,
                                .passes = "lower_idiv,opt_dce",
                                .functions =
                                    "lower_float_functions(div=0,rcp=0,sqrt=0,rsq=0,exp2=1,"
                                    "log2=1,sin=1,cos=1)",
                                .compile = compile,
                                .run = run,
                                .watch = watch,
                                .destroy = destroy };
