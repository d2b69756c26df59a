/* SPDX-License-Identifier: MIT */
/* memories.c - memory contents on the command line of heddle run: names, types and values. */
#include "memories.h"

#include "heddle/wave.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SIZE (UINT64_C(1) << 36)

static const struct {
   const char *name;
   unsigned size;
} elements[NUM_ELEMENTS] = {
   { "u8", 1 }, { "u16", 2 }, { "u32", 4 }, { "u64", 8 }, { "f32", 4 }, { "f64", 8 },
};

unsigned
memory_element_size(const struct memory *m)
{
   return elements[m->element].size;
}

/* Numbers */

bool
parse_number(const char *s, const char **end, uint64_t *value)
{
   char *stop;

   errno = 0;
   *value = strtoull(s, &stop, 0);
   *end = stop;
   return *s >= '0' && *s <= '9' && !errno && stop != s;
}

/* "X", "X,Y" or "X,Y,Z". */
bool
parse_three(const tool *t, const char *name, unsigned least, uint32_t out[3])
{
   const char *s = option_value(t, name);

   for (unsigned n = 0; s && n < 3; n++) {
      uint64_t value;
      if (!parse_number(s, &s, &value) || value < least || value > UINT32_MAX)
         break;
      out[n] = (uint32_t)value;
      if (!*s)
         return true;
      if (*s++ != ',')
         break;
   }
   if (s)
      trouble("--%s wants one to three numbers from %u, with commas between", name, least);
   return !s;
}

bool
parse_option_number(const tool *t, const char *name, uint64_t most, uint64_t *value)
{
   const char *s = option_value(t, name), *end;

   if (!s)
      return true;
   if (parse_number(s, &end, value) && !*end && *value <= most)
      return true;
   trouble("--%s wants a number up to %" PRIu64 ", not '%s'", name, most, s);
   return false;
}

/* Up to 32 hexadecimal digits, with or without 0x before them. */
bool
parse_mask(const tool *t, const char *name, hd_wave_mask *out, const hd_wave_mask **given)
{
   const char *mask = option_value(t, name);

   if (!mask)
      return true;
   const char *digits = strncmp(mask, "0x", 2) ? mask : mask + 2;
   const size_t num = strlen(digits);
   if (!num || num > 32 || strspn(digits, "0123456789abcdefABCDEF") != num)
      return trouble("--%s wants a mask of up to 32 hexadecimal digits, not '%s'", name, mask),
             false;
   for (size_t n = 0; n < num; n++) {
      const char digit[2] = { digits[n], 0 };
      const size_t nibble = num - 1 - n;
      out->word[nibble / 16] |= (uint64_t)strtoul(digit, NULL, 16) << nibble % 16 * 4;
   }
   *given = out;
   return true;
}

/* Memory */

static bool
put_element(struct memory *m, size_t at, const char **s)
{
   const unsigned size = elements[m->element].size;
   uint64_t value = 0;
   char *end;

   errno = 0;
   if (m->element == F32) {
      const float f = strtof(*s, &end);
      uint32_t bits;
      memcpy(&bits, &f, sizeof(f));
      value = bits;
   } else if (m->element == F64) {
      const double d = strtod(*s, &end);
      memcpy(&value, &d, sizeof(d));
   } else {
      value = **s == '-' ? (uint64_t)strtoll(*s, &end, 0) : strtoull(*s, &end, 0);
   }
   if (end == *s)
      return false;
   *s = end;
   for (unsigned n = 0; n < size; n++)
      m->data[at * size + n] = (uint8_t)(value >> 8 * n);
   return true;
}

static bool
parse_list(struct memory *m, const char *s)
{
   size_t count = 1;

   for (const char *p = s; *p; p++)
      count += *p == ',';
   m->size = count * elements[m->element].size;
   m->data = calloc(m->size, 1);
   for (size_t at = 0; m->data && at < count; at++) {
      if (!put_element(m, at, &s) || *s != (at + 1 < count ? ',' : 0))
         return false;
      s++;
   }
   return m->data != NULL;
}

static bool
set_file(struct memory *m, const char *name, size_t length)
{
   m->file = calloc(length + 1, 1);
   if (!m->file)
      return trouble("no memory for '%s'", m->operand), false;
   memcpy(m->file, name, length);
   return true;
}

/* Words before an @ that belong to the name. */
static bool
is_prefix(const char *operand, size_t length)
{
   static const char *const words[] = { "arg",    "corners", "global", "image",
                                        "inputs", "outputs", "sampler" };

   for (size_t n = 0; n < sizeof(words) / sizeof(words[0]); n++) {
      if (strlen(words[n]) == length && !strncmp(words[n], operand, length))
         return true;
   }
   return false;
}

bool
is_sampler(const struct memory *m)
{
   return !strncmp(m->operand, "sampler@", 8);
}

static bool
parse_argument_bytes(const tool *t, struct memory *m, const char *bytes)
{
   m->pointer = *bytes == '&' || !strcmp(bytes, "null");
   return !strcmp(bytes, "null") || parse_memory(t, m, bytes + m->pointer);
}

static bool
parse_shared(struct memory *m, const char *bytes)
{
   const char *end;
   uint64_t size;

   m->is_shared = true;
   if (!parse_number(bytes, &end, &size) || *end || size > UINT32_MAX / 2)
      return trouble("'%s': expected a size up to 2^31", m->operand), false;
   m->size = (size_t)size;
   return true;
}

bool
parse_named_memory(const tool *t, struct memory *m, const char *operand)
{
   const char *equals = strchr(operand, '='), *at;

   m->operand = operand;
   if (!equals)
      return trouble("'%s' is not NAME=BYTES", operand), false;
   m->name_length = (size_t)(equals - operand);
   at = memchr(operand, '@', m->name_length);
   if (at && is_prefix(operand, (size_t)(at - operand)))
      at = memchr(at + 1, '@', (size_t)(equals - at - 1));
   if (at) {
      if (!set_file(m, at + 1, (size_t)(equals - at - 1)))
         return false;
      m->name_length = (size_t)(at - operand);
   }
   if (is_sampler(m))
      return true; /* its kind is given there, no bytes */
   if (strncmp(operand, "arg@", 4) != 0)
      return parse_memory(t, m, equals + 1);
   return strncmp(equals, "=local:", 7) ? parse_argument_bytes(t, m, equals + 1)
                                        : parse_shared(m, equals + 7);
}

bool
parse_memory(const tool *t, struct memory *m, const char *s)
{
   uint64_t size;
   const char *end;

   m->element = U32;
   if (*s == '@') {
      char *data;
      if (read_file(t, s + 1, &data, &m->size))
         return false;
      m->data = (uint8_t *)data;
   } else if (!strncmp(s, "zero:", 5)) {
      if (!parse_number(s + 5, &end, &size) || *end || size > MAX_SIZE || size >= SIZE_MAX) {
         trouble("'%s': expected a size up to 2^36", m->operand);
         return false;
      }
      m->size = (size_t)size;
      m->data = calloc(m->size + 1, 1);
   } else {
      unsigned n = 0;
      while (n < NUM_ELEMENTS && (strncmp(s, elements[n].name, strlen(elements[n].name)) ||
                                  s[strlen(elements[n].name)] != ':'))
         n++;
      m->element = n < NUM_ELEMENTS ? (enum element)n : U32;
      if (n == NUM_ELEMENTS || !parse_list(m, s + strlen(elements[n].name) + 1)) {
         trouble("'%s' is not @FILE, zero:SIZE or TYPE:NUMBER,... with one of the types u8, u16, "
                 "u32, u64, f32 and f64",
                 m->operand);
         return false;
      }
   }
   m->undefined = calloc(m->size + 1, 1);
   if (m->data && m->undefined)
      return true;
   trouble("no memory for '%s'", m->operand);
   return false;
}

bool
write_memory(const struct memory *m)
{
   return write_file(m->file, m->data, m->size);
}

void
free_memory(struct memory *m)
{
   free(m->file);
   free(m->data);
   free(m->undefined);
}

bool
parse_argument(const tool *t, struct memory *m, const char *operand)
{
   const char *bytes = operand, *equals = strchr(operand, '=');
   const char *colon = strpbrk(operand, ":&");

   m->operand = operand;
   if (*operand != '@' && equals && (!colon || equals < colon || strchr(operand, '@') < equals)) {
      const char *at = memchr(operand, '@', (size_t)(equals - operand));
      bytes = equals + 1;
      m->name_length = (size_t)((at ? at : equals) - operand);
      if (at && !set_file(m, at + 1, (size_t)(equals - at - 1)))
         return false;
   }
   return strncmp(bytes, "local:", 6) ? parse_argument_bytes(t, m, bytes)
                                      : parse_shared(m, bytes + 6);
}

static void
print_element(const struct memory *m, size_t at, bool json)
{
   const unsigned size = elements[m->element].size;
   uint64_t value = 0;
   bool undefined = false;

   for (unsigned n = 0; n < size; n++) {
      value |= (uint64_t)m->data[at * size + n] << 8 * n;
      undefined |= m->undefined[at * size + n];
   }
   float f;
   double d;
   const uint32_t low = (uint32_t)value;
   memcpy(&f, &low, sizeof(f));
   memcpy(&d, &value, sizeof(d));
   if (m->element == F32)
      d = (double)f;
   const bool is_float = m->element == F32 || m->element == F64;
   const bool is_number = d - d == 0;
   if (undefined)
      printf(json ? "null" : "?");
   else if (!is_float)
      printf("%" PRIu64, value);
   else if (json && !is_number)
      printf("\"%g\"", d);
   else
      printf(m->element == F32 ? "%.9g" : "%.17g", d);
}

void
print_memory(const struct memory *m, bool json)
{
   const size_t count = m->size / elements[m->element].size;

   printf(json ? "\"%.*s\":[" : "%.*s =", (int)m->name_length, m->operand);
   for (size_t n = 0; n < count; n++) {
      printf(json ? n ? "," : "" : " ");
      print_element(m, n, json);
   }
   printf(json ? "]" : "\n");
}
