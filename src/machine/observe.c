/* SPDX-License-Identifier: MIT */
/* observe.c - report a phase to the observer of a compilation. */
#include "machine/observe.h"

#include <string.h>

#include "ir/private.h"
#include "util/ptr_map.h"

_Static_assert(HD_MAX_REGISTER_FILES >= HD_MACH_MAX_FILES, "an observer sees all files");

#define MAX_OCCUPANCY 32u

static bool
is_watched(const hd_mach_program *p)
{
   return p->observer && p->observer->after_phase;
}

void
hd_mach_before_phase(const hd_mach_program *p, const char *name)
{
   if (p->observer && p->observer->before_phase)
      p->observer->before_phase(p->observer->user, name);
}

static void
end_phase(const hd_mach_program *p, const char *name)
{
   if (p->observer && p->observer->end_phase)
      p->observer->end_phase(p->observer->user, name);
}

static hd_mach_view
view_of(hd_mach_program *p)
{
   hd_stack *stack = hd_mach_scratch(p);
   hd_mach_view view = { .blocks = hd_stack_alloc(stack, (p->num_blocks + (size_t)1) *
                                                             sizeof(hd_mach_block *)) };

   for (hd_mach_block *block = p->first; block; block = block->next)
      view.blocks[view.num++] = block;
   for (uint32_t n = 0; !p->first && n < p->num_blocks; n++)
      view.blocks[view.num++] = p->blocks[n];
   for (uint32_t n = 0; n < view.num; n++) {
      hd_mach_foreach_inst(inst, view.blocks[n]) view.num_insts++;
   }
   return view;
}

static hd_machine_class
class_of(const hd_mach *mach, const hd_mach_inst *inst)
{
   const uint32_t flags = hd_mach_op_of(mach, inst)->flags;

   if (flags & (HD_MACH_BRANCHES | HD_MACH_ENDS) || inst->op == HD_MACH_P_END)
      return HD_MACHINE_CONTROL;
   /* A machine that has no rows of operands marks all of its ops as pseudo ops. */
   if (inst->op < HD_MACH_NUM_PSEUDO_OPS || flags & HD_MACH_USES_LANES)
      return HD_MACHINE_PSEUDO;
   if (flags & (HD_MACH_LOADS | HD_MACH_STORES))
      return HD_MACHINE_MEMORY;
   if (!inst->num_defs && !inst->num_srcs)
      return HD_MACHINE_WAIT;
   const hd_mach_operand *def = inst->num_defs ? hd_mach_def(inst, 0) : NULL;
   const bool vector =
       def && (def->flags & HD_MACH_OPERAND_VECTOR ||
               (def->reg != HD_MACH_NO_REG && hd_mach_is_value_reg(mach, def->reg) &&
                hd_mach_is_vector_reg(mach, def->reg)));
   return vector || flags & HD_MACH_PER_LANE ? HD_MACHINE_VECTOR : HD_MACHINE_SCALAR;
}

/* What reads registers or values, and who wrote them: of values the only definition, of registers
 * the last in the block.
 */
struct writers {
   uint32_t *of_temp; /* instruction + 1 */
   uint32_t *of_reg;
   hd_stack *stack;
};

static uint32_t
writer_of(const hd_mach_program *p, const struct writers *w, const hd_mach_operand *o)
{
   const bool has_reg = o->reg != HD_MACH_NO_REG;

   if (!o->size)
      return 0;
   if (has_reg && hd_mach_is_value_reg(p->mach, o->reg))
      return w->of_reg[o->reg];
   return hd_mach_is_temp(o) && !has_reg ? w->of_temp[o->value] : 0;
}

static void
note_defs(const hd_mach_program *p, struct writers *w, const hd_mach_inst *inst, uint32_t number)
{
   for (unsigned n = 0; n < inst->num_defs; n++) {
      const hd_mach_operand *def = hd_mach_def(inst, n);
      if (hd_mach_is_temp(def))
         w->of_temp[def->value] = number + 1;
      for (unsigned k = 0; def->reg != HD_MACH_NO_REG && k < def->size; k++) {
         if (hd_mach_is_value_reg(p->mach, def->reg + k))
            w->of_reg[def->reg + k] = number + 1;
      }
   }
}

static void
find_reads(const hd_mach_program *p, struct writers *w, const hd_mach_inst *inst,
           hd_machine_inst *out)
{
   uint32_t *reads = hd_stack_alloc(w->stack, (inst->num_srcs + (size_t)1) * sizeof(*reads));

   for (unsigned n = 0; n < inst->num_srcs && !hd_mach_is_phi(inst); n++) {
      const uint32_t writer = writer_of(p, w, hd_mach_src(inst, n));
      bool again = !writer;
      for (uint32_t k = 0; k < out->num_reads && !again; k++)
         again = reads[k] == writer - 1;
      if (!again)
         reads[out->num_reads++] = writer - 1;
   }
   out->reads = reads;
}

/* Indices of the blocks that follow; what is in no list any more is passed over. */
static void
find_succs(hd_mach_program *p, const hd_mach_view *view, hd_machine_block *blocks)
{
   hd_stack *stack = hd_mach_scratch(p);
   uint32_t *place = hd_stack_alloc_zero(stack, (p->num_blocks + (size_t)1) * sizeof(*place));
   bool linear = false;

   for (uint32_t n = 0; n < view->num; n++) {
      place[view->blocks[n]->index] = n + 1;
      linear |= view->blocks[n]->edges[HD_MACH_LINEAR].num_succs != 0;
   }
   for (uint32_t n = 0; n < view->num; n++) {
      const hd_mach_edges *edges =
          &view->blocks[n]->edges[linear ? HD_MACH_LINEAR : HD_MACH_LOGICAL];
      uint32_t *succs = hd_stack_alloc(stack, (edges->num_succs + (size_t)1) * sizeof(*succs));
      blocks[n].succs = succs;
      for (uint32_t k = 0; k < edges->num_succs; k++) {
         if (place[edges->succs[k]->index])
            succs[blocks[n].num_succs++] = place[edges->succs[k]->index] - 1;
      }
   }
}

static uint32_t
find_occupancy(hd_mach_program *p, hd_machine_occupancy *out)
{
   const int32_t few[HD_MACH_MAX_FILES] = { 1, 1 };
   const uint32_t all = p->hooks->occupancy ? p->hooks->occupancy(p, few) : 0;

   if (!p->hooks->registers_for)
      return 0;
   for (uint32_t n = 0; n < all && n < MAX_OCCUPANCY; n++) {
      out[n].waves = n + 1;
      for (unsigned file = 0; file < p->mach->num_files; file++)
         out[n].registers[file] = (uint32_t)p->hooks->registers_for(p, n + 1, file);
   }
   return all < MAX_OCCUPANCY ? all : MAX_OCCUPANCY;
}

/* Instructions and blocks of the view, with what they are but for their texts. */
static void
fill_in(hd_mach_program *p, const hd_mach_view *view, hd_machine_inst *insts,
        hd_machine_block *blocks)
{
   struct writers writers = {
      .of_temp =
          hd_stack_alloc_zero(hd_mach_scratch(p), (p->num_temps + (size_t)1) * sizeof(uint32_t)),
      .of_reg = hd_stack_alloc(hd_mach_scratch(p), HD_MACH_MAX_REGS * sizeof(uint32_t)),
      .stack = hd_mach_scratch(p),
   };
   uint32_t number = 0;

   for (uint32_t n = 0; n < view->num; n++) {
      const hd_mach_block *block = view->blocks[n];
      blocks[n].number = block->index;
      blocks[n].loop_depth = block->loop_depth;
      blocks[n].first_inst = number;
      memset(writers.of_reg, 0, HD_MACH_MAX_REGS * sizeof(uint32_t));
      hd_mach_foreach_inst(inst, block)
      {
         hd_machine_inst *out = &insts[number];
         out->key = inst;
         out->location = inst->loc;
         out->kind = class_of(p->mach, inst);
         find_reads(p, &writers, inst, out);
         note_defs(p, &writers, inst, number++);
      }
      blocks[n].num_insts = number - blocks[n].first_inst;
   }
}

/* Append the text of an instruction of the report. */
typedef void print_text(const void *user, uint32_t number, hd_blob *out);

/* With the texts, whose memory is not the stack's: nothing is unwound from here on. */
static void
send(hd_mach_program *p, hd_machine_phase *phase, hd_machine_inst *insts, size_t *texts,
     print_text *print, const void *user)
{
   hd_blob text;

   phase->insts = insts;
   phase->shader = p->shader;
   phase->num_files = p->mach->num_files;
   for (unsigned n = 0; n < p->mach->num_files; n++)
      phase->files[n] = p->mach->files[n].name;
   hd_blob_init(&text, hd_shader_config(p->shader));
   for (uint32_t n = 0; n < phase->num_insts; n++) {
      texts[n] = text.size;
      print(user, n, &text);
      hd_blob_append(&text, "", 1);
   }
   for (uint32_t n = 0; n < phase->num_insts; n++)
      insts[n].text = text.result == HD_OK ? text.data + texts[n] : "";
   p->observer->after_phase(p->observer->user, phase);
   hd_blob_finish(&text);
}

/* How the text of an instruction between phases is made. */
struct printer {
   const hd_mach_program *p;
   hd_mach_print_inst *print;
   const hd_machine_inst *insts;
};

static void
print_inst(const void *user, uint32_t number, hd_blob *out)
{
   const struct printer *printer = user;

   printer->print(printer->p, printer->insts[number].key, out);
}

static void
report(hd_mach_program *p, const char *name, hd_mach_print_inst *print)
{
   hd_stack *stack = hd_mach_scratch(p);
   const hd_mach_view view = view_of(p);
   hd_machine_inst *insts =
       hd_stack_alloc_zero(stack, (view.num_insts + (size_t)1) * sizeof(*insts));
   hd_machine_block *blocks = hd_stack_alloc_zero(stack, (view.num + (size_t)1) * sizeof(*blocks));
   size_t *texts = hd_stack_alloc(stack, (view.num_insts + (size_t)1) * sizeof(*texts));
   hd_machine_occupancy occupancy[MAX_OCCUPANCY] = { 0 };

   fill_in(p, &view, insts, blocks);
   find_succs(p, &view, blocks);
   hd_machine_phase phase = {
      .name = name,
      .blocks = blocks,
      .num_blocks = view.num,
      .num_insts = view.num_insts,
      .has_live = hd_mach_count_live(p, &view, insts),
      .occupancy = occupancy,
      .num_occupancy = find_occupancy(p, occupancy),
   };
   send(p, &phase, insts, texts, print_inst, &(struct printer){ p, print, insts });
}

void
hd_mach_after_phase(hd_mach_program *p, const char *name, hd_mach_print_inst *print)
{
   end_phase(p, name);
   if (!is_watched(p))
      return;
   const hd_stack_mark mark = hd_stack_get_mark(hd_mach_scratch(p));
   report(p, name, print);
   hd_stack_release(hd_mach_scratch(p), mark);
}

/* Who wrote what a piece reads: known of the first piece of each instruction. A machine may have put
 * pieces in another order than instructions are in.
 */
static void
find_piece_reads(hd_stack *stack, const hd_mach_piece *pieces, const hd_machine_inst *of,
                 uint32_t num_of, hd_machine_inst *insts, uint32_t num)
{
   hd_ptr_map first;

   hd_ptr_map_init(&first, stack, num);
   for (uint32_t n = num; n-- > 0;) {
      if (pieces[n].inst)
         hd_ptr_map_set(&first, pieces[n].inst, n);
   }
   for (uint32_t n = 0; n < num_of; n++) {
      const uint32_t at = hd_ptr_map_get(&first, of[n].key);
      if (at == HD_PTR_MAP_NONE)
         continue;
      uint32_t *reads = hd_stack_alloc(stack, (of[n].num_reads + (size_t)1) * sizeof(*reads));
      for (uint32_t k = 0; k < of[n].num_reads; k++) {
         const uint32_t writer = hd_ptr_map_get(&first, of[of[n].reads[k]].key);
         if (writer != HD_PTR_MAP_NONE)
            reads[insts[at].num_reads++] = writer;
      }
      insts[at].reads = reads;
   }
}

void
hd_mach_after_output(hd_mach_program *p, const hd_mach_piece *pieces, uint32_t num,
                     void (*print)(const void *user, uint32_t piece, hd_blob *out),
                     const void *user)
{
   end_phase(p, "output");
   if (!is_watched(p))
      return;
   hd_stack *stack = hd_mach_scratch(p);
   const hd_stack_mark mark = hd_stack_get_mark(stack);
   const hd_mach_view view = view_of(p);
   hd_machine_inst *of = hd_stack_alloc_zero(stack, (view.num_insts + (size_t)1) * sizeof(*of));
   hd_machine_inst *insts = hd_stack_alloc_zero(stack, (num + (size_t)1) * sizeof(*insts));
   hd_machine_block *blocks = hd_stack_alloc_zero(stack, (view.num + (size_t)1) * sizeof(*blocks));
   size_t *texts = hd_stack_alloc(stack, (num + (size_t)1) * sizeof(*texts));
   uint32_t at = 0;

   fill_in(p, &view, of, blocks);
   find_succs(p, &view, blocks);
   for (uint32_t n = 0; n < num; n++) {
      const hd_mach_inst *inst = pieces[n].inst;
      insts[n] = (hd_machine_inst){
         .key = inst,
         .location = inst ? inst->loc : 0,
         .kind = inst ? class_of(p->mach, inst) : HD_MACHINE_CONTROL,
         .offset = pieces[n].offset,
         .size = pieces[n].size,
      };
   }
   find_piece_reads(stack, pieces, of, view.num_insts, insts, num);
   for (uint32_t n = 0; n < view.num; n++) {
      blocks[n].first_inst = at;
      while (at < num && pieces[at].block == view.blocks[n])
         at++;
      blocks[n].num_insts = at - blocks[n].first_inst;
   }
   hd_machine_phase phase = {
      .name = "output", .blocks = blocks, .num_blocks = view.num, .num_insts = num
   };
   send(p, &phase, insts, texts, print, user);
   hd_stack_release(stack, mark);
}
