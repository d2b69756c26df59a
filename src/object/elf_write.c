/* SPDX-License-Identifier: MIT */
/* elf_write.c - write ELF64: elf_write.h. */
#include "object/elf_write.h"

#include <stdlib.h>
#include <string.h>

void
hd_elf_write(hd_blob *out, unsigned size, uint64_t value)
{
   uint8_t bytes[8];

   elf_put(bytes, size, value);
   hd_blob_append(out, bytes, size);
}

void
hd_elf_begin(elf_writer *w, unsigned section)
{
   const uint32_t align = w->infos[section].align;

   while ((w->out->size - w->start) % align && w->out->result == HD_OK)
      hd_elf_write(w->out, 1, 0);
   w->offset[section] = w->out->size - w->start;
   w->address[section] =
       w->infos[section].flags & ELF_FLAG_ALLOC ? w->offset[section] + w->pages : 0;
}

void
hd_elf_end(elf_writer *w, unsigned section)
{
   w->size[section] = w->out->size - w->start - w->offset[section];
}

void
hd_elf_write_zeroes(elf_writer *w, size_t num)
{
   while (num-- && w->out->result == HD_OK)
      hd_elf_write(w->out, 1, 0);
}

/* Symbol 0 is none. */
void
hd_elf_write_symbols(elf_writer *w, unsigned section)
{
   hd_elf_begin(w, section);
   hd_elf_write_zeroes(w, ELF_SYMBOL_SIZE);
   for (uint32_t n = 0; n < w->num_symbols; n++) {
      const elf_out_symbol *s = &w->symbols[n];
      hd_elf_write(w->out, 4, s->place);
      hd_elf_write(w->out, 1, ELF_GLOBAL << 4 | s->type);
      hd_elf_write(w->out, 1, ELF_PROTECTED);
      hd_elf_write(w->out, 2, s->section);
      hd_elf_write(w->out, 8, s->value);
      hd_elf_write(w->out, 8, s->size);
   }
   hd_elf_end(w, section);
}

void
hd_elf_write_names(elf_writer *w, unsigned section)
{
   hd_elf_begin(w, section);
   hd_blob_append(w->out, "", 1);
   for (uint32_t n = 0; n < w->num_symbols; n++) {
      w->symbols[n].place = (uint32_t)(w->out->size - w->start - w->offset[section]);
      hd_blob_append(w->out, w->symbols[n].name, strlen(w->symbols[n].name) + 1);
   }
   hd_elf_end(w, section);
}

static uint32_t
gnu_hash(const char *name)
{
   uint32_t h = 5381;

   for (; *name; name++)
      h = h * 33 + (uint8_t)*name;
   return h;
}

static uint32_t
old_hash(const char *name)
{
   uint32_t h = 0;

   for (; *name; name++) {
      h = (h << 4) + (uint8_t)*name;
      h = (h ^ (h >> 24 & 0xf0)) & 0x0fffffff;
   }
   return h;
}

/* The words of the filter are a power of two. */
void
hd_elf_write_gnu_hash(elf_writer *w, unsigned section)
{
   const uint32_t shift = 26, first = 1;
   hd_blob *out = w->out;
   uint32_t words = 1, next = 0;

   while (words * UINT64_C(8) < w->num_symbols)
      words *= 2;
   hd_elf_begin(w, section);
   hd_elf_write(out, 4, w->num_buckets);
   hd_elf_write(out, 4, first);
   hd_elf_write(out, 4, words);
   hd_elf_write(out, 4, shift);
   const size_t filter = out->size;
   hd_elf_write_zeroes(w, words * (size_t)8);
   for (uint32_t n = 0; n < w->num_symbols && out->result == HD_OK; n++) {
      const uint32_t h = gnu_hash(w->symbols[n].name);
      uint8_t *word = (uint8_t *)out->data + filter + h / 64 % words * (size_t)8;
      elf_put(word, 8, elf_get(word, 8) | UINT64_C(1) << h % 64 | UINT64_C(1) << (h >> shift) % 64);
   }
   for (uint32_t b = 0; b < w->num_buckets; b++) {
      const bool any = next < w->num_symbols && w->symbols[next].bucket == b;
      hd_elf_write(out, 4, any ? first + next : 0);
      while (next < w->num_symbols && w->symbols[next].bucket == b)
         next++;
   }
   /* Bit 0 marks the last of its bucket. */
   for (uint32_t n = 0; n < w->num_symbols; n++) {
      const bool last = n + 1 == w->num_symbols || w->symbols[n + 1].bucket != w->symbols[n].bucket;
      hd_elf_write(out, 4, (gnu_hash(w->symbols[n].name) & ~UINT32_C(1)) | last);
   }
   hd_elf_end(w, section);
}

void
hd_elf_write_hash(elf_writer *w, unsigned section, hd_stack *stack)
{
   const uint32_t num = w->num_symbols + 1;
   const hd_stack_mark mark = hd_stack_get_mark(stack);
   uint32_t *bucket = hd_stack_alloc_zero(stack, num * sizeof(*bucket));
   uint32_t *chain = hd_stack_alloc_zero(stack, num * sizeof(*chain));

   for (uint32_t n = 1; n < num; n++) {
      const uint32_t h = old_hash(w->symbols[n - 1].name) % num;
      chain[n] = bucket[h];
      bucket[h] = n;
   }
   hd_elf_begin(w, section);
   hd_elf_write(w->out, 4, num);
   hd_elf_write(w->out, 4, num);
   for (uint32_t n = 0; n < num; n++)
      hd_elf_write(w->out, 4, bucket[n]);
   for (uint32_t n = 0; n < num; n++)
      hd_elf_write(w->out, 4, chain[n]);
   hd_elf_end(w, section);
   hd_stack_release(stack, mark);
}

static int
by_bucket(const void *a, const void *b)
{
   const elf_out_symbol *x = a, *y = b;

   if (x->bucket != y->bucket)
      return x->bucket < y->bucket ? -1 : 1;
   return x->order < y->order ? -1 : x->order > y->order;
}

void
hd_elf_sort_symbols(elf_writer *w)
{
   for (uint32_t n = 0; n < w->num_symbols; n++)
      w->symbols[n].bucket = gnu_hash(w->symbols[n].name) % w->num_buckets;
   qsort(w->symbols, w->num_symbols, sizeof(*w->symbols), by_bucket);
}

static uint32_t
section_name(const elf_writer *w, unsigned section)
{
   uint32_t at = 0;

   for (unsigned n = 0; n < (unsigned)section; n++)
      at += (uint32_t)strlen(w->infos[n].name) + 1;
   return at;
}

void
hd_elf_write_section_names(elf_writer *w, unsigned section)
{
   hd_elf_begin(w, section);
   for (unsigned n = 0; n < w->num_sections; n++)
      hd_blob_append(w->out, w->infos[n].name, strlen(w->infos[n].name) + 1);
   hd_elf_end(w, section);
}

void
hd_elf_write_sections(const elf_writer *w)
{
   for (unsigned n = 0; n < w->num_sections; n++) {
      const elf_section_info *info = &w->infos[n];
      hd_elf_write(w->out, 4, section_name(w, n));
      hd_elf_write(w->out, 4, info->type);
      hd_elf_write(w->out, 8, info->flags);
      hd_elf_write(w->out, 8, w->address[n]);
      hd_elf_write(w->out, 8, w->offset[n]);
      hd_elf_write(w->out, 8, w->size[n]);
      hd_elf_write(w->out, 4, info->link);
      hd_elf_write(w->out, 4, info->info);
      hd_elf_write(w->out, 8, info->align);
      hd_elf_write(w->out, 8, info->entry_size);
   }
}

void
hd_elf_write_segment(hd_blob *out, uint32_t type, uint32_t flags, uint64_t offset, uint64_t address,
                     uint64_t size, uint64_t align)
{
   hd_elf_write(out, 4, type);
   hd_elf_write(out, 4, flags);
   hd_elf_write(out, 8, offset);
   hd_elf_write(out, 8, address);
   hd_elf_write(out, 8, address);
   hd_elf_write(out, 8, size);
   hd_elf_write(out, 8, size);
   hd_elf_write(out, 8, align);
}
