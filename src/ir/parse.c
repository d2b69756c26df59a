/* SPDX-License-Identifier: MIT */
/* parse.c - parser: shaders and functions. */
#include "ir/parse.h"
#include "heddle/ops.h"
#include "util/quote.h"

/* Functions */

static bool
parse_param(struct parser *p)
{
   const struct token name = p->tok;
   unsigned num_components, bit_size;
   const char *string = NULL;
   size_t length = 0;
   uint32_t loc;

   if (name.kind != TOKEN_VALUE)
      return hd_parse_expected(p, "a parameter such as %0:32");
   uint32_t record = hd_parse_value_record(p, &name);
   hd_parse_next(p);
   if (!hd_parse_expect(p, ':', "':' and the size of the parameter", true) ||
       !hd_parse_type(p, &num_components, &bit_size))
      return false;
   if (p->tok.kind == TOKEN_STRING) {
      if (!hd_parse_string(p, &string, &length))
         return false;
   } else if (!name.numeric) {
      string = name.start + 1;
      length = name.length - 1;
   }
   if (string)
      string = hd_shader_intern(p->shader, string, length);
   if (!hd_parse_location(p, &loc))
      return false;
   hd_param *param = hd_param_create(p->shader, num_components, bit_size, p->f->num_params++);
   param->instr.loc = loc;
   hd_instr_append(hd_function_start(p->f), &param->instr);
   if (!hd_parse_define(p, &p->values, record, &param->instr.def, name.start, name.length, "value"))
      return false;
   if (string)
      hd_def_set_name(p->f, &param->instr.def, string);
   return true;
}

static bool
parse_params(struct parser *p)
{
   hd_parse_next(p);
   if (p->tok.kind == ')') {
      hd_parse_next(p);
      return true;
   }
   for (;;) {
      hd_heap_step(p->heap, 1);
      if (!parse_param(p))
         return false;
      if (p->tok.kind != ',')
         return hd_parse_expect(p, ')', "',' or ')' after the parameter", false);
      hd_parse_next(p);
   }
}

bool
hd_parse_var(struct parser *p)
{
   hd_parse_next(p);
   const struct token name = p->tok;
   const char *string;
   size_t length;
   unsigned num_components, bit_size;
   uint32_t array_length = 0;

   if (name.kind != TOKEN_VAR || name.first)
      return hd_parse_expected(p, "a variable such as $x");
   if (!hd_parse_string(p, &string, &length))
      return false;
   string = hd_shader_intern(p->shader, string, length);
   if (!hd_parse_expect(p, ':', "':' and the size of the variable", true) ||
       !hd_parse_type(p, &num_components, &bit_size))
      return false;
   if (p->tok.kind == '[' && !p->tok.first) {
      hd_parse_next(p);
      const struct token number = p->tok;
      if (!hd_parse_count(p, "the length of the array", UINT32_MAX, &array_length))
         return false;
      if (!array_length)
         return hd_parse_error(p, number.start, number.length,
                               "an array has no elements, expected 1 or more");
      if (!hd_parse_expect(p, ']', "']' after the length", true))
         return false;
   }
   if (!p->tok.first && p->tok.kind != '}' && p->tok.kind != TOKEN_END)
      return hd_parse_expected(p, "the end of the line");
   uint32_t record = hd_parse_name(&p->vars, string, length);
   hd_var *var = hd_var_append(p->f, string, num_components, bit_size, array_length);
   return hd_parse_define(p, &p->vars, record, var, name.start, name.length, "variable");
}

static void
parse_vars(struct parser *p)
{
   while (hd_parse_is_word(&p->tok, "var") && hd_parse_peek(p).kind != ':') {
      const char *start = p->tok.start;
      hd_heap_step(p->heap, 1);
      if (!hd_parse_var(p))
         hd_parse_recover(p, start);
   }
}

static void
begin_function(struct parser *p)
{
   hd_stack *s = &p->scratch;

   p->values = (struct name_table){ .stack = s };
   p->blocks = (struct name_table){ .stack = s };
   p->vars = (struct name_table){ .stack = s };
   memset(&p->open, 0, sizeof(p->open));
   memset(&p->labels, 0, sizeof(p->labels));
   memset(&p->fixups, 0, sizeof(p->fixups));
   memset(&p->pairs, 0, sizeof(p->pairs));
   memset(&p->phis, 0, sizeof(p->phis));
   memset(&p->cases, 0, sizeof(p->cases));
   memset(&p->list, 0, sizeof(p->list));
   p->num_switches = 0;
   p->skipped = false;
   p->errors_before = p->errors;
}

/* The name, and the function itself. */
static bool
create_function(struct parser *p, bool structured)
{
   const struct token name = p->tok;
   const char *string;
   size_t length;

   if (name.kind != TOKEN_FUNCTION && name.kind != TOKEN_AT_STRING)
      return hd_parse_expected(p, "the name of the function, such as @main");
   if (!hd_parse_string(p, &string, &length))
      return false;
   string = hd_shader_intern(p->shader, string, length);
   uint32_t record = hd_parse_name(&p->functions, string, length);
   if (!p->functions.records[record].defined) {
      p->f = hd_function_create(p->shader, string, structured);
      if (structured)
         hd_edge_remove(hd_function_start(p->f), 0);
   }
   return hd_parse_define(p, &p->functions, record, p->f, name.start, name.length, "function");
}

/* From the word function on. */
static bool
parse_function(struct parser *p, bool structured)
{
   hd_parse_next(p);
   if (!create_function(p, structured))
      return false;
   if (p->tok.kind == '(' && !parse_params(p))
      return false;
   if (p->tok.kind == TOKEN_ARROW) {
      unsigned num_components, bit_size;
      hd_parse_next(p);
      if (!hd_parse_type(p, &num_components, &bit_size))
         return false;
      hd_function_set_result(p->f, num_components, bit_size);
   }
   const struct token brace = p->tok;
   if (!hd_parse_expect(p, '{', "'{' and the body of the function", true))
      return false;
   parse_vars(p);
   hd_parse_body(p, &brace);
   hd_parse_resolve(p);
   return true;
}

/* Shaders */

static bool
parse_workgroup(struct parser *p)
{
   for (unsigned n = 0; n < 3; n++) {
      if (!hd_parse_count(p, "three sizes", UINT32_MAX, &p->shader->workgroup_size[n]))
         return false;
   }
   return true;
}

static bool
parse_floats(struct parser *p)
{
   static const char names[][8] = { "flush16", "flush32", "flush64", "rtz16",
                                    "rtz32",   "rtz64",   "finite" };
   const unsigned num = sizeof(names) / sizeof(names[0]);

   do {
      unsigned n = 0;
      while (n < num && (p->tok.first || !hd_parse_is_word(&p->tok, names[n])))
         n++;
      if (n == num)
         return hd_parse_expected(p, "flush16, flush32, flush64, rtz16, rtz32, rtz64 or "
                                     "finite");
      p->shader->float_controls |= 1u << n;
      hd_parse_next(p);
   } while (p->tok.kind == TOKEN_WORD && !p->tok.first);
   return true;
}

static bool
parse_lowered(struct parser *p)
{
   do {
      uint32_t bit = p->tok.kind == TOKEN_WORD && !p->tok.first
                         ? hd_lowered_from_name(p->tok.start, p->tok.length)
                         : 0;
      if (!bit)
         return hd_parse_expected(p, "a construct that can be lowered, like idiv");
      p->shader->lowered |= bit;
      hd_parse_next(p);
   } while (p->tok.kind == TOKEN_WORD && !p->tok.first);
   return true;
}

/* Strings of bytes, each as two digits; spaces stand between bytes where they like. */
static bool
parse_constants(struct parser *p)
{
   const hd_stack_mark mark = hd_stack_get_mark(p->stack);
   GROWING(uint8_t) bytes = { NULL, 0, 0 };

   if (p->tok.kind != TOKEN_STRING || p->tok.first)
      return hd_parse_expected(p, "a string of bytes, as \"00 7f ff\"");
   while (p->tok.kind == TOKEN_STRING) {
      const char *s = p->tok.start + 1, *end = p->tok.start + p->tok.length - 1;
      while (s < end) {
         if (*s == ' ') {
            s++;
            continue;
         }
         const int high = hd_hex_digit(*s), low = s + 1 < end ? hd_hex_digit(s[1]) : -1;
         if (high < 0 || low < 0)
            return hd_parse_error(p, s, 1, "expected a byte as two digits from 0 to f");
         if (bytes.num == HD_MAX_CONSTANTS)
            return hd_parse_error(p, s, 2, "more than %u bytes of constant data", HD_MAX_CONSTANTS);
         *PUSH(p->stack, bytes) = (uint8_t)(high << 4 | low);
         s += 2;
      }
      hd_parse_next(p);
   }
   hd_shader_add_constants(p->shader, bytes.at, (uint32_t)bytes.num, 1);
   hd_stack_release(p->stack, mark);
   return true;
}

static bool
parse_property(struct parser *p)
{
   static const char names[][10] = { "workgroup", "floats",  "lowered", "constants", "subgroup",
                                     "shared",    "scratch", "push",    "kernarg" };
   const unsigned num = sizeof(names) / sizeof(names[0]);
   hd_shader *s = p->shader;
   uint32_t *numbers[] = { NULL,
                           NULL,
                           NULL,
                           NULL,
                           &s->subgroup_size,
                           &s->shared_size,
                           &s->scratch_size,
                           &s->push_size,
                           &s->kernarg_size };
   const struct token word = p->tok;
   unsigned n = 0;

   while (n < num && !hd_parse_is_word(&word, names[n]))
      n++;
   if (n == num)
      return hd_parse_unexpected(p, "a property of the shader, function, flat or '}'");
   if (p->properties >> n & 1)
      return hd_parse_error(p, word.start, word.length, "this property is given twice");
   p->properties |= 1u << n;
   hd_parse_next(p);
   bool good = n == 0   ? parse_workgroup(p)
               : n == 1 ? parse_floats(p)
               : n == 2 ? parse_lowered(p)
               : n == 3 ? parse_constants(p)
                        : hd_parse_count(p, "a number", UINT32_MAX, numbers[n]);
   if (good && !p->tok.first && p->tok.kind != '}' && p->tok.kind != TOKEN_END)
      return hd_parse_expected(p, "the end of the line");
   return good;
}

/* A property or a function. */
static bool
parse_member(struct parser *p, bool properties)
{
   bool flat = hd_parse_is_word(&p->tok, "flat");

   if (flat) {
      hd_parse_next(p);
      if (!hd_parse_is_word(&p->tok, "function"))
         return hd_parse_expected(p, "function");
   }
   if (!hd_parse_is_word(&p->tok, "function"))
      return properties ? parse_property(p) : hd_parse_unexpected(p, "function or flat");
   hd_stack_mark mark = hd_stack_get_mark(&p->scratch);
   begin_function(p);
   bool good = parse_function(p, !flat);
   hd_stack_release(&p->scratch, mark);
   return good;
}

static bool
parse_stage(struct parser *p)
{
   static const char stages[HD_NUM_STAGES][9] = { "compute", "kernel", "vertex", "fragment" };
   const char *string;
   size_t length;
   unsigned n = 0;

   hd_parse_next(p);
   while (n < HD_NUM_STAGES && (p->tok.first || !hd_parse_is_word(&p->tok, stages[n])))
      n++;
   if (n == HD_NUM_STAGES)
      return hd_parse_expected(p, "compute, kernel, vertex or fragment");
   p->shader->stage = (hd_stage)n;
   hd_parse_next(p);
   if (p->tok.kind == TOKEN_STRING && !p->tok.first) {
      if (!hd_parse_string(p, &string, &length))
         return false;
      p->shader->name = hd_shader_intern(p->shader, string, length);
   }
   return true;
}

static void
resolve_calls(struct parser *p)
{
   for (uint32_t n = 0; n < p->functions.num_records; n++) {
      const struct record *r = &p->functions.records[n];
      if (!r->defined)
         hd_parse_report(p, r->place, r->length,
                         "unknown function '%.*s', expected one of this "
                         "shader",
                         r->length < 40 ? (int)r->length : 40, r->place);
   }
   for (size_t n = 0; n < p->calls.num && !p->errors; n++)
      p->calls.at[n].call->callee = p->functions.records[p->calls.at[n].record].object;
}

/* A shader, or functions alone. */
static void
parse_text(struct parser *p)
{
   bool shader = false;
   const struct token first = p->tok;

   if (hd_parse_is_word(&p->tok, "shader")) {
      shader = true;
      bool good = parse_stage(p);
      while (!good && p->tok.kind != '{' && p->tok.kind != TOKEN_END && !p->tok.first)
         hd_parse_next(p);
      if (good ? !hd_parse_expect(p, '{', "'{' and the members of the shader", true)
               : p->tok.kind != '{')
         return;
      if (!good)
         hd_parse_next(p);
   } else if (!hd_parse_is_word(&p->tok, "function") && !hd_parse_is_word(&p->tok, "flat")) {
      hd_parse_report_unexpected(p, "shader, function or flat");
      return;
   }
   while (p->tok.kind != TOKEN_END && !(shader && p->tok.kind == '}')) {
      const char *start = p->tok.start;
      bool brace = p->tok.kind == '}';
      if (parse_member(p, shader))
         continue;
      hd_parse_recover(p, start);
      if (brace && p->tok.start == start)
         hd_parse_next(p);
   }
   if (shader && p->tok.kind == TOKEN_END && !p->errors) {
      hd_parse_report_expected(p, "'}'");
      hd_parse_note(p, first.start, first.length, "what it would close begins here");
   } else if (shader && p->tok.kind == '}') {
      hd_parse_next(p);
      if (p->tok.kind != TOKEN_END)
         hd_parse_report_unexpected(p, "the end of the text after the shader");
   }
   resolve_calls(p);
}

/* The parts of the parser that go even when it is unwound. */
static void
finish(struct parser *p, hd_stack_mark mark)
{
   hd_pool_free(hd_shader_pool(p->shader), p->string, p->string_capacity);
   hd_stack_finish(&p->scratch);
   hd_stack_release(p->stack, mark);
}

static hd_result
parse(const hd_config *config, const char *file_name, const char *text, size_t size, bool located,
      hd_shader **out)
{
   hd_shader *shader = NULL;
   hd_result made = hd_shader_make(config, HD_STAGE_COMPUTE, NULL, &shader);
   hd_unwind u;

   if (made != HD_OK)
      return made;
   const char *start = size ? text : "";
   struct parser p = {
      .lexer = { start, start + size },
      .tok = { .start = start },
      .file = file_name,
      .text = start,
      .end = start + size,
      .located = located,
      .counted = start,
      .line = 1,
      .shader = shader,
      .heap = hd_shader_heap(shader),
      .stack = hd_shader_stack(shader),
      .functions = { .stack = hd_shader_stack(shader) },
   };
   hd_stack_mark mark = hd_stack_get_mark(p.stack);
   hd_stack_init(&p.scratch, p.heap);
   hd_heap_refill(p.heap);
   if (HD_TRY(p.heap, &u)) {
      p.dummy = &hd_undef_create(shader, 1, 32)->def;
      hd_parse_next(&p);
      parse_text(&p);
      hd_instr_free(shader, hd_def_instr(p.dummy));
   }
   hd_result result = hd_heap_leave(p.heap, &u);
   finish(&p, mark);
   if (result == HD_OK && p.errors)
      result = HD_INVALID;
   if (result != HD_OK) {
      hd_shader_destroy(shader);
      return result;
   }
   *out = shader;
   return HD_OK;
}

hd_result
hd_parse(const hd_config *config, const char *file_name, const char *text, size_t size,
         hd_shader **out)
{
   return parse(config, file_name, text, size, false, out);
}

hd_result
hd_parse_located(const hd_config *config, const char *file_name, const char *text, size_t size,
                 hd_shader **out)
{
   return parse(config, file_name, text, size, true, out);
}
