/* SPDX-License-Identifier: MIT */
/* object_write.c - a kernel as an HSA code object of version 5, linked: what a loader maps.
 *
 *    0x0000  header, segments, .note .dynsym .gnu.hash .hash .dynstr .rodata     read
 *    0x1...  .text                                                               read, execute
 *    0x2...  .dynamic                                                            read, write
 *            .symtab .shstrtab .strtab, sections                                 not loaded
 *
 * A segment's address is its place in the file plus a page for each one before it, so that no two
 * share a page and nothing has to be padded.
 */
#include "backend/gcn/output.h"

#include <string.h>

#include "backend/gcn/abi/abi.h"
#include "backend/gcn/object/metadata.h"
#include "object/elf.h"

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

static const struct section_info {
   const char *name;
   uint32_t type, flags, link, info, align, entry_size;
} section_infos[NUM_SECTIONS] = {
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
   const hd_mach_program *p;
   const hd_gcn_binary *binary;
   hd_blob *out;
   size_t start;   /* in `out` */
   uint64_t pages; /* between the place in the file and the address, now */
   uint64_t offset[NUM_SECTIONS], address[NUM_SECTIONS], size[NUM_SECTIONS];
};

#define NUM_SEGMENTS 7u

/* The kernel and its descriptor. */
#define NUM_SYMBOLS 3u

static void
put(hd_blob *out, unsigned size, uint64_t value)
{
   uint8_t bytes[8];

   elf_put(bytes, size, value);
   hd_blob_append(out, bytes, size);
}

static void
begin(struct object *o, enum section section)
{
   const uint32_t align = section_infos[section].align;

   while ((o->out->size - o->start) % align && o->out->result == HD_OK)
      put(o->out, 1, 0);
   o->offset[section] = o->out->size - o->start;
   o->address[section] =
       section_infos[section].flags & ELF_FLAG_ALLOC ? o->offset[section] + o->pages : 0;
}

static void
end(struct object *o, enum section section)
{
   o->size[section] = o->out->size - o->start - o->offset[section];
}

static void
put_note(struct object *o)
{
   hd_blob metadata;

   hd_blob_init(&metadata, hd_shader_config(o->p->shader));
   hd_gcn_metadata_write(o->p, o->binary, &metadata);
   if (metadata.result != HD_OK)
      o->out->result = metadata.result;
   begin(o, NOTE);
   put(o->out, 4, sizeof("AMDGPU"));
   put(o->out, 4, metadata.size);
   put(o->out, 4, ELF_NOTE_METADATA);
   hd_blob_append(o->out, "AMDGPU\0", 8);
   hd_blob_append(o->out, metadata.data, metadata.size);
   while ((o->out->size - o->start) % 4 && o->out->result == HD_OK)
      put(o->out, 1, 0);
   end(o, NOTE);
   hd_blob_finish(&metadata);
}

/* Names: nothing, "f", "f.kd". */
static uint32_t
symbol_name(const struct object *o, unsigned symbol)
{
   return symbol == 0 ? 0 : symbol == 1 ? 1 : (uint32_t)strlen(hd_gcn_kernel_name(o->p)) + 2;
}

static void
put_symbol(struct object *o, unsigned symbol)
{
   const bool function = symbol == 1;
   const enum section section = function ? TEXT : RODATA;

   if (!symbol) {
      for (unsigned n = 0; n < ELF_SYMBOL_SIZE; n++)
         put(o->out, 1, 0);
      return;
   }
   put(o->out, 4, symbol_name(o, symbol));
   put(o->out, 1, ELF_GLOBAL << 4 | (function ? ELF_SYMBOL_FUNC : ELF_SYMBOL_OBJECT));
   put(o->out, 1, ELF_PROTECTED);
   put(o->out, 2, section);
   put(o->out, 8, o->address[section]);
   put(o->out, 8, function ? o->binary->code_words * UINT64_C(4) : KD_SIZE);
}

static void
put_symbols(struct object *o, enum section section)
{
   begin(o, section);
   for (unsigned n = 0; n < NUM_SYMBOLS; n++)
      put_symbol(o, n);
   end(o, section);
}

static void
put_names(struct object *o, enum section section)
{
   const char *name = hd_gcn_kernel_name(o->p);

   begin(o, section);
   hd_blob_append(o->out, "", 1);
   hd_blob_append(o->out, name, strlen(name) + 1);
   hd_blob_append(o->out, name, strlen(name));
   hd_blob_append(o->out, ".kd", 4);
   end(o, section);
}

static uint32_t
gnu_hash(const char *name, const char *more)
{
   uint32_t h = 5381;

   for (; *name; name++)
      h = h * 33 + (uint8_t)*name;
   for (; *more; more++)
      h = h * 33 + (uint8_t)*more;
   return h;
}

static uint32_t
old_hash(const char *name, const char *more)
{
   uint32_t h = 0;

   for (const char *const parts[2] = { name, more }, *const *part = parts; part < parts + 2;
        part++) {
      for (const char *c = *part; *c; c++) {
         h = (h << 4) + (uint8_t)*c;
         h = (h ^ (h >> 24 & 0xf0)) & 0x0fffffff;
      }
   }
   return h;
}

/* One bucket with both symbols; a word of the filter. */
static void
put_gnu_hash(struct object *o)
{
   const uint32_t shift = 26;
   const uint32_t h[2] = { gnu_hash(hd_gcn_kernel_name(o->p), ""),
                           gnu_hash(hd_gcn_kernel_name(o->p), ".kd") };
   uint64_t filter = 0;

   begin(o, GNU_HASH);
   put(o->out, 4, 1); /* buckets */
   put(o->out, 4, 1); /* the first symbol */
   put(o->out, 4, 1); /* words of the filter */
   put(o->out, 4, shift);
   for (unsigned n = 0; n < 2; n++)
      filter |= UINT64_C(1) << h[n] % 64 | UINT64_C(1) << (h[n] >> shift) % 64;
   put(o->out, 8, filter);
   put(o->out, 4, 1);
   put(o->out, 4, h[0] & ~UINT32_C(1));
   put(o->out, 4, h[1] | 1); /* the last of its bucket */
   end(o, GNU_HASH);
}

static void
put_old_hash(struct object *o)
{
   uint32_t bucket[NUM_SYMBOLS] = { 0 }, chain[NUM_SYMBOLS] = { 0 };

   for (uint32_t n = 1; n < NUM_SYMBOLS; n++) {
      const uint32_t h = old_hash(hd_gcn_kernel_name(o->p), n == 1 ? "" : ".kd") % NUM_SYMBOLS;
      chain[n] = bucket[h];
      bucket[h] = n;
   }
   begin(o, HASH);
   put(o->out, 4, NUM_SYMBOLS);
   put(o->out, 4, NUM_SYMBOLS);
   for (unsigned n = 0; n < NUM_SYMBOLS; n++)
      put(o->out, 4, bucket[n]);
   for (unsigned n = 0; n < NUM_SYMBOLS; n++)
      put(o->out, 4, chain[n]);
   end(o, HASH);
}

static void
put_descriptor(struct object *o)
{
   const hd_gcn_binary *b = o->binary;
   uint8_t kd[KD_SIZE] = { 0 };

   begin(o, RODATA);
   elf_put(kd + KD_LDS_SIZE, 4, b->stats.lds_size);
   elf_put(kd + KD_SCRATCH_SIZE, 4, b->stats.scratch_size);
   elf_put(kd + KD_KERNARG_SIZE, 4, b->kernarg_size);
   elf_put(kd + KD_ENTRY, 8, o->address[TEXT] - o->address[RODATA]);
   elf_put(kd + KD_RSRC1, 4, b->pgm_rsrc1);
   elf_put(kd + KD_RSRC2, 4, b->pgm_rsrc2);
   elf_put(kd + KD_PROPERTIES, 2, hd_gcn_abi_properties(o->p));
   hd_blob_append(o->out, kd, sizeof(kd));
   end(o, RODATA);
}

static void
put_dynamic(struct object *o)
{
   const struct {
      uint32_t tag;
      uint64_t value;
   } entries[] = {
      { ELF_DYNAMIC_SYMTAB, o->address[DYNSYM] },
      { ELF_DYNAMIC_SYMENT, ELF_SYMBOL_SIZE },
      { ELF_DYNAMIC_STRTAB, o->address[DYNSTR] },
      { ELF_DYNAMIC_STRSZ, o->size[DYNSTR] },
      { ELF_DYNAMIC_GNU_HASH, o->address[GNU_HASH] },
      { ELF_DYNAMIC_HASH, o->address[HASH] },
      { 0, 0 },
   };

   begin(o, DYNAMIC);
   for (size_t n = 0; n < sizeof(entries) / sizeof(entries[0]); n++) {
      put(o->out, 8, entries[n].tag);
      put(o->out, 8, entries[n].value);
   }
   end(o, DYNAMIC);
}

static uint32_t
section_name(enum section section)
{
   uint32_t at = 0;

   for (unsigned n = 0; n < (unsigned)section; n++)
      at += (uint32_t)strlen(section_infos[n].name) + 1;
   return at;
}

static void
put_section_names(struct object *o)
{
   begin(o, SHSTRTAB);
   for (unsigned n = 0; n < NUM_SECTIONS; n++)
      hd_blob_append(o->out, section_infos[n].name, strlen(section_infos[n].name) + 1);
   end(o, SHSTRTAB);
}

static void
put_sections(struct object *o)
{
   for (unsigned n = 0; n < NUM_SECTIONS; n++) {
      const struct section_info *info = &section_infos[n];
      put(o->out, 4, section_name((enum section)n));
      put(o->out, 4, info->type);
      put(o->out, 8, info->flags);
      put(o->out, 8, o->address[n]);
      put(o->out, 8, o->offset[n]);
      put(o->out, 8, o->size[n]);
      put(o->out, 4, info->link);
      put(o->out, 4, info->info);
      put(o->out, 8, info->align);
      put(o->out, 8, info->entry_size);
   }
}

static void
put_segment(hd_blob *out, uint32_t type, uint32_t flags, uint64_t offset, uint64_t address,
            uint64_t size, uint64_t align)
{
   put(out, 4, type);
   put(out, 4, flags);
   put(out, 8, offset);
   put(out, 8, address);
   put(out, 8, address);
   put(out, 8, size);
   put(out, 8, size);
   put(out, 8, align);
}

static void
put_segment_of(const struct object *o, hd_blob *out, uint32_t type, uint32_t flags,
               enum section section, uint64_t align)
{
   put_segment(out, type, flags, o->offset[section], o->address[section], o->size[section], align);
}

/* The header and the segments, once all places are known. */
static void
put_header(const struct object *o, uint64_t sections, hd_blob *out)
{
   static const uint8_t ident[16] = { 0x7f, 'E', 'L', 'F', 2, 1, 1, ELF_OS_HSA, ELF_ABI_V5 };
   const hd_gcn_gen gen = hd_gcn_target_in(o->p)->gen;
   /* As clang says where it is not told: whether xnack is on or off; only gfx9 can say so. That
    * loads could be replayed is not looked after (doc/gcn.md).
    */
   const uint32_t flags = elf_mach_of(gen) | (gen == HD_GCN_GFX9 ? 1u << ELF_XNACK_SHIFT : 0);

   hd_blob_append(out, ident, sizeof(ident));
   put(out, 2, ELF_TYPE_SHARED);
   put(out, 2, ELF_MACHINE_AMDGPU);
   put(out, 4, 1);
   put(out, 8, 0); /* entry: each kernel has its own */
   put(out, 8, ELF_HEADER_SIZE);
   put(out, 8, sections);
   put(out, 4, flags);
   put(out, 2, ELF_HEADER_SIZE);
   put(out, 2, ELF_SEGMENT_SIZE);
   put(out, 2, NUM_SEGMENTS);
   put(out, 2, ELF_SECTION_SIZE);
   put(out, 2, NUM_SECTIONS);
   put(out, 2, SHSTRTAB);
   put_segment(out, ELF_SEGMENT_PHDR, ELF_READ, ELF_HEADER_SIZE, ELF_HEADER_SIZE,
               NUM_SEGMENTS * ELF_SEGMENT_SIZE, 8);
   put_segment(out, ELF_SEGMENT_LOAD, ELF_READ, 0, 0, o->offset[RODATA] + o->size[RODATA], PAGE);
   put_segment_of(o, out, ELF_SEGMENT_LOAD, ELF_READ | ELF_EXECUTE, TEXT, PAGE);
   put_segment_of(o, out, ELF_SEGMENT_LOAD, ELF_READ | ELF_WRITE, DYNAMIC, PAGE);
   put_segment_of(o, out, ELF_SEGMENT_DYNAMIC, ELF_READ | ELF_WRITE, DYNAMIC, 8);
   put_segment(out, ELF_SEGMENT_STACK, ELF_READ | ELF_WRITE, 0, 0, 0, 0);
   put_segment_of(o, out, ELF_SEGMENT_NOTE, ELF_READ, NOTE, 4);
}

/* Once to find out where everything lies, and once with that. */
static void
put_all(struct object *o)
{
   o->out->size = o->start;
   for (unsigned n = 0; n < ELF_HEADER_SIZE + NUM_SEGMENTS * ELF_SEGMENT_SIZE; n++)
      put(o->out, 1, 0);
   o->pages = 0;
   put_note(o);
   put_symbols(o, DYNSYM);
   put_gnu_hash(o);
   put_old_hash(o);
   put_names(o, DYNSTR);
   put_descriptor(o);
   o->pages += PAGE;
   begin(o, TEXT);
   hd_blob_append(o->out, o->binary->code, o->binary->code_words * (size_t)4);
   end(o, TEXT);
   o->pages += PAGE;
   put_dynamic(o);
   put_symbols(o, SYMTAB);
   put_section_names(o);
   put_names(o, STRTAB);
}

void
hd_gcn_object_write(const hd_mach_program *p, const hd_gcn_binary *binary, hd_blob *out)
{
   struct object o = { .p = p, .binary = binary, .out = out, .start = out->size };
   hd_blob header;

   put_all(&o);
   if (out->result == HD_OK)
      put_all(&o);
   while ((out->size - o.start) % 8 && out->result == HD_OK)
      put(out, 1, 0);
   const uint64_t sections = out->size - o.start;
   put_sections(&o);
   hd_blob_init(&header, hd_shader_config(p->shader));
   put_header(&o, sections, &header);
   if (header.result != HD_OK)
      out->result = header.result;
   if (out->result == HD_OK)
      memcpy(out->data + o.start, header.data, header.size);
   hd_blob_finish(&header);
}
