/* SPDX-License-Identifier: MIT */
/* elf_read.c - read the header, sections and symbols of a code object. */
#include "object/elf_read.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "util/quote.h"

void
hd_elf_refuse(elf_file *e, hd_result result, uint64_t offset, const char *format, ...)
{
   const hd_diag_sink *sink = &e->heap.config.diag;
   char text[512];
   va_list args;

   va_start(args, format);
   vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   const hd_diag diag = {
      .severity = HD_ERROR, .file = e->name, .offset = offset, .message = text
   };
   hd_diag_send(sink, &diag);
   hd_heap_fail(&e->heap, result);
   __builtin_unreachable();
}

const uint8_t *
hd_elf_bytes(elf_file *e, uint64_t offset, uint64_t size, const char *what)
{
   if (offset > e->size || size > e->size - offset)
      hd_elf_refuse(e, HD_INVALID, offset, "%s: %" PRIu64 " bytes at %" PRIu64 " of a file of %zu",
                    what, size, offset, e->size);
   return e->data + offset;
}

static void
read_header(elf_file *e)
{
   const uint8_t *h = hd_elf_bytes(e, 0, ELF_HEADER_SIZE, "the header");

   if (memcmp(h, "\177ELF\2\1\1", 7))
      hd_elf_refuse(e, HD_INVALID, 0, "no ELF file of 64 bits, little-endian");
   if (elf_get(h + 18, 2) != ELF_MACHINE_AMDGPU || h[7] != ELF_OS_HSA)
      hd_elf_refuse(e, HD_UNSUPPORTED, 7, "no HSA code object: it is for machine %u, system %u",
                    (unsigned)elf_get(h + 18, 2), h[7]);
   e->abi_version = h[8];
   if (e->abi_version < ELF_ABI_V3 || e->abi_version > ELF_ABI_V6)
      hd_elf_refuse(e, HD_UNSUPPORTED, 8,
                    "a code object of version %u: only versions 3 to 6 can be read",
                    e->abi_version + 2);
   const unsigned type = (unsigned)elf_get(h + 16, 2);
   if (type != ELF_TYPE_SHARED && type != ELF_TYPE_RELOCATABLE)
      hd_elf_refuse(e, HD_INVALID, 16, "neither a shared nor a relocatable object: type %u", type);
   e->relocatable = type == ELF_TYPE_RELOCATABLE;
   e->flags = (uint32_t)elf_get(h + 48, 4);
}

/* The string that begins there in a table of strings. */
static const char *
string_at(elf_file *e, uint32_t table, uint64_t at)
{
   if (table >= e->num_sections || e->sections[table].type != ELF_SECTION_STRTAB)
      hd_elf_refuse(e, HD_INVALID, 0, "section %u, expected a table of strings", table);
   const elf_section *s = &e->sections[table];
   const uint8_t *bytes = hd_elf_bytes(e, s->offset, s->size, "a table of strings");
   if (at >= s->size || !memchr(bytes + at, 0, s->size - at))
      hd_elf_refuse(e, HD_INVALID, s->offset,
                    "a name at byte %" PRIu64 " of a table of strings of %" PRIu64 " bytes", at,
                    s->size);
   return (const char *)bytes + at;
}

static void
read_sections(elf_file *e)
{
   const uint8_t *h = e->data;
   const uint64_t offset = elf_get(h + 40, 8);
   const uint32_t names = (uint32_t)elf_get(h + 62, 2);

   e->num_sections = (uint32_t)elf_get(h + 60, 2);
   if (!e->num_sections || elf_get(h + 58, 2) != ELF_SECTION_SIZE)
      hd_elf_refuse(e, HD_INVALID, 60, "the file has no sections");
   const uint8_t *table =
       hd_elf_bytes(e, offset, (uint64_t)e->num_sections * ELF_SECTION_SIZE, "the sections");
   e->sections = hd_stack_alloc_zero(&e->stack, e->num_sections * sizeof(elf_section));
   for (uint32_t n = 0; n < e->num_sections; n++) {
      const uint8_t *p = table + n * (size_t)ELF_SECTION_SIZE;
      e->sections[n] = (elf_section){
         .type = (uint32_t)elf_get(p + 4, 4),
         .flags = elf_get(p + 8, 8),
         .address = elf_get(p + 16, 8),
         .offset = elf_get(p + 24, 8),
         .size = elf_get(p + 32, 8),
         .link = (uint32_t)elf_get(p + 40, 4),
         .info = (uint32_t)elf_get(p + 44, 4),
         .align = elf_get(p + 48, 8),
         .entry_size = elf_get(p + 56, 8),
      };
   }
   for (uint32_t n = 0; n < e->num_sections; n++)
      e->sections[n].name = string_at(e, names, elf_get(table + n * (size_t)ELF_SECTION_SIZE, 4));
}

static void
read_symbols(elf_file *e)
{
   uint32_t found = 0;

   for (uint32_t n = 0; n < e->num_sections; n++) {
      const uint32_t type = e->sections[n].type;
      if (type == ELF_SECTION_SYMTAB || (type == ELF_SECTION_DYNSYM && !found))
         found = n;
   }
   if (!found)
      hd_elf_refuse(e, HD_INVALID, 0, "the file has no symbols");
   const elf_section *s = &e->sections[found];
   const uint8_t *p = hd_elf_bytes(e, s->offset, s->size, "the symbols");
   if (s->size / ELF_SYMBOL_SIZE > UINT32_MAX)
      hd_elf_refuse(e, HD_INVALID, s->offset, "more than 2^32 symbols");
   e->symbol_section = found;
   e->num_symbols = (uint32_t)(s->size / ELF_SYMBOL_SIZE);
   e->symbols = hd_stack_alloc_zero(&e->stack, e->num_symbols * sizeof(elf_symbol) + 1);
   for (uint32_t n = 0; n < e->num_symbols; n++, p += ELF_SYMBOL_SIZE)
      e->symbols[n] = (elf_symbol){
         .name = string_at(e, s->link, elf_get(p, 4)),
         .type = p[4] & 15,
         .binding = p[4] >> 4,
         .section = (uint16_t)elf_get(p + 6, 2),
         .value = elf_get(p + 8, 8),
         .size = elf_get(p + 16, 8),
      };
}

static int
by_name(const void *a, const void *b)
{
   const elf_symbol *x = *(const elf_symbol *const *)a, *y = *(const elf_symbol *const *)b;
   const int order = strcmp(x->name, y->name);

   return order ? order : x < y ? -1 : x > y;
}

/* Those that are defined. */
static void
sort_symbols(elf_file *e)
{
   e->by_name = hd_stack_alloc(&e->stack, (e->num_symbols + 1) * sizeof(*e->by_name));
   for (uint32_t n = 1; n < e->num_symbols; n++) {
      if (e->symbols[n].section)
         e->by_name[e->num_named++] = &e->symbols[n];
   }
   if (e->num_named)
      qsort(e->by_name, e->num_named, sizeof(*e->by_name), by_name);
}

void
hd_elf_read(elf_file *e)
{
   read_header(e);
   read_sections(e);
   read_symbols(e);
   sort_symbols(e);
}

bool
hd_elf_symbol_address(const elf_file *e, const elf_symbol *s, uint64_t *address)
{
   if (!s->section || s->section >= e->num_sections ||
       !(e->sections[s->section].flags & ELF_FLAG_ALLOC))
      return false;
   *address = s->value + (e->relocatable ? e->sections[s->section].address : 0);
   return *address <= e->image_size;
}

static int
compare_names(const char *a, const char *name, size_t length)
{
   const int order = strncmp(a, name, length);

   return order ? order : a[length] != 0;
}

const elf_symbol *
hd_elf_find_symbol(const elf_file *e, const char *name, size_t length)
{
   uint32_t low = 0, high = e->num_named;

   /* A name inside of a note may have a 0 where symbols cannot. */
   if (memchr(name, 0, length))
      return NULL;
   while (low < high) {
      const uint32_t middle = low + (high - low) / 2;
      if (compare_names(e->by_name[middle]->name, name, length) < 0)
         low = middle + 1;
      else
         high = middle;
   }
   return low < e->num_named && !compare_names(e->by_name[low]->name, name, length)
              ? e->by_name[low]
              : NULL;
}
