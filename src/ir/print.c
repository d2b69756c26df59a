/* SPDX-License-Identifier: MIT */
/* print.c - printer: shaders and functions as text.
 *
 * The text is written along the events of a numbering, so that the walk over a tree in any state is
 * in one place and depth costs no stack.
 */
#include "ir/print.h"
#include "heddle/ops.h"
#include "util/quote.h"

/* Bytes */

void
hd_print_flush(struct printer *p)
{
   hd_blob_append(p->out, p->buffer, p->used);
   p->used = 0;
}

void
hd_print_bytes(struct printer *p, const char *bytes, size_t size)
{
   while (size > PRINT_BUFFER - p->used) {
      size_t part = PRINT_BUFFER - p->used;
      memcpy(p->buffer + p->used, bytes, part);
      p->used = PRINT_BUFFER;
      hd_print_flush(p);
      bytes += part;
      size -= part;
   }
   memcpy(p->buffer + p->used, bytes, size);
   p->used += size;
}

void
hd_print_number(struct printer *p, uint64_t value)
{
   char digits[20];
   unsigned n = sizeof(digits);

   do {
      digits[--n] = (char)('0' + value % 10);
      value /= 10;
   } while (value);
   hd_print_bytes(p, digits + n, sizeof(digits) - n);
}

void
hd_print_hex(struct printer *p, uint64_t value)
{
   char digits[18];
   unsigned n = sizeof(digits);

   do {
      digits[--n] = "0123456789abcdef"[value & 15];
      value >>= 4;
   } while (value);
   digits[--n] = 'x';
   digits[--n] = '0';
   hd_print_bytes(p, digits + n, sizeof(digits) - n);
}

void
hd_print_quoted(struct printer *p, const char *string)
{
   size_t taken;

   hd_print_char(p, '"');
   for (size_t left = strlen(string); left; left -= taken, string += taken) {
      char shown[HD_SHOWN_MAX];
      unsigned n = hd_show_char(string, left, shown, &taken);
      if (*string == '"' || *string == '\\')
         hd_print_char(p, '\\');
      hd_print_bytes(p, shown, n);
   }
   hd_print_char(p, '"');
}

void
hd_print_identifier(struct printer *p, char sigil, const char *name)
{
   hd_print_char(p, sigil);
   if (hd_is_plain_name(name))
      hd_print_bytes(p, name, strlen(name));
   else
      hd_print_quoted(p, name);
}

void
hd_print_def_name(struct printer *p, const hd_def *def)
{
   const char *name = def->flags & HD_DEF_NAMED && p->shader && !p->options.hide_names
                          ? hd_name_get(p->shader, def)
                          : NULL;

   if (!name)
      return;
   hd_print_char(p, ' ');
   hd_print_quoted(p, name);
}

void
hd_print_location(struct printer *p, uint32_t loc)
{
   if (!loc || !p->shader || p->options.hide_locations)
      return;
   hd_print_literal(p, " @");
   if (loc >= p->shader->num_locations) {
      hd_print_char(p, '?');
      return;
   }
   const hd_location *l = &p->shader->locations[loc];
   hd_print_quoted(p, l->file ? l->file : "");
   hd_print_char(p, ':');
   hd_print_number(p, l->line);
   hd_print_char(p, ':');
   hd_print_number(p, l->column);
}

/* Lines */

#define MAX_INDENT 32u

/* Deep nests would otherwise take space quadratic in their depth. */
static void
indent(struct printer *p, size_t level)
{
   static const char spaces[2 * MAX_INDENT + 1] =
       "                                                                ";

   hd_print_bytes(p, spaces, 2 * (level < MAX_INDENT ? level : MAX_INDENT));
}

static void
print_block_head(struct printer *p, const hd_block *b)
{
   const char *name =
       b->node.named && p->shader && !p->options.hide_names ? hd_name_get(p->shader, b) : NULL;

   hd_print_block(p, b);
   if (name) {
      hd_print_char(p, ' ');
      hd_print_quoted(p, name);
   }
   if (b->node.header)
      hd_print_literal(p, " header");
   if (b->loop_header) {
      hd_print_literal(p, " in ");
      hd_print_block(p, b->loop_header);
   }
   if (b->continues) {
      hd_print_literal(p, " continues ");
      hd_print_block(p, b->continues);
   }
   if (b->unroll == HD_UNROLL_ALWAYS)
      hd_print_literal(p, " unroll");
   else if (b->unroll == HD_UNROLL_NEVER)
      hd_print_literal(p, " rolled");
}

void
hd_print_node_head(struct printer *p, const hd_cf_node *node)
{
   const hd_block *b = hd_node_as_block(node);
   const hd_if *nif = hd_node_as_if(node);

   if (b) {
      print_block_head(p, b);
   } else if (nif) {
      hd_print_literal(p, "if ");
      hd_print_src(p, &nif->cond);
   } else if (hd_node_as_loop(node)) {
      hd_print_literal(p, "loop");
   } else {
      hd_print_char(p, '?');
   }
}

/* The parameters that stand where they belong, which the function's first line lists. */
static const hd_instr *
print_params(struct printer *p, const hd_function *f)
{
   const hd_block *start = hd_node_as_block(f->body.first);
   const hd_instr *i = start ? start->first : NULL;
   uint32_t n = 0;

   for (; i && i->kind == HD_INSTR_PARAM && ((const hd_param *)i)->param_index == n; i = i->next) {
      hd_print_bytes(p, n ? ", " : "(", n ? 2 : 1);
      hd_print_def(p, &i->def);
      hd_print_type(p, i->def.num_components, i->def.bit_size);
      hd_print_def_name(p, &i->def);
      hd_print_location(p, i->loc);
      n++;
   }
   if (n)
      hd_print_char(p, ')');
   return i;
}

static void
print_preds(struct printer *p, const hd_block *b)
{
   hd_print_literal(p, "  // preds:");
   hd_print_order_preds(p, b);
   for (uint32_t n = 0; n < b->num_preds; n++) {
      hd_print_char(p, ' ');
      hd_print_block(p, b->preds[(uint32_t)p->order[n]].from);
   }
   hd_print_char(p, '\n');
}

static void
print_block(struct printer *p, const hd_block *b, const hd_instr *first, size_t level)
{
   struct circle circle = { NULL, 0, 0 };

   indent(p, level);
   hd_print_node_head(p, &b->node);
   hd_print_char(p, ':');
   hd_print_location(p, b->node.loc);
   if (p->options.show_preds)
      print_preds(p, b);
   else
      hd_print_char(p, '\n');
   for (const hd_instr *i = first; i; i = i->next) {
      indent(p, level + 1);
      if (circle_closes(&circle, i)) {
         hd_print_literal(p, "?\n");
         break;
      }
      hd_print_one_instr(p, i);
      hd_print_location(p, i->loc);
      hd_print_char(p, '\n');
   }
}

/* Every event, with the depth of the block lines around it. */
static void
print_body(struct printer *p, const hd_function *f, const hd_instr *first, size_t level)
{
   for (size_t n = 0; n < p->numbering->num_events && p->out->result == HD_OK; n++) {
      uintptr_t event = p->numbering->events[n];
      const hd_cf_node *node = event_node(event);

      switch (event_kind(event)) {
      case EVENT_BLOCK: {
         const hd_block *b = hd_node_as_block(node);
         print_block(p, b, node == f->body.first ? first : b->first, level);
         continue;
      }
      case EVENT_IF:
      case EVENT_LOOP:
         indent(p, level + 1);
         hd_print_node_head(p, node);
         hd_print_location(p, node->loc);
         hd_print_literal(p, " {\n");
         level += 2;
         continue;
      case EVENT_ELSE:
         indent(p, level - 1);
         hd_print_literal(p, "} else {\n");
         continue;
      case EVENT_CONTINUE:
         indent(p, level - 1);
         hd_print_literal(p, "} continue {\n");
         continue;
      case EVENT_END_IF:
      case EVENT_END_LOOP:
         level -= 2;
         indent(p, level + 1);
         hd_print_literal(p, "}\n");
         continue;
      case EVENT_BROKEN:
         indent(p, level);
         hd_print_literal(p, "?\n");
         continue;
      }
   }
}

static void
print_var(struct printer *p, const hd_var *v, size_t level)
{
   indent(p, level);
   hd_print_literal(p, "var ");
   hd_print_identifier(p, '$', v->name ? v->name : "?");
   hd_print_type(p, v->num_components, v->bit_size);
   if (v->array_length) {
      hd_print_char(p, '[');
      hd_print_number(p, v->array_length);
      hd_print_char(p, ']');
   }
   hd_print_char(p, '\n');
}

static void
print_function(struct printer *p, struct hd_numbering *numbering, const hd_function *f,
               size_t level)
{
   hd_numbering_walk(numbering, f);
   p->numbering = numbering;
   p->ordered = NULL;

   indent(p, level);
   if (!f->structured)
      hd_print_literal(p, "flat ");
   hd_print_literal(p, "function ");
   hd_print_identifier(p, '@', f->name ? f->name : "?");
   const hd_instr *first = print_params(p, f);
   if (f->result_bits) {
      hd_print_literal(p, " -> ");
      hd_print_number(p, f->result_bits);
      if (f->result_components != 1) {
         hd_print_char(p, 'x');
         hd_print_number(p, f->result_components);
      }
   }
   hd_print_literal(p, " {\n");
   /* Variables have no index to detect a cycle by; there are as many as the function says. */
   uint32_t left = f->num_vars;
   for (const hd_var *v = f->first_var; v && left--; v = v->next)
      print_var(p, v, level + 1);
   print_body(p, f, first, level + 1);
   indent(p, level);
   hd_print_literal(p, "}\n");
}

static void
print_property(struct printer *p, const char *name, uint64_t value)
{
   if (!value)
      return;
   indent(p, 1);
   hd_print_bytes(p, name, strlen(name));
   hd_print_char(p, ' ');
   hd_print_number(p, value);
   hd_print_char(p, '\n');
}

static void
print_float_controls(struct printer *p, uint32_t controls)
{
   static const char names[][8] = { "flush16", "flush32", "flush64", "rtz16",
                                    "rtz32",   "rtz64",   "finite" };

   if (!controls)
      return;
   hd_print_literal(p, "  floats");
   for (unsigned n = 0; n < 32; n++) {
      if (!(controls >> n & 1))
         continue;
      hd_print_char(p, ' ');
      if (n < sizeof(names) / sizeof(names[0]))
         hd_print_bytes(p, names[n], strlen(names[n]));
      else
         hd_print_char(p, '?');
   }
   hd_print_char(p, '\n');
}

static void
print_lowered(struct printer *p, uint32_t lowered)
{
   if (!lowered)
      return;
   hd_print_literal(p, "  lowered");
   for (unsigned n = 0; n < 32; n++) {
      const hd_lowered_info *info = hd_lowered_get_info(n);
      if (!(lowered >> n & 1))
         continue;
      hd_print_char(p, ' ');
      if (info)
         hd_print_bytes(p, info->name, strlen(info->name));
      else
         hd_print_char(p, '?');
   }
   hd_print_char(p, '\n');
}

#define BYTES_OF_LINE 32u

static void
print_constants(struct printer *p, const hd_shader *s)
{
   for (uint32_t n = 0; n < s->constants_size; n++) {
      if (n == 0)
         hd_print_literal(p, "  constants \"");
      else if (n % BYTES_OF_LINE == 0)
         hd_print_literal(p, "\"\n            \"");
      else if (n % 4 == 0)
         hd_print_char(p, ' ');
      hd_print_char(p, "0123456789abcdef"[s->constants[n] >> 4]);
      hd_print_char(p, "0123456789abcdef"[s->constants[n] & 15]);
   }
   if (s->constants_size)
      hd_print_literal(p, "\"\n");
}

static void
print_shader(struct printer *p, struct hd_numbering *numbering, const hd_shader *s)
{
   static const char stages[HD_NUM_STAGES][9] = { "compute", "kernel", "vertex", "fragment" };

   hd_print_literal(p, "shader ");
   if ((unsigned)s->stage < HD_NUM_STAGES)
      hd_print_bytes(p, stages[s->stage], strlen(stages[s->stage]));
   else
      hd_print_char(p, '?');
   if (s->name && *s->name) {
      hd_print_char(p, ' ');
      hd_print_quoted(p, s->name);
   }
   hd_print_literal(p, " {\n");
   if (s->workgroup_size[0] || s->workgroup_size[1] || s->workgroup_size[2]) {
      hd_print_literal(p, "  workgroup");
      for (unsigned n = 0; n < 3; n++) {
         hd_print_char(p, ' ');
         hd_print_number(p, s->workgroup_size[n]);
      }
      hd_print_char(p, '\n');
   }
   print_property(p, "subgroup", s->subgroup_size);
   print_float_controls(p, s->float_controls);
   print_property(p, "shared", s->shared_size);
   print_property(p, "scratch", s->scratch_size);
   print_property(p, "push", s->push_size);
   print_property(p, "kernarg", s->kernarg_size);
   print_lowered(p, s->lowered);
   print_constants(p, s);

   uint32_t left = s->num_functions;
   for (const hd_function *f = s->first_function; f && left--; f = f->next) {
      if (f != s->first_function)
         hd_print_char(p, '\n');
      print_function(p, numbering, f, 1);
      hd_numbering_finish(numbering);
   }
   hd_print_literal(p, "}\n");
}

/* Entries */

static void
init(struct printer *p, const hd_shader *shader, const hd_print_options *options, hd_blob *out)
{
   memset(p, 0, offsetof(struct printer, buffer));
   p->out = out;
   p->shader = shader;
   if (options)
      p->options = *options;
}

static hd_result
finish(struct printer *p, hd_result result)
{
   hd_heap_free(p->heap, p->order, p->order_capacity * sizeof(*p->order));
   hd_print_flush(p);
   return result != HD_OK ? result : p->out->result;
}

static hd_result
print(const hd_shader *shader, const hd_function *f, const hd_print_options *options, hd_blob *out)
{
   struct hd_numbering numbering;
   struct printer p;
   hd_heap heap;
   hd_unwind u;

   if (out->result != HD_OK)
      return out->result;
   hd_heap_init_beside(&heap, hd_shader_heap(shader));
   hd_numbering_init(&numbering, &heap);
   init(&p, shader, options, out);
   p.heap = &heap;
   if (HD_TRY(&heap, &u)) {
      if (f)
         print_function(&p, &numbering, f, 0);
      else
         print_shader(&p, &numbering, shader);
   }
   hd_result result = hd_heap_leave(&heap, &u);
   hd_numbering_finish(&numbering);
   hd_heap_settle(&heap, hd_shader_heap(shader));
   return finish(&p, result);
}

hd_result
hd_print_shader(const hd_shader *shader, const hd_print_options *options, hd_blob *out)
{
   return print(shader, NULL, options, out);
}

hd_result
hd_print_function(const hd_function *function, const hd_print_options *options, hd_blob *out)
{
   return print(function->shader, function, options, out);
}

/* The shader that an inserted instruction or a node belongs to, or NULL. */
static const hd_shader *
shader_of(const hd_cf_node *node)
{
   return node && node->list && node->list->function ? node->list->function->shader : NULL;
}

static hd_result
print_line(const hd_instr *instr, const hd_cf_node *node, const hd_numbering *numbering,
           const hd_src *mark, hd_blob *out, hd_text_span *span)
{
   struct printer p;
   hd_heap heap;
   hd_unwind u;
   hd_result result = HD_OK;
   size_t offset = out->size;

   if (out->result != HD_OK)
      return out->result;
   init(&p, shader_of(node), NULL, out);
   p.numbering = numbering;
   p.mark = mark;
   if (numbering) {
      hd_heap_init_beside(&heap, numbering->heap);
      p.heap = &heap;
      if (HD_TRY(&heap, &u)) {
         if (instr)
            hd_print_one_instr(&p, instr);
         else
            hd_print_node_head(&p, node);
      }
      result = hd_heap_leave(&heap, &u);
   } else if (instr) {
      hd_print_one_instr(&p, instr);
   } else {
      hd_print_node_head(&p, node);
   }
   if (!p.marked)
      p.span = (hd_text_span){ offset, hd_print_position(&p) - offset };
   if (!instr && node && node->kind == HD_CF_BLOCK)
      hd_print_char(&p, ':');
   hd_print_location(&p, instr ? instr->loc : node ? node->loc : 0);
   if (!instr && node && node->kind != HD_CF_BLOCK)
      hd_print_literal(&p, " {");
   if (span)
      *span = p.span;
   if (numbering)
      return finish(&p, result);
   hd_print_flush(&p);
   return out->result;
}

hd_result
hd_print_instr(const hd_instr *instr, const hd_numbering *numbering, const hd_src *mark,
               hd_blob *out, hd_text_span *span)
{
   const hd_cf_node *node = instr && instr->block ? &instr->block->node : NULL;

   if (!instr)
      return print_line(NULL, NULL, numbering, mark, out, span);
   return print_line(instr, node, numbering, mark, out, span);
}

hd_result
hd_print_node(const hd_cf_node *node, const hd_numbering *numbering, const hd_src *mark,
              hd_blob *out, hd_text_span *span)
{
   return print_line(NULL, node, numbering, mark, out, span);
}
