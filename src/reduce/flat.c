/* SPDX-License-Identifier: MIT */
/* flat.c - test-case reduction: edges, blocks and declarations of flat functions.
 *
 *    branches       go to one of their targets
 *    cases          go
 *    long ways      an edge to an empty block goes to its successor
 *    chains         two blocks, one edge between them and no other: one block
 *    blocks         that nothing reaches
 *    declarations   headers, members, continue blocks
 */
#include "reduce/reduce.h"

#include "heddle/analysis.h"

static hd_jump *
flat_jump(hd_function *f, const hd_block *b)
{
   return f->structured ? NULL : hd_block_jump(b);
}

static bool
is_branch(const hd_jump *jump)
{
   return jump && (jump->instr.op == HD_JUMP_GOTO_IF || jump->instr.op == HD_JUMP_SWITCH);
}

/* What the phis of a block get by an edge, while the edge is made anew. */
struct carried {
   hd_phi *phi;
   hd_def *def;
};

static bool
carry(hd_blob *list, hd_block *to, const hd_block *from)
{
   hd_foreach_phi(phi, to) {
      const hd_src *src = hd_phi_src_from(phi, from);
      const struct carried c = { phi, src ? src->def : NULL };
      hd_blob_append(list, &c, sizeof(c));
   }
   return list->result == HD_OK;
}

static void
set_carried(const hd_blob *list, const hd_block *from)
{
   const struct carried *c = (const struct carried *)(const void *)list->data;

   for (size_t n = 0; n < list->size / sizeof(*c); n++) {
      if (c[n].def)
         hd_phi_set_src(c[n].phi, from, c[n].def);
   }
}

/* End a block with a goto, whatever it ends with. */
static bool
make_goto(hd_block *b, hd_block *target)
{
   hd_blob list;
   bool done = false;

   hd_blob_init(&list, hd_shader_config(hd_block_function(b)->shader));
   if (carry(&list, target, b)) {
      hd_flat_clear_jump(b);
      done = hd_flat_goto(b, target) != NULL;
      if (done)
         set_carried(&list, b);
   }
   hd_blob_finish(&list);
   return done;
}

static void
list_branches(sites *list, hd_shader *shader, uint32_t choice)
{
   hd_foreach_function(f, shader) {
      hd_foreach_block(b, f) {
         if (is_branch(flat_jump(f, b)) && choice < b->num_succs)
            hd_reduce_add_site(list, f, b, choice);
      }
   }
}

static void
list_first(sites *list, hd_shader *shader)
{
   list_branches(list, shader, 0);
}

static void
list_second(sites *list, hd_shader *shader)
{
   list_branches(list, shader, 1);
}

static void
list_third(sites *list, hd_shader *shader)
{
   list_branches(list, shader, 2);
}

static bool
keep_edge(const site *s, hd_shader *shader)
{
   hd_block *b = s->object;

   (void)shader;
   return make_goto(b, b->succs[s->choice].to);
}

/* A block returns instead of whatever it does: what it led to may be gone then. */
static void
list_ends(sites *list, hd_shader *shader)
{
   hd_foreach_function(f, shader) {
      hd_foreach_block(b, f) {
         const hd_jump *jump = flat_jump(f, b);
         if (jump && jump->instr.op != HD_JUMP_RETURN && jump->instr.op != HD_JUMP_HALT)
            hd_reduce_add_site(list, f, b, 0);
      }
   }
}

static bool
end_there(const site *s, hd_shader *shader)
{
   hd_block *b = s->object;
   hd_def *value = NULL;

   (void)shader;
   if (s->f->result_bits) {
      value = hd_reduce_constant_at_start(s->f, s->f->result_components, s->f->result_bits, false);
      if (!value)
         return false;
   }
   hd_flat_clear_jump(b);
   return hd_flat_return(b, value) != NULL;
}

static void
list_cases(sites *list, hd_shader *shader)
{
   hd_foreach_function(f, shader) {
      hd_foreach_block(b, f) {
         const hd_jump *jump = flat_jump(f, b);
         if (!jump || jump->instr.op != HD_JUMP_SWITCH)
            continue;
         for (uint32_t n = 0; n < jump->num_cases; n++)
            hd_reduce_add_site(list, f, b, n);
      }
   }
}

/* The same switch with one case less. */
static bool
drop_case(const site *s, hd_shader *shader)
{
   hd_block *b = s->object;
   const hd_jump *jump = hd_block_jump(b);
   const uint32_t num = jump->num_cases - 1;
   hd_def *selector = jump->src[0].def;
   hd_block *otherwise = b->succs[0].to;
   hd_blob values, targets, list;
   bool done = false;

   (void)shader;
   if (s->choice > num)
      return false;
   hd_blob_init(&values, hd_shader_config(s->f->shader));
   hd_blob_init(&targets, hd_shader_config(s->f->shader));
   hd_blob_init(&list, hd_shader_config(s->f->shader));
   for (uint32_t n = 0; n < jump->num_cases; n++) {
      if (n == s->choice)
         continue;
      hd_blob_append(&values, &jump->cases[n].value, sizeof(jump->cases[n].value));
      hd_blob_append(&targets, &b->succs[jump->cases[n].succ].to, sizeof(hd_block *));
   }
   /* Phis that lose the edge are not asked for it afterwards. */
   bool kept = carry(&list, otherwise, b);
   hd_block *const *to = (hd_block *const *)(void *)targets.data;
   for (uint32_t n = 0; n < num && kept && targets.result == HD_OK; n++) {
      bool again = to[n] == otherwise;
      for (uint32_t m = 0; m < n; m++)
         again |= to[m] == to[n];
      kept = again || carry(&list, to[n], b);
   }
   if (kept && values.result == HD_OK && targets.result == HD_OK) {
      hd_flat_clear_jump(b);
      done = num ? hd_flat_switch(b, selector, otherwise, num,
                                  (const uint64_t *)(void *)values.data, to) != NULL
                 : hd_flat_goto(b, otherwise) != NULL;
      if (done)
         set_carried(&list, b);
   }
   hd_blob_finish(&values);
   hd_blob_finish(&targets);
   hd_blob_finish(&list);
   return done;
}

/* Edges to a block that holds nothing but phis and a goto elsewhere. */
static void
list_long_ways(sites *list, hd_shader *shader)
{
   hd_foreach_function(f, shader) {
      hd_foreach_block(b, f) {
         if (!flat_jump(f, b))
            continue;
         for (uint32_t n = 0; n < b->num_succs; n++) {
            const hd_block *to = b->succs[n].to;
            const hd_jump *jump = hd_block_is_end(to) ? NULL : hd_block_jump(to);
            if (to != b && jump && jump->instr.op == HD_JUMP_GOTO && to->succs[0].to != to)
               hd_reduce_add_site(list, f, b, n);
         }
      }
   }
}

/* The edge goes to where its target goes. What phis there get from that target must be known here,
 * or it is not valid. Where the block goes there already, nothing is done.
 */
static bool
shorten(const site *s, hd_shader *shader)
{
   hd_block *b = s->object;

   (void)shader;
   if (s->choice >= b->num_succs)
      return false;
   hd_block *between = b->succs[s->choice].to;
   if (between == b || between->num_succs != 1 || between->succs[0].to == between ||
       hd_block_is_end(between->succs[0].to))
      return false;
   hd_block *to = between->succs[0].to;
   for (uint32_t n = 0; n < b->num_succs; n++) {
      if (b->succs[n].to == to)
         return false;
   }
   hd_blob list;
   hd_blob_init(&list, hd_shader_config(s->f->shader));
   bool done = carry(&list, to, between);
   struct carried *c = (struct carried *)(void *)list.data;
   for (size_t n = 0; done && n < list.size / sizeof(*c); n++) {
      const hd_phi *phi = hd_instr_as_phi(hd_def_instr(c[n].def));
      if (phi && phi->instr.block == between)
         c[n].def = hd_phi_src_from(phi, b)->def;
   }
   done = done && hd_flat_redirect(b, s->choice, to);
   if (done)
      set_carried(&list, b);
   hd_blob_finish(&list);
   return done;
}

static bool
is_chain(const hd_block *b)
{
   const hd_block *next = b->num_succs == 1 ? b->succs[0].to : NULL;

   return next && next != b && !hd_block_is_end(next) && next->num_preds == 1 &&
          hd_block_jump(b)->instr.op == HD_JUMP_GOTO && hd_block_jump(next);
}

static void
list_chains(sites *list, hd_shader *shader)
{
   hd_foreach_function(f, shader) {
      hd_foreach_block(b, f) {
         if (!f->structured && is_chain(b) && !b->succs[0].to->loop_header &&
             !b->succs[0].to->continues && !b->succs[0].to->node.header)
            hd_reduce_add_site(list, f, b, 0);
      }
   }
}

/* Make the jump of `from` again at the end of `b`, which has none. */
static bool
copy_jump(hd_block *b, hd_block *from)
{
   const hd_jump *jump = hd_block_jump(from);
   hd_def *value = jump->instr.num_srcs ? jump->src[0].def : NULL;
   hd_blob values, targets;
   bool done = false;

   switch ((hd_jump_kind)jump->instr.op) {
   case HD_JUMP_GOTO:
      return hd_flat_goto(b, from->succs[0].to) != NULL;
   case HD_JUMP_GOTO_IF:
      return hd_flat_goto_if(b, value, from->succs[0].to, from->succs[1].to) != NULL;
   case HD_JUMP_RETURN:
      return hd_flat_return(b, value) != NULL;
   case HD_JUMP_HALT:
      return hd_flat_halt(b) != NULL;
   default:
      break;
   }
   hd_blob_init(&values, hd_shader_config(hd_block_function(b)->shader));
   hd_blob_init(&targets, hd_shader_config(hd_block_function(b)->shader));
   for (uint32_t n = 0; n < jump->num_cases; n++) {
      hd_blob_append(&values, &jump->cases[n].value, sizeof(jump->cases[n].value));
      hd_blob_append(&targets, &from->succs[jump->cases[n].succ].to, sizeof(hd_block *));
   }
   if (values.result == HD_OK && targets.result == HD_OK)
      done = hd_flat_switch(b, value, from->succs[0].to, jump->num_cases,
                            (const uint64_t *)(void *)values.data,
                            (hd_block *const *)(void *)targets.data) != NULL;
   hd_blob_finish(&values);
   hd_blob_finish(&targets);
   return done;
}

static bool
join(const site *s, hd_shader *shader)
{
   hd_block *b = s->object, *next = b->succs[0].to;
   hd_blob list;
   bool done = true;

   (void)shader;
   hd_foreach_phi_safe(phi, next) {
      hd_def *def = hd_phi_src_from(phi, b)->def;
      if (def == &phi->instr.def)
         return false;
      hd_def_replace_uses(&phi->instr.def, def);
      hd_instr_remove(&phi->instr);
   }
   hd_foreach_instr_safe(i, next) {
      if (i->kind != HD_INSTR_JUMP)
         hd_instr_move(hd_before_jump(b), i);
   }
   hd_blob_init(&list, hd_shader_config(s->f->shader));
   for (uint32_t n = 0; n < next->num_succs && done; n++) {
      if (!hd_block_is_end(next->succs[n].to))
         done = carry(&list, next->succs[n].to, next);
   }
   if (done) {
      hd_flat_clear_jump(b);
      done = copy_jump(b, next);
   }
   if (done) {
      set_carried(&list, b);
      hd_flat_clear_jump(next);
      done = hd_flat_block_remove(next);
   }
   hd_blob_finish(&list);
   return done;
}

static void
list_unreached(sites *list, hd_shader *shader)
{
   hd_foreach_function(f, shader) {
      if (f->structured || hd_require(f, HD_META_DOMINANCE | HD_META_BLOCK_ORDER) != HD_OK)
         continue;
      hd_foreach_block(b, f) {
         if (!hd_block_is_reachable(b))
            hd_reduce_add_site(list, f, b, 0);
      }
   }
}

static bool
remove_unreached(const site *s, hd_shader *shader)
{
   hd_block *b = s->object;

   (void)shader;
   while (b->num_preds) {
      hd_block *pred = b->preds[0].from;
      if (pred == b)
         hd_flat_clear_jump(b);
      else if (!end_there(&(site){ pred, 0, s->f }, shader))
         return false;
   }
   hd_flat_clear_jump(b);
   hd_foreach_block(other, s->f) {
      if (other->loop_header == b)
         other->loop_header = NULL;
      if (other->continues == b)
         other->continues = NULL;
   }
   return hd_flat_block_remove(b);
}

static void
list_declarations(sites *list, hd_shader *shader)
{
   hd_foreach_function(f, shader) {
      hd_foreach_block(b, f) {
         if (b->node.header)
            hd_reduce_add_site(list, f, b, 0);
         if (b->loop_header)
            hd_reduce_add_site(list, f, b, 1);
         if (b->continues)
            hd_reduce_add_site(list, f, b, 2);
      }
   }
}

static bool
undeclare(const site *s, hd_shader *shader)
{
   hd_block *b = s->object;

   (void)shader;
   if (s->choice == 0)
      b->node.header = false;
   else if (s->choice == 1)
      b->loop_header = NULL;
   else
      b->continues = NULL;
   hd_meta_invalidate(s->f, HD_META_NONE);
   return true;
}

const kind hd_reduce_flat_kinds[] = {
   { "ways on", list_ends, end_there, false },
   { "all but the first way", list_first, keep_edge, false },
   { "all but the second way", list_second, keep_edge, false },
   { "all but the third way", list_third, keep_edge, false },
   { "blocks that nothing reaches", list_unreached, remove_unreached, false },
   { "cases", list_cases, drop_case, false },
   { "long ways", list_long_ways, shorten, false },
   { "chains", list_chains, join, false },
   { "declarations", list_declarations, undeclare, false },
};
const unsigned hd_reduce_num_flat_kinds =
    sizeof(hd_reduce_flat_kinds) / sizeof(hd_reduce_flat_kinds[0]);
