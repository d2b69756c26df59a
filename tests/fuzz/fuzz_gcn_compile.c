/* SPDX-License-Identifier: MIT */
/* fuzz_gcn_compile.c - any valid shader to machine code: it is refused with a message, or what
 * comes out is code to the last word. Two bytes choose the options, the rest is text.
 */
#include <string.h>

#include "heddle/check.h"
#include "heddle/gcn_asm.h"
#include "heddle/gcn_emit.h"
#include "heddle/gcn_object.h"
#include "heddle/text.h"

#include "entry.h"
#include "gcn_cell.h"
#include "own/table.h"
#include "support/heard.h"

/* Text, bytes and object say the same. */
static void
check_binary(const hd_gcn_binary *b)
{
   const size_t size = b->code_words * sizeof(b->code[0]);
   hd_blob code = { 0 };
   hd_gcn_object *object;

   must(b->stats.occupancy >= 1 && b->code_words > 0);
   if (b->text) {
      must(hd_gcn_assemble(NULL, b->target, NULL, b->text, strlen(b->text), &code) == HD_OK);
      must(code.size == size && !memcmp(code.data, b->code, size));
   }
   if (b->object) {
      must(hd_gcn_object_read(NULL, b->object, b->object_size, "ours", &object) == HD_OK);
      must(object->num_kernels == 1 && object->kernels[0].lds_size == b->stats.lds_size);
      hd_gcn_object_destroy(object);
   }
   hd_blob_finish(&code);
}

/* What is pure, and what is uniform, as instructions; the others are refused. */
static bool
select_own(void *user, hd_gcn_emitter *e, const hd_intrinsic *i)
{
   hd_gcn_emit_value r = { 0 };

   (void)user;
   if (i->instr.op != OWN_PURE && i->instr.op != OWN_UNIFORM)
      return false;
   const char *name = i->instr.op == OWN_PURE ? "v_bfrev_b32" : "v_readfirstlane_b32";
   const unsigned op = hd_gcn_op_number(hd_gcn_emit_target(e), name);
   for (unsigned n = 0; n < i->instr.def.num_components; n++) {
      const hd_gcn_emit_value src = hd_gcn_emit_to_vgpr(e, hd_gcn_emit_src(e, 0, n));
      if (!hd_gcn_emit_op(e, op, 1, &src, 0, &r) || !hd_gcn_emit_result(e, n, r))
         return false;
   }
   return true;
}

static void
compile(const hd_shader *shader, hd_gcn_options *options)
{
   struct heard heard = { 0 };
   hd_gcn_driver_abi *abi = NULL;
   hd_gcn_binary *binary = NULL;

   options->diag = (hd_diag_sink){ &heard, hear };
   options->select_own = select_own;
   if (shader->stage != HD_STAGE_KERNEL) {
      if (hd_gcn_sim_abi_create(shader, NULL, &abi) != HD_OK)
         return;
      options->abi = HD_GCN_ABI_DRIVER;
      options->driver = abi;
   }
   const hd_result result = hd_gcn_compile(shader, options, &binary);
   if (result == HD_OK) {
      must(!heard.count && binary);
      check_binary(binary);
   } else if ((result != HD_UNSUPPORTED || !heard.count || binary) &&
              result != HD_BUDGET_EXCEEDED) {
      /* The check of the allocation speaks, or nobody does. */
      fprintf(stderr, "result %d: %s\n", (int)result, heard.count ? heard.last : "no message");
      abort();
   }
   hd_gcn_binary_destroy(binary);
   hd_gcn_sim_abi_destroy(shader, abi);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   const hd_config config = { .diag = { NULL, ignore },
                              .budget = { .memory = 1 << 28, .steps = 20000000 },
                              .intrinsics = &own_table };
   hd_shader *shader = size >= 2 ? valid_shader(&config, data + 2, size - 2) : NULL;

   if (shader) {
      hd_gcn_options options = gcn_options_of(data[0] | data[1] << 8);
      compile(shader, &options);
   }
   hd_shader_destroy(shader);
   return 0;
}
