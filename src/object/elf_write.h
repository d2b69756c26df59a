/* SPDX-License-Identifier: MIT */
/* elf_write.h - write ELF64: sections, symbols with both kinds of hash tables, segments.
 *
 * Everything is written twice: once to find out where it lies, and once with that.
 */
#ifndef HEDDLE_OBJECT_ELF_WRITE_H
#define HEDDLE_OBJECT_ELF_WRITE_H

#include "object/elf.h"
#include "util/memory.h"

#define ELF_MAX_SECTIONS 16

typedef struct elf_section_info {
   const char *name;
   uint32_t type, flags, link, info, align, entry_size;
} elf_section_info;

typedef struct elf_out_symbol {
   const char *name;
   uint32_t order; /* among those of one bucket */
   uint8_t type;
   uint16_t section;
   uint64_t value, size;
   uint32_t bucket; /* of .gnu.hash */
   uint32_t place;  /* of the name in the table of strings */
} elf_out_symbol;

typedef struct elf_writer {
   const elf_section_info *infos; /* the first one is none */
   unsigned num_sections;
   hd_blob *out;
   size_t start;            /* in `out` */
   uint64_t pages;          /* between the position in the file and the address, now */
   elf_out_symbol *symbols; /* all global and protected; bucket by bucket */
   uint32_t num_symbols, num_buckets;
   uint64_t offset[ELF_MAX_SECTIONS], address[ELF_MAX_SECTIONS], size[ELF_MAX_SECTIONS];
} elf_writer;

void hd_elf_write(hd_blob *out, unsigned size, uint64_t value);
void hd_elf_write_zeroes(elf_writer *w, size_t num);
/* Sections. */
void hd_elf_begin(elf_writer *w, unsigned section);
void hd_elf_end(elf_writer *w, unsigned section);
/* Find the buckets, and sort by them. */
void hd_elf_sort_symbols(elf_writer *w);
void hd_elf_write_symbols(elf_writer *w, unsigned section);
void hd_elf_write_names(elf_writer *w, unsigned section);
void hd_elf_write_gnu_hash(elf_writer *w, unsigned section);
void hd_elf_write_hash(elf_writer *w, unsigned section, hd_stack *stack);
void hd_elf_write_section_names(elf_writer *w, unsigned section);
/* The table of sections: at the end. */
void hd_elf_write_sections(const elf_writer *w);
/* A segment's row. */
void hd_elf_write_segment(hd_blob *out, uint32_t type, uint32_t flags, uint64_t offset,
                          uint64_t address, uint64_t size, uint64_t align);

#endif
