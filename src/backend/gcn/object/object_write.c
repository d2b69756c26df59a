/* SPDX-License-Identifier: MIT */
/* object_write.c - write kernels as a linked HSA code object of version 5, as a loader maps it.
 *
 *    0x0000  header, segments, .note .dynsym .gnu.hash .hash .dynstr .rodata     read
 *    0x1...  .text                                                               read, execute
 *    0x2...  .dynamic                                                            read, write
 *            .symtab .shstrtab .strtab, sections                                 not loaded
 *
 * A segment's address is its file offset plus a page for each one before it, so that no two
 * share a page and nothing has to be padded.
 */
#include "backend/gcn/object/object.h"

#include <string.h>

#include "backend/gcn/object/metadata.h"
#include "object/elf_write.h"

#define PAGE 4096u

enum section {
   NO_SECTION,
   NOTE,
   DYNSYM,
   GNU_HASH,
   HASH,
   DYNSTR,
   RODATA,
   TEXT,
   DYNAMIC,
   SYMTAB,
   SHSTRTAB,
   STRTAB,
   NUM_SECTIONS,
};

static const elf_section_info section_infos[NUM_SECTIONS] = {
   [NO_SECTION] = { "", 0, 0, 0, 0, 0, 0 },
   [NOTE] = { ".note", ELF_SECTION_NOTE, ELF_FLAG_ALLOC, 0, 0, 4, 0 },
   [DYNSYM] = { ".dynsym", ELF_SECTION_DYNSYM, ELF_FLAG_ALLOC, DYNSTR, 1, 8, ELF_SYMBOL_SIZE },
   [GNU_HASH] = { ".gnu.hash", ELF_SECTION_GNU_HASH, ELF_FLAG_ALLOC, DYNSYM, 0, 8, 0 },
   [HASH] = { ".hash", ELF_SECTION_HASH, ELF_FLAG_ALLOC, DYNSYM, 0, 4, 4 },
   [DYNSTR] = { ".dynstr", ELF_SECTION_STRTAB, ELF_FLAG_ALLOC, 0, 0, 1, 0 },
   [RODATA] = { ".rodata", ELF_SECTION_PROGBITS, ELF_FLAG_ALLOC, 0, 0, 64, 0 },
   [TEXT] = { ".text", ELF_SECTION_PROGBITS, ELF_FLAG_ALLOC | ELF_FLAG_EXECUTE, 0, 0, 256, 0 },
   [DYNAMIC] = { ".dynamic", ELF_SECTION_DYNAMIC, ELF_FLAG_ALLOC | ELF_FLAG_WRITE, DYNSTR, 0, 8,
                 ELF_DYNAMIC_SIZE },
   [SYMTAB] = { ".symtab", ELF_SECTION_SYMTAB, 0, STRTAB, 1, 8, ELF_SYMBOL_SIZE },
   [SHSTRTAB] = { ".shstrtab", ELF_SECTION_STRTAB, 0, 0, 0, 1, 0 },
   [STRTAB] = { ".strtab", ELF_SECTION_STRTAB, 0, 0, 0, 1, 0 },
};

struct object {
   elf_writer elf;
   const hd_gcn_object_kernel *kernels;
   uint32_t num_kernels;
   hd_gcn_gen gen;
   uint64_t *code; /* of each kernel, its address */
};

#define NUM_SEGMENTS 7u
#define S_NOP        0xbf800000u /* on all chips */

static void
put_note(struct object *o)
{
   hd_blob metadata = { .allocator = o->elf.out->allocator };

   hd_gcn_metadata_write(o->gen, o->kernels, o->num_kernels, &metadata);
   if (metadata.result != HD_OK)
      o->elf.out->result = metadata.result;
   hd_elf_begin(&o->elf, NOTE);
   hd_elf_write(o->elf.out, 4, sizeof("AMDGPU"));
   hd_elf_write(o->elf.out, 4, metadata.size);
   hd_elf_write(o->elf.out, 4, ELF_NOTE_METADATA);
   hd_blob_append(o->elf.out, "AMDGPU\0", 8);
   hd_blob_append(o->elf.out, metadata.data, metadata.size);
   hd_elf_write_zeroes(&o->elf, -metadata.size % 4);
   hd_elf_end(&o->elf, NOTE);
   hd_blob_finish(&metadata);
}

static void
put_descriptors(struct object *o)
{
   hd_elf_begin(&o->elf, RODATA);
   for (uint32_t n = 0; n < o->num_kernels; n++) {
      uint8_t kd[KD_SIZE];
      memcpy(kd, o->kernels[n].descriptor, KD_SIZE);
      elf_put(kd + KD_ENTRY, 8, o->code[n] - (o->elf.address[RODATA] + n * (uint64_t)KD_SIZE));
      hd_blob_append(o->elf.out, kd, KD_SIZE);
   }
   hd_elf_end(&o->elf, RODATA);
}

/* Each kernel begins at a multiple of 256. */
static void
put_code(struct object *o)
{
   hd_elf_begin(&o->elf, TEXT);
   for (uint32_t n = 0; n < o->num_kernels; n++) {
      const hd_gcn_object_kernel *k = &o->kernels[n];
      while ((o->elf.out->size - o->elf.start) % section_infos[TEXT].align &&
             o->elf.out->result == HD_OK)
         hd_elf_write(o->elf.out, 4, S_NOP);
      o->code[n] = o->elf.out->size - o->elf.start + o->elf.pages;
      hd_blob_append(o->elf.out, k->code, k->code_words * (size_t)4);
   }
   hd_elf_end(&o->elf, TEXT);
}

static void
put_dynamic(struct object *o)
{
   const struct {
      uint32_t tag;
      uint64_t value;
   } entries[] = {
      { ELF_DYNAMIC_SYMTAB, o->elf.address[DYNSYM] },
      { ELF_DYNAMIC_SYMENT, ELF_SYMBOL_SIZE },
      { ELF_DYNAMIC_STRTAB, o->elf.address[DYNSTR] },
      { ELF_DYNAMIC_STRSZ, o->elf.size[DYNSTR] },
      { ELF_DYNAMIC_GNU_HASH, o->elf.address[GNU_HASH] },
      { ELF_DYNAMIC_HASH, o->elf.address[HASH] },
      { 0, 0 },
   };

   hd_elf_begin(&o->elf, DYNAMIC);
   for (size_t n = 0; n < sizeof(entries) / sizeof(entries[0]); n++) {
      hd_elf_write(o->elf.out, 8, entries[n].tag);
      hd_elf_write(o->elf.out, 8, entries[n].value);
   }
   hd_elf_end(&o->elf, DYNAMIC);
}

static void
put_segment_of(const struct object *o, hd_blob *out, uint32_t type, uint32_t flags,
               enum section section, uint64_t align)
{
   hd_elf_write_segment(out, type, flags, o->elf.offset[section], o->elf.address[section],
                        o->elf.size[section], align);
}

/* The header and the segments, once all places are known. */
static void
put_header(const struct object *o, uint64_t sections, hd_blob *out)
{
   static const uint8_t ident[16] = { 0x7f, 'E', 'L', 'F', 2, 1, 1, ELF_OS_HSA, ELF_ABI_V5 };
   /* As clang says by default: whether xnack is on or off; only gfx9 can say so. That
    * loads could be replayed is not looked after (doc/gcn.md).
    */
   const uint32_t flags =
       elf_mach_of(o->gen) | (o->gen == HD_GCN_GFX900 ? 1u << ELF_XNACK_SHIFT : 0);

   hd_blob_append(out, ident, sizeof(ident));
   hd_elf_write(out, 2, ELF_TYPE_SHARED);
   hd_elf_write(out, 2, ELF_MACHINE_AMDGPU);
   hd_elf_write(out, 4, 1);
   hd_elf_write(out, 8, 0); /* entry: each kernel has its own */
   hd_elf_write(out, 8, ELF_HEADER_SIZE);
   hd_elf_write(out, 8, sections);
   hd_elf_write(out, 4, flags);
   hd_elf_write(out, 2, ELF_HEADER_SIZE);
   hd_elf_write(out, 2, ELF_SEGMENT_SIZE);
   hd_elf_write(out, 2, NUM_SEGMENTS);
   hd_elf_write(out, 2, ELF_SECTION_SIZE);
   hd_elf_write(out, 2, NUM_SECTIONS);
   hd_elf_write(out, 2, SHSTRTAB);
   hd_elf_write_segment(out, ELF_SEGMENT_PHDR, ELF_READ, ELF_HEADER_SIZE, ELF_HEADER_SIZE,
                        NUM_SEGMENTS * ELF_SEGMENT_SIZE, 8);
   hd_elf_write_segment(out, ELF_SEGMENT_LOAD, ELF_READ, 0, 0,
                        o->elf.offset[RODATA] + o->elf.size[RODATA], PAGE);
   put_segment_of(o, out, ELF_SEGMENT_LOAD, ELF_READ | ELF_EXECUTE, TEXT, PAGE);
   put_segment_of(o, out, ELF_SEGMENT_LOAD, ELF_READ | ELF_WRITE, DYNAMIC, PAGE);
   put_segment_of(o, out, ELF_SEGMENT_DYNAMIC, ELF_READ | ELF_WRITE, DYNAMIC, 8);
   hd_elf_write_segment(out, ELF_SEGMENT_STACK, ELF_READ | ELF_WRITE, 0, 0, 0, 0);
   put_segment_of(o, out, ELF_SEGMENT_NOTE, ELF_READ, NOTE, 4);
}

/* Where they lie, as far as that is known. */
static void
set_symbols(struct object *o)
{
   for (uint32_t n = 0; n < o->elf.num_symbols; n++) {
      elf_out_symbol *s = &o->elf.symbols[n];
      const uint32_t kernel = s->order / 2;
      const bool descriptor = s->section == RODATA;
      s->value = descriptor ? o->elf.address[RODATA] + kernel * (uint64_t)KD_SIZE : o->code[kernel];
      s->size = descriptor ? KD_SIZE : o->kernels[kernel].code_words * UINT64_C(4);
   }
}

/* Once to find out where everything lies, and once with that. */
static void
put_all(struct object *o, hd_stack *stack)
{
   o->elf.out->size = o->elf.start;
   hd_elf_write_zeroes(&o->elf, ELF_HEADER_SIZE + NUM_SEGMENTS * ELF_SEGMENT_SIZE);
   o->elf.pages = 0;
   put_note(o);
   set_symbols(o);
   hd_elf_write_symbols(&o->elf, DYNSYM);
   hd_elf_write_gnu_hash(&o->elf, GNU_HASH);
   hd_elf_write_hash(&o->elf, HASH, stack);
   hd_elf_write_names(&o->elf, DYNSTR);
   put_descriptors(o);
   o->elf.pages += PAGE;
   put_code(o);
   o->elf.pages += PAGE;
   put_dynamic(o);
   hd_elf_write_symbols(&o->elf, SYMTAB);
   hd_elf_write_section_names(&o->elf, SHSTRTAB);
   hd_elf_write_names(&o->elf, STRTAB);
}

/* "f", the function, and "f.kd", its descriptor. */
static void
make_symbols(struct object *o, hd_stack *stack)
{
   elf_writer *w = &o->elf;

   w->num_symbols = 2 * o->num_kernels;
   w->num_buckets = o->num_kernels;
   o->code = hd_stack_alloc_zero(stack, o->num_kernels * sizeof(*o->code));
   w->symbols = hd_stack_alloc_zero(stack, w->num_symbols * sizeof(*w->symbols));
   for (uint32_t n = 0; n < w->num_symbols; n++) {
      const char *name = o->kernels[n / 2].name;
      const size_t length = strlen(name);
      char *whole = hd_stack_alloc(stack, length + sizeof(".kd"));
      memcpy(whole, name, length);
      memcpy(whole + length, n % 2 ? ".kd" : "", n % 2 ? sizeof(".kd") : 1);
      w->symbols[n] = (elf_out_symbol){ .name = whole,
                                        .order = n,
                                        .type = n % 2 ? ELF_SYMBOL_OBJECT : ELF_SYMBOL_FUNC,
                                        .section = n % 2 ? RODATA : TEXT };
   }
   hd_elf_sort_symbols(w);
}

void
hd_gcn_object_write(hd_stack *stack, hd_gcn_gen gen, const hd_gcn_object_kernel *kernels,
                    uint32_t num, hd_blob *out)
{
   struct object o = {
      .kernels = kernels,
      .num_kernels = num,
      .gen = gen,
      .elf = { .infos = section_infos,
               .num_sections = NUM_SECTIONS,
               .out = out,
               .start = out->size },
   };
   const hd_stack_mark mark = hd_stack_get_mark(stack);
   hd_blob header = { .allocator = out->allocator };

   make_symbols(&o, stack);
   put_all(&o, stack);
   if (out->result == HD_OK)
      put_all(&o, stack);
   hd_elf_write_zeroes(&o.elf, -(out->size - o.elf.start) % 8);
   const uint64_t sections = out->size - o.elf.start;
   hd_elf_write_sections(&o.elf);
   put_header(&o, sections, &header);
   if (header.result != HD_OK)
      out->result = header.result;
   if (out->result == HD_OK)
      memcpy(out->data + o.elf.start, header.data, header.size);
   hd_blob_finish(&header);
   hd_stack_release(stack, mark);
}
