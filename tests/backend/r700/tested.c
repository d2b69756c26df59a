/* SPDX-License-Identifier: MIT */
/* tested.c - R700, for the tests that machines share: with all registers or few. */
#include "machine/tested.h"

#include "heddle/r700_sim.h"

hd_select_own *tested_select_own;
static const char *const unary[] = {
   "CEIL",           "EXP_IEEE", "FLOOR",     "FLT_TO_INT", "FLT_TO_UINT", "FRACT",
   "INT_TO_FLT",     "LOG_IEEE", "MOV",       "NOT_INT",    "RECIP_IEEE",  "RECIP_UINT",
   "RECIPSQRT_IEEE", "RNDNE",    "SQRT_IEEE", "TRUNC",      "UINT_TO_FLT", NULL
};
static const char *const binary[] = { "ADD",        "ADD_INT",   "AND_INT",    "ASHR_INT",
                                      "LSHL_INT",   "LSHR_INT",  "MAX",        "MAX_DX10",
                                      "MAX_INT",    "MAX_UINT",  "MIN",        "MIN_DX10",
                                      "MIN_INT",    "MIN_UINT",  "MUL",        "MULHI_INT",
                                      "MULHI_UINT", "MULLO_INT", "MULLO_UINT", "MUL_IEEE",
                                      "OR_INT",     "SUB_INT",   "XOR_INT",    NULL };
static const char *const ternary[] = { "CNDE",      "CNDE_INT", "CNDGE",       "CNDGE_INT", "CNDGT",
                                       "CNDGT_INT", "MULADD",   "MULADD_IEEE", NULL };
const tested_ops tested_own_ops = {
   "ADD_INT", "XOR_INT", "SETGT_INT", "VFETCH", { unary, binary, ternary }, true
};

static hd_result
compile(const hd_shader *shader, uint64_t variant, const char *passes, const hd_diag_sink *sink,
        void **binary)
{
   static const uint8_t few[] = { 8, 10, 16, 24 };
   const hd_r700_options options = { .max_registers = variant % 2 ? few[variant / 2 % 4] : 0,
                                     .quick = variant / 8 % 3 == 2,
                                     .passes = passes,
                                     .verify_regalloc = true,
                                     .diag = *sink,
                                     .select_own = tested_select_own };
   hd_r700_binary *made;
   const hd_result result = hd_r700_compile(shader, &options, &made);

   *binary = made;
   return result;
}

static hd_result
run(const void *binary, const hd_shader *shader, const hd_wave_launch *launch, uint64_t seed,
    uint64_t max_steps, const hd_diag_sink *sink)
{
   (void)seed;
   const hd_r700_sim_options options = { .max_steps = max_steps, .diag = *sink };

   return hd_r700_sim_run_wave(binary, shader, launch, &options, NULL);
}

static hd_result
watch(const void *binary, const hd_shader *shader, const hd_wave_launch *launch, void *user,
      void (*wrote)(void *user, const hd_wave_register *reg),
      void (*stored)(void *user, const hd_wave_stored *store))
{
   const hd_r700_sim_options options = { .user = user, .wrote = wrote, .stored = stored };

   return hd_r700_sim_run_wave(binary, shader, launch, &options, NULL);
}

static void
destroy(void *binary)
{
   hd_r700_binary_destroy(binary);
}

const tested_machine tested = { .lanes = HD_R700_LANES,
                                .passes = "lower_builtins(local=2),lower_idiv,opt_dce",
                                .functions =
                                    "lower_float_functions(div=0,rcp=0,sqrt=0,rsq=0,exp2=1,"
                                    "log2=1,sin=1,cos=1)",
                                .compile = compile,
                                .run = run,
                                .watch = watch,
                                .destroy = destroy,
                                .no_cross_lane = true,
                                .whole_dwords = true };
