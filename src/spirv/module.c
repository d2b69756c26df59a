/* SPDX-License-Identifier: MIT */
/* module.c - module preamble: extended sets, entry points, execution modes, types of functions; lines. */
#include "spirv/spirv.h"

#define HEADER_WORDS 5u

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
      hd_spirv_read_group_decorate(s, i);
      break;
   case SPV_OP_DECORATION_GROUP:
      break;
   default:
      hd_spirv_read_decorate(s, i);
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
