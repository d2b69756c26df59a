/* SPDX-License-Identifier: MIT */
/* intrinsic.c - a driver's own intrinsics: registered, built, printed and parsed, optimised, run in the
 * interpreter by callbacks, compiled for gfx900 by a hook, and run in the simulator.
 *
 *    acme_first   the value of the first active lane
 *    acme_sad     sum + |a - b| for each of four bytes: one instruction of the machine
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/heddle_tools.h"

#define LANES 64u

/* The rows, in ascending order of their names, and the numbers that they get. */
enum { ACME_FIRST, ACME_SAD, NUM_ACME };

static const hd_type_info one_src[] = { HD_TYPE("value", UINT, 32, 1, 0) };
static const hd_type_info sad_srcs[] = { HD_TYPE("a", UINT, 32, 1, 0), HD_TYPE("b", UINT, 32, 1, 0),
                                         HD_TYPE("sum", UINT, 32, 1, 0) };

static void run_first(void *user, hd_own_call *call);
static void run_sad(void *user, hd_own_call *call);

static const hd_own_intrinsic rows[NUM_ACME] = {
   [ACME_FIRST] = { .info = { HD_INTRINSIC_NAME("acme_first"),
                              .flags = HD_HAS_RESULT | HD_CAN_ELIMINATE | HD_CROSS_LANE,
                              .divergence = HD_DIVERGENCE_UNIFORM, .stages = HD_ALL_STAGES,
                              .num_srcs = 1, .src = one_src,
                              .result = HD_TYPE("result", UINT, 32, 1, 0) },
                    .run = run_first },
   [ACME_SAD] = { .info = { HD_INTRINSIC_NAME("acme_sad"),
                            .flags = HD_HAS_RESULT | HD_CAN_ELIMINATE | HD_CAN_SPECULATE,
                            .divergence = HD_DIVERGENCE_OPERANDS, .stages = HD_ALL_STAGES,
                            .num_srcs = 3, .src = sad_srcs,
                            .result = HD_TYPE("result", UINT, 32, 1, 0) },
                  .run = run_sad },
};
static const hd_intrinsic_table table = { .rows = rows, .num_rows = NUM_ACME };

/* The interpreter: a callback runs it for all lanes that are there together. */

static bool
is_active(const hd_own_call *call, unsigned lane)
{
   return hd_own_call_lanes(call).word[lane / 64] >> lane % 64 & 1;
}

static void
run_first(void *user, hd_own_call *call)
{
   unsigned first = 0;
   bool defined;

   (void)user;
   while (!is_active(call, first))
      first++;
   const uint64_t value = hd_own_call_src(call, 0, 0, first, &defined);
   for (unsigned lane = 0; lane < hd_own_call_width(call) && defined; lane++)
      hd_own_call_set(call, 0, lane, value);
}

static uint32_t
sad(uint32_t a, uint32_t b, uint32_t sum)
{
   for (unsigned n = 0; n < 32; n += 8)
      sum += (uint32_t)abs((int)(a >> n & 0xff) - (int)(b >> n & 0xff));
   return sum;
}

/* What is set for lanes that do not run it is ignored. */
static void
run_sad(void *user, hd_own_call *call)
{
   (void)user;
   for (unsigned lane = 0; lane < hd_own_call_width(call); lane++) {
      hd_own_call_set(call, 0, lane,
                      sad((uint32_t)hd_own_call_src(call, 0, 0, lane, NULL),
                          (uint32_t)hd_own_call_src(call, 1, 0, lane, NULL),
                          (uint32_t)hd_own_call_src(call, 2, 0, lane, NULL)));
   }
}

/* The machine: a hook appends instructions. Their numbers are looked up once. */
struct driver {
   unsigned readfirstlane, sad_u8;
};

static bool
select_acme(void *user, hd_gcn_emitter *e, const hd_intrinsic *i)
{
   const struct driver *d = user;
   hd_gcn_emit_value srcs[3], result;

   for (unsigned n = 0; n < i->instr.num_srcs; n++)
      srcs[n] = hd_gcn_emit_src(e, n, 0);
   switch (i->instr.op - HD_INTRINSIC_OWN) {
   case ACME_FIRST:
      srcs[0] = hd_gcn_emit_to_vgpr(e, srcs[0]);
      return hd_gcn_emit_op(e, d->readfirstlane, 1, srcs, 0, &result) &&
             hd_gcn_emit_result(e, 0, result);
   case ACME_SAD:
      return hd_gcn_emit_op(e, d->sad_u8, 3, srcs, 0, &result) && hd_gcn_emit_result(e, 0, result);
   default:
      return hd_gcn_emit_refuse(e, "this driver does not know it");
   }
}

/* out[lane] = sad(in[lane], in of the first lane, lane), twice as it stands here. */
static hd_result
build(const hd_config *config, hd_shader **shader)
{
   hd_builder b = hd_builder_create(config, HD_STAGE_COMPUTE, "acme");
   hd_def *lane = hd_subgroup_invocation(&b), *zero = hd_imm_u32(&b, 0);
   hd_def *at = hd_ishl(&b, lane, hd_imm_u32(&b, 2));
   hd_def *mine = hd_load_buffer(&b, zero, at, 1, 32,
                                 &(hd_load_buffer_indices){ .binding = 0, .align_mul = 4 });
   hd_def *first = hd_build_intrinsic(&b, HD_OWN_INTRINSIC(ACME_FIRST), 0, 0, 1, &mine, NULL);
   hd_def *srcs[] = { mine, first, lane };
   hd_def *x = hd_build_intrinsic(&b, HD_OWN_INTRINSIC(ACME_SAD), 0, 0, 3, srcs, NULL);
   hd_def *y = hd_build_intrinsic(&b, HD_OWN_INTRINSIC(ACME_SAD), 0, 0, 3, srcs, NULL);

   if (b.shader) {
      b.shader->workgroup_size[0] = LANES;
      b.shader->workgroup_size[1] = b.shader->workgroup_size[2] = 1;
   }
   hd_store_buffer(&b, hd_iadd(&b, x, y), zero, at,
                   &(hd_store_buffer_indices){ .binding = 1, .align_mul = 4 });
   return hd_builder_finish(&b, shader);
}

/* Through its text and back: the words are the table's. */
static hd_result
through_text(const hd_config *config, hd_shader **shader)
{
   hd_blob text = { 0 };
   hd_shader *parsed = NULL;
   hd_result result = hd_print_shader(*shader, NULL, &text);

   if (result == HD_OK)
      result = hd_parse(config, "text", text.data, text.size, &parsed);
   hd_blob_finish(&text);
   if (result != HD_OK)
      return result;
   hd_shader_destroy(*shader);
   *shader = parsed;
   return HD_OK;
}

static hd_result
compile_and_run(const hd_shader *shader, hd_wave_launch *launch)
{
   struct driver driver = { hd_gcn_op_number(HD_GCN_GFX900, "v_readfirstlane_b32"),
                            hd_gcn_op_number(HD_GCN_GFX900, "v_sad_u8") };
   hd_gcn_driver_abi *abi = NULL;
   hd_gcn_binary *binary = NULL;
   hd_result result = hd_gcn_sim_abi_create(shader, launch, &abi);
   hd_gcn_options options = { .target = HD_GCN_GFX900,
                              .abi = HD_GCN_ABI_DRIVER,
                              .driver = abi,
                              .keep_text = true,
                              .user = &driver };

   if (result == HD_OK) {
      printf("without a hook: ");
      fflush(stdout);
      if (hd_gcn_compile(shader, &options, &binary) != HD_UNSUPPORTED)
         result = HD_FAULT;
   }
   options.select_own = select_acme;
   if (result == HD_OK)
      result = hd_gcn_compile(shader, &options, &binary);
   if (result == HD_OK) {
      const char *found = strstr(binary->text, "v_sad_u8");
      printf("machine code: %s\n", found && !strstr(found + 1, "v_sad_u8") ? "one v_sad_u8" : "?");
      result = hd_gcn_sim_run_wave(binary, abi, shader, launch, NULL, NULL);
   }
   hd_gcn_binary_destroy(binary);
   hd_gcn_sim_abi_destroy(shader, abi);
   return result;
}

/* What a driver leaves for whoever looks into a fault: the table, and the shader.
 *
 *    heddle print --intrinsics=TABLE SHADER
 */
static bool
dump(const hd_shader *shader, const char *table_name, const char *shader_name)
{
   hd_blob blobs[2] = { { 0 } };
   bool good = hd_intrinsic_table_print(&table, &blobs[0]) == HD_OK &&
               hd_write_binary(shader, &blobs[1]) == HD_OK;

   for (unsigned n = 0; n < 2; n++) {
      FILE *file = fopen(n ? shader_name : table_name, "wb");
      good &= file && fwrite(blobs[n].data, 1, blobs[n].size, file) == blobs[n].size;
      good &= file && !fclose(file);
      hd_blob_finish(&blobs[n]);
   }
   return good;
}

int
main(int argc, char **argv)
{
   const hd_config config = { .diag = hd_diag_to_file(stdout), .intrinsics = &table };
   uint32_t in[LANES], out[2][LANES] = { { 0 } }, wrong = 0;
   hd_wave_buffer buffers[2] = { { .binding = 0, .memory = { in, NULL, sizeof(in) } },
                                 { .binding = 1, .memory = { out[0], NULL, sizeof(out[0]) } } };
   hd_wave_launch launch = { .lanes = LANES, .buffers = buffers, .num_buffers = 2 };
   hd_shader *shader = NULL;
   hd_blob text = { 0 };

   for (uint32_t n = 0; n < LANES; n++)
      in[n] = n * 0x01030507u;
   hd_result result = build(&config, &shader);
   if (result == HD_OK)
      result = through_text(&config, &shader);
   if (result == HD_OK)
      result = hd_validate(shader, NULL);
   if (result == HD_OK)
      result = hd_run_pipeline(shader, "O2", NULL, NULL);
   if (result == HD_OK)
      result = hd_print_shader(shader, NULL, &text);
   if (result == HD_OK)
      printf("%s", text.data);
   if (result == HD_OK && argc == 3 && !dump(shader, argv[1], argv[2]))
      result = HD_FAULT;
   if (result == HD_OK)
      result = hd_wave_run(shader, &launch, NULL);
   buffers[1].memory.data = out[1];
   if (result == HD_OK)
      result = compile_and_run(shader, &launch);
   for (uint32_t n = 0; n < LANES && result == HD_OK; n++)
      wrong += out[0][n] != 2 * sad(in[n], in[0], n) || out[1][n] != out[0][n];
   printf("%s: %u lanes differ\n", hd_result_name(result), wrong);
   hd_blob_finish(&text);
   hd_shader_destroy(shader);
   return result != HD_OK || wrong;
}
