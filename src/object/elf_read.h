/* SPDX-License-Identifier: MIT */
/* elf_read.h - read code objects: sections and symbols; the memory image.
 *
 *    elf_read.c       header, sections, symbols, from untrusted bytes
 *    elf_image.c      the memory image; relocatable objects are linked; relocations for the loader
 *    metadata_read.c  the note
 *    object_read.c    kernels: the entry point
 */
#ifndef HEDDLE_OBJECT_ELF_READ_H
#define HEDDLE_OBJECT_ELF_READ_H

#include "heddle/gcn_object.h"
#include "object/elf.h"
#include "util/memory.h"

typedef struct elf_section {
   const char *name;
   uint32_t type, link, info;
   uint64_t flags, address, offset, size, align, entry_size;
} elf_section;

typedef struct elf_symbol {
   const char *name;
   uint64_t value, size;
   uint16_t section;
   uint8_t type, binding;
} elf_symbol;

/* When the image is loaded at an address, that of `target` in it is written there. */
typedef struct elf_fixup {
   uint64_t at, target;
   uint8_t type; /* ELF_RELOC_ABS64, ABS32, ABS32_LO, ABS32_HI */
} elf_fixup;

typedef struct elf_file {
   hd_heap heap;
   hd_stack stack;
   const char *name;
   const uint8_t *data;
   size_t size;
   bool relocatable;
   uint32_t abi_version, flags;
   elf_section *sections;
   uint32_t num_sections;
   elf_symbol *symbols; /* of .symtab, or of .dynsym where there is none */
   uint32_t num_symbols, symbol_section;
   const elf_symbol **by_name; /* those that are defined, sorted */
   uint32_t num_named;

   uint8_t *image; /* from address 0 on */
   uint64_t image_size;
   hd_gcn_segment *segments;
   uint32_t num_segments;
   elf_fixup *fixups;
   uint32_t num_fixups, fixup_capacity;
} elf_file;

/* What a caller of hd_gcn_object_read gets. */
typedef struct hd_gcn_object_file {
   hd_gcn_object object;
   elf_file elf;
} hd_gcn_object_file;

/* Send a diagnostic, and unwind. */
HD_NORETURN void hd_elf_refuse(elf_file *e, hd_result result, uint64_t offset, const char *format,
                               ...) HD_PRINTF(4, 5);

/* These unwind where the bytes are not what they should be. */
void hd_elf_read(elf_file *e);
void hd_elf_make_image(elf_file *e);
/* The bytes of a section; those of the file must be there. */
const uint8_t *hd_elf_bytes(elf_file *e, uint64_t offset, uint64_t size, const char *what);
/* Where a symbol lies in the image. False: it is not defined in a section that is loaded. */
bool hd_elf_symbol_address(const elf_file *e, const elf_symbol *s, uint64_t *address);
/* The symbol of a name; NULL when there is none. */
const elf_symbol *hd_elf_find_symbol(const elf_file *e, const char *name, size_t length);

/* Kernels as the note describes them, else by the symbols of their descriptors: all but what the
 * descriptor has.
 */
void hd_gcn_metadata_read(elf_file *e, hd_gcn_object *object);

#endif
