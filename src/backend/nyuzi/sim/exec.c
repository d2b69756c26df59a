/* SPDX-License-Identifier: MIT */
/* exec.c - execution of instructions, written from the architecture's documentation. */
#include <string.h>

#include "backend/nyuzi/sim/sim.h"

static float
as_float(uint32_t bits)
{
   float f;

   memcpy(&f, &bits, sizeof(f));
   return f;
}

static uint32_t
from_float(float f)
{
   uint32_t bits;

   if (f != f)
      return 0x7fc00000u;
   memcpy(&bits, &f, sizeof(bits));
   return bits;
}

static uint32_t
leading_zeros(uint32_t a)
{
   uint32_t n = 0;

   while (n < 32 && !(a >> (31 - n)))
      n++;
   return n;
}

static uint32_t
trailing_zeros(uint32_t a)
{
   uint32_t n = 0;

   while (n < 32 && !(a >> n & 1))
      n++;
   return n;
}

static uint32_t
shift_signed(uint32_t a, uint32_t by)
{
   return by && a >> 31 ? a >> by | ~(UINT32_MAX >> by) : a >> by;
}

static uint32_t
to_integer(uint32_t bits)
{
   const float f = as_float(bits);

   return f >= -2147483648.0f && f < 2147483648.0f ? (uint32_t)(int32_t)f : 0x80000000u;
}

/* The result of arithmetic on two numbers; compares give 1 or 0. */
static uint32_t
compute(unsigned op, uint32_t a, uint32_t b)
{
   const int32_t sa = (int32_t)a, sb = (int32_t)b;

   switch (op) {
   case HD_NYUZI_OR:
      return a | b;
   case HD_NYUZI_AND:
      return a & b;
   case HD_NYUZI_XOR:
      return a ^ b;
   case HD_NYUZI_ADD_I:
      return a + b;
   case HD_NYUZI_SUB_I:
      return a - b;
   case HD_NYUZI_MULL_I:
      return (uint32_t)((uint64_t)a * b);
   case HD_NYUZI_MULH_U:
      return (uint32_t)((uint64_t)a * b >> 32);
   case HD_NYUZI_MULH_I:
      return (uint32_t)((uint64_t)((int64_t)sa * sb) >> 32);
   case HD_NYUZI_ASHR:
      return shift_signed(a, b & 31);
   case HD_NYUZI_SHR:
      return a >> (b & 31);
   case HD_NYUZI_SHL:
      return a << (b & 31);
   case HD_NYUZI_CLZ:
      return leading_zeros(b);
   case HD_NYUZI_CTZ:
      return trailing_zeros(b);
   case HD_NYUZI_MOVE:
      return b;
   case HD_NYUZI_CMPEQ_I:
      return a == b;
   case HD_NYUZI_CMPNE_I:
      return a != b;
   case HD_NYUZI_CMPGT_I:
      return sa > sb;
   case HD_NYUZI_CMPGE_I:
      return sa >= sb;
   case HD_NYUZI_CMPLT_I:
      return sa < sb;
   case HD_NYUZI_CMPLE_I:
      return sa <= sb;
   case HD_NYUZI_CMPGT_U:
      return a > b;
   case HD_NYUZI_CMPGE_U:
      return a >= b;
   case HD_NYUZI_CMPLT_U:
      return a < b;
   case HD_NYUZI_CMPLE_U:
      return a <= b;
   case HD_NYUZI_FTOI:
      return to_integer(b);
   case HD_NYUZI_RECIPROCAL:
      return from_float(1.0f / as_float(b)) & ~UINT32_C(0x1ffff);
   case HD_NYUZI_SEXT_8:
      return (b & 0xff) | (b & 0x80 ? 0xffffff00u : 0);
   case HD_NYUZI_SEXT_16:
      return (b & 0xffff) | (b & 0x8000 ? 0xffff0000u : 0);
   case HD_NYUZI_ADD_F:
      return from_float(as_float(a) + as_float(b));
   case HD_NYUZI_SUB_F:
      return from_float(as_float(a) - as_float(b));
   case HD_NYUZI_MUL_F:
      return from_float(as_float(a) * as_float(b));
   case HD_NYUZI_ITOF:
      return from_float((float)sb);
   case HD_NYUZI_CMPGT_F:
      return as_float(a) > as_float(b);
   case HD_NYUZI_CMPGE_F:
      return as_float(a) >= as_float(b);
   case HD_NYUZI_CMPLT_F:
      return as_float(a) < as_float(b);
   case HD_NYUZI_CMPLE_F:
      return as_float(a) <= as_float(b);
   case HD_NYUZI_CMPEQ_F:
      return as_float(a) == as_float(b);
   case HD_NYUZI_CMPNE_F:
      return as_float(a) != as_float(b);
   default:
      return 0;
   }
}

bool
hd_nyuzi_sim_is_scalar(const hd_nyuzi_word *i)
{
   const hd_nyuzi_op_info *info = &hd_nyuzi_op_infos[i->op];
   const bool memory = info->shape == HD_NYUZI_SHAPE_LOAD || info->shape == HD_NYUZI_SHAPE_STORE;

   return memory ? !(info->mach.flags & HD_NYUZI_WIDE)
                 : i->form > HD_NYUZI_FORM_VI_MASK || !hd_nyuzi_form_is_vector(i->form);
}

uint32_t
hd_nyuzi_sim_mask(const sim_thread *t, const hd_nyuzi_word *i)
{
   if (hd_nyuzi_sim_is_scalar(i))
      return 0;
   return hd_nyuzi_form_has_mask(i->form) ? t->s[i->mask] & 0xffff : 0xffff;
}

static uint32_t
second(const sim_thread *t, const hd_nyuzi_word *i, unsigned lane)
{
   if (hd_nyuzi_form_has_imm(i->form))
      return (uint32_t)i->imm;
   if (i->form == HD_NYUZI_FORM_VV || i->form == HD_NYUZI_FORM_VV_MASK)
      return t->v[i->src2][lane];
   return t->s[i->src2];
}

static void
vector_arithmetic(sim_thread *t, const hd_nyuzi_word *i)
{
   const uint32_t mask = hd_nyuzi_sim_mask(t, i);
   uint32_t result[HD_NYUZI_LANES], bits = 0;

   for (unsigned lane = 0; lane < HD_NYUZI_LANES; lane++) {
      const uint32_t b = second(t, i, lane);
      result[lane] = i->op == HD_NYUZI_SHUFFLE ? t->v[i->src1][b & 15]
                                               : compute(i->op, t->v[i->src1][lane], b);
      bits |= (result[lane] & 1) << lane;
   }
   switch ((hd_nyuzi_shape)hd_nyuzi_op_infos[i->op].shape) {
   case HD_NYUZI_SHAPE_COMPARE:
      t->s[i->dest] = bits;
      return;
   case HD_NYUZI_SHAPE_GETLANE:
      t->s[i->dest] = t->v[i->src1][second(t, i, 0) & 15];
      return;
   default:
      break;
   }
   for (unsigned lane = 0; lane < HD_NYUZI_LANES; lane++) {
      if (mask >> lane & 1)
         t->v[i->dest][lane] = result[lane];
   }
}

static void
scalar_arithmetic(sim_thread *t, const hd_nyuzi_word *i)
{
   const uint32_t result = compute(i->op, t->s[i->src1], second(t, i, 0));

   if (hd_nyuzi_op_infos[i->op].shape == HD_NYUZI_SHAPE_COMPARE)
      t->s[i->dest] = result ? 0xffff : 0;
   else
      t->s[i->dest] = result;
}

/* Memory */

static bool
scalar_memory(sim *s, sim_thread *t, const hd_nyuzi_word *i)
{
   const uint32_t address = t->s[i->src1] + (uint32_t)i->imm;
   uint32_t *reg = &t->s[i->dest], value = 0;

   switch (i->op) {
   case HD_NYUZI_LOAD_U8:
   case HD_NYUZI_LOAD_S8:
      if (!hd_nyuzi_sim_load(s, address, 1, &value))
         return false;
      *reg = i->op == HD_NYUZI_LOAD_S8 ? compute(HD_NYUZI_SEXT_8, 0, value) : value;
      return true;
   case HD_NYUZI_LOAD_U16:
   case HD_NYUZI_LOAD_S16:
      if (!hd_nyuzi_sim_load(s, address, 2, &value))
         return false;
      *reg = i->op == HD_NYUZI_LOAD_S16 ? compute(HD_NYUZI_SEXT_16, 0, value) : value;
      return true;
   case HD_NYUZI_LOAD_SYNC:
      t->linked = address;
      t->has_link = true;
      return hd_nyuzi_sim_load(s, address, 4, reg);
   case HD_NYUZI_LOAD_32:
      return hd_nyuzi_sim_load(s, address, 4, reg);
   case HD_NYUZI_STORE_8:
      return hd_nyuzi_sim_store(s, address, 1, *reg);
   case HD_NYUZI_STORE_16:
      return hd_nyuzi_sim_store(s, address, 2, *reg);
   case HD_NYUZI_STORE_32:
      return hd_nyuzi_sim_store(s, address, 4, *reg);
   default: { /* store_sync */
      const bool linked = t->has_link && t->linked == address;
      if (linked && !hd_nyuzi_sim_store(s, address, 4, *reg))
         return false;
      t->has_link = false;
      *reg = linked;
      return true;
   }
   }
}

/* A word for each lane of the mask, in ascending order. */
static bool
vector_memory(sim *s, sim_thread *t, const hd_nyuzi_word *i)
{
   const hd_nyuzi_op_info *info = &hd_nyuzi_op_infos[i->op];
   const uint32_t mask = hd_nyuzi_sim_mask(t, i);
   const bool lanes = info->mach.flags & HD_NYUZI_BY_LANES, load = info->mach.flags & HD_MACH_LOADS;
   const uint32_t block = t->s[i->src1] + (uint32_t)i->imm;
   uint32_t loaded[HD_NYUZI_LANES] = { 0 };

   if (!lanes && block % 64)
      return hd_nyuzi_sim_fail(s, "address 0x%08x of a block is no multiple of 64", block);
   for (unsigned lane = 0; lane < HD_NYUZI_LANES; lane++) {
      const uint32_t address = lanes ? t->v[i->src1][lane] + (uint32_t)i->imm : block + 4 * lane;
      if (!(mask >> lane & 1))
         continue;
      s->lane = (int)lane;
      if (load ? !hd_nyuzi_sim_load(s, address, 4, &loaded[lane])
               : !hd_nyuzi_sim_store(s, address, 4, t->v[i->dest][lane]))
         return false;
   }
   s->lane = -1;
   for (unsigned lane = 0; lane < HD_NYUZI_LANES && load; lane++) {
      if (mask >> lane & 1)
         t->v[i->dest][lane] = loaded[lane];
   }
   return true;
}

/* The rest */

static bool
control(sim *s, sim_thread *t, const hd_nyuzi_word *i)
{
   if (i->op == HD_NYUZI_GETCR && i->imm == 0) {
      t->s[i->dest] = s->thread;
      return true;
   }
   if (i->op == HD_NYUZI_SETCR && i->imm == 20) {
      for (uint32_t n = 0; n < s->num_threads && n < 32; n++)
         s->threads[n].done |= t->s[i->dest] >> n & 1;
      return true;
   }
   return hd_nyuzi_sim_fail(s, "there is no control register %d to %s", (int)i->imm,
                            i->op == HD_NYUZI_GETCR ? "read" : "write");
}

static void
branch(sim *s, sim_thread *t, const hd_nyuzi_word *i)
{
   const uint32_t here = t->pc - 1;
   bool taken = true;

   switch (i->op) {
   case HD_NYUZI_BZ:
      taken = t->s[i->dest] == 0;
      break;
   case HD_NYUZI_BNZ:
      taken = t->s[i->dest] != 0;
      break;
   case HD_NYUZI_CALL:
   case HD_NYUZI_CALL_REG:
      t->s[31] = t->pc * 4;
      break;
   default:
      break;
   }
   s->stats.taken += taken;
   if (!taken)
      return;
   if (i->op == HD_NYUZI_B_REG || i->op == HD_NYUZI_CALL_REG)
      t->pc = t->s[i->dest] / 4;
   else
      t->pc = here + (uint32_t)i->imm;
}

bool
hd_nyuzi_sim_step_thread(sim *s, sim_thread *t)
{
   const hd_nyuzi_word *i = &s->insts[t->pc];
   const hd_nyuzi_op_info *info = &hd_nyuzi_op_infos[i->op];
   const uint32_t mask = hd_nyuzi_sim_mask(t, i);

   s->stats.instructions++;
   for (uint32_t rest = mask; rest; rest &= rest - 1)
      s->stats.lanes++;
   t->pc++;
   switch ((hd_nyuzi_shape)info->shape) {
   case HD_NYUZI_SHAPE_LOAD:
   case HD_NYUZI_SHAPE_STORE:
      s->stats.memory++;
      return info->mach.flags & HD_NYUZI_WIDE ? vector_memory(s, t, i) : scalar_memory(s, t, i);
   case HD_NYUZI_SHAPE_TEST:
   case HD_NYUZI_SHAPE_BRANCH:
   case HD_NYUZI_SHAPE_REGISTER:
      s->stats.branches++;
      branch(s, t, i);
      return true;
   case HD_NYUZI_SHAPE_CONTROL:
      s->stats.scalar++;
      return control(s, t, i);
   case HD_NYUZI_SHAPE_PLAIN:
      return hd_nyuzi_sim_fail(s, "%s",
                               i->op == HD_NYUZI_SYSCALL
                                   ? "unsupported syscall: no operating system is simulated"
                                   : "the program hit a breakpoint");
   case HD_NYUZI_SHAPE_HIGH:
      s->stats.scalar++;
      t->s[i->dest] = (uint32_t)i->imm << 13;
      return true;
   default:
      break;
   }
   if (hd_nyuzi_form_is_vector(i->form)) {
      s->stats.vector++;
      vector_arithmetic(t, i);
   } else {
      s->stats.scalar++;
      scalar_arithmetic(t, i);
   }
   return true;
}
