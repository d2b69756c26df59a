/* SPDX-License-Identifier: MIT */
/* parse_names.c - parser: symbol lookup. */
#include "ir/parse.h"
#include "util/digest.h"

static uint32_t
add_record(struct name_table *t)
{
   if (t->num_records == t->records_capacity) {
      size_t capacity = t->records_capacity;
      t->records =
          hd_parse_grow(t->stack, t->records, t->num_records, &capacity, sizeof(*t->records));
      t->records_capacity = (uint32_t)capacity;
   }
   memset(&t->records[t->num_records], 0, sizeof(*t->records));
   return t->num_records++;
}

static void
grow_slots(struct name_table *t)
{
   uint32_t capacity = t->slots_capacity ? t->slots_capacity * 2 : 16;
   struct name_slot *slots = hd_stack_alloc_zero(t->stack, capacity * sizeof(*slots));

   for (uint32_t i = 0; i < t->slots_capacity; i++) {
      if (!t->slots[i].key)
         continue;
      uint32_t h = t->slots[i].hash;
      while (slots[h & (capacity - 1)].key)
         h++;
      slots[h & (capacity - 1)] = t->slots[i];
   }
   t->slots = slots;
   t->slots_capacity = capacity;
}

uint32_t
hd_parse_name(struct name_table *t, const char *key, size_t length)
{
   if (t->num_slots_used >= t->slots_capacity / 2)
      grow_slots(t);
   uint32_t first = hd_hash_name(t->stack, key, length), h = first, mask = t->slots_capacity - 1;
   struct name_slot *slot;
   for (; (slot = &t->slots[h & mask])->key; h++) {
      if (slot->hash == first && slot->length == length && !memcmp(slot->key, key, length))
         return slot->record;
   }
   *slot = (struct name_slot){ key, length, first, add_record(t) };
   t->num_slots_used++;
   return slot->record;
}

/* The numbers below `need` move to the array: at least twice as many as before, so that all the
 * moving is linear, up to a logarithm where the hash table is full of numbers.
 */
static void
grow_numbers(struct name_table *t, uint32_t need)
{
   uint32_t capacity = t->numbers_capacity * 2 > need ? t->numbers_capacity * 2 : need;
   uint32_t *numbers = hd_stack_alloc_zero(t->stack, capacity * sizeof(*numbers));

   if (t->numbers_capacity)
      memcpy(numbers, t->numbers, t->numbers_capacity * sizeof(*numbers));
   t->numbers = numbers;
   t->numbers_capacity = capacity;
   for (uint32_t i = 0; i < t->slots_capacity; i++) {
      uint64_t number;
      if (t->slots[i].key && hd_parse_integer(t->slots[i].key, t->slots[i].length, &number) &&
          number < capacity)
         numbers[number] = t->slots[i].record + 1;
   }
}

static uint32_t
number_record(struct name_table *t, const char *digits, size_t length, uint64_t number)
{
   if (number >= t->numbers_capacity && number < t->num_records * (uint64_t)2 + 64)
      grow_numbers(t, (uint32_t)number + 64);
   if (number >= t->numbers_capacity) {
      while (length > 1 && *digits == '0') {
         digits++;
         length--;
      }
      return hd_parse_name(t, digits, length);
   }
   if (!t->numbers[number])
      t->numbers[number] = add_record(t) + 1;
   return t->numbers[number] - 1;
}

static void
mention(struct name_table *t, uint32_t record, const struct token *tok)
{
   struct record *r = &t->records[record];

   if (!r->place) {
      r->place = tok->start;
      r->length = tok->length;
   }
}

uint32_t
hd_parse_value_record(struct parser *p, const struct token *t)
{
   const char *key = t->start + 1;
   size_t length = t->length - 1;
   uint32_t record = t->numeric ? number_record(&p->values, key, length, t->number)
                                : hd_parse_name(&p->values, key, length);

   mention(&p->values, record, t);
   return record;
}

/* Whether a word is b and a number. */
static bool
is_block_number(const struct token *t, uint64_t *number)
{
   if (t->length < 2 || *t->start != 'b')
      return false;
   *number = 0;
   for (size_t n = 1; n < t->length; n++) {
      unsigned digit = (unsigned)(t->start[n] - '0');
      if (digit > 9)
         return false;
      *number = *number > (UINT64_MAX - digit) / 10 ? UINT64_MAX : *number * 10 + digit;
   }
   return true;
}

uint32_t
hd_parse_block_record(struct parser *p, const struct token *t)
{
   uint64_t number;
   uint32_t record = is_block_number(t, &number)
                         ? number_record(&p->blocks, t->start + 1, t->length - 1, number)
                         : hd_parse_name(&p->blocks, t->start, t->length);

   mention(&p->blocks, record, t);
   return record;
}

bool
hd_parse_define(struct parser *p, struct name_table *table, uint32_t record, void *object,
                const char *place, size_t length, const char *what)
{
   struct record *r = &table->records[record];

   if (r->defined) {
      int shown = length < 40 ? (int)length : 40;
      hd_parse_report(p, place, length, "%s '%.*s' is defined twice", what, shown, place);
      hd_parse_note(p, r->place, r->length, "the first definition is here");
      return false;
   }
   r->object = object;
   r->defined = true;
   r->place = place;
   r->length = length;
   return true;
}
