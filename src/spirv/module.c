/* SPDX-License-Identifier: MIT */
/* module.c - module preamble: ids, names, decorations, entry points, execution modes. */
#include "spirv/spirv.h"

#define HEADER_WORDS 5u

void
hd_spirv_undefined(struct spirv *s, uint32_t id)
{
   hd_spirv_invalid(s, "id %u is not defined", id);
}

bool
hd_spirv_is_defined(const struct spirv *s, uint32_t id)
{
   return hd_spirv_slot(s, id) != 0;
}

const char *
hd_spirv_opcode_name(uint32_t opcode)
{
   const struct spirv_opcode *op = hd_spirv_opcode(opcode);

   return op == hd_spirv_opcodes ? "opcode" : hd_spirv_names + op->name;
}

/* The bytes of a string are in the order of the words' bytes, lowest first. */
const char *
hd_spirv_string(struct spirv *s, uint32_t word)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
   (void)s;
   return (const char *)(s->words + word);
#else
   size_t length = 0;

   while (s->words[word + length / 4] >> length % 4 * 8 & 0xff)
      length++;
   char *string = hd_spirv_alloc(s, length + 1);
   for (size_t n = 0; n < length; n++)
      string[n] = (char)(s->words[word + n / 4] >> n % 4 * 8);
   return string;
#endif
}

const char *
hd_spirv_name(struct spirv *s, uint32_t id)
{
   uint32_t word = hd_spirv_id(s, id)->name;
   const char *name = word ? hd_spirv_string(s, word) : "";

   return *name ? name : NULL;
}

/* Lines */

void
hd_spirv_debug(struct spirv *s, const struct spirv_instr *i)
{
   if (s->options->no_names || s->options->locate_words)
      return;
   if (i->opcode == SPV_OP_LINE) {
      const struct spirv_id *file = hd_spirv_id(s, i->words[0]);
      if (file->kind != ID_STRING)
         hd_spirv_invalid(s, "id %u is not an OpString", i->words[0]);
      /* Of a string its instruction is known: opcode, result, text. */
      hd_set_location(&s->b, hd_spirv_string(s, file->word + 2), i->words[1], i->words[2]);
   } else if (i->opcode == SPV_OP_NO_LINE) {
      hd_set_location(&s->b, NULL, 0, 0);
   }
}

enum { DEBUG_SOURCE = 35, DEBUG_LINE = 103, DEBUG_NO_LINE = 104 };

/* The name of the file that an id stands for: DebugSource names a string. Else NULL. */
static const char *
debug_file(struct spirv *s, uint32_t id)
{
   const uint32_t slot = hd_spirv_slot(s, id);
   const uint32_t word = slot ? s->ids[slot - 1].word : 0;

   if (!word)
      return NULL;
   const struct spirv_instr i = hd_spirv_fetch(s, word);
   if (i.opcode != SPV_OP_EXT_INST || i.num_words < 3 || i.words[1] != DEBUG_SOURCE)
      return NULL;
   const uint32_t file = hd_spirv_slot(s, i.words[2]);
   const struct spirv_id *record = file ? &s->ids[file - 1] : NULL;
   return record && record->kind == ID_STRING ? hd_spirv_string(s, record->word + 2) : NULL;
}

static uint32_t
debug_number(struct spirv *s, uint32_t id)
{
   uint64_t value;

   return hd_spirv_is_defined(s, id) && hd_spirv_is_constant(s, id, &value) ? (uint32_t)value : 0;
}

/* words: set, instruction, source, first line, last line, first column, last column */
void
hd_spirv_debug_info(struct spirv *s, const struct spirv_instr *i)
{
   if (s->options->no_names || s->options->locate_words)
      return;
   if (i->words[1] == DEBUG_NO_LINE)
      hd_set_location(&s->b, NULL, 0, 0);
   if (i->words[1] != DEBUG_LINE || i->num_words < 7)
      return;
   const char *file = debug_file(s, i->words[2]);
   const uint32_t line = debug_number(s, i->words[3]);
   if (file && line)
      hd_set_location(&s->b, file, line, debug_number(s, i->words[5]));
   else
      hd_set_location(&s->b, NULL, 0, 0);
}

/* Decorations */

static void
add_decoration(struct spirv *s, uint32_t id, int32_t member, uint32_t decoration, uint32_t word,
               uint32_t num_words)
{
   hd_heap_step(s->heap, 1);
   if (s->num_decorations == s->max_decorations) {
      uint32_t max = 2 * s->max_decorations + 16;
      struct spirv_decoration *grown = hd_spirv_alloc(s, max * sizeof(*grown));
      if (s->num_decorations)
         memcpy(grown, s->decorations, s->num_decorations * sizeof(*grown));
      s->decorations = grown;
      s->max_decorations = max;
      s->num_decorations += !s->num_decorations; /* [0] is none */
   }
   struct spirv_id *record = hd_spirv_id(s, id);
   s->decorations[s->num_decorations] = (struct spirv_decoration){
      .next = record->decoration,
      .member = member,
      .decoration = decoration,
      .word = word,
      .num_words = num_words,
   };
   record->decoration = s->num_decorations++;
}

static int32_t
member_number(struct spirv *s, uint32_t number)
{
   if (number > INT32_MAX)
      hd_spirv_invalid(s, "there is no member %u", number);
   return (int32_t)number;
}

/* Those of the specification itself are all read, or do no harm. */
static void
check_decoration(struct spirv *s, uint32_t decoration)
{
   if (decoration < SPIRV_CORE_DECORATIONS)
      return;
   for (uint32_t n = 0; n < hd_spirv_num_refused_decorations; n++) {
      const struct spirv_mode_row *row = &hd_spirv_refused_decorations[n];
      if (row->value == decoration)
         hd_spirv_unsupported(s, "the decoration %s is not supported",
                              hd_spirv_mode_text + row->name);
   }
}

/* What is decorated and not there does no harm: tools that strip modules leave such behind. */
static void
read_decorate(struct spirv *s, const struct spirv_instr *i)
{
   bool of_member =
       i->opcode == SPV_OP_MEMBER_DECORATE || i->opcode == SPV_OP_MEMBER_DECORATE_STRING;
   const uint32_t *p = i->words;
   uint32_t id = *p++;
   int32_t member = of_member ? member_number(s, *p++) : -1;
   uint32_t decoration = *p++;

   if (!hd_spirv_is_defined(s, id))
      return;
   check_decoration(s, decoration);
   if (decoration == SPV_DECORATION_BUILT_IN && *p == SPV_BUILT_IN_WORKGROUP_SIZE && !of_member &&
       hd_spirv_id(s, id)->kind == ID_CONSTANT)
      s->workgroup_size = id;
   add_decoration(s, id, member, decoration, (uint32_t)(p - s->words),
                  i->num_words - (uint32_t)(p - i->words));
}

/* Copies what the group has; a group that is not read yet has nothing. */
static void
decorate_with_group(struct spirv *s, uint32_t group, uint32_t target, int32_t member)
{
   for (uint32_t n = hd_spirv_id(s, group)->decoration; n;) {
      struct spirv_decoration d = s->decorations[n];
      add_decoration(s, target, member < 0 ? d.member : member, d.decoration, d.word, d.num_words);
      n = d.next;
   }
}

static void
read_group_decorate(struct spirv *s, const struct spirv_instr *i)
{
   unsigned step = i->opcode == SPV_OP_GROUP_MEMBER_DECORATE ? 2 : 1;
   uint32_t group = i->words[0];

   if (hd_spirv_id(s, group)->kind != ID_GROUP)
      hd_spirv_invalid(s, "id %u is not a group of decorations", group);
   for (uint32_t n = 1; n < i->num_words; n += step) {
      if (!hd_spirv_is_defined(s, i->words[n]))
         continue;
      if (hd_spirv_id(s, i->words[n])->kind == ID_GROUP)
         hd_spirv_invalid(s, "id %u is a group: groups are not decorated", i->words[n]);
      decorate_with_group(s, group, i->words[n],
                          step == 2 ? member_number(s, i->words[n + 1]) : -1);
   }
}

/* From decoration n of an id on. */
static const struct spirv_decoration *
find_decoration(struct spirv *s, uint32_t n, int32_t member, uint32_t decoration)
{
   for (; n; n = s->decorations[n].next) {
      hd_heap_step(s->heap, 1);
      const struct spirv_decoration *d = &s->decorations[n];
      if (d->member == member && d->decoration == decoration)
         return d;
   }
   return NULL;
}

const struct spirv_decoration *
hd_spirv_next_decoration(struct spirv *s, const struct spirv_decoration *d)
{
   return find_decoration(s, d->next, d->member, d->decoration);
}

/* Those whose every occurrence counts. */
static bool
may_stand_twice(uint32_t decoration)
{
   return decoration == SPV_DECORATION_FUNC_PARAM_ATTR ||
          decoration == SPV_DECORATION_FPFAST_MATH_MODE ||
          decoration == SPV_DECORATION_LINKAGE_ATTRIBUTES ||
          decoration == SPV_DECORATION_ALIGNMENT || decoration == SPV_DECORATION_ALIGNMENT_ID;
}

const struct spirv_decoration *
hd_spirv_decoration(struct spirv *s, uint32_t id, int32_t member, uint32_t decoration)
{
   const struct spirv_decoration *first =
       find_decoration(s, hd_spirv_id(s, id)->decoration, member, decoration);

   if (!first || may_stand_twice(decoration))
      return first;
   for (const struct spirv_decoration *d = first; (d = hd_spirv_next_decoration(s, d));) {
      if (d->num_words != first->num_words ||
          memcmp(s->words + d->word, s->words + first->word, d->num_words * sizeof(uint32_t)) != 0)
         hd_spirv_invalid(s, "id %u has two different decorations of kind %u", id, decoration);
   }
   return first;
}

bool
hd_spirv_has_attribute(struct spirv *s, uint32_t id, uint32_t attribute)
{
   const struct spirv_decoration *d =
       hd_spirv_decoration(s, id, -1, SPV_DECORATION_FUNC_PARAM_ATTR);

   while (d && s->words[d->word] != attribute)
      d = hd_spirv_next_decoration(s, d);
   return d != NULL;
}

uint32_t
hd_spirv_access_of(const struct spirv *s, const struct spirv_decoration *d)
{
   switch (d->decoration) {
   case SPV_DECORATION_RESTRICT:
   case SPV_DECORATION_RESTRICT_POINTER:
      return HD_ACCESS_RESTRICT;
   case SPV_DECORATION_VOLATILE:
      return HD_ACCESS_VOLATILE;
   case SPV_DECORATION_COHERENT:
      return HD_ACCESS_COHERENT;
   case SPV_DECORATION_NON_WRITABLE:
   case SPV_DECORATION_CONSTANT:
      return HD_ACCESS_READONLY;
   case SPV_DECORATION_NON_UNIFORM:
      return HD_ACCESS_NONUNIFORM;
   case SPV_DECORATION_FUNC_PARAM_ATTR:
      if (s->words[d->word] == SPV_FUNCTION_PARAMETER_ATTRIBUTE_NO_WRITE)
         return HD_ACCESS_READONLY;
      return s->words[d->word] == SPV_FUNCTION_PARAMETER_ATTRIBUTE_NO_ALIAS ? HD_ACCESS_RESTRICT
                                                                            : 0;
   default:
      return 0;
   }
}

uint32_t
hd_spirv_access(struct spirv *s, uint32_t id, int32_t member)
{
   uint32_t access = 0;

   for (uint32_t n = hd_spirv_id(s, id)->decoration; n; n = s->decorations[n].next) {
      hd_heap_step(s->heap, 1);
      if (s->decorations[n].member == member)
         access |= hd_spirv_access_of(s, &s->decorations[n]);
   }
   return access;
}

/* The module's own words */

static void
read_ext_set(struct spirv *s, const struct spirv_instr *i)
{
   const char *name = hd_spirv_string(s, i->word + 2);
   uint32_t set = EXT_UNKNOWN;

   if (!strcmp(name, "GLSL.std.450"))
      set = EXT_GLSL;
   else if (!strcmp(name, "OpenCL.std"))
      set = EXT_OPENCL;
   else if (!strcmp(name, "SPV_AMD_shader_trinary_minmax"))
      set = EXT_TRINARY;
   else if (!strcmp(name, "SPV_AMD_gcn_shader"))
      set = EXT_GCN_SHADER;
   else if (!strcmp(name, "SPV_AMD_shader_ballot"))
      set = EXT_BALLOT;
   else if (!strcmp(name, "NonSemantic.Shader.DebugInfo.100"))
      set = EXT_DEBUG_INFO;
   else if (!strncmp(name, "NonSemantic.", 12) || !strcmp(name, "OpenCL.DebugInfo.100") ||
            !strcmp(name, "DebugInfo"))
      set = EXT_NON_SEMANTIC;
   hd_spirv_id(s, i->result)->ext_set = set;
}

static void
read_capability(struct spirv *s, uint32_t capability)
{
   s->capabilities[s->num_capabilities++] = capability;
   switch (capability) {
   case SPV_CAPABILITY_SHADER:
      s->structured = true;
      break;
   case SPV_CAPABILITY_KERNEL:
      s->kernel = true;
      break;
   case SPV_CAPABILITY_VARIABLE_POINTERS:
   case SPV_CAPABILITY_VARIABLE_POINTERS_STORAGE_BUFFER:
      s->variable_pointers = true;
      break;
   default:
      /* What it allows is refused where it is used, and named there. */
      break;
   }
}

static void
read_memory_model(struct spirv *s, const struct spirv_instr *i)
{
   switch (i->words[0]) {
   case SPV_ADDRESSING_MODEL_LOGICAL:
   case SPV_ADDRESSING_MODEL_PHYSICAL_STORAGE_BUFFER64:
      break;
   case SPV_ADDRESSING_MODEL_PHYSICAL64:
      s->physical = true;
      break;
   default:
      hd_spirv_unsupported(s, "addressing model %u is not supported, 64-bit addresses are",
                           i->words[0]);
   }
   s->aliased = i->words[1] == SPV_MEMORY_MODEL_OPEN_CL;
}

static void
read_module_instr(struct spirv *s, const struct spirv_instr *i)
{
   switch (i->opcode) {
   case SPV_OP_CAPABILITY:
      read_capability(s, i->words[0]);
      break;
   case SPV_OP_EXT_INST_IMPORT:
      read_ext_set(s, i);
      break;
   case SPV_OP_MEMORY_MODEL:
      read_memory_model(s, i);
      break;
   case SPV_OP_ENTRY_POINT:
      s->entry_points[s->num_entry_points++] = i->word;
      break;
   case SPV_OP_EXECUTION_MODE:
   case SPV_OP_EXECUTION_MODE_ID:
      s->modes[s->num_modes++] = i->word;
      break;
   case SPV_OP_GROUP_DECORATE:
   case SPV_OP_GROUP_MEMBER_DECORATE:
      read_group_decorate(s, i);
      break;
   case SPV_OP_DECORATION_GROUP:
      break;
   default:
      read_decorate(s, i);
      break;
   }
}

static void
read_name(struct spirv *s, const struct spirv_instr *i)
{
   if (i->opcode == SPV_OP_NAME && hd_spirv_is_defined(s, i->words[0]) &&
       !(s->needs_entry && s->options->no_names))
      hd_spirv_id(s, i->words[0])->name = i->word + 2;
}

static void
read_instr(struct spirv *s, const struct spirv_instr *i)
{
   const struct spirv_opcode *op = hd_spirv_opcode(i->opcode);

   switch (op->room) {
   case SPIRV_ROOM_IGNORE:
      break;
   case SPIRV_ROOM_DEBUG:
      read_name(s, i);
      break;
   case SPIRV_ROOM_MODULE:
      read_module_instr(s, i);
      break;
   case SPIRV_ROOM_TYPE:
      hd_spirv_read_type(s, i);
      break;
   case SPIRV_ROOM_CONSTANT:
      hd_spirv_read_constant(s, i);
      break;
   case SPIRV_ROOM_VARIABLE:
      hd_spirv_read_variable(s, i);
      break;
   case SPIRV_ROOM_UNSUPPORTED:
      hd_spirv_unsupported(s, "%s is not supported", hd_spirv_reasons + op->extra);
   default:
      if (i->opcode == SPV_OP_UNDEF)
         hd_spirv_read_constant(s, i);
      else if (i->opcode != SPV_OP_EXT_INST)
         hd_spirv_invalid(s, "expected it inside of a function");
      break;
   }
}

/* Functions: their types and parameters. */
static void
read_function(struct spirv *s, struct spirv_function *f)
{
   struct spirv_instr i = hd_spirv_fetch(s, f->word);

   s->at = i;
   f->type = hd_spirv_type(s, i.words[1]);
   if (f->type->kind != TYPE_FUNCTION)
      hd_spirv_invalid(s, "id %u is not a function type", i.words[1]);
   if (f->type->element != hd_spirv_type(s, i.type))
      hd_spirv_invalid(s, "its result type is not that of its function type");
   f->params = hd_spirv_alloc(s, f->type->length * sizeof(*f->params));
   f->first = f->word;
   for (uint32_t word = f->word; word < f->end; word += s->words[word] >> 16) {
      i = hd_spirv_fetch(s, word);
      if (i.opcode == SPV_OP_FUNCTION_PARAMETER) {
         s->at = i;
         if (f->num_params == f->type->length ||
             f->type->members[f->num_params].type != hd_spirv_type(s, i.type))
            hd_spirv_invalid(s, "the function type has no such parameter");
         f->params[f->num_params++] = i.result;
      } else if (i.opcode == SPV_OP_LABEL) {
         break;
      }
      f->first = word + (s->words[word] >> 16);
   }
   if (f->num_params != f->type->length)
      hd_spirv_invalid(s, "%u parameters, its type has %u", f->num_params, f->type->length);
}

void
hd_spirv_read_module(struct spirv *s)
{
   uint32_t num = s->num_module_instrs;

   s->first_function = s->functions ? s->functions->word : (uint32_t)s->num_words;
   s->entry_points = hd_spirv_alloc(s, num * sizeof(uint32_t));
   s->modes = hd_spirv_alloc(s, num * sizeof(uint32_t));
   s->capabilities = hd_spirv_alloc(s, num * sizeof(uint32_t));
   for (uint32_t word = HEADER_WORDS; word < s->first_function; word += s->words[word] >> 16) {
      s->at = hd_spirv_fetch(s, word);
      read_instr(s, &s->at);
   }
   for (struct spirv_function *f = s->functions; f; f = f->next)
      read_function(s, f);
   s->at = (struct spirv_instr){ 0 };
   hd_spirv_read_entry(s);
}

/* Names of enumerants */

static const char *
enumerant_name(const struct spirv_enumerant_name *names, uint32_t num, const char *text,
               uint32_t value)
{
   uint32_t low = 0, high = num;

   while (low < high) {
      uint32_t middle = (low + high) / 2;
      if (names[middle].value == value)
         return text + names[middle].name;
      if (names[middle].value < value)
         low = middle + 1;
      else
         high = middle;
   }
   return NULL;
}

const char *
hd_spirv_capability_name(uint32_t capability)
{
   return enumerant_name(hd_spirv_capability_names, hd_spirv_num_capabilitys,
                         hd_spirv_capability_text, capability);
}

const char *
hd_spirv_built_in_name(uint32_t built_in)
{
   const char *name = enumerant_name(hd_spirv_built_in_names, hd_spirv_num_built_ins,
                                     hd_spirv_built_in_text, built_in);

   return name ? name : "unknown";
}
