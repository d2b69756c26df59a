/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>

#include "llvm_text.h"

typedef struct writer {
   FILE *out;
   uint32_t *defs;   /* by def->index */
   uint32_t *blocks; /* by block->node.index */
   uint32_t next;    /* the number of what is written next */
} writer;

static const struct {
   hd_op op;
   const char *text; /* up to the operands' type */
} ops[] = {
   { HD_OP_IADD, "add" },     { HD_OP_ISUB, "sub" },    { HD_OP_IMUL, "mul" },
   { HD_OP_IAND, "and" },     { HD_OP_IXOR, "xor" },    { HD_OP_ULT, "icmp ult" },
   { HD_OP_ULE, "icmp ule" }, { HD_OP_IEQ, "icmp eq" },
};

static const char *
op_text(unsigned op)
{
   for (unsigned i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
      if (ops[i].op == op)
         return ops[i].text;
   }
   return NULL;
}

/* LLVM numbers blocks and values together, in the order of the text. Numbers are given out twice in
 * the same order: before anything is written, as phis look ahead, and while writing.
 *
 * The numbers of an instruction: one for its result, and before it one for the pointer that the
 * address of a load or store becomes.
 */
static bool
takes_pointer(const hd_instr *i)
{
   return i->kind == HD_INSTR_INTRINSIC && i->op != HD_INTRINSIC_GLOBAL_INVOCATION_INDEX;
}

static uint32_t
numbers_of(const hd_instr *i)
{
   if (i->kind == HD_INSTR_CONST || i->kind == HD_INSTR_JUMP)
      return 0;
   return (i->def.bit_size ? 1 : 0) + (takes_pointer(i) ? 1 : 0);
}

static void
number(writer *w, const hd_function *f)
{
   uint32_t next = 0;

   hd_foreach_block(b, f) {
      w->blocks[b->node.index] = next++;
      hd_foreach_instr(i, b) {
         next += numbers_of(i);
         if (i->def.bit_size)
            w->defs[i->def.index] = next - 1;
      }
   }
}

static void
write_def(writer *w, const hd_def *def)
{
   const hd_const *c = hd_instr_as_const(hd_def_instr(def));

   if (c)
      fprintf(w->out, "%" PRIu64, c->value[0].u64);
   else
      fprintf(w->out, "%%%" PRIu32, w->defs[def->index]);
}

static bool
write_intrinsic(writer *w, const hd_intrinsic *i)
{
   bool load = i->instr.op == HD_INTRINSIC_LOAD_GLOBAL;

   if (i->instr.op == HD_INTRINSIC_GLOBAL_INVOCATION_INDEX) {
      fprintf(w->out, "  %%%" PRIu32 " = call i32 @id()\n", w->next);
      return true;
   }
   if (!load && i->instr.op != HD_INTRINSIC_STORE_GLOBAL)
      return false;
   fprintf(w->out, "  %%%" PRIu32 " = inttoptr i64 ", w->next);
   write_def(w, i->src[load ? 0 : 1].def);
   fputs(" to ptr\n", w->out);
   if (load) {
      fprintf(w->out, "  %%%" PRIu32 " = load i32", w->next + 1);
   } else {
      fputs("  store i32 ", w->out);
      write_def(w, i->src[0].def);
   }
   fprintf(w->out, ", ptr %%%" PRIu32 ", align 4\n", w->next);
   return true;
}

static void
write_phi(writer *w, const hd_phi *phi)
{
   const hd_block *b = phi->instr.block;

   fprintf(w->out, "  %%%" PRIu32 " = phi i%u ", w->defs[phi->instr.def.index],
           phi->instr.def.bit_size);
   for (uint32_t n = 0; n < phi->num_srcs; n++) {
      fputs(n ? ", [ " : "[ ", w->out);
      write_def(w, phi->srcs[n].src.def);
      fprintf(w->out, ", %%%" PRIu32 " ]", w->blocks[b->preds[n].from->node.index]);
   }
   fputc('\n', w->out);
}

static bool
write_alu(writer *w, const hd_alu *alu)
{
   const char *text = op_text(alu->instr.op);

   fprintf(w->out, "  %%%" PRIu32 " = ", w->defs[alu->instr.def.index]);
   if (alu->instr.op == HD_OP_U2U) {
      fprintf(w->out, "zext i%u ", alu->src[0].def->bit_size);
      write_def(w, alu->src[0].def);
      fprintf(w->out, " to i%u\n", alu->instr.def.bit_size);
      return true;
   }
   if (!text || alu->instr.num_srcs != 2)
      return false;
   fprintf(w->out, "%s i%u ", text, alu->src[0].def->bit_size);
   write_def(w, alu->src[0].def);
   fputs(", ", w->out);
   write_def(w, alu->src[1].def);
   fputc('\n', w->out);
   return true;
}

static bool
write_instr(writer *w, const hd_instr *i)
{
   switch (i->kind) {
   case HD_INSTR_ALU:
      return write_alu(w, hd_instr_as_alu(i));
   case HD_INSTR_PHI:
      write_phi(w, hd_instr_as_phi(i));
      return true;
   case HD_INSTR_INTRINSIC:
      return write_intrinsic(w, hd_instr_as_intrinsic(i));
   case HD_INSTR_CONST:
   case HD_INSTR_JUMP:
      return true;
   default:
      return false;
   }
}

static void
write_label(writer *w, const hd_block *b, unsigned n)
{
   fprintf(w->out, "label %%%" PRIu32, w->blocks[b->succs[n].to->node.index]);
}

/* The edges out of a block, whatever the tree calls them. */
static bool
write_end(writer *w, const hd_block *b)
{
   const hd_jump *jump = hd_block_jump(b);
   const hd_if *nif = hd_block_following_if(b);

   if (jump && jump->instr.op == HD_JUMP_SWITCH) {
      fputs("  switch i32 ", w->out);
      write_def(w, jump->src[0].def);
      fputs(", ", w->out);
      write_label(w, b, 0);
      fputs(" [\n", w->out);
      for (uint32_t n = 0; n < jump->num_cases; n++) {
         fprintf(w->out, "    i32 %" PRIu64 ", ", jump->cases[n].value);
         write_label(w, b, jump->cases[n].succ);
         fputc('\n', w->out);
      }
      fputs("  ]\n", w->out);
      return true;
   }
   if (b->num_succs == 2) {
      fputs("  br i1 ", w->out);
      write_def(w, nif ? nif->cond.def : jump->src[0].def);
      fputs(", ", w->out);
      write_label(w, b, 0);
      fputs(", ", w->out);
      write_label(w, b, 1);
      fputc('\n', w->out);
      return true;
   }
   if (b->num_succs != 1)
      return false;
   if (hd_block_is_end(b->succs[0].to)) {
      fputs("  ret void\n", w->out);
   } else {
      fputs("  br ", w->out);
      write_label(w, b, 0);
      fputc('\n', w->out);
   }
   return true;
}

bool
write_llvm(FILE *out, hd_shader *shader)
{
   hd_function *f = shader->first_function;
   writer w = { .out = out };
   bool good = true;

   hd_function_reindex(f);
   w.defs = calloc(f->num_defs + 1u, sizeof(*w.defs));
   w.blocks = calloc(f->num_blocks + 1u, sizeof(*w.blocks));
   if (w.defs && w.blocks) {
      number(&w, f);
      fputs("declare i32 @id()\n\ndefine void @main() {\n", out);
      hd_foreach_block(b, f) {
         if (b != hd_function_start(f))
            fprintf(out, "%" PRIu32 ":\n", w.next);
         w.next++;
         hd_foreach_instr(i, b) {
            good = write_instr(&w, i) && good;
            w.next += numbers_of(i);
         }
         good = write_end(&w, b) && good;
      }
      fputs("}\n", out);
   }
   good = good && w.defs && w.blocks;
   free(w.defs);
   free(w.blocks);
   return good;
}
