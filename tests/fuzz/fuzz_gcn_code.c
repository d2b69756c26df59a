/* SPDX-License-Identifier: MIT */
/* fuzz_gcn_code.c - any bytes as machine code: their text makes the same bytes, and the simulator
 * runs them until they end or do what no program may, and says what.
 *
 * One byte chooses the chip, one the launch, 16 are four user SGPRs; the rest is code.
 */
#include <string.h>

#include "heddle/gcn_asm.h"
#include "heddle/gcn_sim.h"

#include "entry.h"

#define MEMORY_AT   UINT64_C(0xffffff00) /* a region across 4 GiB */
#define MEMORY_SIZE 4096u
#define MAX_STEPS   2000u

static void
count(void *user, const hd_diag *diag)
{
   must(diag->message && diag->message[0]);
   ++*(unsigned *)user;
}

static void
read_back(hd_gcn_gen target, const uint32_t *code, size_t size)
{
   const hd_gcn_disassemble_options words = { .words = size & 1, .address = size };
   hd_blob text = { 0 }, again = { 0 };
   size_t unknown;

   must(hd_gcn_disassemble(NULL, target, &words, code, size, &text, &unknown) == HD_OK);
   must(unknown <= size / 4 + 1);
   must(hd_gcn_assemble(NULL, target, NULL, text.data, text.size, &again) == HD_OK);
   must(again.size == size && (!size || !memcmp(again.data, code, size)));
   hd_blob_finish(&text);
   hd_blob_finish(&again);
}

/* The user SGPRs are first a pointer and then a buffer resource, both to the region: what the bytes
 * say is added to these, so that a few bits of them matter as they would by chance never do.
 */
static void
choose_registers(hd_gcn_sim_launch *launch, const uint8_t bytes[16])
{
   static const uint32_t base[8] = {
      (uint32_t)MEMORY_AT, MEMORY_AT >> 32, 0,           MEMORY_SIZE,
      (uint32_t)MEMORY_AT, MEMORY_AT >> 32, MEMORY_SIZE, 0x00027fac
   };

   for (unsigned n = 0; n < 8; n++)
      launch->user_sgprs[n] = base[n];
   for (unsigned n = 0; n < 4; n++) {
      uint32_t word;
      memcpy(&word, bytes + 4 * n, 4);
      launch->user_sgprs[4 + n] ^= word;
      launch->user_sgprs[8 + n] = word;
   }
}

static void
run(hd_gcn_gen target, unsigned choice, const uint8_t registers[16], const uint32_t *code,
    size_t words)
{
   static uint8_t memory[MEMORY_SIZE];
   unsigned heard = 0;
   const hd_config config = { .budget.memory = 1 << 26 };
   const hd_gcn_sim_region region = { .address = MEMORY_AT,
                                      .memory = { .data = memory, .size = sizeof(memory) },
                                      .name = "memory" };
   hd_gcn_sim_launch launch = {
      .target = target,
      .code = code,
      .code_words = (uint32_t)words,
      .regions = &region,
      .num_regions = 1,
      .workgroup_size = { choice & 1 ? 130 : 64 },
      /* All registers, or some; denormals, IEEE mode, DX10 clamp. */
      .pgm_rsrc1 = (choice & 2 ? 63u | 12u << 6 : 7u | 5u << 6) | 0xf0u << 12 |
                   (choice & 4 ? 1u << 21 : 0) | (choice & 8 ? 1u << 23 : 0),
      .pgm_rsrc2 = 12u << 1 | 7u << 7 | 2u << 11,
      .lds_size = 512,
      .scratch_size = choice & 16 ? 64 : 0,
      .scratch_resource = HD_GCN_NO_SGPR,
      .flat_scratch_init = HD_GCN_NO_SGPR,
      .options = { .seed = choice & 32,
                   .max_steps = MAX_STEPS,
                   .no_hazards = choice & 64,
                   .diag = { &heard, count } },
   };

   memset(memory, 0, sizeof(memory));
   choose_registers(&launch, registers);
   const hd_result result = hd_gcn_sim_run(&config, &launch, NULL);
   must(result == HD_OK ? heard == 0 : heard == 1 || result == HD_BUDGET_EXCEEDED);
   must(result == HD_OK || result == HD_BAD_LAUNCH || result == HD_FAULT ||
        result == HD_BUDGET_EXCEEDED);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   if (size < 22)
      return 0;
   const hd_gcn_gen target = (hd_gcn_gen)(data[0] % HD_GCN_NUM_GENS);
   const size_t rest = size - 18;
   uint32_t *code = malloc(rest);
   must(code);
   memcpy(code, data + 18, rest);
   read_back(target, code, rest);
   run(target, data[1], data + 2, code, rest / 4);
   free(code);
   return 0;
}
