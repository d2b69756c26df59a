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

#include <stdlib.h>
#include <string.h>

#include "backend/gcn/object/metadata.h"

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

/* "f", the function, or "f.kd", its descriptor. */
struct symbol {
   const char *name;
   uint32_t kernel;
   bool descriptor;
   uint32_t bucket; /* of .gnu.hash */
   uint32_t place;  /* of the name in the table of strings */
};

struct object {
   const hd_gcn_object_kernel *kernels;
   uint32_t num_kernels;
   hd_gcn_gen gen;
   hd_blob *out;
   size_t start;           /* in `out` */
   uint64_t pages;         /* between the place in the file and the address, now */
   uint64_t *code;         /* of each kernel, its address */
   struct symbol *symbols; /* two a kernel, bucket by bucket */
   uint32_t num_symbols, num_buckets;
   uint64_t offset[NUM_SECTIONS], address[NUM_SECTIONS], size[NUM_SECTIONS];
};

#define NUM_SEGMENTS 7u
#define S_NOP        0xbf800000u /* on all chips */

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
put_zeroes(struct object *o, size_t num)
{
   while (num-- && o->out->result == HD_OK)
      put(o->out, 1, 0);
}

static void
put_note(struct object *o)
{
   hd_blob metadata = { .allocator = o->out->allocator };

   hd_gcn_metadata_write(o->gen, o->kernels, o->num_kernels, &metadata);
   if (metadata.result != HD_OK)
      o->out->result = metadata.result;
   begin(o, NOTE);
   put(o->out, 4, sizeof("AMDGPU"));
   put(o->out, 4, metadata.size);
   put(o->out, 4, ELF_NOTE_METADATA);
   hd_blob_append(o->out, "AMDGPU\0", 8);
   hd_blob_append(o->out, metadata.data, metadata.size);
   put_zeroes(o, -metadata.size % 4);
   end(o, NOTE);
   hd_blob_finish(&metadata);
}

/* Symbol 0 is none. */
static void
put_symbols(struct object *o, enum section section)
{
   begin(o, section);
   put_zeroes(o, ELF_SYMBOL_SIZE);
   for (uint32_t n = 0; n < o->num_symbols; n++) {
      const struct symbol *s = &o->symbols[n];
      put(o->out, 4, s->place);
      put(o->out, 1, ELF_GLOBAL << 4 | (s->descriptor ? ELF_SYMBOL_OBJECT : ELF_SYMBOL_FUNC));
      put(o->out, 1, ELF_PROTECTED);
      put(o->out, 2, s->descriptor ? RODATA : TEXT);
      put(o->out, 8,
          s->descriptor ? o->address[RODATA] + s->kernel * (uint64_t)KD_SIZE : o->code[s->kernel]);
      put(o->out, 8, s->descriptor ? KD_SIZE : o->kernels[s->kernel].code_words * UINT64_C(4));
   }
   end(o, section);
}

static void
put_names(struct object *o, enum section section)
{
   begin(o, section);
   hd_blob_append(o->out, "", 1);
   for (uint32_t n = 0; n < o->num_symbols; n++) {
      o->symbols[n].place = (uint32_t)(o->out->size - o->start - o->offset[section]);
      hd_blob_append(o->out, o->symbols[n].name, strlen(o->symbols[n].name) + 1);
   }
   end(o, section);
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

/* As many buckets as kernels; the words of the filter are a power of two. */
static void
put_gnu_hash(struct object *o)
{
   const uint32_t shift = 26, first = 1;
   hd_blob *out = o->out;
   uint32_t words = 1, next = 0;

   while (words * UINT64_C(8) < o->num_symbols)
      words *= 2;
   begin(o, GNU_HASH);
   put(out, 4, o->num_buckets);
   put(out, 4, first);
   put(out, 4, words);
   put(out, 4, shift);
   const size_t filter = out->size;
   put_zeroes(o, words * (size_t)8);
   for (uint32_t n = 0; n < o->num_symbols && out->result == HD_OK; n++) {
      const uint32_t h = gnu_hash(o->symbols[n].name);
      uint8_t *word = (uint8_t *)out->data + filter + h / 64 % words * (size_t)8;
      elf_put(word, 8, elf_get(word, 8) | UINT64_C(1) << h % 64 | UINT64_C(1) << (h >> shift) % 64);
   }
   for (uint32_t b = 0; b < o->num_buckets; b++) {
      const bool any = next < o->num_symbols && o->symbols[next].bucket == b;
      put(out, 4, any ? first + next : 0);
      while (next < o->num_symbols && o->symbols[next].bucket == b)
         next++;
   }
   /* Bit 0 marks the last of its bucket. */
   for (uint32_t n = 0; n < o->num_symbols; n++) {
      const bool last = n + 1 == o->num_symbols || o->symbols[n + 1].bucket != o->symbols[n].bucket;
      put(out, 4, (gnu_hash(o->symbols[n].name) & ~UINT32_C(1)) | last);
   }
   end(o, GNU_HASH);
}

static void
put_old_hash(struct object *o, hd_stack *stack)
{
   const uint32_t num = o->num_symbols + 1;
   const hd_stack_mark mark = hd_stack_get_mark(stack);
   uint32_t *bucket = hd_stack_alloc_zero(stack, num * sizeof(*bucket));
   uint32_t *chain = hd_stack_alloc_zero(stack, num * sizeof(*chain));

   for (uint32_t n = 1; n < num; n++) {
      const uint32_t h = old_hash(o->symbols[n - 1].name) % num;
      chain[n] = bucket[h];
      bucket[h] = n;
   }
   begin(o, HASH);
   put(o->out, 4, num);
   put(o->out, 4, num);
   for (uint32_t n = 0; n < num; n++)
      put(o->out, 4, bucket[n]);
   for (uint32_t n = 0; n < num; n++)
      put(o->out, 4, chain[n]);
   end(o, HASH);
   hd_stack_release(stack, mark);
}

static void
put_descriptors(struct object *o)
{
   begin(o, RODATA);
   for (uint32_t n = 0; n < o->num_kernels; n++) {
      uint8_t kd[KD_SIZE];
      memcpy(kd, o->kernels[n].descriptor, KD_SIZE);
      elf_put(kd + KD_ENTRY, 8, o->code[n] - (o->address[RODATA] + n * (uint64_t)KD_SIZE));
      hd_blob_append(o->out, kd, KD_SIZE);
   }
   end(o, RODATA);
}

/* Each kernel begins at a multiple of 256. */
static void
put_code(struct object *o)
{
   begin(o, TEXT);
   for (uint32_t n = 0; n < o->num_kernels; n++) {
      const hd_gcn_object_kernel *k = &o->kernels[n];
      while ((o->out->size - o->start) % section_infos[TEXT].align && o->out->result == HD_OK)
         put(o->out, 4, S_NOP);
      o->code[n] = o->out->size - o->start + o->pages;
      hd_blob_append(o->out, k->code, k->code_words * (size_t)4);
   }
   end(o, TEXT);
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
   /* As clang says where it is not told: whether xnack is on or off; only gfx9 can say so. That
    * loads could be replayed is not looked after (doc/gcn.md).
    */
   const uint32_t flags =
       elf_mach_of(o->gen) | (o->gen == HD_GCN_GFX900 ? 1u << ELF_XNACK_SHIFT : 0);

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
put_all(struct object *o, hd_stack *stack)
{
   o->out->size = o->start;
   put_zeroes(o, ELF_HEADER_SIZE + NUM_SEGMENTS * ELF_SEGMENT_SIZE);
   o->pages = 0;
   put_note(o);
   put_symbols(o, DYNSYM);
   put_gnu_hash(o);
   put_old_hash(o, stack);
   put_names(o, DYNSTR);
   put_descriptors(o);
   o->pages += PAGE;
   put_code(o);
   o->pages += PAGE;
   put_dynamic(o);
   put_symbols(o, SYMTAB);
   put_section_names(o);
   put_names(o, STRTAB);
}

static int
by_bucket(const void *a, const void *b)
{
   const struct symbol *x = a, *y = b;

   if (x->bucket != y->bucket)
      return x->bucket < y->bucket ? -1 : 1;
   if (x->kernel != y->kernel)
      return x->kernel < y->kernel ? -1 : 1;
   return x->descriptor - y->descriptor;
}

static void
make_symbols(struct object *o, hd_stack *stack)
{
   o->num_symbols = 2 * o->num_kernels;
   o->num_buckets = o->num_kernels;
   o->code = hd_stack_alloc_zero(stack, o->num_kernels * sizeof(*o->code));
   o->symbols = hd_stack_alloc_zero(stack, o->num_symbols * sizeof(*o->symbols));
   for (uint32_t n = 0; n < o->num_symbols; n++) {
      struct symbol *s = &o->symbols[n];
      const char *name = o->kernels[n / 2].name;
      const size_t length = strlen(name);
      char *whole = hd_stack_alloc(stack, length + sizeof(".kd"));
      memcpy(whole, name, length);
      memcpy(whole + length, n % 2 ? ".kd" : "", n % 2 ? sizeof(".kd") : 1);
      *s = (struct symbol){ .name = whole, .kernel = n / 2, .descriptor = n % 2 };
      s->bucket = gnu_hash(whole) % o->num_buckets;
   }
   qsort(o->symbols, o->num_symbols, sizeof(*o->symbols), by_bucket);
}

void
hd_gcn_object_write(hd_stack *stack, hd_gcn_gen gen, const hd_gcn_object_kernel *kernels,
                    uint32_t num, hd_blob *out)
{
   struct object o = {
      .kernels = kernels, .num_kernels = num, .gen = gen, .out = out, .start = out->size
   };
   const hd_stack_mark mark = hd_stack_get_mark(stack);
   hd_blob header = { .allocator = out->allocator };

   make_symbols(&o, stack);
   put_all(&o, stack);
   if (out->result == HD_OK)
      put_all(&o, stack);
   put_zeroes(&o, -(out->size - o.start) % 8);
   const uint64_t sections = out->size - o.start;
   put_sections(&o);
   put_header(&o, sections, &header);
   if (header.result != HD_OK)
      out->result = header.result;
   if (out->result == HD_OK)
      memcpy(out->data + o.start, header.data, header.size);
   hd_blob_finish(&header);
   hd_stack_release(stack, mark);
}
