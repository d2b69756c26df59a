/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>

#include "heddle/intrinsic_enum.h"
#include "heddle/op_enum.h"
#include "llvm_text.h"

/* As clang has it for gfx900: pointers of 64 bits to global memory, of 32 bits to local variables.
 */
static const char target[] =
    "target datalayout = "
    "\"e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-"
    "p8:128:128-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-"
    "v512:512-"
    "v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9\"\n"
    "target triple = \"amdgcn-amd-amdhsa\"\n\n";

typedef struct writer {
   FILE *out;
   uint32_t *defs;   /* by def->index */
   uint32_t *blocks; /* by block->node.index */
   uint32_t first;   /* the number of the first block */
   uint32_t next;    /* the number of what is written next */
} writer;

static const struct {
   hd_op op;
   const char *text; /* up to the operands' type */
} ops[] = {
   { HD_OP_IADD, "add" },     { HD_OP_ISUB, "sub" },    { HD_OP_IMUL, "mul" },
   { HD_OP_IAND, "and" },     { HD_OP_IXOR, "xor" },    { HD_OP_ULT, "icmp ult" },
   { HD_OP_ULE, "icmp ule" }, { HD_OP_IEQ, "icmp eq" }, { HD_OP_ISHL, "shl" },
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
   const hd_var_access *access = hd_instr_as_var_access(i);

   if (access)
      return access->var->array_length != 0;
   return i->kind == HD_INSTR_INTRINSIC && i->op != HD_INTRINSIC_GLOBAL_INVOCATION_INDEX;
}

static uint32_t
numbers_of(const hd_instr *i)
{
   if (i->kind == HD_INSTR_CONST || i->kind == HD_INSTR_JUMP || i->kind == HD_INSTR_PARAM)
      return 0;
   return (i->def.bit_size ? 1 : 0) + (takes_pointer(i) ? 1 : 0);
}

static void
number(writer *w, const hd_function *f)
{
   uint32_t next = 0;

   hd_foreach_instr(i, hd_function_start(f)) {
      if (i->kind == HD_INSTR_PARAM)
         w->defs[i->def.index] = next++;
   }
   w->first = next;
   hd_foreach_block(b, f) {
      w->blocks[b->node.index] = next++;
      hd_foreach_instr(i, b) {
         next += numbers_of(i);
         if (i->def.bit_size && i->kind != HD_INSTR_PARAM)
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
      fprintf(w->out, "  %%%" PRIu32 " = call i32 @llvm.amdgcn.workitem.id.x()\n", w->next);
      return true;
   }
   if (!load && i->instr.op != HD_INTRINSIC_STORE_GLOBAL)
      return false;
   fprintf(w->out, "  %%%" PRIu32 " = inttoptr i64 ", w->next);
   write_def(w, i->src[load ? 0 : 1].def);
   fputs(" to ptr addrspace(1)\n", w->out);
   if (load) {
      fprintf(w->out, "  %%%" PRIu32 " = load i32", w->next + 1);
   } else {
      fputs("  store i32 ", w->out);
      write_def(w, i->src[0].def);
   }
   fprintf(w->out, ", ptr addrspace(1) %%%" PRIu32 ", align 4\n", w->next);
   return true;
}

/* A variable is an alloca, named by its number. */
static void
write_access(writer *w, const hd_var_access *a)
{
   const bool is_load = a->instr.kind == HD_INSTR_LOAD_VAR;
   const unsigned bits = a->var->bit_size;
   uint32_t value = w->next;

   if (a->var->array_length) {
      fprintf(w->out,
              "  %%%" PRIu32 " = getelementptr [%" PRIu32 " x i%u], ptr addrspace(5) %%v%" PRIu32
              ", i32 0, i32 ",
              value++, a->var->array_length, bits, a->var->index);
      write_def(w, a->src[is_load ? 0 : 1].def);
      fputc('\n', w->out);
   }
   if (is_load) {
      fprintf(w->out, "  %%%" PRIu32 " = load i%u", value, bits);
   } else {
      fprintf(w->out, "  store i%u ", bits);
      write_def(w, a->src[0].def);
   }
   if (a->var->array_length)
      fprintf(w->out, ", ptr addrspace(5) %%%" PRIu32 ", align 4\n", w->next);
   else
      fprintf(w->out, ", ptr addrspace(5) %%v%" PRIu32 ", align 4\n", a->var->index);
}

static void
write_call(writer *w, const hd_call *call)
{
   fprintf(w->out, "  %%%" PRIu32 " = call i%u @%s(", w->next, call->instr.def.bit_size,
           call->callee->name);
   for (uint32_t n = 0; n < call->num_args; n++) {
      fprintf(w->out, "%si%u ", n ? ", " : "", call->args[n].src.def->bit_size);
      write_def(w, call->args[n].src.def);
   }
   fputs(")\n", w->out);
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
   case HD_INSTR_LOAD_VAR:
   case HD_INSTR_STORE_VAR:
      write_access(w, hd_instr_as_var_access(i));
      return true;
   case HD_INSTR_CALL:
      write_call(w, hd_instr_as_call(i));
      return i->def.bit_size != 0;
   case HD_INSTR_CONST:
   case HD_INSTR_JUMP:
   case HD_INSTR_PARAM:
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
   const hd_if *nif = hd_block_next_if(b);

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
   if (hd_block_is_end(b->succs[0].to) && jump && jump->instr.num_srcs) {
      fprintf(w->out, "  ret i%u ", jump->src[0].def->bit_size);
      write_def(w, jump->src[0].def);
      fputc('\n', w->out);
   } else if (hd_block_is_end(b->succs[0].to)) {
      fputs("  ret void\n", w->out);
   } else {
      fputs("  br ", w->out);
      write_label(w, b, 0);
      fputc('\n', w->out);
   }
   return true;
}

static void
write_head(writer *w, const hd_function *f)
{
   if (f == f->shader->first_function)
      fputs("define amdgpu_kernel void @main(", w->out);
   else
      fprintf(w->out, "define internal i%u @%s(", f->result_bits, f->name);
   hd_foreach_instr(i, hd_function_start(f)) {
      if (i->kind == HD_INSTR_PARAM)
         fprintf(w->out, "%si%u", i->prev ? ", " : "", i->def.bit_size);
   }
   fputs(") {\n", w->out);
}

static void
write_variables(writer *w, const hd_function *f)
{
   hd_foreach_var(v, f) {
      if (v->array_length)
         fprintf(w->out, "  %%v%" PRIu32 " = alloca [%" PRIu32 " x i%u], align 4, addrspace(5)\n",
                 v->index, v->array_length, v->bit_size);
      else
         fprintf(w->out, "  %%v%" PRIu32 " = alloca i%u, align 4, addrspace(5)\n", v->index,
                 v->bit_size);
   }
}

static bool
write_function(FILE *out, hd_function *f)
{
   writer w = { .out = out };
   bool good = true;

   hd_function_reindex(f);
   w.defs = calloc(f->num_defs + 1u, sizeof(*w.defs));
   w.blocks = calloc(f->num_blocks + 1u, sizeof(*w.blocks));
   if (w.defs && w.blocks) {
      number(&w, f);
      write_head(&w, f);
      w.next = w.first;
      hd_foreach_block(b, f) {
         if (b != hd_function_start(f))
            fprintf(out, "%" PRIu32 ":\n", w.next);
         else
            write_variables(&w, f);
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

bool
write_llvm(FILE *out, hd_shader *shader)
{
   bool good = true;

   fputs(target, out);
   fputs("declare i32 @llvm.amdgcn.workitem.id.x()\n\n", out);
   hd_foreach_function(f, shader)
      good = write_function(out, f) && good;
   return good;
}
