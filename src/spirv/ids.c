/* SPDX-License-Identifier: MIT */
/* ids.c - what is said of ids: names and decorations; names of enumerants. */
#include "spirv/spirv.h"

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

/* Decorations */

static void
add_decoration(struct spirv *s, uint32_t id, int32_t member, uint32_t decoration, uint32_t word,
               uint32_t num_words)
{
   hd_heap_step(s->heap, 1);
   /* Other shaders must compute it alike, whatever else they compute. */
   if (decoration == SPV_DECORATION_INVARIANT)
      s->float_flags |= HD_FP_EXACT;
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
void
hd_spirv_read_decorate(struct spirv *s, const struct spirv_instr *i)
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

void
hd_spirv_read_group_decorate(struct spirv *s, const struct spirv_instr *i)
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
