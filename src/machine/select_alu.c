/* SPDX-License-Identifier: MIT */
/* select_alu.c - instruction selection of ALU ops on parts: component moves, the machine's own ops, sequences. */
#include <stddef.h>

#include "heddle/intrinsic_enum.h"
#include "heddle/op_enum.h"
#include "heddle/ops.h"
#include "machine/selector.h"

typedef hd_mach_selector sel;
typedef hd_mach_operand val;

/* Components */

static unsigned
parts_of_component(const hd_def *vector)
{
   return vector->bit_size == 64 ? 2 : 1;
}

static void
select_channel(sel *s, const hd_alu *alu)
{
   const hd_def *vector = alu->src[0].def;
   const hd_const *c = hd_src_as_const(&alu->src[1]);
   const unsigned num = parts_of_component(vector);
   const val index = hd_mach_part(s, alu->src[1].def, 0);
   val parts[2];

   for (unsigned n = 0; n < num; n++) {
      parts[n] = s->rows->steps.constant(0);
      for (unsigned k = 0; k < vector->num_components; k++) {
         const val part = hd_mach_part(s, vector, k * num + n);
         if (!c)
            parts[n] = s->rows->choose(s, vector, s->rows->is_at(s, index, k), part, parts[n]);
         else if (c->value[0].u32 == k)
            parts[n] = part;
      }
   }
   hd_mach_set_parts(s, &alu->instr.def, parts);
}

static void
select_insert(sel *s, const hd_alu *alu)
{
   const hd_def *vector = alu->src[0].def;
   const unsigned num = parts_of_component(vector);
   const val index = hd_mach_part(s, alu->src[2].def, 0);
   val parts[2 * HD_MAX_COMPONENTS];

   for (unsigned n = 0; n < hd_mach_num_parts(vector); n++) {
      const val old = hd_mach_part(s, vector, n), put = hd_mach_part(s, alu->src[1].def, n % num);
      const val is = s->rows->is_at(s, index, n / num);
      parts[n] = s->rows->choose(s, vector, is, put, old);
   }
   hd_mach_set_parts(s, &alu->instr.def, parts);
}

/* Each part by itself. */
static void
select_choice(sel *s, const hd_alu *alu)
{
   const hd_def *def = &alu->instr.def;
   const val condition = hd_mach_part(s, alu->src[0].def, 0);
   val parts[2 * HD_MAX_COMPONENTS];

   for (unsigned n = 0; n < hd_mach_num_parts(def); n++) {
      const val a = hd_mach_part(s, alu->src[1].def, n), b = hd_mach_part(s, alu->src[2].def, n);
      parts[n] = s->rows->choose(s, def, condition, a, b);
   }
   hd_mach_set_parts(s, def, parts);
}

static void
select_vec(sel *s, const hd_alu *alu)
{
   const unsigned num = parts_of_component(&alu->instr.def);
   val parts[2 * HD_MAX_COMPONENTS];

   for (unsigned n = 0; n < hd_mach_num_parts(&alu->instr.def); n++)
      parts[n] = hd_mach_part(s, alu->src[n / num].def, n % num);
   hd_mach_set_parts(s, &alu->instr.def, parts);
}

static bool
moves_components(sel *s, const hd_alu *alu)
{
   switch ((hd_op)alu->instr.op) {
   case HD_OP_VEC:
      select_vec(s, alu);
      return true;
   case HD_OP_CHANNEL:
      select_channel(s, alu);
      return true;
   case HD_OP_INSERT_CHANNEL:
      select_insert(s, alu);
      return true;
   case HD_OP_SELECT:
      select_choice(s, alu);
      return true;
   default:
      return false;
   }
}

/* Sequences */

static val
part(void *s, const hd_def *def, unsigned n)
{
   return hd_mach_part(s, def, n);
}

static bool
run_sequence(sel *s, unsigned op, unsigned from, unsigned to, const hd_src *srcs,
             val results[HD_MACH_MAX_RESULTS])
{
   hd_mach_stepper steps = s->rows->steps;

   if (!steps.part)
      steps.part = part;
   return hd_mach_run_sequence(s->rows->sequences, &steps, s, op, from, to, srcs, results);
}

val
hd_mach_size_of_group(sel *s, unsigned n)
{
   const uint32_t fixed = s->p->shader->workgroup_size[n];

   return fixed ? s->rows->steps.constant(fixed)
                : s->rows->of_launch(s, offsetof(hd_mach_launch, workgroup_size) + 4 * n);
}

/* False: it is not there. */
static bool
read_launch(sel *s, const hd_intrinsic *i, val results[HD_MACH_MAX_RESULTS])
{
   size_t at;

   switch ((hd_intrinsic_id)i->instr.op) {
   case HD_INTRINSIC_NUM_WORKGROUPS:
      at = offsetof(hd_mach_launch, num_workgroups);
      break;
   case HD_INTRINSIC_WORKGROUP_SIZE:
      at = offsetof(hd_mach_launch, workgroup_size);
      break;
   case HD_INTRINSIC_GLOBAL_OFFSET:
      at = offsetof(hd_mach_launch, global_offset);
      break;
   case HD_INTRINSIC_WORK_DIM:
      at = offsetof(hd_mach_launch, work_dim);
      break;
   default:
      return false;
   }
   for (unsigned n = 0; n < i->instr.def.num_components; n++)
      results[n] = i->instr.op == HD_INTRINSIC_WORKGROUP_SIZE ? hd_mach_size_of_group(s, n)
                                                              : s->rows->of_launch(s, at + 4 * n);
   return true;
}

bool
hd_mach_run_intrinsic(sel *s, const hd_intrinsic *i, val results[HD_MACH_MAX_RESULTS])
{
   return read_launch(s, i, results) ||
          run_sequence(s, HD_NUM_OPS + i->instr.op, 0, 0, i->src, results) ||
          hd_mach_refuse_intrinsic(s, i);
}

/* The float controls that concern values of this kind and size. */
static uint32_t
controls_of(unsigned kind, unsigned bits)
{
   return kind == HD_KIND_FLOAT ? (HD_FLOAT_RTZ_16 | HD_FLOAT_FLUSH_16) * (bits / 16u) : 0;
}

/* Those of the floats that are read or written as numbers. */
static uint32_t
controls_of_op(const hd_alu *alu)
{
   const hd_op_info *info = hd_op_get_info((hd_op)alu->instr.op);
   uint32_t found = controls_of(info->result.kind, alu->instr.def.bit_size);

   for (unsigned n = 0; n < alu->instr.num_srcs && n < info->num_srcs; n++)
      found |= controls_of(info->src[n].kind, alu->src[n].def->bit_size);
   return found;
}

bool
hd_mach_select_alu(sel *s, const hd_alu *alu)
{
   const hd_op op = (hd_op)alu->instr.op;
   const unsigned from = alu->src[0].def->bit_size, to = alu->instr.def.bit_size;
   val parts[HD_MACH_MAX_RESULTS];

   if (moves_components(s, alu))
      return true;
   if (s->p->shader->float_controls & controls_of_op(alu))
      return hd_mach_refuse(
          s->p, &alu->instr,
          "unsupported float controls: this target rounds to nearest and keeps denormals");
   if (s->rows->direct && s->rows->direct(s, alu))
      return true;
   if (!run_sequence(s, op, from, to, alu->src, parts))
      return hd_mach_refuse(s->p, &alu->instr, "unsupported op %s of %u bits",
                            hd_op_get_info(op)->name, from == 1 ? to : from);
   hd_mach_set_parts(s, &alu->instr.def, parts);
   return true;
}
