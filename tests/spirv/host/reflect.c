/* SPDX-License-Identifier: MIT */
/* reflect.c - the descriptors and the entry point that a SPIR-V module declares. */
#include "reflect.h"

#include <stdlib.h>
#include <string.h>

/* Numbers of the specification: opcodes, decorations, storage classes. */
enum {
   OP_ENTRY_POINT = 15,
   OP_TYPE_IMAGE = 25,
   OP_TYPE_SAMPLER = 26,
   OP_TYPE_SAMPLED_IMAGE = 27,
   OP_TYPE_ARRAY = 28,
   OP_TYPE_RUNTIME_ARRAY = 29,
   OP_TYPE_STRUCT = 30,
   OP_TYPE_POINTER = 32,
   OP_CONSTANT = 43,
   OP_SPEC_CONSTANT = 50,
   OP_VARIABLE = 59,
   OP_DECORATE = 71,
   OP_GROUP_DECORATE = 74,
   DECORATION_BUFFER_BLOCK = 3,
   DECORATION_BINDING = 33,
   DECORATION_DESCRIPTOR_SET = 34,
   MODEL_GLCOMPUTE = 5,
   STORAGE_UNIFORM_CONSTANT = 0,
   STORAGE_UNIFORM = 2,
   STORAGE_STORAGE_BUFFER = 12,
   DIM_BUFFER = 5,
};

/* What is kept of an id: the instruction that makes it, and its decorations. */
struct id {
   const uint32_t *words;
   uint32_t set;
   uint32_t binding;
   bool decorated;
   bool buffer_block;
};

static unsigned
opcode(const struct id *id)
{
   return id->words ? id->words[0] & 0xffff : 0;
}

static VkDescriptorType
image_type(const uint32_t *words)
{
   bool sampled = words[7] != 2;
   if (words[3] == DIM_BUFFER)
      return sampled ? VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER
                     : VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
   return sampled ? VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE : VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
}

static void
add_variable(struct reflection *r, const struct id *ids, const struct id *variable)
{
   const struct id *pointer = &ids[variable->words[1]];
   uint32_t storage = variable->words[3];
   struct binding b = { .set = variable->set, .binding = variable->binding, .count = 1 };

   if (!variable->decorated || opcode(pointer) != OP_TYPE_POINTER ||
       r->num_bindings == MAX_BINDINGS)
      return;
   const struct id *type = &ids[pointer->words[3]];
   while (opcode(type) == OP_TYPE_ARRAY || opcode(type) == OP_TYPE_RUNTIME_ARRAY) {
      const struct id *length = &ids[opcode(type) == OP_TYPE_ARRAY ? type->words[3] : 0];
      b.count *= length->words ? length->words[3] : 64;
      type = &ids[type->words[2]];
   }
   switch (opcode(type)) {
   case OP_TYPE_STRUCT:
      b.type = storage == STORAGE_STORAGE_BUFFER || type->buffer_block
                   ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
                   : VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
      break;
   case OP_TYPE_IMAGE:
      b.type = image_type(type->words);
      break;
   case OP_TYPE_SAMPLER:
      b.type = VK_DESCRIPTOR_TYPE_SAMPLER;
      break;
   case OP_TYPE_SAMPLED_IMAGE:
      b.type = image_type(ids[type->words[2]].words) == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER
                   ? VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER
                   : VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
      break;
   default:
      return;
   }
   /* Several variables may share a binding. */
   for (unsigned k = 0; k < r->num_bindings; k++)
      if (r->bindings[k].set == b.set && r->bindings[k].binding == b.binding)
         return;
   r->bindings[r->num_bindings++] = b;
}

static void
read_instruction(struct reflection *r, struct id *ids, uint32_t bound, const uint32_t *w)
{
   switch (w[0] & 0xffff) {
   case OP_ENTRY_POINT:
      if (w[1] == MODEL_GLCOMPUTE && !r->entry[0])
         strncpy(r->entry, (const char *)&w[3], sizeof r->entry - 1);
      break;
   case OP_DECORATE:
      if (w[1] >= bound)
         break;
      if (w[2] == DECORATION_BINDING)
         ids[w[1]].binding = w[3];
      else if (w[2] == DECORATION_DESCRIPTOR_SET)
         ids[w[1]].set = w[3];
      else if (w[2] == DECORATION_BUFFER_BLOCK)
         ids[w[1]].buffer_block = true;
      ids[w[1]].decorated |= w[2] == DECORATION_BINDING || w[2] == DECORATION_DESCRIPTOR_SET;
      break;
   case OP_GROUP_DECORATE:
      for (uint32_t k = 2; k < w[0] >> 16; k++)
         if (w[1] < bound && w[k] < bound && ids[w[1]].decorated) {
            ids[w[k]].set = ids[w[1]].set;
            ids[w[k]].binding = ids[w[1]].binding;
            ids[w[k]].decorated = true;
         }
      break;
   case OP_TYPE_IMAGE:
   case OP_TYPE_SAMPLER:
   case OP_TYPE_SAMPLED_IMAGE:
   case OP_TYPE_ARRAY:
   case OP_TYPE_RUNTIME_ARRAY:
   case OP_TYPE_STRUCT:
   case OP_TYPE_POINTER:
      if (w[1] < bound)
         ids[w[1]].words = w;
      break;
   case OP_CONSTANT:
   case OP_SPEC_CONSTANT:
   case OP_VARIABLE:
      if (w[2] < bound)
         ids[w[2]].words = w;
      break;
   }
}

bool
reflect(const uint32_t *words, size_t count, struct reflection *r)
{
   *r = (struct reflection){ 0 };
   if (count < 5 || words[0] != 0x07230203)
      return false;
   uint32_t bound = words[3];
   struct id *ids = calloc(bound, sizeof *ids);
   if (!ids)
      return false;
   for (size_t at = 5; at < count; at += words[at] >> 16) {
      if (words[at] >> 16 == 0 || at + (words[at] >> 16) > count) {
         free(ids);
         return false;
      }
      read_instruction(r, ids, bound, words + at);
   }
   for (uint32_t k = 1; k < bound; k++)
      if (opcode(&ids[k]) == OP_VARIABLE)
         add_variable(r, ids, &ids[k]);
   free(ids);
   return true;
}
