/* SPDX-License-Identifier: MIT */
/* elf_image.c - load a code object: its memory image, from address 0 on.
 *
 * A linked object is laid out by its segments. The sections of a relocatable one are laid out here:
 * read-only data, code, writable data; its relocations are applied: relative ones at once, absolute
 * ones when it is loaded.
 */
#include "object/elf_read.h"

#include <inttypes.h>
#include <string.h>

#define MAX_IMAGE (UINT64_C(1) << 28)
#define PAGE      UINT64_C(4096)

enum {
   RELOC_NONE = 0,
   RELOC_REL32 = 4,
   RELOC_REL64 = 5,
   RELOC_GOTPCREL = 7,
   RELOC_GOTPCREL32_LO = 8,
   RELOC_GOTPCREL32_HI = 9,
   RELOC_REL32_LO = 10,
   RELOC_REL32_HI = 11,
   SECTION_RELA = 4,
   SECTION_NOBITS = 8,
   BINDING_WEAK = 2,
};

static void
add_fixup(elf_file *e, uint64_t at, uint64_t target, unsigned type)
{
   if (e->num_fixups == e->fixup_capacity) {
      const uint32_t capacity = e->fixup_capacity ? 2 * e->fixup_capacity : 16;
      elf_fixup *fixups = hd_stack_alloc(&e->stack, capacity * sizeof(*fixups));
      if (e->num_fixups)
         memcpy(fixups, e->fixups, e->num_fixups * sizeof(*fixups));
      e->fixups = fixups;
      e->fixup_capacity = capacity;
   }
   e->fixups[e->num_fixups++] = (elf_fixup){ at, target, (uint8_t)type };
}

static uint8_t *
place(elf_file *e, uint64_t at, uint64_t size)
{
   if (at > e->image_size || size > e->image_size - at)
      hd_elf_refuse(e, HD_INVALID, 0, "a relocation of address 0x%" PRIx64 ", which is not loaded",
                    at);
   return e->image + at;
}

/* Linked objects */

static void
read_segments(elf_file *e)
{
   const uint64_t offset = elf_get(e->data + 32, 8);
   const uint32_t num = (uint32_t)elf_get(e->data + 56, 2);

   if (num && elf_get(e->data + 54, 2) != ELF_SEGMENT_SIZE)
      hd_elf_refuse(e, HD_INVALID, 54, "program headers of %u bytes, expected %u",
                    (unsigned)elf_get(e->data + 54, 2), ELF_SEGMENT_SIZE);
   const uint8_t *p =
       hd_elf_bytes(e, offset, (uint64_t)num * ELF_SEGMENT_SIZE, "the program headers");
   e->segments = hd_stack_alloc_zero(&e->stack, num * sizeof(hd_gcn_segment) + 1);
   for (uint32_t n = 0; n < num; n++, p += ELF_SEGMENT_SIZE) {
      const uint32_t flags = (uint32_t)elf_get(p + 4, 4);
      const uint64_t file_size = elf_get(p + 32, 8), size = elf_get(p + 40, 8);
      const uint64_t address = elf_get(p + 16, 8);
      if (elf_get(p, 4) != ELF_SEGMENT_LOAD)
         continue;
      if (file_size > size || size > MAX_IMAGE || address > MAX_IMAGE - size)
         hd_elf_refuse(e, HD_INVALID, (uint64_t)(p - e->data),
                       "a segment of %" PRIu64 " bytes at 0x%" PRIx64 " is out of range", size,
                       address);
      const hd_gcn_segment *last = e->num_segments ? &e->segments[e->num_segments - 1] : NULL;
      if (last && address < last->address + last->size)
         hd_elf_refuse(e, HD_INVALID, (uint64_t)(p - e->data),
                       "segments overlap, or are in no order");
      e->segments[e->num_segments++] = (hd_gcn_segment){
         .address = address,
         .data = hd_elf_bytes(e, elf_get(p + 8, 8), file_size, "a segment"),
         .file_size = file_size,
         .size = size,
         .writable = flags & ELF_WRITE,
         .executable = flags & ELF_EXECUTE,
      };
      e->image_size = address + size;
   }
}

static void
load_segments(elf_file *e)
{
   e->image = hd_stack_alloc_zero(&e->stack, (size_t)e->image_size + 1);
   for (uint32_t n = 0; n < e->num_segments; n++) {
      hd_gcn_segment *s = &e->segments[n];
      if (s->file_size)
         memcpy(e->image + s->address, s->data, (size_t)s->file_size);
      s->data = e->image + s->address;
   }
}

/* Relocations that are left for the loader. */
static void
read_dynamic_relocations(elf_file *e, const elf_section *s)
{
   const uint8_t *p = hd_elf_bytes(e, s->offset, s->size, "relocations");

   for (uint64_t n = 0; n < s->size / ELF_RELA_SIZE; n++, p += ELF_RELA_SIZE) {
      const uint64_t at = elf_get(p, 8), addend = elf_get(p + 16, 8);
      const uint32_t type = (uint32_t)elf_get(p + 8, 4), symbol = (uint32_t)elf_get(p + 12, 4);
      uint64_t target = addend;
      if (type == RELOC_NONE)
         continue;
      if (type != ELF_RELOC_RELATIVE64 && type != ELF_RELOC_ABS64)
         hd_elf_refuse(e, HD_UNSUPPORTED, (uint64_t)(p - e->data), "a relocation of type %u", type);
      if (type == ELF_RELOC_ABS64) {
         /* These count in .dynsym. */
         const elf_section *dynsym = s->link < e->num_sections ? &e->sections[s->link] : NULL;
         if (!dynsym || dynsym->type != ELF_SECTION_DYNSYM ||
             symbol >= dynsym->size / ELF_SYMBOL_SIZE)
            hd_elf_refuse(e, HD_INVALID, (uint64_t)(p - e->data),
                          "a relocation by a symbol that does not exist");
         const uint8_t *sym = hd_elf_bytes(e, dynsym->offset, dynsym->size, "the symbols") +
                              symbol * (size_t)ELF_SYMBOL_SIZE;
         if (!elf_get(sym + 6, 2))
            hd_elf_refuse(e, HD_INVALID, (uint64_t)(p - e->data), "symbol %u is defined nowhere",
                          symbol);
         target += elf_get(sym + 8, 8);
      }
      place(e, at, 8);
      add_fixup(e, at, target, ELF_RELOC_ABS64);
   }
}

/* Relocatable objects */

enum part { READ_ONLY, CODE, WRITABLE, NUM_PARTS };

static enum part
part_of(const elf_section *s)
{
   return s->flags & ELF_FLAG_EXECUTE ? CODE : s->flags & ELF_FLAG_WRITE ? WRITABLE : READ_ONLY;
}

static uint64_t
aligned(uint64_t value, uint64_t align)
{
   return (value + align - 1) & ~(align - 1);
}

/* Places for the sections of a part; a slot of 8 bytes for each symbol follows what is writable. */
static void
lay_out(elf_file *e, enum part part, uint64_t *got)
{
   uint64_t end = aligned(e->image_size, PAGE);
   const uint64_t start = end;

   for (uint32_t n = 0; n < e->num_sections; n++) {
      elf_section *s = &e->sections[n];
      if (!(s->flags & ELF_FLAG_ALLOC) || part_of(s) != part)
         continue;
      if (s->align & (s->align - 1) || s->align > PAGE || s->size > MAX_IMAGE)
         hd_elf_refuse(e, HD_INVALID, s->offset,
                       "section %s: %" PRIu64 " bytes, aligned to %" PRIu64, s->name, s->size,
                       s->align);
      s->address = aligned(end, s->align ? s->align : 1);
      end = s->address + s->size;
      if (end > MAX_IMAGE)
         hd_elf_refuse(e, HD_INVALID, s->offset, "section %s: the object is too large", s->name);
   }
   if (part == WRITABLE) {
      *got = aligned(end, 8);
      end = *got + e->num_symbols * UINT64_C(8);
   }
   if (end == start)
      return;
   e->segments[e->num_segments++] = (hd_gcn_segment){
      .address = start,
      .file_size = end - start,
      .size = end - start,
      .writable = part == WRITABLE,
      .executable = part == CODE,
   };
   e->image_size = end;
}

static uint64_t
link_sections(elf_file *e)
{
   uint64_t got = 0;

   e->segments = hd_stack_alloc_zero(&e->stack, NUM_PARTS * sizeof(hd_gcn_segment));
   for (unsigned part = 0; part < NUM_PARTS; part++)
      lay_out(e, (enum part)part, &got);
   e->image = hd_stack_alloc_zero(&e->stack, (size_t)e->image_size + 1);
   for (uint32_t n = 0; n < e->num_sections; n++) {
      const elf_section *s = &e->sections[n];
      if (s->flags & ELF_FLAG_ALLOC && s->type != SECTION_NOBITS && s->size)
         memcpy(e->image + s->address, hd_elf_bytes(e, s->offset, s->size, "a section"),
                (size_t)s->size);
   }
   for (uint32_t n = 0; n < e->num_segments; n++)
      e->segments[n].data = e->image + e->segments[n].address;
   return got;
}

static void
apply(elf_file *e, uint64_t at, unsigned type, uint64_t target, uint64_t got)
{
   uint64_t distance = target - at;

   switch (type) {
   case RELOC_NONE:
      return;
   case RELOC_REL64:
      elf_put(place(e, at, 8), 8, distance);
      return;
   case RELOC_GOTPCREL:
   case RELOC_GOTPCREL32_LO:
   case RELOC_GOTPCREL32_HI:
      distance = got - at;
      elf_put(place(e, at, 4), 4, type == RELOC_GOTPCREL32_HI ? distance >> 32 : distance);
      return;
   case RELOC_REL32:
   case RELOC_REL32_LO:
   case RELOC_REL32_HI:
      elf_put(place(e, at, 4), 4, type == RELOC_REL32_HI ? distance >> 32 : distance);
      return;
   case ELF_RELOC_ABS32:
   case ELF_RELOC_ABS32_LO:
   case ELF_RELOC_ABS32_HI:
   case ELF_RELOC_ABS64:
      place(e, at, type == ELF_RELOC_ABS64 ? 8 : 4);
      add_fixup(e, at, target, type);
      return;
   default:
      hd_elf_refuse(e, HD_UNSUPPORTED, 0, "a relocation of type %u", type);
   }
}

static void
relocate(elf_file *e, const elf_section *s, uint64_t got)
{
   const uint8_t *p = hd_elf_bytes(e, s->offset, s->size, "relocations");

   if (s->link != e->symbol_section)
      hd_elf_refuse(e, HD_INVALID, s->offset, "relocations by another table of symbols");
   for (uint64_t n = 0; n < s->size / ELF_RELA_SIZE; n++, p += ELF_RELA_SIZE) {
      const uint64_t offset = elf_get(p, 8), addend = elf_get(p + 16, 8);
      const uint32_t type = (uint32_t)elf_get(p + 8, 4), index = (uint32_t)elf_get(p + 12, 4);
      const elf_section *to = &e->sections[s->info];
      uint64_t target = 0;
      if (index >= e->num_symbols || offset > to->size)
         hd_elf_refuse(e, HD_INVALID, (uint64_t)(p - e->data),
                       "a relocation outside of its section");
      const elf_symbol *symbol = &e->symbols[index];
      const bool defined = hd_elf_symbol_address(e, symbol, &target);
      if (!defined && symbol->binding != BINDING_WEAK)
         hd_elf_refuse(e, HD_INVALID, (uint64_t)(p - e->data), "%s is defined nowhere",
                       symbol->name);
      const uint64_t slot = got + index * UINT64_C(8);
      if (defined && type >= RELOC_GOTPCREL && type <= RELOC_GOTPCREL32_HI)
         add_fixup(e, slot, target, ELF_RELOC_ABS64);
      apply(e, to->address + offset, type, target + addend, slot + addend);
   }
}

void
hd_elf_make_image(elf_file *e)
{
   uint64_t got = 0;

   if (e->relocatable) {
      got = link_sections(e);
   } else {
      read_segments(e);
      load_segments(e);
   }
   for (uint32_t n = 0; n < e->num_sections; n++) {
      const elf_section *s = &e->sections[n];
      if (s->type != SECTION_RELA)
         continue;
      if (!e->relocatable && s->flags & ELF_FLAG_ALLOC)
         read_dynamic_relocations(e, s);
      else if (e->relocatable && s->info < e->num_sections &&
               e->sections[s->info].flags & ELF_FLAG_ALLOC)
         relocate(e, s, got);
   }
}
