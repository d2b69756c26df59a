/* SPDX-License-Identifier: MIT */
/* parse_phi.c - parser: what is resolved at the end of a function: phis, whose predecessors come later, and
 * forward references.
 */
#include "ir/parse.h"

bool
hd_parse_phi(struct parser *p, unsigned num_components, unsigned bit_size,
             const struct token *mnemonic, hd_instr **instr)
{
   const hd_instr *last = p->block->last;
   size_t first = p->pairs.num;

   if (last && last->kind != HD_INSTR_PHI && last->kind != HD_INSTR_PARAM)
      return hd_parse_error(p, mnemonic->start, mnemonic->length,
                            "a phi stands after another instruction, expected it at the head of "
                            "its block");
   bool more = p->tok.kind == TOKEN_WORD && !p->tok.first;
   while (more) {
      struct phi_pair pair = { .place = p->tok.start, .length = p->tok.length };
      if (p->tok.kind != TOKEN_WORD || p->tok.first)
         return hd_parse_expected(p, "a block such as b1");
      pair.block = hd_parse_block_record(p, &p->tok);
      hd_parse_next(p);
      if (!hd_parse_expect(p, ':', "':' and the value from this block", true) ||
          !hd_parse_operand(p, &pair.value))
         return false;
      *PUSH(&p->scratch, p->pairs) = pair;
      more = p->tok.kind == ',' && !p->tok.first;
      if (more)
         hd_parse_next(p);
   }
   size_t num = p->pairs.num - first;
   if (num >= UINT32_MAX)
      return hd_parse_error(p, mnemonic->start, mnemonic->length, "too many sources");
   hd_heap_step(p->heap, num);
   hd_phi *phi = hd_phi_create(p->shader, num_components, bit_size, 0);
   *PUSH(&p->scratch, p->phis) = (struct pending_phi){
      .phi = phi,
      .first_pair = first,
      .num_pairs = (uint32_t)num,
      .place = mnemonic->start,
      .length = mnemonic->length,
   };
   *instr = &phi->instr;
   return true;
}

static void
report_undefined(struct parser *p, const struct name_table *t, const char *what)
{
   for (uint32_t n = 0; n < t->num_records; n++) {
      const struct record *r = &t->records[n];
      if (!r->defined)
         hd_parse_report(p, r->place, r->length, "unknown %s '%.*s', expected one of this function",
                         what, r->length < 40 ? (int)r->length : 40, r->place);
   }
}

/* Which position among the predecessors of a block each block has, for all phis of the block. */
struct pred_places {
   const hd_block *of;
   uint32_t stamp;
   struct pred_place {
      uint32_t stamp, place;
   } * by_block; /* by index */
};

static void
find_places(struct pred_places *places, const hd_block *block)
{
   if (places->of == block)
      return;
   places->of = block;
   places->stamp++;
   for (uint32_t n = 0; n < block->num_preds; n++) {
      uint32_t index = block->preds[n].from->node.index;
      places->by_block[index] = (struct pred_place){ places->stamp, n };
   }
}

/* The first predecessor without a source: they have a definition each by now. */
static bool
missing_pred(struct parser *p, const struct pending_phi *pending)
{
   const hd_phi *phi = pending->phi;
   uint32_t n = 0;

   while (phi->srcs[n].src.def)
      n++;
   uint32_t label = p->labels.at[phi->instr.block->preds[n].from->node.index];
   if (!label)
      return hd_parse_error(p, pending->place, pending->length,
                            "the phi has no value for a predecessor that has no label, expected "
                            "one for each predecessor");
   const struct record *r = &p->blocks.records[label - 1];
   return hd_parse_error(p, pending->place, pending->length,
                         "the phi has no value for '%.*s', expected one for each predecessor",
                         r->length < 40 ? (int)r->length : 40, r->place);
}

static bool
resolve_phi(struct parser *p, const struct pending_phi *pending, struct pred_places *places)
{
   hd_phi *phi = pending->phi;
   const hd_block *block = phi->instr.block;
   uint32_t num = block->num_preds, set = 0;

   find_places(places, block);
   hd_phi_reserve(phi, num);
   for (uint32_t n = 0; n < num; n++) {
      hd_src_init(&phi->srcs[n].src, HD_SLOT_WIDE, NULL);
      phi->srcs[n].instr = &phi->instr;
   }
   phi->num_srcs = num;
   for (uint32_t n = 0; n < pending->num_pairs; n++) {
      const struct phi_pair *pair = &p->pairs.at[pending->first_pair + n];
      const hd_block *pred = p->blocks.records[pair->block].object;
      const struct pred_place *place = &places->by_block[pred->node.index];
      if (place->stamp != places->stamp)
         return hd_parse_error(p, pair->place, pair->length,
                               "'%.*s' is not a predecessor of the phi's block",
                               pair->length < 40 ? (int)pair->length : 40, pair->place);
      hd_src *src = &phi->srcs[place->place].src;
      if (src->def)
         return hd_parse_error(p, pair->place, pair->length,
                               "'%.*s' is named twice, expected one value from each predecessor",
                               pair->length < 40 ? (int)pair->length : 40, pair->place);
      src->def = p->values.records[pair->value].object;
      hd_src_link(src);
      set++;
   }
   return set == num || missing_pred(p, pending);
}

void
hd_parse_resolve(struct parser *p)
{
   if (!p->skipped) {
      report_undefined(p, &p->blocks, "block");
      report_undefined(p, &p->values, "value");
   }
   /* Where something is missing, so may be edges: diagnostics about phis could be wrong. */
   if (p->errors != p->errors_before)
      return;
   struct pred_places places = {
      .by_block = hd_stack_alloc_zero(&p->scratch, p->f->num_blocks * sizeof(struct pred_place)),
   };
   for (size_t n = 0; n < p->phis.num; n++)
      resolve_phi(p, &p->phis.at[n], &places);
   for (size_t n = 0; n < p->fixups.num; n++) {
      struct fixup *x = &p->fixups.at[n];
      x->src->def = p->values.records[x->record].object;
      hd_src_link(x->src);
   }
}
