/* SPDX-License-Identifier: MIT */
/* straight.c - running code without control flow, instruction by instruction, through the folder.
 */
#include "support/test.h"

#include "straight.h"

#include "heddle/ir.h"
#include "heddle/op_enum.h"
#include "heddle/ops.h"

#include <stdlib.h>
#include <string.h>

typedef struct machine {
   hd_const_value (*values)[HD_MAX_COMPONENTS];
   const straight_options *options;
} machine;

static void
run_alu(machine *m, const hd_instr *i)
{
   hd_fold_src srcs[HD_MAX_COMPONENTS];
   unsigned n = 0;

   hd_foreach_src(src, i) {
      srcs[n].shape = (hd_shape){ src->def->num_components, src->def->bit_size };
      srcs[n++].values = m->values[src->def->index];
   }
   hd_const_value *result = m->values[i->def.index];
   assert_true(
       hd_fold_op((hd_op)i->op, n, srcs, i->def.bit_size, m->options->float_controls, result));
   if (i->op != HD_OP_FRCP || i->def.bit_size != 32)
      return;
   /* Zeros and infinities are exact on every machine. */
   for (unsigned c = 0; c < i->def.num_components; c++) {
      uint32_t magnitude = result[c].u32 & 0x7fffffff;
      if (magnitude > 0 && magnitude < 0x7f800000)
         result[c].u32 += (uint32_t)m->options->rcp_off;
   }
}

/* Kept from run to run: large objects are slow to get under a sanitizer. */
static hd_const_value (*room_for(uint32_t num_defs))[HD_MAX_COMPONENTS]
{
   static hd_const_value(*values)[HD_MAX_COMPONENTS];
   static uint32_t capacity;

   if (num_defs >= capacity) {
      free(values);
      capacity = num_defs * 2 + 64;
      values = calloc(capacity, sizeof(*values));
      assert_non_null(values);
   }
   return values;
}

unsigned
straight_run(const hd_function *f, const hd_const_value (*args)[HD_MAX_COMPONENTS],
             const straight_options *options, hd_const_value (*out)[HD_MAX_COMPONENTS],
             unsigned max_out)
{
   const straight_options none = { 0 };
   machine m = { room_for(f->num_defs), options ? options : &none };
   unsigned num_out = 0;

   hd_foreach_instr(i, hd_function_start(f)) {
      const hd_intrinsic *in = hd_instr_as_intrinsic(i);
      const hd_const *c = hd_instr_as_const(i);

      if (i->kind == HD_INSTR_ALU) {
         run_alu(&m, i);
      } else if (c) {
         memcpy(m.values[i->def.index], c->value, i->def.num_components * sizeof(hd_const_value));
      } else if (i->kind == HD_INSTR_PARAM) {
         memcpy(m.values[i->def.index], args[hd_instr_as_param(i)->param_index], sizeof(*m.values));
      } else if (in && !i->def.bit_size) {
         assert_true(num_out < max_out);
         memcpy(out[num_out++], m.values[in->src[0].def->index], sizeof(*m.values));
      } else {
         assert_int_equal(i->kind, HD_INSTR_JUMP);
      }
   }
   return num_out;
}

uint64_t
straight_random(uint64_t *state)
{
   uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);

   x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
   x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
   return x ^ x >> 31;
}

uint64_t
straight_edge(uint64_t *state, unsigned bits)
{
   uint64_t kind = straight_random(state), r = straight_random(state), x;

   switch (kind % 6) {
   case 0: /* near a power of two, either sign */
      x = (UINT64_C(1) << (r >> 8) % bits) + r % 5 - 2;
      break;
   case 1:
      x = r % 5 - 2;
      break;
   case 2: /* few bits */
      x = r >> (kind >> 8) % 64;
      break;
   case 3: /* many leading ones */
      x = ~(r >> (kind >> 8) % 64);
      break;
   default:
      x = r;
      break;
   }
   return bits == 64 ? x : x & ((UINT64_C(1) << bits) - 1);
}
