/* SPDX-License-Identifier: MIT */
#include "tree_words.h"
#include "heddle/intrinsic_enum.h"
#include "heddle/op_enum.h"

#include <assert.h>
#include <stdlib.h>

#include "spirv/spirv_grammar.h"

/* Ids below FIRST_ID are the module's; then come blocks, the second halves of headers, values,
 * variables, pointers.
 */
enum {
   ID_MAIN = 1,
   ID_VOID,
   ID_FUNCTION_TYPE,
   ID_BOOL,
   ID_UINT,
   ID_ARRAY,
   ID_STRUCT,
   ID_BUFFER_POINTER,
   ID_WORD_POINTER,
   ID_INPUT_POINTER,
   ID_LANE,
   ID_LOCAL_POINTER,
   ID_ZERO,
   ID_TWO,
   ID_BUFFER,
   FIRST_ID = ID_BUFFER + 3,
};

struct writer {
   tree_words out;
   hd_function *f;
   uint32_t num_blocks, num_values, next_id;
};

static void
word(struct writer *w, uint32_t value)
{
   if (w->out.num == w->out.capacity) {
      w->out.capacity = w->out.capacity ? w->out.capacity * 2 : 4096;
      w->out.words = realloc(w->out.words, w->out.capacity * sizeof(uint32_t));
      assert(w->out.words);
   }
   w->out.words[w->out.num++] = value;
}

/* An instruction of up to six operands; the last is followed by NOTHING. */
#define NOTHING 0xfffffffeu

static void
emit(struct writer *w, uint32_t opcode, const uint32_t *operands)
{
   size_t first = w->out.num;

   word(w, opcode);
   while (*operands != NOTHING)
      word(w, *operands++);
   w->out.words[first] |= (uint32_t)(w->out.num - first) << 16;
}

#define EMIT(w, opcode, ...) emit(w, opcode, (const uint32_t[]){ __VA_ARGS__, NOTHING })

static uint32_t
label(const struct writer *w, const hd_block *b)
{
   (void)w;
   return FIRST_ID + b->node.index;
}

static bool
is_header(const hd_block *b)
{
   const hd_loop *loop = hd_node_as_loop(b->node.list->parent);

   return loop && &b->node == loop->body.first;
}

/* The label that the code of a block ends in: a header's phis are in a block of their own, as the
 * loop's merge instruction needs one.
 */
static uint32_t
end_label(const struct writer *w, const hd_block *b)
{
   return label(w, b) + (is_header(b) ? w->num_blocks : 0);
}

static uint32_t
id_of(const struct writer *w, const hd_def *def)
{
   return FIRST_ID + 2 * w->num_blocks + def->index;
}

static uint32_t
source(const struct writer *w, hd_instr *i, unsigned n)
{
   return id_of(w, hd_instr_src(i, n)->def);
}

static uint32_t
variable(const struct writer *w, const hd_var *v)
{
   return FIRST_ID + 2 * w->num_blocks + w->num_values + v->index;
}

static uint32_t
type_of(const hd_def *def)
{
   assert(def->num_components == 1 && (def->bit_size == 1 || def->bit_size == 32));
   return def->bit_size == 1 ? ID_BOOL : ID_UINT;
}

static uint32_t
opcode_of(const hd_instr *i)
{
   switch (i->op) {
   case HD_OP_IADD:
      return SPV_OP_IADD;
   case HD_OP_IMUL:
      return SPV_OP_IMUL;
   case HD_OP_IAND:
      return SPV_OP_BITWISE_AND;
   case HD_OP_IXOR:
      return i->def.bit_size == 1 ? SPV_OP_LOGICAL_NOT_EQUAL : SPV_OP_BITWISE_XOR;
   case HD_OP_USHR:
      return SPV_OP_SHIFT_RIGHT_LOGICAL;
   case HD_OP_INE:
      return SPV_OP_INOT_EQUAL;
   case HD_OP_ULT:
      return SPV_OP_ULESS_THAN;
   case HD_OP_SELECT:
      return SPV_OP_SELECT;
   default:
      assert(!"an op that random trees have");
      return 0;
   }
}

/* The word of a buffer at a position in bytes. */
static uint32_t
place(struct writer *w, const hd_intrinsic *i, uint32_t position)
{
   uint32_t index = w->next_id++, pointer = w->next_id++;

   EMIT(w, SPV_OP_SHIFT_RIGHT_LOGICAL, ID_UINT, index, position, ID_TWO);
   EMIT(w, SPV_OP_ACCESS_CHAIN, ID_WORD_POINTER, pointer, ID_BUFFER + hd_intrinsic_indices(i)[1],
        ID_ZERO, index);
   return pointer;
}

static void
write_intrinsic(struct writer *w, hd_instr *i)
{
   const hd_intrinsic *intrinsic = hd_instr_as_intrinsic(i);

   switch (i->op) {
   case HD_INTRINSIC_SUBGROUP_INVOCATION:
      EMIT(w, SPV_OP_LOAD, ID_UINT, id_of(w, &i->def), ID_LANE);
      break;
   case HD_INTRINSIC_LOAD_BUFFER: {
      uint32_t pointer = place(w, intrinsic, source(w, i, 1));
      EMIT(w, SPV_OP_LOAD, ID_UINT, id_of(w, &i->def), pointer);
      break;
   }
   case HD_INTRINSIC_STORE_BUFFER: {
      uint32_t pointer = place(w, intrinsic, source(w, i, 2));
      EMIT(w, SPV_OP_STORE, pointer, source(w, i, 0));
      break;
   }
   default:
      assert(!"an intrinsic that random trees have");
   }
}

static void
write_phi(struct writer *w, const hd_phi *phi)
{
   size_t first = w->out.num;

   EMIT(w, SPV_OP_PHI, type_of(&phi->instr.def), id_of(w, &phi->instr.def));
   for (uint32_t n = 0; n < phi->num_srcs; n++) {
      word(w, id_of(w, phi->srcs[n].src.def));
      word(w, end_label(w, phi->instr.block->preds[n].from));
   }
   w->out.words[first] += (2 * phi->num_srcs) << 16;
}

static void
write_jump(struct writer *w, const hd_instr *i)
{
   if (i->op == HD_JUMP_RETURN)
      emit(w, SPV_OP_RETURN, (const uint32_t[]){ NOTHING });
   else if (i->op == HD_JUMP_HALT)
      emit(w, SPV_OP_KILL, (const uint32_t[]){ NOTHING });
   else
      EMIT(w, SPV_OP_BRANCH, label(w, i->block->succs[0].to));
}

static void
write_instr(struct writer *w, hd_instr *i)
{
   hd_var_access *access = (hd_var_access *)i;

   switch (i->kind) {
   case HD_INSTR_CONST:
   case HD_INSTR_PHI:
      break;
   case HD_INSTR_UNDEF:
      EMIT(w, SPV_OP_UNDEF, type_of(&i->def), id_of(w, &i->def));
      break;
   case HD_INSTR_ALU:
      if (i->num_srcs == 3)
         EMIT(w, opcode_of(i), type_of(&i->def), id_of(w, &i->def), source(w, i, 0),
              source(w, i, 1), source(w, i, 2));
      else
         EMIT(w, opcode_of(i), type_of(&i->def), id_of(w, &i->def), source(w, i, 0),
              source(w, i, 1));
      break;
   case HD_INSTR_INTRINSIC:
      write_intrinsic(w, i);
      break;
   case HD_INSTR_LOAD_VAR:
      EMIT(w, SPV_OP_LOAD, ID_UINT, id_of(w, &i->def), variable(w, access->var));
      break;
   case HD_INSTR_STORE_VAR:
      EMIT(w, SPV_OP_STORE, variable(w, access->var), source(w, i, 0));
      break;
   case HD_INSTR_JUMP:
      write_jump(w, i);
      break;
   default:
      assert(!"an instruction that random trees have");
   }
}

static void write_list(struct writer *w, hd_cf_list *list);

/* A block without its jump to what follows in its list. */
static void
write_block(struct writer *w, hd_block *b)
{
   const hd_loop *loop = hd_node_as_loop(b->node.list->parent);

   EMIT(w, SPV_OP_LABEL, label(w, b));
   hd_foreach_phi(phi, b)
      write_phi(w, phi);
   if (is_header(b)) {
      EMIT(w, SPV_OP_LOOP_MERGE, label(w, hd_node_next_block((hd_cf_node *)&loop->node)),
           label(w, hd_list_first_block((hd_cf_list *)&loop->continue_list)), 0);
      EMIT(w, SPV_OP_BRANCH, end_label(w, b));
      EMIT(w, SPV_OP_LABEL, end_label(w, b));
   }
   if (b == hd_function_start(w->f)) {
      for (const hd_var *v = w->f->first_var; v; v = v->next)
         EMIT(w, SPV_OP_VARIABLE, ID_LOCAL_POINTER, variable(w, v), SPV_STORAGE_CLASS_FUNCTION);
   }
   hd_foreach_instr(i, b)
      write_instr(w, i);
}

static void
write_node(struct writer *w, hd_cf_node *n)
{
   hd_if *nif = hd_node_as_if(n);
   hd_loop *loop = hd_node_as_loop(n);

   if (nif) {
      EMIT(w, SPV_OP_SELECTION_MERGE, label(w, hd_node_next_block(n)), 0);
      EMIT(w, SPV_OP_BRANCH_CONDITIONAL, id_of(w, nif->cond.def),
           label(w, hd_list_first_block(&nif->then_list)),
           label(w, hd_list_first_block(&nif->else_list)));
      write_list(w, &nif->then_list);
      write_list(w, &nif->else_list);
   } else if (loop) {
      EMIT(w, SPV_OP_BRANCH, label(w, hd_loop_header(loop)));
      write_list(w, &loop->body);
      write_list(w, &loop->continue_list);
   }
}

/* Trees are as deep as random_tree.c makes them. */
static void
write_list(struct writer *w, hd_cf_list *list)
{
   hd_foreach_node_in_list(n, list) {
      hd_block *b = hd_node_as_block(n);
      if (b)
         write_block(w, b);
      else
         write_node(w, n);
   }
   const hd_block *last = hd_list_last_block(list);
   if (hd_block_jump(last))
      return;
   if (list->parent)
      EMIT(w, SPV_OP_BRANCH, label(w, last->succs[0].to));
   else
      emit(w, SPV_OP_RETURN, (const uint32_t[]){ NOTHING });
}

static void
write_types(struct writer *w)
{
   EMIT(w, SPV_OP_TYPE_VOID, ID_VOID);
   EMIT(w, SPV_OP_TYPE_FUNCTION, ID_FUNCTION_TYPE, ID_VOID);
   EMIT(w, SPV_OP_TYPE_BOOL, ID_BOOL);
   EMIT(w, SPV_OP_TYPE_INT, ID_UINT, 32, 0);
   EMIT(w, SPV_OP_TYPE_RUNTIME_ARRAY, ID_ARRAY, ID_UINT);
   EMIT(w, SPV_OP_TYPE_STRUCT, ID_STRUCT, ID_ARRAY);
   EMIT(w, SPV_OP_TYPE_POINTER, ID_BUFFER_POINTER, SPV_STORAGE_CLASS_STORAGE_BUFFER, ID_STRUCT);
   EMIT(w, SPV_OP_TYPE_POINTER, ID_WORD_POINTER, SPV_STORAGE_CLASS_STORAGE_BUFFER, ID_UINT);
   EMIT(w, SPV_OP_TYPE_POINTER, ID_INPUT_POINTER, SPV_STORAGE_CLASS_INPUT, ID_UINT);
   EMIT(w, SPV_OP_TYPE_POINTER, ID_LOCAL_POINTER, SPV_STORAGE_CLASS_FUNCTION, ID_UINT);
   EMIT(w, SPV_OP_VARIABLE, ID_INPUT_POINTER, ID_LANE, SPV_STORAGE_CLASS_INPUT);
   for (unsigned n = 0; n < 3; n++)
      EMIT(w, SPV_OP_VARIABLE, ID_BUFFER_POINTER, ID_BUFFER + n, SPV_STORAGE_CLASS_STORAGE_BUFFER);
   EMIT(w, SPV_OP_CONSTANT, ID_UINT, ID_ZERO, 0);
   EMIT(w, SPV_OP_CONSTANT, ID_UINT, ID_TWO, 2);
}

static void
write_module(struct writer *w)
{
   EMIT(w, SPV_OP_CAPABILITY, SPV_CAPABILITY_SHADER);
   EMIT(w, SPV_OP_CAPABILITY, SPV_CAPABILITY_GROUP_NON_UNIFORM);
   EMIT(w, SPV_OP_MEMORY_MODEL, SPV_ADDRESSING_MODEL_LOGICAL, SPV_MEMORY_MODEL_GLSL450);
   /* "main" */
   EMIT(w, SPV_OP_ENTRY_POINT, SPV_EXECUTION_MODEL_GLCOMPUTE, ID_MAIN, 0x6e69616d, 0, ID_LANE,
        ID_BUFFER, ID_BUFFER + 1, ID_BUFFER + 2);
   EMIT(w, SPV_OP_EXECUTION_MODE, ID_MAIN, SPV_EXECUTION_MODE_LOCAL_SIZE, 64, 1, 1);
   EMIT(w, SPV_OP_DECORATE, ID_ARRAY, SPV_DECORATION_ARRAY_STRIDE, 4);
   EMIT(w, SPV_OP_DECORATE, ID_STRUCT, SPV_DECORATION_BLOCK);
   EMIT(w, SPV_OP_MEMBER_DECORATE, ID_STRUCT, 0, SPV_DECORATION_OFFSET, 0);
   EMIT(w, SPV_OP_DECORATE, ID_LANE, SPV_DECORATION_BUILT_IN,
        SPV_BUILT_IN_SUBGROUP_LOCAL_INVOCATION_ID);
   for (unsigned n = 0; n < 3; n++) {
      EMIT(w, SPV_OP_DECORATE, ID_BUFFER + n, SPV_DECORATION_DESCRIPTOR_SET, 0);
      EMIT(w, SPV_OP_DECORATE, ID_BUFFER + n, SPV_DECORATION_BINDING, n);
   }
   write_types(w);
   hd_foreach_block(b, w->f) {
      hd_foreach_instr(i, b) {
         const hd_const *c = hd_instr_as_const(i);
         if (!c)
            continue;
         if (i->def.bit_size == 1)
            EMIT(w, c->value[0].b ? SPV_OP_CONSTANT_TRUE : SPV_OP_CONSTANT_FALSE, ID_BOOL,
                 id_of(w, &i->def));
         else
            EMIT(w, SPV_OP_CONSTANT, ID_UINT, id_of(w, &i->def), c->value[0].u32);
      }
   }
   EMIT(w, SPV_OP_FUNCTION, ID_VOID, ID_MAIN, 0, ID_FUNCTION_TYPE);
   write_list(w, &w->f->body);
   emit(w, SPV_OP_FUNCTION_END, (const uint32_t[]){ NOTHING });
}

tree_words
tree_words_write(hd_shader *tree)
{
   struct writer w = { .f = tree->first_function };
   const uint32_t header[5] = { 0x07230203, 0x00010300, 0, 0, 0 };

   hd_function_reindex(w.f);
   w.num_blocks = w.f->num_blocks + 1;
   w.num_values = w.f->num_defs;
   w.next_id = FIRST_ID + 2 * w.num_blocks + w.num_values + w.f->num_vars;
   for (unsigned n = 0; n < 5; n++)
      word(&w, header[n]);
   write_module(&w);
   w.out.words[3] = w.next_id;
   return w.out;
}
