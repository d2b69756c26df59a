/* SPDX-License-Identifier: MIT */
/* cmd_diff.c - heddle diff: two shaders compared by structure. */
#include "tool.h"

#include <string.h>

#include "heddle/diff.h"
#include "heddle/text.h"

/* The numbers of the function that was printed last. */
struct printed {
   const hd_function *f;
   hd_numbering *numbering;
};

struct report {
   tool *t;
   struct printed side[2];
   uint32_t block[2]; /* that the last entry was in */
   const hd_function *function;
   hd_blob out;
   bool any;
};

static const hd_numbering *
numbering_of(struct printed *p, const hd_function *f)
{
   if (p->f != f) {
      hd_numbering_destroy(p->numbering);
      p->numbering = NULL;
      p->f = hd_numbering_create(f, &p->numbering) == HD_OK ? f : NULL;
   }
   return p->numbering;
}

static const hd_cf_node *
block_of(const hd_diff_place *place)
{
   if (place->instr)
      return &place->instr->block->node;
   return place->node && place->node->kind != HD_CF_BLOCK ? place->node->prev : place->node;
}

static uint32_t
block_number(struct report *r, unsigned side, const hd_diff_place *place)
{
   const hd_cf_node *block = block_of(place);

   return block ? hd_numbering_block(numbering_of(&r->side[side], place->function),
                                     hd_node_as_block(block))
                : HD_NO_NUMBER;
}

/* One line of the text of a shader. */
static void
print_place(struct report *r, unsigned side, const hd_diff_place *place, hd_blob *out)
{
   const hd_numbering *numbering = numbering_of(&r->side[side], place->function);
   hd_text_span span = { 0, 0 };
   hd_blob line = { 0 };

   if (place->instr)
      hd_print_instr(place->instr, numbering, NULL, &line, &span);
   else if (place->node)
      hd_print_node(place->node, numbering, NULL, &line, &span);
   if (place->instr || place->node)
      hd_blob_append(out, line.data ? line.data + span.offset : "", span.length);
   else
      hd_blob_name(out, '@', place->function->name);
   if (line.result != HD_OK && out->result == HD_OK)
      out->result = line.result;
   hd_blob_finish(&line);
}

/* Text */

static void
print_head(struct report *r, const hd_diff_entry *e)
{
   const unsigned side = e->after.function ? 1 : 0;
   const hd_diff_place *place = side ? &e->after : &e->before;
   const uint32_t block = block_number(r, side, place);

   if (r->any && r->function == place->function && r->block[side] == block)
      return;
   hd_blob_name(&r->out, '@', place->function->name);
   if (block != HD_NO_NUMBER)
      hd_blob_printf(&r->out, " b%u", block);
   if (!side)
      hd_blob_printf(&r->out, " of the first");
   hd_blob_printf(&r->out, "\n");
   r->function = place->function;
   r->block[side] = block;
}

static void
print_entry(struct report *r, const hd_diff_entry *e)
{
   static const char marks[HD_NUM_DIFF_KINDS + 1] = " >~-+";

   print_head(r, e);
   hd_blob_printf(&r->out, "%c ", marks[e->kind]);
   print_place(r, e->kind == HD_DIFF_ADDED, e->kind == HD_DIFF_ADDED ? &e->after : &e->before,
               &r->out);
   if (e->kind == HD_DIFF_CHANGED) {
      hd_blob_printf(&r->out, "  =>  ");
      print_place(r, 1, &e->after, &r->out);
   }
   if (e->moved) {
      const uint32_t from = block_number(r, 0, &e->before), to = block_number(r, 1, &e->after);
      hd_blob_printf(&r->out, "  (moved from b%u to b%u)", from, to);
   }
   hd_blob_printf(&r->out, "\n");
}

/* JSON */

static void
print_json_place(struct report *r, unsigned side, const char *name, const hd_diff_place *place)
{
   const uint32_t block = block_number(r, side, place);
   hd_blob text = { 0 };

   hd_blob_printf(&r->out, ",\"%s\":{\"function\":", name);
   hd_blob_json(&r->out, place->function->name, strlen(place->function->name));
   if (block != HD_NO_NUMBER)
      hd_blob_printf(&r->out, ",\"block\":%u", block);
   print_place(r, side, place, &text);
   hd_blob_printf(&r->out, ",\"text\":");
   hd_blob_json(&r->out, text.data ? text.data : "", text.size);
   hd_blob_printf(&r->out, "}");
   hd_blob_finish(&text);
}

static void
print_json_entry(struct report *r, const hd_diff_entry *e)
{
   hd_blob_printf(&r->out, "%s\n{\"kind\":\"%s\",\"moved\":%s", r->any ? "," : "",
                  hd_diff_kind_name(e->kind), e->moved ? "true" : "false");
   if (e->before.function)
      print_json_place(r, 0, "before", &e->before);
   if (e->after.function)
      print_json_place(r, 1, "after", &e->after);
   hd_blob_printf(&r->out, "}");
}

static bool
are_equal(const hd_diff *diff, size_t num)
{
   return diff->counts[HD_DIFF_SAME] == num && !diff->headers_differ;
}

static void
print_diff(struct report *r, const hd_diff *diff)
{
   const bool json = r->t->json;
   const char *between = "";

   if (json)
      hd_blob_printf(&r->out, "{\"equal\":%s,\"headers_differ\":%s,\"entries\":[",
                     are_equal(diff, diff->num_entries) ? "true" : "false",
                     diff->headers_differ ? "true" : "false");
   for (size_t n = 0; n < diff->num_entries; n++) {
      const hd_diff_entry *e = &diff->entries[n];
      if (e->kind == HD_DIFF_SAME)
         continue;
      if (json)
         print_json_entry(r, e);
      else
         print_entry(r, e);
      r->any = true;
   }
   if (json)
      hd_blob_printf(&r->out, "],\"counts\":{");
   else if (diff->headers_differ)
      hd_blob_printf(
          &r->out,
          "~ what stands before the functions: stage, sizes, float controls or constant data\n");
   for (unsigned n = 0; n < HD_NUM_DIFF_KINDS; n++) {
      const char *name = hd_diff_kind_name((hd_diff_kind)n);
      if (json)
         hd_blob_printf(&r->out, "%s\"%s\":%zu", between, name, diff->counts[n]);
      else
         hd_blob_printf(&r->out, "%s%zu %s", between, diff->counts[n], name);
      between = json ? "," : ", ";
   }
   hd_blob_printf(&r->out, json ? "}}\n" : "\n");
}

static int
compare(tool *t, const hd_shader *a, const hd_shader *b)
{
   struct report r = { .t = t };
   hd_diff *diff;
   const hd_result result = hd_diff_create(a, b, &diff);

   if (result != HD_OK)
      return explain(t, "diff", result);
   print_diff(&r, diff);
   int status = explain(t, "diff", r.out.result);
   if (!status) {
      fwrite(r.out.data, 1, r.out.size, stdout);
      status = are_equal(diff, diff->num_entries) ? 0 : EXIT_BAD_INPUT;
   }
   hd_blob_finish(&r.out);
   for (unsigned side = 0; side < 2; side++)
      hd_numbering_destroy(r.side[side].numbering);
   hd_diff_destroy(diff);
   return status;
}

int
run_diff(tool *t)
{
   hd_shader *shaders[2] = { NULL, NULL };
   int status = 0;

   if (t->num_operands != 2)
      return trouble("`heddle diff` takes two files, not %d", t->num_operands);
   for (unsigned n = 0; n < 2 && !status; n++)
      shaders[n] = load_shader(t, t->operands[n], &status);
   if (!status)
      status = compare(t, shaders[0], shaders[1]);
   for (unsigned n = 0; n < 2; n++)
      hd_shader_destroy(shaders[n]);
   return status;
}
